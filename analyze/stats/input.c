// SPDX-License-Identifier: GPL-3.0-or-later
/* Checks a series of shares. */
#include "analyze/stats/input.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#define HIGHEST 100.0

static int count_distinct(const double *x, size_t n, size_t *ret)
{
	double *sorted = calloc(n + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	*ret = n > 0;
	for (size_t i = 1; i < n; i++)
		*ret += sorted[i] != sorted[i - 1];
	free(sorted);
	return 0;
}

int fan_filter_shares(const double *x, size_t n, double *ret_x, size_t *ret_missing_at,
		      struct fan_input *ret)
{
	struct fan_input in = { 0 };
	int r;

	for (size_t i = 0; i < n; i++) {
		const double share = fmax(0, fmin(x[i], HIGHEST));

		if (isnan(x[i])) {
			ret_missing_at[in.missing++] = i;
			continue;
		}
		if (isinf(x[i]))
			return -EINVAL;
		if (fabs(x[i] - share) > FAN_INPUT_SLACK)
			return -ERANGE;
		in.clamped += x[i] != share;
		in.at_low += share == 0;
		in.at_high += share == HIGHEST;
		ret_x[in.n++] = share;
	}
	if ((double)in.missing > FAN_INPUT_MISSING * (double)n)
		return -ENODATA;
	r = count_distinct(ret_x, in.n, &in.distinct);
	if (r == 0)
		*ret = in;
	return r;
}
