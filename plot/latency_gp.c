// SPDX-License-Identifier: GPL-3.0-or-later
/* The gnuplot script of the figure "latency". */
#include <math.h>

#include "plot/latency_parts.h"

#define ROOM	   1.25	    /* beside the curves */
#define LABELS_MAX 7	    /* of decades that have room side by side */
#define FEW	   100	    /* hi over lo: up to here 1, 2 and 5 of each decade have a label */
#define TOP_MIN	   2.3	    /* the axis shows 99 % and a little more */
#define MANY	   10000    /* waits: from here on labels such as 99.99 are wide */
#define LEAST_MS   0.000001 /* one nanosecond */

/* What the axis is to show, in ms. */
struct range {
	double lo, hi;
};

static struct range range_of(const struct fplot_latency *l)
{
	const double hi = fmax(l->hi_ms, LEAST_MS), lo = fmin(l->lo_ms, hi);
	/* a decade at least, in which there always is something to label */
	const double room = fmax(ROOM, sqrt(10 * lo / hi));

	return (struct range){ lo / room, hi * room };
}

/* "10 us" of a time in ms that is 1, 2 or 5 times a power of ten. */
static void put_time(FILE *f, double ms)
{
	static const struct {
		const char *name;
		double ms;
	} units[] = { { "'s'", 1e3 }, { "'ms'", 1 }, { "us", 1e-3 }, { "'ns'", 1e-6 } };
	size_t i = 0;

	while (i < 3 && ms < units[i].ms * 0.999)
		i++;
	fprintf(f, "'%.3g '.%s %.4g", ms / units[i].ms, units[i].name, ms);
}

/* Is this one of the names of units: 1 s, 1 ms, 1 us, 1 ns? */
static bool is_unit(int decade)
{
	return decade % 3 == 0;
}

/* Marks at the decades, of which those have labels that there is room for. */
static void put_time_axis(FILE *f, const struct fplot_latency *l)
{
	static const int within[] = { 1, 2, 5 };
	const struct range x = range_of(l);
	const int first = (int)floor(log10(x.lo)), last = (int)floor(log10(x.hi));
	const size_t each = x.hi / x.lo <= FEW ? 3 : 1;
	const char *before = "\tset xtics (";

	fputs("\tus = format eq 'tex' ? '$\\mu$s' : 'us'\n", f);
	fprintf(f, "\tset logscale x 10\n\tset xrange [%.4g:%.4g]\n", x.lo, x.hi);
	for (int decade = first; decade <= last; decade++)
		for (size_t i = 0; i < each; i++) {
			const double at = within[i] * pow(10, decade);

			if (at < x.lo || at > x.hi)
				continue;
			fputs(before, f);
			before = ", ";
			if (last - first <= LABELS_MAX || is_unit(decade))
				put_time(f, at);
			else
				fprintf(f, "'' %.4g", at);
		}
	fputs(") offset 0,0.3 font ',7'\n\tset xlabel say('wait for a CPU') offset 0,0.6\n", f);
}

/*
 * Up to 90 % the axis is linear; from there on each nine (99, 99.9, ...) is as long as the one
 * before, and 90 % is where the two meet with the same slope: 1 / (10 ln 10) a percent.
 */
static void put_percent_axis(FILE *f, const struct fplot_latency *l)
{
	const double linear = 90 / (10 * log(10));
	const double top = fmax(log10(l->most) + 0.3, TOP_MIN) - 1 + linear;

	fprintf(f,
		"\ttop = %.3f\n"
		"\tlevel(p) = p >= 100 ? top : p <= 90 ? %.6f*p : %.6f-1-log10(1-p/100.0)\n"
		"\tset yrange [0:top]\n"
		"\tset ytics (0, '25' level(25), '50' level(50), '75' level(75), \\\n"
		"\t\t'95' level(95), '99' level(99)",
		top, linear / 90, linear);
	for (int nines = 3; linear - 1 + nines <= top; nines++)
		fprintf(f, ", '%.*f' %.3f", nines - 2, 100 - pow(10, 2 - nines),
			linear - 1 + nines);
	fprintf(f,
		") offset 0.4,0 font ',7'\n"
		"\tset ylabel say('waits no longer than that (%%)') offset %s,0\n"
		"\tset grid ytics lc rgb 0xD8D8D8 lw 0.5 lt 1\n",
		l->most >= MANY ? "side-0.8" : "side");
}

static void put_groups(FILE *f, const struct fplot_latency *l)
{
	const struct fan_array *groups = &l->page->report->histograms;
	const size_t drawn = groups->n < FPLOT_GROUPS ? groups->n : FPLOT_GROUPS;

	fprintf(f, "\tarray colour[%zu]\n\tarray mark[%zu]\n", drawn, drawn);
	for (size_t i = 0; i < drawn; i++)
		fprintf(f, "\tcolour[%zu] = 0x%s; mark[%zu] = %d\n", i + 1, fplot_colour(i), i + 1,
			fplot_mark(i));
}

/* Thin lines only where they are not the same as that of their group. */
static bool is_thin(const struct fplot_latency_line *line)
{
	return line->vcpu && line->group->vcpus.n > 1;
}

static void put_curves(FILE *f, const struct fplot_latency *l)
{
	const char *file = "'latency.tsv'";

	fputs("\tplot \\\n", f);
	for (size_t i = 0; i < l->n; i++) {
		const struct fplot_latency_line *line = &l->lines[i];

		if (line->number >= FPLOT_GROUPS || (line->vcpu && !is_thin(line)))
			continue;
		fprintf(f, "\t\t%s index %zu using (at($1)):(level($3)) with steps \\\n", file, i);
		fprintf(f, "\t\t\tlc rgb %s0x%s lw %s notitle, \\\n",
			line->vcpu ? "0x80000000+" : "", fplot_colour(line->number),
			line->vcpu ? "0.5" : "1.5");
		file = "''";
	}
	for (int k = 0; k < 3; k++)
		fprintf(f,
			"\t\t'latency-percentiles.tsv' using ($1 < 0 ? NaN : at($%d)):"
			"(level(%d)): \\\n"
			"\t\t\t($1 < 0 ? 0 : mark[$1+1]):($1 < 0 ? 0 : colour[$1+1]) \\\n"
			"\t\t\twith points pt variable ps dot*1.4 lc rgb variable notitle, \\\n",
			2 + k,
			k == 0	 ? 50
			: k == 1 ? 95
				 : 99);
}

static void put_legend(FILE *f, const struct fplot_latency *l)
{
	const struct fan_array *groups = &l->page->report->histograms;
	const struct fan_r_group_waits *g = groups->items;
	const size_t drawn = groups->n < FPLOT_GROUPS ? groups->n : FPLOT_GROUPS;

	for (size_t i = 0; i < drawn; i++) {
		fprintf(f, "\t\tNaN with linespoints lc rgb 0x%s lw 1.5 pt %d ps dot*1.4 title ",
			fplot_colour(i), fplot_mark(i));
		fplot_put_label(f, g[i].name);
		fputs(g[i].waits.count.n ? ", \\\n" : ".say(': none'), \\\n", f);
	}
	if (l->has_vcpus)
		fputs("\t\tNaN with lines lc rgb 0x80000000+0x404040 lw 0.5 title "
		      "say('single vCPUs'), \\\n",
		      f);
	if (groups->n > drawn)
		fprintf(f, "\t\tNaN with lines lc rgb 0xFFFFFFFF title say('%zu more'), \\\n",
			groups->n - drawn);
	fputs("\t\tNaN with points pt 7 ps dot*1.4 lc rgb 0x404040 title say('50, 95, 99 %')\n", f);
}

void fplot_latency_put_plot(const void *what, FILE *f)
{
	const struct fplot_latency *l = what;

	put_time_axis(f, l);
	put_percent_axis(f, l);
	fputs("\tset rmargin 3\n", f);
	/* what is further left, 0 too, is at the left end of the axis */
	fprintf(f, "\tat(ms) = ms > %.4g ? ms : %.4g\n", range_of(l).lo, range_of(l).lo);
	put_groups(f, l);
	fplot_put_key(f, &l->legend, "samplen 1.6");
	put_curves(f, l);
	put_legend(f, l);
}
