// SPDX-License-Identifier: GPL-3.0-or-later
/* The figure "gaps": every gap and change of a comparison with its interval and its margin. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "plot/set.h"

#define ROW_IN	  0.15
#define AROUND_IN 0.45
#define LETTERS	  12 /* of the longest text in the legend */

/* What stands in front of a row; of what is not here the name itself. */
static const struct {
	const char *name, *words;
} titles[] = {
	{ "cpu_time_change", "CPU time" },
	{ "efficiency_change", "efficiency" },
	{ "share_change_pp", "share" },
	{ "deviation_change_pp", "deviation" },
	{ "forced_idle_change", "forced idle" },
	{ "gap_change_ratio", "gap" },
	{ "gap_change_pp", "gap" },
};

static bool is_named(const struct fan_c_gap *g, const char *name)
{
	return g->name && strcmp(g->name, name) == 0;
}

static bool is_points(const struct fan_c_gap *g)
{
	return g->est.unit && strcmp(g->est.unit, "points") == 0;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_c_gap *g = p->compare->gaps.items;

	for (size_t i = 0; i < p->compare->gaps.n; i++)
		if (isfinite(g[i].est.value))
			return 0;
	return fcap_fail(err, EINVAL, "no gap or change of it has a value");
}

static void put_words(FILE *f, const char *s)
{
	fputc('\t', f);
	fplot_put_name(f, s);
}

static int put_table(const struct fan_compare *c, FILE *f)
{
	const struct fan_c_gap *g = c->gaps.items;

	fputs("# y\tvalue\tlo\thi\tlo_adjusted\thi_adjusted\tmargin\tp_adjusted\tunit\tverdict"
	      "\tgap\ta\tb\tconfig\tper\tof\n",
	      f);
	for (size_t i = 0; i < c->gaps.n; i++) {
		const struct fan_est *e = &g[i].est;

		fprintf(f, "%zu", i);
		fplot_put_real(f, e->value, 4);
		fplot_put_real(f, e->lo, 4);
		fplot_put_real(f, e->hi, 4);
		fplot_put_real(f, e->lo_adj, 4);
		fplot_put_real(f, e->hi_adj, 4);
		fplot_put_real(f, g[i].verdict.margin, 4);
		fplot_put_real(f, g[i].p_adj, 6);
		put_words(f, e->unit);
		put_words(f, g[i].verdict.word);
		put_words(f, g[i].name);
		put_words(f, g[i].a);
		put_words(f, g[i].b);
		put_words(f, g[i].config);
		put_words(f, g[i].per);
		put_words(f, g[i].of);
		fputc('\n', f);
	}
	return 0;
}

static const char *title_of(const struct fan_c_gap *g)
{
	if (is_named(g, "coresched_change") || is_named(g, "config_change"))
		return g->of ? g->of : "score";
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (is_named(g, titles[i].name))
			return titles[i].words;
	return g->name;
}

/* "vm1 over vm2, off"; "CPU time, vm1"; of more than two configurations also which. */
static void put_row_name(FILE *f, const struct fan_c_gap *g, bool is_one_treatment)
{
	if (is_named(g, "between_vm")) {
		fplot_put_tic(f, g->a);
		fputs(".' over '.", f);
		fplot_put_tic(f, g->b);
		fputs(".', '.", f);
		fplot_put_tic(f, g->config);
		return;
	}
	fplot_put_tic(f, title_of(g));
	fputs(".', '.", f);
	fplot_put_tic(f, g->per);
	if (is_one_treatment)
		return;
	fputs(".', '.", f);
	fplot_put_tic(f, g->a);
}

static double level_of(const struct fan_compare *c)
{
	return isfinite(c->level) ? 100 * c->level : 95;
}

/* What there is to be drawn, and to be explained. */
struct has {
	bool margin, interval, adjusted, percent, points;
};

static struct has find_parts(const struct fan_compare *c)
{
	const struct fan_c_gap *g = c->gaps.items;
	struct has ret = { 0 };

	for (size_t i = 0; i < c->gaps.n; i++) {
		ret.margin |= isfinite(g[i].verdict.margin);
		ret.interval |= isfinite(g[i].est.lo);
		ret.adjusted |= isfinite(g[i].est.lo_adj);
		ret.points |= isfinite(g[i].est.value) && is_points(&g[i]);
		ret.percent |= isfinite(g[i].est.value) && !is_points(&g[i]);
	}
	return ret;
}

static struct fplot_legend legend_of(const struct has *has, double width_in)
{
	const size_t n = (size_t)has->margin + has->interval + has->adjusted + has->percent +
			 has->points;

	return fplot_legend_of(n, LETTERS, width_in);
}

/* The first table is named by the first line; margins and intervals lie below the marks. */
static void put_rows(FILE *f, const struct has *has, double level)
{
	fputs("\tplot 'gaps.tsv' using (NaN):1 with points notitle", f);
	if (has->margin)
		fputs(", \\\n\t\t'' using (0):1:(-$7):($7):($1-0.5):($1+0.5) with boxxyerror \\\n"
		      "\t\t\tfc rgb 0xDCDCDC title say('margin')",
		      f);
	if (has->adjusted)
		fputs(", \\\n\t\t'' using 5:1:($6-$5):(0) with vectors nohead lc rgb 0x000000 \\\n"
		      "\t\t\tlw 0.75 title say('adjusted')",
		      f);
	if (has->interval)
		fprintf(f,
			", \\\n\t\t'' using 3:1:($4-$3):(0) with vectors nohead lc rgb 0x000000 "
			"\\\n\t\t\tlw 2 title say('%g %% interval')",
			level);
	if (has->percent)
		fputs(", \\\n\t\t'' using (strcol(9) eq 'points' ? NaN : $2):1 with points pt 7 "
		      "\\\n"
		      "\t\t\tps dot*1.6 lc rgb 0x0072B2 title say('in percent')",
		      f);
	if (has->points)
		fputs(", \\\n\t\t'' using (strcol(9) eq 'points' ? $2 : NaN):1 with points pt 5 "
		      "\\\n"
		      "\t\t\tps dot*1.4 lc rgb 0xD55E00 title say('in points')",
		      f);
	fputc('\n', f);
}

/* From the smallest to the largest of what is drawn, the margins and 0 too. */
static double extent(const struct fan_compare *c)
{
	const struct fan_c_gap *g = c->gaps.items;
	double lo = 0, hi = 0;

	for (size_t i = 0; i < c->gaps.n; i++) {
		const struct fan_est *e = &g[i].est;
		const double all[] = { e->value,  e->lo,     e->hi,
				       e->lo_adj, e->hi_adj, g[i].verdict.margin };

		for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
			lo = isfinite(all[k]) ? fmin(lo, all[k]) : lo;
			hi = isfinite(all[k]) ? fmax(hi, all[k]) : hi;
		}
	}
	return hi > lo ? hi - lo : 1;
}

static void put_row_names(FILE *f, const struct fan_compare *c)
{
	const struct fan_c_gap *g = c->gaps.items;

	for (size_t i = 0; i < c->gaps.n; i++) {
		fputs(i ? ", \\\n\t\t" : "\tset ytics (", f);
		put_row_name(f, &g[i], c->configurations.n <= 2);
		fprintf(f, " %zu", i);
	}
	fputs(") scale 0 font ',7'\n", f);
}

static void put_plot(const void *what, FILE *f)
{
	const struct fplot_page *p = what;
	const struct fan_compare *c = p->compare;
	const struct has has = find_parts(c);
	const struct fplot_legend legend = legend_of(&has, p->width_in);

	put_row_names(f, c);
	fputs("\tset border 1 lw 0.75\n\tset rmargin 3\n\tset xtics offset 0,0.3\n"
	      "\tset arrow 1 from 0,graph 0 to 0,graph 1 nohead front lc rgb 0x808080 lw 0.75\n",
	      f);
	fprintf(f, "\tset xlabel say('difference (%s)') offset 0,0.6\n",
		!has.points    ? "%"
		: !has.percent ? "points"
			       : "%, points");
	fprintf(f, "\tset xtics %g\n\tset yrange [%zu.5:-0.5]\n", fplot_step(extent(c)),
		c->gaps.n - 1);
	fplot_put_key(f, &legend, "samplen 1");
	put_rows(f, &has, level_of(c));
}

static int put_data(const void *what, FILE *f)
{
	const struct fplot_page *p = what;

	return put_table(p->compare, f);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const struct has has = find_parts(p->compare);
	const struct fplot_legend legend = legend_of(&has, p->width_in);
	const struct fplot_content c = {
		.page = p,
		.figure = &fplot_gaps,
		.height_in = AROUND_IN + fplot_legend_in(&legend) +
			     ROW_IN * (double)p->compare->gaps.n,
		.what = p,
		.put_data = put_data,
		.put_plot = put_plot,
	};

	return fplot_write_content(&c, dir, err);
}

const struct fplot_figure fplot_gaps = {
	.name = "gaps",
	.title = "Of a comparison: every gap and change with its interval and its margin",
	.is_of_compare = true,
	.check = check,
	.draw = draw,
};
