/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether VMs shared cores: a few lines of a report, and what an audit has in common with it. */
#ifndef FAN_REPORT_TEXT_ISOLATION_H
#define FAN_REPORT_TEXT_ISOLATION_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

#define FAN_TEXT_CORES 32 /* shown; the rest is counted */
#define FAN_TEXT_PAIRS 20

/*
 * For a report: the sentence, one line of figures, and forced idle. Nothing where there is
 * nothing to be kept apart: that is one line of the method.
 */
void fan_print_isolation(const struct fan_report *r, struct fan_print *p);

/* Is the isolation told with the method, in one line? */
bool fan_isolation_is_aside(const struct fan_report *r);

/* For the audit: what each core did. */
void fan_print_cores(const struct fan_report *r, struct fan_print *p);

/* For both: how much of co-run was shared, the limit, and what chance would do. */
void fan_print_isolation_figures(const struct fan_r_isolation *iso, const char *noun,
				 struct fan_print *p);

/* For both: CPU time kept idle, by group. Nothing without any. */
void fan_print_forced_idle(const struct fan_r_forced_idle *f, struct fan_print *p);

#endif
