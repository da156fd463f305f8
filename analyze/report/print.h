/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for people: paragraphs of 80 columns and rounded numbers. All text that goes through
 * here is safe for a terminal: bytes other than printable ASCII become \xHH. Escape sequences are
 * only those of style.h, and count for no column.
 */
#ifndef FAN_REPORT_PRINT_H
#define FAN_REPORT_PRINT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/report/style.h"
#include "analyze/stats/est.h"
#include "fcap/err.h"

#define FAN_PRINT_WIDTH 80

/* r is 0, or the first error (negative errno); from then on nothing is printed. */
struct fan_print {
	FILE *f; /* the caller's */
	int r;
	struct fan_style style;
	const char *strong; /* of the next paragraph, see fan_print_strong(); NULL: nothing */
	unsigned int strong_mark;
};

struct fan_cell {
	char text[32];
};

struct fan_interval {
	double lo, hi; /* NaN: there is none */
};

/* The formatted and escaped text, to be freed; NULL when memory is short. */
__attribute__((format(printf, 1, 0))) char *fan_safe_text(const char *fmt, va_list ap);

__attribute__((format(printf, 1, 2))) char *fan_safe(const char *fmt, ...);

/* One paragraph, broken at blanks; lines after the first begin with hang blanks. */
__attribute__((format(printf, 3, 4))) void fan_print_para(struct fan_print *p, size_t hang,
							  const char *fmt, ...);

/*
 * Where there is colour, the last place of the next paragraph in which these words stand gets this
 * mark. They are borrowed until then; words that name nothing, NULL, mark nothing.
 */
void fan_print_strong(struct fan_print *p, const char *words, unsigned int mark);

void fan_print_blank(struct fan_print *p);

/* Flushes. 0; or what failed first, here or before, with a sentence in err. */
int fan_print_finish(struct fan_print *p, struct fcap_err *err);

/* "12.34 s", "812.3 ms": four significant digits, whole seconds from 1000 s; "-" for none. */
struct fan_cell fan_format_ns(int64_t ns);

/* "-" for FAN_NONE. */
struct fan_cell fan_format_i64(int64_t v);

/* A fixed number of decimals; "-" for NaN. signs: a positive number gets its "+". */
struct fan_cell fan_format_real(double v, int decimals, bool signs);

/* The adjusted interval where there is one (verdicts use it), else the plain one. */
struct fan_interval fan_interval_shown(const struct fan_est *est);

/*
 * Decimals that show two significant digits of the interval's longer half, at
 * most three: finer than a thousandth of a point tells nobody anything. 1 without an interval.
 */
int fan_interval_decimals(double value, struct fan_interval in);

/* Half of the interval: "0.42"; "-0.30/+0.42" if value is not its middle; "-" without. */
struct fan_cell fan_format_half(double value, struct fan_interval in);

#endif
