// SPDX-License-Identifier: GPL-3.0-or-later
/* Hodges-Lehmann shift and its interval. */
#include "analyze/stats/hodges.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/ranks.h"
#include "analyze/stats/runs.h"

/* P(U <= k) of Mann-Whitney's U without ties, for k below n. */
struct distribution {
	double *cdf;
	size_t n;
};

static int exact_cdf(size_t nx, size_t ny, struct distribution *ret)
{
	const size_t k = nx < ny ? nx : ny, least = k * (k + 1), pairs = nx * ny;
	double *counts, sum = 0;
	uint32_t twice[2 * FAN_RANKS_EXACT];
	size_t size;
	int r;

	for (size_t i = 0; i < nx + ny; i++)
		twice[i] = (uint32_t)(2 * (i + 1));
	r = fan_rank_counts(twice, nx + ny, k, &counts, &size);
	if (r < 0)
		return r;
	/* the doubled rank sum of U is least + 2 U */
	for (size_t u = 0; u <= pairs; u++) {
		sum += counts[least + 2 * u];
		counts[u] = sum;
	}
	for (size_t u = 0; u <= pairs; u++)
		counts[u] /= sum;
	*ret = (struct distribution){ counts, pairs + 1 };
	return 0;
}

/* With half a step for continuity. */
static int normal_cdf(size_t nx, size_t ny, struct distribution *ret)
{
	const double pairs = (double)nx * (double)ny;
	const double sd = sqrt(pairs * (double)(nx + ny + 1) / 12);

	*ret = (struct distribution){ calloc(nx * ny + 1, sizeof(*ret->cdf)), nx * ny + 1 };
	if (!ret->cdf)
		return -ENOMEM;
	for (size_t u = 0; u < ret->n; u++)
		ret->cdf[u] = gsl_cdf_ugaussian_P(((double)u + 0.5 - pairs / 2) / sd);
	return 0;
}

/* The smallest k with P(U <= k) >= p, at least 1; rounding of the sums does not decide. */
static size_t quantile(const struct distribution *d, double p)
{
	size_t k = 0;

	while (k + 1 < d->n && d->cdf[k] < p * (1 - 64 * DBL_EPSILON))
		k++;
	return k > 0 ? k : 1;
}

/* Sets the interval of *e from n sorted differences. */
static int add_interval(const double *diff, size_t n, size_t nx, size_t ny, struct fan_est *e)
{
	const bool is_exact = nx <= FAN_RANKS_EXACT && ny <= FAN_RANKS_EXACT;
	const double alpha = 1 - e->level;
	struct distribution d;
	size_t q;
	int r;

	r = is_exact ? exact_cdf(nx, ny, &d) : normal_cdf(nx, ny, &d);
	if (r < 0)
		return r;
	q = quantile(&d, alpha / 2);
	e->lo = diff[q - 1];
	e->hi = diff[n - q];
	e->level = 1 - 2 * d.cdf[q - 1];
	if (e->m > 1) {
		q = quantile(&d, alpha / e->m / 2);
		e->lo_adj = diff[q - 1];
		e->hi_adj = diff[n - q];
	}
	e->method = "hodges-lehmann";
	free(d.cdf);
	return 0;
}

/* Fills *e from values that are all there; diff has room for their differences. */
static int estimate(const struct fan_samples *s, double *diff, struct fan_est *e)
{
	const size_t n = s->nx * s->ny;

	for (size_t i = 0; i < s->nx; i++)
		for (size_t j = 0; j < s->ny; j++) {
			diff[i * s->ny + j] = s->y[j] - s->x[i];
			if (!isfinite(diff[i * s->ny + j]))
				return -EINVAL;
		}
	gsl_sort(diff, 1, n);
	e->value = gsl_stats_median_from_sorted_data(diff, 1, n);
	if (e->runs < 2) {
		e->flags |= FAN_EST_CI_NONE_ONE_RUN;
		return 0;
	}
	if (e->runs < FAN_RUNS_OK)
		e->flags |= FAN_EST_FEW_RUNS;
	if (diff[0] == diff[n - 1]) {
		e->flags |= FAN_EST_CI_NONE_CONSTANT;
		return 0;
	}
	return add_interval(diff, n, s->nx, s->ny, e);
}

int fan_est_hodges(const struct fan_samples *s, const struct fan_est_spec *spec,
		   struct fan_est *ret)
{
	const size_t n = s->nx + s->ny;
	double *kept, *diff;
	struct fan_est e;
	size_t nx, ny;
	int r = 0;

	if (!fan_est_spec_is_valid(spec))
		return -EINVAL;
	kept = calloc(n + 1, sizeof(*kept));
	diff = calloc(s->nx * s->ny + 1, sizeof(*diff));
	if (!kept || !diff) {
		r = -ENOMEM;
		goto out;
	}
	nx = fan_drop_missing(s->x, s->nx, kept);
	ny = fan_drop_missing(s->y, s->ny, kept + nx);
	fan_est_init(&e, spec->unit, spec->level, spec->m);
	e.n = nx + ny;
	e.runs = nx < ny ? nx : ny;
	if (e.n < n)
		e.flags |= FAN_EST_MISSING;
	if (e.runs == 0)
		e.flags |= FAN_EST_NO_DATA;
	else
		r = estimate(&(struct fan_samples){ kept, nx, kept + nx, ny }, diff, &e);
	if (r == 0)
		*ret = e;
out:
	free(kept);
	free(diff);
	return r;
}
