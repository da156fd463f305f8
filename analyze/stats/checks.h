/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of one series beside its main interval: a level shift, and batch means. */
#ifndef FAN_STATS_CHECKS_H
#define FAN_STATS_CHECKS_H

#include <stddef.h>

struct fan_shift {
	double stat; /* G; no unit */
	size_t at;   /* the shift that fits best comes after this many values */
};

/*
 * Self-normalised CUSUM of Shao & Zhang (2010, JASA 105) for one shift of the mean:
 *   G = max_k (S_k - k/n S_n)^2/n / V_k,
 *   V_k = n^-2 [sum_(t<=k) (S_t - t/k S_k)^2 + sum_(t<=n-k) (U_t - t/(n-k) U_(n-k))^2],
 * with S_t and U_t the sums of the first and of the last t values about the mean. Critical
 * values: 40.1 (5 %), 68.6 (1 %). A k with V_k = 0 counts as 0. n >= 2, values finite.
 * 0; -EINVAL when n < 2; -ENOMEM.
 */
int fan_level_shift(const double *x, size_t n, struct fan_shift *ret);

struct fan_batches {
	size_t size;	    /* values in each batch */
	double lrv;	    /* long-run variance: size times the variance of the batch means */
	double se;	    /* of the mean of the series: sqrt(lrv / n) */
	double df;	    /* batches - 1 */
	double von_neumann; /* about 2 when batch means are independent; NaN when all are equal */
};

/*
 * Non-overlapping batch means (Law, Simulation Modeling and Analysis). The oldest n mod batches
 * values stay outside. 0; -EINVAL when batches < 2 or n < batches.
 */
int fan_batch_means(const double *x, size_t n, size_t batches, struct fan_batches *ret);

#endif
