/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jain's index over runs. The bootstrap is no way to it: near equality it covers nothing. */
#ifndef FAN_STATS_JAIN_RUNS_H
#define FAN_STATS_JAIN_RUNS_H

#include <stddef.h>

#include "analyze/stats/est.h"

#define FAN_BOX_MAX 16 /* sides of a box */

/* What each group attained in each run, over what it was due; not owned. NaN: missing. */
struct fan_allocations {
	const double *x; /* runs rows of k values, each finite and not below 0 */
	size_t runs, k;
};

/*
 * The index of long-run means, without a unit. k = 2: of the ratio of geometric means, by the exact
 * map of the paired log ratio's t interval (fan_est_paired_log(), method "paired-t"; a 0 in a run:
 * gap_none:zero_score, index of the means, no interval). k = 3: a box of the groups' t intervals at
 * 1 - alpha/3, method "bonferroni-box", conservative. k >= 4: jackknife over runs, pseudo-values
 * R J - (R - 1) J_(-r) with t, kept within 1/k .. 1, method "jackknife-t"; se is theirs; value
 * stays the plain index. Otherwise se NaN. One run: ci_none:one_run; no variance: zero variance.
 * Runs that lack a group are left out and flagged. Flags of fan_jain_flags() and fan_est_runs().
 * 0; -EINVAL: a value infinite or below 0, level outside (0, 1); -ENOMEM.
 */
int fan_est_jain_runs(const struct fan_allocations *a, double level, struct fan_est *ret);

/*
 * Smallest and largest index over the box lo[i] <= x[i] <= hi[i]; ends below 0 count as 0. The
 * smallest is at a vertex; the largest where all x are one value, kept within the box: the index is
 * quasi-concave, and that value is sum x^2/sum x. NaN when all hi are 0.
 * 0; -EINVAL: k == 0 or above FAN_BOX_MAX, an end not finite, lo above hi.
 */
int fan_jain_box(const double *lo, const double *hi, size_t k, double *ret_lo, double *ret_hi);

#endif
