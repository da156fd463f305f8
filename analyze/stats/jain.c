// SPDX-License-Identifier: GPL-3.0-or-later
/* Jain's index and its interval for two groups. */
#include "analyze/stats/jain.h"

#include <errno.h>
#include <math.h>

double fan_jain(const double *x, size_t k)
{
	double largest = 0;
	long double sum = 0, squares = 0;

	for (size_t i = 0; i < k; i++)
		largest = fmax(largest, x[i]);
	if (!(largest > 0))
		return NAN;
	for (size_t i = 0; i < k; i++) {
		const long double part = x[i] / (long double)largest;

		sum += part;
		squares += part * part;
	}
	return (double)(sum * sum / ((long double)k * squares));
}

double fan_jain_of_log_ratio(double d)
{
	return (1 + 1 / cosh(d)) / 2;
}

/* The index falls on both sides of d = 0: its ends are at the far end of [lo, hi] and nearest 0. */
static void map_interval(const struct fan_est *log_ratio, struct fan_est *e)
{
	const double far = fmax(fabs(log_ratio->lo), fabs(log_ratio->hi));
	const double near = log_ratio->lo <= 0 && log_ratio->hi >= 0
				    ? 0
				    : fmin(fabs(log_ratio->lo), fabs(log_ratio->hi));

	e->lo = fan_jain_of_log_ratio(far);
	e->hi = fan_jain_of_log_ratio(near);
	e->method = log_ratio->method;
	e->df = log_ratio->df;
	e->ess = log_ratio->ess;
}

uint32_t fan_jain_flags(const double *x, size_t k)
{
	uint32_t flags = k == 1 ? FAN_EST_TRIVIAL : 0;

	if (k == 0)
		return FAN_EST_NO_DATA;
	if (isnan(fan_jain(x, k)))
		return FAN_EST_UNDEFINED;
	for (size_t i = 0; i < k; i++)
		if (x[i] == 0)
			flags |= FAN_EST_STARVED;
	return flags;
}

int fan_est_jain(const double *x, size_t k, double level, const struct fan_est *log_ratio,
		 struct fan_est *ret)
{
	struct fan_est e;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	for (size_t i = 0; i < k; i++)
		if (!(x[i] >= 0 && isfinite(x[i])))
			return -EINVAL;
	fan_est_init(&e, NULL, level, 1);
	e.value = fan_jain(x, k);
	e.flags = fan_jain_flags(x, k);
	if (log_ratio) {
		e.n = log_ratio->n;
		e.runs = log_ratio->runs;
	}
	if (e.runs == 0)
		e.flags |= FAN_EST_ONE_RUN;
	if (k == 2 && log_ratio && !isnan(log_ratio->value)) {
		e.flags |= log_ratio->flags;
		if (log_ratio->method)
			map_interval(log_ratio, &e);
	}
	*ret = e;
	return 0;
}

struct fan_extremes fan_jain_extremes(const double *x, size_t k)
{
	struct fan_extremes e = { 0, 0 };

	for (size_t i = 1; i < k; i++) {
		if (x[i] > x[e.most])
			e.most = i;
		if (x[i] < x[e.least])
			e.least = i;
	}
	/* all are equal: any two will do */
	if (e.most == e.least && k > 1)
		e.least = 1;
	return e;
}
