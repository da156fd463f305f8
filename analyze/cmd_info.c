// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze info: what is in a file. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/cmd_progress.h"
#include "analyze/inspect.h"
#include "analyze/output.h"
#include "fcap/options.h"

static const char doc[] =
	"Says what is in a trace.dat: its frame, buffers, range, events, markers of fcap and "
	"losses; "
	"and which questions it cannot answer, with the way to record one that can."
	"\v"
	"Examples:\n"
	"  fanalyze info trace.dat\n"
	"  fanalyze info --json - trace.dat | jq .events\n";

enum { OPT_TRUNCATED = 256 };

static const struct argp_option options[] = {
	{ "truncated", OPT_TRUNCATED, NULL, 0,
	  "Of a file that is cut off or damaged tell what comes before", 0 },
	{ 0 },
};

struct arguments {
	const char *json, *file;
	bool is_truncated;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	(void)arg;
	if (key == OPT_TRUNCATED) {
		a->is_truncated = true;
		return 0;
	}
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = &a->file;
	state->child_inputs[1] = &a->json;
	return 0;
}

static int write_text(const void *info, FILE *f, struct fcap_err *err)
{
	return fan_info_text(info, f, err);
}

static void watch(void *ctx, struct fan_file *file)
{
	fan_progress_begin(ctx, file);
}

/* Reads the file with progress on a terminal. */
static int inspect(struct fan_info *ret, const struct arguments *a, struct fcap_err *err)
{
	struct fan_progress progress = { 0 };
	const struct fan_inspect_options how = { a->is_truncated, watch, &progress };
	const int r = fan_inspect(ret, a->file, &how, err);

	fan_progress_end(&progress);
	return r;
}

int fan_cmd_info(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_json_argp, 0, NULL, 0 },
		{ 0 },
	};
	static const struct argp argp = { options, parse, "FILE", doc, children, NULL, NULL };
	struct arguments a = { 0 };
	char *command = fan_command_line(argc, argv);
	struct fan_info info;
	struct fcap_err err = { 0 };
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &a);
	if (inspect(&info, &a, &err) < 0) {
		free(command);
		status = fan_complain(a.file, &err);
	} else {
		info.tool.command = command;
		status = fan_output(&info, &fan_info_table, a.json, write_text);
	}
	fan_info_free(&info);
	return status;
}
