/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * By what the scheduler knows a thread: policy, nice value, real-time priority, allowed CPUs. Asked
 * of the kernel by system calls, which cost a tenth of reading /proc, or, in tests, of somebody
 * who stands in for it.
 */
#ifndef CAP_PRIO_H
#define CAP_PRIO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cap_prio {
	uint32_t policy, rt_priority;
	int32_t nice;
	uint64_t cpus; /* a digest of the set: another one, another number */
};

struct cap_prio_source {
	/* 0, or negative errno. */
	int (*get)(void *ctx, pid_t tid, struct cap_prio *ret);
	void *ctx;
};

/* The kernel that this runs on. */
extern const struct cap_prio_source cap_prio_kernel;

bool cap_prio_equal(const struct cap_prio *a, const struct cap_prio *b);

#endif
