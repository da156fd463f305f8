/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of a VM in a run that figures of comparisons draw: its score, or its CPU time. */
#ifndef FPLOT_RUN_VALUES_H
#define FPLOT_RUN_VALUES_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/report/compare_tree.h"

/* The one unit of all scores; NULL: there is none, or several, and CPU time is drawn. */
const char *fplot_runs_unit(const struct fan_compare *c);

/* In that unit, CPUs for NULL; NaN: this run does not tell it. */
double fplot_run_value(const struct fan_run *run, const char *vm, const char *unit);

bool fplot_is_run_of(const struct fan_run *run, const struct fan_c_configuration *config);

/* The VM of this name in a configuration; NULL: it has none. */
const struct fan_c_group *fplot_config_group(const struct fan_c_configuration *config,
					     const char *vm);

/* The same of the mean over its runs; NULL: there is no such VM. */
const struct fan_est *fplot_config_mean(const struct fan_c_configuration *config, const char *vm,
					const char *unit);

/* Names the y axis after the unit; hi is the largest value. */
void fplot_put_value_axis(FILE *f, const char *unit, double hi);

/* What is measured, as a comment line. */
void fplot_put_measured(FILE *f, const char *unit);

#endif
