// SPDX-License-Identifier: GPL-3.0-or-later
/* The tree of competitors; water-filling level by level, from the top. */
#include "analyze/stats/contest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/room.h"
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

static int32_t add_node(struct fan_contest *t, const struct fan_contender *node)
{
	void *nodes = t->nodes;

	if (fan_reserve(&nodes, t->n, 1, &t->room, sizeof(*t->nodes)) < 0)
		return -ENOMEM;
	t->nodes = nodes;
	t->nodes[t->n] = *node;
	return (int32_t)t->n++;
}

static int32_t find_or_add(struct fan_contest *t, const struct fan_contender *wanted)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct fan_contender *k = &t->nodes[i];

		if (k->kind == wanted->kind && k->id == wanted->id && k->parent == wanted->parent &&
		    k->set == wanted->set)
			return (int32_t)i;
	}
	return add_node(t, wanted);
}

/* The parent of a cgroup: as told, else by its path; -1 for the root and its like. */
static int32_t find_parent(const struct fan_facts *f, int32_t cgroup)
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

static int32_t parent_cgroup(struct fan_contest *t, int32_t cgroup)
{
	struct fan_known_cgroup *known = &t->cgroups[cgroup + 1];

	if (!known->has_parent)
		known->parent = find_parent(t->m->facts, cgroup);
	known->has_parent = true;
	return known->parent;
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
	int32_t i;

	if (cgroup < 0 || depth > DEPTH_MAX)
		return 0;
	c = &f->cgroups[cgroup];
	if (c->weight < 0 || strcmp(c->path, "/") == 0)
		return reach_cgroup(t, parent_cgroup(t, cgroup), depth + 1);
	if (t->cgroups[cgroup + 1].node)
		return t->cgroups[cgroup + 1].node;
	node.id = cgroup;
	node.parent = reach_cgroup(t, parent_cgroup(t, cgroup), depth + 1);
	if (node.parent < 0)
		return node.parent;
	node.weight = c->is_v2 ? (double)c->weight * SHARES_DEFAULT / WEIGHT_DEFAULT
			       : (double)c->weight;
	if (c->weight == 0 || c->is_idle)
		node.weight = SHARES_IDLE;
	node.own_cap = quota_cap(c);
	i = add_node(t, &node);
	if (i > 0)
		t->cgroups[cgroup + 1].node = i;
	return i;
}

/* The nearest cgroup, from this one upwards, of which the CPUs are told; NULL. */
static const struct fan_cgroup *told_cpuset(struct fan_contest *t, int32_t cgroup)
{
	const struct fan_facts *f = t->m->facts;

	for (unsigned int depth = 0; cgroup >= 0 && depth < DEPTH_MAX; depth++) {
		if (f->cgroups[cgroup].cpuset)
			return &f->cgroups[cgroup];
		cgroup = parent_cgroup(t, cgroup);
	}
	return NULL;
}

/*
 * The CPUs of a thread: as its line said, but that line may be older than a change of its cgroup's
 * set. Who had just the old set then has the new one; others what of theirs is in it.
 */
static struct fcap_cpuset allowed(struct fan_contest *t, int32_t affinity, int32_t cgroup)
{
	const struct fan_cgroup *c = told_cpuset(t, cgroup);
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

/* Adds the CPUs of threads with this affinity in this cgroup. 0 or -ENOMEM. */
static int add_set(struct fan_contest *t, int32_t affinity, int32_t cgroup)
{
	const size_t room = t->sets_room;
	void *sets = t->sets;
	struct fan_cpu_set *set;
	size_t *used;

	if (fan_reserve(&sets, t->nsets, 1, &t->sets_room, sizeof(*t->sets)) < 0)
		return -ENOMEM;
	t->sets = sets;
	if (t->sets_room != room) {
		used = reallocarray(t->used, t->sets_room, sizeof(*used));
		if (!used)
			return -ENOMEM;
		t->used = used;
	}
	set = &t->sets[t->nsets];
	*set = (struct fan_cpu_set){ .affinity = affinity };
	set->cpus = allowed(t, affinity, cgroup);
	fcap_cpuset_and(&set->cpus, &t->all);
	set->count = fcap_cpuset_count(&set->cpus);
	while (memcmp(&t->sets[set->same].cpus, &set->cpus, sizeof(set->cpus)) != 0)
		set->same++;
	set->next = t->cgroups[cgroup + 1].set;
	t->cgroups[cgroup + 1].set = ++t->nsets;
	return 0;
}

static int32_t reach_set(struct fan_contest *t, int32_t affinity, int32_t cgroup)
{
	size_t i = t->cgroups[cgroup + 1].set;

	while (i && t->sets[i - 1].affinity != affinity)
		i = t->sets[i - 1].next;
	if (i == 0 && add_set(t, affinity, cgroup) < 0)
		return -ENOMEM;
	i = t->sets[i ? i - 1 : t->nsets - 1].same;
	if (!t->sets[i].is_used)
		t->used[t->nused++] = i;
	t->sets[i].is_used = true;
	return (int32_t)i;
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
	if (leaf.set < 0 || leaf.parent < 0)
		return -ENOMEM;
	i = e->is_sole ? add_node(t, &leaf) : find_or_add(t, &leaf);
	if (i < 0)
		return -ENOMEM;
	/* threads of one leaf are equals: together they weigh what they weigh one by one, in
	 * proportion to how much of the time each wants to run */
	t->nodes[i].weight += fan_nice_weight(e->nice) * e->threads;
	t->nodes[i].own_cap += e->threads;
	t->nodes[i].absent *= 1 - e->present;
	return 0;
}

static bool overlap(const struct fan_contest *t, const struct fan_cpu_set *a,
		    const struct fan_cpu_set *b)
{
	for (size_t i = 0; i < t->words; i++)
		if (a->cpus.bits[i] & b->cpus.bits[i])
			return true;
	return false;
}

/* Two sets that overlap are of one component. True if they were not before. */
static bool join(const struct fan_contest *t, struct fan_cpu_set *a, struct fan_cpu_set *b)
{
	const size_t low = a->component < b->component ? a->component : b->component;

	if (a->component == b->component || !overlap(t, a, b))
		return false;
	a->component = b->component = low;
	return true;
}

static void find_components(struct fan_contest *t)
{
	bool has_changed = true;

	for (size_t i = 0; i < t->nused; i++)
		t->sets[t->used[i]].component = t->used[i];
	while (has_changed) {
		has_changed = false;
		for (size_t i = 0; i < t->nused; i++)
			for (size_t k = 0; k < i; k++)
				has_changed |= join(t, &t->sets[t->used[i]], &t->sets[t->used[k]]);
	}
	/* no two of these sets are the same */
	for (size_t i = 0; i < t->nused; i++)
		t->is_approximate |= t->sets[t->used[i]].component != t->used[i];
}

static bool is_leaf_of(const struct fan_contest *t, const struct fan_contender *n, size_t component)
{
	return n->kind == FAN_AT_LEAF && t->sets[n->set].component == component;
}

/* cap of every node from the leaves of this component upwards; 0 where there are none, see child.
 */
static void raise_caps(struct fan_contest *t, size_t component)
{
	for (size_t i = 0; i < t->n; i++) {
		struct fan_contender *n = &t->nodes[i];

		n->cap = 0;
		n->child = -1;
		if (n->kind != FAN_AT_LEAF)
			n->absent = 1;
		if (is_leaf_of(t, n, component))
			n->cap = fmin(n->own_cap, t->sets[n->set].count);
	}
	for (size_t i = t->n; i-- > 1;) {
		struct fan_contender *n = &t->nodes[i];

		n->cap = fmin(n->cap, n->own_cap);
		if (n->cap <= 0)
			continue;
		t->nodes[n->parent].cap += n->cap;
		t->nodes[n->parent].absent *= n->absent;
		n->next = t->nodes[n->parent].child;
		t->nodes[n->parent].child = (int32_t)i;
	}
}

/* Shares a node's allocation out among its children of this component. */
static int fill_children(struct fan_contest *t, const struct fan_contender *parent)
{
	double *weight = t->scratch, *cap = weight + t->n, *alloc = cap + t->n;
	size_t n = 0;
	int r;

	for (int32_t i = parent->child; i >= 0; i = t->nodes[i].next) {
		weight[n] = t->nodes[i].weight;
		if (t->nodes[i].kind != FAN_AT_LEAF)
			weight[n] *= 1 - t->nodes[i].absent;
		cap[n++] = t->nodes[i].cap;
	}
	r = fan_waterfill(weight, cap, n, parent->alloc, alloc);
	n = 0;
	for (int32_t i = parent->child; r == 0 && i >= 0; i = t->nodes[i].next)
		t->nodes[i].alloc = alloc[n++];
	return r;
}

static double component_size(const struct fan_contest *t, size_t component)
{
	unsigned int n = 0;

	for (size_t word = 0; word < t->words; word++) {
		uint64_t bits = 0;

		for (size_t i = 0; i < t->nused; i++)
			if (t->sets[t->used[i]].component == component)
				bits |= t->sets[t->used[i]].cpus.bits[word];
		n += (unsigned int)__builtin_popcountll(bits);
	}
	return n;
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
			r = fill_children(t, &t->nodes[i]);
	for (size_t i = 0; r == 0 && i < t->n; i++)
		if (is_leaf_of(t, &t->nodes[i], component))
			t->nodes[i].caps = binding(t, &t->nodes[i]);
	t->capacity += size;
	t->is_contended |= t->nodes[0].cap > size * (1 + 1e-9);
	return r;
}

/* The facts have been told more than what is kept knows: that is dropped. 0 or -ENOMEM. */
static int learn(struct fan_contest *t, unsigned int cpus)
{
	const struct fan_facts *f = t->m->facts;

	free(t->cgroups);
	t->cgroups = calloc(f->ncgroups + 1, sizeof(*t->cgroups));
	if (!t->cgroups)
		return -ENOMEM;
	t->n = t->nsets = t->nused = 0;
	t->all = (struct fcap_cpuset){ { 0 } };
	for (size_t i = 0; i < f->ncpus; i++)
		fcap_cpuset_add(&t->all, (unsigned int)f->cpus[i]);
	for (unsigned int i = 0; f->ncpus == 0 && i < cpus; i++)
		fcap_cpuset_add(&t->all, i);
	t->words = FCAP_CPUS_MAX / 64;
	while (t->words && t->all.bits[t->words - 1] == 0)
		t->words--;
	return 0;
}

int fan_contest_begin(struct fan_contest *t, const struct fan_model *m, unsigned int cpus)
{
	const struct fan_contender root = {
		.kind = FAN_AT_ROOT, .parent = -1, .set = -1, .own_cap = INFINITY
	};
	/* each of them only grows; cgroups may be found by name, CPUs by lines of their own */
	const uint64_t told = (uint64_t)m->facts->epoch + m->facts->ncgroups + m->facts->ncpus;

	if (!t->m || t->told != told) {
		t->m = m;
		if (learn(t, cpus) < 0)
			return -ENOMEM;
		t->told = told;
	}
	for (size_t i = 0; i < t->nused; i++)
		t->sets[t->used[i]].is_used = false;
	for (size_t i = 0; i < t->n; i++)
		if (t->nodes[i].kind == FAN_AT_CGROUP)
			t->cgroups[t->nodes[i].id + 1].node = 0;
	t->n = t->nused = 0;
	t->capacity = 0;
	t->is_contended = t->is_approximate = false;
	t->entities = 0;
	return add_node(t, &root) < 0 ? -ENOMEM : 0;
}

static int reach_scratch(struct fan_contest *t)
{
	double *scratch;

	if (t->room == t->scratch_room)
		return 0;
	scratch = reallocarray(t->scratch, t->room, 3 * sizeof(*scratch));
	if (!scratch)
		return -ENOMEM;
	t->scratch = scratch;
	t->scratch_room = t->room;
	return 0;
}

int fan_contest_fill(struct fan_contest *t)
{
	int r = reach_scratch(t);

	find_components(t);
	for (size_t i = 0; r == 0 && i < t->nused; i++)
		if (t->sets[t->used[i]].component == t->used[i])
			r = fill_component(t, t->used[i]);
	return r;
}

void fan_contest_end(struct fan_contest *t)
{
	free(t->nodes);
	free(t->sets);
	free(t->cgroups);
	free(t->used);
	free(t->scratch);
	*t = (struct fan_contest){ 0 };
}
