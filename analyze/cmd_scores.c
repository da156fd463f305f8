// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze scores: benchmark scores and work logs, without a trace. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/colour.h"
#include "analyze/compare_output.h"
#include "analyze/fail_if.h"
#include "analyze/report/score_assemble.h"
#include "analyze/report/score_table.h"
#include "analyze/report/score_text.h"
#include "analyze/report/score_windows.h"
#include "fcap/num.h"
#include "fcap/options.h"

enum {
	OPT_CONFIG = 0x4000,
	OPT_BASELINE,
	OPT_EXPECTED,
	OPT_WEIGHT,
	OPT_LEVEL,
	OPT_MARGIN,
	OPT_ALL
};

static const struct argp_option options[] = {
	{ "all", OPT_ALL, NULL, 0, "Of scores of runs, all tables behind the page", 0 },
	{ "config", OPT_CONFIG, "NAME", 0,
	  "Configuration of the files that follow, where they do not name their own", 0 },
	{ "baseline", OPT_BASELINE, "NAME", 0,
	  "Set the others against this configuration (off if there is one, else the first)", 0 },
	{ "expected", OPT_EXPECTED, "[VM=]E", 0,
	  "Share that was due, above 0 and at most 1, to one VM or to each; repeatable", 0 },
	{ "weight", OPT_WEIGHT, "VM=W", 0,
	  "Weight of a VM, from which the share that was due follows; one for each", 0 },
	{ "level", OPT_LEVEL, "L", 0, "Level of the intervals, above 0.5 and below 1 (0.95)", 0 },
	{ "margin", OPT_MARGIN, "M", 0,
	  "What counts as no difference: points of shares, percent of scores (3)", 0 },
	{ 0 },
};

static const char doc[] =
	"Says what benchmark scores and work logs come to: the statistics and verdicts of reports "
	"and comparisons, for numbers that were measured without a trace. A FILE is CSV or TSV "
	"with "
	"a header that names run, vm, score and, if there are several, config; or window in place "
	"of run for the windows of one run, with score (work) or share_pct and total; or the lines "
	"of steal-time-benchmark (\"85% 29683\", or \"85.0 (-5.0) 15.0 (5.0) 29683\"); or a "
	"summary, "
	"config and gap_pct."
	"\v"
	"Examples:\n"
	"  fanalyze scores --expected 0.9 samples/scores-2015.csv\n"
	"  fanalyze scores samples/scores-2021.csv\n"
	"  fanalyze scores --config off off.log --config on on.log --expected 0.9\n"
	"  fanalyze scores --json - geekbench.csv | jq .gaps\n";

/* Arrays are owned, as are the names in them. */
struct arguments {
	struct fan_score_options scores;
	struct fan_score_given *expected, *weights;
	struct fan_outputs outputs;
	struct fan_fail_if fail_if;
	enum fan_colour colour;
	const char *config;	       /* of the files that follow */
	bool has_files;		       /* of this configuration */
	const char **files, **configs; /* of each file the configuration; NULL: none */
	size_t nfiles;
	bool is_all;
};

static void *more(struct argp_state *state, void *items, size_t n, size_t size)
{
	void *grown = reallocarray(items, n + 1, size);

	if (!grown)
		argp_failure(state, FAN_EXIT_SYSTEM, ENOMEM, "options");
	return grown;
}

static void add_file(struct argp_state *state, const char *arg, struct arguments *a)
{
	if (!*arg)
		argp_error(state, "the file name is empty");
	a->files = more(state, a->files, a->nfiles, sizeof(*a->files));
	a->configs = more(state, a->configs, a->nfiles, sizeof(*a->configs));
	a->files[a->nfiles] = arg;
	a->configs[a->nfiles++] = a->config;
	a->has_files = true;
}

/* "NAME=VALUE" or "VALUE"; the name is to be freed. */
static struct fan_score_given parse_given(struct argp_state *state, const char *arg,
					  const char *option, const char *what, double most)
{
	const char *equals = strrchr(arg, '=');
	struct fan_score_given ret = { NULL, 0 };

	if (equals) {
		ret.name = strndup(arg, (size_t)(equals - arg));
		if (!ret.name)
			argp_failure(state, FAN_EXIT_SYSTEM, ENOMEM, "options");
	}
	if (fcap_parse_real(equals ? equals + 1 : arg, &ret.value) < 0 || !(ret.value > 0) ||
	    ret.value > most || equals == arg)
		argp_error(state, "%s %s: %s", option, arg, what);
	return ret;
}

static void add_expected(struct argp_state *state, const char *arg, struct arguments *a)
{
	size_t *n = &a->scores.nexpected;

	a->expected = more(state, a->expected, *n, sizeof(*a->expected));
	a->expected[(*n)++] = parse_given(state, arg, "--expected",
					  "a share above 0 and at most 1 is needed, such as 0.9",
					  1);
}

static void add_weight(struct argp_state *state, const char *arg, struct arguments *a)
{
	size_t *n = &a->scores.nweights;

	if (!strchr(arg, '='))
		argp_error(state, "--weight %s: VM=W is needed", arg);
	a->weights = more(state, a->weights, *n, sizeof(*a->weights));
	a->weights[(*n)++] = parse_given(state, arg, "--weight",
					 "a VM and a weight above 0 are needed", 1e12);
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
	if (a->nfiles == 0)
		argp_error(state, "a file of scores is needed");
	leave_config(state, a);
	if (a->scores.nexpected && a->scores.nweights)
		argp_error(state, "--expected and --weight exclude each other");
}

static void set_children(struct argp_state *state, struct arguments *a)
{
	state->child_inputs[0] = &a->outputs;
	state->child_inputs[1] = &a->outputs;
	state->child_inputs[2] = &a->fail_if;
	state->child_inputs[3] = &a->colour;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		set_children(state, a);
		break;
	case OPT_CONFIG:
		if (!*arg)
			argp_error(state, "--config: the name is empty");
		leave_config(state, a);
		a->config = arg;
		break;
	case OPT_BASELINE:
		a->scores.baseline = arg;
		break;
	case OPT_EXPECTED:
		add_expected(state, arg, a);
		break;
	case OPT_WEIGHT:
		add_weight(state, arg, a);
		break;
	case OPT_ALL:
		a->is_all = true;
		break;
	case OPT_LEVEL:
		fan_parse_level(state, arg, &a->scores.level);
		break;
	case OPT_MARGIN:
		fan_parse_margin(state, arg, "points or percent", &a->scores.margin);
		break;
	case ARGP_KEY_ARG:
		add_file(state, arg, a);
		break;
	case ARGP_KEY_END:
		check(state, a);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void free_given(struct fan_score_given *list, size_t n)
{
	/* the names were made here, even though their readers may not change them */
	for (size_t i = 0; i < n; i++)
		free((char *)list[i].name);
	free(list);
}

static void free_arguments(struct arguments *a)
{
	free_given(a->expected, a->scores.nexpected);
	free_given(a->weights, a->scores.nweights);
	fan_fail_if_free(&a->fail_if);
	free(a->files);
	free(a->configs);
}

static int read_files(struct fan_score_table *t, const struct arguments *a, struct fcap_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < a->nfiles; i++)
		r = fan_scores_read(t, a->files[i], a->configs[i], err);
	return r < 0 ? r : fan_scores_check(t, err);
}

/* The sentence says itself which file and line it is about. */
static int complain(const struct fcap_err *err)
{
	fprintf(stderr, "fanalyze: %s\n", err->text);
	return err->code == EINVAL || err->code == ENOENT || err->code == EISDIR ? FAN_EXIT_USAGE
										 : FAN_EXIT_SYSTEM;
}

static int score(const struct arguments *a)
{
	struct fan_score_table table = { 0 };
	struct fcap_err err = { 0 };
	struct fan_compare_page p = { .is_all = a->is_all,
				      .style = fan_style_of_stdout(a->colour),
				      .text = fan_scores_text };
	int status;

	fan_tree_init(&p.compare, &fan_compare_table);
	status = read_files(&table, a, &err) < 0 ||
				 fan_scores_assemble(&p.compare, &table, &a->scores, &err) < 0
			 ? complain(&err)
			 : fan_compare_output(&p, &a->outputs);
	status = fan_fail_if_status(&a->fail_if, &p.compare, status);
	fan_compare_free(&p.compare);
	fan_scores_free(&table);
	return status;
}

int fan_cmd_scores(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_outputs_argp, 0, NULL, 0 },
		{ &fan_html_argp, 0, NULL, 0 },
		{ &fan_fail_if_argp, 0, NULL, 0 },
		{ &fan_colour_argp, 0, NULL, 0 },
		{ 0 },
	};
	static const struct argp argp = { options, parse, "FILE...", doc, children, NULL, NULL };
	struct arguments a = { .scores = { .level = 0.95, .margin = 3 },
			       .fail_if.table = &fan_compare_table };
	char *command = fan_command_line(argc, argv);
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	/* a --config is for the files that follow it */
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_IN_ORDER, &a);
	a.scores.expected = a.expected;
	a.scores.weights = a.weights;
	a.scores.command = command;
	status = score(&a);
	free_arguments(&a);
	free(command);
	return status;
}
