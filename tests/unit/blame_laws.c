// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Who waited for whom against a second implementation that keeps everything and is in no hurry,
 * over random schedules: some true, some absurd. FCAP_TEST_SEED=N repeats a run.
 */
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

#include "analyze/model/blame.h"
#include "tests/lib/seeded.h"
#include "tests/unit/blame_any.h"
#include "tests/unit/row_sum.h"

enum { CPUS = 4, TIDS = 9, ABSURD = 3000, ABSURD_EVENTS = 300, TRUE = 60, TRUE_EVENTS = 9000 };
enum { ACCOUNTS = 2 * (TIDS + 2 * ABSURD_EVENTS), SPANS = 8 * ABSURD_EVENTS + 100 };
enum { COLUMNS = ACCOUNTS + FAN_HELD_OTHERS };

/* What a CPU did, as the machine has told it. */
struct past {
	uint64_t t0, t1;
	int32_t cpu, holder;
};

struct run {
	uint64_t seed, random;
	unsigned int sequence;
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_facts *facts;
	struct fan_cores *cores;
	struct fan_blame *blame;
	uint64_t now;
	bool is_true; /* the test knows the truth, and needs no spans */
	struct past past[SPANS];
	size_t npast;
	uint64_t unwoken_ns;
	uint64_t (*held)[COLUMNS]; /* by waiting account and holder: accounts, then the others */
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

static void hold(struct run *r, int32_t waiter, int32_t holder, uint64_t ns)
{
	law(r, waiter < ACCOUNTS && holder < ACCOUNTS, "the test has too few accounts");
	r->held[waiter][holder < 0 ? ACCOUNTS + ~holder : holder] += ns;
}

/* Lays a wait over all that its CPU was told to have done, and over what it does now. */
static void lay_wait(struct run *r, const struct fan_span *s, int32_t account)
{
	const struct fan_occupant now = fan_machine_occupant(r->machine, s->cpu);
	uint64_t left = s->t1_ns - s->t0_ns, last = now.since_ns;
	uint64_t open;

	for (size_t i = 0; i < r->npast; i++) {
		const struct past *p = &r->past[i];
		const uint64_t t0 = p->t0 > s->t0_ns ? p->t0 : s->t0_ns;
		const uint64_t t1 = p->t1 < s->t1_ns ? p->t1 : s->t1_ns;

		if (p->cpu != s->cpu)
			continue;
		last = p->t1;
		if (t0 >= t1)
			continue;
		hold(r, account, p->holder, t1 - t0);
		left -= t1 - t0;
	}
	open = s->t1_ns <= last ? 0 : s->t1_ns - (last > s->t0_ns ? last : s->t0_ns);
	if (open && now.thread != FAN_CPU_UNKNOWN) {
		hold(r, account,
		     now.thread < 0 ? FAN_HELD_IDLE
				    : fan_threads_at(r->threads, (size_t)now.thread)->account,
		     open);
		left -= open;
	}
	if (left)
		hold(r, account, FAN_HELD_UNKNOWN, left);
}

/* A move may have told of a run already beyond the time up to which it turns out to be known. */
static void keep(struct run *r, const struct fan_span *s, const struct fan_thread *th)
{
	struct past p = { s->t0_ns, s->t1_ns, s->cpu,
			  th			      ? th->account
			  : s->thread == FAN_CPU_IDLE ? FAN_HELD_IDLE
						      : FAN_HELD_UNKNOWN };

	law(r, r->npast < SPANS, "the test has too few spans");
	for (size_t i = 0; i < r->npast; i++)
		if (r->past[i].cpu == s->cpu && r->past[i].t1 > p.t0)
			p.t0 = r->past[i].t1;
	if (p.t0 < p.t1)
		r->past[r->npast++] = p;
}

static int see_span(void *ctx, const struct fan_span *s, const struct fan_thread *th)
{
	struct run *r = ctx;
	const uint64_t unwoken = th ? fan_blame_unwoken_ns(r->blame, (size_t)th->account) : 0;
	const int e = blame_any(r->blame, s, th);

	if (r->is_true || (th && s->state != FAN_ST_RUN && s->state != FAN_ST_WAIT))
		return e;
	if (!th || s->state == FAN_ST_RUN) {
		keep(r, s, th);
	} else if (fan_blame_unwoken_ns(r->blame, (size_t)th->account) != unwoken) {
		law(r, s->begin == FAN_EDGE_INFERRED, "a seen wait is said to be none");
		r->unwoken_ns += s->t1_ns - s->t0_ns;
	} else {
		lay_wait(r, s, th->account);
	}
	return e;
}

static void begin(struct run *r, uint64_t seed, unsigned int sequence)
{
	static uint64_t held[ACCOUNTS][COLUMNS];

	for (size_t i = 0; r->threads && i < fan_accounts_count(r->threads); i++)
		memset(held[i], 0, sizeof(held[i]));
	fan_blame_free(r->blame);
	fan_machine_free(r->machine);
	fan_facts_free(r->facts);
	fan_cores_free(r->cores);
	fan_threads_free(r->threads);
	*r = (struct run){ .seed = seed, .sequence = sequence, .held = held };
	r->random = seed + sequence * 0x632be59bd9b4e019ULL;
	r->now = 1000 + draw(r, 1000000000);
	r->threads = fan_threads_new();
	r->facts = fan_facts_new();
	r->cores = fan_cores_new(NULL, 0);
	assert_true(r->threads && r->facts && r->cores);
	assert_int_equal(fan_machine_new(&r->machine, r->threads, see_span, r), 0);
	r->blame = fan_blame_new(r->machine, r->threads, r->facts, false);
	assert_non_null(r->blame);
}

static void check_row(const struct run *r, size_t account)
{
	const struct fan_row *row = fan_blame_row(r->blame, account);
	const uint64_t *held = r->held[account];
	uint64_t sum = 0, want = 0;

	for (size_t k = 0; k < COLUMNS; k++)
		want += held[k];
	if (!row) {
		law(r, want == 0, "a row is missing");
		return;
	}
	for (size_t i = 0; i < fan_row_slots(row); i++) {
		const struct fan_holding *h = &row->slots[i];

		law(r, h->holder < 0 || h->ns == held[h->holder],
		    "a holder had it for another time");
		sum += h->holder >= 0 ? h->ns : 0;
	}
	for (size_t i = 0; i < FAN_HELD_OTHERS; i++) {
		law(r, row->other_ns[i] == held[ACCOUNTS + i], "nobody had it for another time");
		sum += row->other_ns[i];
	}
	law(r, sum == want, "a holder is missing");
	law(r, sum == row_sum(row), "the sum of a row is not its sum");
}

static void check_rows(const struct run *r)
{
	uint64_t waited = 0, unwoken = 0, rows = 0;

	assert_int_equal(fan_blame_finish(r->blame), 0);
	for (size_t i = 0; i < fan_threads_count(r->threads); i++) {
		const struct fan_thread *th = fan_threads_at(r->threads, i);

		waited += th->wait_ns + th->stale_ns;
	}
	for (size_t i = 0; i < fan_accounts_count(r->threads); i++) {
		check_row(r, i);
		unwoken += fan_blame_unwoken_ns(r->blame, i);
		rows += fan_blame_row(r->blame, i) ? row_sum(fan_blame_row(r->blame, i)) : 0;
	}
	law(r, unwoken == r->unwoken_ns, "time without any wake-up is not what it was");
	law(r, rows + unwoken == waited, "the parts do not add up to the waits");
}

static int32_t any_tid(struct run *r)
{
	return draw(r, 8) ? 1 + (int32_t)draw(r, TIDS) : 0;
}

static void draw_stamp(struct run *r, struct fan_event *ev)
{
	r->now += draw(r, 20) ? draw(r, 2000) : draw(r, 50000000);
	ev->ts_ns = draw(r, 20) ? r->now : r->now - draw(r, 1000);
}

static void fill_event(struct run *r, struct fan_event *ev)
{
	static const struct fan_comm comm = { "x" };

	switch (ev->kind) {
	case FAN_EV_SWITCH:
		ev->sw.prev_tid = any_tid(r);
		ev->sw.next_tid = any_tid(r);
		ev->sw.prev_runnable = draw(r, 2);
		ev->sw.prev_comm = ev->sw.next_comm = comm;
		break;
	case FAN_EV_WAKEUP:
	case FAN_EV_WAKING:
		ev->wakeup.tid = any_tid(r);
		ev->wakeup.target_cpu = (int32_t)draw(r, CPUS + 2) - 1;
		ev->wakeup.comm = comm;
		break;
	case FAN_EV_MIGRATE:
		ev->migrate.tid = any_tid(r);
		ev->migrate.dest_cpu = (int32_t)draw(r, CPUS + 2) - 1;
		break;
	case FAN_EV_NEWTASK:
		ev->newtask.tid = any_tid(r);
		ev->newtask.clone_flags = draw(r, 2) ? 0x10000 : 0;
		ev->newtask.comm = comm;
		break;
	case FAN_EV_EXIT:
		ev->exit.tid = any_tid(r);
		break;
	default:
		ev->vcpu.id = 0;
		break;
	}
}

static void absurd_event(struct run *r)
{
	static const enum fan_event_kind kinds[] = {
		FAN_EV_SWITCH, FAN_EV_SWITCH, FAN_EV_SWITCH,  FAN_EV_WAKEUP,  FAN_EV_WAKEUP,
		FAN_EV_WAKING, FAN_EV_EXIT,   FAN_EV_NEWTASK, FAN_EV_MIGRATE, FAN_EV_VCPU,
	};
	struct fan_event ev = {
		.cpu = (int32_t)draw(r, CPUS),
		.kind = kinds[draw(r, sizeof(kinds) / sizeof(kinds[0]))],
		.missed = draw(r, 40) ? 0 : (int64_t)draw(r, 5) - 1,
		.cur_tid = any_tid(r),
	};

	draw_stamp(r, &ev);
	fill_event(r, &ev);
	assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
}

/* A wait may be cut at any time, as a sample does; so may all states, by a move to a cgroup. */
static void cut_some(struct run *r)
{
	const size_t n = fan_threads_count(r->threads);
	const int32_t thread = n ? (int32_t)draw(r, n) : -1;
	struct fan_place place = fan_nowhere;

	if (n && draw(r, 10) == 0)
		fan_machine_cut_wait(r->machine, thread, fan_machine_end(r->machine));
	place.cgroup = (int32_t)draw(r, 3);
	if (n && draw(r, 20) == 0)
		assert_int_equal(fan_machine_enter(r->machine, thread, place), 0);
}

static void whatever_happens_pairs_and_sums_are_exact(void **state)
{
	const uint64_t seed = seeded_start();
	static struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < ABSURD; i++) {
		begin(&r, seed, i);
		for (unsigned int n = 0; n < ABSURD_EVENTS; n++) {
			absurd_event(&r);
			cut_some(&r);
		}
		assert_int_equal(fan_machine_finish(r.machine, 0), 0);
		check_rows(&r);
	}
	begin(&r, 0, 0);
}

/* What really happened, by a scheduler of the test's own. */
struct truth {
	enum { NEVER_SEEN, RUNS, WAITS, SLEEPS } state[TIDS + 1];
	int32_t queue[TIDS + 1]; /* CPU that it waits for */
	uint64_t cookie[TIDS + 1];
	bool has_topology, has_cookies;
	int32_t cur[CPUS];
};

/* CPUs 0, 1 are one core, 2, 3 another. */
static int32_t why_idle(const struct truth *t, int32_t cpu)
{
	const int32_t sibling = t->cur[cpu ^ 1];

	if (!t->has_topology || sibling == 0)
		return FAN_HELD_IDLE;
	if (!t->has_cookies)
		return FAN_HELD_MAYBE;
	for (int32_t tid = 1; tid <= TIDS; tid++)
		if (t->state[tid] == WAITS && t->queue[tid] == cpu &&
		    t->cookie[tid] == t->cookie[sibling])
			return FAN_HELD_IDLE;
	return t->cookie[sibling] ? FAN_HELD_FORCED : FAN_HELD_IDLE;
}

/* Everybody who waits has waited for ns longer, and the CPUs have done what they do. */
static void pass(struct run *r, const struct truth *t, uint64_t ns)
{
	for (int32_t tid = 1; ns && tid <= TIDS; tid++) {
		const int32_t who = t->state[tid] == WAITS ? t->cur[t->queue[tid]] : 0;

		if (t->state[tid] == WAITS)
			hold(r, fan_machine_thread(r->machine, tid)->account,
			     who ? fan_machine_thread(r->machine, who)->account
				 : why_idle(t, t->queue[tid]),
			     ns);
	}
}

static void true_switch(struct run *r, struct truth *t, struct fan_event *ev)
{
	const int32_t prev = t->cur[ev->cpu];
	int32_t next = (int32_t)draw(r, TIDS + 1);

	/* a running or sleeping one cannot come: idle does */
	if (next && (t->state[next] == RUNS || t->state[next] == SLEEPS))
		next = 0;
	/* the last thread waits for thousands of switches */
	if (next == TIDS && draw(r, 500))
		next = 0;
	ev->kind = FAN_EV_SWITCH;
	ev->sw.prev_tid = prev;
	ev->sw.next_tid = next;
	ev->sw.prev_runnable = draw(r, 2);
	ev->sw.prev_comm = ev->sw.next_comm = (struct fan_comm){ "x" };
	if (prev) {
		t->state[prev] = ev->sw.prev_runnable ? WAITS : SLEEPS;
		t->queue[prev] = ev->cpu;
	}
	if (next)
		t->state[next] = RUNS;
	t->cur[ev->cpu] = next;
}

static void true_wakeup(struct run *r, struct truth *t, struct fan_event *ev)
{
	const int32_t tid = 1 + (int32_t)draw(r, TIDS);

	ev->kind = FAN_EV_WAKEUP;
	ev->wakeup.tid = tid;
	ev->wakeup.target_cpu = (int32_t)draw(r, CPUS);
	ev->wakeup.comm = (struct fan_comm){ "x" };
	if (t->state[tid] != SLEEPS && t->state[tid] != NEVER_SEEN)
		return;
	t->state[tid] = WAITS;
	t->queue[tid] = ev->wakeup.target_cpu;
}

static void true_migration(struct run *r, struct truth *t, struct fan_event *ev)
{
	const int32_t tid = 1 + (int32_t)draw(r, TIDS);

	if (t->state[tid] != WAITS || (tid == TIDS && draw(r, 200)))
		return;
	ev->kind = FAN_EV_MIGRATE;
	ev->migrate.tid = tid;
	ev->migrate.dest_cpu = t->queue[tid] = (int32_t)draw(r, CPUS);
}

/* Every second event is of CPU 0: its past grows long. */
static void true_event(struct run *r, struct truth *t)
{
	const uint64_t ns = 1 + draw(r, 3000);
	struct fan_event ev = { .kind = FAN_EV_VCPU };

	pass(r, t, ns);
	r->now += ns;
	ev.ts_ns = r->now;
	ev.cpu = draw(r, 2) ? 0 : (int32_t)draw(r, CPUS);
	ev.cur_tid = t->cur[ev.cpu];
	ev.vcpu.id = -1;
	switch (draw(r, 8)) {
	case 0:
	case 1:
	case 2:
	case 3:
		true_switch(r, t, &ev);
		break;
	case 4:
	case 5:
		true_wakeup(r, t, &ev);
		break;
	case 6:
		true_migration(r, t, &ev);
		break;
	default:
		break;
	}
	assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
}

__attribute__((format(printf, 2, 3))) static void tell(struct run *r, const char *fmt, ...)
{
	struct fcap_marker line;
	char text[100];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	assert_int_equal(fcap_marker_parse(text, &line), 0);
	assert_int_equal(fan_facts_take(r->facts, r->machine, r->threads, &line, r->now), 0);
	assert_int_equal(fan_cores_take(r->cores, &line), 0);
	assert_int_equal(fan_blame_take_line(r->blame, &line, r->now), 0);
}

static void see_cpu(void *ctx, int32_t cpu, int32_t thread)
{
	const struct run *r = ctx;
	const struct fan_idle_view view = { r->machine, r->facts };
	struct fan_core_now now;

	if (!look_at_core(&view, r->cores, cpu, thread, &now))
		return;
	fan_blame_see_cpu(r->blame, &now);
}

/* Every CPU has shown what it does: nothing. */
static void begin_truly(struct run *r, struct truth *t)
{
	struct fan_event ev = { .kind = FAN_EV_VCPU, .vcpu.id = -1 };

	*t = (struct truth){ .has_topology = draw(r, 4), .has_cookies = draw(r, 2) };
	r->is_true = true;
	for (int cpu = 0; t->has_topology && cpu < CPUS; cpu++)
		tell(r, "fcap: cpu id=%d siblings=%d,%d", cpu, cpu & ~1, cpu | 1);
	if (t->has_topology)
		fan_machine_watch_cpus(r->machine, see_cpu, NULL, r);
	for (int tid = 1; t->has_cookies && tid <= TIDS; tid++) {
		t->cookie[tid] = draw(r, 3);
		tell(r, "fcap: task tid=%d cookie=0x%x", tid, (unsigned int)t->cookie[tid]);
	}
	for (ev.cpu = 0; ev.cpu < CPUS; ev.cpu++) {
		ev.ts_ns = r->now;
		assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
	}
}

static void of_true_events_the_split_is_the_truth(void **state)
{
	const uint64_t seed = seeded_start() + 1;
	static struct truth t;
	static struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed - 1);
	for (unsigned int i = 0; i < TRUE; i++) {
		begin(&r, seed, i);
		begin_truly(&r, &t);
		for (unsigned int n = 0; n < TRUE_EVENTS; n++)
			true_event(&r, &t);
		assert_int_equal(fan_machine_finish(r.machine, 0), 0);
		check_rows(&r);
	}
	begin(&r, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_happens_pairs_and_sums_are_exact),
		cmocka_unit_test(of_true_events_the_split_is_the_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
