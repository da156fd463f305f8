/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the JSON of a result tree looks like, told by its field tables: for programs and people. */
#ifndef FAN_REPORT_SCHEMA_H
#define FAN_REPORT_SCHEMA_H

#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/* One kind of JSON that the verbs write: its name and version, and what it is, in a sentence. */
struct fan_schema {
	const char *name; /* "fcap-report/1" */
	const char *doc;
	const struct fan_table *table;
};

/* JSON Schema, draft 2020-12. 0, -ENOMEM, or the error of the stream. */
int fan_schema_json(const struct fan_schema *schema, FILE *f, struct fcap_err *err);

/*
 * Lines of a manual page, for mandoc and man: a tagged paragraph for each field, below each other
 * with their paths, such as groups[].share. 0, or the error of the stream.
 */
int fan_schema_page(const struct fan_schema *schema, FILE *f, struct fcap_err *err);

/* Likewise for the flags of estimates, and those of reports, groups and work. -ENOMEM, too. */
int fan_schema_flags_page(FILE *f, struct fcap_err *err);

#endif
