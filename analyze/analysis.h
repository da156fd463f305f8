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

/* What the options say. Arrays and names are owned. */
struct fan_analysis {
	struct fan_report_options report;
	struct fan_model_options model;
	struct fan_vm_request *vms;
	struct fan_given_weight *weights;
	int32_t *apart;
	struct fcap_cpuset *siblings;
	bool needs_time;   /* a file whose stamps are no time is refused */
	bool is_truncated; /* what is whole of a damaged file is enough */
	bool is_silent;	   /* somebody else shows how far it is */
};

/* Child parser: its input is a struct fan_analysis, with defaults already in it. */
extern const struct argp fan_analysis_argp;

/* Child parser of the one FILE that a verb needs; its input is a const char *, NULL at first. */
extern const struct argp fan_file_argp;

/* The values of --level and --margin; a bad one ends the program with a sentence. */
void fan_parse_level(struct argp_state *state, const char *arg, double *ret);
void fan_parse_margin(struct argp_state *state, const char *arg, const char *unit, double *ret);

/* command, borrowed, goes into the report as what was typed. */
void fan_analysis_init(struct fan_analysis *a, const char *command);
void fan_analysis_free(struct fan_analysis *a);

/* Opens the file, whole or not, as the options say. 0 or negative errno with a sentence. */
int fan_analysis_open(struct fan_file **ret, const char *path, const struct fan_analysis *a,
		      struct fcap_err *err);

/* Refuses a damaged file of which nothing is left that a report could be of; as above. */
int fan_check_rest(const struct fan_model *m, struct fcap_err *err);

/* Reads the trace and fills *ret; fan_report_free() it also after a failure. */
int fan_analyse(struct fan_report *ret, const char *path, const struct fan_analysis *a,
		struct fcap_err *err);

/*
 * The command as typed, argv[0] (program and verb) first, words with blanks quoted, to be freed;
 * NULL without memory.
 */
char *fan_command_line(int argc, char **argv);

/* Prints "fanalyze: OBJECT: TEXT" for each of these, which are no error. */
void fan_remark(const char *object, const struct fan_strs *texts);

/* Prints "fanalyze: OBJECT: TEXT" and returns the exit status that the error calls for. */
int fan_complain(const char *object, const struct fcap_err *err);

#endif
