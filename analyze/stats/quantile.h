/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quantile of the windows of one run, with its within-run interval. */
#ifndef FAN_STATS_QUANTILE_H
#define FAN_STATS_QUANTILE_H

#include <stddef.h>

#include "analyze/stats/est.h"

#define FAN_TAIL_MIN 120 /* windows below which a tail has no interval */
#define FAN_TAIL_OK  200 /* windows below which it is approximate */

struct fan_quantile {
	struct fan_est est; /* method "woodruff"; se NaN: the interval does not come from one */
	double p_se;	    /* of the fraction of windows at or below the quantile; no unit */
};

/*
 * The quantile Q of type 7 at p, 0 < p < 1, of one run's series in time order. With the PW-EWC
 * half-width h of the indicator {x <= Q}, the ends are the quantiles at p - h and p + h, kept
 * within 0 .. 1 (Woodruff 1952, JASA 47). Tiers of PW-EWC; a tail, p < 0.1 or p > 0.9, has no
 * interval below FAN_TAIL_MIN windows (ci_none:tail) and an approximate one below FAN_TAIL_OK. One
 * indicator for all windows: zero variance. one_run is always set; n == 0: no_data. 0; -EINVAL: a
 * value not finite, p, spec; -ENOMEM.
 */
int fan_est_quantile(const double *x, size_t n, double p, const struct fan_est_spec *spec,
		     struct fan_quantile *ret);

#endif
