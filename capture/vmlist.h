/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The VMs seen so far and names for them that are the same in the next run. */
#ifndef CAP_VMLIST_H
#define CAP_VMLIST_H

#include "capture/emit.h"
#include "capture/tasks.h"

struct cap_vm {
	pid_t tgid;
	uint64_t start;
	char name[128];
	bool told;
};

struct cap_vmlist {
	struct cap_vm *vm;
	size_t n;
};

/* Notes that the process of this leader holds a VM. 0, or -ENOMEM. */
int cap_vmlist_add(struct cap_vmlist *l, const struct cap_task *leader);

/*
 * Names the VMs added since the last call, in the order of their start, and writes a "group"
 * line for each: the name of the command line, else the cgroup's, else "comm#k"; a name that is
 * taken gets "#2", "#3"...
 */
int cap_vmlist_tell(struct cap_vmlist *l, int procfd, const struct cap_tasks *tasks,
		    struct cap_sink to);

void cap_vmlist_clear(struct cap_vmlist *l);

#endif
