// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Forced idle over random schedules of 2, 4 and 8 siblings, against a scheduler of the test's own
 * that looks at every core at every instant; and the laws that hold between it, idle time and
 * waits. FCAP_TEST_SEED=N repeats a run.
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
#include "analyze/model/forced_idle.h"
#include "tests/lib/seeded.h"
#include "tests/unit/blame_any.h"
#include "tests/unit/timeline_naive.h"

enum { CPUS = 16, TIDS = 24, PARTIES = 5, RUNS = 150, EVENTS = 3000 };

/* What really happened. Thread t is of party t % (PARTIES + 1), the last of these being none. */
struct truth {
	enum { NEVER_SEEN, RUNS_NOW, WAITS, SLEEPS } state[TIDS + 1];
	int32_t queue[TIDS + 1]; /* CPU that it waits for */
	uint64_t cookie[TIDS + 1];
	int32_t cur[CPUS];
	int32_t siblings; /* of a core */
	bool is_far;	  /* siblings are i, i + n and so on, not i, i + 1 */
	bool has_cookies;
	/* the answers; parties and none */
	uint64_t core_ns[CPUS], caused[PARTIES + 1], suffered_ns[PARTIES], any_ns;
	uint64_t run_ns[PARTIES + 1];
	struct naive_stretch stretches[CPUS * EVENTS]; /* CPUs that were forced to idle */
	size_t nstretches;
};

struct run {
	uint64_t seed, random;
	unsigned int sequence;
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_facts *facts;
	struct fan_cores *cores;
	struct fan_parties *parties;
	struct fan_blame *blame;
	struct fan_forced_idle *forced;
	struct fan_timeline *timeline;
	uint64_t begin;		/* of it */
	uint64_t now, from, to; /* what is analysed */
	bool is_absurd;		/* CPUs show other threads than were switched in, events are lost */
	uint64_t idle_ns;	/* of CPUs, as the machine tells */
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

static int32_t party_of(int32_t tid)
{
	return tid % (PARTIES + 1);
}

static int32_t core_of(const struct truth *t, int32_t cpu)
{
	return t->is_far ? cpu % (CPUS / t->siblings) : cpu / t->siblings;
}

static bool waits_for(const struct truth *t, int32_t tid, int32_t cpu)
{
	return t->state[tid] == WAITS && t->queue[tid] == cpu;
}

static bool has_waiter_with(const struct truth *t, int32_t cpu, uint64_t cookie)
{
	for (int32_t tid = 1; tid <= TIDS; tid++)
		if (waits_for(t, tid, cpu) && t->cookie[tid] == cookie)
			return true;
	return false;
}

static bool is_forced(const struct truth *t, int32_t cpu)
{
	bool is_waited_for = false, ret = false;

	for (int32_t tid = 1; tid <= TIDS; tid++)
		is_waited_for |= waits_for(t, tid, cpu);
	for (int32_t other = 0; other < CPUS; other++) {
		const int32_t who = t->cur[other];

		if (core_of(t, other) != core_of(t, cpu) || who == 0)
			continue;
		ret |= !t->has_cookies ||
		       (t->cookie[who] && !has_waiter_with(t, cpu, t->cookie[who]));
	}
	return t->cur[cpu] == 0 && is_waited_for && ret;
}

static void pass_forced(struct truth *t, int32_t cpu, uint64_t ns)
{
	bool suffers[PARTIES + 1] = { false };
	uint64_t occupied = 0, suffering = 0;

	for (int32_t other = 0; other < CPUS; other++)
		occupied += core_of(t, other) == core_of(t, cpu) && t->cur[other];
	for (int32_t other = 0; other < CPUS; other++)
		if (core_of(t, other) == core_of(t, cpu) && t->cur[other])
			t->caused[party_of(t->cur[other])] += ns * FAN_FORCED_PARTS / occupied;
	for (int32_t tid = 1; tid <= TIDS; tid++)
		if (waits_for(t, tid, cpu))
			suffers[party_of(tid)] = true;
	for (int32_t party = 0; party < PARTIES; party++) {
		t->suffered_ns[party] += suffers[party] ? ns : 0;
		suffering += suffers[party];
	}
	t->any_ns += suffering ? ns : 0;
	t->core_ns[core_of(t, cpu)] += ns;
}

/* All is as it is from t0 to t1. */
static void pass(const struct run *r, struct truth *t, uint64_t t0, uint64_t t1)
{
	t0 = t0 > r->from ? t0 : r->from;
	t1 = t1 < r->to ? t1 : r->to;
	for (int32_t cpu = 0; t0 < t1 && cpu < CPUS; cpu++) {
		if (t->cur[cpu])
			t->run_ns[party_of(t->cur[cpu])] += t1 - t0;
		if (!is_forced(t, cpu))
			continue;
		pass_forced(t, cpu, t1 - t0);
		t->stretches[t->nstretches++] = (struct naive_stretch){ cpu, 0, t0, t1 };
	}
}

static int see_span(void *ctx, const struct fan_span *s, const struct fan_thread *th)
{
	struct run *r = ctx;

	r->idle_ns += s->thread == FAN_CPU_IDLE ? s->t1_ns - s->t0_ns : 0;
	return blame_any(r->blame, s, th);
}

static void see_cpu(void *ctx, int32_t cpu, int32_t thread)
{
	const struct run *r = ctx;
	const struct fan_idle_view view = { r->machine, r->facts };
	struct fan_core_now now;

	if (!look_at_core(&view, r->cores, cpu, thread, &now))
		return;
	fan_blame_see_cpu(r->blame, &now);
	fan_forced_idle_see_cpu(r->forced, &now);
}

static void end(struct run *r)
{
	fan_forced_idle_free(r->forced);
	fan_timeline_free(r->timeline);
	fan_blame_free(r->blame);
	fan_parties_free(r->parties);
	fan_machine_free(r->machine);
	fan_facts_free(r->facts);
	fan_cores_free(r->cores);
	fan_threads_free(r->threads);
}

__attribute__((format(printf, 2, 3))) static void tell(struct run *r, const char *fmt, ...)
{
	struct fcap_marker line;
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	assert_int_equal(fcap_marker_parse(text, &line), 0);
	assert_int_equal(fan_facts_take(r->facts, r->machine, r->threads, &line, r->now), 0);
	assert_int_equal(fan_cores_take(r->cores, &line), 0);
}

static void tell_cores(struct run *r, const struct truth *t)
{
	for (int32_t cpu = 0; cpu < CPUS; cpu++) {
		char list[64];
		int at = 0;

		for (int32_t other = 0; other < CPUS; other++)
			if (core_of(t, other) == core_of(t, cpu))
				at += snprintf(list + at, sizeof(list) - (size_t)at, "%s%d",
					       at ? "," : "", other);
		tell(r, "fcap: cpu id=%d siblings=%s", cpu, list);
	}
}

static int32_t account_of(const struct run *r, int32_t tid)
{
	return fan_machine_thread(r->machine, tid)->account;
}

/* All threads are there, each in the account that it is going to have. */
static void begin_parties(struct run *r)
{
	int32_t of_account[2 * TIDS];
	const size_t n = fan_accounts_count(r->threads);

	assert_true(n <= 2 * TIDS);
	for (size_t i = 0; i < n; i++)
		of_account[i] = -1;
	for (int32_t tid = 1; tid <= TIDS; tid++)
		if (party_of(tid) < PARTIES)
			of_account[account_of(r, tid)] = party_of(tid);
	r->parties = fan_parties_new(r->threads, &(struct fan_party_map){ of_account, n, PARTIES });
	r->forced = fan_forced_idle_new(r->machine, r->threads, r->facts, r->cores, r->parties);
	assert_true(r->parties && r->forced);
}

static void begin(struct run *r, struct truth *t)
{
	struct fan_event ev = { .kind = FAN_EV_VCPU, .vcpu.id = -1 };

	r->now = 1000 + draw(r, 1000000000);
	r->threads = fan_threads_new();
	r->facts = fan_facts_new();
	r->cores = fan_cores_new(NULL, 0);
	assert_true(r->threads && r->facts && r->cores);
	assert_int_equal(fan_machine_new(&r->machine, r->threads, see_span, r), 0);
	r->blame = fan_blame_new(r->machine, r->threads, r->facts, false);
	assert_non_null(r->blame);
	*t = (struct truth){ .siblings = 2 << draw(r, 3),
			     .is_far = draw(r, 2),
			     .has_cookies = draw(r, 5) };
	tell_cores(r, t);
	for (int32_t tid = 1; tid <= TIDS; tid++) {
		assert_non_null(fan_machine_thread(r->machine, tid));
		if (!t->has_cookies)
			continue;
		/* parties have cookies of their own, mostly; some threads have none */
		t->cookie[tid] = draw(r, 6) ? (uint64_t)party_of(tid) + 1 : draw(r, 3);
		tell(r, "fcap: task tid=%d cookie=0x%x", tid, (unsigned int)t->cookie[tid]);
	}
	begin_parties(r);
	fan_machine_watch_cpus(r->machine, see_cpu, NULL, r);
	r->from = draw(r, 3) ? 0 : r->now + draw(r, 500000);
	r->to = draw(r, 3) ? UINT64_MAX : r->now + 500000 + draw(r, 500000);
	fan_machine_clip(r->machine, r->from, r->to);
	fan_forced_idle_clip(r->forced, r->from, r->to);
	r->timeline = fan_timeline_new();
	assert_non_null(r->timeline);
	fan_timeline_start(r->timeline, r->from > r->now ? r->from : r->now);
	fan_forced_idle_show(r->forced, r->timeline);
	for (ev.cpu = 0; ev.cpu < CPUS; ev.cpu++) {
		ev.ts_ns = r->now;
		assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
	}
}

static void draw_switch(struct run *r, struct truth *t, struct fan_event *ev)
{
	const int32_t prev = t->cur[ev->cpu];
	int32_t next = draw(r, 3) ? 1 + (int32_t)draw(r, TIDS) : 0;

	/* a running or sleeping one cannot come: idle does */
	if (next && (t->state[next] == RUNS_NOW || t->state[next] == SLEEPS))
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
		t->state[next] = RUNS_NOW;
	t->cur[ev->cpu] = next;
}

static void draw_wakeup(struct run *r, struct truth *t, struct fan_event *ev)
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

static void draw_migration(struct run *r, struct truth *t, struct fan_event *ev)
{
	const int32_t tid = 1 + (int32_t)draw(r, TIDS);

	if (t->state[tid] != WAITS)
		return;
	ev->kind = FAN_EV_MIGRATE;
	ev->migrate.tid = tid;
	ev->migrate.dest_cpu = t->queue[tid] = (int32_t)draw(r, CPUS);
}

static void happen(struct run *r, struct truth *t)
{
	const uint64_t then = r->now;
	struct fan_event ev = { .kind = FAN_EV_VCPU, .vcpu.id = -1 };

	r->now += draw(r, 8) ? draw(r, 500) : 0;
	pass(r, t, then, r->now);
	ev.ts_ns = r->now;
	ev.cpu = (int32_t)draw(r, CPUS);
	ev.cur_tid = t->cur[ev.cpu];
	switch (draw(r, 8)) {
	case 0:
	case 1:
	case 2:
	case 3:
		draw_switch(r, t, &ev);
		break;
	case 4:
	case 5:
		draw_wakeup(r, t, &ev);
		break;
	case 6:
		draw_migration(r, t, &ev);
		break;
	default:
		break;
	}
	if (r->is_absurd && draw(r, 10) == 0)
		ev.cur_tid = (int32_t)draw(r, TIDS + 1);
	if (r->is_absurd && draw(r, 10) == 0 && ev.kind == FAN_EV_SWITCH)
		ev.sw.prev_tid = (int32_t)draw(r, TIDS + 1);
	if (r->is_absurd && draw(r, 50) == 0)
		ev.missed = (int64_t)draw(r, 5) - 1;
	/* behind the end of what is analysed the model feeds nothing */
	if (ev.ts_ns <= r->to)
		assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
}

static void check_truth(const struct run *r, const struct truth *t)
{
	const struct fan_forced_idle *f = r->forced;

	for (int32_t core = 0; core < CPUS / t->siblings; core++)
		law(r, fan_forced_idle_core_ns(f, (size_t)core) == t->core_ns[core],
		    "a core idled for another time");
	for (int32_t party = 0; party < PARTIES; party++) {
		const struct fan_forced_party p = fan_forced_idle_party(f, party);

		law(r, p.caused == t->caused[party], "a party caused another time");
		law(r, p.suffered_ns == t->suffered_ns[party], "a party suffered another time");
	}
	law(r, fan_forced_idle_caused_by_none(f) == t->caused[PARTIES], "none caused another time");
	law(r, fan_forced_idle_suffered_ns(f) == t->any_ns, "any suffered another time");
	law(r, fan_forced_idle_is_bound(f) == (!t->has_cookies && fan_forced_idle_ns(f)),
	    "it is a bound without the cookies, and only then");
	for (int32_t cpu = 0; cpu < CPUS; cpu++)
		law(r,
		    naive_equal(r->timeline, fan_timeline_forced(r->timeline, cpu), t->stretches,
				t->nstretches, (struct naive_stretch){ .cpu = cpu }),
		    "a CPU idled at another time");
}

/* Thread time that a party, or all, waited for CPUs that were forced to idle. */
static uint64_t waited_ns(const struct run *r, int32_t party)
{
	uint64_t sum = 0;

	for (int32_t tid = 1; tid <= TIDS; tid++) {
		const struct fan_row *row = fan_blame_row(r->blame, (size_t)account_of(r, tid));

		if (row && (party < 0 || party_of(tid) == party))
			sum += row->other_ns[~FAN_HELD_FORCED] + row->other_ns[~FAN_HELD_MAYBE];
	}
	return sum;
}

/* These hold whatever happens. */
static void check_sums(const struct run *r)
{
	const struct fan_forced_idle *f = r->forced;
	const uint64_t total = fan_forced_idle_ns(f), any = fan_forced_idle_suffered_ns(f);
	uint64_t caused = fan_forced_idle_caused_by_none(f), suffered = 0, cores = 0;

	for (int32_t party = 0; party < PARTIES; party++) {
		const struct fan_forced_party p = fan_forced_idle_party(f, party);

		caused += p.caused;
		suffered += p.suffered_ns;
		law(r, p.suffered_ns <= any, "a party suffered more than all");
	}
	for (size_t i = 0; i < r->cores->n; i++)
		cores += fan_forced_idle_core_ns(f, i);
	law(r, cores == total, "the cores do not add up");
	law(r, naive_forced_ns(r->timeline) == total, "the bins do not add up");
	law(r, caused == total * FAN_FORCED_PARTS, "the causes do not add up");
	law(r, any <= total && any <= suffered, "more was suffered than there was");
	law(r, total <= r->idle_ns, "more than all idle time");
}

static void check_waits(const struct run *r, const struct truth *t)
{
	const uint64_t most = (uint64_t)(t->siblings - 1) * FAN_FORCED_PARTS;

	for (int32_t party = 0; party < PARTIES; party++) {
		const struct fan_forced_party p = fan_forced_idle_party(r->forced, party);

		law(r, p.suffered_ns <= waited_ns(r, party), "CPU time is more than thread time");
		law(r, p.caused <= most * t->run_ns[party], "caused more than its siblings are");
	}
	law(r, fan_forced_idle_ns(r->forced) <= waited_ns(r, -1), "more than all waited for");
}

static void go_through(struct run *r, struct truth *t)
{
	uint64_t last;

	r->random = r->seed + r->sequence * 0x632be59bd9b4e019ULL;
	begin(r, t);
	for (unsigned int n = 0; n < EVENTS; n++)
		happen(r, t);
	last = r->now < r->to ? r->now : r->to;
	assert_int_equal(fan_machine_finish(r->machine, last), 0);
	assert_int_equal(fan_blame_finish(r->blame), 0);
	assert_int_equal(fan_forced_idle_finish(r->forced, last), 0);
}

static void it_is_the_truth_and_its_laws_hold(void **state)
{
	const uint64_t seed = seeded_start();
	static struct truth t;
	uint64_t seen = 0;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < RUNS; i++) {
		struct run r = { .seed = seed, .sequence = i };

		go_through(&r, &t);
		check_truth(&r, &t);
		check_sums(&r);
		check_waits(&r, &t);
		seen += fan_forced_idle_ns(r.forced) > 0;
		end(&r);
	}
	assert_true(seen > RUNS / 2);
}

static void whatever_happens_the_sums_hold(void **state)
{
	const uint64_t seed = seeded_start() + 1;
	static struct truth t;
	uint64_t seen = 0;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed - 1);
	for (unsigned int i = 0; i < RUNS; i++) {
		struct run r = { .seed = seed, .sequence = i, .is_absurd = true };

		go_through(&r, &t);
		check_sums(&r);
		law(&r, fan_machine_counts(r.machine)->gaps > 0, "nothing absurd happened");
		seen += fan_forced_idle_ns(r.forced) > 0;
		end(&r);
	}
	assert_true(seen > RUNS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_truth_and_its_laws_hold),
		cmocka_unit_test(whatever_happens_the_sums_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
