/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a table, written one after the other: as CSV (RFC 4180; lines end with a newline alone)
 * with the columns' names in the first line, or as JSON, one object a line. Nothing is kept.
 * Text: in CSV bytes that are no printable ASCII become \xHH, and what a spreadsheet would take for
 * a formula gets an apostrophe in front; JSON is ASCII, bytes that are no UTF-8 become U+FFFD.
 */
#ifndef FAN_REPORT_EXPORT_ROWS_H
#define FAN_REPORT_EXPORT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/report/sink.h"
#include "fcap/marker.h"

struct fan_rows {
	struct fan_sink to; /* to be flushed after the last row */
	bool is_json;
	const char *const *columns; /* their names, with units; n of them */
	size_t n;
	size_t at; /* the next cell's column */
};

/* Writes what comes before the first row. */
void fan_rows_begin(struct fan_rows *rows);

/* One cell each, in the order of the columns; FAN_NONE, NaN and NULL: there is no value. */
void fan_rows_i64(struct fan_rows *rows, int64_t v);
void fan_rows_real(struct fan_rows *rows, double v);
void fan_rows_text(struct fan_rows *rows, const char *s);

/*
 * The keys and values of a line as one cell: in CSV as the line has them, in JSON as an object of
 * strings. Of a key that comes twice the first.
 */
void fan_rows_pairs(struct fan_rows *rows, const struct fcap_marker *line);

/* After the last cell. 0; or the error of a write, of a row before. */
int fan_rows_end(struct fan_rows *rows);

#endif
