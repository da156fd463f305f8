/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as text for a terminal of 80 columns, and as tables for LaTeX. */
#ifndef FAN_REPORT_TEXT_COMPARE_H
#define FAN_REPORT_TEXT_COMPARE_H

#include <stdio.h>

#include "analyze/report/compare_tree.h"
#include "analyze/report/style.h"
#include "fcap/err.h"

#define FAN_TEXT_RUNS 60 /* whose values are shown; the rest is counted */

/*
 * On a page, for two configurations of two or three VMs: the answer, the isolation, what changed,
 * the runs and the notes. See fan_report_text() for what holds of both.
 */
int fan_compare_text(const struct fan_compare *c, FILE *f, struct fcap_err *err);

/* The same with colour, as far as style has it; all: and then all tables. */
int fan_compare_text_styled(const struct fan_compare *c, bool all, struct fan_style style, FILE *f,
			    struct fcap_err *err);

/* Scores, shares and gaps as LaTeX tables (tex.h), with level and margin in comments. */
int fan_compare_tex(const struct fan_compare *c, FILE *f, struct fcap_err *err);

#endif
