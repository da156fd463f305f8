// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze plot: one trace, report or comparison, its figures. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/report/compare_tree.h"
#include "analyze/report/read_json.h"
#include "plot/figure.h"
#include "plot/figures.h"
#include "plot/render.h"
#include "fcap/options.h"

enum { OPT_IMAGE = 256, OPT_FIGURE, OPT_LIST, OPT_WIDTH };

static const struct argp_option options[] = {
	{ "output", 'o', "DIR", 0, "Where the figures go; made if it is not there", 0 },
	{ "figure", OPT_FIGURE, "LIST", 0, "Figures to draw, of those that --list names (all)", 0 },
	{ "list", OPT_LIST, NULL, 0, "Print the names of the figures and what they show", 0 },
	{ "image", OPT_IMAGE, "LIST", 0,
	  "Images to draw, of svg, pdf, png and tex (svg, pdf and png)", 0 },
	{ "width", OPT_WIDTH, "WIDTH", 0,
	  "1col, 2col (of a paper; 86 and 178 mm) or millimetres (1col)", 0 },
	{ 0 },
};

static const char doc[] =
	"Draws what report and compare tell in numbers: the share of each VM over time with what "
	"it should have got, lag, fairness, where the time went, who waited for whom, what the "
	"cores did, who had which CPU when. FILE is a trace.dat, or a report or comparison written "
	"as JSON. Each figure "
	"is NAME.tsv (the numbers), NAME.gp (a script that "
	"gnuplot draws them with, there to be edited) and the images. Without gnuplot there are no "
	"images, which is an error only if --image asks for them. A figure that cannot be drawn "
	"from the file is left out, and the reason told."
	"\v"
	"Examples:\n"
	"  fanalyze plot trace.dat -o figures\n"
	"  fanalyze plot --figure share,waits --width 2col -o figures report.json\n"
	"  fanalyze plot --image pdf --group process -o figures trace.dat\n"
	"  cd figures && gnuplot share.gp\n";

struct arguments {
	struct fan_analysis analysis;
	const char *dir, *file;
	unsigned int formats; /* enum fplot_format; 0: nobody asked */
	unsigned int figures; /* bits of fplot_figures_parse(); 0: nobody asked */
	double width_in;
};

static void list_figures(void)
{
	const struct fplot_figure *figure;

	for (size_t i = 0; (figure = fplot_figure_at(i)); i++)
		printf("%-9s %s\n", figure->name, figure->title);
}

static void parse_look(int key, const char *arg, struct argp_state *state, struct arguments *a)
{
	if (key == OPT_IMAGE && fplot_formats_parse(arg, &a->formats) < 0)
		argp_error(state, "--image %s: it can be svg, pdf, png, tex or a list of them",
			   arg);
	if (key == OPT_FIGURE && fplot_figures_parse(arg, &a->figures) < 0)
		argp_error(state, "--figure %s: it is a list of names that --list prints", arg);
	if (key == OPT_WIDTH && fplot_width_parse(arg, &a->width_in) < 0)
		argp_error(state, "--width %s: it can be 1col, 2col or %d to %d millimetres", arg,
			   FPLOT_WIDTH_MIN_MM, FPLOT_WIDTH_MAX_MM);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		if (!*arg)
			argp_error(state, "--output: the name is empty");
		a->dir = arg;
		break;
	case OPT_IMAGE:
	case OPT_FIGURE:
	case OPT_WIDTH:
		parse_look(key, arg, state, a);
		break;
	case OPT_LIST:
		list_figures();
		exit(FAN_EXIT_OK);
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

/* All its files in one line, as a shell would take them: "DIR/share.{tsv,gp,svg}". */
static void print_written(const char *dir, const struct fplot_figure *figure, unsigned int formats)
{
	printf("%s/%s.{tsv,gp", dir, figure->name);
	for (unsigned int bit = 1; fplot_format_name(bit); bit <<= 1)
		if (formats & bit & ~(unsigned int)FPLOT_TEX)
			printf(",%s", fplot_format_name(bit));
	putchar('}');
	if (figure->extra)
		printf(" %s/%s", dir, figure->extra);
	if (formats & FPLOT_TEX)
		printf(" %s/%s-tex.{tex,pdf}", dir, figure->name);
	putchar('\n');
}

/* How the drawing of several figures goes. */
struct progress {
	size_t drawn;
	bool is_without_gnuplot; /* and that was said */
};

/* One figure. The exit status. */
static int draw_one(const struct fplot_figure *figure, const struct fplot_page *p,
		    const struct arguments *a, struct progress *progress)
{
	struct fcap_err err = { 0 };
	int e = figure->draw(p, a->dir, &err);

	if (e < 0) {
		fan_complain(a->dir, &err);
		return FAN_EXIT_SYSTEM;
	}
	progress->drawn++;
	e = fplot_render(a->dir, figure->name, p->formats, &err);
	print_written(a->dir, figure, e == 0 ? p->formats : 0);
	if (e < 0 && !(e == -ENOENT && progress->is_without_gnuplot))
		fan_complain(a->dir, &err);
	progress->is_without_gnuplot |= e == -ENOENT;
	return e == 0 || (e == -ENOENT && !a->formats) ? FAN_EXIT_OK : FAN_EXIT_SYSTEM;
}

/* Says why a figure is left out; not of those of the other kind of file that nobody asked for. */
static bool can_draw(const struct fplot_figure *figure, const struct fplot_page *p,
		     const struct arguments *a)
{
	struct fcap_err err = { 0 };

	if (!a->figures && figure->is_of_compare != (p->compare != NULL))
		return false;
	if (fplot_figure_check(figure, p, &err) == 0)
		return true;
	fprintf(stderr, "fanalyze: %s: no figure %s: %s\n", a->file, figure->name, err.text);
	return false;
}

static int draw_all(struct fplot_page *p, const struct arguments *a)
{
	struct progress progress = { 0 };
	const struct fplot_figure *figure;
	struct fcap_err err = { 0 };
	int status = FAN_EXIT_OK;

	p->formats = a->formats ? a->formats : FPLOT_ALL;
	p->width_in = a->width_in;
	for (size_t i = 0; (figure = fplot_figure_at(i)); i++) {
		int e;

		if ((a->figures && !(a->figures & 1U << i)) || !can_draw(figure, p, a))
			continue;
		if (progress.drawn == 0 && fplot_make_dir(a->dir, &err) < 0) {
			fan_complain(a->dir, &err);
			return FAN_EXIT_SYSTEM;
		}
		e = draw_one(figure, p, a, &progress);
		if (e != FAN_EXIT_OK)
			status = e;
	}
	return status == FAN_EXIT_OK && progress.drawn == 0 ? FAN_EXIT_USAGE : status;
}

/* Fills one of the two trees from JSON; the first key tells which it is. */
static int read_json(struct fan_report *report, struct fan_compare *compare, FILE *f,
		     bool *is_compare, struct fcap_err *err)
{
	int e = fan_tree_read(report, &fan_report_table, "fcap-report/1", f, err);
	struct fcap_err other = { 0 };

	*is_compare = false;
	if (e != -EINVAL)
		return e;
	rewind(f);
	if (fan_tree_read(compare, &fan_compare_table, "fcap-compare/1", f, &other) < 0)
		return e;
	*is_compare = true;
	return 0;
}

static int load(struct fan_report *report, struct fan_compare *compare, const struct arguments *a,
		struct fplot_page *p, struct fcap_err *err)
{
	FILE *f = fopen(a->file, "r");
	bool is_json, is_compare = false;
	int e = 0;

	if (!f)
		return fcap_fail(err, errno, "cannot open it: %s", strerror(errno));
	is_json = fan_is_json(f);
	if (is_json)
		e = read_json(report, compare, f, &is_compare, err);
	fclose(f);
	if (!is_json)
		e = fan_analyse(report, a->file, &a->analysis, err);
	if (!is_json && e == 0)
		fan_remark(a->file, &report->quality.cut);
	*p = (struct fplot_page){ .report = is_compare ? NULL : report,
				  .compare = is_compare ? compare : NULL };
	return e;
}

static int run(const struct arguments *a)
{
	struct fan_report report;
	struct fan_compare compare;
	struct fplot_page p = { 0 };
	struct fcap_err err = { 0 };
	int status;

	fan_tree_init(&report, &fan_report_table);
	fan_tree_init(&compare, &fan_compare_table);
	status = load(&report, &compare, a, &p, &err) < 0 ? fan_complain(a->file, &err)
							  : draw_all(&p, a);
	fan_report_free(&report);
	fan_compare_free(&compare);
	return status;
}

int fan_cmd_plot(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &fan_file_argp, 0, NULL, 0 },
		{ &fan_analysis_argp, 0, "Analysis:", 0 },
		{ 0 },
	};
	static const struct argp argp = { options, parse, "FILE", doc, children, NULL, NULL };
	struct arguments a = { .width_in = FPLOT_ONE_COLUMN_IN };
	char *command = fan_command_line(argc, argv);
	int status;

	argp_err_exit_status = FAN_EXIT_USAGE;
	fan_analysis_init(&a.analysis, command);
	a.analysis.model.has_timeline = true;
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &a);
	status = run(&a);
	fan_analysis_free(&a.analysis);
	free(command);
	return status;
}
