// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze report: one trace, one report. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/cmd.h"
#include "analyze/report/assemble.h"
#include "analyze/report/json.h"
#include "analyze/report/text.h"
#include "analyze/trace/clock.h"
#include "fcap/num.h"

enum { OPT_JSON = 256, OPT_GROUP, OPT_LEVEL, OPT_MARGIN };

static const struct argp_option options[] = {
	{ "json", OPT_JSON, "FILE", 0, "Write the report as JSON too; - instead of the text", 0 },
	{ "group", OPT_GROUP, "KIND", 0, "What shares the CPU: vm (default) or process", 0 },
	{ "level", OPT_LEVEL, "L", 0, "Level of the intervals, above 0.5 and below 1 (0.95)", 0 },
	{ "margin", OPT_MARGIN, "POINTS", 0, "Deviations within this count as fair (3)", 0 },
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
	struct fan_report_options report;
	const char *json, *file;
};

static void parse_level(struct argp_state *state, const char *arg, double *ret)
{
	double v;

	if (fcap_parse_real(arg, &v) < 0 || v <= 0.5 || v >= 1)
		argp_error(state, "--level %s: a number above 0.5 and below 1 is needed", arg);
	else
		*ret = v;
}

static void parse_margin(struct argp_state *state, const char *arg, double *ret)
{
	double v;

	if (fcap_parse_real(arg, &v) < 0 || v < 0 || v > 100)
		argp_error(state, "--margin %s: points from 0 to 100 are needed", arg);
	else
		*ret = v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case OPT_JSON:
		if (!*arg)
			argp_error(state, "--json: the file name is empty");
		a->json = arg;
		break;
	case OPT_GROUP:
		if (strcmp(arg, "vm") != 0 && strcmp(arg, "process") != 0)
			argp_error(state, "--group %s: it can be vm or process", arg);
		a->report.kind = strcmp(arg, "vm") == 0 ? FAN_GROUP_VM : FAN_GROUP_PROCESS;
		break;
	case OPT_LEVEL:
		parse_level(state, arg, &a->report.level);
		break;
	case OPT_MARGIN:
		parse_margin(state, arg, &a->report.margin);
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

/* The command as typed, words with blanks quoted; NULL without memory. */
static char *command_line(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs("fanalyze", f);
	for (int i = 0; i < argc; i++)
		fprintf(f, strpbrk(argv[i], " \t\n") || !*argv[i] ? " '%s'" : " %s", argv[i]);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static int cannot_write(struct fcap_err *err)
{
	return fcap_fail(err, errno, "cannot write it: %s", strerror(errno));
}

static int write_stream(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	int e = f ? fan_report_json(r, f, err) : cannot_write(err);

	if (f && fclose(f) != 0 && e == 0)
		e = cannot_write(err);
	return e;
}

/*
 * A file is written beside its final name first: when it is there it is complete. What is there
 * and no regular file (a pipe, a device) is written to and stays what it is.
 */
static int write_json(const struct fan_report *r, const char *path, struct fcap_err *err)
{
	char *temporary = NULL;
	struct stat st;
	int e;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_stream(r, fopen(path, "w"), err);
	if (asprintf(&temporary, "%s.%d", path, (int)getpid()) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	e = write_stream(r, fopen(temporary, "wx"), err);
	if (e == 0 && rename(temporary, path) < 0)
		e = cannot_write(err);
	if (e < 0)
		unlink(temporary);
	free(temporary);
	return e;
}

static int complain(const char *object, const struct fcap_err *err)
{
	fprintf(stderr, "fanalyze: %s: %s\n", object, err->text);
	return err->code == EINVAL || err->code == ENOTSUP || err->code == ENOENT ? FAN_EXIT_USAGE
										  : FAN_EXIT_SYSTEM;
}

static int print_report(const struct fan_report *r, const struct arguments *a)
{
	const bool is_json_only = a->json && strcmp(a->json, "-") == 0;
	struct fcap_err err = { 0 };

	if (a->json && !is_json_only && write_json(r, a->json, &err) < 0) {
		complain(a->json, &err);
		return FAN_EXIT_SYSTEM;
	}
	if ((is_json_only ? fan_report_json(r, stdout, &err) : fan_report_text(r, stdout, &err)) <
	    0) {
		complain("standard output", &err);
		return FAN_EXIT_SYSTEM;
	}
	return FAN_EXIT_OK;
}

static int load(struct fan_report *r, const struct arguments *a, struct fcap_err *err)
{
	struct fan_file *file = NULL;
	struct fan_model *model = NULL;
	int e;

	e = fan_file_open(&file, a->file, err);
	if (e == 0)
		e = fan_clock_check(file, err);
	if (e == 0)
		e = fan_model_read(&model, file, err);
	if (e == 0 && !(model->kinds & 1U << FAN_EV_SWITCH))
		e = fcap_fail(err, EINVAL,
			      "it holds no sched_switch events, from which all shares "
			      "and waits come; record with fcap, or with trace-cmd "
			      "record -e sched -e kvm");
	if (e == 0)
		e = fan_report_assemble(r, file, model, &a->report, err);
	fan_model_free(model);
	fan_file_close(file);
	return e;
}

int fan_cmd_report(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "FILE", doc, NULL, NULL, NULL };
	struct arguments a = { .report = { FAN_GROUP_VM, 0.95, 3, NULL } };
	char name[] = "fanalyze report";
	char *command = command_line(argc, argv);
	struct fan_report r;
	struct fcap_err err = { 0 };
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	a.report.command = command;
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	fan_tree_init(&r, &fan_report_table);
	status = load(&r, &a, &err) < 0 ? complain(a.file, &err) : print_report(&r, &a);
	fan_report_free(&r);
	free(command);
	return status;
}
