// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze audit: one trace, one question: were VMs kept apart? */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/output.h"
#include "analyze/report/text_audit.h"

static const char doc[] =
	"Says whether vCPUs of different VMs ran on one core at the same time, and whether core "
	"scheduling keeps them apart. As JSON it is the whole report."
	"\v"
	"Exit status: 0 they were kept apart; 3 they were not; 4 nothing can be said: the trace "
	"does not tell, there is nothing to be kept apart, or no core was used by two VMs.\n"
	"\n"
	"Examples:\n"
	"  fanalyze audit trace.dat\n"
	"  fanalyze audit --siblings '0-1;2-3' --tolerance 60ms trace.dat\n"
	"  fanalyze audit --json - trace.dat | jq .isolation.levels\n";

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
	return fan_audit_text(report, f, err);
}

static int status_of(const struct fan_r_isolation *iso)
{
	const char *word = iso->verdict.word ? iso->verdict.word : "";

	if (strcmp(word, "isolated") == 0)
		return FAN_EXIT_OK;
	return strcmp(word, "shared") == 0 ? FAN_EXIT_FOUND : FAN_EXIT_OPEN;
}

static int audit(const struct arguments *a)
{
	struct fan_report r;
	struct fcap_err err = { 0 };
	int status;

	if (fan_analyse(&r, a->file, &a->analysis, &err) < 0)
		status = fan_complain(a->file, &err);
	else
		status = fan_output(&r, &fan_report_table, a->json, write_text);
	if (status == FAN_EXIT_OK)
		status = status_of(&r.isolation);
	fan_report_free(&r);
	return status;
}

int fan_cmd_audit(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_json_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ 0 },
	};
	static const struct argp argp = { NULL, parse, "FILE", doc, children, NULL, NULL };
	struct arguments a = { 0 };
	char name[] = "fanalyze audit";
	char *command = fan_command_line(argc, argv);
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	status = audit(&a);
	fan_analysis_free(&a.analysis);
	free(command);
	return status;
}
