/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a file to a report, with the options that every verb which reports understands. For
 * cmd_*.c only.
 */
#ifndef FAN_ANALYSIS_H
#define FAN_ANALYSIS_H

#include <argp.h>

#include "analyze/report/assemble.h"
#include "analyze/report/tree.h"
#include "fcap/err.h"

/* Child parser: its input is the struct fan_report_options, with defaults already in it. */
extern const struct argp fan_analysis_argp;

void fan_analysis_defaults(struct fan_report_options *ret);

/* Reads the trace and fills *ret; fan_report_free() it also after a failure. */
int fan_analyse(struct fan_report *ret, const char *path, const struct fan_report_options *options,
		struct fcap_err *err);

/* The command as typed, words with blanks quoted, to be freed; NULL without memory. */
char *fan_command_line(int argc, char **argv);

/* Prints "fanalyze: OBJECT: TEXT" and returns the exit status that the error calls for. */
int fan_complain(const char *object, const struct fcap_err *err);

#endif
