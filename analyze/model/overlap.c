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

/* Of a VM its lasting vCPU threads count, of others every thread. */
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

/* The whole windows between the edges; wanted_ns 0: of the width that the rule says. */
static void lay_windows(struct fan_overlap *o, const struct fan_model *m, size_t groups,
			uint64_t wanted_ns)
{
	const uint64_t base = fan_series_width_ns(m->series);
	uint64_t begin, length;

	/* ours begin where one of the series does */
	o->first = (o->from_ns - m->start_ns + base - 1) / base;
	begin = m->start_ns + o->first * base;
	length = o->to_ns > begin ? o->to_ns - begin : 0;
	o->window_ns = wanted_ns ? wanted_ns : choose_width(length, base);
	while (length / o->window_ns * groups > CELLS_MAX)
		o->window_ns *= 2;
	o->per_window = o->window_ns / base;
	o->windows = length / o->window_ns;
}

static int check_options(const struct fan_overlap_options *options, const struct fan_model *m,
			 struct fcap_err *err)
{
	const uint64_t base = fan_series_width_ns(m->series);

	if (options->window_ns % base)
		return fcap_fail(err, EINVAL,
				 "--window: the windows of this trace come in steps of "
				 "%g ms",
				 (double)base / 1e6);
	return 0;
}

int fan_overlap_find(struct fan_overlap *ret, const struct fan_model *m, const struct fan_groups *g,
		     const struct fan_overlap_options *options, struct fcap_err *err)
{
	struct fan_overlap o = { 0 };

	if (check_options(options, m, err) < 0)
		return -EINVAL;
	if (find_edges(&o, m, g) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	o.is_none = o.to_ns <= o.from_ns;
	if (o.is_none || options->all) {
		o.from_ns = m->start_ns;
		o.to_ns = m->end_ns;
	}
	if (options->warmup_ns >= o.to_ns - o.from_ns && options->warmup_ns)
		return fcap_fail(err, EINVAL, "--warmup: only %.3f s are there to cut from",
				 (double)(o.to_ns - o.from_ns) / 1e9);
	o.from_ns += options->warmup_ns;
	lay_windows(&o, m, g->n, options->window_ns);
	*ret = o;
	return 0;
}

struct fan_cell fan_overlap_cell(const struct fan_overlap *o, const struct fan_model *m,
				 int32_t account, uint64_t w)
{
	return fan_series_sum(m->series, fan_model_row(account), o->first + w * o->per_window,
			      o->per_window);
}

uint64_t fan_overlap_unknown_ns(const struct fan_overlap *o, const struct fan_model *m)
{
	return fan_series_sum(m->series, FAN_ROW_CPU_UNKNOWN, o->first, o->windows * o->per_window)
		.run_ns;
}
