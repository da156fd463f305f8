/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run time of all groups, and what was due to them, in all windows of the overlap, in CPU ns: what
 * statistics begin with. */
#ifndef FAN_REPORT_MATRIX_H
#define FAN_REPORT_MATRIX_H

#include "analyze/model/groups.h"
#include "analyze/model/model.h"
#include "analyze/model/overlap.h"

struct fan_matrix {
	double *part;  /* windows of group 0, then of group 1, ... */
	double *total; /* by window, over all groups */
	double *due;   /* as part: what was due; all 0 where that was not asked for */
	double *due_total;
	double *wait; /* as part: thread time */
	size_t windows;
	double unknown_ns; /* CPU time nobody could be given, in all windows */
};

/* 0 or -ENOMEM; fan_matrix_free() it in both cases. */
int fan_matrix_fill(struct fan_matrix *ret, const struct fan_model *m, const struct fan_groups *g,
		    const struct fan_overlap *o);

void fan_matrix_free(struct fan_matrix *x);

#endif
