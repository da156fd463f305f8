// SPDX-License-Identifier: GPL-3.0-or-later
/* The script of the figure "timeline"; its table is that of timeline.c. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plot/stack.h"
#include "plot/timeline_parts.h"

#define HATCH_IN  0.045
#define SEAM_IN	  0.003
#define BESIDE_IN 0.5	     /* of the lanes, about */
#define SHORT_NS  1000000000 /* a shorter period is in ms */
#define REST_NAME "other groups"
#define REST_FILL "solid 1 noborder fc rgb 0xCC79A7"

const struct fplot_timeline_look fplot_timeline_kinds[FPLOT_TIMELINE_KINDS] = {
	[FPLOT_HOST] = { "other_pct", "host", "solid 1 noborder fc rgb 0xB8B8B8" },
	[FPLOT_UNKNOWN] = { "unknown_pct", "unknown", "solid 1 noborder fc rgb 0x303030" },
	[FPLOT_FORCED] = { "forced_idle_pct", "forced idle",
			   "pattern 4 border lc rgb 0x606060 fc rgb 0x606060" },
	[FPLOT_IDLE] = { "idle_pct", "idle", "solid 1 noborder fc rgb 0xECECEC" },
	[FPLOT_VIOLATION] = { "violation_pct", "violation", "solid 1 noborder fc rgb 0xD00000" },
	[FPLOT_UNRESOLVED] = { "unresolved_pct", "unresolved", "solid 1 noborder fc rgb 0xF4A582" },
};

static bool occurs(const struct fan_ints *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i] > 0)
			return true;
	return false;
}

static size_t coloured(const struct fplot_timeline *t)
{
	const size_t n = t->page->report->groups.n;

	return n < FPLOT_FILLS ? n : FPLOT_FILLS;
}

static bool is_coloured(const struct fplot_timeline *t, const char *name)
{
	const struct fan_r_group *g = t->page->report->groups.items;

	for (size_t k = 0; k < coloured(t); k++)
		if (g[k].name && name && strcmp(g[k].name, name) == 0)
			return true;
	return false;
}

static void look_at_lane(struct fplot_timeline *t, const struct fan_r_lane *lane)
{
	const struct fan_r_bins *g = lane->groups.items;

	t->occurs[FPLOT_HOST] |= occurs(&lane->other_ns);
	t->occurs[FPLOT_UNKNOWN] |= occurs(&lane->unknown_ns);
	t->occurs[FPLOT_FORCED] |= occurs(&lane->forced_idle_ns);
	t->occurs[FPLOT_IDLE] |= occurs(&lane->idle_ns);
	for (size_t i = 0; i < lane->groups.n; i++)
		t->has_rest |= !is_coloured(t, g[i].name);
}

static const char *name_of(const struct fplot_timeline *t, size_t kind)
{
	return kind == FPLOT_FORCED && t->page->report->isolation.forced_idle.upper_bound
		       ? "forced idle, at most"
		       : fplot_timeline_kinds[kind].name;
}

static size_t longer(size_t length, const char *name)
{
	const size_t n = name ? strlen(name) : 1;

	return n > length ? n : length;
}

void fplot_lay_out_timeline(struct fplot_timeline *t)
{
	const struct fan_report *r = t->page->report;
	const struct fan_r_group *g = r->groups.items;
	const struct fan_r_lane *lane = r->occupancy.cpus.items;
	const struct fan_r_shared_core *core = r->occupancy.cores.items;
	size_t entries, longest;

	for (size_t i = 0; i < r->occupancy.cpus.n; i++)
		look_at_lane(t, &lane[i]);
	for (size_t i = 0; i < r->occupancy.cores.n; i++) {
		t->occurs[FPLOT_VIOLATION] |= occurs(&core[i].violation_ns);
		t->occurs[FPLOT_UNRESOLVED] |= occurs(&core[i].unresolved_ns);
	}
	entries = coloured(t) + t->has_rest;
	longest = t->has_rest ? strlen(REST_NAME) : 0;
	for (size_t k = 0; k < coloured(t); k++)
		longest = longer(longest, g[k].name);
	for (size_t k = 0; k < FPLOT_TIMELINE_KINDS; k++) {
		entries += t->occurs[k];
		longest = t->occurs[k] ? longer(longest, name_of(t, k)) : longest;
	}
	t->legend = fplot_legend_of(entries, longest, t->page->width_in);
}

/* --- the axes --- */

/* The axis of time. */
struct axis {
	double unit, lo, hi; /* of a second; what is shown, in that */
	double wide_in;
};

static struct axis axis_of(const struct fplot_timeline *t)
{
	const struct fan_report *r = t->page->report;
	const int64_t begin = r->occupancy.t_ns.items[0], end = r->period.end_ns;
	const double unit = end - begin < SHORT_NS ? 1e3 : 1;

	return (struct axis){ .unit = unit,
			      .lo = unit * fplot_seconds(begin),
			      .hi = unit * fplot_seconds(end),
			      .wide_in = t->page->width_in - BESIDE_IN };
}

static void put_time(FILE *f, const struct axis *x)
{
	fprintf(f,
		"\t# each box reaches a little into the next one, or there would be seams\n"
		"\tt(c) = %g*column(c)\n"
		"\tend(c) = t(c)+%.3g\n"
		"\tset xrange [%.9g:%.9g]\n"
		"\tset xtics offset 0,0.3\n"
		"\tset xlabel say('time (%s)') offset 0,0.6\n",
		x->unit, SEAM_IN * (x->hi - x->lo) / x->wide_in, x->lo, x->hi,
		x->unit > 1 ? "ms" : "s");
}

/* Lines at 45 degrees, HATCH_IN apart; $1 of '+' leads from the first to the last. */
static void put_hatching(FILE *f, const struct axis *x, double lane_in)
{
	fprintf(f,
		"\t# hatching: lines that begin at the top of a lane, and which part of each is "
		"seen\n"
		"\tset samples %d\n"
		"\tdx = %.6g\n"
		"\tat(x) = x-dx*(%.9g-x)/%.9g\n"
		"\tfrom(x) = at(x) < %.9g ? (%.9g-at(x))/dx+0.02 : 0.02\n"
		"\tupto(x) = at(x)+dx > %.9g ? (%.9g-at(x))/dx-0.02 : 0.98\n",
		(int)((x->wide_in + lane_in) / HATCH_IN), lane_in * (x->hi - x->lo) / x->wide_in,
		x->hi, x->hi - x->lo, x->lo, x->lo, x->hi, x->hi);
}

static void put_cpus(FILE *f, const struct fplot_timeline *t)
{
	const struct fan_r_occupancy *o = &t->page->report->occupancy;
	const struct fan_r_lane *lane = o->cpus.items;

	fputs("\tset ytics (", f);
	for (size_t i = 0; i < o->cpus.n; i++)
		fprintf(f, "%s'%" PRId64 "' %.2f",
			i == 0	     ? ""
			: i % 8 == 0 ? ", \\\n\t\t"
				     : ", ",
			lane[i].cpu, t->places[i].y - 0.5);
	fputs(") scale 0 font ',7'\n\tset ylabel say('CPU", f);
	if (o->left_out > 0)
		fprintf(f, ", %zu of %" PRId64, o->cpus.n, (int64_t)o->cpus.n + o->left_out);
	fprintf(f, "') offset side,0\n\tset yrange [%.2f:-0.1]\n", t->height + 0.1);
}

/* --- what is drawn --- */

/* The sum of the columns from first to last, from 1 on, as a box from low to high. */
static void put_boxes(FILE *f, const char *before, size_t first, size_t last, const char *fill)
{
	fprintf(f,
		"%s using (any(%zu,%zu)):1:(t(4)):(end(5)):1:($1-to(%zu)) \\\n"
		"\t\t\twith boxxyerror fs %s notitle, \\\n",
		before, first, last, last, fill);
}

/*
 * Idle time hangs from the top. What is forced is seen between it and the rest: there the lanes are
 * hatched, each with lines of its own, as patterns look different in every format.
 */
static void put_idle(FILE *f, const struct fplot_timeline *t)
{
	const size_t column = t->page->report->groups.n + FPLOT_TIMELINE_FIRST + FPLOT_IDLE;
	const size_t n = t->page->report->occupancy.cpus.n;

	if (t->occurs[FPLOT_FORCED]) {
		fputs("\t\tfor [y in '", f);
		for (size_t i = 0; i < n; i++)
			fprintf(f, "%s%.2f", i ? " " : "", t->places[i].y);
		fputs("'] '+' using \\\n"
		      "\t\t\t(from($1) < upto($1) ? at($1)+from($1)*dx : NaN):(y-1+from($1)): \\\n"
		      "\t\t\t(dx*(upto($1)-from($1))):(upto($1)-from($1)) \\\n"
		      "\t\t\twith vectors nohead lc rgb 0x707070 lw 0.5 notitle, \\\n",
		      f);
	}
	fprintf(f,
		"\t\t'timeline.tsv' using (any(%zu,%zu)):1:(t(4)):(end(5)):($1-1): \\\n"
		"\t\t\t($1-1+column(%zu)/100) with boxxyerror fs %s notitle, \\\n",
		column, column, column, fplot_timeline_kinds[FPLOT_IDLE].fill);
}

/* From the highest to the lowest: each covers what is below it, so that no seam shows. */
static void put_lanes(FILE *f, const struct fplot_timeline *t)
{
	const size_t n = t->page->report->groups.n, first = FPLOT_TIMELINE_FIRST;
	char fill[48];

	put_idle(f, t);
	for (size_t k = FPLOT_UNKNOWN + 1; k-- > 0;)
		if (t->occurs[k])
			put_boxes(f, "\t\t''", first + n + k, first + n + k,
				  fplot_timeline_kinds[k].fill);
	if (t->has_rest)
		put_boxes(f, "\t\t''", first + coloured(t), first + n - 1, REST_FILL);
	for (size_t k = coloured(t); k-- > 0;) {
		snprintf(fill, sizeof(fill), "solid 1 noborder fc rgb 0x%s", fplot_fill(k));
		put_boxes(f, "\t\t''", first + k, first + k, fill);
	}
}

/* Violation from below, unresolved on top of it: painted before. */
static void put_strips(FILE *f, const struct fplot_timeline *t)
{
	const size_t first = t->page->report->groups.n + FPLOT_TIMELINE_FIRST;
	const size_t violation = first + FPLOT_VIOLATION, unresolved = first + FPLOT_UNRESOLVED;

	if (t->page->report->occupancy.level)
		fputs("\t\t'' using (t(4)):2:(t(5)-t(4)):(0) with vectors nohead \\\n"
		      "\t\t\tlc rgb 0xC8C8C8 lw 0.5 notitle, \\\n",
		      f);
	if (t->occurs[FPLOT_UNRESOLVED])
		fprintf(f,
			"\t\t'' using (any(%zu,%zu)):2:(t(4)):(end(5)):2: \\\n"
			"\t\t\t($2-strip(part(%zu)+part(%zu))) with boxxyerror fs %s "
			"notitle, \\\n",
			unresolved, unresolved, violation, unresolved,
			fplot_timeline_kinds[FPLOT_UNRESOLVED].fill);
	if (t->occurs[FPLOT_VIOLATION])
		fprintf(f,
			"\t\t'' using (any(%zu,%zu)):2:(t(4)):(end(5)):2:($2-strip(part(%zu))) \\\n"
			"\t\t\twith boxxyerror fs %s notitle, \\\n",
			violation, violation, violation,
			fplot_timeline_kinds[FPLOT_VIOLATION].fill);
}

/* Boxes of which there are none, for the legend. */
static void put_entry(FILE *f, const char *fill, const char *name, bool is_last)
{
	fprintf(f, "\t\tNaN with boxes fs %s title ", fill);
	fplot_put_label(f, name);
	fputs(is_last ? "\n" : ", \\\n", f);
}

static void put_legend(FILE *f, const struct fplot_timeline *t)
{
	const struct fan_r_group *g = t->page->report->groups.items;
	size_t last = FPLOT_TIMELINE_KINDS;
	char fill[48];

	for (size_t k = 0; k < FPLOT_TIMELINE_KINDS; k++)
		last = t->occurs[k] ? k : last;
	for (size_t k = 0; k < coloured(t); k++) {
		snprintf(fill, sizeof(fill), "solid 1 noborder fc rgb 0x%s", fplot_fill(k));
		put_entry(f, fill, g[k].name,
			  last == FPLOT_TIMELINE_KINDS && !t->has_rest && k + 1 == coloured(t));
	}
	if (t->has_rest)
		put_entry(f, REST_FILL, REST_NAME, last == FPLOT_TIMELINE_KINDS);
	for (size_t k = 0; k < FPLOT_TIMELINE_KINDS; k++)
		if (t->occurs[k])
			put_entry(f, fplot_timeline_kinds[k].fill, name_of(t, k), k == last);
}

void fplot_put_timeline(const void *what, FILE *f)
{
	const struct fplot_timeline *t = what;
	const struct axis x = axis_of(t);

	fputs("\t# of a lane; and of a strip, which is 0.3 high: 15 % at least of what occurs\n"
	      "\tto(n) = (sum [i=6:n] column(i))/100\n"
	      "\tany(m,n) = (sum [i=m:n] column(i)) > 0 ? t(4) : NaN\n"
	      "\tpart(c) = column(c) > 0 && column(c) < 15 ? 15 : column(c)\n"
	      "\tstrip(pct) = 0.3*(pct < 100 ? pct : 100)/100\n"
	      "\tset border 1 lw 0.75\n"
	      "\tset rmargin 3\n",
	      f);
	put_time(f, &x);
	if (t->occurs[FPLOT_FORCED])
		put_hatching(f, &x, t->lane_in);
	put_cpus(f, t);
	fplot_put_key(f, &t->legend, "samplen 0.8");
	fputs("\tplot \\\n", f);
	put_lanes(f, t);
	put_strips(f, t);
	put_legend(f, t);
}
