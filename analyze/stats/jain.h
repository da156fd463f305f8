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
 * The index as an estimate without a unit. Of two groups the interval comes from that of
 * ln(x[0]/x[1]) by the map above: not symmetric, se NaN, with method, n, df and warnings of
 * *log_ratio. More than two groups of one run have no interval: flag one_run alone. log_ratio is
 * NULL where there is none. One group is 1. All x 0: no value, undefined:no_work; k == 0: no_data.
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
