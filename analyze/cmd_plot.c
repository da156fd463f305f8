// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze plot: one trace, its figures. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "plot/figure.h"
#include "plot/render.h"
#include "plot/share.h"

enum { OPT_FORMAT = 256 };

static const struct argp_option options[] = {
	{ "output", 'o', "DIR", 0, "Where the figures go; made if it is not there", 0 },
	{ "format", OPT_FORMAT, "LIST", 0, "Images to draw, of svg, pdf and png (all three)", 0 },
	{ 0 },
};

static const char doc[] =
	"Draws the share of each VM over time, with what it should have got and the interval of "
	"its share of the whole run. Each figure is NAME.tsv (the numbers), NAME.gp (a script that "
	"gnuplot draws them with, there to be edited) and the images. Without gnuplot there are no "
	"images, which is an error only if --format asks for them."
	"\v"
	"Examples:\n"
	"  fanalyze plot trace.dat -o figures\n"
	"  fanalyze plot --format pdf --group process -o figures trace.dat\n"
	"  cd figures && gnuplot share.gp\n";

struct arguments {
	struct fan_analysis analysis;
	const char *dir, *file;
	unsigned int formats; /* enum fplot_format; 0: nobody asked */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		if (!*arg)
			argp_error(state, "--output: the name is empty");
		a->dir = arg;
		break;
	case OPT_FORMAT:
		if (fplot_formats_parse(arg, &a->formats) < 0)
			argp_error(state, "--format %s: it can be svg, pdf, png or a list of them",
				   arg);
		break;
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->file;
		state->child_inputs[1] = &a->analysis;
		break;
	case ARGP_KEY_END:
		if (!a->dir)
			argp_error(state, "-o DIR is needed: where the figures go");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void print_written(const char *dir, unsigned int formats)
{
	printf("%s/" FPLOT_SHARE ".tsv\n%s/" FPLOT_SHARE "-groups.tsv\n%s/" FPLOT_SHARE ".gp\n",
	       dir, dir, dir);
	for (unsigned int bit = 1; fplot_format_name(bit); bit <<= 1)
		if (formats & bit)
			printf("%s/" FPLOT_SHARE ".%s\n", dir, fplot_format_name(bit));
}

static int draw(const struct fan_report *r, const struct arguments *a)
{
	const unsigned int formats = a->formats ? a->formats : FPLOT_ALL;
	struct fcap_err err = { 0 };
	int e;

	if (fplot_make_dir(a->dir, &err) < 0 || fplot_share(r, a->dir, formats, &err) < 0) {
		fan_complain(a->dir, &err);
		return FAN_EXIT_SYSTEM;
	}
	e = fplot_render(a->dir, FPLOT_SHARE, formats, &err);
	print_written(a->dir, e == 0 ? formats : 0);
	if (e < 0)
		fan_complain(a->dir, &err);
	return e == 0 || (e == -ENOENT && !a->formats) ? FAN_EXIT_OK : FAN_EXIT_SYSTEM;
}

int fan_cmd_plot(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ 0 },
	};
	static const struct argp argp = { options, parse, "FILE", doc, children, NULL, NULL };
	struct arguments a = { 0 };
	char name[] = "fanalyze plot";
	char *command = fan_command_line(argc, argv);
	struct fan_report r;
	struct fcap_err err = { 0 };
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	status = fan_analyse(&r, a.file, &a.analysis, &err) < 0 || fplot_share_check(&r, &err) < 0
			 ? fan_complain(a.file, &err)
			 : draw(&r, &a);
	fan_report_free(&r);
	fan_analysis_free(&a.analysis);
	free(command);
	return status;
}
