/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each group is entitled to by static weights and caps: water-filling down the tree of
 * cgroups, autogroups and threads, separately for CPU sets that do not overlap. Everybody is
 * taken to want the CPU all the time, up to its cap.
 */
#ifndef FAN_STATS_ENTITLE_H
#define FAN_STATS_ENTITLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/groups.h"
#include "analyze/model/model.h"
#include "analyze/stats/contest.h"

struct fan_entitled {
	double cpus;	   /* a_i, in CPUs */
	double cap;	   /* min(vCPUs or demand, CPU set, quota), in CPUs */
	double weight;	   /* of its cgroup, as the file says; NaN: no single cgroup of its own */
	unsigned int caps; /* enum fan_cap: those that bind */
};

struct fan_entitlement {
	struct fan_entitled *groups; /* by group index */
	double capacity;	     /* CPUs that the groups may use */
	bool is_contended;	     /* the groups could use more than there is, somewhere */
	bool is_approximate;	     /* CPU sets that overlap in part */
	unsigned int entities;	     /* enum fan_entity */
};

/*
 * cpus: number of host CPUs, used where no cpu line tells which exist. The cap of a plain
 * process is the mean number of its threads that ran or waited; that of a VM its vCPUs.
 * given: by group, a weight (as cpu.shares) that goes before all others, NaN: none; or NULL.
 * 0 or -ENOMEM.
 */
int fan_entitle(const struct fan_model *m, const struct fan_groups *g, unsigned int cpus,
		const double *given, struct fan_entitlement *ret);

/* How members of a configuration (demand.h) are allotted CPUs: the same by what they want now. */
struct fan_entitle_rule {
	unsigned int cpus;	    /* as above */
	const double *given;	    /* by party, NaN: none; or NULL */
	struct fan_contest contest; /* of one model; zeroed at first */
};

/* A fan_allocate_fn; ctx is a struct fan_entitle_rule. */
int fan_entitle_members(void *ctx, const struct fan_model *m, const struct fan_member *members,
			size_t n, uint64_t *ret_cpus);

/* That model is no longer asked for: the rule may serve another. */
void fan_entitle_rule_end(struct fan_entitle_rule *rule);

void fan_entitlement_free(struct fan_entitlement *e);

#endif
