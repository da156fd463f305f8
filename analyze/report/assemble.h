/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the model and the statistics to the result tree: the only place that fills one. */
#ifndef FAN_REPORT_ASSEMBLE_H
#define FAN_REPORT_ASSEMBLE_H

#include "analyze/model/groups.h"
#include "analyze/model/isolation.h"
#include "analyze/model/model.h"
#include "analyze/model/overlap.h"
#include "analyze/report/matrix.h"
#include "analyze/report/tree.h"
#include "analyze/stats/entitle.h"
#include "analyze/trace/file.h"
#include "fcap/err.h"

/* "--weight NAME=W" */
struct fan_given_weight {
	const char *name; /* borrowed */
	double weight;	  /* as cpu.shares, above 0 */
};

/* What must not share a core, and how much of it is objected to. */
struct fan_isolation_options {
	enum fan_level between;
	double max_violation_pct; /* of the time in which two siblings ran vCPUs */
};

struct fan_report_options {
	struct fan_group_options groups;
	struct fan_overlap_options overlap;
	const struct fan_given_weight *weights;
	size_t nweights;
	double level;  /* of the intervals, 0.5 .. 1 */
	double margin; /* points within which a share counts as fair */
	struct fan_isolation_options isolation;
	const char *command; /* as typed, for the record */
};

/*
 * Fills *ret, which the caller frees with fan_report_free() also after a failure. Groups are
 * processes where VMs were asked for and none is found; a note says so. 0; -ENOMEM; -EINVAL with
 * a sentence: an option does not fit the trace.
 */
int fan_report_assemble(struct fan_report *ret, const struct fan_file *file, struct fan_model *m,
			const struct fan_report_options *options, struct fcap_err *err);

/* The threads of all groups, group after group: those of k are first[k] .. first[k + 1] - 1. */
struct fan_members {
	size_t *thread, *first;
};

/* What assemble_groups.c works from. */
struct fan_assembly {
	const struct fan_model *m;
	const struct fan_groups *g;
	const struct fan_members *members;
	const struct fan_overlap *overlap;
	const struct fan_matrix *matrix;
	const struct fan_entitlement *entitled;
	const struct fan_report_options *options;
	bool is_by_demand; /* expected shares come from what was due, not from weights and caps */
	bool is_contended; /* the groups wanted more than there was, as far as that is known */
};

/* Appends one item a group, largest share first. 0; -ENOMEM; -EINVAL of the statistics. */
int fan_assemble_groups(struct fan_report *r, const struct fan_assembly *a);

/* What held the CPU while a group waited, once its wait_ns is there. 0 or -ENOMEM. */
int fan_assemble_waited_for(struct fan_r_group *g, const struct fan_assembly *a, size_t group);

/* Shares and expectations window by window, groups in the order of r->groups. 0 or -ENOMEM. */
int fan_assemble_series(struct fan_report *r, const struct fan_assembly *a);

/* Jain's index and the worst pair of r->groups. 0; -ENOMEM; -EINVAL of the statistics. */
int fan_assemble_fairness(struct fan_report *r, const struct fan_assembly *a);

/* By group of the report, its number among a->g; to be freed. NULL: no memory. */
int32_t *fan_group_order(const struct fan_report *r, const struct fan_assembly *a);

/* Only the command's threads were recorded: says so, and what is therefore null. 0; -ENOMEM. */
int fan_assemble_scope(struct fan_report *r);

/* What was due to each of r->groups and not got, which caps bind, and what idled. 0; -ENOMEM. */
int fan_assemble_lag(struct fan_report *r, const struct fan_assembly *a);

/* Fairness in windows of all lengths, and the longest waits, of r->groups. 0 or -ENOMEM. */
int fan_assemble_scales(struct fan_report *r, const struct fan_assembly *a);

/* Does the trace show who wants to run, so that what was due can be told? */
bool fan_is_by_demand(const struct fan_model *m, const struct fan_matrix *x);

/* Did the groups want more than there was: by demand for 1 % of the time, or by their caps. */
bool fan_is_contended(const struct fan_model *m, const struct fan_matrix *x,
		      const struct fan_entitlement *e);

/* Who shared a core with whom, and what it means; once the groups are there. 0 or -ENOMEM. */
int fan_assemble_isolation(struct fan_report *r, const struct fan_assembly *a);

/*
 * CPU time that core scheduling kept idle, by r->groups, and whether the kernel's own counter
 * agrees. Nothing where cores have no siblings, or none are told, nor where the trace does not tell
 * waits from sleeps. 0 or -ENOMEM.
 */
int fan_assemble_forced_idle(struct fan_report *r, const struct fan_assembly *a);

/*
 * Who had each CPU over time, by r->groups; after isolation and forced idle. Nothing where the
 * model has no timeline. 0 or -ENOMEM.
 */
int fan_assemble_occupancy(struct fan_report *r, const struct fan_assembly *a);

/* What the workloads reported, inside the windows. 0; -ENOMEM; -EINVAL of the statistics. */
int fan_assemble_work(struct fan_report *r, const struct fan_assembly *a);

/* How much of the trace can be trusted, and what was done where it contradicts itself. */
int fan_assemble_quality(struct fan_report *r, const struct fan_model *m);

/*
 * What the host did to all groups alike: steal from itself, another scheduler, real-time load,
 * quotas, silence, the recorder; with notes where it matters. 0 or -ENOMEM.
 */
int fan_assemble_host(struct fan_report *r, const struct fan_assembly *a);

/*
 * What kind of machine it was; with notes where its clock rates or settings changed, where vCPUs
 * went before all weights, and where a group is several VMs. 0 or -ENOMEM.
 */
int fan_assemble_machine(struct fan_report *r, const struct fan_assembly *a);

#endif
