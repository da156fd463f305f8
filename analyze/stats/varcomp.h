/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variance within and between runs, and how long a run is worth while. */
#ifndef FAN_STATS_VARCOMP_H
#define FAN_STATS_VARCOMP_H

#include <stddef.h>

/* Squares of the unit of the values. */
struct fan_varcomp {
	double total;	/* S^2, the variance of the run-level values, divisor R - 1 */
	double within;	/* W, the mean of the squared within-run standard errors */
	double between; /* max(0, S^2 - W): what longer runs cannot reduce */
	double share;	/* between/total, 0 to 1; NaN when total is 0 */
};

/*
 * Components of variance by the method of moments, from each run's value and its within-run
 * standard error (Kalibera & Jones 2013). 0; -ENODATA: fewer than 2 runs; -EINVAL: a value not
 * finite, an se below 0; -ENOMEM.
 */
int fan_varcomp(const double *value, const double *se, size_t runs, struct fan_varcomp *ret);

/*
 * Windows a run for the smallest variance at a given cost: sqrt(run_cost/window_cost lrv/between)
 * (Kalibera & Jones 2013). run_cost: of one more run, its boot and warm-up; window_cost: of one
 * more window, in the same unit; lrv: mean long-run variance of the windows. All are finite and at
 * least 0, window_cost above 0. INFINITY when between is 0: then a single long run is best.
 */
double fan_best_windows(double run_cost, double window_cost, double lrv, double between);

#endif
