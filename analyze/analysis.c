// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/analysis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/cmd.h"
#include "analyze/trace/clock.h"
#include "fcap/num.h"

enum { OPT_GROUP = 0x1000, OPT_LEVEL, OPT_MARGIN };

static const struct argp_option options[] = {
	{ "group", OPT_GROUP, "KIND", 0, "What shares the CPU: vm (default) or process", 0 },
	{ "level", OPT_LEVEL, "L", 0, "Level of the intervals, above 0.5 and below 1 (0.95)", 0 },
	{ "margin", OPT_MARGIN, "POINTS", 0, "Deviations within this count as fair (3)", 0 },
	{ 0 },
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
	struct fan_report_options *o = state->input;

	switch (key) {
	case OPT_GROUP:
		if (strcmp(arg, "vm") != 0 && strcmp(arg, "process") != 0)
			argp_error(state, "--group %s: it can be vm or process", arg);
		o->kind = strcmp(arg, "vm") == 0 ? FAN_GROUP_VM : FAN_GROUP_PROCESS;
		break;
	case OPT_LEVEL:
		parse_level(state, arg, &o->level);
		break;
	case OPT_MARGIN:
		parse_margin(state, arg, &o->margin);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp fan_analysis_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

void fan_analysis_defaults(struct fan_report_options *ret)
{
	*ret = (struct fan_report_options){ FAN_GROUP_VM, 0.95, 3, NULL };
}

char *fan_command_line(int argc, char **argv)
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

int fan_analyse(struct fan_report *ret, const char *path, const struct fan_report_options *wanted,
		struct fcap_err *err)
{
	struct fan_file *file = NULL;
	struct fan_model *model = NULL;
	int e;

	fan_tree_init(ret, &fan_report_table);
	e = fan_file_open(&file, path, err);
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
		e = fan_report_assemble(ret, file, model, wanted, err);
	fan_model_free(model);
	fan_file_close(file);
	return e;
}

int fan_complain(const char *object, const struct fcap_err *err)
{
	fprintf(stderr, "fanalyze: %s: %s\n", object, err->text);
	return err->code == EINVAL || err->code == ENOTSUP || err->code == ENOENT ? FAN_EXIT_USAGE
										  : FAN_EXIT_SYSTEM;
}
