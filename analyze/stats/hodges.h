/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hodges and Lehmann's shift of one sample against another: robust against single bad runs. */
#ifndef FAN_STATS_HODGES_H
#define FAN_STATS_HODGES_H

#include "analyze/stats/est.h"
#include "analyze/stats/welch.h"

/*
 * Median of all y_j - x_i; the ends are their order statistics q and nx ny + 1 - q, q the smallest
 * k with P(U <= k) >= alpha/2, at least 1 (Hodges & Lehmann 1963; Bauer 1972), from the exact
 * distribution without ties, or the normal one beyond FAN_RANKS_EXACT values a side. The interval
 * has only some levels: ret->level is the one achieved, of lo and hi, which can be below
 * spec->level (3 against 3: 90 %). It assumes a shift: with unequal spread it covers too little.
 * Method "hodges-lehmann", se and df NaN. A side with one run: ci_none:one_run; all differences
 * equal: zero variance. Missing values are left out and flagged; an empty side: no_data.
 * 0; -EINVAL: a value infinite, spec; -ENOMEM.
 */
int fan_est_hodges(const struct fan_samples *s, const struct fan_est_spec *spec,
		   struct fan_est *ret);

#endif
