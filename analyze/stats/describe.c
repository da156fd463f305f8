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

/* Moments about the mean; those that divide by the variance stay NaN for a constant series. */
static void describe_moments(const double *x, size_t n, struct fan_describe *ret)
{
	ret->mean = gsl_stats_mean(x, 1, n);
	if (n > 1)
		ret->sd = gsl_stats_sd_m(x, 1, n, ret->mean);
	if (ret->max == ret->min)
		return;
	/* GSL's skew divides by the sd with n - 1: back to divisor n */
	ret->skew = gsl_stats_skew_m_sd(x, 1, n, ret->mean, ret->sd) *
		    pow((double)n / ((double)n - 1), 1.5);
	ret->lag1 = gsl_stats_lag1_autocorrelation_m(x, 1, n, ret->mean);
}

int fan_describe(const double *x, size_t n, struct fan_describe *ret)
{
	struct fan_describe d = { .n = n, .sd = NAN, .skew = NAN, .lag1 = NAN };
	double *sorted;

	if (n == 0)
		return -ENODATA;
	if (!is_finite(x, n))
		return -EINVAL;
	sorted = calloc(n, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	/* gsl_stats_mad() uses its last argument as work space only */
	d.mad = gsl_stats_mad(x, 1, n, sorted);
	memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	d.min = sorted[0];
	d.max = sorted[n - 1];
	d.median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	d.q1 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.25);
	d.q3 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.75);
	d.p05 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.05);
	d.p95 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95);
	free(sorted);
	describe_moments(x, n, &d);
	count_outside_fences(x, n, &d);
	*ret = d;
	return 0;
}
