// SPDX-License-Identifier: GPL-3.0-or-later
/* The tree of competitors; water-filling level by level, from the top. */
#include "analyze/stats/contest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/waterfill.h"

#define SHARES_DEFAULT 1024.0 /* of a nice-0 thread or autogroup, a v1 cgroup */
#define WEIGHT_DEFAULT 100.0  /* of a v2 cgroup */
#define SHARES_IDLE    3.0    /* of a cgroup with cpu.idle (v2: its weight reads 0), SCHED_IDLE */
#define DEPTH_MAX      64     /* guards against parents that form a circle */

/* Weight of nice -20 .. 19: the kernel's sched_prio_to_weight, about 1024 x 1.25^-nice. */
static const int nice_weight[40] = {
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548,  7620,  6100,  4904,  3906,  3121,  2501,	 1991,	1586,  1277,
	1024,  820,   655,   526,   423,   335,	  272,	 215,	172,   137,
	110,   87,    70,    56,    45,	   36,	  29,	 23,	18,    15,
};

double fan_nice_weight(int nice)
{
	if (nice == FAN_NICE_IDLE)
		return SHARES_IDLE;
	return nice_weight[(nice < -20 ? -20 : nice > 19 ? 19 : nice) + 20];
}

static int32_t find_or_add(struct fan_contest *t, const struct fan_contender *wanted)
{
	struct fan_contender *grown;

	for (size_t i = 0; i < t->n; i++) {
		const struct fan_contender *k = &t->nodes[i];

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
static int32_t reach_cgroup(struct fan_contest *t, int32_t cgroup, unsigned int depth)
{
	const struct fan_facts *f = t->m->facts;
	struct fan_contender node = { .kind = FAN_AT_CGROUP, .set = -1 };
	const struct fan_cgroup *c;

	if (cgroup < 0 || depth > DEPTH_MAX)
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
	if (c->weight == 0 || c->is_idle)
		node.weight = SHARES_IDLE;
	node.own_cap = quota_cap(c);
	return find_or_add(t, &node);
}

/* The nearest cgroup, from this one upwards, of which the CPUs are told; NULL. */
static const struct fan_cgroup *told_cpuset(const struct fan_facts *f, int32_t cgroup)
{
	for (unsigned int depth = 0; cgroup >= 0 && depth < DEPTH_MAX; depth++) {
		if (f->cgroups[cgroup].cpuset)
			return &f->cgroups[cgroup];
		cgroup = parent_cgroup(f, cgroup);
	}
	return NULL;
}

/*
 * The CPUs of a thread: as its line said, but that line may be older than a change of its cgroup's
 * set. Who had just the old set then has the new one; others what of theirs is in it.
 */
static struct fcap_cpuset allowed(const struct fan_contest *t, int32_t affinity, int32_t cgroup)
{
	const struct fan_cgroup *c = told_cpuset(t->m->facts, cgroup);
	struct fcap_cpuset set, now, first;
	bool is_told = affinity >= 0 &&
		       fcap_cpulist_parse(t->m->facts->affinities[affinity], &set) == 0;

	if (!is_told)
		set = t->all;
	if (!c || fcap_cpulist_parse(c->cpuset, &now) < 0 || fcap_cpuset_count(&now) == 0)
		return set;
	if (is_told && !c->first_cpuset)
		return set;
	if (is_told && fcap_cpulist_parse(c->first_cpuset, &first) == 0 &&
	    memcmp(&set, &first, sizeof(set)) == 0)
		return now;
	fcap_cpuset_and(&set, &now);
	return fcap_cpuset_count(&set) ? set : now;
}

static int32_t reach_set(struct fan_contest *t, int32_t affinity, int32_t cgroup)
{
	struct fan_cpu_set *grown, set = { .affinity = affinity, .cgroup = cgroup };

	for (size_t i = 0; i < t->nsets; i++)
		if (t->sets[i].affinity == affinity && t->sets[i].cgroup == cgroup)
			return (int32_t)i;
	set.cpus = allowed(t, affinity, cgroup);
	fcap_cpuset_and(&set.cpus, &t->all);
	for (size_t i = 0; i < t->nsets; i++)
		if (memcmp(&t->sets[i].cpus, &set.cpus, sizeof(set.cpus)) == 0)
			return (int32_t)i;
	grown = reallocarray(t->sets, t->nsets + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->sets = grown;
	t->sets[t->nsets] = set;
	return (int32_t)t->nsets++;
}

/* The node under which the entrant competes; negative: no memory. */
static int32_t reach_entity(struct fan_contest *t, const struct fan_entrant *e)
{
	struct fan_contender node = { .id = e->given_id, .set = -1, .own_cap = INFINITY };
	int32_t i;

	if (!isnan(e->given)) {
		t->entities |= FAN_ENTITY_GIVEN;
		node.kind = FAN_AT_GIVEN;
		node.weight = e->given;
		return find_or_add(t, &node);
	}
	i = reach_cgroup(t, e->cgroup, 0);
	if (i != 0) {
		t->entities |= FAN_ENTITY_CGROUP;
		return i;
	}
	if (e->autogroup > 0) {
		t->entities |= FAN_ENTITY_AUTOGROUP;
		node.kind = FAN_AT_AUTOGROUP;
		node.id = e->autogroup;
		node.weight = fan_nice_weight(fan_facts_autogroup_nice(t->m->facts, e->autogroup));
		return find_or_add(t, &node);
	}
	t->entities |= e->is_told ? FAN_ENTITY_THREAD : FAN_ENTITY_THREAD_ASSUMED;
	return 0;
}

int fan_contest_enter(struct fan_contest *t, const struct fan_entrant *e)
{
	struct fan_contender leaf = { .kind = FAN_AT_LEAF, .id = e->id, .absent = 1 };
	int32_t i;

	leaf.set = reach_set(t, e->affinity, e->cgroup);
	leaf.parent = reach_entity(t, e);
	i = leaf.set < 0 || leaf.parent < 0 ? -1 : find_or_add(t, &leaf);
	if (i < 0)
		return -ENOMEM;
	/* threads of one leaf are equals: together they weigh what they weigh one by one, in
	 * proportion to how much of the time each wants to run */
	t->nodes[i].weight += fan_nice_weight(e->nice) * e->threads;
	t->nodes[i].own_cap += e->threads;
	t->nodes[i].absent *= 1 - e->present;
	return 0;
}

static void find_components(struct fan_contest *t)
{
	bool has_changed = true;

	for (size_t i = 0; i < t->nsets; i++)
		t->sets[i].component = i;
	while (has_changed) {
		has_changed = false;
		for (size_t i = 0; i < t->nsets; i++) {
			for (size_t k = 0; k < i; k++) {
				struct fan_cpu_set *a = &t->sets[i], *b = &t->sets[k];
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
		t->is_approximate |= memcmp(&t->sets[i].cpus, &t->sets[t->sets[i].component].cpus,
					    sizeof(t->sets[i].cpus)) != 0;
}

static bool is_leaf_of(const struct fan_contest *t, const struct fan_contender *n, size_t component)
{
	return n->kind == FAN_AT_LEAF && t->sets[n->set].component == component;
}

/* cap of every node from the leaves of this component upwards; 0 where there are none. */
static void raise_caps(struct fan_contest *t, size_t component)
{
	for (size_t i = 0; i < t->n; i++) {
		struct fan_contender *n = &t->nodes[i];

		n->cap = 0;
		if (n->kind != FAN_AT_LEAF)
			n->absent = 1;
		if (is_leaf_of(t, n, component))
			n->cap = fmin(n->own_cap, fcap_cpuset_count(&t->sets[n->set].cpus));
	}
	for (size_t i = t->n; i-- > 1;) {
		struct fan_contender *n = &t->nodes[i];

		n->cap = fmin(n->cap, n->own_cap);
		t->nodes[n->parent].cap += n->cap;
		if (n->cap > 0)
			t->nodes[n->parent].absent *= n->absent;
	}
}

/* Shares a node's allocation out among its children of this component. */
static int fill_children(struct fan_contest *t, int32_t parent, double amount)
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
		if (t->nodes[i].kind != FAN_AT_LEAF)
			weight[n] *= 1 - t->nodes[i].absent;
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

static double component_size(const struct fan_contest *t, size_t component)
{
	struct fcap_cpuset cpus = { { 0 } };

	for (size_t i = 0; i < t->nsets; i++)
		if (t->sets[i].component == component)
			fcap_cpuset_or(&cpus, &t->sets[i].cpus);
	return fcap_cpuset_count(&cpus);
}

static bool is_reached(double alloc, double cap)
{
	return alloc >= cap * (1 - 1e-9);
}

/* Which limits keep this leaf from having more. */
static unsigned int binding(const struct fan_contest *t, const struct fan_contender *leaf)
{
	unsigned int ret = 0;

	if (is_reached(leaf->alloc, leaf->cap))
		ret = leaf->own_cap <= leaf->cap ? FAN_CAP_THREADS : FAN_CAP_CPUSET;
	for (int32_t i = leaf->parent; ret == 0 && i > 0; i = t->nodes[i].parent)
		if (is_reached(t->nodes[i].alloc, t->nodes[i].own_cap))
			ret = FAN_CAP_QUOTA;
	return ret;
}

static int fill_component(struct fan_contest *t, size_t component)
{
	const double size = component_size(t, component);
	int r = 0;

	raise_caps(t, component);
	t->nodes[0].alloc = fmin(size, t->nodes[0].cap);
	for (size_t i = 0; r == 0 && i < t->n; i++)
		if (t->nodes[i].kind != FAN_AT_LEAF && t->nodes[i].cap > 0)
			r = fill_children(t, (int32_t)i, t->nodes[i].alloc);
	for (size_t i = 0; r == 0 && i < t->n; i++)
		if (is_leaf_of(t, &t->nodes[i], component))
			t->nodes[i].caps = binding(t, &t->nodes[i]);
	t->capacity += size;
	t->is_contended |= t->nodes[0].cap > size * (1 + 1e-9);
	return r;
}

int fan_contest_begin(struct fan_contest *t, const struct fan_model *m, unsigned int cpus)
{
	const struct fan_contender root = {
		.kind = FAN_AT_ROOT, .parent = -1, .set = -1, .own_cap = INFINITY
	};

	*t = (struct fan_contest){ .m = m };
	for (size_t i = 0; i < m->facts->ncpus; i++)
		fcap_cpuset_add(&t->all, (unsigned int)m->facts->cpus[i]);
	for (unsigned int i = 0; m->facts->ncpus == 0 && i < cpus; i++)
		fcap_cpuset_add(&t->all, i);
	return find_or_add(t, &root) < 0 ? -ENOMEM : 0;
}

int fan_contest_fill(struct fan_contest *t)
{
	int r = 0;

	find_components(t);
	for (size_t i = 0; r == 0 && i < t->nsets; i++)
		if (t->sets[i].component == i)
			r = fill_component(t, i);
	return r;
}

void fan_contest_end(struct fan_contest *t)
{
	free(t->nodes);
	free(t->sets);
	t->nodes = NULL;
	t->sets = NULL;
}
