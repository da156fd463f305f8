// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/occupancy.h"

#include <errno.h>

static inline bool is_runnable(enum fan_state state)
{
	return state == FAN_ST_RUN || state == FAN_ST_WAIT;
}

static inline void add_time(struct fan_thread *th, enum fan_state state, uint64_t ns)
{
	switch (state) {
	case FAN_ST_RUN:
		th->run_ns += ns;
		break;
	case FAN_ST_WAIT:
		th->wait_ns += ns;
		break;
	case FAN_ST_NEW:
	case FAN_ST_BLOCKED:
	case FAN_ST_DEAD: /* it was not dead yet, as its next event shows */
		th->blocked_ns += ns;
		break;
	case FAN_ST_UNSEEN:
	case FAN_ST_UNKNOWN:
		th->unknown_ns += ns;
		break;
	}
}

/* Is all of this booked? */
static inline bool is_inside(const struct fan_machine *m, uint64_t t0_ns, uint64_t t1_ns)
{
	return !m->is_clipped || (t0_ns >= m->clip_from && t1_ns <= m->clip_to);
}

/* Cuts a time of which not all is booked; false if nothing is left. */
static inline bool cut(const struct fan_machine *m, uint64_t *t0_ns, uint64_t *t1_ns)
{
	if (*t0_ns < m->clip_from)
		*t0_ns = m->clip_from;
	if (*t1_ns > m->clip_to)
		*t1_ns = m->clip_to;
	return *t0_ns < *t1_ns;
}

static inline bool is_counted(const struct fan_machine *m)
{
	return is_inside(m, m->now, m->now);
}

static inline void note_length(struct fan_thread *th, uint64_t from_ns, uint64_t ns)
{
	if (ns <= th->max_wait_ns)
		return;
	th->max_wait_ns = ns;
	th->max_wait_at_ns = from_ns;
}

void fan_note_wait(const struct fan_machine *m, struct fan_thread *th, uint64_t t)
{
	const uint64_t from = th->waited_from > m->clip_from ? th->waited_from : m->clip_from;
	const uint64_t to = t < m->clip_to ? t : m->clip_to;

	if (to > from)
		note_length(th, from, to - from);
}

/* A wait ends now that is known from its begin on. Only if all of it is booked it counts whole. */
static inline void note_whole_wait(struct fan_machine *m, struct fan_thread *th)
{
	const uint64_t ns = m->now - th->waited_from;

	if (m->skips_lengths || !is_inside(m, th->waited_from, m->now)) {
		fan_note_wait(m, th, m->now);
		return;
	}
	note_length(th, th->waited_from, ns);
	fan_note_error(m, fan_hist_add(&th->waits, ns));
}

/* Where the state is a constant, the compiler leaves out what is of others. */
static inline __attribute__((always_inline)) int tell(const struct fan_machine *m,
						      const struct fan_thread *th,
						      enum fan_state state, uint64_t t0,
						      uint64_t t1, enum fan_edge begin,
						      enum fan_edge end, bool is_clipped)
{
	if (state == FAN_ST_RUN && m->run)
		return m->run(m->ctx, th, t0, t1, begin);
	if (state == FAN_ST_WAIT && m->wait)
		return m->wait(m->ctx, th, t0, t1, begin);
	if (m->other) {
		const struct fan_span span = { t0,    t1,    th->index, th->cpu,
					       state, begin, end,	is_clipped };

		return m->other(m->ctx, &span, th);
	}
	return 0;
}

/* As above. */
static inline __attribute__((always_inline)) void book_state(struct fan_machine *m,
							     struct fan_thread *th,
							     enum fan_state state, uint64_t t,
							     enum fan_edge end)
{
	const enum fan_edge begin = th->begin;
	uint64_t t0 = th->since_ns, t1 = t;
	bool is_clipped = false;

	if (t1 <= t0)
		return;
	th->since_ns = t;
	th->begin = FAN_EDGE_CUT;
	if (!is_inside(m, t0, t1)) {
		is_clipped = t0 < m->clip_from;
		if (!cut(m, &t0, &t1))
			return;
	}
	add_time(th, state, t1 - t0);
	if (state == FAN_ST_RUN && th->vcpu)
		fan_vcpu_run(th->vcpu, t0, t1);
	else if (state == FAN_ST_BLOCKED && th->vcpu)
		fan_vcpu_sleep(th->vcpu, t0, t1);
	if (state == FAN_ST_WAIT && begin == FAN_EDGE_INFERRED)
		th->inferred_ns += t1 - t0;
	if (state == FAN_ST_RUN) {
		th->last_run_ns = t1;
		if (t0 < th->first_run_ns)
			th->first_run_ns = t0;
	}
	fan_note_error(m, tell(m, th, state, t0, t1, begin, end, is_clipped));
}

void fan_book(struct fan_machine *m, struct fan_thread *th, uint64_t t, enum fan_edge end)
{
	book_state(m, th, th->state, t, end);
}

void fan_book_cpu(struct fan_machine *m, struct fan_cpu_now *cpu, uint64_t t, enum fan_edge end)
{
	const enum fan_state state = cpu->cur == FAN_CPU_IDLE ? FAN_ST_RUN : FAN_ST_UNKNOWN;
	struct fan_span span = { cpu->since, t,		 cpu->cur, cpu->number,
				 state,	     cpu->begin, end,	   cpu->since < m->clip_from };

	if (cpu->cur >= 0 || t <= cpu->since)
		return;
	cpu->since = t;
	cpu->begin = FAN_EDGE_CUT;
	if (cut(m, &span.t0_ns, &span.t1_ns))
		fan_note_error(m, m->nobody(m->ctx, &span, NULL));
}

void fan_count_runnable(struct fan_machine *m, int32_t account, int runnable, int waiting)
{
	const struct fan_watch *w = m->watch;

	if (w)
		fan_note_error(m, w->runnable(w->ctx, m->now, account, runnable, waiting));
}

static inline void count_waiting(struct fan_machine *m, int32_t account, int waiting)
{
	if (*m->asks_waiting)
		fan_note_error(m, m->watch->waiting(m->watch->ctx, m->now, account, waiting));
}

static void change_idle(struct fan_machine *m, struct fan_cpu_now *cpu, bool is_idle)
{
	const struct fan_watch *w = m->watch;

	cpu->is_idle = is_idle;
	if (w)
		fan_note_error(m, w->idle(w->ctx, m->now, is_idle ? 1 : -1));
}

/* What the CPU runs from now on; thread, tid and is_idle are those of cur. */
static inline void set_current(struct fan_machine *m, struct fan_cpu_now *cpu,
			       struct fan_thread *thread, int32_t cur, int64_t tid, bool is_idle)
{
	cpu->thread = thread;
	cpu->cur = cur;
	cpu->cur_tid = tid;
	if (is_idle != cpu->is_idle)
		change_idle(m, cpu, is_idle);
	if (m->cpu_changed)
		m->cpu_changed(m->cpu_ctx, cpu->number, cur);
}

void fan_set_current(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t cur)
{
	const bool is_idle = cur == FAN_CPU_IDLE;

	set_current(m, cpu, NULL, cur, is_idle ? 0 : FAN_TID_NONE, is_idle);
}

/* As above: was is its state now. */
static inline __attribute__((always_inline)) void change_state(struct fan_machine *m,
							       struct fan_thread *th,
							       enum fan_state was,
							       enum fan_state state,
							       enum fan_edge begin)
{
	const int runnable = is_runnable(state) - is_runnable(was);
	const int waiting = (state == FAN_ST_WAIT) - (was == FAN_ST_WAIT);

	if (runnable)
		fan_count_runnable(m, th->account, runnable, waiting);
	else if (waiting)
		count_waiting(m, th->account, waiting);
	th->state = state;
	th->begin = begin;
	/* who gets a CPU: see fan_switch_in() */
	if (was == FAN_ST_WAIT && state != FAN_ST_RUN)
		fan_queue_changed(m, th->cpu);
	if (state == FAN_ST_WAIT) {
		th->queued_ns = th->waited_from = th->since_ns;
		fan_queue_join(m, th);
	} else if (state == FAN_ST_BLOCKED) {
		th->waking_ns = 0;
		th->lost_from_ns = UINT64_MAX;
	}
}

void fan_set_state(struct fan_machine *m, struct fan_thread *th, enum fan_state state,
		   enum fan_edge begin)
{
	change_state(m, th, th->state, state, begin);
}

/* The thread, which is in the state RUN now, has the CPU. */
static inline void take_cpu(struct fan_machine *m, struct fan_cpu_now *cpu, struct fan_thread *th)
{
	if (th->run_cpu != cpu->number) {
		th->migrations += th->run_cpu >= 0 && is_counted(m);
		th->run_cpu = cpu->number;
	}
	th->cpu = cpu->number;
	set_current(m, cpu, th, th->index, th->tid, false);
}

void fan_start_running(struct fan_machine *m, struct fan_cpu_now *cpu, struct fan_thread *th,
		       enum fan_edge begin)
{
	fan_set_state(m, th, FAN_ST_RUN, begin);
	take_cpu(m, cpu, th);
}

/*
 * A sleep ends with a switch-in and no wake-up. If one was asked for, the thread has waited since
 * then at most; else see "stale" in the header.
 */
static void end_stale_sleep(struct fan_machine *m, struct fan_thread *th)
{
	const uint64_t before = th->wait_ns;

	if (th->lost_from_ns != UINT64_MAX) {
		fan_break_off(m, th, th->lost_from_ns);
		fan_book(m, th, m->now, FAN_EDGE_UNKNOWN);
		return;
	}
	if (th->waking_ns > th->since_ns) {
		m->counts.from_waking++;
		fan_book(m, th, th->waking_ns, FAN_EDGE_INFERRED);
	} else {
		m->counts.stale++;
		th->stale_at_ns = m->now;
	}
	th->arrived_wait_ns += m->now - th->since_ns;
	fan_set_state(m, th, FAN_ST_WAIT, FAN_EDGE_INFERRED);
	if (m->counts.wakeups || m->waits_from_waking)
		note_whole_wait(m, th);
	fan_book(m, th, m->now, FAN_EDGE_SEEN);
	if (th->stale_at_ns == m->now) {
		th->stale_ns += th->wait_ns - before;
		th->wait_ns = before;
	}
}

/* A forked thread runs and no sched_wakeup_new was recorded: it has waited since its fork. */
static void end_birth(struct fan_machine *m, struct fan_thread *th)
{
	fan_set_state(m, th, FAN_ST_WAIT, FAN_EDGE_INFERRED);
	th->arrived_wait_ns += m->now - th->queued_ns;
	note_whole_wait(m, th);
	fan_book(m, th, m->now, FAN_EDGE_SEEN);
}

static inline void end_wait(struct fan_machine *m, const struct fan_cpu_now *cpu,
			    struct fan_thread *th)
{
	th->arrived_wait_ns += m->now - th->queued_ns;
	if (th->cpu != cpu->number)
		m->counts.moved += th->cpu >= 0;
	note_whole_wait(m, th);
	book_state(m, th, FAN_ST_WAIT, m->now, FAN_EDGE_SEEN);
}

/* What it was if it did not wait, as far as is known. */
static void end_state(struct fan_machine *m, struct fan_thread *th)
{
	fan_leave_other_cpu(m, th);
	switch (th->state) {
	case FAN_ST_BLOCKED:
		end_stale_sleep(m, th);
		break;
	case FAN_ST_NEW:
		end_birth(m, th);
		break;
	case FAN_ST_UNSEEN:
	case FAN_ST_UNKNOWN:
		th->breaks++; /* it waited, but nobody knows how long */
		fan_book(m, th, m->now, FAN_EDGE_UNKNOWN);
		break;
	case FAN_ST_DEAD:
		m->counts.revived++;
		fan_book(m, th, m->now, FAN_EDGE_SEEN);
		break;
	case FAN_ST_WAIT: /* not here */
	case FAN_ST_RUN:  /* not any more: see fan_leave_other_cpu() */
		break;
	}
}

void fan_wake(struct fan_machine *m, struct fan_thread *th, int32_t cpu)
{
	if (th->state != FAN_ST_BLOCKED) {
		fan_book(m, th, m->now, FAN_EDGE_SEEN);
		th->cpu = cpu;
		fan_set_state(m, th, FAN_ST_WAIT, FAN_EDGE_SEEN);
		return;
	}
	book_state(m, th, FAN_ST_BLOCKED, m->now, FAN_EDGE_SEEN);
	th->cpu = cpu;
	change_state(m, th, FAN_ST_BLOCKED, FAN_ST_WAIT, FAN_EDGE_SEEN);
}

void fan_switch_in(struct fan_machine *m, struct fan_cpu_now *cpu, struct fan_thread *th)
{
	if (th->state == FAN_ST_WAIT) {
		end_wait(m, cpu, th);
		change_state(m, th, FAN_ST_WAIT, FAN_ST_RUN, FAN_EDGE_SEEN);
	} else {
		end_state(m, th);
		fan_set_state(m, th, FAN_ST_RUN, FAN_EDGE_SEEN);
	}
	/* of the queue of this CPU nobody needs to hear: it does not idle from here on */
	if (th->cpu != cpu->number)
		fan_queue_changed(m, th->cpu);
	th->arrivals += is_counted(m);
	take_cpu(m, cpu, th);
}

void fan_switch_out(struct fan_machine *m, struct fan_thread *th, const struct fan_event *ev)
{
	book_state(m, th, FAN_ST_RUN, m->now, FAN_EDGE_SEEN);
	if (th->vcpu)
		fan_vcpu_leave(&m->kvm, th->vcpu, !ev->sw.prev_runnable);
	if (ev->sw.prev_runnable)
		change_state(m, th, FAN_ST_RUN, FAN_ST_WAIT, FAN_EDGE_SEEN);
	else
		change_state(m, th, FAN_ST_RUN, th->is_exiting ? FAN_ST_DEAD : FAN_ST_BLOCKED,
			     FAN_EDGE_SEEN);
}

void fan_end(struct fan_machine *m)
{
	for (size_t i = 0; i < m->ncpus; i++)
		if (m->cpus[i].is_started)
			fan_book_cpu(m, &m->cpus[i], m->now, FAN_EDGE_UNKNOWN);
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		struct fan_thread *th = fan_threads_at(m->threads, i);

		if (th->state == FAN_ST_WAIT)
			fan_note_wait(m, th, m->now);
		if (th->state != FAN_ST_DEAD)
			fan_book(m, th, m->now, FAN_EDGE_UNKNOWN);
	}
}
