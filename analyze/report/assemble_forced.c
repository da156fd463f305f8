// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Forced idle: parties folded into groups, and the kernel's own counter beside it. The kernel
 * charges at ticks and switches, by what was runnable when it last picked: equal to the ns they
 * never are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/assemble.h"

#define TOLERANCE_NS   10000000 /* a few ticks of each CPU */
#define TOLERANCE_PART 10

/* A group of the report. */
struct side {
	uint64_t caused, sampled; /* in 1/FAN_FORCED_PARTS ns */
	uint64_t suffered_ns;
	int64_t counter_ns; /* FAN_NONE: not told */
};

/* The group of each of n parties, or -1; NULL: no memory. */
static int32_t *map_parties(const struct fan_assembly *a, size_t n)
{
	const struct fan_parties *parties = a->m->pulse->parties;
	int32_t *ret = malloc((n + 1) * sizeof(*ret));

	for (size_t i = 0; ret && i < n; i++)
		ret[i] = -1;
	for (size_t i = 0; ret && i < a->g->naccounts; i++) {
		const int32_t party = fan_parties_of(parties, (int32_t)i);

		if (party >= 0 && ret[party] < 0)
			ret[party] = a->g->of_account[i];
	}
	return ret;
}

static int fold(struct side *sides, const struct fan_assembly *a)
{
	const size_t n = fan_parties_count(a->m->pulse->parties);
	int32_t *groups = map_parties(a, n);

	if (!groups)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct fan_forced_party p = fan_forced_idle_party(a->m->forced_idle,
									(int32_t)i);
		struct side *s;

		if (groups[i] < 0)
			continue;
		s = &sides[groups[i]];
		s->caused += p.caused;
		s->sampled += p.sampled;
		s->suffered_ns += p.suffered_ns;
	}
	free(groups);
	return 0;
}

/*
 * The counters are those of threads: what one caused before it moved from a cgroup to another they
 * do not tell.
 */
static bool have_counters_moved(const struct fan_assembly *a)
{
	if (a->g->kind != FAN_GROUP_CGROUP && !a->g->is_requested)
		return false;
	for (size_t i = 0; i < fan_threads_count(a->m->threads); i++) {
		const struct fan_task_fact *t = fan_facts_task(a->m->facts, i);

		if (t->has_moved && t->forceidle_first_ns >= 0)
			return true;
	}
	return false;
}

/* The counters are those of the whole trace: a part of it cannot be compared with them. */
static int64_t counter_of(const struct fan_assembly *a, size_t group)
{
	int64_t sum = FAN_NONE;

	if (a->m->options.from_ns || a->m->options.to_ns)
		return FAN_NONE;
	for (size_t i = a->members->first[group]; i < a->members->first[group + 1]; i++) {
		const struct fan_task_fact *t = fan_facts_task(a->m->facts, a->members->thread[i]);

		if (t->forceidle_first_ns < 0)
			continue;
		sum = sum == FAN_NONE ? 0 : sum;
		if (t->forceidle_ns > t->forceidle_first_ns)
			sum += t->forceidle_ns - t->forceidle_first_ns;
	}
	return sum;
}

/* Where the trace tells but a bound, more of it is no contradiction. */
static bool agrees(const struct side *s, bool is_bound)
{
	const int64_t traced = (int64_t)(s->sampled / FAN_FORCED_PARTS);
	const int64_t larger = traced > s->counter_ns ? traced : s->counter_ns;
	const int64_t tolerance = larger / TOLERANCE_PART > TOLERANCE_NS ? larger / TOLERANCE_PART
									 : TOLERANCE_NS;

	return s->counter_ns - traced <= tolerance &&
	       (is_bound || traced - s->counter_ns <= tolerance);
}

static const char *judge_counter(const struct side *sides, size_t n, const struct fan_model *m)
{
	const bool is_bound = fan_forced_idle_is_bound(m->forced_idle);
	const int schedstats = m->facts->schedstats;
	bool is_told = false, is_zero = true, agree = true;
	uint64_t traced = 0;

	for (size_t k = 0; k < n; k++) {
		if (sides[k].counter_ns == FAN_NONE)
			continue;
		is_told = true;
		is_zero &= sides[k].counter_ns == 0;
		agree &= agrees(&sides[k], is_bound);
		traced += sides[k].sampled / FAN_FORCED_PARTS;
	}
	if (!is_told)
		return "not told";
	if (is_zero &&
	    (schedstats == 0 || (traced > TOLERANCE_NS && !(is_bound && schedstats == 1))))
		return "not counting";
	return agree ? "agrees" : "differs";
}

static int add_groups(struct fan_r_forced_idle *f, const struct fan_report *r,
		      const struct side *sides, const int32_t *order)
{
	const bool counts = strcmp(f->counter, "not counting") != 0;
	const struct fan_r_group *groups = r->groups.items;
	uint64_t suffered = 0;

	f->caused_ns = 0;
	for (size_t i = 0; i < r->groups.n; i++) {
		const struct side *s = &sides[order[i]];
		struct fan_r_forced_group *g = fan_array_add(&f->groups, &fan_forced_table);

		if (!g || fan_str_set(&g->name, groups[i].name) < 0)
			return -ENOMEM;
		g->caused_ns = (int64_t)(s->caused / FAN_FORCED_PARTS);
		g->suffered_ns = (int64_t)s->suffered_ns;
		g->counter_ns = counts ? s->counter_ns : FAN_NONE;
		f->caused_ns += g->caused_ns;
		suffered += s->suffered_ns;
	}
	/* a VM that is too brief to be a group is a party, too */
	if ((uint64_t)f->suffered_ns > suffered)
		f->suffered_ns = (int64_t)suffered;
	return 0;
}

int fan_assemble_forced_idle(struct fan_report *r, const struct fan_assembly *a)
{
	struct fan_r_forced_idle *f = &r->isolation.forced_idle;
	struct side *sides;
	bool have_moved;
	int32_t *order;
	int e;

	if (!a->m->forced_idle || !a->m->cores->has_smt || !fan_model_tells_waits(a->m))
		return 0;
	have_moved = have_counters_moved(a);
	sides = calloc(a->g->n + 1, sizeof(*sides));
	order = fan_group_order(r, a);
	e = sides && order ? fold(sides, a) : -ENOMEM;
	for (size_t k = 0; e == 0 && k < a->g->n; k++)
		sides[k].counter_ns = have_moved ? FAN_NONE : counter_of(a, k);
	if (e == 0)
		e = fan_str_set(&f->counter,
				have_moved ? "moved" : judge_counter(sides, a->g->n, a->m));
	if (e == 0) {
		f->total_ns = (int64_t)fan_forced_idle_ns(a->m->forced_idle);
		f->suffered_ns = (int64_t)fan_forced_idle_suffered_ns(a->m->forced_idle);
		f->upper_bound = fan_forced_idle_is_bound(a->m->forced_idle);
		e = add_groups(f, r, sides, order);
	}
	free(sides);
	free(order);
	return e;
}
