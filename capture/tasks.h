/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads that the sampler knows, by thread id. */
#ifndef CAP_TASKS_H
#define CAP_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/prio.h"
#include "fcap/marker.h"

struct cap_task {
	pid_t tid, tgid;
	uint64_t start; /* with tid: this thread and no later one */
	char comm[64];
	char *cgroup; /* NULL: unknown */
	uint64_t cookie;
	bool has_cookie;
	bool has_prio;
	struct cap_prio prio;
	int64_t nice, policy;		   /* as told last */
	int64_t autogroup, autogroup_nice; /* likewise; -1: none */
	bool is_kthread;
	bool gone;	  /* ended; kept for its name if it was sampled */
	bool sampled;	  /* its counters are read */
	bool is_vm;	  /* of a leader: the process holds a VM */
	int vcpu;	  /* -1: not known to be one */
	int sched_fd;	  /* schedstat, if it is kept open, or -1 */
	int forceidle_fd; /* likewise sched, which has forced idle time */
	uint64_t first_ns;
	uint64_t seen; /* number of the scan that saw it last */
};

struct cap_tasks {
	void *tree;
	struct cap_task **all;
	size_t n, size;
};

/* NULL if tid is not known (or is gone and was not kept). */
struct cap_task *cap_tasks_find(const struct cap_tasks *t, pid_t tid);

/* Adds tid, or resets the entry of an earlier thread of that number. NULL: out of memory. */
struct cap_task *cap_tasks_put(struct cap_tasks *t, pid_t tid, pid_t tgid);

/* Puts the thread of a "task" line, of whom nothing but the name is taken. 0, or -ENOMEM. */
int cap_tasks_take_line(struct cap_tasks *t, const struct fcap_marker *line);

/* The thread has ended: closes its files; frees it unless it was sampled. */
void cap_tasks_end(struct cap_tasks *t, size_t i);

void cap_tasks_clear(struct cap_tasks *t);

#endif
