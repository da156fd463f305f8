/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many runs an experiment needs, from the run-to-run spread of a pilot. */
#ifndef FAN_STATS_PLANNING_H
#define FAN_STATS_PLANNING_H

#include <stddef.h>

#include "analyze/stats/est.h"

#define FAN_PLAN_MAX 1000 /* runs above which the answer is "more than 1000" */

/* What is to be reached; runs are counted for each configuration. */
enum fan_plan {
	FAN_PLAN_TWO,	     /* see a difference of delta between two configurations */
	FAN_PLAN_PAIRED,     /* the same from the differences of paired runs or blocks */
	FAN_PLAN_EQUIVALENT, /* show that two equal configurations differ by less than delta */
	FAN_PLAN_HALF_WIDTH, /* the interval of one configuration is value +- delta */
};

struct fan_plan_spec {
	enum fan_plan plan;
	double delta, sd; /* in one unit, above 0; sd between runs (paired: of the differences) */
	double level;	  /* 0.5 < level < 1 */
	double power;	  /* 0 < power < 1; not read for a half-width */
};

/*
 * Power of the two-sided t test at 1 - level with df degrees of freedom and noncentrality ncp:
 *   integral over w of [Phi(ncp - c sqrt(w/df)) + Phi(-ncp - c sqrt(w/df))] chi2(w; df) dw,
 * c the critical value of t: the noncentral t by its definition, for GSL has none. Error below
 * 1e-10. NaN unless df > 0, ncp >= 0 and 0 < level < 1, or without memory.
 */
double fan_power_t(double ncp, double df, double level);

/*
 * The smallest number of runs, from 2, for which:
 *   two, paired: fan_power_t() at ncp = delta/sd sqrt(n/2) with 2 n - 2 df, and at
 *     delta/sd sqrt(n) with n - 1 df, reaches power;
 *   equivalent: 2 T(delta/(sd sqrt(2/n)) - t) - 1 >= power, T Student's t with 2 n - 2 df and t its
 *     one-sided critical value at 1 - level (an approximation, at no true difference);
 *   half-width: t sd/sqrt(n) <= delta.
 * FAN_PLAN_MAX + 1 where more are needed; 0 for a spec out of range.
 */
size_t fan_runs_needed(const struct fan_plan_spec *spec);

/*
 * The standard deviation between runs behind an estimate over runs: se sqrt(R) of one set or of
 * pairs, se/sqrt(1/n_1 + 1/n_2) of a difference of two, whose spreads are taken as equal. NaN
 * without se, and of the windows of one run.
 */
double fan_sd_of_runs(const struct fan_est *est);

/*
 * The upper limit of a standard deviation at this confidence (0 to 1):
 * sd sqrt((n - 1)/chi2), chi2 the quantile at 1 - confidence with n - 1 df. NaN below 2 runs.
 */
double fan_sd_upper(double sd, size_t n, double confidence);

#endif
