// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/threads.h"
#include "analyze/model/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fcap/vcpu_name.h"

/* NULL: no memory. Not calloc(), which may clear what it has got back, and so touch all of it. */
static void *map_open(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	/* for a few tids here and there small pages are enough, if the system knows others */
	madvise(p, bytes, MADV_NOHUGEPAGE);
	return p;
}

struct fan_threads *fan_threads_new(void)
{
	struct fan_threads *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->by_tid = map_open(FAN_TID_MAX * sizeof(struct fan_thread *));
	t->by_tgid = map_open(FAN_TID_MAX * sizeof(*t->by_tgid));
	if (!t->by_tid || !t->by_tgid) {
		fan_threads_free(t);
		return NULL;
	}
	return t;
}

void fan_threads_free(struct fan_threads *t)
{
	if (!t)
		return;
	if (t->by_tid)
		munmap(t->by_tid, FAN_TID_MAX * sizeof(struct fan_thread *));
	if (t->by_tgid)
		munmap(t->by_tgid, FAN_TID_MAX * sizeof(*t->by_tgid));
	for (size_t i = 0; i < t->nthreads; i++) {
		fan_hist_free(&t->threads[i]->waits);
		free(t->threads[i]->vcpu);
		free(t->threads[i]);
	}
	free(t->threads);
	free(t->procs);
	free(t->accounts);
	free(t->apart);
	free(t);
}

void fan_thread_name(struct fan_thread *th, const char *comm, size_t n)
{
	const size_t room = sizeof(th->comm) - 1;

	memset(th->comm, 0, sizeof(th->comm));
	memcpy(th->comm, comm, strnlen(comm, n < room ? n : room));
	th->has_vcpu_name = fcap_vcpu_from_comm(th->comm) >= 0;
}

size_t fan_procs_count(const struct fan_threads *t)
{
	return t->nprocs;
}

struct fan_proc *fan_procs_at(const struct fan_threads *t, size_t i)
{
	return &t->procs[i];
}

static int32_t add_proc(struct fan_threads *t, int32_t thread, uint64_t now_ns)
{
	void *items = t->procs;

	if (fan_reserve(&items, t->nprocs, 1, &t->procs_room, sizeof(*t->procs)) < 0)
		return -ENOMEM;
	t->procs = items;
	t->procs[t->nprocs] = (struct fan_proc){ .tgid = -1,
						 .merged_into = -1,
						 .main_thread = thread,
						 .first_account = -1,
						 .birth_ns = now_ns };
	return (int32_t)t->nprocs++;
}

size_t fan_accounts_count(const struct fan_threads *t)
{
	return t->naccounts;
}

const struct fan_account *fan_accounts_at(const struct fan_threads *t, size_t i)
{
	return &t->accounts[i];
}

int fan_threads_keep_apart(struct fan_threads *t, const int32_t *tids, size_t n)
{
	int32_t *copy = n ? malloc(n * sizeof(*copy)) : NULL;

	if (n && !copy)
		return -ENOMEM;
	if (n)
		memcpy(copy, tids, n * sizeof(*copy));
	free(t->apart);
	t->apart = copy;
	t->napart = n;
	return 0;
}

static bool is_apart(const struct fan_threads *t, int32_t tid)
{
	for (size_t i = 0; i < t->napart; i++)
		if (t->apart[i] == tid)
			return true;
	return false;
}

int fan_threads_enter(struct fan_threads *t, int32_t thread, struct fan_place place)
{
	struct fan_thread *th = t->threads[thread];
	struct fan_proc *proc = &t->procs[fan_procs_final(t, th->proc)];
	const int32_t tid = is_apart(t, th->tid) ? th->tid : -1;
	void *items = t->accounts;

	for (int32_t i = proc->first_account; i >= 0; i = t->accounts[i].next) {
		if (fan_place_equal(&t->accounts[i].place, &place) && t->accounts[i].tid == tid) {
			th->account = i;
			return 0;
		}
	}
	if (fan_reserve(&items, t->naccounts, 1, &t->accounts_room, sizeof(*t->accounts)) < 0)
		return -ENOMEM;
	t->accounts = items;
	t->accounts[t->naccounts] = (struct fan_account){ (int32_t)(proc - t->procs), place, tid,
							  proc->first_account };
	proc->first_account = th->account = (int32_t)t->naccounts++;
	return 0;
}

static bool is_living(const struct fan_thread *th)
{
	return th->state != FAN_ST_DEAD && !th->is_exiting;
}

/* The one that stands for it is nearly always among them. */
static bool has_living_thread(const struct fan_threads *t, int32_t proc)
{
	if (is_living(t->threads[t->procs[proc].main_thread]))
		return true;
	for (size_t i = 0; i < t->nthreads; i++)
		if (is_living(t->threads[i]) && fan_threads_proc(t, i) == proc)
			return true;
	return false;
}

/*
 * The process whose main thread has this tid and was never seen, or -1. Once all of its threads are
 * gone the tid may be anybody's.
 */
static int32_t proc_led_by(const struct fan_threads *t, int32_t tid)
{
	const uint32_t known = t->by_tid[tid] ? 0 : t->by_tgid[tid];
	const int32_t proc = known ? fan_procs_final(t, (int32_t)known - 1) : -1;

	return proc >= 0 && t->procs[proc].tgid == tid && has_living_thread(t, proc) ? proc : -1;
}

int32_t fan_threads_add(struct fan_threads *t, int32_t tid, uint64_t now_ns)
{
	int32_t proc = proc_led_by(t, tid);
	void *items = t->threads;
	const int32_t i = (int32_t)t->nthreads;
	struct fan_thread *th;

	if (fan_reserve(&items, t->nthreads, 1, &t->threads_room, sizeof(*t->threads)) < 0)
		return -ENOMEM;
	t->threads = items;
	th = malloc(sizeof(*th));
	if (!th)
		return -ENOMEM;
	if (proc >= 0)
		t->procs[proc].main_thread = i;
	else
		proc = add_proc(t, i, now_ns);
	if (proc < 0) {
		free(th);
		return -ENOMEM;
	}
	*th = (struct fan_thread){
		.since_ns = now_ns,
		.index = i,
		.tid = tid,
		.cpu = -1,
		.run_cpu = -1,
		.listed_cpu = -1,
		.birth_ns = now_ns,
		.parent_tid = -1,
		.proc = proc,
		.vcpu_id = -1,
		.prio = FAN_PRIO_UNTOLD,
		.first_run_ns = UINT64_MAX,
	};
	t->threads[t->nthreads++] = t->by_tid[tid] = th;
	return fan_threads_enter(t, i, fan_nowhere) < 0 ? -ENOMEM : i;
}

int32_t fan_threads_bear(struct fan_threads *t, int32_t tid, uint64_t now_ns)
{
	/* not to be written to without need: see struct fan_tid_map */
	if (t->by_tgid[tid])
		t->by_tgid[tid] = 0;
	return fan_threads_add(t, tid, now_ns);
}

static int join_tgid(struct fan_threads *t, int32_t thread, int32_t tgid, bool is_new)
{
	struct fan_thread *th = t->threads[thread];
	struct fan_proc *own = &t->procs[fan_procs_final(t, th->proc)];
	const uint32_t known = is_new ? 0 : t->by_tgid[tgid];
	int32_t target;

	if (own->tgid == tgid)
		return 0;
	/* a process has one tgid for life: what contradicts an earlier word is ignored */
	if (own->tgid != -1)
		return 0;
	t->regrouped++;
	if (!known) {
		own->tgid = tgid;
		t->by_tgid[tgid] = (uint32_t)(own - t->procs) + 1;
		return 0;
	}
	target = fan_procs_final(t, (int32_t)known - 1);
	if (target != own - t->procs)
		own->merged_into = target;
	th->proc = target;
	return 0;
}

/*
 * The number of a process is that of its main thread, which keeps it for as long as any thread
 * lives: whoever has it and is of no known process is of this one.
 */
static void find_main(struct fan_threads *t, int32_t thread, int32_t tgid)
{
	const int32_t own = fan_procs_final(t, t->threads[thread]->proc);
	const int32_t main = t->threads[thread]->tid == tgid ? thread : fan_threads_find(t, tgid);
	int32_t other;

	if (t->procs[own].tgid != tgid || main < 0)
		return;
	other = fan_procs_final(t, t->threads[main]->proc);
	if (other != own) {
		if (t->procs[other].tgid >= 0 || t->threads[main]->state == FAN_ST_DEAD)
			return;
		t->regrouped++;
		t->procs[other].merged_into = own;
	}
	t->procs[own].main_thread = main;
}

int fan_threads_set_tgid(struct fan_threads *t, int32_t thread, int32_t tgid, bool is_new)
{
	const int r = join_tgid(t, thread, tgid, is_new);

	if (r == 0)
		find_main(t, thread, tgid);
	return r;
}

void fan_threads_join(struct fan_threads *t, int32_t thread, int32_t other)
{
	const int32_t own = fan_procs_final(t, t->threads[thread]->proc);
	const int32_t target = fan_procs_final(t, t->threads[other]->proc);

	if (own == target)
		return;
	t->regrouped++;
	/* the side that has a tgid keeps it */
	if (t->procs[target].tgid < 0 && t->procs[own].tgid >= 0) {
		t->procs[target].merged_into = own;
		t->threads[other]->proc = own;
		return;
	}
	t->procs[own].merged_into = target;
	t->threads[thread]->proc = target;
}

uint64_t fan_threads_regrouped(const struct fan_threads *t)
{
	return t->regrouped;
}

int32_t fan_procs_final(const struct fan_threads *t, int32_t proc)
{
	while (t->procs[proc].merged_into >= 0)
		proc = t->procs[proc].merged_into;
	return proc;
}

int32_t fan_threads_proc(const struct fan_threads *t, size_t thread)
{
	return fan_procs_final(t, t->threads[thread]->proc);
}
