// SPDX-License-Identifier: GPL-3.0-or-later
/* Jain's index over runs: exact map, box, jackknife. */
#include "analyze/stats/jain_runs.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/jain.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/runs.h"

#define HALVINGS 200

/* The complete runs, with room for one more row: the means. */
struct table {
	double *x, *mean;
	size_t runs, k;
};

static int table_fill(struct table *t, const struct fan_allocations *a)
{
	t->k = a->k;
	t->x = calloc((a->runs + 1) * a->k + 1, sizeof(*t->x));
	if (!t->x)
		return -ENOMEM;
	for (size_t r = 0; r < a->runs; r++) {
		const double *from = a->x + r * a->k;
		double *to = t->x + t->runs * a->k;
		bool is_complete = true;

		for (size_t i = 0; i < a->k; i++) {
			if (from[i] < 0 || isinf(from[i]))
				return -EINVAL;
			is_complete = is_complete && !isnan(from[i]);
			to[i] = from[i];
		}
		t->runs += is_complete;
	}
	t->mean = t->x + t->runs * a->k;
	for (size_t i = 0; i < a->k; i++) {
		long double sum = 0;

		for (size_t r = 0; r < t->runs; r++)
			sum += t->x[r * t->k + i];
		t->mean[i] = t->runs > 0 ? (double)(sum / (long double)t->runs) : 0;
	}
	return 0;
}

/* The values of one group, to ret. */
static void column(const struct table *t, size_t group, double *ret)
{
	for (size_t r = 0; r < t->runs; r++)
		ret[r] = t->x[r * t->k + group];
}

/* work has room for three columns, here and below. */
static int by_map(const struct table *t, double *work, struct fan_est *e)
{
	const struct fan_est_spec spec = { NULL, e->level, 1 };
	const struct fan_paired pair = { work, work + t->runs, t->runs };
	const uint32_t flags = e->flags;
	struct fan_est log_ratio;
	int r;

	column(t, 0, work);
	column(t, 1, work + t->runs);
	r = fan_est_paired_log(&pair, &spec, &log_ratio);
	if (r < 0)
		return r;
	e->flags |= log_ratio.flags;
	if (isnan(log_ratio.value))
		return 0;
	r = fan_est_jain((const double[]){ exp(log_ratio.value), 1 }, 2, e->level, &log_ratio, e);
	e->flags |= flags;
	return r;
}

static int by_box(const struct table *t, double *work, struct fan_est *e)
{
	const struct fan_est_spec spec = { NULL, e->level, 3 };
	uint32_t constant = FAN_EST_CI_NONE_CONSTANT;
	double lo[3], hi[3];

	for (size_t i = 0; i < 3; i++) {
		struct fan_est side;
		int r;

		column(t, i, work);
		r = fan_est_runs(work, t->runs, &spec, &side);
		if (r < 0)
			return r;
		e->flags |= side.flags & ~(uint32_t)FAN_EST_CI_NONE_CONSTANT;
		constant &= side.flags;
		e->df = side.method ? side.df : e->df;
		lo[i] = side.method ? side.lo_adj : side.value;
		hi[i] = side.method ? side.hi_adj : side.value;
	}
	e->flags |= constant;
	if (e->flags & (FAN_EST_CI_NONE_ONE_RUN | FAN_EST_CI_NONE_CONSTANT))
		return 0;
	e->method = "bonferroni-box";
	return fan_jain_box(lo, hi, 3, &e->lo, &e->hi);
}

/* The pseudo-value without run r; NaN where the other runs hold nothing. rest has room for k. */
static double pseudo_value(const struct table *t, size_t r, double *rest)
{
	const double runs = (double)t->runs;

	for (size_t i = 0; i < t->k; i++) {
		long double sum = 0;

		for (size_t s = 0; s < t->runs; s++)
			sum += s != r ? t->x[s * t->k + i] : 0;
		rest[i] = (double)sum;
	}
	return runs * fan_jain(t->mean, t->k) - (runs - 1) * fan_jain(rest, t->k);
}

static int by_jackknife(const struct table *t, double *pseudo, struct fan_est *e)
{
	const struct fan_est_spec spec = { NULL, e->level, 1 };
	double *rest = calloc(t->k, sizeof(*rest));
	struct fan_est j;
	int r;

	if (!rest)
		return -ENOMEM;
	for (size_t i = 0; t->runs > 1 && i < t->runs; i++)
		pseudo[i] = pseudo_value(t, i, rest);
	free(rest);
	r = fan_est_runs(pseudo, t->runs, &spec, &j);
	if (r < 0)
		return r;
	if (j.flags & FAN_EST_MISSING) {
		e->flags |= FAN_EST_UNDEFINED;
		return 0;
	}
	e->flags |= j.flags;
	e->se = j.se;
	if (!j.method)
		return 0;
	e->df = j.df;
	e->lo = fmin(1, fmax(j.lo, 1 / (double)t->k));
	e->hi = fmax(1 / (double)t->k, fmin(j.hi, 1));
	e->method = "jackknife-t";
	return 0;
}

static int estimate(const struct table *t, struct fan_est *e)
{
	double *work;
	int r;

	e->n = e->runs = t->runs;
	if (t->runs == 0) {
		e->flags |= FAN_EST_NO_DATA;
		return 0;
	}
	e->value = fan_jain(t->mean, t->k);
	e->flags |= fan_jain_flags(t->mean, t->k);
	if (e->flags & (FAN_EST_NO_DATA | FAN_EST_UNDEFINED | FAN_EST_TRIVIAL))
		return 0;
	work = calloc(3 * t->runs, sizeof(*work));
	if (!work)
		return -ENOMEM;
	if (t->k == 2)
		r = by_map(t, work, e);
	else if (t->k == 3)
		r = by_box(t, work, e);
	else
		r = by_jackknife(t, work, e);
	free(work);
	return r;
}

int fan_est_jain_runs(const struct fan_allocations *a, double level, struct fan_est *ret)
{
	struct table t = { 0 };
	struct fan_est e;
	int r;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	fan_est_init(&e, NULL, level, 1);
	r = table_fill(&t, a);
	if (r == 0) {
		if (t.runs < a->runs)
			e.flags |= FAN_EST_MISSING;
		r = estimate(&t, &e);
	}
	free(t.x);
	if (r == 0)
		*ret = e;
	return r;
}

/* One value for all, kept within the box; the index is largest where it is its own target. */
static double largest_of_box(const double *lo, const double *hi, size_t k)
{
	double below = INFINITY, above = 0, x[FAN_BOX_MAX];

	for (size_t i = 0; i < k; i++) {
		below = fmin(below, hi[i]);
		above = fmax(above, lo[i]);
	}
	if (above <= below)
		return 1;
	for (int step = 0; step < HALVINGS; step++) {
		const double middle = below + (above - below) / 2;
		long double sum = 0, squares = 0;

		for (size_t i = 0; i < k; i++) {
			x[i] = fmax(lo[i], fmin(middle, hi[i]));
			sum += x[i];
			squares += (long double)x[i] * x[i];
		}
		if (squares > middle * sum)
			below = middle;
		else
			above = middle;
	}
	return fan_jain(x, k);
}

int fan_jain_box(const double *lo, const double *hi, size_t k, double *ret_lo, double *ret_hi)
{
	double low[FAN_BOX_MAX], high[FAN_BOX_MAX], x[FAN_BOX_MAX], least = NAN;

	if (k == 0 || k > FAN_BOX_MAX)
		return -EINVAL;
	for (size_t i = 0; i < k; i++) {
		if (!isfinite(lo[i]) || !isfinite(hi[i]) || lo[i] > hi[i])
			return -EINVAL;
		low[i] = fmax(0, lo[i]);
		high[i] = fmax(0, hi[i]);
	}
	for (size_t vertex = 0; vertex < (size_t)1 << k; vertex++) {
		for (size_t i = 0; i < k; i++)
			x[i] = vertex >> i & 1 ? high[i] : low[i];
		least = fmin(least, fan_jain(x, k)); /* fmin() drops the NaN of the origin */
	}
	*ret_lo = least;
	*ret_hi = isnan(least) ? NAN : largest_of_box(low, high, k);
	return 0;
}
