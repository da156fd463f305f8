// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze report: one trace, one report. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/output.h"
#include "analyze/report/text.h"

static const char doc[] =
	"Says how the CPU was shared in a recorded run: share and expected share of each VM with "
	"an "
	"interval and a verdict, run, wait and sleep of each thread, and whether the waits agree "
	"with "
	"the kernel's own counter."
	"\v"
	"Examples:\n"
	"  fanalyze report trace.dat\n"
	"  fanalyze report --json report.json trace.dat\n"
	"  fanalyze report --group process --json - trace.dat | jq .groups[0].share\n";

struct arguments {
	struct fan_analysis analysis;
	const char *json, *file;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = &a->file;
	state->child_inputs[1] = &a->json;
	state->child_inputs[2] = &a->analysis;
	return 0;
}

static int write_text(const void *report, FILE *f, struct fcap_err *err)
{
	return fan_report_text(report, f, err);
}

int fan_cmd_report(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_json_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ 0 },
	};
	static const struct argp argp = { NULL, parse, "FILE", doc, children, NULL, NULL };
	struct arguments a = { 0 };
	char name[] = "fanalyze report";
	char *command = fan_command_line(argc, argv);
	struct fan_report r;
	struct fcap_err err = { 0 };
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	status = fan_analyse(&r, a.file, &a.analysis, &err) < 0
			 ? fan_complain(a.file, &err)
			 : fan_output(&r, &fan_report_table, a.json, write_text);
	fan_report_free(&r);
	fan_analysis_free(&a.analysis);
	free(command);
	return status;
}
