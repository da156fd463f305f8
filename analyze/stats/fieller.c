// SPDX-License-Identifier: GPL-3.0-or-later
/* Fieller's interval, independent and paired. */
#include "analyze/stats/fieller.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/runs.h"

/* Two means with the variances and the covariance of them, not of single runs. */
struct means {
	double num, den;
	double v_num, v_den, cov;
	double df;
};

/* The set of ratios that t does not reject: what is between two roots, or outside, or all. */
struct set {
	double a, lo, hi; /* a > 0: between; else outside, or all where they are NaN */
};

static struct set solve(const struct means *m, double t)
{
	const double t2 = t * t;
	const double b = m->num * m->den - t2 * m->cov;
	const double c = m->num * m->num - t2 * m->v_num;
	struct set s = { .a = m->den * m->den - t2 * m->v_den, .lo = NAN, .hi = NAN };
	double disc = b * b - s.a * c;

	/* above 0 for a > 0, but for rounding */
	if (s.a > 0)
		disc = fmax(0, disc);
	if (s.a != 0 && disc >= 0) {
		s.lo = (b - sqrt(disc)) / s.a;
		s.hi = (b + sqrt(disc)) / s.a;
	}
	return s;
}

static void set_interval(const struct means *m, const char *method, struct fan_fieller *f)
{
	struct fan_est *e = &f->est;
	const double t = fan_tq(e->level, m->df);
	struct set s = solve(m, t);

	e->df = m->df;
	e->method = method;
	f->g = t * t * m->v_den / (m->den * m->den);
	if (s.a > 0) {
		e->lo = s.lo;
		e->hi = s.hi;
	} else if (!isnan(s.lo)) {
		e->flags |= FAN_EST_RATIO_EXCLUSIVE;
		f->below = fmin(s.lo, s.hi);
		f->above = fmax(s.lo, s.hi);
	} else {
		e->flags |= FAN_EST_RATIO_UNBOUNDED;
	}
	if (e->m == 1)
		return;
	s = solve(m, fan_tq(1 - (1 - e->level) / e->m, m->df));
	if (s.a > 0) {
		e->lo_adj = s.lo;
		e->hi_adj = s.hi;
	}
}

static void begin(const struct fan_est_spec *spec, struct fan_fieller *f)
{
	*f = (struct fan_fieller){ .g = NAN, .below = NAN, .above = NAN };
	fan_est_init(&f->est, "ratio", spec->level, spec->m);
}

/* Fills *f, which has flags and counts already, from means that may not vary. */
static void estimate(const struct means *m, const char *method, struct fan_fieller *f)
{
	if (m->den == 0 && m->v_den == 0) {
		f->est.flags |= FAN_EST_UNDEFINED;
		return;
	}
	if (m->den != 0)
		f->est.value = m->num / m->den;
	/* a numerator that is always 0 makes the ratio 0, whatever the denominator does */
	if (m->v_num == 0 && (m->v_den == 0 || m->num == 0)) {
		f->est.flags |= FAN_EST_CI_NONE_CONSTANT;
		return;
	}
	if (m->v_num == 0 || m->v_den == 0)
		f->est.flags |= FAN_EST_ONE_SIDE_CONSTANT;
	set_interval(m, method, f);
}

/* df of num - theta den at theta = num/den; a side that does not vary has no part. */
static double satterthwaite(const struct means *m, double df_num, double df_den)
{
	const double theta = m->den != 0 ? m->num / m->den : 0;
	const double v = m->v_num + theta * theta * m->v_den;
	const double part = v > 0 ? m->v_num / v : 0;

	return 1 / ((part > 0 ? part * part / df_num : 0) +
		    (part < 1 ? (1 - part) * (1 - part) / df_den : 0));
}

int fan_fieller(const struct fan_samples *s, const struct fan_est_spec *spec,
		struct fan_fieller *ret)
{
	struct fan_fieller f;
	struct fan_est x, y;
	struct means m;
	int r;

	r = fan_est_runs(s->x, s->nx, spec, &x);
	if (r < 0)
		return r;
	r = fan_est_runs(s->y, s->ny, spec, &y);
	if (r < 0)
		return r;
	begin(spec, &f);
	f.est.n = x.n + y.n;
	f.est.runs = x.runs < y.runs ? x.runs : y.runs;
	f.est.flags = (x.flags | y.flags) & ~(uint32_t)FAN_EST_CI_NONE_CONSTANT;
	m = (struct means){ y.value, x.value, y.se * y.se, x.se * x.se, 0, NAN };
	if (isnan(x.se) || isnan(y.se)) {
		f.est.value = x.value != 0 ? y.value / x.value : NAN;
	} else {
		if (m.v_num > 0 || m.v_den > 0)
			m.df = satterthwaite(&m, (double)(y.n - 1), (double)(x.n - 1));
		estimate(&m, "fieller", &f);
	}
	*ret = f;
	return 0;
}

/* The covariance of the two means over complete pairs. */
static int covariance_of_means(const struct fan_paired *p, size_t n, double *ret)
{
	double *a = calloc(2 * n, sizeof(*a)), *b;
	size_t kept = 0;

	if (!a)
		return -ENOMEM;
	b = a + n;
	for (size_t i = 0; i < p->n; i++)
		if (!isnan(p->a[i]) && !isnan(p->b[i])) {
			a[kept] = p->a[i];
			b[kept++] = p->b[i];
		}
	*ret = gsl_stats_covariance(a, 1, b, 1, n) / (double)n;
	free(a);
	return 0;
}

/* Mean of one side over complete pairs. */
static int mean_of_side(const double *side, const double *other, size_t n,
			const struct fan_est_spec *spec, struct fan_est *ret)
{
	double *x = calloc(n ? n : 1, sizeof(*x));
	int r;

	if (!x)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		x[i] = isnan(other[i]) ? NAN : side[i];
	r = fan_est_runs(x, n, spec, ret);
	free(x);
	return r;
}

int fan_fieller_paired(const struct fan_paired *p, const struct fan_est_spec *spec,
		       struct fan_fieller *ret)
{
	struct fan_fieller f;
	struct fan_est a, b;
	struct means m;
	int r;

	r = mean_of_side(p->a, p->b, p->n, spec, &a);
	if (r < 0)
		return r;
	r = mean_of_side(p->b, p->a, p->n, spec, &b);
	if (r < 0)
		return r;
	begin(spec, &f);
	f.est.n = f.est.runs = a.n;
	f.est.flags = (a.flags | b.flags) & ~(uint32_t)FAN_EST_CI_NONE_CONSTANT;
	if (a.n < 2) {
		f.est.value = b.value != 0 ? a.value / b.value : NAN;
	} else {
		m = (struct means){
			a.value, b.value, a.se * a.se, b.se * b.se, 0, (double)(a.n - 1)
		};
		r = covariance_of_means(p, a.n, &m.cov);
		if (r < 0)
			return r;
		estimate(&m, "fieller-paired", &f);
	}
	*ret = f;
	return 0;
}

bool fan_is_skewed(const struct fan_est *log_gap, const struct fan_fieller *ratio)
{
	const double half = (log_gap->hi - log_gap->lo) / 2;

	/* false for NaN, also that of a ratio below 0 */
	return fabs(log(ratio->est.value) - log_gap->value) > half / 2;
}
