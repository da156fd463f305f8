/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GUEST options of a host file: which host thread is which vCPU of which guest. */
#ifndef FAN_TRACE_GUEST_H
#define FAN_TRACE_GUEST_H

#include "analyze/trace/file.h"

/* guest is borrowed for the call; < 0 stops. */
typedef int (*fan_guest_fn)(void *ctx, const char *guest, uint32_t vcpu, uint32_t tid);

/* Calls fn for every vCPU of every GUEST option. 0, what fn returned, or -EINVAL: damaged. */
int fan_guest_each(const struct fan_file *file, fan_guest_fn fn, void *ctx);

#endif
