/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a table of scores to the tree of a comparison, whatever the table holds. */
#ifndef FAN_REPORT_SCORE_ASSEMBLE_H
#define FAN_REPORT_SCORE_ASSEMBLE_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/score_table.h"
#include "analyze/report/score_windows.h"
#include "fcap/err.h"

/*
 * Fills *ret, which the caller frees with fan_compare_free() also after a failure, from a table
 * that fan_scores_check() found good. 0; -ENOMEM; -EINVAL with a sentence: an option does not fit.
 */
int fan_scores_assemble(struct fan_compare *ret, const struct fan_score_table *t,
			const struct fan_score_options *options, struct fcap_err *err);

#endif
