// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t fan_main_thread(const struct fan_model *m, int32_t proc)
{
	const struct fan_proc *p = fan_procs_at(m->threads, (size_t)proc);
	const int32_t i = p->tgid > 0 ? fan_threads_find(m->threads, p->tgid) : -1;

	return i >= 0 && fan_threads_proc(m->threads, (size_t)i) == proc ? i : p->first_thread;
}

int32_t fan_groups_add(struct fan_groups *g, const struct fan_model *m, int32_t lead)
{
	struct fan_group *grown = reallocarray(g->items, g->n + 1, sizeof(*grown));
	const struct fan_thread *th = fan_threads_at(m->threads, (size_t)lead);

	if (!grown)
		return -ENOMEM;
	g->items = grown;
	g->items[g->n] = (struct fan_group){
		.tgid = fan_procs_at(m->threads, (size_t)fan_threads_proc(m->threads, (size_t)lead))
				->tgid,
		.lead = lead,
		.cgroup = fan_facts_task(m->facts, (size_t)lead)->cgroup,
		.birth_ns = th->birth_ns,
	};
	return (int32_t)g->n++;
}

/* What a marker says, else what the file's GUEST option says. */
static const char *given_name(const struct fan_model *m, const struct fan_groups *g, size_t group)
{
	const char *name = NULL;

	for (size_t i = 0; i < m->facts->ngroups; i++) {
		const struct fan_group_fact *fact = &m->facts->groups[i];

		if (fact->tgid >= 0 && fact->tgid == g->items[group].tgid)
			return fact->name;
		if (fact->thread >= 0 &&
		    fan_groups_of(g, m, (size_t)fact->thread) == (int32_t)group)
			name = fact->name;
	}
	return name;
}

static const char *cgroup_leaf(const struct fan_model *m, const struct fan_group *group)
{
	const char *slash = group->cgroup < 0 ? NULL
					      : strrchr(m->facts->cgroups[group->cgroup].path, '/');

	return slash && slash[1] ? slash + 1 : NULL;
}

/* -name or cgroup leaf; else the thread's name. Names that several bear get #1, #2 by birth. */
static const char *base_name(const struct fan_model *m, const struct fan_groups *g, size_t i)
{
	const struct fan_group *group = &g->items[i];
	const char *name = NULL;

	if (g->kind == FAN_GROUP_VM || g->kind == FAN_GROUP_PROCESS)
		name = given_name(m, g, i);
	if (!name && (g->kind == FAN_GROUP_VM || g->kind == FAN_GROUP_CGROUP))
		name = cgroup_leaf(m, group);
	if (!name)
		name = fan_threads_at(m->threads, (size_t)group->lead)->comm;
	return *name ? name : "?";
}

struct named {
	const char *name;
	size_t i;
};

static int by_name_then_birth(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	const int r = strcmp(x->name, y->name);

	return r ? r : (x->i > y->i) - (x->i < y->i);
}

static int name_groups(struct fan_groups *g, const struct fan_model *m)
{
	struct named *named = calloc(g->n + 1, sizeof(*named));
	size_t first = 0;
	int r = named ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < g->n; i++)
		named[i] = (struct named){ base_name(m, g, i), i };
	if (r == 0)
		qsort(named, g->n, sizeof(*named), by_name_then_birth);
	for (size_t i = 0; r == 0 && i < g->n; i++) {
		char **name = &g->items[named[i].i].name;
		bool is_alone;

		if (strcmp(named[i].name, named[first].name) != 0)
			first = i;
		is_alone = first == i &&
			   (i + 1 == g->n || strcmp(named[i].name, named[i + 1].name) != 0);
		if (asprintf(name, is_alone ? "%s" : "%s#%zu", named[i].name, i - first + 1) < 0) {
			*name = NULL;
			r = -ENOMEM;
		}
	}
	free(named);
	return r;
}

struct rank {
	uint64_t birth_ns;
	size_t i;
};

static int by_birth(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->birth_ns != y->birth_ns)
		return x->birth_ns < y->birth_ns ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

/* Groups have got other numbers, or none (-1). */
static void renumber(struct fan_groups *g, const int32_t *to)
{
	for (size_t a = 0; a < g->naccounts; a++)
		if (g->of_account[a] >= 0)
			g->of_account[a] = to[g->of_account[a]];
}

/* Orders groups by birth; of_account follows. */
static int sort_groups(struct fan_groups *g)
{
	struct rank *rank = calloc(g->n + 1, sizeof(*rank));
	struct fan_group *sorted = calloc(g->n + 1, sizeof(*sorted));
	int32_t *to = calloc(g->n + 1, sizeof(*to));
	const int r = rank && sorted && to ? 0 : -ENOMEM;

	if (r == 0) {
		for (size_t i = 0; i < g->n; i++)
			rank[i] = (struct rank){ g->items[i].birth_ns, i };
		qsort(rank, g->n, sizeof(*rank), by_birth);
		for (size_t i = 0; i < g->n; i++) {
			sorted[i] = g->items[rank[i].i];
			to[rank[i].i] = (int32_t)i;
		}
		renumber(g, to);
		free(g->items);
		g->items = sorted;
		sorted = NULL;
	}
	free(rank);
	free(sorted);
	free(to);
	return r;
}

static void count_vcpus(struct fan_groups *g, const struct fan_model *m)
{
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const int32_t group = fan_groups_of(g, m, i);
		const uint64_t life = fan_thread_life_ns(fan_threads_at(m->threads, i), m->end_ns);

		if (group >= 0 && fan_threads_at(m->threads, i)->is_vcpu &&
		    life > g->items[group].life_ns)
			g->items[group].life_ns = life;
	}
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const int32_t group = fan_groups_of(g, m, i);

		if (group >= 0 &&
		    fan_group_has_vcpu(&g->items[group], fan_threads_at(m->threads, i), m->end_ns))
			g->items[group].vcpus++;
	}
}

/* Adds a name to the list of those left out. */
static int note_passing(struct fan_groups *g, const char *name)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", g->passing ? g->passing : "", g->passing ? ", " : "",
		     name) < 0)
		return -ENOMEM;
	free(g->passing);
	g->passing = longer;
	return 0;
}

/*
 * A VM that was there for less than a tenth of the time (a test that started one) is left out:
 * there would be no time that all VMs share. Unless all were so brief.
 */
static int leave_out_passing(struct fan_groups *g, const struct fan_model *m)
{
	const uint64_t least = (m->end_ns - m->start_ns) / 10;
	int32_t *to = calloc(g->n + 1, sizeof(*to));
	size_t kept = 0;
	int r = to ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < g->n; i++)
		to[i] = g->items[i].life_ns >= least ? (int32_t)kept++ : -1;
	if (r == 0 && kept > 0 && kept < g->n) {
		renumber(g, to);
		for (size_t i = 0; r == 0 && i < g->n; i++) {
			if (to[i] < 0)
				r = note_passing(g, g->items[i].name);
			if (to[i] < 0)
				free(g->items[i].name);
			else
				g->items[to[i]] = g->items[i];
		}
		g->n = kept;
	}
	free(to);
	return r;
}

static int make(struct fan_groups *g, struct fan_model *m, const struct fan_group_options *options,
		struct fcap_err *err)
{
	int r;

	g->kind = options->kind;
	g->naccounts = fan_accounts_count(m->threads);
	g->of_account = malloc((g->naccounts + 1) * sizeof(*g->of_account));
	if (!g->of_account)
		return -ENOMEM;
	for (size_t i = 0; i < g->naccounts; i++)
		g->of_account[i] = -1;
	g->is_requested = options->nvms > 0;
	r = g->is_requested ? fan_groups_of_requests(g, m, options, err) : fan_groups_of_kind(g, m);
	if (r == 0 && !g->is_requested)
		r = sort_groups(g);
	if (r == 0 && !g->is_requested)
		r = name_groups(g, m);
	return r;
}

int fan_groups_make(struct fan_groups **ret, struct fan_model *m,
		    const struct fan_group_options *options, struct fcap_err *err)
{
	struct fan_groups *g = calloc(1, sizeof(*g));
	int r;

	if (!g)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = make(g, m, options, err);
	if (r < 0) {
		fan_groups_free(g);
		return r == -ENOMEM ? fcap_fail(err, ENOMEM, "out of memory") : r;
	}
	count_vcpus(g, m);
	if (g->kind == FAN_GROUP_VM && !g->is_requested && leave_out_passing(g, m) < 0) {
		fan_groups_free(g);
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	*ret = g;
	return 0;
}

int32_t fan_groups_named(const struct fan_groups *g, const char *name)
{
	for (size_t i = 0; i < g->n; i++)
		if (strcmp(g->items[i].name, name) == 0)
			return (int32_t)i;
	return -1;
}

int32_t fan_groups_of(const struct fan_groups *g, const struct fan_model *m, size_t thread)
{
	return g->of_account[fan_threads_at(m->threads, thread)->account];
}

void fan_groups_free(struct fan_groups *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++)
		free(g->items[i].name);
	free(g->items);
	free(g->of_account);
	free(g->passing);
	free(g);
}
