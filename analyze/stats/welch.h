/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two configurations, independent runs: the difference y - x, and the log ratio y over x. */
#ifndef FAN_STATS_WELCH_H
#define FAN_STATS_WELCH_H

#include <stddef.h>

#include "analyze/stats/est.h"

/* Values of runs, in one unit; not owned. NaN: the run lacks the value. */
struct fan_samples {
	const double *x; /* baseline */
	size_t nx;
	const double *y; /* treatment */
	size_t ny;
};

/*
 * mean(y) - mean(x) by Welch (1947, Biometrika 34), method "welch": fan_est_minus() of both
 * fan_est_runs(), which say what is flagged. Never the pooled t: it covers 81 % at 10 against 5
 * runs of unequal spread. 0; -EINVAL: a value infinite, spec; -ENOMEM.
 */
int fan_est_welch(const struct fan_samples *s, const struct fan_est_spec *spec,
		  struct fan_est *ret);

/*
 * mean(ln y) - mean(ln x), unit "log" (spec->unit is not read): the log of the ratio of geometric
 * means; fan_est_percent() makes percent of it. A value of 0: no estimate, gap_none:zero_score.
 * 0; -EINVAL: a value infinite or below 0, spec; -ENOMEM.
 */
int fan_est_welch_log(const struct fan_samples *s, const struct fan_est_spec *spec,
		      struct fan_est *ret);

#endif
