// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Laws that hold for every sequence of events, however absurd: time is neither lost nor counted
 * twice. Seeded; FCAP_TEST_SEED=N repeats a run.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/model/machine.h"
#include "analyze/model/series.h"
#include "tests/lib/seeded.h"

enum { CPUS = 4, TIDS = 9, EVENTS = 300, SEQUENCES = 5000, STATES = FAN_ST_DEAD + 1 };
enum { THREADS_MAX = TIDS + 2 * EVENTS }; /* an event adds two at most */
enum { ROW_IDLE = THREADS_MAX, ROW_UNKNOWN };

/* One sequence: the machine under test, and what its spans have told so far. */
struct run {
	uint64_t seed, random;
	unsigned int sequence;
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_series *series;
	uint64_t now;
	bool is_fed[CPUS];
	uint64_t cpu_to[CPUS], thread_to[THREADS_MAX]; /* end of the last span; 0 none yet */
	uint64_t sum[THREADS_MAX][STATES];
	uint64_t run_ns, idle_ns, unknown_ns; /* of the CPUs */
};

static void law(const struct run *r, bool holds, const char *what)
{
	if (!holds)
		fail_msg("FCAP_TEST_SEED=%" PRIu64 ", sequence %u: %s", r->seed, r->sequence, what);
}

static uint64_t draw(struct run *r, uint64_t below)
{
	return seeded_next(&r->random) % below;
}

static int see_cpu(struct run *r, const struct fan_span *s)
{
	const uint64_t from = s->cpu >= 0 && s->cpu < CPUS && r->cpu_to[s->cpu]
				      ? r->cpu_to[s->cpu]
				      : fan_machine_start(r->machine);
	const uint64_t ns = s->t1_ns - s->t0_ns;

	law(r, s->cpu >= 0 && s->cpu < CPUS, "a span is on no CPU");
	law(r, s->t0_ns == from, "the spans of a CPU leave a gap or overlap");
	r->cpu_to[s->cpu] = s->t1_ns;
	if (s->thread >= 0) {
		r->run_ns += ns;
		return 0;
	}
	law(r, s->thread == FAN_CPU_IDLE || s->thread == FAN_CPU_UNKNOWN, "no such state of a CPU");
	*(s->thread == FAN_CPU_IDLE ? &r->idle_ns : &r->unknown_ns) += ns;
	return fan_series_add_run(r->series, s->thread == FAN_CPU_IDLE ? ROW_IDLE : ROW_UNKNOWN,
				  s->t0_ns, s->t1_ns);
}

static int see_span(void *ctx, const struct fan_span *s, const struct fan_thread *th)
{
	struct run *r = ctx;

	law(r, s->t0_ns < s->t1_ns, "a span is empty");
	law(r, (s->thread < 0) == !th, "a span has a thread and is of none, or the reverse");
	if (!th)
		return see_cpu(r, s);
	law(r, th == fan_threads_at(r->threads, (size_t)s->thread), "a span is of another thread");
	law(r, s->t0_ns == (r->thread_to[s->thread] ? r->thread_to[s->thread] : th->birth_ns),
	    "the spans of a thread leave a gap or overlap");
	r->thread_to[s->thread] = s->t1_ns;
	r->sum[s->thread][s->state] += s->t1_ns - s->t0_ns;
	if (s->state == FAN_ST_WAIT)
		return fan_series_add_wait(r->series, (size_t)s->thread, s->t0_ns, s->t1_ns);
	if (s->state != FAN_ST_RUN)
		return 0;
	law(r, see_cpu(r, s) == 0, "out of memory");
	return fan_series_add_run(r->series, (size_t)s->thread, s->t0_ns, s->t1_ns);
}

static void begin(struct run *r, uint64_t seed, unsigned int sequence)
{
	memset(r, 0, sizeof(*r));
	r->seed = seed;
	r->sequence = sequence;
	r->random = seed + sequence * 0x632be59bd9b4e019ULL;
	r->now = 1000 + draw(r, 1000000000);
	r->threads = fan_threads_new();
	r->series = fan_series_new();
	assert_true(r->threads && r->series);
	assert_int_equal(fan_machine_new(&r->machine, r->threads, see_span, r), 0);
}

static void feed(struct run *r, const struct fan_event *ev)
{
	if (fan_machine_counts(r->machine)->events == 0)
		fan_series_start(r->series, ev->ts_ns);
	r->is_fed[ev->cpu] = true;
	assert_int_equal(fan_machine_feed(r->machine, ev), 0);
}

static void check_thread(const struct run *r, size_t i)
{
	const struct fan_thread *th = fan_threads_at(r->threads, i);
	const struct fan_cell cell = fan_series_sum(r->series, i, 0, UINT64_MAX);
	const uint64_t *sum = r->sum[i];
	const uint64_t to = th->state == FAN_ST_DEAD ? th->since_ns : fan_machine_end(r->machine);
	const uint64_t all = th->run_ns + th->wait_ns + th->blocked_ns + th->stale_ns +
			     th->unknown_ns;

	law(r, all == to - th->birth_ns, "the states of a thread do not add up to its life");
	law(r, all == 0 || r->thread_to[i] == to, "the spans of a thread end before its life");
	law(r, sum[FAN_ST_RUN] == th->run_ns, "run time is not the sum of run spans");
	law(r, sum[FAN_ST_WAIT] == th->wait_ns + th->stale_ns, "waits are not their spans");
	law(r, sum[FAN_ST_NEW] + sum[FAN_ST_BLOCKED] + sum[FAN_ST_DEAD] == th->blocked_ns,
	    "sleeps are not their spans");
	law(r, sum[FAN_ST_UNSEEN] + sum[FAN_ST_UNKNOWN] == th->unknown_ns,
	    "unknown time is not its spans");
	law(r, cell.run_ns == th->run_ns && cell.wait_ns == th->wait_ns + th->stale_ns,
	    "the windows do not add up to the spans");
	law(r, th->breaks || th->arrived_wait_ns <= th->wait_ns + th->stale_ns,
	    "more waits arrived than there were");
	law(r, th->run_ns == 0 || (th->first_run_ns >= th->birth_ns && th->last_run_ns <= to),
	    "it ran outside its life");
}

static void finish(struct run *r)
{
	uint64_t start, end, fed = 0, run_ns = 0;

	assert_int_equal(fan_machine_finish(r->machine, 0), 0);
	start = fan_machine_start(r->machine);
	end = fan_machine_end(r->machine);
	for (size_t i = 0; i < fan_threads_count(r->threads); i++) {
		check_thread(r, i);
		run_ns += fan_threads_at(r->threads, i)->run_ns;
	}
	for (size_t c = 0; c < CPUS; c++) {
		fed += r->is_fed[c];
		law(r, !r->is_fed[c] || end == start || r->cpu_to[c] == end,
		    "a CPU's spans end before the trace");
		law(r, r->is_fed[c] || !r->cpu_to[c], "a CPU without events has time");
	}
	law(r, run_ns == r->run_ns, "threads ran longer or shorter than CPUs ran them");
	law(r, r->run_ns + r->idle_ns + r->unknown_ns == fed * (end - start),
	    "the time of the CPUs does not add up");
	law(r,
	    fan_series_sum(r->series, ROW_IDLE, 0, UINT64_MAX).run_ns == r->idle_ns &&
		    fan_series_sum(r->series, ROW_UNKNOWN, 0, UINT64_MAX).run_ns == r->unknown_ns,
	    "the windows of the CPUs do not add up");
}

static void release(struct run *r)
{
	fan_machine_free(r->machine);
	fan_series_free(r->series);
	fan_threads_free(r->threads);
}

/* Mostly a tid of the few; now and then idle, or no tid at all. */
static int32_t any_tid(struct run *r)
{
	static const int32_t odd[] = { 0, 0, 0, -7, INT32_MIN, FAN_TID_MAX, INT32_MAX };

	if (draw(r, 8) == 0)
		return odd[draw(r, sizeof(odd) / sizeof(odd[0]))];
	return 1 + (int32_t)draw(r, TIDS);
}

static uint64_t any_stamp(struct run *r)
{
	switch (draw(r, 20)) {
	case 0: /* late */
		return r->now - draw(r, 1000);
	case 1:
		return r->now;
	case 2:
		return r->now += draw(r, 50000000);
	default:
		return r->now += draw(r, 2000);
	}
}

static void any_event(struct run *r)
{
	static const struct fan_comm comm = { "x" };
	struct fan_event ev = {
		.cpu = (int32_t)draw(r, CPUS),
		.kind = (enum fan_event_kind)draw(r, FAN_EV_KINDS + 1),
		.missed = draw(r, 30) ? 0 : (int64_t)draw(r, 5) - 1,
		.cur_tid = any_tid(r),
	};

	ev.ts_ns = any_stamp(r);
	if (draw(r, 3) == 0)
		ev.kind = FAN_EV_SWITCH;
	switch (ev.kind) {
	case FAN_EV_SWITCH:
		ev.sw.prev_tid = any_tid(r);
		ev.sw.next_tid = any_tid(r);
		ev.sw.prev_runnable = draw(r, 2);
		ev.sw.prev_comm = ev.sw.next_comm = comm;
		break;
	case FAN_EV_WAKEUP:
	case FAN_EV_WAKEUP_NEW:
		ev.wakeup.tid = any_tid(r);
		ev.wakeup.target_cpu = (int32_t)draw(r, CPUS + 2) - 1;
		ev.wakeup.comm = comm;
		break;
	case FAN_EV_MIGRATE:
		ev.migrate.tid = any_tid(r);
		ev.migrate.dest_cpu = (int32_t)draw(r, CPUS + 2) - 1;
		break;
	case FAN_EV_FORK:
		ev.fork.parent = any_tid(r);
		ev.fork.child = any_tid(r);
		ev.fork.comm = comm;
		break;
	case FAN_EV_NEWTASK:
		ev.newtask.tid = any_tid(r);
		ev.newtask.clone_flags = draw(r, 2) ? 0x10000 : 0;
		ev.newtask.comm = comm;
		break;
	case FAN_EV_EXIT:
	case FAN_EV_FREE:
		ev.exit.tid = any_tid(r);
		break;
	case FAN_EV_RENAME:
		ev.rename.tid = any_tid(r);
		ev.rename.comm = comm;
		break;
	default:
		ev.vcpu.id = 0;
		break;
	}
	feed(r, &ev);
}

static void time_adds_up_whatever_the_events_say(void **state)
{
	const uint64_t seed = seeded_start();
	static struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < SEQUENCES; i++) {
		begin(&r, seed, i);
		for (unsigned int n = draw(&r, 4) ? EVENTS : draw(&r, 8); n; n--) {
			/* markers name threads, also before the first event */
			if (draw(&r, 50) == 0 || n == EVENTS)
				fan_machine_thread(r.machine, any_tid(&r));
			any_event(&r);
		}
		finish(&r);
		release(&r);
	}
}

/* What really happened, by a scheduler of the test's own. */
struct truth {
	enum { NEVER_SEEN, RUNS, WAITS, SLEEPS } state[TIDS + 1];
	uint64_t since[TIDS + 1], seen[TIDS + 1];
	uint64_t run_ns[TIDS + 1], wait_ns[TIDS + 1], sleep_ns[TIDS + 1];
	int32_t cur[CPUS];
};

static void enter(struct truth *t, int32_t tid, int state, uint64_t now)
{
	const uint64_t ns = now - t->since[tid];

	if (t->state[tid] == NEVER_SEEN)
		t->seen[tid] = now;
	else
		*(t->state[tid] == RUNS	   ? &t->run_ns[tid]
		  : t->state[tid] == WAITS ? &t->wait_ns[tid]
					   : &t->sleep_ns[tid]) += ns;
	t->state[tid] = state;
	t->since[tid] = now;
}

static void true_switch(struct run *r, struct truth *t, struct fan_event *ev)
{
	const int32_t prev = t->cur[ev->cpu];
	int32_t next = (int32_t)draw(r, TIDS + 1);

	/* a running or sleeping one cannot come: idle does */
	if (next && (t->state[next] == RUNS || t->state[next] == SLEEPS))
		next = 0;
	ev->kind = FAN_EV_SWITCH;
	ev->sw.prev_tid = prev;
	ev->sw.next_tid = next;
	ev->sw.prev_runnable = draw(r, 2);
	ev->sw.prev_comm = ev->sw.next_comm = (struct fan_comm){ "x" };
	if (prev)
		enter(t, prev, ev->sw.prev_runnable ? WAITS : SLEEPS, ev->ts_ns);
	if (next)
		enter(t, next, RUNS, ev->ts_ns);
	t->cur[ev->cpu] = next;
}

static void true_event(struct run *r, struct truth *t)
{
	struct fan_event ev = { .cpu = (int32_t)draw(r, CPUS), .kind = FAN_EV_VCPU };
	const int32_t tid = 1 + (int32_t)draw(r, TIDS);

	ev.ts_ns = r->now;
	ev.cur_tid = t->cur[ev.cpu];
	ev.vcpu.id = -1;
	if (draw(r, 2)) {
		true_switch(r, t, &ev);
	} else if (draw(r, 4)) {
		ev.kind = FAN_EV_WAKEUP;
		ev.wakeup.tid = tid;
		ev.wakeup.target_cpu = ev.cpu;
		ev.wakeup.comm = (struct fan_comm){ "x" };
		if (t->state[tid] == SLEEPS || t->state[tid] == NEVER_SEEN)
			enter(t, tid, WAITS, ev.ts_ns);
	}
	feed(r, &ev);
	r->now += 1 + draw(r, 3000000);
}

static void check_truth(const struct run *r, struct truth *t)
{
	const struct fan_counts *c = fan_machine_counts(r->machine);
	const uint64_t end = fan_machine_end(r->machine);

	law(r, c->gaps + c->losses + c->stale + c->elsewhere + c->late + c->bad_tids == 0,
	    "true events are said to contradict each other");
	law(r, r->unknown_ns == 0, "CPU time is unknown");
	for (int32_t tid = 1; tid <= TIDS; tid++) {
		const int32_t i = fan_threads_find(r->threads, tid);
		const struct fan_thread *th;

		law(r, (i >= 0) == (t->state[tid] != NEVER_SEEN), "a thread is missing");
		if (i < 0)
			continue;
		enter(t, tid, RUNS, end);
		th = fan_threads_at(r->threads, (size_t)i);
		law(r, th->run_ns == t->run_ns[tid], "it did not run for so long");
		law(r, th->wait_ns == t->wait_ns[tid], "it did not wait for so long");
		law(r, th->blocked_ns == t->sleep_ns[tid], "it did not sleep for so long");
		law(r, th->unknown_ns == t->seen[tid] - fan_machine_start(r->machine),
		    "it was known earlier or later");
	}
}

static void true_events_give_true_sums(void **state)
{
	const uint64_t seed = seeded_start() + 1;
	static struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed - 1);
	for (unsigned int i = 0; i < SEQUENCES / 2; i++) {
		struct truth t = { 0 };

		begin(&r, seed, i);
		for (unsigned int n = 0; n < EVENTS; n++)
			true_event(&r, &t);
		finish(&r);
		check_truth(&r, &t);
		release(&r);
	}
}

static int refuse(void *ctx, const struct fan_span *s, const struct fan_thread *th)
{
	(void)ctx;
	(void)s;
	(void)th;
	return -EIO;
}

static void an_error_of_the_callback_stops_the_machine(void **state)
{
	struct fan_threads *threads = fan_threads_new();
	struct fan_event ev = { .ts_ns = 5, .kind = FAN_EV_VCPU, .cur_tid = 1 };
	struct fan_machine *m;

	(void)state;
	assert_non_null(threads);
	assert_int_equal(fan_machine_new(&m, threads, refuse, NULL), 0);
	assert_int_equal(fan_machine_feed(m, &ev), 0);
	ev.ts_ns = 6;
	ev.missed = 1; /* ends a span: of the CPU, unknown up to here */
	assert_int_equal(fan_machine_feed(m, &ev), -EIO);
	ev.missed = 0;
	assert_int_equal(fan_machine_feed(m, &ev), -EIO);
	assert_int_equal(fan_machine_finish(m, 0), -EIO);
	fan_machine_free(m);
	fan_threads_free(threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_adds_up_whatever_the_events_say),
		cmocka_unit_test(true_events_give_true_sums),
		cmocka_unit_test(an_error_of_the_callback_stops_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
