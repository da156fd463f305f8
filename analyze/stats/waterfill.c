// SPDX-License-Identifier: GPL-3.0-or-later
/* Capped weighted max-min division. */
#include "analyze/stats/waterfill.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

#define STILL_FREE (-1.0) /* an allocation that no cap has fixed yet */

static bool is_valid(const double *weight, const double *cap, size_t n, double capacity)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(weight[i] > 0) || !(cap[i] >= 0))
			return false;
		sum += weight[i];
	}
	return isfinite(sum) && isfinite(capacity) && capacity >= 0;
}

static double free_weight(const double *weight, const double *alloc, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (alloc[i] == STILL_FREE)
			sum += weight[i];
	return sum;
}

/*
 * Fixes at its cap everyone whose part of left, by weights that add up to sum, exceeds it. Returns
 * how many those are, and takes what they get from left.
 */
static size_t fix_capped(const double *weight, const double *cap, size_t n, double sum,
			 double *left, double *alloc)
{
	double given = 0;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (alloc[i] == STILL_FREE && *left * (weight[i] / sum) > cap[i]) {
			alloc[i] = cap[i];
			given += cap[i];
			count++;
		}
	}
	*left = fmax(*left - given, 0);
	return count;
}

int fan_waterfill(const double *weight, const double *cap, size_t n, double capacity,
		  double *ret_alloc)
{
	double left = capacity, sum;

	if (!is_valid(weight, cap, n, capacity))
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		ret_alloc[i] = STILL_FREE;
	/* who is fixed stays fixed, since the others' parts only grow: at most n rounds */
	do
		sum = free_weight(weight, ret_alloc, n);
	while (fix_capped(weight, cap, n, sum, &left, ret_alloc) > 0);
	for (size_t i = 0; i < n; i++)
		if (ret_alloc[i] == STILL_FREE)
			ret_alloc[i] = left * (weight[i] / sum);
	return 0;
}

double fan_waterfill_unused(const double *alloc, size_t n, double capacity)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += alloc[i];
	/* each addition may lose one unit in the last place */
	if (capacity - sum <= (double)(n + 1) * DBL_EPSILON * capacity)
		return 0;
	return capacity - sum;
}
