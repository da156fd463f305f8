/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How unfair single windows of one run are, whatever the long-run share: the size of the deviations
 * of windows from what was due. The fraction outside a tolerance is in fraction.h.
 */
#ifndef FAN_STATS_SHORT_TERM_H
#define FAN_STATS_SHORT_TERM_H

#include <stddef.h>

#include "analyze/stats/est.h"

/*
 * Mean of |deviation| over windows, in the unit of the deviations, with PW-EWC on |d_w|; the lower
 * end is at least 0. spec->unit is that unit; flags of fan_est_ratio(). n == 0: no_data.
 * 0; -EINVAL: a value not finite, spec; -ENOMEM.
 */
int fan_est_mean_abs(const double *deviation, size_t n, const struct fan_est_spec *spec,
		     struct fan_est *ret);

/*
 * Root of the mean of deviation^2, with PW-EWC on d_w^2 and the root of its ends, the lower one at
 * least 0; not symmetric, se NaN but for a constant series. Otherwise as above.
 */
int fan_est_rms(const double *deviation, size_t n, const struct fan_est_spec *spec,
		struct fan_est *ret);

struct fan_zeros {
	size_t n;	/* windows of exactly 0 */
	size_t longest; /* most of them in a row */
};

struct fan_zeros fan_count_zeros(const double *share, size_t n);

#endif
