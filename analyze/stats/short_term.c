// SPDX-License-Identifier: GPL-3.0-or-later
/* Mean absolute and root mean square deviation of windows, and windows without any share. */
#include "analyze/stats/short_term.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/share.h"

static double not_below_0(double x)
{
	return x < 0 ? 0 : x; /* NaN stays */
}

/* The mean of size(d_w) over windows that all weigh the same. 0, -EINVAL or -ENOMEM. */
static int estimate(const double *deviation, size_t n, double (*size)(double),
		    const struct fan_est_spec *spec, struct fan_est *ret)
{
	double *part = calloc(2 * n + 1, sizeof(*part)), *total;
	int r;

	if (!part)
		return -ENOMEM;
	total = part + n;
	for (size_t i = 0; i < n; i++) {
		part[i] = size(deviation[i]);
		total[i] = 1;
	}
	r = fan_est_ratio(&(struct fan_windows){ part, total, n },
			  &(struct fan_ratio_spec){ 1, spec->unit, spec->level, spec->m }, ret);
	free(part);
	if (r == 0) {
		ret->lo = not_below_0(ret->lo);
		ret->lo_adj = not_below_0(ret->lo_adj);
	}
	return r;
}

int fan_est_mean_abs(const double *deviation, size_t n, const struct fan_est_spec *spec,
		     struct fan_est *ret)
{
	return estimate(deviation, n, fabs, spec, ret);
}

static double square(double x)
{
	return x * x;
}

int fan_est_rms(const double *deviation, size_t n, const struct fan_est_spec *spec,
		struct fan_est *ret)
{
	struct fan_est e;
	const int r = estimate(deviation, n, square, spec, &e);

	if (r < 0)
		return r;
	if (e.method)
		e.se = NAN;
	e.value = sqrt(e.value);
	e.lo = sqrt(e.lo);
	e.hi = sqrt(e.hi);
	e.lo_adj = sqrt(e.lo_adj);
	e.hi_adj = sqrt(e.hi_adj);
	*ret = e;
	return 0;
}

struct fan_zeros fan_count_zeros(const double *share, size_t n)
{
	struct fan_zeros z = { 0, 0 };
	size_t row = 0;

	for (size_t i = 0; i < n; i++) {
		row = share[i] == 0 ? row + 1 : 0;
		z.n += share[i] == 0;
		z.longest = row > z.longest ? row : z.longest;
	}
	return z;
}
