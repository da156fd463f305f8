/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of runs as the runs of a comparison. */
#ifndef FAN_REPORT_SCORE_RUNS_H
#define FAN_REPORT_SCORE_RUNS_H

#include "analyze/report/runs.h"
#include "analyze/report/score_table.h"

/*
 * Appends the runs of a checked table of FAN_SCORES_RUNS; a file that names no configuration is one
 * of "all". What came first is known from a column
 * order alone: rows are often sorted. 0 or -ENOMEM.
 */
int fan_score_runs(struct fan_runs *ret, const struct fan_score_table *t);

#endif
