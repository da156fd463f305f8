/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results as text, JSON, CSV, TeX and HTML. For cmd_*.c only. */
#ifndef FAN_OUTPUT_H
#define FAN_OUTPUT_H

#include <argp.h>
#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/* Child parser of --json; its input is a const char *, NULL at first. */
extern const struct argp fan_json_argp;

/* Files named by --json, --csv, --tex, --html; NULL: not asked for. "-" is standard output. */
struct fan_outputs {
	const char *json, *csv, *tex, *html;
};

/* Child parser of the first three; its input is a struct fan_outputs, NULLs at first. */
extern const struct argp fan_outputs_argp;

/* Child parser of --html; its input is the same. Of the four at most one can be "-". */
extern const struct argp fan_html_argp;

/* Writes a result as text; 0 or negative errno with a sentence. */
typedef int fan_text_writer(const void *item, FILE *f, struct fcap_err *err);

/*
 * Writes a struct of this table to standard output as text, and as JSON to the file of this name;
 * "-" is standard output, without the text; NULL: text alone. A file is written beside its
 * final name first: when it is there it is complete. What is there and no regular file (a pipe,
 * a device, a link) is written to and stays what it is. Complains, and returns the exit status.
 */
int fan_output(const void *item, const struct fan_table *table, const char *json,
	       fan_text_writer *text);

/*
 * Writes item to this file as above; NULL and "-" are standard output. 0; or what write returned,
 * or the negative errno of what failed around it, with a sentence.
 */
int fan_output_to(const void *item, const char *path, fan_text_writer *write, struct fcap_err *err);

/* How one kind of result is written; csv, tex and html may be NULL where nobody asks for them. */
struct fan_writers {
	fan_text_writer *text;
	const struct fan_table *json;
	fan_text_writer *csv, *tex, *html;
};

/* The same in all forms: to standard output goes the one whose file is "-", else the text. */
int fan_output_all(const void *item, const struct fan_writers *writers,
		   const struct fan_outputs *to);

#endif
