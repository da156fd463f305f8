// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze compare: runs of several configurations, and what changed between them. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/colour.h"
#include "analyze/compare_output.h"
#include "analyze/fail_if.h"
#include "analyze/report/compare_assemble.h"
#include "analyze/report/text_compare.h"
#include "analyze/many_files.h"
#include "fcap/options.h"

enum { OPT_CONFIG = 0x3000, OPT_BY, OPT_BASELINE, OPT_PAIRED, OPT_ALL };

static const char doc[] =
	"Says what changed from one configuration of the host to another, such as core scheduling "
	"off and on, over several runs of each, on a page: isolation, throughput, CPU time, "
	"efficiency, fairness, gaps between VMs and forced idle, with intervals, verdicts and the "
	"runs still needed. A FILE is a trace.dat, or a report that "
	"fanalyze report wrote as JSON."
	"\v"
	"Examples:\n"
	"  fanalyze compare --config off off-*.dat --config on on-*.dat\n"
	"  fanalyze compare --by core_sched --json compare.json *.json\n"
	"  fanalyze compare --by core_sched --paired block --margin 2 *.dat\n";

static const struct argp_option options[] = {
	{ "all", OPT_ALL, NULL, 0, "All tables behind the page: p values, shares, every run", 0 },
	{ "config", OPT_CONFIG, "NAME", 0,
	  "The files that follow, up to the next --config, are runs of this configuration", 0 },
	{ "by", OPT_BY, "LABEL", 0,
	  "The configuration of each run is the value of this label of the recording", 0 },
	{ "baseline", OPT_BASELINE, "NAME", 0,
	  "Set the others against this configuration (off if there is one, else the first)", 0 },
	{ "paired", OPT_PAIRED, "LABEL", 0,
	  "Runs with the same value of this label are a block: compare within blocks", 0 },
	{ 0 },
};

/* One run as it was named. */
struct input {
	const char *file, *config;
};

struct arguments {
	struct fan_analysis analysis;
	struct fan_outputs outputs;
	struct fan_fail_if fail_if;
	enum fan_colour colour;
	struct fan_compare_options compare;
	const char *config; /* of the files that follow */
	bool has_files;	    /* of this configuration */
	bool is_all;
	struct input *inputs;
	size_t ninputs;
};

static void add_input(struct argp_state *state, struct arguments *a, const char *file)
{
	struct input *grown;

	if (!*file)
		argp_error(state, "the file name is empty");
	grown = reallocarray(a->inputs, a->ninputs + 1, sizeof(*grown));
	if (!grown) {
		argp_failure(state, FAN_EXIT_SYSTEM, ENOMEM, "files");
		return;
	}
	grown[a->ninputs++] = (struct input){ file, a->config };
	a->has_files = true;
	a->inputs = grown;
}

/* The same run twice would count as two that agree. */
static void check_twice(struct argp_state *state, const struct arguments *a)
{
	struct stat one, other;

	for (size_t i = 0; i < a->ninputs; i++) {
		if (stat(a->inputs[i].file, &one) < 0 || !S_ISREG(one.st_mode))
			continue;
		for (size_t k = 0; k < i; k++)
			if (stat(a->inputs[k].file, &other) == 0 && one.st_dev == other.st_dev &&
			    one.st_ino == other.st_ino)
				argp_error(state, "%s: this run is named twice", a->inputs[i].file);
	}
}

/* A configuration that is left by another, or by the end, has had its files. */
static void leave_config(struct argp_state *state, struct arguments *a)
{
	if (a->config && !a->has_files)
		argp_error(state, "--config %s: no file follows it", a->config);
	a->has_files = false;
}

static void check(struct argp_state *state, struct arguments *a)
{
	if (a->ninputs == 0)
		argp_error(state, "a trace.dat or report is needed");
	leave_config(state, a);
	if (a->compare.by && a->config)
		argp_error(state, "either --config or --by tells the configurations, not both");
	for (size_t i = 0; i < a->ninputs && !a->compare.by; i++)
		if (!a->inputs[i].config)
			argp_error(state,
				   "%s: of which configuration? --config NAME goes before "
				   "its files, or --by LABEL reads it from them",
				   a->inputs[i].file);
	check_twice(state, a);
}

static const char *name_of(struct argp_state *state, const char *option, const char *arg)
{
	if (!*arg)
		argp_error(state, "%s: the name is empty", option);
	return arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->outputs;
		state->child_inputs[1] = &a->outputs;
		state->child_inputs[2] = &a->fail_if;
		state->child_inputs[3] = &a->colour;
		state->child_inputs[4] = &a->analysis;
		break;
	case OPT_ALL:
		a->is_all = true;
		break;
	case OPT_CONFIG:
		leave_config(state, a);
		a->config = name_of(state, "--config", arg);
		break;
	case OPT_BY:
		a->compare.by = name_of(state, "--by", arg);
		break;
	case OPT_BASELINE:
		a->compare.baseline = name_of(state, "--baseline", arg);
		break;
	case OPT_PAIRED:
		a->compare.paired = name_of(state, "--paired", arg);
		break;
	case ARGP_KEY_ARG:
		add_input(state, a, arg);
		break;
	case ARGP_KEY_END:
		check(state, a);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* In the order of the inputs: what is kept of a run is small. Complains; or FAN_EXIT_OK. */
static int add_runs(struct fan_runs *runs, const struct arguments *a, struct fan_many_files *f)
{
	const bool is_shown = isatty(STDERR_FILENO) && a->ninputs > 1;
	struct fcap_err err = { 0 };

	for (size_t i = 0; i < a->ninputs; i++) {
		const struct input *in = &a->inputs[i];
		struct fan_report report;
		int e;

		if (is_shown)
			fprintf(stderr, "\r%zu of %zu\033[K", i + 1, a->ninputs);
		e = fan_many_files_next(f, &report, &err);
		if (e == 0)
			e = fan_runs_add_report(runs, in->config, &report, in->file, &err);
		fan_report_free(&report);
		if (is_shown)
			fputs("\r\033[K", stderr);
		if (e < 0)
			return fan_complain(in->file, &err);
	}
	return FAN_EXIT_OK;
}

static int read_files(struct fan_runs *runs, const struct arguments *a)
{
	const char **names = calloc(a->ninputs, sizeof(*names));
	const struct fan_many_files_plan plan = { names, a->ninputs, &a->analysis, 0 };
	struct fan_many_files *files = NULL;
	struct fcap_err err = { 0 };
	int status;

	for (size_t i = 0; names && i < a->ninputs; i++)
		names[i] = a->inputs[i].file;
	if (!names || fan_many_files_open(&files, &plan, &err) < 0) {
		fcap_fail(&err, ENOMEM, "out of memory");
		status = fan_complain("compare", &err);
	} else {
		status = add_runs(runs, a, files);
	}
	fan_many_files_close(files);
	free(names);
	return status;
}

/* Complains, and returns the exit status. */
static int read_runs(struct fan_runs *runs, const struct arguments *a)
{
	const int status = read_files(runs, a);
	struct fcap_err err = { 0 };
	int e = 0;

	if (status != FAN_EXIT_OK)
		return status;
	if (a->compare.by)
		e = fan_runs_configure(runs, a->compare.by, &err);
	if (e == 0 && a->compare.paired)
		e = fan_runs_block(runs, a->compare.paired, &err);
	return e < 0 ? fan_complain("compare", &err) : FAN_EXIT_OK;
}

static int compare(struct arguments *a)
{
	struct fan_runs runs;
	struct fan_compare_page p = { .is_all = a->is_all,
				      .style = fan_style_of_stdout(a->colour),
				      .text = fan_compare_text_styled };
	struct fcap_err err = { 0 };
	int status;

	fan_runs_init(&runs);
	status = read_runs(&runs, a);
	a->compare.level = a->analysis.report.level;
	a->compare.margin = a->analysis.report.margin;
	a->compare.command = a->analysis.report.command;
	if (status == FAN_EXIT_OK) {
		status = fan_compare_assemble(&p.compare, &runs, &a->compare, &err) < 0
				 ? fan_complain("compare", &err)
				 : fan_compare_output(&p, &a->outputs);
		status = fan_fail_if_status(&a->fail_if, &p.compare, status);
		fan_compare_free(&p.compare);
	}
	fan_runs_free(&runs);
	return status;
}

int fan_cmd_compare(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_outputs_argp, 0, NULL, 0 },	   { &fan_html_argp, 0, NULL, 0 },
		{ &fan_fail_if_argp, 0, NULL, 0 },	   { &fan_colour_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 }, { 0 },
	};
	static const struct argp argp = { options, parse, "FILE...", doc, children, NULL, NULL };
	struct arguments a = { .fail_if.table = &fan_compare_table };
	char *command = fan_command_line(argc, argv);
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	/* which configuration a file is of depends on where it stands */
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_IN_ORDER, &a);
	status = compare(&a);
	fan_fail_if_free(&a.fail_if);
	fan_analysis_free(&a.analysis);
	free(a.inputs);
	free(command);
	return status;
}
