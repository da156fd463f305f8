/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name that a VM was started with. */
#ifndef CAP_VMNAME_H
#define CAP_VMNAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks in a command line as /proc/PID/cmdline holds it (len bytes, arguments end with NUL) for
 * "-name X", "-name guest=X,..." (QEMU), "--name X" and "--name=X". False: no name.
 */
bool cap_vmname_from_cmdline(const char *cmdline, size_t len, char *ret, size_t size);

/* The last component of a cgroup path; false for the root. */
bool cap_vmname_from_cgroup(const char *path, char *ret, size_t size);

#endif
