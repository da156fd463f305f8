// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze info: what is in a file. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/inspect.h"
#include "analyze/output.h"
#include "analyze/report/json.h"

enum { OPT_JSON = 256 };

static const struct argp_option options[] = {
	{ "json", OPT_JSON, "FILE", 0, "Write it as JSON too; - instead of the text", 0 },
	{ 0 },
};

static const char doc[] =
	"Says what is in a trace.dat: its frame, buffers, range, events, markers of fcap and "
	"losses; "
	"and which questions it cannot answer, with the way to record one that can."
	"\v"
	"Examples:\n"
	"  fanalyze info trace.dat\n"
	"  fanalyze info --json - trace.dat | jq .events\n";

struct arguments {
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

static int print_info(const struct fan_info *info, const char *json)
{
	const bool is_json_only = json && strcmp(json, "-") == 0;
	struct fcap_err err = { 0 };

	if (json && !is_json_only && fan_output_json(info, &fan_info_table, json, &err) < 0) {
		fan_complain(json, &err);
		return FAN_EXIT_SYSTEM;
	}
	if ((is_json_only ? fan_tree_json(info, &fan_info_table, stdout, &err)
			  : fan_info_text(info, stdout, &err)) < 0) {
		fan_complain("standard output", &err);
		return FAN_EXIT_SYSTEM;
	}
	return FAN_EXIT_OK;
}

int fan_cmd_info(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "FILE", doc, NULL, NULL, NULL };
	struct arguments a = { 0 };
	char name[] = "fanalyze info";
	char *command = fan_command_line(argc, argv);
	struct fan_info info;
	struct fcap_err err = { 0 };
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (fan_inspect(&info, a.file, &err) < 0) {
		free(command);
		status = fan_complain(a.file, &err);
	} else {
		info.tool.command = command;
		status = print_info(&info, a.json);
	}
	fan_info_free(&info);
	return status;
}
