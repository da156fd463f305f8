// SPDX-License-Identifier: GPL-3.0-or-later
/* The gnuplot script of the figure "series". */
#include <math.h>
#include <string.h>

#include "plot/run_values.h"
#include "plot/series_parts.h"

#define MARKS	     12	  /* of a line of more points than FEW */
#define FEW	     60	  /* points, each of which has its mark */
#define ROOM	     0.02 /* of the length of the axis, beside windows */
#define NOTE_LETTERS 20	  /* "mean, 95 % interval" */

static size_t label_letters(const struct fplot_series *s, const struct fplot_series_line *line)
{
	const char *config = line->config->label ? line->config->label : "";

	if (s->configs > 1 && s->vms > 1)
		return strlen(config) + 2 + strlen(line->vm);
	return s->configs > 1 ? strlen(config) : strlen(line->vm);
}

void fplot_series_legend(const struct fplot_series *s, size_t *entries, size_t *longest)
{
	*entries = s->drawn + s->has_means + s->has_expected + (s->n > s->drawn);
	*longest = s->has_intervals ? NOTE_LETTERS : 8;
	for (size_t i = 0; i < s->drawn; i++) {
		const size_t len = label_letters(s, &s->lines[i]);

		*longest = len > *longest ? len : *longest;
	}
}

/* "off, vm1"; one of the two alone where the other is the same for all. */
static void put_label(FILE *f, const struct fplot_series *s, const struct fplot_series_line *line)
{
	if (s->configs > 1 && s->vms > 1) {
		fplot_put_label(f, line->config->label);
		fputs(".', '.", f);
		fplot_put_label(f, line->vm);
		return;
	}
	fplot_put_label(f, s->configs > 1 ? line->config->label : line->vm);
}

static void put_x_axis(FILE *f, const struct fplot_series *s)
{
	const double length = s->to - s->from;
	const double room = s->is_windows ? ROOM * length : 0.4, step = fplot_step(length);

	fprintf(f, "\tset xrange [%.10g:%.10g]\n", s->from - room, s->to + room);
	fprintf(f, "\tset xtics %g offset 0,0.3\n", s->is_windows ? step : fmax(1, step));
	fprintf(f, "\tset xlabel say('%s') offset 0,0.6\n", s->is_windows ? "window" : "run");
}

/* Whole steps around all that is drawn; shares and times do not go below 0, nor shares over 100. */
static void put_y_axis(FILE *f, const struct fplot_series *s)
{
	const double range = s->hi > s->lo ? s->hi - s->lo : fmax(fabs(s->hi), 1);
	const double step = fplot_step(range);
	double lo = step * floor(s->lo / step), hi = step * ceil(s->hi / step);

	lo = lo < s->hi ? lo : lo - step;
	hi = hi > s->lo && hi > lo ? hi : hi + step;
	if (s->lo >= 0)
		lo = fmax(lo, 0);
	if (s->is_windows && s->hi <= 100)
		hi = fmin(hi, 100);
	hi = hi > lo ? hi : lo + step;
	fprintf(f, "\tset yrange [%.10g:%.10g]\n\tset ytics %.10g offset 0.4,0\n", lo, hi, step);
	if (s->is_windows)
		fputs("\tset ylabel say('share (%)') offset side,0\n", f);
	else
		fplot_put_value_axis(f, s->unit, hi);
}

/* What was due lies below the values. */
static void put_expected(FILE *f, const struct fplot_series *s)
{
	for (size_t i = 0; s->has_expected && i < s->drawn; i++)
		fprintf(f,
			"\t\t'series-means.tsv' every ::%zu::%zu using 1:7:($3-$1):(0) with "
			"vectors "
			"\\\n\t\t\tnohead lc rgb darker(0x%s) lw 1 dt (6,4) notitle, \\\n",
			i, i, fplot_colour(i));
}

static void put_lines(FILE *f, const struct fplot_series *s)
{
	const size_t each = s->most > FEW ? s->most / MARKS : 1;

	for (size_t i = 0; i < s->drawn; i++) {
		fprintf(f,
			"\t\t'series.tsv' index %zu using 1:2 with linespoints lc rgb 0x%s lw 0.75 "
			"\\\n\t\t\tpt %d ps dot*1.2 pointinterval %zu title ",
			i, fplot_colour(i), fplot_mark(i), each);
		put_label(f, s, &s->lines[i]);
		fputs(", \\\n", f);
	}
}

/* A mean goes through all values to its interval beside them. */
static void put_means(FILE *f, const struct fplot_series *s)
{
	for (size_t i = 0; s->has_means && i < s->drawn; i++)
		fprintf(f,
			"\t\t'series-means.tsv' every ::%zu::%zu using 1:4:($3-$1):(0) with "
			"vectors "
			"\\\n\t\t\tnohead lc rgb darker(0x%s) lw 1.5 notitle, \\\n"
			"\t\t'' every ::%zu::%zu using 3:5:(0):($6-$5) with vectors heads \\\n"
			"\t\t\tsize graph 0.01,90 lc rgb darker(0x%s) lw 1 notitle, \\\n",
			i, i, fplot_colour(i), i, i, fplot_colour(i));
}

static void put_notes(FILE *f, const struct fplot_series *s)
{
	if (s->has_means)
		fprintf(f, "\t\tNaN with lines lc rgb 0x404040 lw 1.5 title say('mean%s'), \\\n",
			s->has_intervals ? ", interval" : "");
	if (s->has_expected)
		fputs("\t\tNaN with lines lc rgb 0x404040 lw 1 dt (6,4) title say('expected'), "
		      "\\\n",
		      f);
	if (s->n > s->drawn)
		fprintf(f, "\t\tNaN with lines lc rgb 0xFFFFFFFF title say('%zu more'), \\\n",
			s->n - s->drawn);
	fputs("\t\tNaN notitle\n", f);
}

void fplot_series_put_plot(const void *what, FILE *f)
{
	const struct fplot_series *s = what;

	put_x_axis(f, s);
	put_y_axis(f, s);
	fputs("\tdarker(c) = (c & 0xFEFEFE) >> 1\n\tset rmargin 2\n", f);
	fplot_put_key(f, &s->legend, "samplen 1.6");
	fputs("\tplot \\\n", f);
	put_expected(f, s);
	put_means(f, s);
	put_lines(f, s);
	put_notes(f, s);
}
