/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results as a page of HTML, with figures by gnuplot. For cmd_*.c only. */
#ifndef FAN_HTML_H
#define FAN_HTML_H

#include <stdio.h>

#include "analyze/report/compare_tree.h"
#include "analyze/report/tree.h"
#include "fcap/err.h"

/*
 * Writes the page and flushes f. Figures that cannot be drawn are complained of here, and said in
 * the page. 0, or a negative errno with a sentence.
 */
int fan_report_html(const struct fan_report *r, FILE *f, struct fcap_err *err);
int fan_compare_html(const struct fan_compare *c, FILE *f, struct fcap_err *err);

#endif
