/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verbs have in common that make one page of one trace. For cmd_*.c only. */
#ifndef FAN_ONE_REPORT_H
#define FAN_ONE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/report/style.h"
#include "analyze/report/tree.h"
#include "fcap/err.h"

typedef int fan_report_writer(const struct fan_report *r, FILE *f, struct fcap_err *err);

struct fan_report_verb {
	const char *doc; /* for argp: before and after the options */
	int (*write_text)(const struct fan_report *r, struct fan_style style, FILE *f,
			  struct fcap_err *err);
	fan_report_writer *write_csv, *write_tex;
	fan_report_writer *write_html; /* NULL: not as HTML */
	bool has_names;		       /* of esxtop too, in the text; only beside HTML */
	int (*status)(const struct fan_report *r); /* once it is written; NULL: 0 */
};

/* Parses the command line, analyses, writes it in all forms. The exit status. */
int fan_one_report(int argc, char **argv, const struct fan_report_verb *verb);

#endif
