/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two VMs in the same runs, or two configurations in the same blocks: t on the differences of
 * the pairs. A pair that lacks a side (NaN) is left out, with the flag "missing".
 */
#ifndef FAN_STATS_PAIRED_H
#define FAN_STATS_PAIRED_H

#include <stddef.h>

#include "analyze/stats/est.h"
#include "analyze/stats/rate.h"

/*
 * mean(a - b) over pairs, in spec->unit, with Student's t on R - 1 df, method "paired-t"; flags as
 * fan_est_runs(). 0; -EINVAL: a value infinite, spec; -ENOMEM.
 */
int fan_est_paired(const struct fan_paired *p, const struct fan_est_spec *spec,
		   struct fan_est *ret);

/*
 * The gap: mean of ln(a/b) over runs, unit "log" (spec->unit is not read), as above.
 * fan_est_percent() makes percent of it. A 0 in a complete pair: no estimate,
 * gap_none:zero_score. 0; -EINVAL: a value infinite or below 0, spec; -ENOMEM.
 */
int fan_est_paired_log(const struct fan_paired *p, const struct fan_est_spec *spec,
		       struct fan_est *ret);

/*
 * Pearson's correlation of ln a and ln b over complete pairs, -1 to 1; below 0 where they
 * compete. NaN: fewer than 3 pairs, a side constant, a value not above 0. 0; -ENOMEM.
 */
int fan_log_correlation(const struct fan_paired *p, double *ret);

/*
 * What an unsigned gap, |a - b|, shows on average when there is none: sqrt(2/pi) se, in the unit
 * of the signed gap (the mean of a half-normal distribution). NaN without se.
 */
double fan_unsigned_floor(const struct fan_est *gap);

/*
 * The largest gap between any two of k groups from the n signed gaps of all pairs: the value is
 * the largest |value|, lo the largest lower end of either direction (at least 0), hi the largest
 * upper end, of the adjusted intervals where the family has more than one member; flag
 * selected_max. The estimates share unit, level and m. A pair without a value is left out; a pair
 * without an interval leaves none. n > 0.
 */
void fan_est_largest(const struct fan_est *gaps, size_t n, struct fan_est *ret);

#endif
