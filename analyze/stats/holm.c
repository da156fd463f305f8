// SPDX-License-Identifier: GPL-3.0-or-later
/* Holm's step-down adjustment. */
#include "analyze/stats/holm.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort.h>

int fan_holm(const double *p, size_t n, double *ret_adj)
{
	double *rest = calloc(n ? n : 1, sizeof(*rest)), adj = 0;
	size_t *at = calloc(n ? n : 1, sizeof(*at)), *order = calloc(n ? n : 1, sizeof(*order));
	size_t m = 0;
	int r = rest && at && order ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < n; i++) {
		if (isnan(p[i])) {
			ret_adj[i] = NAN;
		} else if (p[i] < 0 || p[i] > 1) {
			r = -EINVAL;
		} else {
			at[m] = i;
			rest[m++] = p[i];
		}
	}
	if (r == 0 && m > 0)
		gsl_sort_index(order, rest, 1, m);
	for (size_t i = 0; r == 0 && i < m; i++) {
		adj = fmax(adj, fmin(1, (double)(m - i) * rest[order[i]]));
		ret_adj[at[order[i]]] = adj;
	}
	free(rest);
	free(at);
	free(order);
	return r;
}
