// SPDX-License-Identifier: GPL-3.0-or-later
/* The machine's events: each is first held against what its CPU was running, then applied. */
#include "analyze/model/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/expect.h"
#include "analyze/model/occupancy.h"
#include "analyze/model/parties.h"

#define SKEW_MAX_NS 1000000ULL /* CPUs whose clocks are further apart are another matter */

int fan_machine_new(struct fan_machine **ret, struct fan_threads *threads, fan_span_fn emit,
		    void *ctx)
{
	static const unsigned int never;
	struct fan_machine *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->threads = threads;
	m->asks_waiting = &never;
	m->nobody = m->other = emit;
	m->ctx = ctx;
	m->clip_to = UINT64_MAX;
	if (fan_kvm_open(&m->kvm) < 0) {
		fan_machine_free(m);
		return -ENOMEM;
	}
	*ret = m;
	return 0;
}

void fan_machine_free(struct fan_machine *m)
{
	if (!m)
		return;
	fan_kvm_close(&m->kvm);
	for (size_t i = 0; i < m->ncpus; i++)
		free(m->cpus[i].listed);
	free(m->cpus);
	free(m);
}

void fan_machine_tell_cpus_and_waits(struct fan_machine *m, fan_stay_fn run, fan_stay_fn wait,
				     fan_span_fn nobody)
{
	m->run = run;
	m->wait = wait;
	m->nobody = nobody;
	m->other = NULL;
}

void fan_machine_watch(struct fan_machine *m, const struct fan_watch *watch)
{
	m->watch = watch;
	if (watch->asks_waiting)
		m->asks_waiting = watch->asks_waiting;
}

size_t fan_machine_cpus(const struct fan_machine *m)
{
	return m->ncpus;
}

int32_t fan_machine_running(const struct fan_machine *m, size_t cpu)
{
	return m->cpus[cpu].is_started ? m->cpus[cpu].cur : FAN_CPU_UNKNOWN;
}

void fan_machine_watch_cpus(struct fan_machine *m, fan_cpu_fn changed, fan_kvm_fn kvm_seen,
			    void *ctx)
{
	m->cpu_changed = changed;
	m->kvm_seen = kvm_seen;
	m->cpu_ctx = ctx;
}

void fan_machine_observe(struct fan_machine *m, const struct fan_observer *observer)
{
	m->kvm.observer = observer;
}

void fan_machine_skip_lengths(struct fan_machine *m)
{
	m->skips_lengths = true;
}

void fan_machine_skip_vcpus(struct fan_machine *m)
{
	m->kvm.only_counts = true;
}

void fan_machine_wait_from_waking(struct fan_machine *m)
{
	m->waits_from_waking = true;
}

uint64_t fan_machine_start(const struct fan_machine *m)
{
	return m->start;
}

uint64_t fan_machine_end(const struct fan_machine *m)
{
	return m->now;
}

const struct fan_counts *fan_machine_counts(const struct fan_machine *m)
{
	return &m->counts;
}

const struct fan_kvm *fan_machine_kvm(const struct fan_machine *m)
{
	return &m->kvm;
}

struct fan_thread *fan_machine_thread(struct fan_machine *m, int32_t tid)
{
	struct fan_thread *th;
	int32_t i;

	if (!fan_is_tid(tid)) {
		m->counts.bad_tids += tid != 0;
		return NULL;
	}
	th = fan_threads_of_tid(m->threads, tid);
	if (th)
		return th;
	i = fan_threads_add(m->threads, tid, m->start);
	fan_note_error(m, i);
	return i < 0 ? NULL : fan_threads_at(m->threads, (size_t)i);
}

/* Tells who watches that this thread may make a VM of its process. */
static void tell_vcpu(struct fan_machine *m, const struct fan_thread *th)
{
	const int32_t i = th->index;

	if (m->watch)
		fan_note_error(m, m->watch->vcpu(m->watch->ctx, m->now, i));
}

void fan_machine_is_vcpu(struct fan_machine *m, struct fan_thread *th)
{
	if (th->is_vcpu)
		return;
	th->is_vcpu = true;
	tell_vcpu(m, th);
}

void fan_set_other_comm(struct fan_machine *m, struct fan_thread *th, const struct fan_comm *comm)
{
	fan_thread_name(th, comm->c, sizeof(comm->c));
	if (th->has_vcpu_name || fan_vhost_tgid(th->comm) > 0)
		tell_vcpu(m, th);
}

/* Not told weighs like nice 0. Where a line told the nice value this one does not count. */
static void change_prio(struct fan_machine *m, struct fan_thread *th, int32_t prio)
{
	const int32_t old = th->prio;

	th->prio = prio;
	if ((prio == FAN_PRIO_UNTOLD ? 120 : prio) != (old == FAN_PRIO_UNTOLD ? 120 : old) &&
	    fan_accounts_at(m->threads, (size_t)th->account)->place.nice == FAN_NICE_UNTOLD)
		fan_count_runnable(m, th->account, 0, 0);
}

/* What a switch tells of either thread; nearly always that is known. */
static inline void set_traits(struct fan_machine *m, struct fan_thread *th, int32_t prio,
			      const struct fan_comm *comm)
{
	if (prio != th->prio)
		change_prio(m, th, prio);
	fan_set_comm(m, th, comm);
}

static inline void on_switch(struct fan_machine *m, struct fan_cpu_now *cpu,
			     const struct fan_event *ev)
{
	struct fan_thread *next = fan_insider_of(m, ev->sw.next_tid), *prev = cpu->thread;

	m->counts.switches++;
	if (prev) {
		set_traits(m, prev, ev->sw.prev_prio, &ev->sw.prev_comm);
		fan_switch_out(m, prev, ev);
	} else {
		fan_book_cpu(m, cpu, m->now, FAN_EDGE_SEEN);
	}
	if (!next) {
		cpu->since = m->now;
		cpu->begin = FAN_EDGE_SEEN;
		fan_set_current(m, cpu,
				fan_is_outside(m, ev->sw.next_tid) ? FAN_CPU_UNKNOWN
								   : FAN_CPU_IDLE);
		return;
	}
	set_traits(m, next, ev->sw.next_prio, &ev->sw.next_comm);
	fan_switch_in(m, cpu, next);
}

/*
 * A thread got onto another CPU without a wake-up, and now, a moment later by the stamps, comes the
 * wake-up: no thread runs before it is woken, so the clock of this CPU is behind.
 */
static void note_skew(struct fan_machine *m, const struct fan_event *ev, struct fan_thread *th)
{
	const uint64_t ns = m->now - th->stale_at_ns;

	if (th->stale_at_ns == 0 || th->state != FAN_ST_RUN || th->run_cpu == ev->cpu ||
	    ns > SKEW_MAX_NS)
		return;
	m->counts.skewed++;
	if (ns > m->counts.skew_ns)
		m->counts.skew_ns = ns;
	th->stale_at_ns = 0;
}

static void on_wakeup(struct fan_machine *m, const struct fan_event *ev)
{
	struct fan_thread *th = fan_insider_of(m, ev->wakeup.tid);

	if (!th)
		return;
	m->counts.wakeups++;
	if (th->comm[0] == '\0')
		fan_set_comm(m, th, &ev->wakeup.comm);
	if (th->state == FAN_ST_RUN || th->state == FAN_ST_WAIT) {
		m->counts.awake++;
		note_skew(m, ev, th);
		return;
	}
	fan_wake(m, th, ev->wakeup.target_cpu);
}

/* A request tells where the thread last ran, not where it is going to queue. */
static void on_waking(struct fan_machine *m, const struct fan_event *ev)
{
	struct fan_thread *th = fan_insider_of(m, ev->wakeup.tid);

	m->counts.wakings++;
	if (!th)
		return;
	if (th->state != FAN_ST_BLOCKED && th->state != FAN_ST_UNSEEN)
		return;
	th->waking_ns = m->now;
	if (!m->waits_from_waking)
		return;
	fan_book(m, th, m->now, FAN_EDGE_INFERRED);
	fan_set_state(m, th, FAN_ST_WAIT, FAN_EDGE_INFERRED);
}

static void on_migrate(struct fan_machine *m, const struct fan_event *ev)
{
	struct fan_thread *th = fan_insider_of(m, ev->migrate.tid);
	int32_t from;

	if (!th)
		return;
	if (th->state == FAN_ST_RUN)
		return;
	/* the kernel closes a wait in its own sum when the thread leaves a queue */
	if (th->state == FAN_ST_WAIT) {
		th->arrived_wait_ns += m->now - th->queued_ns;
		th->queued_ns = m->now;
		fan_book(m, th, m->now, FAN_EDGE_CUT);
	}
	from = th->cpu;
	th->cpu = ev->migrate.dest_cpu;
	if (th->state == FAN_ST_WAIT) {
		fan_queue_changed(m, from);
		fan_queue_join(m, th);
	}
}

static void on_vcpu(struct fan_machine *m, const struct fan_cpu_now *cpu,
		    const struct fan_event *ev)
{
	/* of a thread that is not in the scope the CPU knows nothing */
	struct fan_thread *th = cpu->thread ? cpu->thread : fan_machine_thread(m, ev->cur_tid);
	int r = 0;

	if (th) {
		fan_machine_is_vcpu(m, th);
		th->vcpu_id = ev->vcpu.id >= 0 ? ev->vcpu.id : th->vcpu_id;
		r = fan_vcpu_take(&m->kvm, th, ev, m->now);
	}
	if (r == 0 && m->kvm_seen && !m->error)
		r = m->kvm_seen(m->cpu_ctx, ev->cpu, ev->vcpu.what, m->now);
	fan_note_error(m, r);
}

/* Those that are few. */
static __attribute__((noinline)) void take_other(struct fan_machine *m, const struct fan_event *ev)
{
	struct fan_thread *th;

	switch (ev->kind) {
	case FAN_EV_MIGRATE:
		on_migrate(m, ev);
		break;
	case FAN_EV_FORK:
		fan_on_fork(m, ev);
		break;
	case FAN_EV_NEWTASK:
		fan_on_newtask(m, ev);
		break;
	case FAN_EV_EXIT:
		th = fan_machine_thread(m, ev->exit.tid);
		if (th)
			th->is_exiting = true;
		break;
	case FAN_EV_FREE:
		fan_on_free(m, ev);
		break;
	case FAN_EV_EXEC:
		fan_on_exec(m, ev);
		break;
	case FAN_EV_RENAME:
		th = fan_machine_thread(m, ev->rename.tid);
		if (th)
			fan_set_comm(m, th, &ev->rename.comm);
		break;
	default:
		break;
	}
}

/* Before anything else of an event: its CPU was running this thread. */
static inline void see(struct fan_machine *m, struct fan_cpu_now *cpu, const struct fan_event *ev,
		       int32_t tid)
{
	if (ev->ts_ns < m->now)
		m->counts.late++;
	else
		m->now = ev->ts_ns;
	if (ev->missed)
		fan_lose_events(m, cpu, ev->missed);
	fan_observe(m, cpu, tid);
}

static inline void take(struct fan_machine *m, struct fan_cpu_now *cpu, const struct fan_event *ev)
{
	const enum fan_event_kind kind = ev->kind;

	if (kind == FAN_EV_SWITCH) {
		see(m, cpu, ev, ev->sw.prev_tid);
		on_switch(m, cpu, ev);
		return;
	}
	see(m, cpu, ev, ev->cur_tid);
	if (kind == FAN_EV_VCPU)
		on_vcpu(m, cpu, ev);
	else if (kind == FAN_EV_WAKEUP || kind == FAN_EV_WAKEUP_NEW)
		on_wakeup(m, ev);
	else if (kind == FAN_EV_WAKING)
		on_waking(m, ev);
	else
		take_other(m, ev);
}

static void note_clip(struct fan_machine *m)
{
	m->is_clipped = m->clip_from > m->start || m->clip_to < UINT64_MAX;
	m->kvm.is_clipped = m->is_clipped;
}

void fan_machine_clip(struct fan_machine *m, uint64_t from_ns, uint64_t to_ns)
{
	m->clip_from = m->kvm.clip_from = from_ns;
	m->clip_to = m->kvm.clip_to = to_ns;
	note_clip(m);
}

/* What markers have named before the beginning is there from the beginning on. */
void fan_machine_begin(struct fan_machine *m, uint64_t ts_ns)
{
	m->has_started = true;
	m->start = m->now = ts_ns;
	note_clip(m);
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		struct fan_thread *th = fan_threads_at(m->threads, i);

		th->since_ns = th->birth_ns = ts_ns;
	}
}

static __attribute__((noinline)) int add_cpus(struct fan_machine *m, size_t n)
{
	const size_t old = m->ncpus;
	struct fan_cpu_now *grown = reallocarray(m->cpus, n, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	for (size_t i = old; i < n; i++)
		grown[i] = (struct fan_cpu_now){ .number = (int32_t)i, .cur_tid = FAN_TID_NONE };
	m->cpus = grown;
	m->ncpus = n;
	fan_list_waiters(m, old);
	return 0;
}

/* Of those behind these nothing is of interest but what their CPU was running. */
static inline bool is_followed(const struct fan_event *ev)
{
	return ev->kind <= FAN_EV_VCPU;
}

int fan_machine_follow(struct fan_machine *m, const struct fan_event **next,
		       const struct fan_event *end, uint64_t upto_ns)
{
	const bool is_large = fan_expects(m->threads);
	const struct fan_event *ev = *next;

	m->upto_ns = m->error ? 0 : upto_ns;
	for (; ev < end && ev->ts_ns <= m->upto_ns && ev->buffer == 0 && is_followed(ev) &&
	       (size_t)ev->cpu < m->ncpus;
	     ev++) {
		if (is_large)
			fan_expect(m->threads, ev, end);
		take(m, &m->cpus[ev->cpu], ev);
	}
	m->counts.events += (uint64_t)(ev - *next);
	*next = ev;
	return m->error;
}

int fan_machine_feed(struct fan_machine *m, const struct fan_event *ev)
{
	const struct fan_event *next = ev;

	if ((size_t)ev->cpu >= m->ncpus && add_cpus(m, (size_t)ev->cpu + 1) < 0)
		return -ENOMEM;
	if (!m->has_started)
		fan_machine_begin(m, ev->ts_ns);
	if (is_followed(ev))
		return fan_machine_follow(m, &next, ev + 1, UINT64_MAX);
	m->counts.events++;
	see(m, &m->cpus[ev->cpu], ev, ev->cur_tid);
	return m->error;
}

int fan_machine_enter(struct fan_machine *m, int32_t thread, struct fan_place place)
{
	struct fan_thread *th = fan_threads_at(m->threads, (size_t)thread);
	const int32_t old = th->account;
	const struct fan_place was = fan_accounts_at(m->threads, (size_t)old)->place;
	const bool waits = th->state == FAN_ST_WAIT;
	const bool counts = waits || th->state == FAN_ST_RUN;
	int r;

	if (fan_place_equal(&was, &place))
		return 0;
	if (was.cgroup >= 0 && th->state != FAN_ST_DEAD)
		fan_book(m, th, m->now, FAN_EDGE_CUT);
	/* who watches looks at what was so far: before it changes */
	if (counts)
		fan_count_runnable(m, old, -1, -waits);
	r = fan_threads_enter(m->threads, thread, place);
	if (r == 0 && counts)
		fan_count_runnable(m, th->account, 1, waits);
	return r;
}

int fan_machine_finish(struct fan_machine *m, uint64_t end_ns)
{
	if (m->has_started && end_ns > m->now)
		m->now = end_ns;
	fan_end(m);
	return m->error;
}
