// SPDX-License-Identifier: GPL-3.0-or-later
/* Level shift and batch means. Sums are long double: they cancel in the shift statistic. */
#include "analyze/stats/checks.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static long double mean_of(const double *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (long double)n;
}

/*
 * A growing part of a series, seen from one end: with s the sum of its t values about the mean,
 * keeps what sum_(t<=k) (s_t - t/k s_k)^2 needs, so that all k together cost n steps.
 */
struct bridge {
	long double k, s, sum_ss, sum_ts, sum_tt;
};

static void bridge_add(struct bridge *b, long double d)
{
	b->k++;
	b->s += d;
	b->sum_ss += b->s * b->s;
	b->sum_ts += b->k * b->s;
	b->sum_tt += b->k * b->k;
}

static long double bridge_sum(const struct bridge *b)
{
	const long double slope = b->s / b->k;
	const long double sum = b->sum_ss - slope * (2 * b->sum_ts - slope * b->sum_tt);

	/* below what cancellation leaves of it the sum is 0 */
	return sum > 64 * LDBL_EPSILON * b->sum_ss ? sum : 0;
}

int fan_level_shift(const double *x, size_t n, struct fan_shift *ret)
{
	struct fan_shift best = { .stat = -1 };
	struct bridge head = { 0 }, tail = { 0 };
	long double *tail_sum, mean;

	if (n < 2)
		return -EINVAL;
	tail_sum = calloc(n, sizeof(*tail_sum));
	if (!tail_sum)
		return -ENOMEM;
	mean = mean_of(x, n);
	for (size_t k = n - 1; k > 0; k--) {
		bridge_add(&tail, x[k] - mean);
		tail_sum[k] = bridge_sum(&tail); /* of what follows the first k values */
	}
	for (size_t k = 1; k < n; k++) {
		long double v, g = 0;

		bridge_add(&head, x[k - 1] - mean);
		v = bridge_sum(&head) + tail_sum[k];
		if (v > 0)
			g = head.s * head.s * (long double)n / v;
		if ((double)g > best.stat)
			best = (struct fan_shift){ .stat = (double)g, .at = k };
	}
	free(tail_sum);
	*ret = best;
	return 0;
}

int fan_batch_means(const double *x, size_t n, size_t batches, struct fan_batches *ret)
{
	const size_t size = batches ? n / batches : 0;
	long double grand, sum_dd = 0, sum_steps = 0, before = 0;

	if (batches < 2 || size == 0)
		return -EINVAL;
	x += n - batches * size;
	grand = mean_of(x, batches * size);
	for (size_t i = 0; i < batches; i++) {
		const long double d = mean_of(x + i * size, size) - grand;

		sum_dd += d * d;
		if (i > 0)
			sum_steps += (d - before) * (d - before);
		before = d;
	}
	ret->size = size;
	ret->lrv = (double)((long double)size * sum_dd / (long double)(batches - 1));
	ret->se = sqrt(ret->lrv / (double)n);
	ret->df = (double)(batches - 1);
	ret->von_neumann = sum_dd > 0 ? (double)(sum_steps / sum_dd) : NAN;
	return 0;
}
