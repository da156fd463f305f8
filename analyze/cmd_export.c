// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze export: the series behind the numbers. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/cmd_progress.h"
#include "analyze/output.h"
#include "analyze/report/assemble_cut.h"
#include "analyze/report/export.h"
#include "analyze/trace/clock.h"
#include "fcap/options.h"

enum { OPT_WHAT = 256, OPT_AS };

enum form { AS_UNSAID, AS_CSV, AS_JSONL, AS_PERFETTO };

static const struct argp_option options[] = {
	{ "what", OPT_WHAT, "windows|spans|waits|exits|markers", 0,
	  "Which series; needed but for perfetto", 0 },
	{ "as", OPT_AS, "csv|jsonl|perfetto", 0,
	  "csv (default), jsonl (a JSON object a line), or perfetto: all of it in one JSON for "
	  "ui.perfetto.dev, without --what",
	  0 },
	{ "output", 'o', "FILE", 0, "Write it to this file; - is standard output (default)", 0 },
	{ 0 },
};

static const char doc[] =
	"Writes the series behind the numbers of a report: the windows of each group, every span "
	"in "
	"which a thread or CPU was in one state, every wait, every exit from a guest, or every "
	"line "
	"of the recorder. Names of columns end with their units; times are ns after the start of "
	"the trace. Memory does not grow with the trace, which is read twice: only its end tells "
	"who is of which VM."
	"\v"
	"Examples:\n"
	"  fanalyze export --what windows trace.dat > windows.csv\n"
	"  fanalyze export --what waits --as jsonl --from 2s --to 3s trace.dat\n"
	"  fanalyze export --as perfetto -o trace.json trace.dat\n";

struct arguments {
	struct fan_analysis analysis;
	const char *file, *output;
	unsigned int what; /* enum fan_export_what; FAN_EXPORT_WHATS: not said */
	enum form form;
};

static void parse_what(struct argp_state *state, const char *arg, struct arguments *a)
{
	for (a->what = 0; a->what < FAN_EXPORT_WHATS; a->what++)
		if (strcmp(arg, fan_export_word(a->what)) == 0)
			return;
	argp_error(state, "--what %s: it can be windows, spans, waits, exits or markers", arg);
}

static void parse_form(struct argp_state *state, const char *arg, struct arguments *a)
{
	static const char *const forms[] = { "csv", "jsonl", "perfetto" };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(arg, forms[i]) == 0) {
			a->form = (enum form)(AS_CSV + i);
			return;
		}
	}
	argp_error(state, "--as %s: it can be csv, jsonl or perfetto", arg);
}

static void check(struct argp_state *state, const struct arguments *a)
{
	struct stat from, to;

	if (a->form == AS_PERFETTO && a->what != FAN_EXPORT_WHATS)
		argp_error(state, "--as perfetto shows all of the trace: it goes without --what");
	if (a->form != AS_PERFETTO && a->what == FAN_EXPORT_WHATS)
		argp_error(state, "--what is needed: windows, spans, waits, exits or markers");
	if (a->output && a->file && stat(a->output, &to) == 0 && stat(a->file, &from) == 0 &&
	    from.st_dev == to.st_dev && from.st_ino == to.st_ino)
		argp_error(state, "--output %s: that is the trace itself", a->output);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPT_WHAT:
		parse_what(state, arg, a);
		break;
	case OPT_AS:
		parse_form(state, arg, a);
		break;
	case 'o':
		if (!*arg)
			argp_error(state, "--output: the name is empty");
		a->output = arg;
		break;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->file;
		state->child_inputs[1] = &a->analysis;
		break;
	case ARGP_KEY_END:
		check(state, a);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* What is to be written; *is_of_trace tells whose fault it was that it could not be. */
struct export
{
	const struct arguments *a;
	const struct fan_report *report; /* of windows; else NULL */
	const struct fan_source *source;
	bool *is_of_trace;
};

static int write_export(const void *item, FILE *f, struct fcap_err *err)
{
	const struct export *e = item;
	const bool is_json = e->a->form == AS_JSONL;
	int r;

	if (e->report)
		r = fan_export_windows(e->report, is_json, f, err);
	else if (e->a->form == AS_PERFETTO)
		r = fan_export_perfetto(e->source, f, err);
	else
		r = fan_export_series(e->source, (enum fan_export_what)e->a->what, is_json, f, err);
	*e->is_of_trace = r < 0 && !ferror(f);
	return r;
}

static bool is_to_file(const struct arguments *a)
{
	return a->output && strcmp(a->output, "-") != 0;
}

static int write_out(const struct arguments *a, const struct fan_report *report,
		     const struct fan_source *source)
{
	const bool has_file = is_to_file(a);
	bool is_of_trace = false;
	const struct export e = { a, report, source, &is_of_trace };
	struct fcap_err err = { 0 };

	if (fan_output_to(&e, a->output, write_export, &err) == 0)
		return FAN_EXIT_OK;
	if (is_of_trace)
		return fan_complain(a->file, &err);
	fan_complain(has_file ? a->output : "standard output", &err);
	return FAN_EXIT_SYSTEM;
}

static int export_windows(const struct arguments *a)
{
	struct fcap_err err = { 0 };
	struct fan_report r;
	int status;

	if (fan_analyse(&r, a->file, &a->analysis, &err) < 0) {
		status = fan_complain(a->file, &err);
	} else {
		fan_remark(a->file, &r.quality.cut);
		status = write_out(a, &r, NULL);
	}
	fan_report_free(&r);
	return status;
}

/* Names that have to match something are looked for in the groups. */
static int read_source(struct fan_source *ret, const struct fan_file *file,
		       const struct arguments *a, struct fcap_err *err)
{
	const struct fan_report_options *report = &a->analysis.report;

	if (a->what == FAN_EXPORT_MARKERS && !report->groups.nvms && !report->nweights)
		return fan_source_read_lines(ret, file, &a->analysis.model, err);
	return fan_source_read(ret, file, &a->analysis.model, report, err);
}

/* Lines are enough for those who asked for them. */
static int check_rest(const struct fan_model *m, const struct arguments *a, struct fcap_err *err)
{
	return a->what == FAN_EXPORT_MARKERS && m->facts->lines ? 0 : fan_check_rest(m, err);
}

static int export_series(const struct arguments *a)
{
	struct fan_source source = { 0 };
	struct fan_file *file = NULL;
	struct fcap_err err = { 0 };
	struct fan_strs missing = { 0 };
	struct fan_progress progress = { 0 };
	int r = fan_analysis_open(&file, a->file, &a->analysis, &err), status;

	/* what is written to a terminal would be mixed with it */
	if (r == 0 && (is_to_file(a) || !isatty(STDOUT_FILENO)))
		fan_progress_begin(&progress, file);
	if (r == 0)
		r = fan_clock_check(file, &err);
	if (r == 0)
		r = read_source(&source, file, a, &err);
	if (r == 0)
		r = check_rest(source.m, a, &err);
	if (r == 0 && fan_cut_sentences(&missing, &source.m->cut, source.m->first_ns) < 0)
		r = fcap_fail(&err, ENOMEM, "out of memory");
	fan_progress_end(&progress);
	fan_remark(a->file, &missing);
	status = r < 0 ? fan_complain(a->file, &err) : write_out(a, NULL, &source);
	fan_progress_end(&progress);
	fan_strs_free(&missing);
	fan_source_close(&source);
	fan_file_close(file);
	return status;
}

int fan_cmd_export(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ 0 },
	};
	static const struct argp argp = { options, parse, "FILE", doc, children, NULL, NULL };
	struct arguments a = { .what = FAN_EXPORT_WHATS };
	char *command = fan_command_line(argc, argv);
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	a.analysis.needs_time = true;
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &a);
	status = a.what == FAN_EXPORT_WINDOWS ? export_windows(&a) : export_series(&a);
	fan_analysis_free(&a.analysis);
	free(command);
	return status;
}
