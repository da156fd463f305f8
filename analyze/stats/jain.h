/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jain's index of fairness (DEC-TR-301, 1984) over what each group attained, divided by what it
 * was due, from long-run sums. Near 1 the index is blind: the worst pair stands beside it.
 */
#ifndef FAN_STATS_JAIN_H
#define FAN_STATS_JAIN_H

#include <stddef.h>

#include "analyze/stats/est.h"

/*
 * (sum x)^2 / (k sum x^2), from 1/k to 1; scaled by the largest x first, so that nothing
 * overflows. NaN when all x are 0, and when k is 0. Each x is finite and not below 0.
 */
double fan_jain(const double *x, size_t k);

/*
 * The index of two values whose log ratio is d: (1 + 1/cosh d)/2. The map is exact, so an
 * interval of d is one of the index.
 */
double fan_jain_of_log_ratio(double d);

/*
 * What to say of the index of these values: no_data (k == 0), undefined:no_work (all 0),
 * trivial:k=1, starved (some are 0).
 */
uint32_t fan_jain_flags(const double *x, size_t k);

/*
 * The index of one run as an estimate without a unit, with fan_jain_flags(); of several runs by
 * jain_runs.h. Of two groups the interval comes from that of ln(x[0]/x[1]) by the map above: not
 * symmetric, se NaN, with method, n, runs, df and warnings of *log_ratio. More than two groups of
 * one run have no interval: flag one_run. log_ratio is NULL where there is none.
 * 0; -EINVAL: an x not finite or below 0, level outside (0, 1).
 */
int fan_est_jain(const double *x, size_t k, double level, const struct fan_est *log_ratio,
		 struct fan_est *ret);

/*
 * The indices of the largest and of the smallest x, the first of equals; two different ones when
 * k > 1. k > 0, no NaN.
 */
struct fan_extremes {
	size_t most, least;
};

struct fan_extremes fan_jain_extremes(const double *x, size_t k);

#endif
