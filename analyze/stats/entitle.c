// SPDX-License-Identifier: GPL-3.0-or-later
/* Static entitlement: the contest of all threads that were there, as the facts are at the end. */
#include "analyze/stats/entitle.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct all {
	struct fan_contest t;
	const struct fan_groups *g;
	double length;	     /* of the trace, ns */
	const double *given; /* weights by group, or NULL */
};

/* How many CPUs a thread can use: a vCPU one, another thread what it wanted on average. */
static double demand(const struct all *a, const struct fan_thread *th, int32_t group)
{
	if (a->g->items[group].life_ns)
		return fan_group_has_vcpu(&a->g->items[group], th, a->t.m->end_ns) ? 1 : 0;
	return a->length > 0 ? (double)(th->run_ns + th->wait_ns + th->stale_ns) / a->length : 0;
}

/* A thread that lived too briefly for a line of its own is taken as its main thread. */
static const struct fan_task_fact *fact_of(const struct all *a, size_t thread, int32_t group)
{
	const struct fan_task_fact *fact = fan_facts_task(a->t.m->facts, thread);

	return fact->is_told || group < 0
		       ? fact
		       : fan_facts_task(a->t.m->facts, (size_t)a->g->items[group].lead);
}

/* As a task line says, else by the priority of its last switch; real-time counts as -20. */
static int nice_of(const struct all *a, const struct fan_task_fact *fact, size_t thread)
{
	const int32_t prio = fan_threads_at(a->t.m->threads, thread)->prio;

	return fact->is_told || prio == FAN_PRIO_UNTOLD ? fan_task_nice(fact) : prio - 120;
}

static int add_thread(struct all *a, size_t thread)
{
	const int32_t group = fan_groups_of(a->g, a->t.m, thread);
	const struct fan_task_fact *fact = fact_of(a, thread, group);
	const double cap = group < 0 ? 0
				     : demand(a, fan_threads_at(a->t.m->threads, thread), group);
	const struct fan_entrant e = {
		.id = group,
		.cgroup = fact->cgroup,
		.affinity = fact->affinity,
		.autogroup = fact->autogroup,
		.nice = nice_of(a, fact, thread),
		.is_told = fact->is_told,
		.threads = cap,
		.present = 1,
		.given = group >= 0 && a->given ? a->given[group] : NAN,
		.given_id = group,
	};

	return cap > 0 ? fan_contest_enter(&a->t, &e) : 0;
}

/* The weight of the one cgroup that holds this group and no other; NaN if there is none. */
static double sole_weight(const struct fan_contest *t, int32_t group)
{
	int32_t cgroup = -1;

	for (size_t i = 0; i < t->n; i++) {
		const struct fan_contender *n = &t->nodes[i];

		if (n->kind != FAN_AT_LEAF || n->id != group)
			continue;
		if (t->nodes[n->parent].kind != FAN_AT_CGROUP ||
		    (cgroup >= 0 && cgroup != n->parent))
			return NAN;
		cgroup = n->parent;
	}
	for (size_t i = 0; i < t->n; i++)
		if (cgroup >= 0 && t->nodes[i].parent == cgroup &&
		    (t->nodes[i].kind != FAN_AT_LEAF || t->nodes[i].id != group))
			return NAN;
	return cgroup < 0 ? NAN : (double)t->m->facts->cgroups[t->nodes[cgroup].id].weight;
}

static void sum_leaves(const struct fan_contest *t, struct fan_entitled *groups)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct fan_contender *n = &t->nodes[i];

		if (n->kind != FAN_AT_LEAF)
			continue;
		groups[n->id].cpus += n->alloc;
		groups[n->id].cap += fmin(n->own_cap, t->sets[n->set].count);
		groups[n->id].caps |= n->caps;
	}
}

int fan_entitle(const struct fan_model *m, const struct fan_groups *g, unsigned int cpus,
		const double *given, struct fan_entitlement *ret)
{
	struct all a = { .g = g, .length = (double)(m->end_ns - m->start_ns), .given = given };
	struct fan_entitled *groups = calloc(g->n + 1, sizeof(*groups));
	int r = fan_contest_begin(&a.t, m, cpus);

	if (!groups)
		r = -ENOMEM;
	for (size_t i = 0; r == 0 && i < fan_threads_count(m->threads); i++)
		r = add_thread(&a, i);
	if (r == 0)
		r = fan_contest_fill(&a.t);
	if (r == 0) {
		sum_leaves(&a.t, groups);
		for (size_t i = 0; i < g->n; i++)
			groups[i].weight = given && !isnan(given[i])
						   ? given[i]
						   : sole_weight(&a.t, (int32_t)i);
		*ret = (struct fan_entitlement){ groups, a.t.capacity, a.t.is_contended,
						 a.t.is_approximate, a.t.entities };
	} else {
		free(groups);
	}
	fan_contest_end(&a.t);
	return r;
}

/* Where an account competes; one of which nothing is told goes with its main thread. */
static struct fan_place place_of(const struct fan_model *m, const struct fan_account *a,
				 int32_t lead)
{
	const int32_t main = fan_threads_at(m->threads, (size_t)lead)->account;

	return fan_place_equal(&a->place, &fan_nowhere)
		       ? fan_accounts_at(m->threads, (size_t)main)->place
		       : a->place;
}

static struct fan_entrant entrant_of(const struct fan_model *m, const struct fan_member *member)
{
	const struct fan_account *a = fan_accounts_at(m->threads, (size_t)member->account);
	const int32_t lead = fan_main_thread(m, fan_procs_final(m->threads, a->proc));
	const int32_t prio = fan_threads_at(m->threads, (size_t)lead)->prio;
	const struct fan_place place = place_of(m, a, lead);
	const bool is_told = place.nice != FAN_NICE_UNTOLD;

	return (struct fan_entrant){
		.cgroup = place.cgroup,
		.affinity = place.affinity,
		.autogroup = place.autogroup,
		.nice = is_told			  ? place.nice
			: prio == FAN_PRIO_UNTOLD ? 0
						  : prio - 120,
		.is_told = is_told,
		.threads = (double)member->runnable / FAN_DEMAND_ONE,
		.present = (double)member->present / FAN_DEMAND_ONE,
		.given = NAN,
		.given_id = member->party,
		.is_sole = true,
	};
}

int fan_entitle_members(void *ctx, const struct fan_model *m, const struct fan_member *members,
			size_t n, uint64_t *ret_cpus)
{
	struct fan_entitle_rule *rule = ctx;
	struct fan_contest *t = &rule->contest;
	int r = fan_contest_begin(t, m, rule->cpus);

	for (size_t i = 0; r == 0 && i < n; i++) {
		struct fan_entrant e = entrant_of(m, &members[i]);

		e.id = (int32_t)i;
		if (rule->given)
			e.given = rule->given[members[i].party];
		r = fan_contest_enter(t, &e);
	}
	if (r == 0)
		r = fan_contest_fill(t);
	for (size_t i = 0; r == 0 && i < t->n; i++)
		if (t->nodes[i].kind == FAN_AT_LEAF)
			ret_cpus[t->nodes[i].id] = (uint64_t)(t->nodes[i].alloc * 4294967296.0);
	return r == 0 ? t->is_contended : r;
}

void fan_entitle_rule_end(struct fan_entitle_rule *rule)
{
	fan_contest_end(&rule->contest);
}

void fan_entitlement_free(struct fan_entitlement *e)
{
	free(e->groups);
	e->groups = NULL;
}
