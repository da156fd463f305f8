/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes folded into the groups of a report, after the pass: a VM is the thread group of any
 * vCPU thread, with its vhost kernel threads. Labels cost nothing while time is being booked.
 */
#ifndef FAN_MODEL_GROUPS_H
#define FAN_MODEL_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/model.h"

enum fan_group_kind { FAN_GROUP_VM, FAN_GROUP_PROCESS };

struct fan_group {
	char *name;	/* unique among the groups */
	int32_t tgid;	/* -1 unknown */
	int32_t lead;	/* index of the thread that names it: main thread, forker or vCPU */
	int32_t cgroup; /* of its first vCPU thread, else of lead; index of facts, -1 */
	bool is_identity_unknown; /* vCPU thread that nobody was seen to fork: a VM by itself */
	uint64_t birth_ns;	  /* of lead */
	uint64_t life_ns;	  /* of its longest-lived vCPU thread; 0 without any */
	size_t vcpus;		  /* vCPU threads that lived for a tenth of that, or longer */
};

struct fan_groups {
	enum fan_group_kind kind;
	struct fan_group *items; /* in the order of birth */
	size_t n;
	int32_t *of_proc; /* by process index: a group or -1; for final processes too */
	size_t nprocs;
	bool by_name; /* no kvm event and no marker told: vCPUs are known by name only */
};

/*
 * kind VM: thread groups with vCPU threads. kind PROCESS: those whose threads were sampled by
 * the recorder, or without samples all that ran. 0 or -ENOMEM.
 */
int fan_groups_make(struct fan_groups **ret, struct fan_model *m, enum fan_group_kind kind);

/*
 * Is this thread of the group one of its VM's vCPUs, and no passing one? Some VMMs probe KVM on a
 * thread that lives for a few ms.
 */
static inline bool fan_group_has_vcpu(const struct fan_group *g, const struct fan_thread *th,
				      uint64_t now_ns)
{
	return th->is_vcpu && fan_thread_life_ns(th, now_ns) >= g->life_ns / 10;
}

/* The group of a thread, or -1. */
int32_t fan_groups_of(const struct fan_groups *g, const struct fan_model *m, size_t thread);

void fan_groups_free(struct fan_groups *g);

#endif
