/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that read score tables. */
#ifndef FAN_REPORT_SCORE_READ_H
#define FAN_REPORT_SCORE_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/report/score_table.h"

#define FAN_SCORE_COLUMNS 64 /* of one file */
#define FAN_SCORE_GROUPS  10 /* most groups of the later form */

/* Where in the input we are; err is what the caller gets. */
struct fan_score_place {
	const char *path;
	size_t line; /* 0: the file as a whole */
	int32_t file;
	const char *config; /* for files that have none of their own; NULL: none */
	struct fcap_err *err;
};

/* Fills place->err with FILE:LINE and the sentence; returns -code. */
__attribute__((format(printf, 3, 4))) int fan_score_fail(const struct fan_score_place *place,
							 int code, const char *fmt, ...);

/* The index of this name, which is added if it is new. Negative errno if there are too many. */
int fan_score_intern(struct fan_strs *names, const char *name, const char *what,
		     const struct fan_score_place *place);

/* Adds a row of this kind; checks value, total and kind. 0 or negative errno. */
int fan_score_add(struct fan_score_table *t, enum fan_score_kind kind,
		  const struct fan_score_row *row, const struct fan_score_place *place);

/* Splits a CSV or TSV line in place, quotes as in RFC 4180, blanks around fields dropped. 0;
 * -EINVAL: a quote is not closed, or more follows it; -E2BIG: more fields than max. */
int fan_csv_split(char *line, char separator, char **ret_fields, size_t max, size_t *ret_n);

/* The columns that mean something; FAN_SCORE_KNOWN is their number. */
enum fan_score_column {
	FAN_SCORE_RUN,
	FAN_SCORE_ORDER,
	FAN_SCORE_WINDOW,
	FAN_SCORE_CONFIG,
	FAN_SCORE_VM,
	FAN_SCORE_SCORE,
	FAN_SCORE_SHARE,
	FAN_SCORE_TOTAL,
	FAN_SCORE_EXPECTED,
	FAN_SCORE_GAP,
	FAN_SCORE_KNOWN,
};

/* Where a header has them. */
struct fan_score_header {
	char separator;
	size_t n;		     /* fields of each line */
	int column[FAN_SCORE_KNOWN]; /* position; -1: not there */
	enum fan_score_kind kind;
};

/* The header, the first line of a CSV or TSV file, which is split in place. 0 or -EINVAL. */
int fan_score_header(struct fan_score_header *ret, struct fan_score_table *t, char *line,
		     const struct fan_score_place *place);
/* A line below it. */
int fan_score_csv_row(struct fan_score_table *t, const struct fan_score_header *h, char *line,
		      const struct fan_score_place *place);

/* A log of steal-time-benchmark. */
struct fan_score_log {
	char name[256]; /* of the VM: the file's without folder and ending */
	size_t groups;	/* of each line; 0: the form of 2015 */
	size_t lines;
};

/* True if this line is one that the benchmark prints; then *ret is ready for it. */
bool fan_score_log_begin(struct fan_score_log *ret, const char *line, const char *path);
int fan_score_log_row(struct fan_score_table *t, struct fan_score_log *log, const char *line,
		      const struct fan_score_place *place);
/* What else it prints, at its begin and end. */
bool fan_score_is_chatter(const char *line);

#endif
