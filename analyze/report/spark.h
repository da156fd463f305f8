/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a report in a few dozen steps, as deviations from what was due. */
#ifndef FAN_REPORT_SPARK_H
#define FAN_REPORT_SPARK_H

#include <stddef.h>

#include "analyze/report/tree.h"

#define FAN_SPARK_LEVELS 7 /* heights of a step; the middle one is what was due */

struct fan_spark {
	size_t rows, n; /* curves, and steps of each; n is 0 where there is nothing to draw */
	double *points; /* owned; row by row: share minus due; NaN: nobody ran, or due is unknown */
	double scale;	/* points that the lowest and the highest level stand for; above 0 */
};

/*
 * Of the first rows curves, in at most width steps of as equal numbers of windows as can be: step k
 * of n has the windows from k W / n up to (k + 1) W / n. Its number is the mean of the windows'
 * deviations, weighted by the CPU time of all groups in them (share is a ratio of sums). Nothing to
 * draw: fewer than two windows, no curves, lists of unequal length, nothing that was due.
 * 0, then fan_spark_free() it; or -ENOMEM.
 */
int fan_spark_make(struct fan_spark *ret, const struct fan_r_series *s, size_t rows, size_t width);

void fan_spark_free(struct fan_spark *spark);

/* The smallest of 1.5, 3, 5, 10, 20, 50, 100 points that is not below largest; at most 100. */
double fan_spark_scale(double largest);

/* 0 to FAN_SPARK_LEVELS - 1, the nearest one on that scale; -1 for NaN. */
int fan_spark_level(double points, double scale);

#endif
