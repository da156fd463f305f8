// SPDX-License-Identifier: GPL-3.0-or-later
/* The gnuplot script of the share figure. It draws from the two .tsv files and runs alone. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plot/figure.h"
#include "plot/share_parts.h"

#define HEIGHT_IN     2.3  /* with a legend of two rows */
#define LEGEND_ROW_IN 0.13 /* each further row makes the figure higher, not the curves lower */

static void put_flags(FILE *f, uint32_t flags)
{
	const char *before = "; ";

	for (unsigned int i = 0; i < FAN_EST_FLAGS; i++) {
		if (!(flags & 1U << i))
			continue;
		fprintf(f, "%s%s", before, fan_est_flag_name(1U << i));
		before = ", ";
	}
}

static void put_percent(FILE *f, const char *before, double v)
{
	if (isfinite(v))
		fprintf(f, "%s%.2f %%", before, v);
	else
		fprintf(f, "%sunknown", before);
}

static void put_group_comment(FILE *f, const struct fplot_share_data *s, size_t i)
{
	const struct fan_r_group *g = fplot_share_group(s, i);

	fputs("#   ", f);
	fplot_put_text(f, s->curves[i].name, "\\`");
	if (!g) {
		fputs(": not among the groups\n", f);
		return;
	}
	put_percent(f, ": ", g->share.value);
	put_percent(f, ", expected ", g->expected_pct);
	if (isfinite(g->share.lo) && isfinite(g->share.hi))
		fprintf(f, ", %g %% interval %.2f to %.2f %%", 100 * g->share.level, g->share.lo,
			g->share.hi);
	fprintf(f, "; %s, n=%" PRIu64, g->share.method ? g->share.method : "no interval",
		g->share.n);
	put_flags(f, g->share.flags);
	fputc('\n', f);
}

/* What a reader of the figure needs to trace it back. */
static void put_head(FILE *f, const struct fplot_share_data *s)
{
	const struct fan_report *r = s->r;
	const int64_t *t = r->series.t_ns.items;

	fputs("# Share of the CPU over time. To draw it again: gnuplot share.gp\n"
	      "# or in other formats: gnuplot -e \"formats='png pdf'\" share.gp\n#\n",
	      f);
	fplot_put_origin(f, s->page);
	fprintf(f, "# windows:  %zu of %g ms, from %.6g s to %.6g s of the trace\n", s->windows,
		1e3 * fplot_seconds(r->series.window_ns), fplot_seconds(t[0]),
		fplot_seconds(t[s->windows - 1] + r->series.window_ns));
	if (s->span)
		fprintf(f, "# mean:     of %zu windows around each (fewer at the ends)\n", s->span);
	fputs("# groups:   share of the whole run, by which the bands are drawn\n", f);
	for (size_t i = 0; i < s->n; i++)
		put_group_comment(f, s, i);
}

struct range {
	double lo, hi;
};

static void widen(struct range *y, double v)
{
	if (isfinite(v) && v < y->lo)
		y->lo = v;
	if (isfinite(v) && v > y->hi)
		y->hi = v;
}

/* Whole tens around all that is drawn, within 0 .. 100; all of it for a line of hundreds. */
static struct range y_range(const struct fplot_share_data *s)
{
	struct range y = { 100, 0 };

	for (size_t i = 0; i < s->drawn; i++) {
		const struct fan_r_group *g = fplot_share_group(s, i);

		for (size_t w = 0; w < s->windows; w++) {
			widen(&y, s->curves[i].share.items[w]);
			widen(&y, s->curves[i].expected.items[w]);
		}
		if (g) {
			widen(&y, g->share.lo);
			widen(&y, g->share.hi);
		}
	}
	y.lo = fmax(0, 10 * floor((y.lo - 1) / 10));
	y.hi = fmin(100, 10 * ceil((y.hi + 1) / 10));
	if (y.lo >= y.hi || s->n == 1)
		y = (struct range){ 0, 100 };
	return y;
}

/* The level of the intervals; 0: no group that is drawn has one. */
static double band_level(const struct fplot_share_data *s)
{
	for (size_t i = 0; i < s->drawn; i++) {
		const struct fan_r_group *g = fplot_share_group(s, i);

		if (g && isfinite(g->share.lo) && isfinite(g->share.hi))
			return g->share.level;
	}
	return 0;
}

struct legend {
	size_t columns, rows;
};

/* As many columns as the longest text lets stand side by side. */
static struct legend legend_of(const struct fplot_share_data *s)
{
	const size_t entries = s->drawn + 2 + (s->span != 0) + (s->n > s->drawn) +
			       (band_level(s) > 0);
	size_t longest = 17; /* "mean of 7 windows" */
	struct legend l;

	for (size_t i = 0; i < s->drawn; i++) {
		const size_t len = s->curves[i].name ? strlen(s->curves[i].name) : 1;

		if (len > longest)
			longest = len < FPLOT_NAME_MAX_CHARS ? len : FPLOT_NAME_MAX_CHARS;
	}
	l.columns = (size_t)(s->page->width_in / (0.3 + 0.055 * (double)longest));
	l.rows = (entries + l.columns - 1) / l.columns;
	return l;
}

static double height_of(const struct fplot_share_data *s)
{
	const size_t rows = legend_of(s).rows;

	return HEIGHT_IN + (rows > 2 ? LEGEND_ROW_IN * (double)(rows - 2) : 0);
}

static void put_names(FILE *f, const struct fplot_share_data *s)
{
	fprintf(f, "\ngroups = %zu\narray name[groups]\narray colour[groups]\narray mark[groups]\n",
		s->drawn);
	for (size_t i = 0; i < s->drawn; i++) {
		fprintf(f, "name[%zu] = ", i + 1);
		fplot_put_quoted(f, s->curves[i].name, FPLOT_NAME_MAX_CHARS);
		fprintf(f, "; colour[%zu] = 0x%s; mark[%zu] = %d\n", i + 1, fplot_colour(i), i + 1,
			fplot_mark(i));
	}
}

static void put_axes(FILE *f, const struct fplot_share_data *s)
{
	const struct fan_r_series *of = &s->r->series;
	const struct range y = y_range(s);

	fprintf(f, "\nbegin = %.6f  # seconds\nend = %.6f\nwindow = %.6f\n",
		fplot_seconds(of->t_ns.items[0]),
		fplot_seconds(of->t_ns.items[s->windows - 1] + of->window_ns),
		fplot_seconds(of->window_ns));
	fputs("middle(t) = t + window / 2\n"
	      "clear(c) = c + 0x90000000  # the colour, mostly transparent\n"
	      "paler(c) = c + 0xC8000000\n"
	      "darker(c) = (c & 0xFEFEFE) >> 1\n",
	      f);
	fprintf(f,
		"share(i) = 2 + %zu * (i - 1)  # columns of share.tsv\n"
		"expected(i) = share(i) + 1\nheavy(i) = share(i)%s\n\n",
		s->stride, s->span ? " + 2" : "");
	fputs("reset\n", f);
	fplot_put_text_function(f);
	fplot_put_encoding(f, s->page);
	fputs("set datafile separator \"\\t\"\n"
	      "set border 3 lw 0.75\n"
	      "set tics nomirror out scale 0.5\n"
	      "set xlabel 'time (s)' offset 0,0.6\n"
	      "set xtics offset 0,0.3\n"
	      "set ytics offset 0.4,0\n"
	      "set rmargin 2\n"
	      "set xrange [begin:end]\n",
	      f);
	fprintf(f,
		"set yrange [%g:%g]\n"
		"set key outside top center horizontal maxcols %zu Left reverse \\\n"
		"\tsamplen 1.6 font ',7'\n"
		"set style fill solid noborder\n",
		y.lo, y.hi, legend_of(s).columns);
}

static void put_legend(FILE *f, const struct fplot_share_data *s, double level)
{
	const double ms = 1e3 * fplot_seconds(s->r->series.window_ns);

	fputs("\t\tNaN with lines lc rgb 0x404040 lw 1 dt (6,4) title say('expected')", f);
	if (level > 0)
		fprintf(f,
			", \\\n\t\tNaN with boxes fc rgb paler(0x404040) title say('%g %% "
			"interval')",
			100 * level);
	if (s->span)
		fprintf(f,
			", \\\n\t\tNaN with lines lc rgb clear(0x404040) lw 0.5 "
			"title '%g ms window', \\\n\t\tNaN with lines lc rgb 0x404040 lw 1.5 "
			"title 'mean of %zu windows'",
			ms, s->span);
	else
		fprintf(f, ", \\\n\t\tNaN with lines lc rgb 0x404040 lw 1.5 title '%g ms window'",
			ms);
	if (s->n > s->drawn)
		fprintf(f, ", \\\n\t\tNaN with lines lc rgb 0xFFFFFFFF title '%zu more not drawn'",
			s->n - s->drawn);
	fputc('\n', f);
}

/* Bands first, then the dense lines, so that the few heavy and the dashed ones lie on top. */
static void put_plot(FILE *f, const struct fplot_share_data *s)
{
	const double level = band_level(s);
	const size_t marked = s->windows / 8 ? s->windows / 8 : 1;

	fputs("\ndo for [format in formats] {\n", f);
	fplot_put_terminals(f);
	fplot_put_output(f, "share");
	fputs("\tset ylabel say('share of CPU time (%)') offset side,0\n"
	      "\tplot \\\n",
	      f);
	if (level > 0)
		fputs("\t\tfor [i=1:groups] 'share-groups.tsv' every ::i-1::i-1 \\\n"
		      "\t\t\tusing (begin):3:(begin):(end):4:5 \\\n"
		      "\t\t\twith boxxyerror fc rgb paler(colour[i]) notitle, \\\n",
		      f);
	if (s->span)
		fputs("\t\tfor [i=1:groups] 'share.tsv' using (middle($1)):(column(share(i))) \\\n"
		      "\t\t\twith lines lc rgb clear(colour[i]) lw 0.5 notitle, \\\n",
		      f);
	fprintf(f,
		"\t\tfor [i=1:groups] 'share.tsv' using (middle($1)):(column(heavy(i))) \\\n"
		"\t\t\twith linespoints lc rgb colour[i] lw 1.5 pt mark[i] ps dot \\\n"
		"\t\t\tpointinterval %zu title say(name[i]), \\\n"
		"\t\tfor [i=1:groups] 'share.tsv' using (middle($1)):(column(expected(i))) \\\n"
		"\t\t\twith lines lc rgb darker(colour[i]) lw 1 dt (6,4) notitle, \\\n",
		marked);
	put_legend(f, s, level);
	fputs("\tunset output\n}\n", f);
}

int fplot_share_put_script(const void *what, FILE *f)
{
	const struct fplot_share_data *s = what;

	put_head(f, s);
	fplot_put_size(f, s->page, height_of(s));
	put_names(f, s);
	put_axes(f, s);
	put_plot(f, s);
	return 0;
}
