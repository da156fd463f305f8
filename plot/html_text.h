/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text and numbers of an HTML page that is well-formed XML too. Whatever a name holds, it stays
 * text: characters that mean something to HTML become references, bytes that are no printable
 * UTF-8 become \xHH as in figures. Knows no tree.
 */
#ifndef FPLOT_HTML_TEXT_H
#define FPLOT_HTML_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/stats/est.h"

#define FPLOT_HTML_NONE "\xE2\x80\x93" /* an en dash: there is no such thing */

/* Writes s as text or as the value of an attribute in quotes; NULL: FPLOT_HTML_NONE. */
void fplot_html_text(FILE *f, const char *s);

/* Four significant digits and a unit, whole numbers without a point: "812.3 µs", "2 s". */
void fplot_html_ns(FILE *f, int64_t ns);

void fplot_html_i64(FILE *f, int64_t v);

/* So many decimals, a true minus sign; is_signed: a plus sign too. NaN: FPLOT_HTML_NONE. */
void fplot_html_fixed(FILE *f, double v, int decimals, bool is_signed);

/* Four significant digits, three of less than 0.1; of large numbers all in front of the point. NaN
 * as above. */
void fplot_html_real(FILE *f, double v);

/* Decimals that show two digits of the interval's longer half, 3 at most; 2 without one. */
int fplot_html_decimals(const struct fan_est *est);

/* "[-0.30, 0.42]", of the interval that verdicts use; FPLOT_HTML_NONE without. */
void fplot_html_interval(FILE *f, const struct fan_est *est);

#endif
