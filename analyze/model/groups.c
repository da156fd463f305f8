// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/cgroup_name.h"
#include "analyze/model/group_cgroup.h"
#include "analyze/model/group_names.h"

int32_t fan_main_thread(const struct fan_model *m, int32_t proc)
{
	return fan_procs_at(m->threads, (size_t)proc)->main_thread;
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

/* Its cgroup, unless that is the root or of no account for the name. */
static const char *naming_cgroup(const struct fan_groups *g, size_t i)
{
	const char *path = g->items[i].cgroup;

	return (g->kind == FAN_GROUP_VM || g->kind == FAN_GROUP_CGROUP) && path &&
			       strcmp(path, "/") != 0
		       ? path
		       : NULL;
}

/* -name or cgroup; else the thread's name. */
static int name_group(struct fan_groups *g, const struct fan_model *m, size_t i,
		      struct fan_group_name *ret)
{
	const bool is_vm = g->kind == FAN_GROUP_VM;
	const char *name = is_vm || g->kind == FAN_GROUP_PROCESS ? given_name(m, g, i) : NULL;

	ret->index = i;
	ret->cgroup = name ? NULL : naming_cgroup(g, i);
	if (!name)
		name = fan_threads_at(m->threads, (size_t)g->items[i].lead)->comm;
	ret->name = ret->cgroup ? fan_cgroup_name(ret->cgroup, is_vm ? FAN_NAME_VM : FAN_NAME_SHORT)
				: strdup(*name ? name : "?");
	return ret->name ? 0 : -ENOMEM;
}

static int name_groups(struct fan_groups *g, const struct fan_model *m)
{
	struct fan_group_name *names = calloc(g->n + 1, sizeof(*names));
	int r = names ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < g->n; i++)
		r = name_group(g, m, i, &names[i]);
	if (r == 0)
		r = fan_group_names_settle(names, g->n);
	for (size_t i = 0; names && i < g->n; i++) {
		if (r == 0)
			g->items[names[i].index].name = names[i].name;
		else
			free(names[i].name);
	}
	free(names);
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

static void clear(struct fan_group *g)
{
	free(g->name);
	free(g->cgroup);
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
				clear(&g->items[i]);
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
	if (r < 0)
		return r;
	count_vcpus(g, m);
	r = fan_groups_find_cgroups(g, m);
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
		clear(&g->items[i]);
	free(g->items);
	free(g->of_account);
	free(g->passing);
	free(g);
}
