// SPDX-License-Identifier: GPL-3.0-or-later
/* Intervals of a fraction of windows. */
#include "analyze/stats/fraction.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "analyze/stats/pwewc.h"

void fan_clopper_pearson(double k, double n, double level, double *ret_lo, double *ret_hi)
{
	const double tail = (1 - level) / 2;

	*ret_lo = *ret_hi = NAN;
	if (!(k >= 0 && k <= n && n > 0 && level > 0 && level < 1))
		return;
	*ret_lo = k > 0 ? gsl_cdf_beta_Pinv(tail, k, n - k + 1) : 0;
	*ret_hi = k < n ? gsl_cdf_beta_Qinv(tail, k + 1, n - k) : 1;
}

/* None or all of e->n windows, of which only so many count. */
static void bound(double count, struct fan_est *e)
{
	const double k = e->value * count;

	fan_clopper_pearson(k, count, e->level, &e->lo, &e->hi);
	if (e->m > 1)
		fan_clopper_pearson(k, count, 1 - (1 - e->level) / e->m, &e->lo_adj, &e->hi_adj);
	e->ess = count;
	e->method = "clopper-pearson";
	e->flags |= FAN_EST_ONE_SIDED;
	if (e->n < FAN_PWEWC_OK || count < FAN_PWEWC_ESS)
		e->flags |= FAN_EST_APPROXIMATE;
}

static double within(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x; /* NaN stays */
}

static void add_interval(const struct fan_pwewc *w, struct fan_est *e)
{
	e->flags |= w->flags;
	e->se = w->se;
	if (w->flags & (FAN_EST_CI_NONE_SHORT | FAN_EST_CI_NONE_CONSTANT))
		return;
	fan_est_interval(e, w->se, w->nu, "pw-ewc");
	e->ess = fmin(w->ess, (double)w->n);
	e->lo = within(e->lo);
	e->hi = within(e->hi);
	e->lo_adj = within(e->lo_adj);
	e->hi_adj = within(e->hi_adj);
}

static int estimate(const bool *holds, double ess, struct fan_est *e)
{
	const size_t n = e->n;
	double *indicator = calloc(n, sizeof(*indicator));
	struct fan_pwewc w;
	size_t count = 0;
	int r;

	if (!indicator)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		indicator[i] = holds[i];
		count += holds[i];
	}
	r = fan_pwewc(indicator, n, e->level, &w);
	free(indicator);
	if (r < 0)
		return r;
	e->value = (double)count / (double)n;
	if (count == 0 || count == n)
		bound(fmin((double)n, ess), e); /* fmin() drops a NaN */
	else
		add_interval(&w, e);
	return 0;
}

int fan_est_fraction(const bool *holds, size_t n, double ess, const struct fan_est_spec *spec,
		     struct fan_est *ret)
{
	struct fan_est e;
	int r = 0;

	if (!fan_est_spec_is_valid(spec) || ess < 1)
		return -EINVAL;
	fan_est_init(&e, NULL, spec->level, spec->m);
	e.n = n;
	e.flags = FAN_EST_ONE_RUN;
	if (n == 0)
		e.flags |= FAN_EST_NO_DATA;
	else
		r = estimate(holds, ess, &e);
	if (r == 0)
		*ret = e;
	return r;
}
