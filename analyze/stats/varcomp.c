// SPDX-License-Identifier: GPL-3.0-or-later
/* Components of variance. */
#include "analyze/stats/varcomp.h"

#include <errno.h>
#include <math.h>

#include "analyze/stats/describe.h"

int fan_varcomp(const double *value, const double *se, size_t runs, struct fan_varcomp *ret)
{
	struct fan_describe d;
	long double sum = 0;
	struct fan_varcomp v;
	int r;

	if (runs < 2)
		return -ENODATA;
	r = fan_describe(value, runs, &d);
	if (r < 0)
		return r;
	for (size_t i = 0; i < runs; i++) {
		if (!(se[i] >= 0 && isfinite(se[i])))
			return -EINVAL;
		sum += (long double)se[i] * se[i];
	}
	v.total = d.max == d.min ? 0 : d.sd * d.sd;
	v.within = (double)(sum / (long double)runs);
	v.between = fmax(0, v.total - v.within);
	v.share = v.total > 0 ? v.between / v.total : NAN;
	*ret = v;
	return 0;
}

double fan_best_windows(double run_cost, double window_cost, double lrv, double between)
{
	return between > 0 ? sqrt(run_cost / window_cost * lrv / between) : INFINITY;
}
