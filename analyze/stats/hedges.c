// SPDX-License-Identifier: GPL-3.0-or-later
/* Standardised difference with Bonett's variance. */
#include "analyze/stats/hedges.h"

#include <math.h>

#include <gsl/gsl_sf_gamma.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/runs.h"

static void estimate(const struct fan_est *x, const struct fan_est *y, struct fan_hedges *h)
{
	struct fan_est *e = &h->est;
	const double n_x = (double)x->n, n_y = (double)y->n, m = n_x + n_y - 2;
	/* variances of single runs */
	const double v_x = x->se * x->se * n_x, v_y = y->se * y->se * n_y, v = (v_x + v_y) / 2;
	const double d = (y->value - x->value) / sqrt(v);
	const double se = sqrt(
		d * d * (v_x / v * v_x / v / (n_x - 1) + v_y / v * v_y / v / (n_y - 1)) / 8 +
		(v_x / (n_x - 1) + v_y / (n_y - 1)) / v);
	double half = fan_zq(e->level) * se;

	e->value = d;
	e->se = se;
	e->lo = d - half;
	e->hi = d + half;
	if (e->m > 1) {
		half = fan_zq(1 - (1 - e->level) / e->m) * se;
		e->lo_adj = d - half;
		e->hi_adj = d + half;
	}
	e->method = "bonett";
	h->j = exp(gsl_sf_lngamma(m / 2) - gsl_sf_lngamma((m - 1) / 2)) / sqrt(m / 2);
	h->g = h->j * d;
}

int fan_hedges(const struct fan_samples *s, const struct fan_est_spec *spec, struct fan_hedges *ret)
{
	struct fan_hedges h = { .j = NAN, .g = NAN };
	struct fan_est x, y, welch;
	int r;

	r = fan_est_runs(s->x, s->nx, spec, &x);
	if (r < 0)
		return r;
	r = fan_est_runs(s->y, s->ny, spec, &y);
	if (r < 0)
		return r;
	r = fan_est_minus(&y, &x, spec, &welch);
	if (r < 0)
		return r;
	fan_est_init(&h.est, NULL, spec->level, spec->m);
	h.est.n = welch.n;
	h.est.runs = welch.runs;
	h.est.flags = welch.flags;
	if (welch.method)
		estimate(&x, &y, &h);
	*ret = h;
	return 0;
}
