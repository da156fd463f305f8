/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank statistics of two independent samples: the exact test, and how often y exceeds x. */
#ifndef FAN_STATS_RANKS_H
#define FAN_STATS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/stats/est.h"
#include "analyze/stats/welch.h"

#define FAN_RANKS_EXACT 50 /* values of a side above which p is the normal approximation */

struct fan_ranks {
	double u;     /* pairs with y > x, ties count a half: 0 to nx ny */
	double p;     /* two-sided */
	double p_min; /* the smallest p that so few values can give: 2/C(nx + ny, nx) */
	bool is_exact;
	bool cannot_reach; /* p_min is above 1 - level: rank_test_cannot_reach */
	/*
	 * A12 = P(y > x) + P(y = x)/2 = u/(nx ny), from 0 to 1, without a unit, method
	 * "newcombe-5", se and df NaN. Cliff's delta is 2 A12 - 1.
	 */
	struct fan_est a12;
};

/*
 * Mann-Whitney: p = P(|W - E W| >= observed) over all arrangements of the mid-ranks, which is exact
 * with ties too (Lehmann, Nonparametrics); beyond FAN_RANKS_EXACT values a side the normal
 * approximation with the variance corrected for ties. The interval of A12 are the roots in theta of
 *   (A - theta)^2 = z^2 theta (1 - theta) [1 + n* (1 - theta)/(2 - theta) + n* theta/(1 + theta)]
 *                   / (nx ny),  n* = (nx + ny)/2 - 1
 * (Newcombe 2006, Statistics in Medicine 25, method 5), finite under complete separation. Missing
 * values are left out and flagged; an empty side: everything NaN, no_data; few_runs as elsewhere.
 * spec->unit is not read. 0; -EINVAL: a value infinite, spec; -ENOMEM.
 */
int fan_rank_test(const struct fan_samples *s, const struct fan_est_spec *spec,
		  struct fan_ranks *ret);

/*
 * True if a t test and a rank test of the same data are on opposite sides of 1 - level: then the
 * runs themselves must be looked at (tests_disagree). False where either p does not exist.
 */
bool fan_tests_disagree(double p_t, double p_rank, double level);

/*
 * The permutation distribution of a rank sum: ret[s] is the number of choices of k among the n
 * ranks whose doubled sum is s (doubled, so that mid-ranks are whole). ret has sum(twice_rank) + 1
 * members and is the caller's to free; k <= n. Numbers beyond 2^53 are rounded. 0 or -ENOMEM.
 */
int fan_rank_counts(const uint32_t *twice_rank, size_t n, size_t k, double **ret, size_t *ret_n);

#endif
