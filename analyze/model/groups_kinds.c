// SPDX-License-Identifier: GPL-3.0-or-later
/* What makes a group: a VM's vCPUs, a process, a name, a cgroup, or what the user asked for. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/cgroup_path.h"
#include "analyze/model/groups.h"
#include "analyze/model/parties.h"
#include "fcap/vcpu_name.h"

static int32_t account_proc(const struct fan_model *m, size_t account)
{
	return fan_procs_final(m->threads, fan_accounts_at(m->threads, account)->proc);
}

/* One group index a process or cgroup, -1 at first; NULL without memory. */
static int32_t *new_indices(size_t n)
{
	int32_t *index = malloc((n + 1) * sizeof(*index));

	for (size_t i = 0; index && i < n; i++)
		index[i] = -1;
	return index;
}

static void fold_procs(struct fan_groups *g, const struct fan_model *m, const int32_t *of_proc)
{
	for (size_t i = 0; i < g->naccounts; i++)
		g->of_account[i] = of_proc[account_proc(m, i)];
}

/* Names are the last resort: only where no event and no marker told of any vCPU. */
static void find_vcpus(struct fan_groups *g, struct fan_model *m)
{
	const size_t n = fan_threads_count(m->threads);

	bool is_told = false;

	for (size_t i = 0; i < n; i++)
		is_told |= fan_threads_at(m->threads, i)->is_vcpu;
	/* groups may be made again of threads that the first time has marked */
	m->are_vcpus_named |= !is_told;
	g->by_name = m->are_vcpus_named;
	for (size_t i = 0; i < n; i++) {
		struct fan_thread *th = fan_threads_at(m->threads, i);
		const int id = fcap_vcpu_from_comm(th->comm);

		if (g->by_name && id >= 0)
			th->is_vcpu = true;
		if (th->is_vcpu && th->vcpu_id < 0)
			th->vcpu_id = id;
	}
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

		if (thread >= 0 && fan_threads_proc(m->threads, (size_t)thread) == proc)
			return true;
	}
	return false;
}

/*
 * The VM of one vCPU thread. Its thread group if that is known, else it goes with the thread
 * that forked it: vCPU threads of one VM are made by one thread, of the same process.
 */
static int join_vm(struct fan_groups *g, const struct fan_model *m, int32_t *of_proc, size_t i)
{
	const struct fan_thread *th = fan_threads_at(m->threads, i);
	const int32_t own = fan_threads_proc(m->threads, i);
	const bool is_known = is_told(m, own);
	const int32_t parent = is_known ? -1 : forker(m, th);
	const int32_t home = parent >= 0 ? fan_threads_proc(m->threads, (size_t)parent) : own;
	int32_t group = of_proc[home];

	if (group < 0) {
		group = fan_groups_add(g, m, parent >= 0 ? parent : fan_main_thread(m, own));
		if (group < 0)
			return group;
		g->items[group].is_identity_unknown = !is_known && parent < 0;
		of_proc[home] = group;
	}
	of_proc[own] = group;
	return 0;
}

/*
 * Kernel threads that work for a VM say so in their name: that of its process, or of the thread of
 * it that opened the device.
 */
static void join_vhost(const struct fan_groups *g, const struct fan_model *m, int32_t *of_proc)
{
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const int32_t tid = fan_vhost_tgid(fan_threads_at(m->threads, i)->comm);
		const int32_t opener = tid > 0 ? fan_threads_find(m->threads, tid) : -1;
		const int32_t own = fan_threads_proc(m->threads, i);

		if (tid <= 0 || of_proc[own] >= 0)
			continue;
		for (size_t k = 0; k < g->n; k++)
			if (g->items[k].tgid == tid)
				of_proc[own] = (int32_t)k;
		if (of_proc[own] < 0 && opener >= 0)
			of_proc[own] = of_proc[fan_threads_proc(m->threads, (size_t)opener)];
	}
}

static int make_vms(struct fan_groups *g, struct fan_model *m, int32_t *of_proc)
{
	int r = 0;

	find_vcpus(g, m);
	for (size_t i = 0; r == 0 && i < fan_threads_count(m->threads); i++)
		if (fan_threads_at(m->threads, i)->is_vcpu)
			r = join_vm(g, m, of_proc, i);
	join_vhost(g, m, of_proc);
	return r;
}

/* The recorder samples what belongs to the command: others are none of the report's business. */
static bool has_samples(const struct fan_model *m)
{
	for (size_t i = 0; i < fan_threads_count(m->threads); i++)
		if (fan_facts_task(m->facts, i)->is_sampled)
			return true;
	return false;
}

static bool is_wanted(const struct fan_model *m, size_t thread, bool only_sampled)
{
	return fan_threads_at(m->threads, thread)->run_ns > 0 &&
	       (!only_sampled || fan_facts_task(m->facts, thread)->is_sampled);
}

/* The group whose lead bears this name, or -1. */
static int32_t group_by_comm(const struct fan_groups *g, const struct fan_model *m,
			     const char *comm)
{
	for (size_t i = 0; i < g->n; i++)
		if (strcmp(fan_threads_at(m->threads, (size_t)g->items[i].lead)->comm, comm) == 0)
			return (int32_t)i;
	return -1;
}

/* A group a process, or a group of all processes whose main threads have the same name. */
static int make_processes(struct fan_groups *g, const struct fan_model *m, int32_t *of_proc)
{
	const bool only_sampled = has_samples(m);

	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const int32_t proc = fan_threads_proc(m->threads, i);
		const int32_t lead = fan_main_thread(m, proc);
		int32_t group = -1;

		if (of_proc[proc] >= 0 || !is_wanted(m, i, only_sampled))
			continue;
		if (g->kind == FAN_GROUP_COMM)
			group = group_by_comm(g, m, fan_threads_at(m->threads, (size_t)lead)->comm);
		if (group < 0)
			group = fan_groups_add(g, m, lead);
		if (group < 0)
			return group;
		of_proc[proc] = group;
	}
	return 0;
}

/* The cgroup of an account; where it was not told at the time, that of the main thread. */
static int32_t account_cgroup(const struct fan_model *m, size_t account)
{
	const int32_t told = fan_accounts_at(m->threads, account)->place.cgroup;
	const int32_t lead = fan_main_thread(m, account_proc(m, account));
	const int32_t main = fan_threads_at(m->threads, (size_t)lead)->account;

	return told >= 0 ? told : fan_accounts_at(m->threads, (size_t)main)->place.cgroup;
}

/* The group of a cgroup, made of this thread if it is new; -ENOMEM. */
static int32_t reach_cgroup_group(struct fan_groups *g, const struct fan_model *m,
				  int32_t *of_cgroup, int32_t cgroup, int32_t lead)
{
	int32_t group = of_cgroup[cgroup];

	if (group >= 0)
		return group;
	group = fan_groups_add(g, m, lead);
	if (group < 0)
		return group;
	of_cgroup[cgroup] = group;
	g->items[group].cgroup = strdup(m->facts->cgroups[cgroup].path);
	return g->items[group].cgroup ? group : -ENOMEM;
}

/* By process: does any of its threads belong into the report? NULL without memory. */
static bool *find_wanted(const struct fan_model *m)
{
	const bool only_sampled = has_samples(m);
	bool *wanted = calloc(fan_procs_count(m->threads) + 1, sizeof(*wanted));

	for (size_t i = 0; wanted && i < fan_threads_count(m->threads); i++)
		wanted[fan_threads_proc(m->threads, i)] |= is_wanted(m, i, only_sampled);
	return wanted;
}

static bool has_time(const struct fan_model *m, size_t account)
{
	const struct fan_cell sum = fan_series_sum(m->series, fan_model_row((int32_t)account), 0,
						   UINT64_MAX);

	return sum.run_ns + sum.wait_ns > 0;
}

/* The root is no competitor: its threads stand beside its cgroups one by one. */
static int make_cgroups(struct fan_groups *g, const struct fan_model *m)
{
	bool *wanted = find_wanted(m);
	int32_t *of_cgroup = new_indices(m->facts->ncgroups);
	int r = wanted && of_cgroup ? 0 : -ENOMEM;

	for (size_t a = 0; r == 0 && a < g->naccounts; a++) {
		const int32_t proc = account_proc(m, a), cgroup = account_cgroup(m, a);

		if (cgroup < 0 || strcmp(m->facts->cgroups[cgroup].path, "/") == 0 ||
		    !wanted[proc] || !has_time(m, a))
			continue;
		g->of_account[a] = reach_cgroup_group(g, m, of_cgroup, cgroup,
						      fan_main_thread(m, proc));
		if (g->of_account[a] < 0)
			r = -ENOMEM;
	}
	free(of_cgroup);
	free(wanted);
	return r;
}

int fan_groups_of_kind(struct fan_groups *g, struct fan_model *m)
{
	int32_t *of_proc;
	int r;

	if (g->kind == FAN_GROUP_CGROUP)
		return make_cgroups(g, m);
	of_proc = new_indices(fan_procs_count(m->threads));
	if (!of_proc)
		return -ENOMEM;
	r = g->kind == FAN_GROUP_VM ? make_vms(g, m, of_proc) : make_processes(g, m, of_proc);
	if (r == 0)
		fold_procs(g, m, of_proc);
	free(of_proc);
	return r;
}

static bool has_comm(const struct fan_model *m, int32_t proc, const char *pattern)
{
	for (size_t i = 0; i < fan_threads_count(m->threads); i++)
		if (fan_threads_proc(m->threads, i) == proc &&
		    fnmatch(pattern, fan_threads_at(m->threads, i)->comm, 0) == 0)
			return true;
	return false;
}

static bool is_selected(const struct fan_model *m, const struct fcap_selector *s, size_t account)
{
	const struct fan_account *a = fan_accounts_at(m->threads, account);
	const int32_t proc = account_proc(m, account);
	int32_t cgroup;

	switch (s->kind) {
	case FCAP_SEL_TGID:
		return fan_procs_at(m->threads, (size_t)proc)->tgid == s->tids[0];
	case FCAP_SEL_TIDS:
		for (size_t i = 0; i < s->n; i++)
			if (a->tid == s->tids[i])
				return true;
		return false;
	case FCAP_SEL_CGROUP:
		cgroup = account_cgroup(m, account);
		return cgroup >= 0 && fan_cgroup_is_below(m->facts->cgroups[cgroup].path, s->text);
	case FCAP_SEL_COMM:
		return has_comm(m, proc, s->text);
	}
	return false;
}

/* Some thread of this account, or of its process, to stand for it. */
static int32_t some_thread(const struct fan_model *m, size_t account)
{
	for (size_t i = 0; i < fan_threads_count(m->threads); i++)
		if (fan_threads_at(m->threads, i)->account == (int32_t)account)
			return (int32_t)i;
	return fan_main_thread(m, account_proc(m, account));
}

static int make_request(struct fan_groups *g, const struct fan_model *m,
			const struct fan_vm_request *request, struct fcap_err *err)
{
	int32_t group = -1;
	bool is_taken = false;

	for (size_t a = 0; a < g->naccounts; a++) {
		if (!is_selected(m, &request->selector, a))
			continue;
		if (g->of_account[a] >= 0) {
			is_taken = true;
			continue;
		}
		if (group < 0)
			group = fan_groups_add(g, m, some_thread(m, a));
		if (group < 0)
			return -ENOMEM;
		g->of_account[a] = group;
	}
	if (group < 0)
		return fcap_fail(err, EINVAL,
				 is_taken ? "--vm %s: all that it means is in an earlier --vm"
					  : "--vm %s: no thread of the trace is meant by it",
				 request->name);
	g->items[group].name = strdup(request->name);
	return g->items[group].name ? 0 : -ENOMEM;
}

int fan_groups_of_requests(struct fan_groups *g, struct fan_model *m,
			   const struct fan_group_options *options, struct fcap_err *err)
{
	int r = 0;

	find_vcpus(g, m);
	for (size_t i = 0; i < options->nvms; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(options->vms[i].name, options->vms[k].name) == 0)
				return fcap_fail(err, EINVAL, "--vm %s: given twice",
						 options->vms[i].name);
	for (size_t i = 0; r == 0 && i < options->nvms; i++)
		r = make_request(g, m, &options->vms[i], err);
	return r;
}
