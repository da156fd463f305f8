/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What score tables come to, as text for a terminal of 80 columns. */
#ifndef FAN_REPORT_SCORE_TEXT_H
#define FAN_REPORT_SCORE_TEXT_H

#include <stdio.h>

#include "analyze/report/compare_tree.h"
#include "analyze/report/style.h"
#include "fcap/err.h"

struct fan_print; /* of print.h */

/*
 * The answer, then the numbers behind it; flushes f, which stays the caller's. Computes nothing.
 * all: with all tables of scores of runs; those of the others are there already. 0; -ENOMEM; or the
 * error of the write, with a sentence in err.
 */
int fan_scores_text(const struct fan_compare *c, bool all, struct fan_style style, FILE *f,
		    struct fcap_err *err);

/* What the text begins with; of runs, and of any other comparison, what theirs begins with. */
void fan_print_scores_answer(const struct fan_compare *c, struct fan_print *p);

#endif
