// SPDX-License-Identifier: GPL-3.0-or-later
/* Step-wise adjustments of p-values. */
#include "analyze/stats/holm.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_sort.h>

/* The tests that have a p: their positions, and the order that sorts them. */
struct ranked {
	double *p;
	size_t *at, *order, m;
};

static void ranked_free(struct ranked *r)
{
	free(r->p);
	free(r->at);
	free(r->order);
}

/* Also sets ret_adj to NaN where there is no p. 0, -EINVAL or -ENOMEM; to be freed in any case. */
static int rank(const double *p, size_t n, double *ret_adj, struct ranked *ret)
{
	const size_t room = n ? n : 1;

	*ret = (struct ranked){ calloc(room, sizeof(double)), calloc(room, sizeof(size_t)),
				calloc(room, sizeof(size_t)), 0 };
	if (!ret->p || !ret->at || !ret->order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (isnan(p[i])) {
			ret_adj[i] = NAN;
			continue;
		}
		if (p[i] < 0 || p[i] > 1)
			return -EINVAL;
		ret->at[ret->m] = i;
		ret->p[ret->m++] = p[i];
	}
	if (ret->m > 0)
		gsl_sort_index(ret->order, ret->p, 1, ret->m);
	return 0;
}

int fan_holm(const double *p, size_t n, double *ret_adj)
{
	struct ranked k;
	double adj = 0;
	const int r = rank(p, n, ret_adj, &k);

	for (size_t i = 0; r == 0 && i < k.m; i++) {
		adj = fmax(adj, fmin(1, (double)(k.m - i) * k.p[k.order[i]]));
		ret_adj[k.at[k.order[i]]] = adj;
	}
	ranked_free(&k);
	return r;
}

int fan_benjamini_hochberg(const double *p, size_t n, double *ret_adj)
{
	struct ranked k;
	double adj = 1;
	const int r = rank(p, n, ret_adj, &k);

	for (size_t i = r == 0 ? k.m : 0; i > 0; i--) {
		adj = fmin(adj, (double)k.m / (double)i * k.p[k.order[i - 1]]);
		ret_adj[k.at[k.order[i - 1]]] = adj;
	}
	ranked_free(&k);
	return r;
}
