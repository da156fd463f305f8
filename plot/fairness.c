// SPDX-License-Identifier: GPL-3.0-or-later
/* The figure "fairness": Jain's index and the error of the shares against the length of windows. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "plot/set.h"

#define HEIGHT_IN 2.6
#define MS_PER_S  1000.0

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_r_fairness *fair = &p->report->fairness;
	const struct fan_r_fair_scale *s = fair->by_window.items;

	for (size_t i = 0; i < fair->by_window.n; i++)
		if (s[i].window_ns > 0 && isfinite(s[i].jain))
			return 0;
	return fcap_fail(err, EINVAL,
			 "in no window two groups were due something, so there is no fairness "
			 "between them");
}

static int put_data(const void *what, FILE *f)
{
	const struct fan_r_fairness *fair = what;
	const struct fan_r_fair_scale *s = fair->by_window.items;

	fputs("# window_ms\twindows\tjain\tfair_pct\trms_pp\tzero_windows\n", f);
	for (size_t i = 0; i < fair->by_window.n; i++) {
		fprintf(f, "%.6g\t%" PRId64, MS_PER_S * fplot_seconds(s[i].window_ns),
			s[i].windows);
		fplot_put_real(f, s[i].jain, 6);
		fplot_put_real(f, s[i].fair_pct, 4);
		fplot_put_real(f, s[i].rms_pp, 4);
		fprintf(f, "\t%" PRId64 "\n", s[i].zero_windows);
	}
	return 0;
}

/* Half a decade of room, or one, around the lengths. */
static void put_range(FILE *f, const struct fan_r_fairness *fair)
{
	const struct fan_r_fair_scale *s = fair->by_window.items;
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < fair->by_window.n; i++) {
		const double ms = MS_PER_S * fplot_seconds(s[i].window_ns);

		if (!(ms > 0))
			continue;
		lo = fmin(lo, ms);
		hi = fmax(hi, ms);
	}
	fprintf(f, "\tset xrange [%g:%g]\n", lo / 1.5, hi * 1.5);
}

static double most_rms(const struct fan_r_fairness *fair)
{
	const struct fan_r_fair_scale *s = fair->by_window.items;
	double ret = 0;

	for (size_t i = 0; i < fair->by_window.n; i++)
		if (isfinite(s[i].rms_pp))
			ret = fmax(ret, s[i].rms_pp);
	return ret;
}

/* Nobody off by anything is a line at 0, not an axis without a range. */
static void put_rms_axis(FILE *f, const struct fan_r_fairness *fair)
{
	const double most = most_rms(fair);

	if (most > 0)
		fprintf(f, "\tset yrange [0:*]\n\tset ytics %g\n", fplot_step(most));
	else
		fputs("\tset yrange [0:1]\n\tset ytics 1\n", f);
}

/* What begins the plot of a panel: a line, as gnuplot draws arrows in but one panel of an SVG as
 * they should be. */
static void put_horizon(FILE *f, const struct fan_r_fairness *fair, const char *title)
{
	fputs("\tplot ", f);
	if (fair->horizon_ns != FAN_NONE)
		fprintf(f,
			"'+' using (%g):($0) axes x1y2 with lines lc rgb 0x808080 lw 0.75 dt (6,4) "
			"\\\n\t\t\t%s, \\\n\t\t",
			MS_PER_S * fplot_seconds(fair->horizon_ns), title);
}

/* By margins, not by sizes: the picture that LaTeX takes in has the size of the last panel. */
static void put_plot(const void *what, FILE *f)
{
	const struct fan_r_fairness *fair = what;

	fputs("\tset logscale x 10\n", f);
	put_range(f, fair);
	fputs("\tset lmargin 8\n\tset rmargin 2\n\tset ytics offset 0.4,0\n"
	      "\tset multiplot\n"
	      "\tset tmargin at screen 1-0.08/height\n\tset bmargin at screen 0.56\n"
	      "\tset format x ''\n\tset xlabel ''\n"
	      "\tset ylabel say('Jain index') offset side,0\n"
	      "\tset yrange [0:1.05]\n\tset ytics 0.5\n"
	      "\tset y2range [0:1]\n\tset samples 2\n"
	      "\tset key bottom right opaque samplen 1.6 font ',7' spacing 0.9\n",
	      f);
	put_horizon(f, fair, "title say('95 % of windows are fair')");
	fputs("'fairness.tsv' using 1:3 with linespoints lc rgb 0x0072B2 lw 1.5 pt 7 ps "
	      "dot notitle",
	      f);
	fputs("\n\tunset key\n"
	      "\tset tmargin at screen 0.5\n\tset bmargin at screen 0.4/height\n"
	      "\tset format x '%g'\n\tset xtics offset 0,0.3\n"
	      "\tset xlabel say('length of the windows (ms)') offset 0,0.6\n"
	      "\tset ylabel say('rms error (points)') offset side,0\n",
	      f);
	put_rms_axis(f, fair);
	put_horizon(f, fair, "notitle");
	fputs("'fairness.tsv' using 1:5 with linespoints lc rgb 0xD55E00 lw 1.5 pt 5 ps "
	      "dot notitle\n"
	      "\tunset multiplot\n",
	      f);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const struct fplot_content c = {
		.page = p,
		.figure = &fplot_fairness,
		.height_in = HEIGHT_IN,
		.what = &p->report->fairness,
		.put_data = put_data,
		.put_plot = put_plot,
	};

	return fplot_write_content(&c, dir, err);
}

const struct fplot_figure fplot_fairness = {
	.name = "fairness",
	.title = "Jain's index and the rms error of the shares, by the length of windows",
	.check = check,
	.draw = draw,
};
