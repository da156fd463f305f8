/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A difference in standard deviations, to compare benchmarks of different units. */
#ifndef FAN_STATS_HEDGES_H
#define FAN_STATS_HEDGES_H

#include "analyze/stats/est.h"
#include "analyze/stats/welch.h"

struct fan_hedges {
	/* d, without a unit; df NaN: the interval is normal; method "bonett" */
	struct fan_est est;
	double j; /* small-sample correction, 0 to 1 */
	double g; /* Hedges' g = j d, the estimate to print */
};

/*
 * d = (mean(y) - mean(x))/s, s^2 = (s_x^2 + s_y^2)/2; J = exp(lnGamma(m/2) - lnGamma((m - 1)/2))/
 * sqrt(m/2), m = n_x + n_y - 2 (Hedges 1981). Interval d +- z SE with
 *   SE^2 = d^2 (s_x^4/(n_x - 1) + s_y^4/(n_y - 1))/(8 s^4) + (s_x^2/(n_x - 1) + s_y^2/(n_y -
 * 1))/s^2 (Bonett 2008, Psychological Methods 13). Flags of fan_est_welch(); without its interval
 * there is no d either. spec->unit is not read. 0; -EINVAL: a value infinite, spec; -ENOMEM.
 */
int fan_hedges(const struct fan_samples *s, const struct fan_est_spec *spec,
	       struct fan_hedges *ret);

#endif
