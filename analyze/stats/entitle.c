// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A tree of competitors (root, cgroups with a weight, autogroups; leaves are the threads of one
 * group under one node with one CPU set) is built from the facts and filled from the top.
 */
#include "analyze/stats/entitle.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/waterfill.h"
#include "fcap/cpulist.h"

#define SHARES_DEFAULT 1024.0 /* of a nice-0 thread, an autogroup, a v1 cgroup */
#define WEIGHT_DEFAULT 100.0  /* of a v2 cgroup */
#define SHARES_IDLE    3.0    /* of a cgroup with cpu.idle, whose weight reads 0 */

/* Weight of nice -20 .. 19: the kernel's sched_prio_to_weight, about 1024 x 1.25^-nice. */
static const int nice_weight[40] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548,  7620,  6100,  4904,  3906,  3121,  2501,	 1991,	1586,  1277,
	1024,  820,   655,   526,   423,   335,	  272,	 215,	172,   137,
	110,   87,    70,    56,    45,	   36,	  29,	 23,	18,    15,
};

enum kind { ROOT, GIVEN, CGROUP, AUTOGROUP, LEAF };

struct node {
	enum kind kind;
	int32_t id;	/* cgroup index, autogroup number, or group of a leaf */
	int32_t parent; /* always a smaller index */
	int32_t set;	/* leaf: index of its CPU set */
	double weight;	/* as shares */
	double own_cap; /* quota, or a leaf's threads; INFINITY: none */
	double cap;	/* own_cap and what lies below, within the component being filled */
	double alloc;
};

struct cpu_set {
	int32_t affinity; /* index of facts' affinities, or -1: all CPUs */
	struct fcap_cpuset cpus;
	size_t component; /* smallest index of a set that overlaps, directly or over others */
};

struct tree {
	const struct fan_model *m;
	const struct fan_groups *g;
	struct node *nodes;
	size_t n;
	struct cpu_set *sets;
	size_t nsets;
	struct fcap_cpuset all;
	double length;	     /* of the trace, ns */
	const double *given; /* weights by group, or NULL */
};

static int32_t find_or_add(struct tree *t, const struct node *wanted)
{
	struct node *grown;

	for (size_t i = 0; i < t->n; i++) {
		const struct node *k = &t->nodes[i];

		if (k->kind == wanted->kind && k->id == wanted->id && k->parent == wanted->parent &&
		    k->set == wanted->set)
			return (int32_t)i;
	}
	grown = reallocarray(t->nodes, t->n + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->nodes = grown;
	t->nodes[t->n] = *wanted;
	return (int32_t)t->n++;
}

/* The parent of a cgroup: as told, else by its path; -1 for the root and its like. */
static int32_t parent_cgroup(const struct fan_facts *f, int32_t cgroup)
{
	const struct fan_cgroup *c = &f->cgroups[cgroup];
	const char *slash = strrchr(c->path, '/');
	char *up;
	int32_t i;

	if (c->parent)
		return fan_facts_cgroup(f, c->parent);
	if (!slash || slash == c->path)
		return -1;
	up = strndup(c->path, (size_t)(slash - c->path));
	i = up ? fan_facts_cgroup(f, up) : -1;
	free(up);
	return i;
}

static double quota_cap(const struct fan_cgroup *c)
{
	return c->quota > 0 && c->period > 0 ? (double)c->quota / (double)c->period : INFINITY;
}

/* The node of the nearest cgroup with a weight at or above this one; the root is node 0. */
static int32_t reach_cgroup(struct tree *t, int32_t cgroup, unsigned int depth)
{
	const struct fan_facts *f = t->m->facts;
	struct node node = { .kind = CGROUP, .set = -1 };
	const struct fan_cgroup *c;

	/* the depth guards against parents that form a circle */
	if (cgroup < 0 || depth > 64)
		return 0;
	c = &f->cgroups[cgroup];
	if (c->weight < 0 || strcmp(c->path, "/") == 0)
		return reach_cgroup(t, parent_cgroup(f, cgroup), depth + 1);
	node.id = cgroup;
	node.parent = reach_cgroup(t, parent_cgroup(f, cgroup), depth + 1);
	if (node.parent < 0)
		return node.parent;
	node.weight = c->is_v2 ? (double)c->weight * SHARES_DEFAULT / WEIGHT_DEFAULT
			       : (double)c->weight;
	if (c->weight == 0)
		node.weight = SHARES_IDLE;
	node.own_cap = quota_cap(c);
	return find_or_add(t, &node);
}

static int32_t reach_set(struct tree *t, int32_t affinity)
{
	struct cpu_set *grown, set = { .affinity = affinity };

	for (size_t i = 0; i < t->nsets; i++)
		if (t->sets[i].affinity == affinity)
			return (int32_t)i;
	if (affinity < 0 || fcap_cpulist_parse(t->m->facts->affinities[affinity], &set.cpus) < 0)
		set.cpus = t->all;
	fcap_cpuset_and(&set.cpus, &t->all);
	grown = reallocarray(t->sets, t->nsets + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->sets = grown;
	t->sets[t->nsets] = set;
	return (int32_t)t->nsets++;
}

/* How many CPUs a thread can use: a vCPU one, another thread what it wanted on average. */
static double demand(const struct tree *t, const struct fan_thread *th, int32_t group)
{
	if (t->g->items[group].life_ns)
		return fan_group_has_vcpu(&t->g->items[group], th, t->m->end_ns) ? 1 : 0;
	return t->length > 0 ? (double)(th->run_ns + th->wait_ns + th->stale_ns) / t->length : 0;
}

/* A thread that lived too briefly for a line of its own is taken as its main thread. */
static const struct fan_task_fact *fact_of(const struct tree *t, size_t thread, int32_t group)
{
	const struct fan_task_fact *fact = fan_facts_task(t->m->facts, thread);

	return fact->is_told || group < 0
		       ? fact
		       : fan_facts_task(t->m->facts, (size_t)t->g->items[group].lead);
}

/* As a task line says, else by the priority of its last switch; real-time counts as -20. */
static int nice_of(const struct tree *t, const struct fan_task_fact *fact, size_t thread)
{
	const int32_t prio = fan_threads_at(t->m->threads, thread)->prio;
	const int nice = fact->is_told || prio == FAN_PRIO_UNTOLD ? fact->nice : prio - 120;

	return nice < -20 ? -20 : nice > 19 ? 19 : nice;
}

/* The node under which the thread competes; negative: no memory. */
static int32_t reach_entity(struct tree *t, const struct fan_task_fact *fact, int32_t group,
			    unsigned int *entities)
{
	struct node node = { .id = group, .set = -1, .own_cap = INFINITY };
	int32_t i;

	if (t->given && !isnan(t->given[group])) {
		*entities |= FAN_ENTITY_GIVEN;
		node.kind = GIVEN;
		node.weight = t->given[group];
		return find_or_add(t, &node);
	}
	i = reach_cgroup(t, fact->cgroup, 0);
	if (i != 0) {
		*entities |= FAN_ENTITY_CGROUP;
		return i;
	}
	if (fact->autogroup > 0) {
		*entities |= FAN_ENTITY_AUTOGROUP;
		node.kind = AUTOGROUP;
		node.id = fact->autogroup;
		node.weight = SHARES_DEFAULT;
		return find_or_add(t, &node);
	}
	*entities |= fact->is_told ? FAN_ENTITY_THREAD : FAN_ENTITY_THREAD_ASSUMED;
	return 0;
}

static int add_thread(struct tree *t, size_t thread, unsigned int *entities)
{
	const int32_t group = fan_groups_of(t->g, t->m, thread);
	const struct fan_task_fact *fact = fact_of(t, thread, group);
	struct node leaf = { .kind = LEAF, .id = group };
	double cap;
	int32_t i;

	if (group < 0)
		return 0;
	cap = demand(t, fan_threads_at(t->m->threads, thread), group);
	if (cap <= 0)
		return 0;
	leaf.set = reach_set(t, fact->affinity);
	leaf.parent = reach_entity(t, fact, group, entities);
	i = leaf.set < 0 || leaf.parent < 0 ? -1 : find_or_add(t, &leaf);
	if (i < 0)
		return -ENOMEM;
	/* threads of one leaf are equals: together they weigh what they weigh one by one, in
	 * proportion to how much of the time each wants to run */
	t->nodes[i].weight += nice_weight[nice_of(t, fact, thread) + 20] * cap;
	t->nodes[i].own_cap += cap;
	return 0;
}

static void find_components(struct tree *t, bool *is_approximate)
{
	bool has_changed = true;

	for (size_t i = 0; i < t->nsets; i++)
		t->sets[i].component = i;
	while (has_changed) {
		has_changed = false;
		for (size_t i = 0; i < t->nsets; i++) {
			for (size_t k = 0; k < i; k++) {
				struct cpu_set *a = &t->sets[i], *b = &t->sets[k];
				const size_t low = a->component < b->component ? a->component
									       : b->component;

				if (a->component == b->component ||
				    !fcap_cpuset_overlaps(&a->cpus, &b->cpus))
					continue;
				a->component = b->component = low;
				has_changed = true;
			}
		}
	}
	for (size_t i = 0; i < t->nsets; i++)
		*is_approximate |= memcmp(&t->sets[i].cpus, &t->sets[t->sets[i].component].cpus,
					  sizeof(t->sets[i].cpus)) != 0;
}

static bool is_leaf_of(const struct tree *t, const struct node *n, size_t component)
{
	return n->kind == LEAF && t->sets[n->set].component == component;
}

/* cap of every node from the leaves of this component upwards; 0 where there are none. */
static void raise_caps(struct tree *t, size_t component)
{
	for (size_t i = 0; i < t->n; i++) {
		struct node *n = &t->nodes[i];

		n->cap = 0;
		if (is_leaf_of(t, n, component))
			n->cap = fmin(n->own_cap, fcap_cpuset_count(&t->sets[n->set].cpus));
	}
	for (size_t i = t->n; i-- > 1;) {
		struct node *n = &t->nodes[i];

		n->cap = fmin(n->cap, n->own_cap);
		t->nodes[n->parent].cap += n->cap;
	}
}

/* Shares a node's allocation out among its children of this component. */
static int fill_children(struct tree *t, int32_t parent, double amount)
{
	double *weight = malloc(t->n * sizeof(*weight));
	double *cap = malloc(t->n * sizeof(*cap));
	double *alloc = malloc(t->n * sizeof(*alloc));
	int r = weight && cap && alloc ? 0 : -ENOMEM;
	size_t n = 0;

	for (size_t i = 1; r == 0 && i < t->n; i++) {
		if (t->nodes[i].parent != parent || t->nodes[i].cap <= 0)
			continue;
		weight[n] = t->nodes[i].weight;
		cap[n++] = t->nodes[i].cap;
	}
	if (r == 0)
		r = fan_waterfill(weight, cap, n, amount, alloc);
	for (size_t i = t->n; r == 0 && i-- > 1;)
		if (t->nodes[i].parent == parent && t->nodes[i].cap > 0)
			t->nodes[i].alloc = alloc[--n];
	free(weight);
	free(cap);
	free(alloc);
	return r;
}

static double component_size(const struct tree *t, size_t component)
{
	struct fcap_cpuset cpus = { { 0 } };

	for (size_t i = 0; i < t->nsets; i++)
		if (t->sets[i].component == component)
			fcap_cpuset_or(&cpus, &t->sets[i].cpus);
	return fcap_cpuset_count(&cpus);
}

static int fill_component(struct tree *t, size_t component, struct fan_entitlement *ret)
{
	const double size = component_size(t, component);
	int r = 0;

	raise_caps(t, component);
	t->nodes[0].alloc = fmin(size, t->nodes[0].cap);
	for (size_t i = 0; r == 0 && i < t->n; i++)
		if (t->nodes[i].kind != LEAF && t->nodes[i].cap > 0)
			r = fill_children(t, (int32_t)i, t->nodes[i].alloc);
	for (size_t i = 0; r == 0 && i < t->n; i++) {
		const struct node *n = &t->nodes[i];

		if (!is_leaf_of(t, n, component))
			continue;
		ret->groups[n->id].cpus += n->alloc;
		ret->groups[n->id].cap += n->cap;
	}
	ret->capacity += size;
	ret->is_contended |= t->nodes[0].cap > size * (1 + 1e-9);
	return r;
}

/* The weight of the one cgroup that holds this group and no other; NaN if there is none. */
static double sole_weight(const struct tree *t, int32_t group)
{
	int32_t cgroup = -1;

	for (size_t i = 0; i < t->n; i++) {
		const struct node *n = &t->nodes[i];

		if (n->kind != LEAF || n->id != group)
			continue;
		if (t->nodes[n->parent].kind != CGROUP || (cgroup >= 0 && cgroup != n->parent))
			return NAN;
		cgroup = n->parent;
	}
	for (size_t i = 0; i < t->n; i++)
		if (cgroup >= 0 && t->nodes[i].parent == cgroup &&
		    (t->nodes[i].kind != LEAF || t->nodes[i].id != group))
			return NAN;
	return cgroup < 0 ? NAN : (double)t->m->facts->cgroups[t->nodes[cgroup].id].weight;
}

static int build(struct tree *t, unsigned int cpus, unsigned int *entities)
{
	const struct node root = { .kind = ROOT, .parent = -1, .set = -1, .own_cap = INFINITY };
	int r = 0;

	for (size_t i = 0; i < t->m->facts->ncpus; i++)
		fcap_cpuset_add(&t->all, (unsigned int)t->m->facts->cpus[i].id);
	for (unsigned int i = 0; t->m->facts->ncpus == 0 && i < cpus; i++)
		fcap_cpuset_add(&t->all, i);
	if (find_or_add(t, &root) < 0)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < fan_threads_count(t->m->threads); i++)
		r = add_thread(t, i, entities);
	return r;
}

int fan_entitle(const struct fan_model *m, const struct fan_groups *g, unsigned int cpus,
		const double *given, struct fan_entitlement *ret)
{
	struct tree t = {
		.m = m, .g = g, .length = (double)(m->end_ns - m->start_ns), .given = given
	};
	struct fan_entitlement e = { 0 };
	int r = -ENOMEM;

	e.groups = calloc(g->n + 1, sizeof(*e.groups));
	if (e.groups)
		r = build(&t, cpus, &e.entities);
	if (r == 0)
		find_components(&t, &e.is_approximate);
	for (size_t i = 0; r == 0 && i < t.nsets; i++)
		if (t.sets[i].component == i)
			r = fill_component(&t, i, &e);
	for (size_t i = 0; r == 0 && i < g->n; i++)
		e.groups[i].weight = given && !isnan(given[i]) ? given[i]
							       : sole_weight(&t, (int32_t)i);
	free(t.nodes);
	free(t.sets);
	if (r < 0) {
		free(e.groups);
		return r;
	}
	*ret = e;
	return 0;
}

void fan_entitlement_free(struct fan_entitlement *e)
{
	free(e->groups);
	e->groups = NULL;
}
