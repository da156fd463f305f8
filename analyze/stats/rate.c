// SPDX-License-Identifier: GPL-3.0-or-later
/* Rates, efficiencies and log ratios of sums within one run. */
#include "analyze/stats/rate.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/stats/pwewc.h"

/* True if every value is finite and not below 0. */
static bool is_amount(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(x[i] >= 0 && isfinite(x[i])))
			return false;
	return true;
}

int fan_est_rate(const struct fan_windows *w, const char *unit, double level, struct fan_est *ret)
{
	if (!is_amount(w->part, w->n))
		return -EINVAL;
	return fan_est_ratio(w, &(struct fan_ratio_spec){ 1, unit, level, 1 }, ret);
}

/* The linearised log ratio about its mean 0; exactly 0 where rounding alone is left. */
static void linearise(const struct fan_paired *p, long double mean_a, long double mean_b,
		      double *ret_z)
{
	for (size_t i = 0; i < p->n; i++) {
		const long double a = p->a[i] / mean_a, b = p->b[i] / mean_b;

		ret_z[i] = fabsl(a - b) <= 8 * DBL_EPSILON * a ? 0 : (double)(a - b);
	}
}

/* Sets the interval of *e, whose value is there. 0 or -ENOMEM. */
static int add_interval(const struct fan_paired *p, long double sum_a, long double sum_b,
			struct fan_est *e)
{
	double *z = calloc(p->n, sizeof(*z));
	struct fan_pwewc w;
	int r;

	if (!z)
		return -ENOMEM;
	linearise(p, sum_a / (long double)p->n, sum_b / (long double)p->n, z);
	r = fan_pwewc(z, p->n, e->level, &w);
	free(z);
	if (r < 0)
		return r;
	e->flags |= w.flags;
	e->se = w.se;
	if (w.flags & (FAN_EST_CI_NONE_SHORT | FAN_EST_CI_NONE_CONSTANT))
		return 0;
	fan_est_interval(e, w.se, w.nu, "pw-ewc");
	e->ess = fmin(w.ess, (double)w.n);
	return 0;
}

int fan_est_log_ratio(const struct fan_paired *p, double level, unsigned int m, struct fan_est *ret)
{
	long double sum_a = 0, sum_b = 0;
	struct fan_est e;
	int r = 0;

	if (!(level > 0 && level < 1) || m == 0 || !is_amount(p->a, p->n) || !is_amount(p->b, p->n))
		return -EINVAL;
	for (size_t i = 0; i < p->n; i++) {
		sum_a += p->a[i];
		sum_b += p->b[i];
	}
	fan_est_init(&e, "log", level, m);
	e.n = p->n;
	e.flags = FAN_EST_ONE_RUN;
	if (p->n == 0) {
		e.flags |= FAN_EST_NO_DATA;
	} else if (!(sum_a > 0 && sum_b > 0)) {
		e.flags |= FAN_EST_UNDEFINED;
	} else {
		e.value = (double)logl(sum_a / sum_b);
		r = add_interval(p, sum_a, sum_b, &e);
	}
	if (r == 0)
		*ret = e;
	return r;
}

void fan_est_exp(const struct fan_est *log_ratio, struct fan_est *ret)
{
	struct fan_est e = *log_ratio;

	e.unit = "ratio";
	e.value = exp(e.value);
	e.se *= e.value;
	e.lo = exp(e.lo);
	e.hi = exp(e.hi);
	e.lo_adj = exp(e.lo_adj);
	e.hi_adj = exp(e.hi_adj);
	*ret = e;
}

void fan_est_percent(const struct fan_est *log_ratio, struct fan_est *ret)
{
	struct fan_est e = *log_ratio;

	e.unit = "percent";
	e.se *= 100 * exp(e.value);
	e.value = 100 * expm1(e.value);
	e.lo = 100 * expm1(e.lo);
	e.hi = 100 * expm1(e.hi);
	e.lo_adj = 100 * expm1(e.lo_adj);
	e.hi_adj = 100 * expm1(e.hi_adj);
	*ret = e;
}
