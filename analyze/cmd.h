/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verbs of fanalyze. Each parses its own options, prints, and returns the exit status. argv[0]
 * is the program with the verb: "fanalyze report" or "perf fanalyze report".
 */
#ifndef FAN_CMD_H
#define FAN_CMD_H

enum {
	FAN_EXIT_OK = 0,
	FAN_EXIT_SYSTEM = 1, /* the system refused: I/O, memory */
	FAN_EXIT_USAGE = 2,  /* usage, or a damaged or unsuitable file */
	FAN_EXIT_FOUND = 3,  /* done, and what was looked for is there */
	FAN_EXIT_OPEN = 4,   /* no verdict is possible */
};

int fan_cmd_report(int argc, char **argv);
int fan_cmd_audit(int argc, char **argv);
int fan_cmd_scores(int argc, char **argv);
int fan_cmd_plot(int argc, char **argv);
int fan_cmd_compare(int argc, char **argv);
int fan_cmd_info(int argc, char **argv);
int fan_cmd_export(int argc, char **argv);
int fan_cmd_schema(int argc, char **argv);

#endif
