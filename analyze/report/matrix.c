// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/matrix.h"

#include <errno.h>
#include <stdlib.h>

int fan_matrix_fill(struct fan_matrix *ret, const struct fan_model *m, const struct fan_groups *g,
		    const struct fan_overlap *o)
{
	ret->windows = (size_t)o->windows;
	ret->part = calloc(g->n * ret->windows + 1, sizeof(*ret->part));
	ret->total = calloc(ret->windows + 1, sizeof(*ret->total));
	if (!ret->part || !ret->total)
		return -ENOMEM;
	for (size_t a = 0; a < g->naccounts; a++) {
		for (size_t w = 0; g->of_account[a] >= 0 && w < ret->windows; w++) {
			const double run_ns = (double)fan_overlap_cell(o, m, (int32_t)a, w).run_ns;

			ret->part[(size_t)g->of_account[a] * ret->windows + w] += run_ns;
			ret->total[w] += run_ns;
		}
	}
	ret->unknown_ns = (double)fan_overlap_unknown_ns(o, m);
	return 0;
}

void fan_matrix_free(struct fan_matrix *x)
{
	free(x->part);
	free(x->total);
}
