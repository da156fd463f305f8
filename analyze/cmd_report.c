// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze report: one trace, one report. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/output.h"
#include "analyze/report/json.h"
#include "analyze/report/text.h"

enum { OPT_JSON = 256 };

static const struct argp_option options[] = {
	{ "json", OPT_JSON, "FILE", 0, "Write the report as JSON too; - instead of the text", 0 },
	{ 0 },
};

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

	switch (key) {
	case OPT_JSON:
		if (!*arg)
			argp_error(state, "--json: the file name is empty");
		a->json = arg;
		break;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->analysis;
		break;
	case ARGP_KEY_ARG:
		if (a->file)
			argp_error(state, "one file at a time");
		if (!*arg)
			argp_error(state, "the file name is empty");
		a->file = arg;
		break;
	case ARGP_KEY_END:
		if (!a->file)
			argp_error(state, "a trace.dat is needed");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int print_report(const struct fan_report *r, const struct arguments *a)
{
	const bool is_json_only = a->json && strcmp(a->json, "-") == 0;
	struct fcap_err err = { 0 };

	if (a->json && !is_json_only && fan_output_json(r, &fan_report_table, a->json, &err) < 0) {
		fan_complain(a->json, &err);
		return FAN_EXIT_SYSTEM;
	}
	if ((is_json_only ? fan_report_json(r, stdout, &err) : fan_report_text(r, stdout, &err)) <
	    0) {
		fan_complain("standard output", &err);
		return FAN_EXIT_SYSTEM;
	}
	return FAN_EXIT_OK;
}

int fan_cmd_report(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ 0 },
	};
	static const struct argp argp = { options, parse, "FILE", doc, children, NULL, NULL };
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
	status = fan_analyse(&r, a.file, &a.analysis, &err) < 0 ? fan_complain(a.file, &err)
								: print_report(&r, &a);
	fan_report_free(&r);
	fan_analysis_free(&a.analysis);
	free(command);
	return status;
}
