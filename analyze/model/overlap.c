// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/overlap.h"

#include <errno.h>
#include <stdlib.h>

#define MS	    1000000ULL
#define WINDOWS_MIN 300
#define CELLS_MAX   200000

struct edges {
	uint64_t first, last; /* run of the group; UINT64_MAX, 0: it never ran */
};

/* Of a VM its lasting vCPU threads count, of a process every thread. */
static void find_runs(struct edges *e, const struct fan_model *m, const struct fan_groups *g)
{
	for (size_t k = 0; k < g->n; k++)
		e[k] = (struct edges){ UINT64_MAX, 0 };
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const struct fan_thread *th = fan_threads_at(m->threads, i);
		const int32_t k = fan_groups_of(g, m, i);

		if (k < 0 ||
		    (g->kind == FAN_GROUP_VM && !fan_group_has_vcpu(&g->items[k], th, m->end_ns)))
			continue;
		e[k].first = th->first_run_ns < e[k].first ? th->first_run_ns : e[k].first;
		e[k].last = th->last_run_ns > e[k].last ? th->last_run_ns : e[k].last;
	}
}

/* A group that never ran sets no edge: it was starved, or has nothing to do with the others. */
static int find_edges(struct fan_overlap *o, const struct fan_model *m, const struct fan_groups *g)
{
	struct edges *e = calloc(g->n + 1, sizeof(*e));

	if (!e)
		return -ENOMEM;
	find_runs(e, m, g);
	o->from_ns = m->start_ns;
	o->to_ns = m->end_ns;
	for (size_t k = 0; k < g->n; k++) {
		if (e[k].last == 0)
			continue;
		o->from_ns = e[k].first > o->from_ns ? e[k].first : o->from_ns;
		o->to_ns = e[k].last < o->to_ns ? e[k].last : o->to_ns;
	}
	free(e);
	return 0;
}

static uint64_t choose_width(uint64_t length, uint64_t base)
{
	static const uint64_t candidates[] = { 1000 * MS, 500 * MS, 200 * MS, 100 * MS,
					       50 * MS,	  20 * MS,  10 * MS };

	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++)
		if (candidates[i] % base == 0 && length / candidates[i] >= WINDOWS_MIN)
			return candidates[i];
	return base;
}

/* The whole windows between the edges. */
static void lay_windows(struct fan_overlap *o, const struct fan_model *m, size_t groups)
{
	const uint64_t base = fan_series_width_ns(m->series);
	uint64_t begin, length;

	/* ours begin where one of the series does */
	o->first = (o->from_ns - m->start_ns + base - 1) / base;
	begin = m->start_ns + o->first * base;
	length = o->to_ns > begin ? o->to_ns - begin : 0;
	o->window_ns = choose_width(length, base);
	while (length / o->window_ns * groups > CELLS_MAX)
		o->window_ns *= 2;
	o->per_window = o->window_ns / base;
	o->windows = length / o->window_ns;
}

int fan_overlap_find(struct fan_overlap *ret, const struct fan_model *m, const struct fan_groups *g)
{
	struct fan_overlap o = { 0 };
	const int r = find_edges(&o, m, g);

	if (r < 0)
		return r;
	o.is_none = o.to_ns <= o.from_ns;
	if (o.is_none) {
		o.from_ns = m->start_ns;
		o.to_ns = m->end_ns;
	}
	lay_windows(&o, m, g->n);
	*ret = o;
	return 0;
}

struct fan_cell fan_overlap_cell(const struct fan_overlap *o, const struct fan_model *m,
				 int32_t proc, uint64_t w)
{
	return fan_series_sum(m->series, fan_model_row(proc), o->first + w * o->per_window,
			      o->per_window);
}

uint64_t fan_overlap_unknown_ns(const struct fan_overlap *o, const struct fan_model *m)
{
	return fan_series_sum(m->series, FAN_ROW_CPU_UNKNOWN, o->first, o->windows * o->per_window)
		.run_ns;
}
