// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/overlap.h"

#define MS	    1000000ULL
#define WINDOWS_MIN 300
#define CELLS_MAX   200000

/* Of a VM its lasting vCPU threads, of a process every thread. */
static bool counts(const struct fan_model *m, const struct fan_groups *g, size_t group,
		   size_t thread)
{
	const struct fan_thread *th = fan_threads_at(m->threads, thread);

	if (fan_groups_of(g, m, thread) != (int32_t)group)
		return false;
	return g->kind != FAN_GROUP_VM || fan_group_has_vcpu(&g->items[group], th, m->end_ns);
}

static void find_edges(struct fan_overlap *o, const struct fan_model *m, const struct fan_groups *g)
{
	o->from_ns = m->start_ns;
	o->to_ns = g->n ? m->end_ns : m->start_ns;
	for (size_t k = 0; k < g->n; k++) {
		uint64_t first = UINT64_MAX, last = 0;

		for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
			const struct fan_thread *th = fan_threads_at(m->threads, i);

			if (!counts(m, g, k, i))
				continue;
			first = th->first_run_ns < first ? th->first_run_ns : first;
			last = th->last_run_ns > last ? th->last_run_ns : last;
		}
		o->from_ns = first > o->from_ns ? first : o->from_ns;
		o->to_ns = last < o->to_ns ? last : o->to_ns;
	}
	if (o->to_ns < o->from_ns || o->from_ns > m->end_ns)
		o->from_ns = o->to_ns = m->start_ns;
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

void fan_overlap_find(struct fan_overlap *ret, const struct fan_model *m,
		      const struct fan_groups *g)
{
	const uint64_t base = fan_series_width_ns(m->series);
	struct fan_overlap o = { 0 };
	uint64_t begin, length;

	find_edges(&o, m, g);
	/* ours begin where one of the series does */
	o.first = (o.from_ns - m->start_ns + base - 1) / base;
	begin = m->start_ns + o.first * base;
	length = o.to_ns > begin ? o.to_ns - begin : 0;
	o.window_ns = choose_width(length, base);
	while (length / o.window_ns * g->n > CELLS_MAX)
		o.window_ns *= 2;
	o.per_window = o.window_ns / base;
	o.windows = length / o.window_ns;
	*ret = o;
}

struct fan_cell fan_overlap_cell(const struct fan_overlap *o, const struct fan_model *m,
				 const struct fan_groups *g, size_t group, uint64_t w)
{
	struct fan_cell sum = { 0, 0 };

	for (size_t p = 0; p < g->nprocs; p++) {
		struct fan_cell c;

		if (g->of_proc[p] != (int32_t)group)
			continue;
		c = fan_series_sum(m->series, fan_model_row((int32_t)p),
				   o->first + w * o->per_window, o->per_window);
		sum.run_ns += c.run_ns;
		sum.wait_ns += c.wait_ns;
	}
	return sum;
}

uint64_t fan_overlap_unknown_ns(const struct fan_overlap *o, const struct fan_model *m)
{
	return fan_series_sum(m->series, FAN_ROW_CPU_UNKNOWN, o->first, o->windows * o->per_window)
		.run_ns;
}
