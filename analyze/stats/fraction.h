/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fraction of one run's windows of which something holds. */
#ifndef FAN_STATS_FRACTION_H
#define FAN_STATS_FRACTION_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/stats/est.h"

/*
 * Clopper & Pearson (1934) for k of n, n need not be whole:
 *   lo = B(alpha/2; k, n - k + 1), hi = B(1 - alpha/2; k + 1, n - k),
 * B the quantile of the beta distribution; lo is 0 at k = 0, hi is 1 at k = n. 0 <= k <= n, n > 0,
 * 0 < level < 1; else both are NaN.
 */
void fan_clopper_pearson(double k, double n, double level, double *ret_lo, double *ret_hi);

/*
 * Fraction of windows, 0 to 1, in time order, with PW-EWC on the 0/1 indicator, method "pw-ewc",
 * its ends kept within 0 .. 1; tiers and warnings as there. None or all: one end by Clopper-Pearson
 * with n replaced by min(n, ess), the other is the bound itself, method "clopper-pearson", flag
 * one_sided, from any n > 0 on. ess is the effective sample size of the series behind the
 * indicator, NaN where it has none. No unit; spec->unit is not read. one_run is always set;
 * n == 0: no_data. 0; -EINVAL: spec, ess below 1; -ENOMEM.
 */
int fan_est_fraction(const bool *holds, size_t n, double ess, const struct fan_est_spec *spec,
		     struct fan_est *ret);

#endif
