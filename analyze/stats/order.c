// SPDX-License-Identifier: GPL-3.0-or-later
/* Drift over runs by Spearman's correlation; configurations measured one after the other. */
#include "analyze/stats/order.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#define WARN_P	   0.05
#define LENGTH_MAX 1.2

static double p_of(double rho, size_t n)
{
	const double df = (double)n - 2;
	const double rest = 1 - rho * rho;

	/* at +-1 t is infinite */
	return rest > 0 ? 2 * gsl_cdf_tdist_Q(fabs(rho) * sqrt(df / rest), df) : 0;
}

static bool is_constant(const double *x, size_t n)
{
	return gsl_stats_max(x, 1, n) == gsl_stats_min(x, 1, n);
}

int fan_test_order(const double *start, const double *value, size_t n, struct fan_order *ret)
{
	struct fan_order o = { NAN, NAN, false };
	double *work;

	for (size_t i = 0; i < n; i++)
		if (!isfinite(start[i]) || !isfinite(value[i]))
			return -EINVAL;
	if (n >= FAN_ORDER_MIN && !is_constant(start, n) && !is_constant(value, n)) {
		work = calloc(2 * n, sizeof(*work));
		if (!work)
			return -ENOMEM;
		o.rho = gsl_stats_spearman(start, 1, value, 1, n, work);
		free(work);
		/* rounding may leave it beyond its range */
		o.rho = fmax(-1, fmin(o.rho, 1));
		o.p = p_of(o.rho, n);
		o.drifts = o.p < WARN_P;
	}
	*ret = o;
	return 0;
}

bool fan_is_confounded(const double *start_x, size_t nx, const double *start_y, size_t ny)
{
	if (nx == 0 || ny == 0)
		return false;
	return gsl_stats_max(start_x, 1, nx) < gsl_stats_min(start_y, 1, ny) ||
	       gsl_stats_max(start_y, 1, ny) < gsl_stats_min(start_x, 1, nx);
}

bool fan_lengths_differ(const double *length, size_t n)
{
	return n > 0 && gsl_stats_max(length, 1, n) > LENGTH_MAX * gsl_stats_min(length, 1, n);
}
