/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the order of the runs can do to a comparison. */
#ifndef FAN_STATS_ORDER_H
#define FAN_STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#define FAN_ORDER_MIN 6 /* runs below which drift is not tested */

struct fan_order {
	double rho;  /* Spearman's rank correlation of value and start, -1 to 1 */
	double p;    /* two-sided, from t = rho sqrt((n - 2)/(1 - rho^2)) on n - 2 df */
	bool drifts; /* p < 0.05: flag drift_over_runs */
};

/*
 * Whether values follow the order in which their runs began; start in any unit of time. rho and p
 * are NaN below 6 runs and when the values or the starts are all equal. 0; -EINVAL: not finite;
 * -ENOMEM.
 */
int fan_test_order(const double *start, const double *value, size_t n, struct fan_order *ret);

/*
 * True if all runs of one configuration began before all of the other: then time and configuration
 * cannot be told apart (flag confounded_with_time). False when either has none; no NaN.
 */
bool fan_is_confounded(const double *start_x, size_t nx, const double *start_y, size_t ny);

/* True if the longest run is more than 20 % longer than the shortest; lengths above 0, any unit. */
bool fan_lengths_differ(const double *length, size_t n);

#endif
