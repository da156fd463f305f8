// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figure "timeline": a lane a CPU, siblings side by side, each bin of time filled from below by
 * who had the CPU; between siblings the time in which their core was shared by what must not.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plot/set.h"
#include "plot/stack.h"
#include "plot/timeline_parts.h"

/* In heights of a lane. */
#define SIBLING_GAP 0.12
#define STRIP_GAP   0.06
#define STRIP	    0.3
#define CORE_GAP    0.5
#define LONE_GAP    0.2 /* where no CPU has siblings */

#define AROUND_IN 0.45

static bool fits(const struct fan_ints *list, size_t bins)
{
	return list->n == 0 || list->n == bins;
}

static bool is_whole_lane(const struct fan_r_occupancy *o, const struct fan_r_lane *lane)
{
	const struct fan_r_bins *g = lane->groups.items;
	const size_t n = o->t_ns.n;
	bool ret = fits(&lane->other_ns, n) && fits(&lane->idle_ns, n) &&
		   fits(&lane->forced_idle_ns, n) && fits(&lane->unknown_ns, n);
	size_t told = lane->other_ns.n + lane->idle_ns.n + lane->forced_idle_ns.n +
		      lane->unknown_ns.n;

	for (size_t i = 0; i < lane->groups.n; i++) {
		ret &= fits(&g[i].ns, n);
		told += g[i].ns.n;
	}
	return ret && told > 0 &&
	       (lane->core == FAN_NONE || (lane->core >= 0 && (uint64_t)lane->core < o->cores.n));
}

static bool is_whole(const struct fan_report *r)
{
	const struct fan_r_occupancy *o = &r->occupancy;
	const struct fan_r_lane *lane = o->cpus.items;
	const struct fan_r_shared_core *core = o->cores.items;
	const int64_t *t = o->t_ns.items;

	for (size_t i = 0; i < o->cpus.n; i++)
		if (!is_whole_lane(o, &lane[i]))
			return false;
	for (size_t i = 0; i < o->cores.n; i++)
		if (!fits(&core[i].violation_ns, o->t_ns.n) ||
		    !fits(&core[i].unresolved_ns, o->t_ns.n))
			return false;
	for (size_t b = 0; b < o->t_ns.n; b++)
		if ((b + 1 < o->t_ns.n ? t[b + 1] : r->period.end_ns) <= t[b])
			return false;
	return true;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_r_occupancy *o = &p->report->occupancy;

	if (o->cpus.n == 0 || o->t_ns.n == 0)
		return fcap_fail(err, EINVAL,
				 "it does not tell who had which CPU when; that takes "
				 "sched_switch, and a report of this version");
	if (!is_whole(p->report))
		return fcap_fail(err, EINVAL,
				 "its lists of who had which CPU do not fit together; make it "
				 "again");
	return 0;
}

/* --- where the lanes are --- */

static size_t siblings_of(const struct fan_r_occupancy *o, size_t lane)
{
	const struct fan_r_lane *l = o->cpus.items;
	size_t n = 0;

	for (size_t i = 0; i < o->cpus.n; i++)
		n += l[i].core != FAN_NONE && l[i].core == l[lane].core;
	return n;
}

/* y is where the lane ends below; siblings come one after the other. */
static void place_lanes(struct fplot_timeline *t)
{
	const struct fan_r_occupancy *o = &t->page->report->occupancy;
	const double gap = o->cores.n ? CORE_GAP : LONE_GAP;
	size_t before = 0; /* lanes of the same core */
	double y = 0;

	for (size_t i = 0; i < o->cpus.n; i++) {
		const size_t n = siblings_of(o, i);

		t->places[i] = (struct fplot_place){ y + 1, NAN };
		y += 1;
		before++;
		if (before >= n) {
			y += i + 1 < o->cpus.n ? gap : 0;
			before = 0;
		} else if (before == n / 2 && o->level) {
			/* of the whole core, told in the rows of this lane */
			t->places[i].strip = y + STRIP_GAP + STRIP;
			y += 2 * STRIP_GAP + STRIP;
		} else {
			y += SIBLING_GAP;
		}
	}
	t->height = y;
}

static double lane_in(size_t lanes)
{
	return lanes <= 4 ? 0.28 : lanes <= 8 ? 0.2 : lanes <= 16 ? 0.14 : 0.1;
}

/* --- what is in them --- */

static const struct fan_ints *group_bins(const struct fan_r_lane *lane, const char *name)
{
	const struct fan_r_bins *g = lane->groups.items;

	for (size_t i = 0; i < lane->groups.n; i++)
		if (g[i].name && name && strcmp(g[i].name, name) == 0)
			return &g[i].ns;
	return NULL;
}

/* The lists of a lane and of its core by column; NULL: all 0. */
static void find_columns(const struct fplot_timeline *t, const struct fan_r_lane *lane,
			 const struct fan_ints **columns)
{
	const struct fan_report *r = t->page->report;
	const struct fan_r_group *g = r->groups.items;
	const struct fan_r_shared_core *cores = r->occupancy.cores.items;
	const bool has_core = lane->core != FAN_NONE;

	for (size_t k = 0; k < r->groups.n; k++)
		columns[k] = group_bins(lane, g[k].name);
	columns += r->groups.n;
	columns[FPLOT_HOST] = &lane->other_ns;
	columns[FPLOT_UNKNOWN] = &lane->unknown_ns;
	columns[FPLOT_FORCED] = &lane->forced_idle_ns;
	columns[FPLOT_IDLE] = &lane->idle_ns;
	columns[FPLOT_VIOLATION] = has_core ? &cores[lane->core].violation_ns : NULL;
	columns[FPLOT_UNRESOLVED] = has_core ? &cores[lane->core].unresolved_ns : NULL;
}

static int64_t end_of(const struct fan_report *r, size_t bin)
{
	const struct fan_ints *t = &r->occupancy.t_ns;

	return bin + 1 < t->n ? t->items[bin + 1] : r->period.end_ns;
}

/* Part of a bin in hundredths of a percent. */
static int64_t part_of(const struct fan_report *r, const struct fan_ints *list, size_t bin)
{
	const double ns = (double)(end_of(r, bin) - r->occupancy.t_ns.items[bin]);

	return list && list->n ? (int64_t)llround(1e4 * (double)list->items[bin] / ns) : 0;
}

static bool is_as_before(const struct fplot_timeline *t, const struct fan_ints **columns,
			 size_t bin)
{
	for (size_t k = 0; k < t->columns; k++)
		if (part_of(t->page->report, columns[k], bin) !=
		    part_of(t->page->report, columns[k], bin - 1))
			return false;
	return true;
}

/* From the begin of one bin to the end of another, in which nothing changes. */
static void put_stretch(const struct fplot_timeline *t, size_t lane,
			const struct fan_ints **columns, size_t first, size_t last, FILE *f)
{
	const struct fan_report *r = t->page->report;
	const struct fan_r_lane *l = r->occupancy.cpus.items;

	fprintf(f, "%.2f", t->places[lane].y);
	fplot_put_real(f, t->places[lane].strip, 2);
	fprintf(f, "\t%" PRId64, l[lane].cpu);
	fplot_put_seconds(f, r->occupancy.t_ns.items[first]);
	fplot_put_seconds(f, end_of(r, last));
	for (size_t k = 0; k < t->columns; k++) {
		const int64_t part = part_of(r, columns[k], first);

		/* nearly all are 0 or 100 where the bins are short */
		if (part % 100 == 0)
			fprintf(f, "\t%" PRId64, part / 100);
		else
			fplot_put_real(f, (double)part / 100, 2);
	}
	fputc('\n', f);
}

static void put_lane(const struct fplot_timeline *t, size_t lane, const struct fan_ints **columns,
		     FILE *f)
{
	const size_t bins = t->page->report->occupancy.t_ns.n;
	size_t first = 0;

	for (size_t b = 0; b < bins; b++) {
		if (b + 1 < bins && is_as_before(t, columns, b + 1))
			continue;
		put_stretch(t, lane, columns, first, b, f);
		first = b + 1;
	}
}

static int put_data(const void *what, FILE *f)
{
	const struct fplot_timeline *t = what;
	const struct fan_report *r = t->page->report;
	const struct fan_r_group *g = r->groups.items;
	const struct fan_r_lane *lane = r->occupancy.cpus.items;
	const struct fan_ints **columns = calloc(t->columns, sizeof(*columns));

	if (!columns)
		return -ENOMEM;
	fprintf(f,
		"# A row a stretch of bins of %g ms in which nothing changes: percent of the time "
		"of the\n# CPU, the last two of that of its core.\n"
		"# y\tstrip_y\tcpu\tfrom_s\tto_s",
		1e3 * fplot_seconds(r->occupancy.bin_ns));
	for (size_t k = 0; k < r->groups.n; k++) {
		fputs("\tpct:", f);
		fplot_put_name(f, g[k].name);
	}
	for (size_t k = 0; k < FPLOT_TIMELINE_KINDS; k++)
		fprintf(f, "\t%s", fplot_timeline_kinds[k].column);
	fputc('\n', f);
	for (size_t i = 0; i < r->occupancy.cpus.n; i++) {
		find_columns(t, &lane[i], columns);
		put_lane(t, i, columns, f);
	}
	free(columns);
	return 0;
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const size_t lanes = p->report->occupancy.cpus.n;
	struct fplot_timeline t = {
		.page = p,
		.places = calloc(lanes, sizeof(*t.places)),
		.columns = p->report->groups.n + FPLOT_TIMELINE_KINDS,
	};
	struct fplot_content c = {
		.page = p,
		.figure = &fplot_timeline,
		.what = &t,
		.put_data = put_data,
		.put_plot = fplot_put_timeline,
	};
	int e;

	if (!t.places)
		return fcap_fail(err, ENOMEM, "out of memory");
	place_lanes(&t);
	fplot_lay_out_timeline(&t);
	t.lane_in = lane_in(lanes);
	c.height_in = AROUND_IN + fplot_legend_in(&t.legend) + t.lane_in * t.height;
	e = fplot_write_content(&c, dir, err);
	free(t.places);
	return e;
}

const struct fplot_figure fplot_timeline = {
	.name = "timeline",
	.title = "Who had each CPU over time, forced idle, violations of isolation",
	.check = check,
	.draw = draw,
};
