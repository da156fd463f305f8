// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/assemble.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/work_cells.h"
#include "analyze/stats/rate.h"

static struct fan_cpu_windows windows_of(const struct fan_assembly *a, int32_t group)
{
	const struct fan_overlap *o = a->overlap;
	const uint64_t base = fan_series_width_ns(a->m->series);

	return (struct fan_cpu_windows){
		.from_ns = a->m->start_ns + o->first * base,
		.window_ns = o->window_ns,
		.cpu_ns = group < 0 ? NULL : a->matrix->part + (size_t)group * a->matrix->windows,
		.windows = a->matrix->windows,
	};
}

/* The work lines carry CLOCK_MONOTONIC: do the events, too? */
static bool is_clock_shared(const struct fan_report *r, const struct fan_assembly *a)
{
	const char *clock = r->source.clock ? r->source.clock : a->m->facts->clock;

	return clock && strcmp(clock, "mono") == 0;
}

static int estimate(struct fan_r_work *to, const struct fan_work_series *s,
		    const struct fan_cpu_windows *w, double level)
{
	struct fan_work_cells c;
	int r = fan_work_cells_make(&c, s, w);

	if (r == 0) {
		to->total = c.total;
		r = fan_est_rate(&(struct fan_windows){ c.n, c.dt_s, c.cells }, "per_second", level,
				 &to->rate);
	}
	if (r == 0 && c.cpu_s)
		r = fan_est_rate(&(struct fan_windows){ c.n, c.cpu_s, c.cells }, "per_cpu_second",
				 level, &to->efficiency);
	fan_work_cells_free(&c);
	return r;
}

static int add_flags(struct fan_r_work *to, const struct fan_work_series *s, bool is_placed,
		     bool has_group)
{
	int e = 0;

	if (s->is_stamped)
		e = fan_strs_add(&to->flags, "stamped_on_arrival");
	if (e == 0 && !is_placed)
		e = fan_strs_add(&to->flags, "not_placed_in_time");
	else if (e == 0 && s->unbegun)
		e = fan_strs_add(&to->flags, "begin_unknown");
	if (e == 0 && !has_group)
		e = fan_strs_add(&to->flags, "no_such_group");
	return e;
}

static int add_work(struct fan_report *r, const struct fan_assembly *a,
		    const struct fan_work_series *s)
{
	const int32_t group = fan_groups_named(a->g, s->vm);
	const struct fan_cpu_windows w = windows_of(a, group);
	const bool is_placed = s->n > 0 && (!s->is_told || is_clock_shared(r, a));
	struct fan_r_work *to = fan_array_add(&r->work, &fan_work_table);
	int e;

	if (!to)
		return -ENOMEM;
	fan_est_init(&to->rate, "per_second", a->options->level, 1);
	fan_est_init(&to->efficiency, "per_cpu_second", a->options->level, 1);
	to->total = s->total;
	e = fan_str_set(&to->vm, s->vm);
	if (e == 0 && *s->unit)
		e = fan_str_set(&to->unit, s->unit);
	if (e == 0)
		e = add_flags(to, s, is_placed, group >= 0);
	return e == 0 && is_placed ? estimate(to, s, &w, a->options->level) : e;
}

/* By unit, none first, then by name. */
static int by_unit(const void *a, const void *b)
{
	const struct fan_r_work *x = a, *y = b;
	const int order = strcmp(x->unit ? x->unit : "", y->unit ? y->unit : "");

	return order ? order : strcmp(x->vm, y->vm);
}

/* CPU ns of the group of this name in all windows; NaN: there is no such group. */
static double cpu_of(const struct fan_assembly *a, const char *name)
{
	const int32_t group = fan_groups_named(a->g, name);
	const struct fan_cpu_windows w = windows_of(a, group);
	double sum = 0;

	if (group < 0)
		return NAN;
	for (size_t i = 0; i < w.windows; i++)
		sum += w.cpu_ns[i];
	return sum;
}

/* Shares among n neighbours of one unit. One without a group leaves nothing to compare with. */
static void add_shares(struct fan_r_work *work, size_t n, const struct fan_assembly *a)
{
	double total = 0, cpu = 0;

	for (size_t i = 0; i < n; i++) {
		total += work[i].total;
		cpu += cpu_of(a, work[i].vm);
	}
	for (size_t i = 0; i < n; i++) {
		if (total > 0)
			work[i].share_pct = 100 * work[i].total / total;
		if (cpu > 0)
			work[i].cpu_share_pct = 100 * cpu_of(a, work[i].vm) / cpu;
	}
}

static int add_scores(struct fan_report *r, const struct fan_work *from)
{
	int e = 0;

	for (size_t i = 0; e == 0 && i < from->nscores; i++) {
		struct fan_r_score *to = fan_array_add(&r->scores, &fan_score_table);

		if (!to)
			return -ENOMEM;
		to->value = from->scores[i].value;
		e = fan_str_set(&to->vm, from->scores[i].vm);
	}
	return e;
}

int fan_assemble_work(struct fan_report *r, const struct fan_assembly *a)
{
	struct fan_r_work *work;
	int e = 0;

	for (size_t i = 0; e == 0 && i < a->m->work->nseries; i++)
		e = add_work(r, a, &a->m->work->series[i]);
	if (e < 0)
		return e;
	work = r->work.items;
	if (r->work.n)
		qsort(work, r->work.n, sizeof(*work), by_unit);
	for (size_t i = 0, n; i < r->work.n; i += n) {
		for (n = 1; i + n < r->work.n; n++)
			if (strcmp(work[i].unit ? work[i].unit : "",
				   work[i + n].unit ? work[i + n].unit : "") != 0)
				break;
		add_shares(work + i, n, a);
	}
	return add_scores(r, a->m->work);
}
