/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p-values of an estimate, for the record: against 0, and against a margin. */
#ifndef FAN_STATS_TOST_H
#define FAN_STATS_TOST_H

#include "analyze/stats/est.h"

/*
 * Two-sided p of value/se against Student's t on df, the t of the estimate's interval. NaN where
 * there is no df, or se is 0. Of a gap in percent or of a ratio take the log it was made from.
 */
double fan_p_zero(const struct fan_est *est);

/*
 * p of the two one-sided tests (Schuirmann 1987): that |value| is at least margin,
 *   max(P(T > (value + margin)/se), P(T < (value - margin)/se)).
 * Below alpha exactly when the interval at 1 - 2 alpha is inside [-margin, margin]. margin is in
 * the unit of the estimate, not below 0. NaN as above.
 */
double fan_p_equivalent(const struct fan_est *est, double margin);

#endif
