// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/one_report.h"

#include <argp.h>
#include <stdlib.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/colour.h"
#include "analyze/fail_if.h"
#include "analyze/names.h"
#include "analyze/output.h"
#include "fcap/options.h"

struct arguments {
	struct fan_analysis analysis;
	struct fan_fail_if fail_if;
	enum fan_colour colour;
	enum fan_names names;
	struct fan_outputs outputs;
	const char *file;
	const struct fan_report_verb *verb;
};

/* A report with what writes it. */
struct page {
	struct fan_report report; /* first: the field table is of this */
	const struct fan_report_verb *verb;
	struct fan_style style; /* of the text, which goes to standard output alone */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = &a->file;
	state->child_inputs[1] = &a->outputs;
	state->child_inputs[2] = &a->fail_if;
	state->child_inputs[3] = &a->colour;
	state->child_inputs[4] = &a->analysis;
	if (a->verb->write_html)
		state->child_inputs[5] = &a->outputs;
	if (a->verb->has_names)
		state->child_inputs[6] = &a->names;
	return 0;
}

static int write_text(const void *page, FILE *f, struct fcap_err *err)
{
	const struct page *p = page;

	return p->verb->write_text(&p->report, p->style, f, err);
}

static int write_csv(const void *page, FILE *f, struct fcap_err *err)
{
	const struct page *p = page;

	return p->verb->write_csv(&p->report, f, err);
}

static int write_tex(const void *page, FILE *f, struct fcap_err *err)
{
	const struct page *p = page;

	return p->verb->write_tex(&p->report, f, err);
}

static int write_html(const void *page, FILE *f, struct fcap_err *err)
{
	const struct page *p = page;

	return p->verb->write_html(&p->report, f, err);
}

static int run(struct arguments *a)
{
	const struct fan_writers writers = { write_text, &fan_report_table, write_csv, write_tex,
					     write_html };
	struct page p = { .verb = a->verb, .style = fan_style_of_stdout(a->colour) };
	struct fcap_err err = { 0 };
	int status;

	p.style.names = a->names;
	/* it takes a few percent of the time, more with many CPUs, and no text shows it */
	a->analysis.model.has_timeline = a->outputs.json || a->outputs.html;
	if (fan_analyse(&p.report, a->file, &a->analysis, &err) < 0)
		status = fan_complain(a->file, &err);
	else
		status = fan_output_all(&p, &writers, &a->outputs);
	if (status == FAN_EXIT_OK && a->verb->status)
		status = a->verb->status(&p.report);
	status = fan_fail_if_status(&a->fail_if, &p.report, status);
	fan_report_free(&p.report);
	return status;
}

int fan_one_report(int argc, char **argv, const struct fan_report_verb *verb)
{
	const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_outputs_argp, 0, NULL, 0 },
		{ &fan_fail_if_argp, 0, NULL, 0 },
		{ &fan_colour_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ verb->write_html ? &fan_html_argp : NULL, 0, NULL, 0 },
		{ verb->has_names ? &fan_names_argp : NULL, 0, NULL, 0 },
		{ 0 },
	};
	const struct argp argp = { NULL, parse, "FILE", verb->doc, children, NULL, NULL };
	struct arguments a = { .verb = verb, .fail_if.table = &fan_report_table };
	char *command = fan_command_line(argc, argv);
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &a);
	status = run(&a);
	fan_fail_if_free(&a.fail_if);
	fan_analysis_free(&a.analysis);
	free(command);
	return status;
}
