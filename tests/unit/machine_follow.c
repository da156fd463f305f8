// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A machine that follows many events at once, and one that is fed with them one by one. Seeded;
 * FCAP_TEST_SEED=N repeats a run.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/model/machine.h"
#include "tests/lib/seeded.h"

enum { CPUS = 3, TIDS = 6, EVENTS = 200, SEQUENCES = 2000 };
enum { SPANS = EVENTS * (CPUS + 2 * TIDS), THREADS_MAX = TIDS + 2 * EVENTS };

/* A machine, and what it has told. */
struct side {
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_span spans[SPANS];
	size_t nspans, sleeps;
	uint64_t kvm_ns; /* of the last kvm event */
	size_t kvm, at_cpu[CPUS];
};

static int note_span(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct side *s = ctx;

	if (th && span->state != FAN_ST_RUN && span->state != FAN_ST_WAIT) {
		s->sleeps++;
		return 0;
	}
	assert_true(s->nspans < SPANS);
	s->spans[s->nspans++] = *span;
	return 0;
}

/* As a span, whose end is not told. */
static int note_stay(struct side *s, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
		     enum fan_state state, enum fan_edge begin)
{
	const struct fan_span span = {
		t0_ns, t1_ns, th->index, th->cpu, state, begin, FAN_EDGE_SEEN, false,
	};

	return note_span(s, &span, th);
}

static int note_run(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
		    enum fan_edge begin)
{
	return note_stay(ctx, th, t0_ns, t1_ns, FAN_ST_RUN, begin);
}

static int note_wait(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
		     enum fan_edge begin)
{
	return note_stay(ctx, th, t0_ns, t1_ns, FAN_ST_WAIT, begin);
}

static int note_nobody(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	assert_null(th);
	return note_span(ctx, span, th);
}

static void see_cpu(void *ctx, int32_t cpu, int32_t thread)
{
	struct side *s = ctx;

	assert_int_equal(thread, fan_machine_holder(s->machine, cpu));
	s->at_cpu[cpu]++;
}

static int see_kvm(void *ctx, int32_t cpu, enum fan_vcpu_what what, uint64_t now_ns)
{
	struct side *s = ctx;

	assert_true(cpu >= 0 && cpu < CPUS && what == FAN_VCPU_ENTRY);
	s->kvm++;
	s->kvm_ns = now_ns;
	return 0;
}

static void open_side(struct side *s)
{
	memset(s, 0, sizeof(*s));
	s->threads = fan_threads_new();
	assert_non_null(s->threads);
	assert_int_equal(fan_machine_new(&s->machine, s->threads, note_span, s), 0);
	fan_machine_watch_cpus(s->machine, see_cpu, see_kvm, s);
}

static void close_side(struct side *s)
{
	fan_machine_free(s->machine);
	fan_threads_free(s->threads);
}

static void tell_what_is_of_use(struct side *s)
{
	fan_machine_tell_cpus_and_waits(s->machine, note_run, note_wait, note_nobody);
}

static struct fan_event event_of(enum fan_event_kind kind, uint64_t ts_ns, int32_t cur_tid)
{
	return (struct fan_event){ .kind = kind, .ts_ns = ts_ns, .cur_tid = cur_tid };
}

static struct fan_event switch_to(uint64_t ts_ns, int32_t prev, int32_t next, bool is_runnable)
{
	struct fan_event ev = event_of(FAN_EV_SWITCH, ts_ns, prev);

	ev.sw.prev_tid = prev;
	ev.sw.next_tid = next;
	ev.sw.prev_prio = ev.sw.next_prio = 120;
	ev.sw.prev_comm = ev.sw.next_comm = (struct fan_comm){ "a" };
	ev.sw.prev_runnable = is_runnable;
	return ev;
}

/* Any event: most of them contradict those before. */
static struct fan_event absurd(uint64_t *random, uint64_t ts_ns)
{
	static const enum fan_event_kind kinds[] = {
		FAN_EV_SWITCH, FAN_EV_SWITCH,  FAN_EV_SWITCH, FAN_EV_WAKEUP, FAN_EV_WAKEUP_NEW,
		FAN_EV_WAKING, FAN_EV_MIGRATE, FAN_EV_FREE,   FAN_EV_EXIT,   FAN_EV_VCPU,
		FAN_EV_ATTACH, FAN_EV_MARKER,  FAN_EV_KINDS,
	};
	const enum fan_event_kind kind = kinds[seeded_next(random) % 13];
	const int32_t tid = (int32_t)(seeded_next(random) % (TIDS + 1));
	const int32_t other = (int32_t)(seeded_next(random) % (TIDS + 1));
	struct fan_event ev = kind == FAN_EV_SWITCH
				      ? switch_to(ts_ns, tid, other, seeded_next(random) % 2)
				      : event_of(kind, ts_ns, tid);

	ev.cpu = (int32_t)(seeded_next(random) % CPUS);
	ev.missed = seeded_next(random) % 20 ? 0 : 3;
	ev.buffer = seeded_next(random) % 20 == 0;
	if (kind == FAN_EV_VCPU) {
		ev.vcpu.id = -1;
		ev.vcpu.what = FAN_VCPU_ENTRY;
	} else if (kind == FAN_EV_MIGRATE) {
		ev.migrate.tid = other;
		ev.migrate.dest_cpu = (ev.cpu + 1) % CPUS;
	} else if (kind == FAN_EV_FREE || kind == FAN_EV_EXIT) {
		ev.exit.tid = other;
	} else if (kind != FAN_EV_SWITCH) {
		ev.wakeup.tid = other;
		ev.wakeup.target_cpu = ev.cpu;
		ev.wakeup.comm = (struct fan_comm){ "a" };
	}
	return ev;
}

static void feed_all(struct side *s, const struct fan_event *events)
{
	for (size_t i = 0; i < EVENTS; i++)
		if (events[i].buffer == 0)
			assert_int_equal(fan_machine_feed(s->machine, &events[i]), 0);
	assert_int_equal(fan_machine_finish(s->machine, 0), 0);
}

/* As the model does it: what is left over is fed. */
static void follow_all(struct side *s, const struct fan_event *events, uint64_t *random)
{
	const struct fan_event *next = events, *const end = events + EVENTS;
	bool has_begun = false;

	while (next < end) {
		const uint64_t upto = next->ts_ns + seeded_next(random) % 100;

		if (next->buffer == 0) {
			assert_int_equal(fan_machine_feed(s->machine, next), 0);
			has_begun = true;
		}
		next++;
		if (has_begun)
			assert_int_equal(fan_machine_follow(s->machine, &next, end, upto), 0);
	}
	assert_int_equal(fan_machine_finish(s->machine, 0), 0);
}

static void assert_same_span(const struct fan_span *a, const struct fan_span *b)
{
	assert_int_equal(a->t0_ns, b->t0_ns);
	assert_int_equal(a->t1_ns, b->t1_ns);
	assert_int_equal(a->thread, b->thread);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->state, b->state);
	assert_int_equal(a->begin, b->begin);
	if (a->thread < 0)
		assert_int_equal(a->end, b->end);
}

static void assert_same(const struct side *a, const struct side *b)
{
	const size_t n = fan_threads_count(a->threads);

	assert_memory_equal(fan_machine_counts(a->machine), fan_machine_counts(b->machine),
			    sizeof(struct fan_counts));
	assert_int_equal(a->nspans, b->nspans);
	for (size_t i = 0; i < a->nspans; i++)
		assert_same_span(&a->spans[i], &b->spans[i]);
	assert_memory_equal(a->at_cpu, b->at_cpu, sizeof(a->at_cpu));
	assert_int_equal(a->kvm, b->kvm);
	assert_int_equal(n, fan_threads_count(b->threads));
	assert_true(n <= THREADS_MAX);
	for (size_t i = 0; i < n; i++) {
		const struct fan_thread *x = fan_threads_at(a->threads, i);
		const struct fan_thread *y = fan_threads_at(b->threads, i);

		assert_int_equal(x->run_ns, y->run_ns);
		assert_int_equal(x->wait_ns, y->wait_ns);
		assert_int_equal(x->blocked_ns, y->blocked_ns);
		assert_int_equal(x->unknown_ns, y->unknown_ns);
		assert_int_equal(x->waits.n, y->waits.n);
		assert_int_equal(x->max_wait_ns, y->max_wait_ns);
	}
}

static void following_tells_the_same_as_feeding(void **state)
{
	uint64_t random = seeded_start();
	static struct side fed, following;
	struct fan_event events[EVENTS];
	size_t sleeps = 0;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", random);
	for (unsigned int i = 0; i < SEQUENCES; i++) {
		uint64_t now = 1000 + seeded_next(&random) % 1000, from, to;

		open_side(&fed);
		open_side(&following);
		tell_what_is_of_use(&following);
		from = i % 2 ? 0 : now + seeded_next(&random) % 1000;
		to = i % 4 < 2 ? UINT64_MAX : from + seeded_next(&random) % 3000;
		fan_machine_clip(fed.machine, from, to);
		fan_machine_clip(following.machine, from, to);
		for (size_t k = 0; k < EVENTS; k++) {
			events[k] = absurd(&random, now);
			/* now and then one is late */
			now += seeded_next(&random) % 20 ? seeded_next(&random) % 40 : -10ULL;
		}
		feed_all(&fed, events);
		follow_all(&following, events, &random);
		assert_same(&fed, &following);
		assert_int_equal(following.sleeps, 0);
		sleeps += fed.sleeps;
		close_side(&fed);
		close_side(&following);
	}
	assert_true(sleeps > 0);
}

/* Ten switches on CPU 0, 10 ns apart, of which one is changed by the caller. */
static void make_ten(struct fan_event *events)
{
	for (int32_t i = 0; i < 10; i++)
		events[i] = switch_to(1000 + 10 * (uint64_t)i, 1 + i % 2, 1 + (i + 1) % 2, true);
}

/* How many of the ten are taken after the first, up to this time. */
static size_t follow_ten(const struct fan_event *events, uint64_t upto_ns)
{
	const struct fan_event *next = events + 1;
	static struct side s;

	open_side(&s);
	assert_int_equal(fan_machine_feed(s.machine, events), 0);
	assert_int_equal(fan_machine_follow(s.machine, &next, events + 10, upto_ns), 0);
	assert_int_equal(fan_machine_counts(s.machine)->events, (size_t)(next - events));
	close_side(&s);
	return (size_t)(next - events - 1);
}

static void it_follows_up_to_the_time_it_is_told(void **state)
{
	struct fan_event events[10];

	(void)state;
	make_ten(events);
	assert_int_equal(follow_ten(events, 1005), 0);
	assert_int_equal(follow_ten(events, 1039), 3); /* 1010, 1020, 1030 */
	assert_int_equal(follow_ten(events, 1040), 4);
	assert_int_equal(follow_ten(events, UINT64_MAX), 9);
}

static void it_leaves_what_others_have_to_look_at(void **state)
{
	static const enum fan_event_kind left[] = { FAN_EV_ATTACH, FAN_EV_MARKER, FAN_EV_KINDS };
	struct fan_event events[10];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		make_ten(events);
		events[5] = event_of(left[i], events[5].ts_ns, 2);
		assert_int_equal(follow_ten(events, UINT64_MAX), 4);
	}
	make_ten(events);
	events[6].buffer = 1;
	assert_int_equal(follow_ten(events, UINT64_MAX), 5);
	make_ten(events);
	events[7].cpu = 1;
	assert_int_equal(follow_ten(events, UINT64_MAX), 6);
}

static void kvm_events_are_told_at_their_time(void **state)
{
	struct fan_event events[3] = { switch_to(1000, 0, 1, false), event_of(FAN_EV_VCPU, 1010, 1),
				       event_of(FAN_EV_VCPU, 1025, 1) };
	const struct fan_event *next = events + 1;
	static struct side s;

	(void)state;
	for (size_t i = 1; i < 3; i++)
		events[i].vcpu.what = FAN_VCPU_ENTRY;
	open_side(&s);
	assert_int_equal(fan_machine_feed(s.machine, events), 0);
	assert_int_equal(fan_machine_follow(s.machine, &next, events + 2, UINT64_MAX), 0);
	assert_int_equal(s.kvm, 1);
	assert_int_equal(s.kvm_ns, 1010);
	assert_int_equal(fan_machine_feed(s.machine, next), 0);
	assert_int_equal(s.kvm, 2);
	assert_int_equal(s.kvm_ns, 1025);
	close_side(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(following_tells_the_same_as_feeding),
		cmocka_unit_test(it_follows_up_to_the_time_it_is_told),
		cmocka_unit_test(it_leaves_what_others_have_to_look_at),
		cmocka_unit_test(kvm_events_are_told_at_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
