/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inner half of the machine: who occupies each CPU, the booking of time to states, and what
 * becomes unknown at gaps and losses. For the machine's own files: machine.c, occupancy.c, gaps.c,
 * lives.c, queue.c and scope.c.
 */
#ifndef FAN_MODEL_OCCUPANCY_H
#define FAN_MODEL_OCCUPANCY_H

#include <string.h>

#include "analyze/model/machine.h"

#define FAN_TID_NONE INT64_MIN

struct fan_cpu_now {
	struct fan_thread *thread; /* that it runs; NULL: see cur */
	int32_t cur;		   /* its index, FAN_CPU_IDLE or FAN_CPU_UNKNOWN */
	int32_t number;		   /* its own */
	int64_t cur_tid;     /* of cur, 0: idle; FAN_TID_NONE: unknown, as before its first event */
	uint64_t since;	     /* of idle or unknown */
	uint64_t last;	     /* its last event */
	enum fan_edge begin; /* of idle or unknown */
	bool is_started;
	bool is_idle; /* the CPU is seen to be idle: cur is 0 before its first event */
	/* threads that wait for it, among others that have done so: who joins again is still there
	 */
	int32_t *listed;
	uint32_t nlisted, listed_room;
};

struct fan_machine {
	struct fan_threads *threads;
	/* who is told of spans of threads that run, and that wait; NULL: as of all others */
	fan_stay_fn run, wait;
	fan_span_fn nobody; /* of CPUs that no thread has */
	fan_span_fn other;  /* of threads otherwise; NULL: nobody is */
	void *ctx;
	fan_cpu_fn cpu_changed; /* NULL: nobody asks */
	fan_kvm_fn kvm_seen;	/* NULL: nobody asks */
	void *cpu_ctx;
	const struct fan_watch *watch;	  /* NULL: nobody asks */
	const unsigned int *asks_waiting; /* see there; points to a 0 if nobody does */
	struct fan_cpu_now *cpus;
	size_t ncpus;
	uint64_t start, now;
	bool has_started;
	bool is_scoped; /* see fan_machine_scope() */
	bool waits_from_waking;
	bool skips_lengths;	     /* of waits */
	uint64_t clip_from, clip_to; /* what is booked */
	bool is_clipped;	     /* that is not all */
	struct fan_counts counts;
	struct fan_kvm kvm;
	int error;	  /* of who is told, or memory: the first one stays */
	uint64_t upto_ns; /* later events are not followed; 0 after an error */
};

/* r: 0 or negative errno. */
static inline void fan_note_error(struct fan_machine *m, int r)
{
	if (r >= 0 || m->error)
		return;
	m->error = r;
	m->upto_ns = 0;
}

/* Puts a waiting thread on the list of its CPU, if that is one of the trace. */
void fan_list_waiter(struct fan_machine *m, struct fan_thread *th);
/* These CPUs have just turned up: those who wait for them are listed. */
void fan_list_waiters(struct fan_machine *m, size_t first_cpu);

/* The queue of this CPU, which may be none of the trace, has changed: of interest while it idles.
 */
static inline void fan_queue_changed(const struct fan_machine *m, int32_t cpu)
{
	/* below 0 is above all, as a size */
	if (m->cpu_changed && (size_t)cpu < m->ncpus && m->cpus[cpu].cur == FAN_CPU_IDLE)
		m->cpu_changed(m->cpu_ctx, cpu, FAN_CPU_IDLE);
}

/* A waiting thread has joined the queue of th->cpu. */
static inline void fan_queue_join(struct fan_machine *m, struct fan_thread *th)
{
	if (th->listed_cpu != th->cpu)
		fan_list_waiter(m, th);
	fan_queue_changed(m, th->cpu);
}

/* Books the thread's time in its state up to t; the state goes on from there. */
void fan_book(struct fan_machine *m, struct fan_thread *th, uint64_t t, enum fan_edge end);
/* Books an idle or unknown CPU up to t. */
void fan_book_cpu(struct fan_machine *m, struct fan_cpu_now *cpu, uint64_t t, enum fan_edge end);
/* Enters a state at the time up to which the thread is booked. */
void fan_set_state(struct fan_machine *m, struct fan_thread *th, enum fan_state state,
		   enum fan_edge begin);
/* Tells who watches: so many threads more or less of this account are runnable, and wait. */
void fan_count_runnable(struct fan_machine *m, int32_t account, int runnable, int waiting);
/* The CPU is FAN_CPU_IDLE or FAN_CPU_UNKNOWN from now on. */
void fan_set_current(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t cur);
/* What is known of a wait that ends, or breaks off, at t; for the longest one. */
void fan_note_wait(const struct fan_machine *m, struct fan_thread *th, uint64_t t);
/* A thread of which is known that it has the CPU gets into the state RUN. */
void fan_start_running(struct fan_machine *m, struct fan_cpu_now *cpu, struct fan_thread *th,
		       enum fan_edge begin);

/* A thread that neither runs nor waits begins to wait for this CPU. */
void fan_wake(struct fan_machine *m, struct fan_thread *th, int32_t cpu);
/* The two halves of a switch, ev: of the thread that has a CPU; and of one that gets this CPU. */
void fan_switch_out(struct fan_machine *m, struct fan_thread *th, const struct fan_event *ev);
void fan_switch_in(struct fan_machine *m, struct fan_cpu_now *cpu, struct fan_thread *th);
/* Books everybody up to the end. */
void fan_end(struct fan_machine *m);

/* --- gaps.c --- */

/* Books a state that is certain only up to t1; what follows up to now is unknown. */
void fan_break_off(struct fan_machine *m, struct fan_thread *th, uint64_t t1);
/* The thread is about to run elsewhere: takes it off a CPU that still has it running. */
void fan_leave_other_cpu(struct fan_machine *m, struct fan_thread *th);
/* The CPU's current thread is certain only up to the CPU's last event. */
void fan_lose_current(struct fan_machine *m, struct fan_cpu_now *cpu);
/* With a scope, a CPU is with none that is in it, as an event shows; scope.c. */
void fan_leave_to_others(struct fan_machine *m, struct fan_cpu_now *cpu);
/* The current event shows that this CPU ran the thread of this tid (or idle) at this moment. */
void fan_observe_other(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t tid);

/* The same; nearly always that is known. */
static inline void fan_observe(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t tid)
{
	if (cpu->cur_tid == tid)
		cpu->last = m->now;
	else
		fan_observe_other(m, cpu, tid);
}

/* Events were lost on this CPU since its last one: missed of them, -1 unknown. */
void fan_lose_events(struct fan_machine *m, struct fan_cpu_now *cpu, int64_t missed);

/* --- who it is --- */

/* The thread of a tid, added if it is new; NULL for none. */
static inline struct fan_thread *fan_thread_of(struct fan_machine *m, int32_t tid)
{
	struct fan_thread *known = fan_threads_of_tid(m->threads, tid);

	return known ? known : fan_machine_thread(m, tid);
}

/* Its index, or FAN_CPU_IDLE. */
static inline int32_t fan_index_of(struct fan_machine *m, int32_t tid)
{
	const struct fan_thread *th = fan_thread_of(m, tid);

	return th ? th->index : FAN_CPU_IDLE;
}

/* True of the threads in the scope, where there is one; scope.c. */
bool fan_is_in_scope(const struct fan_machine *m, int32_t tid);

/* There is a scope, and it is not in it. */
static inline bool fan_is_outside(const struct fan_machine *m, int32_t tid)
{
	return m->is_scoped && !fan_is_in_scope(m, tid);
}

/* The thread of a tid, added if it is new; NULL for none, and for all that are not in the scope. */
static inline struct fan_thread *fan_insider_of(struct fan_machine *m, int32_t tid)
{
	return fan_is_outside(m, tid) ? NULL : fan_thread_of(m, tid);
}

/* The thread bears this name from now on, which may be another than before. */
void fan_set_other_comm(struct fan_machine *m, struct fan_thread *th, const struct fan_comm *comm);

/* The same; nearly always it is the name that it has. */
static inline void fan_set_comm(struct fan_machine *m, struct fan_thread *th,
				const struct fan_comm *comm)
{
	if (memcmp(th->comm, comm->c, sizeof(th->comm) - 1) != 0)
		fan_set_other_comm(m, th, comm);
}

/* Events of a thread's life; lives.c. */
void fan_on_newtask(struct fan_machine *m, const struct fan_event *ev);
void fan_on_fork(struct fan_machine *m, const struct fan_event *ev);
void fan_on_exec(struct fan_machine *m, const struct fan_event *ev);
void fan_on_free(struct fan_machine *m, const struct fan_event *ev);

#endif
