/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accounts folded into the groups of a report, after the pass. By default a VM: the thread group
 * of any vCPU thread, with its vhost kernel threads. Labels cost nothing while time is booked.
 */
#ifndef FAN_MODEL_GROUPS_H
#define FAN_MODEL_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/model.h"
#include "fcap/err.h"
#include "fcap/selector.h"

enum fan_group_kind { FAN_GROUP_VM, FAN_GROUP_PROCESS, FAN_GROUP_CGROUP, FAN_GROUP_COMM };

struct fan_group {
	char *name;   /* unique among the groups */
	int32_t tgid; /* of lead; -1 unknown */
	int32_t lead; /* index of the thread that names it: main thread, forker or vCPU */
	char *cgroup; /* path, owned; which one: see group_cgroup.h; NULL: not told */
	bool is_identity_unknown; /* vCPU thread that nobody was seen to fork: a VM by itself */
	uint64_t birth_ns;	  /* of lead */
	uint64_t life_ns;	  /* of its longest-lived vCPU thread; 0 without any */
	size_t vcpus;		  /* vCPU threads that lived for a tenth of that, or longer */
};

struct fan_groups {
	enum fan_group_kind kind;
	struct fan_group *items; /* in the order of birth, or of the requests */
	size_t n;
	int32_t *of_account; /* by account index: a group or -1 */
	size_t naccounts;
	bool by_name;	   /* no kvm event and no marker told: vCPUs are known by name only */
	bool is_requested; /* made of requests */
	char *passing;	   /* names of VMs that were there too briefly to be groups; NULL: none */
};

/* "This is one VM": what --vm says. */
struct fan_vm_request {
	const char *name; /* borrowed */
	struct fcap_selector selector;
};

struct fan_group_options {
	enum fan_group_kind kind;
	const struct fan_vm_request *vms; /* if there are any, they are the groups, and no others */
	size_t nvms;
};

/*
 * kind VM: thread groups with vCPU threads, without those that were there for less than a tenth
 * of the time (passing). PROCESS: those whose threads were sampled by the
 * recorder, or without samples all that ran. COMM: the same by the name of the main thread.
 * CGROUP: by the cgroup of the moment, the root left out. 0; -ENOMEM; -EINVAL with a sentence:
 * a request matches nothing, or names a group twice.
 */
int fan_groups_make(struct fan_groups **ret, struct fan_model *m,
		    const struct fan_group_options *options, struct fcap_err *err);

/*
 * Is this thread of the group one of its VM's vCPUs, and no passing one? Some VMMs probe KVM on a
 * thread that lives for a few ms.
 */
static inline bool fan_group_has_vcpu(const struct fan_group *g, const struct fan_thread *th,
				      uint64_t now_ns)
{
	return th->is_vcpu && fan_thread_life_ns(th, now_ns) >= g->life_ns / 10;
}

/* The group of this name, or -1. */
int32_t fan_groups_named(const struct fan_groups *g, const char *name);

/* The group of a thread as of the end, or -1. */
int32_t fan_groups_of(const struct fan_groups *g, const struct fan_model *m, size_t thread);

void fan_groups_free(struct fan_groups *g);

/* --- for groups_kinds.c: what makes the groups of each kind --- */

/* A new group with this thread in the lead; its index or -ENOMEM. */
int32_t fan_groups_add(struct fan_groups *g, const struct fan_model *m, int32_t lead);

/* The main thread of a process; the first that was seen where that is not known. */
int32_t fan_main_thread(const struct fan_model *m, int32_t proc);

/* Fills items and of_account. 0, -ENOMEM, or -EINVAL with a sentence. */
int fan_groups_of_kind(struct fan_groups *g, struct fan_model *m);
int fan_groups_of_requests(struct fan_groups *g, struct fan_model *m,
			   const struct fan_group_options *options, struct fcap_err *err);

#endif
