/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratio of two means with Fieller's interval: for data that have no logs. */
#ifndef FAN_STATS_FIELLER_H
#define FAN_STATS_FIELLER_H

#include "analyze/stats/est.h"
#include "analyze/stats/rate.h"
#include "analyze/stats/welch.h"

struct fan_fieller {
	struct fan_est est; /* unit "ratio"; se NaN: the interval does not come from one */
	double g; /* t^2 v_den/den^2: from 1 on the denominator is not distinguishable from 0 */
	/* with the flag ratio_ci:exclusive, the ratios from here down and from here up */
	double below, above;
};

/*
 * mean(y)/mean(x), independent runs. With a = den^2 - t^2 v_den, b = num den - t^2 cov,
 * c = num^2 - t^2 v_num the ends are (b -+ sqrt(b^2 - a c))/a where a > 0 (Fieller 1954). cov is 0,
 * df by Satterthwaite on num - theta den at theta = the ratio; method "fieller".
 * a <= 0: no lo and hi, ratio_ci:exclusive or :unbounded (of the adjusted interval: lo_adj and
 * hi_adj NaN alone). A side with one run: ci_none:one_run. Missing runs are left out and flagged.
 * Neither side varies: zero variance. A denominator of 0 leaves no value: all of its values 0 is
 * undefined:no_work. spec->unit is not read. 0; -EINVAL: a value infinite, spec; -ENOMEM.
 */
int fan_fieller(const struct fan_samples *s, const struct fan_est_spec *spec,
		struct fan_fieller *ret);

/*
 * mean(a)/mean(b) of complete pairs: with their covariance, df = R - 1, method "fieller-paired".
 * Otherwise as above.
 */
int fan_fieller_paired(const struct fan_paired *p, const struct fan_est_spec *spec,
		       struct fan_fieller *ret);

/*
 * True if the ratio of arithmetic means and that of geometric means, from the same data, are more
 * than half a half-width of the latter apart on the log scale: the scores are skewed. False where
 * either has no value or no interval.
 */
bool fan_is_skewed(const struct fan_est *log_gap, const struct fan_fieller *ratio);

#endif
