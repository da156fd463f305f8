/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the assembly for files without events: run and wait by counters. See assemble.h. */
#ifndef FAN_REPORT_ASSEMBLE_COUNTED_H
#define FAN_REPORT_ASSEMBLE_COUNTED_H

#include "analyze/report/assemble.h"

/* All that counters tell of a group: run, wait, share, steal. 0; -ENOMEM; -EINVAL. */
int fan_assemble_counted(struct fan_r_group *g, const struct fan_assembly *a, size_t group);

/* What counters alone cannot tell, and how much of them was of no use. 0 or -ENOMEM. */
int fan_assemble_counted_notes(struct fan_report *r, const struct fan_model *m);

/*
 * How much is unknown where the shares come from: what threads did after their last sample is
 * mostly behind that. 0 or -ENOMEM.
 */
int fan_assemble_counted_quality(struct fan_report *r, const struct fan_assembly *a);

/* --- of assemble_quality.c --- */

/* ok, degraded or cannot_tell, by the percentage of CPU time that cannot be given to anybody. */
const char *fan_unknown_word(double pct);

/* --- of assemble_groups.c, whatever told of run and wait --- */

/* Run and wait as booked at the time: a thread may have been in another cgroup before. */
void fan_assemble_account_sums(struct fan_r_group *g, const struct fan_assembly *a, size_t group);

/* Share, what was due, and the verdict. 0; -ENOMEM; -EINVAL of the statistics. */
int fan_assemble_share(struct fan_r_group *g, const struct fan_assembly *a, size_t group);

/* In how many intervals the kernel's counter could not be used, and why. */
void fan_assemble_excluded(struct fan_r_steal *s, const struct fan_closure_sum *sum);

/* What the guest counted itself; nothing if it told less than two values. */
void fan_assemble_guest_steal(struct fan_r_steal *s, struct fan_guest_sum sum);

#endif
