/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name that a VM was started with, as its monitor or its manager has it. */
#ifndef CAP_VMNAME_H
#define CAP_VMNAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * All of these write at most size bytes with the NUL, cut a longer name, and return false where
 * there is none. A command line is as /proc/PID/cmdline holds it: len bytes, each argument with
 * its NUL; one that is cut off counts for nothing.
 */

/*
 * "-name X", "-name guest=X,..." (QEMU; ",," stands for a comma), "--name X" or "--name=X" (crosvm,
 * kvmtool and others); else "--id X" (Firecracker); else the name of the control socket
 * (Firecracker, Cloud Hypervisor, crosvm), or of its folder where the socket's says nothing.
 */
bool cap_vmname_from_cmdline(const char *cmdline, size_t len, char *ret, size_t size);

/*
 * What libvirt calls the machine whose cgroup this is or lies in: "machine-qemu\x2d3\x2dX.scope" or
 * "qemu-3-X.libvirt-qemu" give X. The number is another one at each start, so it is left out.
 */
bool cap_vmname_from_libvirt(const char *path, char *ret, size_t size);

/*
 * The last component of a cgroup path that is about this VM: not the root, not what libvirt puts
 * below a machine, not the scope of a login or another one whose name is new each time.
 */
bool cap_vmname_from_cgroup(const char *path, char *ret, size_t size);

/* The best of all these; cgroup: the path of the VM's main thread, or NULL. */
bool cap_vmname_choose(const char *cmdline, size_t len, const char *cgroup, char *ret, size_t size);

#endif
