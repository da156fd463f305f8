// SPDX-License-Identifier: GPL-3.0-or-later
/* Paired differences and log gaps. */
#include "analyze/stats/paired.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "analyze/stats/runs.h"

static const char method_paired[] = "paired-t", method_largest[] = "largest of simultaneous";

/* t over the differences that difference() made, NaN where a pair lacks a side. */
static int estimate(const double *d, size_t n, const struct fan_est_spec *spec, struct fan_est *ret)
{
	const int r = fan_est_runs(d, n, spec, ret);

	if (r == 0 && ret->method)
		ret->method = method_paired;
	return r;
}

int fan_est_paired(const struct fan_paired *p, const struct fan_est_spec *spec, struct fan_est *ret)
{
	double *d = calloc(p->n ? p->n : 1, sizeof(*d));
	int r;

	if (!d)
		return -ENOMEM;
	for (size_t i = 0; i < p->n; i++) {
		/* infinite minus infinite is no missing run */
		if (isinf(p->a[i]) || isinf(p->b[i])) {
			free(d);
			return -EINVAL;
		}
		d[i] = p->a[i] - p->b[i];
	}
	r = estimate(d, p->n, spec, ret);
	free(d);
	return r;
}

/* ln(a/b) of each pair, NaN where one is missing. 1: a 0 in a pair; -EINVAL. */
static int log_ratios(const struct fan_paired *p, double *ret)
{
	int has_zero = 0;

	for (size_t i = 0; i < p->n; i++) {
		const double a = p->a[i], b = p->b[i];

		if (a < 0 || b < 0 || isinf(a) || isinf(b))
			return -EINVAL;
		ret[i] = NAN;
		if (isnan(a) || isnan(b))
			continue;
		if (a > 0 && b > 0)
			ret[i] = log(a / b);
		else
			has_zero = 1;
	}
	return has_zero;
}

int fan_est_paired_log(const struct fan_paired *p, const struct fan_est_spec *spec,
		       struct fan_est *ret)
{
	const struct fan_est_spec log_spec = { "log", spec->level, spec->m };
	double *d;
	int r;

	if (!fan_est_spec_is_valid(spec))
		return -EINVAL;
	d = calloc(p->n ? p->n : 1, sizeof(*d));
	if (!d)
		return -ENOMEM;
	r = log_ratios(p, d);
	if (r == 0)
		r = estimate(d, p->n, &log_spec, ret);
	free(d);
	if (r == 1) {
		fan_est_init(ret, log_spec.unit, spec->level, spec->m);
		ret->n = ret->runs = p->n;
		ret->flags = FAN_EST_GAP_NONE_ZERO;
		r = 0;
	}
	return r;
}

static bool is_constant(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] != x[0])
			return false;
	return true;
}

int fan_log_correlation(const struct fan_paired *p, double *ret)
{
	double *a = calloc(2 * p->n + 1, sizeof(*a)), *b;
	size_t n = 0;

	if (!a)
		return -ENOMEM;
	b = a + p->n;
	*ret = NAN;
	for (size_t i = 0; i < p->n; i++) {
		if (isnan(p->a[i]) || isnan(p->b[i]))
			continue;
		a[n] = log(p->a[i]);
		b[n++] = log(p->b[i]);
	}
	if (n >= 3 && !is_constant(a, n) && !is_constant(b, n))
		*ret = gsl_stats_correlation(a, 1, b, 1, n);
	free(a);
	return 0;
}

double fan_unsigned_floor(const struct fan_est *gap)
{
	return sqrt(2 / M_PI) * gap->se;
}

void fan_est_largest(const struct fan_est *gaps, size_t n, struct fan_est *ret)
{
	bool has_interval = true;
	double lo = 0, hi = 0;
	struct fan_est e;

	fan_est_init(&e, gaps->unit, gaps->level, gaps->m);
	e.flags = FAN_EST_SELECTED_MAX;
	for (size_t i = 0; i < n; i++) {
		const struct fan_est *g = &gaps[i];
		const double g_lo = g->m > 1 ? g->lo_adj : g->lo;
		const double g_hi = g->m > 1 ? g->hi_adj : g->hi;

		if (isnan(g->value))
			continue;
		if (isnan(e.value) || g->n < e.n)
			e.n = e.runs = g->n;
		e.flags |= g->flags;
		e.value = fmax(e.value, fabs(g->value)); /* fmax() drops a NaN */
		has_interval = has_interval && !isnan(g_lo);
		lo = fmax(lo, fmax(g_lo, -g_hi));
		hi = fmax(hi, fmax(g_hi, -g_lo));
	}
	if (has_interval && !isnan(e.value)) {
		e.lo = lo;
		e.hi = hi;
		e.method = method_largest;
	}
	*ret = e;
}
