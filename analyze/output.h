/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results as text and as JSON. For cmd_*.c only. */
#ifndef FAN_OUTPUT_H
#define FAN_OUTPUT_H

#include <argp.h>
#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/* Child parser of --json; its input is a const char *, NULL at first. */
extern const struct argp fan_json_argp;

/* Writes a result as text; 0 or negative errno with a sentence. */
typedef int fan_text_writer(const void *item, FILE *f, struct fcap_err *err);

/*
 * Writes a struct of this table to standard output as text, and as JSON to the file of this name;
 * "-" is standard output, without the text; NULL: text alone. A file is written beside its
 * final name first: when it is there it is complete. What is there and no regular file (a pipe,
 * a device) is written to and stays what it is. Complains, and returns the exit status.
 */
int fan_output(const void *item, const struct fan_table *table, const char *json,
	       fan_text_writer *text);

#endif
