/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of structs as CSV (RFC 4180), driven by their field table alone. */
#ifndef FAN_REPORT_CSV_H
#define FAN_REPORT_CSV_H

#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/*
 * One line of names, then one line an item, and flushes f, which stays the caller's. A struct, an
 * estimate or a verdict within is spread over columns NAME.MEMBER; a number whose name does not
 * tell its unit gets _ns, _pct, _pp or _cpus behind it; lists of strings are joined with "; ";
 * other lists and maps have no column. Numbers are as in JSON (%.17g), what does not exist is an
 * empty cell; bytes that are no printable ASCII become \xHH, and a text that a spreadsheet would
 * take for a formula gets an apostrophe in front. 0; -ENOMEM; or the error of the write.
 */
int fan_csv(const struct fan_array *items, const struct fan_table *table, FILE *f,
	    struct fcap_err *err);

/* A column that is the same in all lines; value NULL: does not exist. */
struct fan_csv_constant {
	const char *name, *value;
};

/* The same, with these n columns before the others. */
int fan_csv_of(const struct fan_csv_constant *constants, size_t n, const struct fan_array *items,
	       const struct fan_table *table, FILE *f, struct fcap_err *err);

#endif
