// SPDX-License-Identifier: GPL-3.0-or-later
/* Mann-Whitney's test by the permutation distribution of mid-ranks; A12 with Newcombe's interval.
 */
#include "analyze/stats/ranks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/runs.h"

#define ROOT_STEPS 200

/* Both samples, x first, and the doubled mid-rank of each value. */
struct pool {
	double *values;
	uint32_t *twice;
	size_t nx, ny;
	double ties; /* sum of t^3 - t over groups of t equal values */
};

static void pool_free(struct pool *p)
{
	free(p->values);
	free(p->twice);
}

static int rank_values(struct pool *p)
{
	const size_t n = p->nx + p->ny;
	size_t *order = calloc(n + 1, sizeof(*order));

	if (!order)
		return -ENOMEM;
	gsl_sort_index(order, p->values, 1, n);
	for (size_t i = 0, end; i < n; i = end) {
		double t;

		for (end = i + 1; end < n; end++)
			if (p->values[order[end]] != p->values[order[i]])
				break;
		/* ranks i + 1 to end, whose mean is the mid-rank */
		for (size_t k = i; k < end; k++)
			p->twice[order[k]] = (uint32_t)(i + 1 + end);
		t = (double)(end - i);
		p->ties += t * t * t - t;
	}
	free(order);
	return 0;
}

static int pool_fill(struct pool *p, const struct fan_samples *s)
{
	const size_t n = s->nx + s->ny;

	*p = (struct pool){ .values = calloc(n + 1, sizeof(double)),
			    .twice = calloc(n + 1, sizeof(uint32_t)) };
	if (!p->values || !p->twice)
		return -ENOMEM;
	p->nx = fan_drop_missing(s->x, s->nx, p->values);
	p->ny = fan_drop_missing(s->y, s->ny, p->values + p->nx);
	for (size_t i = 0; i < p->nx + p->ny; i++)
		if (isinf(p->values[i]))
			return -EINVAL;
	return rank_values(p);
}

int fan_rank_counts(const uint32_t *twice_rank, size_t n, size_t k, double **ret, size_t *ret_n)
{
	double *counts;
	size_t size = 1;

	for (size_t i = 0; i < n; i++)
		size += twice_rank[i];
	/* a row for each number of ranks chosen so far */
	counts = calloc((k + 1) * size, sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	counts[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t row = k; row > 0; row--) {
			const double *before = counts + (row - 1) * size;
			double *now = counts + row * size;

			for (size_t sum = twice_rank[i]; sum < size; sum++)
				now[sum] += before[sum - twice_rank[i]];
		}
	memmove(counts, counts + k * size, size * sizeof(*counts));
	*ret = counts;
	*ret_n = size;
	return 0;
}

/* Doubled rank sum of the values from first on. */
static double twice_sum(const struct pool *p, size_t first, size_t n)
{
	double sum = 0;

	for (size_t i = first; i < first + n; i++)
		sum += p->twice[i];
	return sum;
}

static int exact_p(const struct pool *p, double *ret)
{
	/* either side gives the same p: the smaller one is cheaper */
	const bool is_x = p->nx < p->ny;
	const size_t n = p->nx + p->ny, k = is_x ? p->nx : p->ny;
	const double mean = (double)k * (double)(n + 1);
	const double seen = fabs(twice_sum(p, is_x ? 0 : p->nx, k) - mean);
	double *counts, all = 0, hit = 0;
	size_t size;
	int r;

	r = fan_rank_counts(p->twice, n, k, &counts, &size);
	if (r < 0)
		return r;
	for (size_t sum = 0; sum < size; sum++) {
		all += counts[sum];
		if (fabs((double)sum - mean) >= seen)
			hit += counts[sum];
	}
	free(counts);
	*ret = hit / all;
	return 0;
}

static double normal_p(const struct pool *p, double u)
{
	const double pairs = (double)p->nx * (double)p->ny, n = (double)(p->nx + p->ny);
	const double variance = pairs / 12 * (n + 1 - p->ties / (n * (n - 1)));

	return variance > 0 ? 2 * gsl_cdf_ugaussian_Q(fabs(u - pairs / 2) / sqrt(variance)) : 1;
}

struct newcombe {
	double a12, z, pairs, n_star;
};

static double newcombe_at(double theta, void *params)
{
	const struct newcombe *c = params;
	const double d = c->a12 - theta;

	return d * d - c->z * c->z * theta * (1 - theta) *
			       (1 + c->n_star * (1 - theta) / (2 - theta) +
				c->n_star * theta / (1 + theta)) /
			       c->pairs;
}

/* The root between lo and hi, where the signs differ; NaN without memory. */
static double newcombe_root(struct newcombe *c, double lo, double hi)
{
	gsl_function f = { newcombe_at, c };
	gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
	double ret = NAN;
	int r;

	if (!solver)
		return NAN;
	r = gsl_root_fsolver_set(solver, &f, lo, hi);
	for (int i = 0; r == GSL_SUCCESS && i < ROOT_STEPS; i++) {
		r = gsl_root_fsolver_iterate(solver);
		ret = gsl_root_fsolver_root(solver);
		if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
					   gsl_root_fsolver_x_upper(solver), 0,
					   1e-15) == GSL_SUCCESS)
			break;
	}
	gsl_root_fsolver_free(solver);
	return ret;
}

static void newcombe(struct newcombe *c, double level, double *ret_lo, double *ret_hi)
{
	c->z = fan_zq(level);
	*ret_lo = c->a12 <= 0 ? 0 : newcombe_root(c, 0, fmin(c->a12, 1 - 1e-12));
	*ret_hi = c->a12 >= 1 ? 1 : newcombe_root(c, fmax(c->a12, 1e-12), 1);
}

static void estimate_a12(const struct pool *p, double u, struct fan_est *e)
{
	const double pairs = (double)p->nx * (double)p->ny;
	struct newcombe c = { u / pairs, NAN, pairs, (double)(p->nx + p->ny) / 2 - 1 };

	e->value = c.a12;
	e->method = "newcombe-5";
	newcombe(&c, e->level, &e->lo, &e->hi);
	if (e->m > 1)
		newcombe(&c, 1 - (1 - e->level) / e->m, &e->lo_adj, &e->hi_adj);
	if (e->runs < FAN_RUNS_OK)
		e->flags |= FAN_EST_FEW_RUNS;
}

static int test_pool(const struct pool *p, struct fan_ranks *t)
{
	const double ny = (double)p->ny;
	int r = 0;

	t->u = (twice_sum(p, p->nx, p->ny) - ny * (ny + 1)) / 2;
	t->is_exact = p->nx <= FAN_RANKS_EXACT && p->ny <= FAN_RANKS_EXACT;
	if (t->is_exact)
		r = exact_p(p, &t->p);
	else
		t->p = normal_p(p, t->u);
	if (r < 0)
		return r;
	t->p_min = 2 * exp(-gsl_sf_lnchoose((unsigned int)(p->nx + p->ny), (unsigned int)p->nx));
	t->p_min = fmin(1, t->p_min);
	t->cannot_reach = t->p_min > 1 - t->a12.level;
	estimate_a12(p, t->u, &t->a12);
	return 0;
}

int fan_rank_test(const struct fan_samples *s, const struct fan_est_spec *spec,
		  struct fan_ranks *ret)
{
	struct fan_ranks t = { .u = NAN, .p = NAN, .p_min = NAN };
	struct pool p;
	int r;

	if (!fan_est_spec_is_valid(spec))
		return -EINVAL;
	fan_est_init(&t.a12, NULL, spec->level, spec->m);
	r = pool_fill(&p, s);
	if (r == 0) {
		t.a12.n = p.nx + p.ny;
		t.a12.runs = p.nx < p.ny ? p.nx : p.ny;
		if (t.a12.n < s->nx + s->ny)
			t.a12.flags |= FAN_EST_MISSING;
		if (t.a12.runs == 0)
			t.a12.flags |= FAN_EST_NO_DATA;
		else
			r = test_pool(&p, &t);
	}
	pool_free(&p);
	if (r == 0)
		*ret = t;
	return r;
}

bool fan_tests_disagree(double p_t, double p_rank, double level)
{
	const double alpha = 1 - level;

	return (p_t < alpha && p_rank >= alpha) || (p_t >= alpha && p_rank < alpha);
}
