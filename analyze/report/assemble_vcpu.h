/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the assembly that tell of vCPUs, their waits and exits. See assemble.h. */
#ifndef FAN_REPORT_ASSEMBLE_VCPU_H
#define FAN_REPORT_ASSEMBLE_VCPU_H

#include "analyze/report/assemble.h"

/*
 * Splits the run time and the sleep of one thread of the group, if it is a vCPU: takes halted_ns
 * out of t->blocked_ns, adds to t->unsplit_ns what kvm events cannot tell, and to the sums of
 * the group all parts but these two.
 */
void fan_assemble_vcpu_thread(struct fan_r_thread *t, struct fan_r_group *g,
			      const struct fan_assembly *a, size_t thread);

/*
 * What the vCPU threads of the group did in each window of the overlap, as far as the trace tells.
 * 0 or -ENOMEM.
 */
int fan_assemble_vcpu_windows(struct fan_r_curve *c, const struct fan_assembly *a, size_t group);

/* Quantiles; nothing without a wait. */
void fan_assemble_waits(struct fan_r_quantiles *ret, const struct fan_hist *waits);

/* Appends a thread to the group with what it is called and marked with; NULL: no memory. */
struct fan_r_thread *fan_assemble_thread(struct fan_r_group *g, const struct fan_assembly *a,
					 size_t thread);

/* All that a trace without any sched_switch tells of a group but its exits. 0 or -ENOMEM. */
int fan_assemble_without_switches(struct fan_r_group *g, const struct fan_assembly *a,
				  size_t group);

/* What the kvm events cannot tell. 0 or -ENOMEM. */
int fan_assemble_vcpu_notes(struct fan_report *r, const struct fan_model *m);

/* The exits of a group, most time first. 0 or -ENOMEM. */
int fan_assemble_exits(struct fan_r_group *g, const struct fan_assembly *a, size_t group);

#endif
