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
	unsigned int vms;    /* that the process holds; 0: not known */
	unsigned int vm_fds; /* descriptors of VMs, where the number is not known */
	unsigned int told_vms, told_fds;
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
 * line for each: the name that vmname.h finds, else "comm#k"; a name that is taken gets "#2",
 * "#3"... A line again for each whose number of VMs is another one than told; 1 goes without
 * saying.
 */
int cap_vmlist_tell(struct cap_vmlist *l, int procfd, const struct cap_tasks *tasks,
		    struct cap_sink to);

/* The VM of this name, or NULL. */
const struct cap_vm *cap_vmlist_named(const struct cap_vmlist *l, const char *name);

/* "vm1, vm2": the names for a sentence, of many the first ones "and 3 more". */
void cap_vmlist_names(const struct cap_vmlist *l, char *ret, size_t size);

/* The VM that this process holds now, or NULL. */
const struct cap_vm *cap_vmlist_of(const struct cap_vmlist *l, pid_t tgid);

void cap_vmlist_clear(struct cap_vmlist *l);

#endif
