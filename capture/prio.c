// SPDX-License-Identifier: GPL-3.0-or-later
#include "capture/prio.h"

#include <errno.h>
#include <linux/sched/types.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CPUS_MAX 8192

/* FNV-1a over words. Trailing zeros do not count: the kernel's mask may be shorter than ours. */
static uint64_t digest(const unsigned long *mask, size_t words)
{
	uint64_t h = 0xcbf29ce484222325U;

	while (words && mask[words - 1] == 0)
		words--;
	for (size_t i = 0; i < words; i++)
		h = (h ^ mask[i]) * 0x100000001b3U;
	return h;
}

static int ask_kernel(void *ctx, pid_t tid, struct cap_prio *ret)
{
	unsigned long mask[CPUS_MAX / 8 / sizeof(unsigned long)] = { 0 };
	struct sched_attr attr = { .size = sizeof(attr) };
	long n;

	(void)ctx;
	if (syscall(SYS_sched_getattr, tid, &attr, sizeof(attr), 0) < 0)
		return -errno;
	/* not the library's call, which clears what the kernel did not fill each time */
	n = syscall(SYS_sched_getaffinity, tid, sizeof(mask), mask);
	if (n < 0)
		return -errno;
	*ret = (struct cap_prio){ attr.sched_policy, attr.sched_priority, attr.sched_nice,
				  digest(mask, (size_t)n / sizeof(unsigned long)) };
	return 0;
}

const struct cap_prio_source cap_prio_kernel = { ask_kernel, NULL };

bool cap_prio_equal(const struct cap_prio *a, const struct cap_prio *b)
{
	return a->policy == b->policy && a->rt_priority == b->rt_priority && a->nice == b->nice &&
	       a->cpus == b->cpus;
}
