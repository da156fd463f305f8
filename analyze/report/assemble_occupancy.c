// SPDX-License-Identifier: GPL-3.0-or-later
/* Who had each CPU over time: accounts folded into groups, CPUs chosen, bins joined. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/assemble_isolation.h"

#define LANES_MAX   32
#define NUMBERS_MAX 8000 /* of lists of four a CPU: beyond, fewer bins */
#define BINS_MIN    64

/* Rows of a CPU, after those of the groups. */
enum { OTHER, IDLE, FORCED, UNKNOWN, ROWS };

/* CPUs that are shown together, or not: of a core, or one without siblings. */
struct unit {
	int32_t core; /* -1: none */
	int32_t cpu;  /* the lowest */
	size_t lanes;
	uint64_t group_ns; /* that groups ran there */
};

struct scene {
	const struct fan_assembly *a;
	const struct fan_timeline *t;
	int32_t *order;	   /* by group of the report, its number among a->g */
	size_t bins, join; /* of the report; of the timeline each */
	uint64_t *rows;	   /* of a CPU, each of bins numbers: groups by number, then the above */
	struct unit *units;
	size_t nunits, lanes;
	bool has_forced, has_shared;
};

static size_t cells_of(const struct scene *s, int32_t cpu)
{
	size_t n;

	fan_timeline_cells(s->t, cpu, &n);
	return n;
}

static size_t group_of(const struct scene *s, int32_t key)
{
	const int32_t group = (size_t)key < s->a->g->naccounts ? s->a->g->of_account[key] : -1;

	return group >= 0 ? (size_t)group : s->a->g->n + OTHER;
}

/* --- which CPUs --- */

static const struct fan_core *core_of(const struct scene *s, int32_t cpu)
{
	const struct fan_core *core = fan_core_of(s->a->m->cores, cpu);

	return core && core->n > 1 ? core : NULL;
}

static void add_to_unit(struct unit *u, const struct scene *s, int32_t cpu)
{
	const struct fan_timeline_cell *cell;
	size_t n;

	cell = fan_timeline_cells(s->t, cpu, &n);
	if (n == 0)
		return;
	u->cpu = u->lanes ? u->cpu : cpu;
	u->lanes++;
	for (size_t i = 0; i < n; i++)
		if (cell[i].key >= 0 && group_of(s, cell[i].key) < s->a->g->n)
			u->group_ns += cell[i].ns;
}

/* In the order of their lowest CPUs. */
static int find_units(struct scene *s)
{
	const struct fan_cores *cores = s->a->m->cores;
	const size_t ncpus = fan_timeline_cpus(s->t);

	s->units = calloc(ncpus + 1, sizeof(*s->units));
	if (!s->units)
		return -ENOMEM;
	for (int32_t cpu = 0; (size_t)cpu < ncpus; cpu++) {
		const struct fan_core *core = core_of(s, cpu);
		struct unit *u = &s->units[s->nunits];

		*u = (struct unit){ .core = core ? cores->of_cpu[cpu] : -1 };
		if (!core) {
			add_to_unit(u, s, cpu);
		} else {
			/* all of the core at the first of its CPUs */
			for (int32_t i = 0; i < cpu; i++)
				u->core = core_of(s, i) == core && cells_of(s, i) ? -2 : u->core;
			for (size_t i = 0; u->core >= 0 && i < core->n; i++)
				add_to_unit(u, s, core->cpus[i]);
		}
		s->lanes += u->lanes;
		s->nunits += u->lanes > 0;
	}
	return 0;
}

static int by_time(const void *x, const void *y)
{
	const struct unit *a = x, *b = y;

	if (a->group_ns != b->group_ns)
		return a->group_ns > b->group_ns ? -1 : 1;
	return a->cpu < b->cpu ? -1 : 1;
}

static int by_cpu(const void *x, const void *y)
{
	const struct unit *a = x, *b = y;

	return a->cpu < b->cpu ? -1 : 1;
}

/* Of many CPUs those that the groups used most, whole cores. */
static void choose_units(struct scene *s)
{
	size_t lanes = 0, n = 0;

	if (s->lanes <= LANES_MAX)
		return;
	qsort(s->units, s->nunits, sizeof(*s->units), by_time);
	while (n < s->nunits &&
	       (n == 0 || (s->units[n].group_ns > 0 && lanes + s->units[n].lanes <= LANES_MAX)))
		lanes += s->units[n++].lanes;
	s->nunits = n;
	s->lanes = lanes;
	qsort(s->units, n, sizeof(*s->units), by_cpu);
}

/* --- bins --- */

static uint64_t *row_of(const struct scene *s, size_t row)
{
	return s->rows + row * s->bins;
}

static void choose_bins(struct scene *s)
{
	const size_t all = fan_timeline_bins(s->t, s->a->m->end_ns);

	s->join = 1;
	while (all / s->join * s->lanes * 4 > NUMBERS_MAX && all / s->join >= 2 * BINS_MIN)
		s->join *= 2;
	s->bins = (all + s->join - 1) / s->join;
}

static uint64_t begin_of(const struct scene *s, size_t bin)
{
	return fan_timeline_start_ns(s->t) + bin * s->join * fan_timeline_bin_ns(s->t);
}

static uint64_t length_of(const struct scene *s, size_t bin)
{
	const uint64_t end = begin_of(s, bin + 1);

	return (end < s->a->m->end_ns ? end : s->a->m->end_ns) - begin_of(s, bin);
}

static void add_bins(const struct scene *s, uint64_t *to, const uint64_t *from)
{
	for (size_t i = 0; from && i < s->bins * s->join && i < FAN_TIMELINE_BINS; i++)
		to[i / s->join] += from[i];
}

/* Empty if all are 0. */
static int put_bins(struct fan_ints *to, const struct scene *s, const uint64_t *from)
{
	bool is_any = false;
	int e = 0;

	for (size_t i = 0; i < s->bins; i++)
		is_any |= from[i] > 0;
	for (size_t i = 0; e == 0 && is_any && i < s->bins; i++)
		e = fan_ints_add(to, (int64_t)from[i]);
	return e;
}

/* --- a CPU --- */

/* What was taken back of forced idle may be less than what turned out to be unknown. */
static void fill_rows(const struct scene *s, int32_t cpu)
{
	const size_t first = s->a->g->n;
	uint64_t *idle = row_of(s, first + IDLE), *forced = row_of(s, first + FORCED);
	const struct fan_timeline_cell *cell;
	size_t n;

	memset(s->rows, 0, (first + ROWS) * s->bins * sizeof(*s->rows));
	cell = fan_timeline_cells(s->t, cpu, &n);
	for (size_t i = 0; i < n; i++)
		row_of(s, cell[i].key < 0
				  ? first + IDLE
				  : group_of(s, cell[i].key))[cell[i].bin / s->join] += cell[i].ns;
	if (s->has_forced)
		add_bins(s, forced, fan_timeline_forced(s->t, cpu));
	for (size_t b = 0; b < s->bins; b++) {
		uint64_t known = 0;

		for (size_t i = 0; i <= first + IDLE; i++)
			known += row_of(s, i)[b];
		forced[b] = forced[b] < idle[b] ? forced[b] : idle[b];
		idle[b] -= forced[b];
		if (known < length_of(s, b))
			row_of(s, first + UNKNOWN)[b] = length_of(s, b) - known;
	}
}

static int add_lane(struct fan_report *r, const struct scene *s, int32_t cpu, int64_t core)
{
	struct fan_r_lane *lane = fan_array_add(&r->occupancy.cpus, &fan_lane_table);
	const struct fan_r_group *groups = r->groups.items;
	const size_t first = s->a->g->n;
	int e = lane ? 0 : -ENOMEM;

	fill_rows(s, cpu);
	for (size_t k = 0; e == 0 && k < r->groups.n; k++) {
		struct fan_r_bins *bins;

		bins = fan_array_add(&lane->groups, &fan_bins_table);
		e = bins ? fan_str_set(&bins->name, groups[k].name) : -ENOMEM;
		if (e == 0)
			e = put_bins(&bins->ns, s, row_of(s, (size_t)s->order[k]));
		/* of whom nothing is told here there is no list */
		if (e == 0 && bins->ns.n == 0) {
			fan_tree_free(bins, &fan_bins_table);
			lane->groups.n--;
		}
	}
	if (e < 0)
		return e;
	lane->cpu = cpu;
	lane->core = core;
	e = put_bins(&lane->other_ns, s, row_of(s, first + OTHER));
	if (e == 0)
		e = put_bins(&lane->idle_ns, s, row_of(s, first + IDLE));
	if (e == 0)
		e = put_bins(&lane->forced_idle_ns, s, row_of(s, first + FORCED));
	return e < 0 ? e : put_bins(&lane->unknown_ns, s, row_of(s, first + UNKNOWN));
}

/* --- a core --- */

static int add_core(struct fan_report *r, const struct scene *s, int32_t core)
{
	struct fan_r_shared_core *to = fan_array_add(&r->occupancy.cores, &fan_shared_table);
	const struct fan_core *of = &s->a->m->cores->cores[core];
	uint64_t *violation = row_of(s, 0), *unresolved = row_of(s, 1);
	int e = to ? 0 : -ENOMEM;

	for (size_t i = 0; e == 0 && i < of->n; i++)
		e = fan_ints_add(&to->cpus, of->cpus[i]);
	if (e < 0 || !s->has_shared)
		return e;
	memset(s->rows, 0, 2 * s->bins * sizeof(*s->rows));
	add_bins(s, violation, fan_timeline_shared(s->t, (size_t)core, FAN_TIMELINE_VIOLATION));
	add_bins(s, unresolved, fan_timeline_shared(s->t, (size_t)core, FAN_TIMELINE_JUDGED));
	for (size_t b = 0; b < s->bins; b++)
		unresolved[b] -= violation[b];
	e = put_bins(&to->violation_ns, s, violation);
	return e < 0 ? e : put_bins(&to->unresolved_ns, s, unresolved);
}

static int add_unit(struct fan_report *r, const struct scene *s, const struct unit *u)
{
	const struct fan_core *core = u->core < 0 ? NULL : &s->a->m->cores->cores[u->core];
	const int64_t number = (int64_t)r->occupancy.cores.n;
	int e = core ? add_core(r, s, u->core) : add_lane(r, s, u->cpu, FAN_NONE);

	for (size_t i = 0; e == 0 && core && i < core->n; i++)
		if (cells_of(s, core->cpus[i]))
			e = add_lane(r, s, core->cpus[i], number);
	return e;
}

static int fill(struct fan_report *r, struct scene *s)
{
	struct fan_r_occupancy *o = &r->occupancy;
	const size_t all = s->lanes;
	int e = 0;

	choose_units(s);
	choose_bins(s);
	if (s->lanes == 0 || s->bins == 0)
		return 0;
	s->rows = calloc((s->a->g->n + ROWS) * s->bins, sizeof(*s->rows));
	if (!s->rows)
		return -ENOMEM;
	o->bin_ns = (int64_t)(s->join * fan_timeline_bin_ns(s->t));
	o->left_out = (int64_t)(all - s->lanes);
	if (s->has_shared)
		e = fan_str_set(&o->level, fan_level_word(s->a->m->options.timeline_level));
	for (size_t b = 0; e == 0 && b < s->bins; b++)
		e = fan_ints_add(&o->t_ns, (int64_t)(begin_of(s, b) - s->a->m->first_ns));
	for (size_t i = 0; e == 0 && i < s->nunits; i++)
		e = add_unit(r, s, &s->units[i]);
	return e;
}

int fan_assemble_occupancy(struct fan_report *r, const struct fan_assembly *a)
{
	struct scene s = { .a = a, .t = a->m->timeline };
	const struct fan_r_mixing *levels = r->isolation.levels.items;
	int e;

	if (!s.t || !a->m->has_switches)
		return 0;
	s.has_forced = !a->m->facts->is_scoped && r->isolation.forced_idle.total_ns != FAN_NONE;
	s.has_shared = !a->m->facts->is_scoped && r->isolation.levels.n == FAN_LEVELS &&
		       levels[a->m->options.timeline_level].co_run_ns != FAN_NONE;
	s.order = fan_group_order(r, a);
	e = s.order ? find_units(&s) : -ENOMEM;
	if (e == 0)
		e = fill(r, &s);
	free(s.order);
	free(s.units);
	free(s.rows);
	return e;
}
