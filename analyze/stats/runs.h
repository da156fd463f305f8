/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals over runs: the run is the unit of replication, and its value (a share, a score, a
 * log ratio) is one number here. NaN is a run that lacks the value.
 */
#ifndef FAN_STATS_RUNS_H
#define FAN_STATS_RUNS_H

#include <stddef.h>

#include "analyze/stats/est.h"

/*
 * Mean over runs with Student's t interval, mean +- t(R - 1) s/sqrt(R), method "t"; adjusted for
 * the family by Bonferroni. Missing runs are left out and flagged. Without an interval: no_data,
 * one run (ci_none:one_run), equal values (zero variance, se 0). 2 to 4 runs: few_runs.
 * 0; -EINVAL: a value infinite, spec; -ENOMEM.
 */
int fan_est_runs(const double *y, size_t n, const struct fan_est_spec *spec, struct fan_est *ret);

/*
 * For shares in percent whose interval leaves 0 .. 100: t on the logit scale ln(y/(100 - y)),
 * transformed back, method "t-logit"; not symmetric, se NaN. The value is the back-transformed mean
 * of logits. A run at 0 or 100 has no logit: at_bound, no value. Otherwise as fan_est_runs(), with
 * -EINVAL for a value outside 0 .. 100.
 */
int fan_est_runs_logit(const double *y, size_t n, const struct fan_est_spec *spec,
		       struct fan_est *ret);

/*
 * y - x of two independent estimates, over runs or each within a run of its own:
 *   se^2 = se_y^2 + se_x^2,  df = se^4/(se_y^4/df_y + se_x^4/df_x)
 * (Welch 1947, Satterthwaite 1946), method "welch" over runs, else "satterthwaite". Of two
 * paired log gaps it is the log of the ratio of ratios. Flags of both sides are kept, except
 * those of a share's bounds. One se of 0: the other side's spread and df, zero_variance_one_side;
 * both 0: zero variance, se 0. A side without se: a value at most. 0; -EINVAL: spec.
 */
int fan_est_minus(const struct fan_est *y, const struct fan_est *x, const struct fan_est_spec *spec,
		  struct fan_est *ret);

/* Values that are there (not NaN), in their order, to ret with room for n; how many. */
size_t fan_drop_missing(const double *x, size_t n, double *ret);

#endif
