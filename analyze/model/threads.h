/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All threads and processes that a trace has shown. A thread is one life of a tid: a tid that is
 * used again is a new thread. Indices and pointers stay valid.
 */
#ifndef FAN_MODEL_THREADS_H
#define FAN_MODEL_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/hist.h"
#include "analyze/trace/event.h"

#define FAN_TID_MAX (1 << 22) /* PID_MAX_LIMIT of 64-bit kernels */

enum fan_state {
	FAN_ST_UNSEEN,	/* nothing known yet: time counts as unknown */
	FAN_ST_NEW,	/* forked, not yet woken: counts as blocked */
	FAN_ST_RUN,	/* on a CPU */
	FAN_ST_WAIT,	/* runnable, not on a CPU */
	FAN_ST_BLOCKED, /* asleep */
	FAN_ST_UNKNOWN, /* after a gap or loss, until its next event */
	FAN_ST_DEAD,	/* exited and switched out: time no longer counts */
};

/* How well the end of a span is known. */
enum fan_edge {
	FAN_EDGE_SEEN,	   /* an event at that time tells it */
	FAN_EDGE_INFERRED, /* concluded from another event: a sleep that had been a wait */
	FAN_EDGE_UNKNOWN,  /* beyond the edge of what was seen: of the trace, a gap or a loss */
	FAN_EDGE_CUT,	   /* the same state goes on in the next span, or did in the last one */
};

/* In the order of how often members are needed: the first half at every switch. */
struct fan_thread {
	uint64_t since_ns;    /* of the state */
	uint64_t queued_ns;   /* FAN_ST_WAIT: since when in this CPU's queue */
	uint64_t waited_from; /* FAN_ST_WAIT: when the whole wait began, queues changed or not */
	int32_t tid;
	int32_t index;	    /* its own */
	int32_t cpu;	    /* of its run or queue, last seen; -1 unknown */
	int32_t run_cpu;    /* where it last ran; -1: nowhere yet */
	int32_t listed_cpu; /* the list of waiters that it is on: see occupancy.h; -1: none */
	int32_t account;    /* what its time is booked to from now on */
	int32_t prio;	    /* the kernel's, at its last switch: see event.h */
	enum fan_state state;
	enum fan_edge begin; /* of the state */
	bool is_exiting;
	bool is_own;	       /* its events are complete where others' are not: see machine.h */
	bool is_vcpu;	       /* by an event, a marker or the file's GUEST option */
	bool has_vcpu_name;    /* comm is the name of one */
	struct fan_vcpu *vcpu; /* owned; NULL: it has made no kvm event */
	char comm[16];
	/* sums; wait_ns has whole waits, stale_ns the time between a switch-out as sleeping
	 * and a switch-in without a wake-up event */
	uint64_t run_ns, wait_ns, blocked_ns;
	/* for comparison with schedstat: what is complete at the last arrival (or migration) */
	uint64_t arrived_wait_ns, arrivals;
	uint64_t first_run_ns, last_run_ns; /* UINT64_MAX, 0: never ran */
	uint64_t max_wait_ns;		    /* the longest whole wait that is known */
	struct fan_hist waits;		    /* lengths of its whole waits */
	uint64_t waking_ns;		    /* a wake-up was asked for during this sleep; 0: not */
	uint64_t lost_from_ns;	 /* begin of the first loss in this sleep; UINT64_MAX: none */
	uint64_t max_wait_at_ns; /* begin of that of max_wait_ns */
	uint64_t stale_ns, unknown_ns;
	uint64_t inferred_ns; /* of wait_ns and stale_ns: spans whose begin is inferred */
	uint64_t stale_at_ns; /* it last got onto a CPU without a wake-up at this time; 0: never */
	uint64_t breaks;      /* times a gap or loss made it unknown */
	uint64_t migrations;
	uint64_t birth_ns;  /* first event, or fork */
	int32_t parent_tid; /* who forked it; -1 unknown */
	int32_t proc;	    /* index of its process */
	int32_t vcpu_id;    /* -1: unknown */
};

/* From its birth (or the start of the trace) to its death (or the end, now_ns). */
static inline uint64_t fan_thread_life_ns(const struct fan_thread *th, uint64_t now_ns)
{
	return (th->state == FAN_ST_DEAD ? th->since_ns : now_ns) - th->birth_ns;
}

/* A thread group, or a lone thread whose thread group is not known (tgid -1). */
struct fan_proc {
	int32_t tgid;
	int32_t merged_into;   /* -1, or the process that turned out to be the same */
	int32_t main_thread;   /* the first that was seen, until the main thread is known */
	int32_t first_account; /* -1: none yet */
	uint64_t birth_ns;
};

#define FAN_NICE_UNTOLD INT32_MIN

/* Where a thread competes for the CPU, as told at the time; indices of the facts, -1: not told. */
struct fan_place {
	int32_t cgroup, affinity;
	int32_t autogroup; /* number; -1: none or not told */
	int32_t nice;	   /* or as policy.h has it; FAN_NICE_UNTOLD: not told */
};

/*
 * What time is booked to while the trace is read: the threads of a process in one place. A thread
 * that moves to another one changes its account; threads that were asked to be kept apart have
 * accounts of their own.
 */
struct fan_account {
	int32_t proc;
	struct fan_place place;
	int32_t tid;  /* of a thread with an account of its own; -1: shared by the process */
	int32_t next; /* of the same process; -1 */
};

/* Of a thread of which nothing is told. */
static const struct fan_place fan_nowhere = { -1, -1, -1, FAN_NICE_UNTOLD };

static inline bool fan_place_equal(const struct fan_place *a, const struct fan_place *b)
{
	return a->cgroup == b->cgroup && a->affinity == b->affinity &&
	       a->autogroup == b->autogroup && a->nice == b->nice;
}

/* Members are for threads.c and the functions below that every event needs many times. */
struct fan_threads {
	struct fan_thread **threads;
	size_t nthreads, threads_room;
	struct fan_proc *procs;
	size_t nprocs, procs_room;
	struct fan_account *accounts;
	size_t naccounts, accounts_room;
	int32_t *apart; /* tids with accounts of their own */
	size_t napart;
	uint64_t regrouped;
	/* of FAN_TID_MAX each, of which only the pages that were written to take memory */
	struct fan_thread **by_tid;
	uint32_t *by_tgid; /* index + 1; 0: none */
};

struct fan_threads *fan_threads_new(void); /* NULL: no memory */
void fan_threads_free(struct fan_threads *t);

static inline size_t fan_threads_count(const struct fan_threads *t)
{
	return t->nthreads;
}

static inline struct fan_thread *fan_threads_at(const struct fan_threads *t, size_t i)
{
	return t->threads[i];
}

/* Its name from now on: n bytes, or up to a 0; what has no room is cut off. */
void fan_thread_name(struct fan_thread *th, const char *comm, size_t n);

size_t fan_procs_count(const struct fan_threads *t);
struct fan_proc *fan_procs_at(const struct fan_threads *t, size_t i);

size_t fan_accounts_count(const struct fan_threads *t);
const struct fan_account *fan_accounts_at(const struct fan_threads *t, size_t i);

/* Threads with these tids get accounts of their own; before the first is added. -ENOMEM. */
int fan_threads_keep_apart(struct fan_threads *t, const int32_t *tids, size_t n);

/* From now on the thread's time goes to its process in this place. 0 or -ENOMEM. */
int fan_threads_enter(struct fan_threads *t, int32_t thread, struct fan_place place);

/* Can a thread have this tid? */
static inline bool fan_is_tid(int32_t tid)
{
	return (uint32_t)tid - 1 < FAN_TID_MAX - 1;
}

/* The living (or last) thread with this tid, or NULL; also if no thread can have it. */
static inline struct fan_thread *fan_threads_of_tid(const struct fan_threads *t, int32_t tid)
{
	return (uint32_t)tid < FAN_TID_MAX ? t->by_tid[tid] : NULL;
}

/* Its index, or -1. */
static inline int32_t fan_threads_find(const struct fan_threads *t, int32_t tid)
{
	const struct fan_thread *th = fan_threads_of_tid(t, tid);

	return th ? th->index : -1;
}

/*
 * Adds a thread (which takes the tid over from an earlier life) in a process of its own with
 * unknown tgid; or, if this tid was never seen and is the tgid of a process of which a thread
 * lives, as the main thread of that. Returns its index or -ENOMEM.
 */
int32_t fan_threads_add(struct fan_threads *t, int32_t tid, uint64_t now_ns);

/*
 * The same of a thread that has just been forked: a process with this tgid, had there been one, is
 * gone, and who is said to be of it from now on is of another.
 */
int32_t fan_threads_bear(struct fan_threads *t, int32_t tid, uint64_t now_ns);

/*
 * Says that the thread belongs to thread group tgid, as of now: joins the living process with
 * that tgid, or names the thread's own process. is_new: the process has just been forked, an
 * older one with the same tgid is another. The thread with this tid comes along if nothing is known
 * of its process. 0 or -ENOMEM.
 */
int fan_threads_set_tgid(struct fan_threads *t, int32_t thread, int32_t tgid, bool is_new);

/* Says that both threads are of one process, whatever its tgid. */
void fan_threads_join(struct fan_threads *t, int32_t thread, int32_t other);

/* How often it has become known that a thread is of another process than thought, or of which. */
uint64_t fan_threads_regrouped(const struct fan_threads *t);

/* Follows merged_into to the end. */
int32_t fan_procs_final(const struct fan_threads *t, int32_t proc);

/* The process of a thread, as far as is known by now. */
int32_t fan_threads_proc(const struct fan_threads *t, size_t thread);

#endif
