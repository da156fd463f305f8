// SPDX-License-Identifier: GPL-3.0-or-later
/* The figure "lag": what each group is owed of the CPU, over time. */
#include <errno.h>
#include <math.h>

#include "plot/set.h"

#define HEIGHT_IN   2.1
#define MANY_MS	    10000.0 /* from here on in seconds */
#define MARKS	    8
#define MS_PER_S    1000.0
#define TABLE_NAMES 2 /* column of the first group */

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_r_series *s = &p->report->series;
	const struct fan_r_curve *c = s->groups.items;

	if (s->groups.n == 0 || s->t_ns.n == 0)
		return fcap_fail(err, EINVAL,
				 "there is no whole window of shares, from which lag comes");
	for (size_t i = 0; i < s->groups.n; i++)
		if (c[i].lag_ns.n != s->t_ns.n)
			return fcap_fail(err, EINVAL, "the report does not tell the lag of %s",
					 c[i].name ? c[i].name : "a group");
	return 0;
}

static double ms_of(int64_t ns)
{
	return MS_PER_S * fplot_seconds(ns);
}

static int put_data(const void *what, FILE *f)
{
	const struct fan_r_series *s = what;
	const struct fan_r_curve *c = s->groups.items;

	fputs("# end_of_window_s", f);
	for (size_t i = 0; i < s->groups.n; i++) {
		fputs("\tlag_ms:", f);
		fplot_put_name(f, c[i].name);
	}
	fputc('\n', f);
	for (size_t w = 0; w < s->t_ns.n; w++) {
		fprintf(f, "%.6f", fplot_seconds(s->t_ns.items[w] + s->window_ns));
		for (size_t i = 0; i < s->groups.n; i++)
			fplot_put_real(f, ms_of(c[i].lag_ns.items[w]), 3);
		fputc('\n', f);
	}
	return 0;
}

static size_t drawn(const struct fan_r_series *s)
{
	return s->groups.n < FPLOT_GROUPS ? s->groups.n : FPLOT_GROUPS;
}

static double largest_ms(const struct fan_r_series *s)
{
	const struct fan_r_curve *c = s->groups.items;
	double ret = 0;

	for (size_t i = 0; i < drawn(s); i++)
		for (size_t w = 0; w < s->t_ns.n; w++)
			ret = fmax(ret, fabs(ms_of(c[i].lag_ns.items[w])));
	return ret;
}

/* Whole steps around all that is drawn; 0 is within, so that one value alone has a range too. */
static void put_range(FILE *f, const struct fan_r_series *s, double scale)
{
	const struct fan_r_curve *c = s->groups.items;
	double lo = 0, hi = 0, step;

	for (size_t i = 0; i < drawn(s); i++)
		for (size_t w = 0; w < s->t_ns.n; w++) {
			lo = fmin(lo, ms_of(c[i].lag_ns.items[w]) / scale);
			hi = fmax(hi, ms_of(c[i].lag_ns.items[w]) / scale);
		}
	if (!(hi > lo)) {
		fputs("\tset yrange [-1:1]\n", f);
		return;
	}
	step = fplot_step(hi - lo);
	fprintf(f, "\tset yrange [%g:%g]\n", step * floor(lo / step), step * ceil(hi / step));
}

static void put_plot(const void *what, FILE *f)
{
	const struct fan_r_series *s = what;
	const struct fan_r_curve *c = s->groups.items;
	const double scale = largest_ms(s) >= MANY_MS ? MS_PER_S : 1;
	const int64_t begin = s->t_ns.items[0], end = s->t_ns.items[s->t_ns.n - 1] + s->window_ns;

	fputs("\tset xlabel say('time (s)') offset 0,0.6\n", f);
	fprintf(f, "\tset ylabel say('CPU time owed (%s)') offset side,0\n",
		scale > 1 ? "s" : "ms");
	fputs("\tset xtics offset 0,0.3\n\tset ytics offset 0.4,0\n\tset rmargin 2\n", f);
	fprintf(f, "\tset xrange [%.6f:%.6f]\n", fplot_seconds(begin), fplot_seconds(end));
	put_range(f, s, scale);
	fputs("\tset key outside top center horizontal maxcols 3 Left reverse \\\n"
	      "\t\tsamplen 1.6 font ',7'\n"
	      "\tset xzeroaxis lc rgb 0x808080 lw 0.75 lt 1\n"
	      "\tplot \\\n",
	      f);
	for (size_t i = 0; i < drawn(s); i++) {
		fprintf(f,
			"\t\t'lag.tsv' using 1:($%zu/%g) with linespoints lc rgb 0x%s lw 1.5 "
			"\\\n\t\t\tpt %d ps dot pointinterval %zu title ",
			TABLE_NAMES + i, scale, fplot_colour(i), fplot_mark(i),
			s->t_ns.n / MARKS ? s->t_ns.n / MARKS : 1);
		fplot_put_label(f, c[i].name);
		fputs(i + 1 < drawn(s) ? ", \\\n" : "", f);
	}
	if (s->groups.n > drawn(s))
		fprintf(f,
			", \\\n\t\tNaN with lines lc rgb 0xFFFFFFFF title say('%zu more not "
			"drawn')",
			s->groups.n - drawn(s));
	fputc('\n', f);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const struct fplot_content c = {
		.page = p,
		.figure = &fplot_lag,
		.height_in = HEIGHT_IN,
		.what = &p->report->series,
		.put_data = put_data,
		.put_plot = put_plot,
	};

	return fplot_write_content(&c, dir, err);
}

const struct fplot_figure fplot_lag = {
	.name = "lag",
	.title = "Lag over time: CPU time due and not had, since the first window",
	.check = check,
	.draw = draw,
};
