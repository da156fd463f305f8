/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the lines of one reporter to aligned series of work, time and CPU time: what a rate and an
 * efficiency are computed from.
 */
#ifndef FAN_REPORT_WORK_CELLS_H
#define FAN_REPORT_WORK_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/model/work.h"

/* CPU time of one group in windows of equal length that begin at from_ns. */
struct fan_cpu_windows {
	uint64_t from_ns, window_ns;
	const double *cpu_ns; /* borrowed; NULL: no such group */
	size_t windows;
};

struct fan_work_cells {
	double *n;     /* units */
	double *dt_s;  /* seconds */
	double *cpu_s; /* CPU seconds; NULL: no such group */
	size_t cells;
	double total; /* units between the first window's begin and the last one's end */
};

/*
 * A line that lies in part outside the windows counts by that part, and its work is taken to be
 * spread evenly over its time; so is CPU time over a window. A reporter whose lines follow each
 * other gives one cell a line; where lines overlap (several tell under one name) cells of the
 * lines' median length, from the first line's begin to the last one's end, at most 16384.
 * Lines are by t1. 0 or -ENOMEM; fan_work_cells_free() it in both cases.
 */
int fan_work_cells_make(struct fan_work_cells *ret, const struct fan_work_series *s,
			const struct fan_cpu_windows *w);

void fan_work_cells_free(struct fan_work_cells *c);

#endif
