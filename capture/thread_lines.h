/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at one thread and tells by "task" and "vcpu" lines what is new about it. */
#ifndef CAP_THREAD_LINES_H
#define CAP_THREAD_LINES_H

#include "capture/cgroup.h"
#include "capture/cookies.h"
#include "capture/emit.h"
#include "capture/prio.h"
#include "capture/procfs.h"
#include "capture/tasks.h"

struct cap_thread_ctx {
	int procfd;
	struct cap_cgroups *cgroups;
	struct cap_tasks *tasks;
	struct cap_sink to;
	struct cap_cookies cookies;
	const struct cap_prio_source *priorities; /* NULL: as far as /proc tells, when it is read */
	bool has_autogroups;
	pid_t autogroup_of; /* the process and sample that the next one is of */
	uint64_t autogroup_scan;
	struct cap_autogroup autogroup;
	bool forced_idle; /* the kernel counts the forced idle time of each thread */
	void (*found)(void *ctx, const struct cap_task *t); /* of a new one; NULL: nobody asks */
	void *found_ctx;
};

struct cap_visit {
	uint64_t scan; /* number of this sample */
	uint64_t now_ns;
	bool sampled; /* of a thread that is new: read its counters from now on */
	bool recheck; /* read name, cgroup and autogroup again */
	bool is_vm;   /* the process holds a VM */
};

/* 0, also when the thread is gone; negative errno (memory, or of the sink). */
int cap_thread_visit(struct cap_thread_ctx *ctx, pid_t pid, pid_t tid, const struct cap_visit *v);

/* Tells that it is the vCPU of this number. 0, or the sink's error. */
int cap_thread_is_vcpu(struct cap_thread_ctx *ctx, struct cap_task *t, int id);

#endif
