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
	ret->due = calloc(g->n * ret->windows + 1, sizeof(*ret->due));
	ret->due_total = calloc(ret->windows + 1, sizeof(*ret->due_total));
	ret->wait = calloc(g->n * ret->windows + 1, sizeof(*ret->wait));
	if (!ret->wait || !ret->part || !ret->total || !ret->due || !ret->due_total)
		return -ENOMEM;
	for (size_t a = 0; a < g->naccounts; a++) {
		for (size_t w = 0; g->of_account[a] >= 0 && w < ret->windows; w++) {
			const struct fan_cell c = fan_overlap_cell(o, m, (int32_t)a, w);
			const size_t i = (size_t)g->of_account[a] * ret->windows + w;

			ret->part[i] += (double)c.run_ns;
			ret->total[w] += (double)c.run_ns;
			ret->wait[i] += (double)c.wait_ns;
			ret->due[i] += (double)c.due_ns;
			ret->due_total[w] += (double)c.due_ns;
		}
	}
	ret->unknown_ns = (double)fan_overlap_unknown_ns(o, m);
	return 0;
}

void fan_matrix_free(struct fan_matrix *x)
{
	free(x->part);
	free(x->total);
	free(x->due);
	free(x->wait);
	free(x->due_total);
}
