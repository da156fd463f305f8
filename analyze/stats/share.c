// SPDX-License-Identifier: GPL-3.0-or-later
/* Ratios of sums over the windows of one run. */
#include "analyze/stats/share.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/describe.h"
#include "analyze/stats/pwewc.h"

#define PERCENT	    100.0
#define ROUNDED_PCT 0.05 /* by so much may a share given in rounded figures pass 100 */

static const char method_pwewc[] = "pw-ewc";

int fan_check_windows(const struct fan_windows *w, struct fan_window_check *ret)
{
	struct fan_window_check c = { 0 };
	struct fan_moments total;
	long double sum = 0;
	double median;
	int r;

	r = fan_moments(w->total, w->n, &total);
	if (r < 0)
		return r;
	if (total.min < 0)
		return -EINVAL;
	r = fan_median(w->total, w->n, &median);
	if (r < 0)
		return r;
	for (size_t i = 0; i < w->n; i++) {
		const double t = w->total[i];

		if (!isfinite(w->part[i]))
			return -EINVAL;
		c.unequal += t < 0.5 * median || t > 1.5 * median;
		if (t > 0)
			sum += w->part[i] / t;
		else
			c.zero_total++;
	}
	c.mean_ratio = c.zero_total < w->n ? (double)(sum / (long double)(w->n - c.zero_total))
					   : NAN;
	*ret = c;
	return 0;
}

void fan_ratio_residuals(const struct fan_windows *w, double scale, double *ret_ratio,
			 double *ret_z)
{
	long double part = 0, total = 0, ratio, mean;

	for (size_t i = 0; i < w->n; i++) {
		part += w->part[i];
		total += w->total[i];
	}
	ratio = scale * part / total;
	mean = total / (long double)w->n;
	for (size_t i = 0; i < w->n; i++) {
		const long double got = scale * (long double)w->part[i];
		const long double even = ratio * w->total[i];

		const long double size = fmaxl(fabsl(got), scale * (long double)w->total[i]);

		/* part and total may be rounded products: equal shares must leave exactly 0 */
		if (fabsl(got - even) <= 8 * DBL_EPSILON * size)
			ret_z[i] = 0;
		else
			ret_z[i] = (double)((got - even) / mean);
	}
	*ret_ratio = (double)ratio;
}

static void note_windows(const struct fan_window_check *c, double scale, struct fan_est *e)
{
	const double half = e->hi - e->value;

	if (c->zero_total > 0)
		e->flags |= FAN_EST_ZERO_TOTAL_WINDOWS;
	if (c->unequal > 0)
		e->flags |= FAN_EST_UNEQUAL_WINDOWS;
	/* false without an interval: half is NaN then */
	if (fabs(scale * c->mean_ratio - e->value) > half / 2)
		e->flags |= FAN_EST_IRREGULAR_WINDOWS | FAN_EST_APPROXIMATE;
}

/* The interval of an estimate whose residuals are z. */
static int add_interval(const double *z, size_t n, struct fan_est *e)
{
	struct fan_pwewc p;
	const int r = fan_pwewc(z, n, e->level, &p);

	if (r < 0)
		return r;
	e->flags |= p.flags;
	if (p.flags & (FAN_EST_CI_NONE_SHORT | FAN_EST_CI_NONE_CONSTANT)) {
		e->se = p.se;
		return 0;
	}
	fan_est_interval(e, p.se, p.nu, method_pwewc);
	e->ess = fmin(p.ess, (double)p.n);
	return 0;
}

/* Fills *e from windows of which at least one holds work. */
static int estimate_ratio(const struct fan_windows *w, double scale, struct fan_est *e)
{
	double *z = calloc(w->n, sizeof(*z));
	int r;

	if (!z)
		return -ENOMEM;
	fan_ratio_residuals(w, scale, &e->value, z);
	r = add_interval(z, w->n, e);
	free(z);
	return r;
}

/* Begins *e and checks the windows; its flags may say that there is no value: is_missing(). */
static int begin_ratio(const struct fan_windows *w, const struct fan_ratio_spec *spec,
		       struct fan_window_check *ret_check, struct fan_est *e)
{
	int r;

	if (!(spec->level > 0 && spec->level < 1) || spec->m == 0)
		return -EINVAL;
	fan_est_init(e, spec->unit, spec->level, spec->m);
	e->n = w->n;
	e->flags = FAN_EST_ONE_RUN;
	r = fan_check_windows(w, ret_check);
	if (r == -ENODATA)
		e->flags |= FAN_EST_NO_DATA;
	else if (r == 0 && ret_check->zero_total == w->n)
		e->flags |= FAN_EST_UNDEFINED | FAN_EST_ZERO_TOTAL_WINDOWS;
	return r == -ENODATA ? 0 : r;
}

static bool is_missing(const struct fan_est *e)
{
	return e->flags & (FAN_EST_NO_DATA | FAN_EST_UNDEFINED);
}

int fan_est_ratio(const struct fan_windows *w, const struct fan_ratio_spec *spec,
		  struct fan_est *ret)
{
	struct fan_window_check check;
	struct fan_est e;
	int r = begin_ratio(w, spec, &check, &e);

	if (r == 0 && !is_missing(&e)) {
		r = estimate_ratio(w, spec->scale, &e);
		note_windows(&check, spec->scale, &e);
	}
	if (r == 0)
		*ret = e;
	return r;
}

/* True if every part is between 0 and its total; false for NaN. */
static bool is_share(const double *part, const double *total, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(part[i] >= 0 && part[i] <= total[i] * (1 + ROUNDED_PCT / PERCENT)))
			return false;
	return true;
}

int fan_est_share(const struct fan_windows *w, double level, unsigned int m, struct fan_est *ret)
{
	int r;

	if (!is_share(w->part, w->total, w->n))
		return -EINVAL;
	r = fan_est_ratio(w, &(struct fan_ratio_spec){ PERCENT, "percent", level, m }, ret);
	if (r == 0)
		fan_est_note_percent(ret);
	return r;
}

void fan_est_deviation(const struct fan_est *share, double expected_pct, struct fan_est *ret)
{
	*ret = *share;
	ret->flags &= ~(uint32_t)FAN_EST_OF_BOUNDS;
	ret->unit = "points";
	ret->value -= expected_pct;
	ret->lo -= expected_pct;
	ret->hi -= expected_pct;
	ret->lo_adj -= expected_pct;
	ret->hi_adj -= expected_pct;
}

int fan_est_deviation_windows(const struct fan_windows *w, const double *expected_part,
			      double level, unsigned int m, struct fan_est *ret)
{
	struct fan_windows surplus = { .total = w->total, .n = w->n };
	double *part;
	int r;

	if (!is_share(w->part, w->total, w->n) || !is_share(expected_part, w->total, w->n))
		return -EINVAL;
	part = calloc(w->n ? w->n : 1, sizeof(*part));
	if (!part)
		return -ENOMEM;
	for (size_t i = 0; i < w->n; i++)
		part[i] = w->part[i] - expected_part[i];
	surplus.part = part;
	r = fan_est_ratio(&surplus, &(struct fan_ratio_spec){ PERCENT, "points", level, m }, ret);
	free(part);
	return r;
}

/* Residuals that rounding alone can have made are none. */
static void drop_rounding(double *z, const struct fan_windows *due, double rounding, double scale)
{
	double total = 0, most = 0;

	for (size_t i = 0; i < due->n; i++) {
		total += due->total[i];
		most = fmax(most, fabs(z[i]));
	}
	if (most <= scale * rounding * (double)due->n / total)
		memset(z, 0, due->n * sizeof(*z));
}

static int estimate_difference(const struct fan_windows *w, const struct fan_windows *due,
			       double rounding, double scale, struct fan_est *e)
{
	double *z = calloc(w->n, sizeof(*z)), *z_due = calloc(w->n, sizeof(*z_due));
	double expected;
	int r = z && z_due ? 0 : -ENOMEM;

	if (r == 0) {
		fan_ratio_residuals(w, scale, &e->value, z);
		fan_ratio_residuals(due, scale, &expected, z_due);
		drop_rounding(z_due, due, rounding, scale);
		e->value -= expected;
		for (size_t i = 0; i < w->n; i++)
			z[i] -= z_due[i];
		r = add_interval(z, w->n, e);
	}
	free(z);
	free(z_due);
	return r;
}

static bool has_total(const struct fan_windows *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->total[i] > 0)
			return true;
	return false;
}

int fan_est_deviation_due(const struct fan_windows *w, const struct fan_windows *due,
			  double rounding, const struct fan_ratio_spec *spec, struct fan_est *ret)
{
	struct fan_window_check check;
	struct fan_est e;
	int r;

	if (!is_share(w->part, w->total, w->n) || !is_share(due->part, due->total, due->n) ||
	    w->n != due->n)
		return -EINVAL;
	r = begin_ratio(w, spec, &check, &e);
	if (r == 0 && !is_missing(&e) && !has_total(due)) {
		e.flags |= FAN_EST_UNDEFINED;
	} else if (r == 0 && !is_missing(&e)) {
		r = estimate_difference(w, due, rounding, spec->scale, &e);
		/* irregular windows move the share, which says so itself */
		e.flags |= check.zero_total ? FAN_EST_ZERO_TOTAL_WINDOWS : 0;
		e.flags |= check.unequal ? FAN_EST_UNEQUAL_WINDOWS : 0;
	}
	if (r == 0)
		*ret = e;
	return r;
}
