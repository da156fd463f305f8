/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work of one run: per second, per CPU second, and one group's over another's as a log ratio. */
#ifndef FAN_STATS_RATE_H
#define FAN_STATS_RATE_H

#include <stddef.h>

#include "analyze/stats/est.h"
#include "analyze/stats/share.h"

/*
 * Units of work per unit of total: sum(part)/sum(total), with PW-EWC on the residuals
 *   z_w = (part_w - K total_w)/mean(total),
 * which is the ratio estimator of fan_ratio_residuals(). total is the length of each interval in
 * seconds for a rate, the CPU seconds used in it for an efficiency; intervals need not be equally
 * long. unit is a static string. Family of one. All totals 0, and n == 0, are estimates without
 * a value. 0; -EINVAL: a value not finite, a part or total below 0, level; -ENOMEM.
 */
int fan_est_rate(const struct fan_windows *w, const char *unit, double level, struct fan_est *ret);

/* Two aligned series in the order of time or of runs, each of one group; not owned. */
struct fan_paired {
	const double *a, *b; /* same unit */
	size_t n;
};

/*
 * ln(sum(a)/sum(b)) of windows in time order, no value below 0, with PW-EWC on its first-order
 * linearisation z_w = a_w/mean(a) - b_w/mean(b), at level and adjusted for a family of m; unit
 * "log". A sum of 0 has no logarithm: no value, flag undefined:no_work. 0; -EINVAL: a value not
 * finite or below 0, level, m == 0; -ENOMEM.
 */
int fan_est_log_ratio(const struct fan_paired *p, double level, unsigned int m,
		      struct fan_est *ret);

/*
 * exp() of a log ratio: value and ends exactly, se by the delta method; unit "ratio". The interval
 * is not symmetric about the value.
 */
void fan_est_exp(const struct fan_est *log_ratio, struct fan_est *ret);

/* The same as 100 (exp() - 1), what one has over the other; unit "percent". */
void fan_est_percent(const struct fan_est *log_ratio, struct fan_est *ret);

#endif
