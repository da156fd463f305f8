// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/one_report.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/names.h"
#include "analyze/output.h"
#include "fcap/options.h"

struct arguments {
	struct fan_analysis analysis;
	const char *json, *file;
	enum fan_names names;
	const struct fan_report_verb *verb;
};

/* A report with what writes it. */
struct page {
	struct fan_report report; /* first: the field table is of this */
	const struct fan_report_verb *verb;
	enum fan_names names;
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
	if (a->verb->write_esx)
		state->child_inputs[3] = &a->names;
	return 0;
}

static int write_page(const void *page, FILE *f, struct fcap_err *err)
{
	const struct page *p = page;

	if (p->names == FAN_NAMES_ESX)
		return p->verb->write_esx(&p->report, f, err);
	return p->verb->write_text(&p->report, f, err);
}

static int run(const struct arguments *a)
{
	struct page p = { .verb = a->verb, .names = a->names };
	struct fcap_err err = { 0 };
	int status;

	if (fan_analyse(&p.report, a->file, &a->analysis, &err) < 0)
		status = fan_complain(a->file, &err);
	else
		status = fan_output(&p, &fan_report_table, a->json, write_page);
	if (status == FAN_EXIT_OK && a->verb->status)
		status = a->verb->status(&p.report);
	fan_report_free(&p.report);
	return status;
}

int fan_one_report(int argc, char **argv, const struct fan_report_verb *verb)
{
	const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_json_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ verb->write_esx ? &fan_names_argp : NULL, 0, NULL, 0 },
		{ 0 },
	};
	const struct argp argp = { NULL, parse, "FILE", verb->doc, children, NULL, NULL };
	struct arguments a = { .verb = verb };
	char *command = fan_command_line(argc, argv), *name = strdup(verb->name);
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	argv[0] = name ? name : argv[0];
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &a);
	status = run(&a);
	fan_analysis_free(&a.analysis);
	free(name);
	free(command);
	return status;
}
