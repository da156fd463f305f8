/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps without the runs behind them: what can be said of them, and what would be needed. */
#ifndef FAN_REPORT_SCORE_SUMMARY_H
#define FAN_REPORT_SCORE_SUMMARY_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/score_table.h"
#include "analyze/report/score_windows.h"

/* Run-to-run spread of a score, in percent, where nobody measured it: an assumption, told as one.
 */
#define FAN_SUMMARY_NOISE 3.0

/*
 * Adds the gaps of a checked table of FAN_SCORES_SUMMARY to *ret: values without intervals, with
 * what an unsigned gap of two equal VMs would show in one run (two independent scores with
 * FAN_SUMMARY_NOISE each) and the runs of each configuration that a change of the margin needs;
 * and notes. 0; -ENOMEM; -EINVAL: no such baseline, an option does not fit.
 */
int fan_score_assemble_summary(struct fan_compare *ret, const struct fan_score_table *t,
			       const struct fan_score_options *options, struct fcap_err *err);

#endif
