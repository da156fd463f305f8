// SPDX-License-Identifier: GPL-3.0-or-later
/* Moments, order statistics and lag-1 correlation, by GSL's two-pass routines. */
#include "analyze/stats/describe.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analyze/stats/outliers.h"

static bool is_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

static void count_outside_fences(const double *x, size_t n, struct fan_describe *ret)
{
	for (size_t i = 0; i < n; i++) {
		const enum fan_fence fence = fan_beyond_fence(x[i], ret->q1, ret->q3);

		ret->tukey_mild += fence == FAN_FENCE_MILD;
		ret->tukey_severe += fence == FAN_FENCE_SEVERE;
	}
}

/* What divides by the variance stays NaN for a constant series. */
int fan_moments(const double *x, size_t n, struct fan_moments *ret)
{
	struct fan_moments m = { .n = n, .sd = NAN, .lag1 = NAN };

	if (n == 0)
		return -ENODATA;
	if (!is_finite(x, n))
		return -EINVAL;
	gsl_stats_minmax(&m.min, &m.max, x, 1, n);
	m.mean = gsl_stats_mean(x, 1, n);
	if (n > 1)
		m.sd = gsl_stats_sd_m(x, 1, n, m.mean);
	if (m.max != m.min)
		m.lag1 = gsl_stats_lag1_autocorrelation_m(x, 1, n, m.mean);
	*ret = m;
	return 0;
}

int fan_median(const double *x, size_t n, double *ret)
{
	double *copy = malloc(n * sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	memcpy(copy, x, n * sizeof(*copy));
	*ret = gsl_stats_median(copy, 1, n);
	free(copy);
	return 0;
}

static void describe_order(const double *sorted, size_t n, struct fan_describe *ret)
{
	ret->median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	ret->q1 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.25);
	ret->q3 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.75);
	ret->p05 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.05);
	ret->p95 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95);
}

int fan_describe(const double *x, size_t n, struct fan_describe *ret)
{
	struct fan_describe d = { .n = n, .skew = NAN };
	struct fan_moments m;
	double *sorted;
	const int r = fan_moments(x, n, &m);

	if (r < 0)
		return r;
	sorted = calloc(n, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	/* gsl_stats_mad() uses its last argument as work space only */
	d.mad = gsl_stats_mad(x, 1, n, sorted);
	memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	describe_order(sorted, n, &d);
	free(sorted);
	d.mean = m.mean;
	d.min = m.min;
	d.max = m.max;
	d.sd = m.sd;
	d.lag1 = m.lag1;
	/* GSL's skew divides by the sd with n - 1: back to divisor n */
	if (d.max != d.min)
		d.skew = gsl_stats_skew_m_sd(x, 1, n, d.mean, d.sd) *
			 pow((double)n / ((double)n - 1), 1.5);
	count_outside_fences(x, n, &d);
	*ret = d;
	return 0;
}
