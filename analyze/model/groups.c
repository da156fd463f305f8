// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/vcpu_name.h"

static struct fan_thread *thread_at(const struct fan_model *m, size_t i)
{
	return fan_threads_at(m->threads, i);
}

static int32_t proc_of(const struct fan_model *m, size_t thread)
{
	return fan_procs_final(m->threads, thread_at(m, thread)->proc);
}

/* Names are the last resort: only where no event and no marker told of any vCPU. */
static void find_vcpus(struct fan_groups *g, const struct fan_model *m)
{
	const size_t n = fan_threads_count(m->threads);

	g->by_name = true;
	for (size_t i = 0; i < n; i++)
		g->by_name &= !thread_at(m, i)->is_vcpu;
	for (size_t i = 0; i < n; i++) {
		struct fan_thread *th = thread_at(m, i);
		const int id = fcap_vcpu_from_comm(th->comm);

		if (g->by_name && id >= 0)
			th->is_vcpu = true;
		if (th->is_vcpu && th->vcpu_id < 0)
			th->vcpu_id = id;
	}
}

/* The main thread of a process; the first that was seen where that is not known. */
static int32_t main_thread(const struct fan_model *m, int32_t proc)
{
	const struct fan_proc *p = fan_procs_at(m->threads, (size_t)proc);
	const int32_t i = p->tgid > 0 ? fan_threads_find(m->threads, p->tgid) : -1;

	return i >= 0 && proc_of(m, (size_t)i) == proc ? i : p->first_thread;
}

static int32_t add_group(struct fan_groups *g, const struct fan_model *m, int32_t lead)
{
	struct fan_group *grown = reallocarray(g->items, g->n + 1, sizeof(*grown));
	const struct fan_thread *th = thread_at(m, (size_t)lead);

	if (!grown)
		return -ENOMEM;
	g->items = grown;
	g->items[g->n] = (struct fan_group){
		.tgid = fan_procs_at(m->threads, (size_t)proc_of(m, (size_t)lead))->tgid,
		.lead = lead,
		.cgroup = fan_facts_task(m->facts, (size_t)lead)->cgroup,
		.birth_ns = th->birth_ns,
	};
	return (int32_t)g->n++;
}

/* The thread that forked this one, if it was seen and lives in the table; -1. */
static int32_t forker(const struct fan_model *m, const struct fan_thread *th)
{
	return th->parent_tid > 0 && th->parent_tid < FAN_TID_MAX
		       ? fan_threads_find(m->threads, th->parent_tid)
		       : -1;
}

/* Is it known which threads are of this process? Its tgid or the file's GUEST option tell. */
static bool is_told(const struct fan_model *m, int32_t proc)
{
	if (fan_procs_at(m->threads, (size_t)proc)->tgid >= 0)
		return true;
	for (size_t i = 0; i < m->facts->ngroups; i++) {
		const int32_t thread = m->facts->groups[i].thread;

		if (thread >= 0 && proc_of(m, (size_t)thread) == proc)
			return true;
	}
	return false;
}

/*
 * The VM of one vCPU thread. Its thread group if that is known, else it goes with the thread
 * that forked it: vCPU threads of one VM are made by one thread, of the same process.
 */
static int join_vm(struct fan_groups *g, const struct fan_model *m, size_t i)
{
	const struct fan_thread *th = thread_at(m, i);
	const int32_t own = proc_of(m, i);
	const bool is_known = is_told(m, own);
	const int32_t parent = is_known ? -1 : forker(m, th);
	const int32_t home = parent >= 0 ? proc_of(m, (size_t)parent) : own;
	int32_t group = g->of_proc[home];

	if (group < 0) {
		group = add_group(g, m, parent >= 0 ? parent : main_thread(m, own));
		if (group < 0)
			return group;
		g->items[group].is_identity_unknown = !is_known && parent < 0;
		g->items[group].cgroup = fan_facts_task(m->facts, i)->cgroup;
		g->of_proc[home] = group;
	}
	g->of_proc[own] = group;
	return 0;
}

/* Kernel threads that work for a VM say so in their name. */
static void join_vhost(struct fan_groups *g, const struct fan_model *m)
{
	int tgid;
	char rest;

	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		if (sscanf(thread_at(m, i)->comm, "vhost-%d%c", &tgid, &rest) != 1)
			continue;
		for (size_t k = 0; k < g->n; k++)
			if (g->items[k].tgid == tgid && g->of_proc[proc_of(m, i)] < 0)
				g->of_proc[proc_of(m, i)] = (int32_t)k;
	}
}

static int make_vms(struct fan_groups *g, const struct fan_model *m)
{
	int r = 0;

	find_vcpus(g, m);
	for (size_t i = 0; r == 0 && i < fan_threads_count(m->threads); i++)
		if (thread_at(m, i)->is_vcpu)
			r = join_vm(g, m, i);
	join_vhost(g, m);
	return r;
}

static int make_processes(struct fan_groups *g, const struct fan_model *m)
{
	bool has_samples = false;

	for (size_t i = 0; i < fan_threads_count(m->threads); i++)
		has_samples |= fan_facts_task(m->facts, i)->is_sampled;
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const int32_t proc = proc_of(m, i);
		int32_t group;

		if (g->of_proc[proc] >= 0 || thread_at(m, i)->run_ns == 0 ||
		    (has_samples && !fan_facts_task(m->facts, i)->is_sampled))
			continue;
		group = add_group(g, m, main_thread(m, proc));
		if (group < 0)
			return group;
		g->of_proc[proc] = group;
	}
	return 0;
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
		    g->of_proc[proc_of(m, (size_t)fact->thread)] == (int32_t)group)
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
	const char *name = given_name(m, g, i);

	if (!name && g->kind == FAN_GROUP_VM)
		name = cgroup_leaf(m, group);
	if (!name)
		name = thread_at(m, (size_t)group->lead)->comm;
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

/* Orders groups by birth; of_proc follows. */
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
		for (size_t p = 0; p < g->nprocs; p++)
			if (g->of_proc[p] >= 0)
				g->of_proc[p] = to[g->of_proc[p]];
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
		const uint64_t life = fan_thread_life_ns(thread_at(m, i), m->end_ns);

		if (group >= 0 && thread_at(m, i)->is_vcpu && life > g->items[group].life_ns)
			g->items[group].life_ns = life;
	}
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const int32_t group = fan_groups_of(g, m, i);

		if (group >= 0 && fan_group_has_vcpu(&g->items[group], thread_at(m, i), m->end_ns))
			g->items[group].vcpus++;
	}
}

int fan_groups_make(struct fan_groups **ret, struct fan_model *m, enum fan_group_kind kind)
{
	struct fan_groups *g = calloc(1, sizeof(*g));
	int r = -ENOMEM;

	if (!g)
		return -ENOMEM;
	g->kind = kind;
	g->nprocs = fan_procs_count(m->threads);
	g->of_proc = malloc((g->nprocs + 1) * sizeof(*g->of_proc));
	if (!g->of_proc)
		goto fail;
	for (size_t i = 0; i < g->nprocs; i++)
		g->of_proc[i] = -1;
	r = kind == FAN_GROUP_VM ? make_vms(g, m) : make_processes(g, m);
	if (r == 0)
		r = sort_groups(g);
	if (r == 0)
		r = name_groups(g, m);
	if (r < 0)
		goto fail;
	/* time was booked to processes before it was known that they are one */
	for (size_t i = 0; i < g->nprocs; i++)
		g->of_proc[i] = g->of_proc[fan_procs_final(m->threads, (int32_t)i)];
	count_vcpus(g, m);
	*ret = g;
	return 0;
fail:
	fan_groups_free(g);
	return r;
}

int32_t fan_groups_of(const struct fan_groups *g, const struct fan_model *m, size_t thread)
{
	return g->of_proc[thread_at(m, thread)->proc];
}

void fan_groups_free(struct fan_groups *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++)
		free(g->items[i].name);
	free(g->items);
	free(g->of_proc);
	free(g);
}
