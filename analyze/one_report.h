/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verbs have in common that make one page of one trace. For cmd_*.c only. */
#ifndef FAN_ONE_REPORT_H
#define FAN_ONE_REPORT_H

#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

struct fan_report_verb {
	const char *name; /* "fanalyze report" */
	const char *doc;  /* for argp: before and after the options */
	int (*write_text)(const struct fan_report *r, FILE *f, struct fcap_err *err);
	/* the same with the names of esxtop; NULL: the verb has no --names */
	int (*write_esx)(const struct fan_report *r, FILE *f, struct fcap_err *err);
	int (*status)(const struct fan_report *r); /* once it is written; NULL: 0 */
};

/* Parses the command line, analyses, writes text or JSON. The exit status. */
int fan_one_report(int argc, char **argv, const struct fan_report_verb *verb);

#endif
