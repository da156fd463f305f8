/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "steal" lines from schedstat and "host" lines from /proc/stat: cumulative, never differences. */
#ifndef CAP_COUNTERS_H
#define CAP_COUNTERS_H

#include "capture/emit.h"
#include "capture/procfs.h"
#include "capture/tasks.h"

/* Who wants the counters, too. */
struct cap_counters_also {
	int (*fn)(void *ctx, const struct cap_task *t, const struct cap_proc_sched *now);
	void *ctx;
};

/*
 * A line for every sampled thread that is alive, with its forced idle time if the kernel counts
 * that; one that has ended is let go. also may be NULL. 0, or the first error.
 */
int cap_counters_steal(int procfd, struct cap_tasks *tasks, bool forced_idle,
		       const struct cap_counters_also *also, struct cap_sink to);

struct cap_host_steal {
	uint64_t *last; /* by CPU; UINT64_MAX: never told */
	size_t ncpu;
};

/*
 * A line for each CPU whose steal has changed, or for every one. Beside steal stands total, the
 * sum of the first eight columns, by which a reader sees whether the columns make sense.
 */
int cap_counters_host(struct cap_host_steal *h, int procfd, bool every, struct cap_sink to);

void cap_host_steal_clear(struct cap_host_steal *h);

#endif
