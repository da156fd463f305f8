// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Thousands of random schedules, parts of which are lost with a mark, against a second
 * implementation that is as naive as can be: it keeps the true schedule of each CPU, and believes
 * it between two events that follow each other without a loss. Seeded; FCAP_TEST_SEED=N repeats.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/model/machine.h"
#include "tests/lib/seeded.h"

enum { CPUS = 3, TIDS = 7, EVENTS = 200, SEQUENCES = 3000 };

/* An event as it happened; those of a loss are kept from the machine. */
struct happened {
	struct fan_event ev;
	int32_t after; /* who runs on the CPU from then on; 0 is idle */
	bool is_lost;
};

struct run {
	uint64_t seed, random;
	unsigned int sequence;
	struct happened list[EVENTS + CPUS];
	size_t n;
	int32_t cur[CPUS];
	enum { AWAY, READY, RUNS } state[TIDS + 1];
	uint64_t now, losing_to[CPUS];
	/* what the naive one finds */
	uint64_t run_ns[TIDS + 1], idle_ns, unknown_ns, losses;
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

static int32_t any_ready(struct run *r)
{
	const int32_t tid = 1 + (int32_t)draw(r, TIDS);

	return r->state[tid] == READY ? tid : 0;
}

static void make_switch(struct run *r, struct fan_event *ev)
{
	const int32_t prev = r->cur[ev->cpu], next = any_ready(r);

	ev->kind = FAN_EV_SWITCH;
	ev->sw.prev_tid = prev;
	ev->sw.next_tid = next;
	ev->sw.prev_runnable = draw(r, 2);
	ev->sw.prev_comm = ev->sw.next_comm = (struct fan_comm){ "x" };
	if (prev)
		r->state[prev] = ev->sw.prev_runnable ? READY : AWAY;
	if (next)
		r->state[next] = RUNS;
	r->cur[ev->cpu] = next;
}

static void make_wakeup(struct run *r, struct fan_event *ev)
{
	ev->kind = FAN_EV_WAKEUP;
	ev->wakeup.tid = 1 + (int32_t)draw(r, TIDS);
	ev->wakeup.target_cpu = ev->cpu;
	ev->wakeup.comm = (struct fan_comm){ "x" };
	if (r->state[ev->wakeup.tid] == AWAY)
		r->state[ev->wakeup.tid] = READY;
}

/* One more event on this CPU; last: the closing one, which is never lost. */
static void happen(struct run *r, int32_t cpu, bool last)
{
	struct happened *h = &r->list[r->n++];

	memset(h, 0, sizeof(*h));
	r->now += 1 + draw(r, 2000);
	h->ev.ts_ns = r->now;
	h->ev.cpu = cpu;
	h->ev.cur_tid = r->cur[cpu];
	if (!last && draw(r, 25) == 0)
		r->losing_to[cpu] = r->now + draw(r, 20000);
	h->is_lost = !last && r->now <= r->losing_to[cpu];
	if (draw(r, 2))
		make_switch(r, &h->ev);
	else
		make_wakeup(r, &h->ev);
	h->after = r->cur[cpu];
}

static void make_schedule(struct run *r, uint64_t seed, unsigned int sequence)
{
	memset(r, 0, sizeof(*r));
	r->seed = seed;
	r->sequence = sequence;
	r->random = seed + sequence * 0x632be59bd9b4e019ULL;
	for (unsigned int i = 0; i < EVENTS; i++)
		happen(r, (int32_t)draw(r, CPUS), false);
	for (int32_t cpu = 0; cpu < CPUS; cpu++)
		happen(r, cpu, true);
}

/* The events of one CPU, each held against the one before it. */
static void count_naively(struct run *r, int32_t cpu, uint64_t start, uint64_t end)
{
	const struct happened *last = NULL;
	bool has_loss = false;

	for (size_t i = 0; i < r->n; i++) {
		const struct happened *h = &r->list[i];
		const uint64_t since = last ? last->ev.ts_ns : start;
		/* before the first event the CPU ran what that event finds there */
		const int32_t who = last ? last->after : h->ev.cur_tid;

		if (h->ev.cpu != cpu)
			continue;
		has_loss |= h->is_lost;
		if (h->is_lost)
			continue;
		r->losses += has_loss;
		if (has_loss)
			r->unknown_ns += h->ev.ts_ns - since;
		else
			*(who ? &r->run_ns[who] : &r->idle_ns) += h->ev.ts_ns - since;
		last = h;
		has_loss = false;
	}
	*(last->after ? &r->run_ns[last->after] : &r->idle_ns) += end - last->ev.ts_ns;
}

struct heard {
	uint64_t idle_ns, unknown_ns;
};

static int listen(void *ctx, const struct fan_span *s, const struct fan_thread *th)
{
	struct heard *heard = ctx;

	(void)th;
	if (s->thread == FAN_CPU_IDLE)
		heard->idle_ns += s->t1_ns - s->t0_ns;
	if (s->thread == FAN_CPU_UNKNOWN)
		heard->unknown_ns += s->t1_ns - s->t0_ns;
	return 0;
}

static void feed_what_is_left(struct run *r, struct fan_machine *m)
{
	bool has_loss[CPUS] = { false };

	for (size_t i = 0; i < r->n; i++) {
		struct happened *h = &r->list[i];

		has_loss[h->ev.cpu] |= h->is_lost;
		if (h->is_lost)
			continue;
		h->ev.missed = has_loss[h->ev.cpu] ? -1 : 0;
		has_loss[h->ev.cpu] = false;
		assert_int_equal(fan_machine_feed(m, &h->ev), 0);
	}
	assert_int_equal(fan_machine_finish(m, 0), 0);
}

static void check(struct run *r, const struct fan_threads *threads, const struct fan_machine *m,
		  const struct heard *heard)
{
	for (int32_t cpu = 0; cpu < CPUS; cpu++)
		count_naively(r, cpu, fan_machine_start(m), fan_machine_end(m));
	law(r, fan_machine_counts(m)->losses == r->losses, "not all losses are counted");
	law(r, heard->unknown_ns == r->unknown_ns, "another time of the CPUs is unknown");
	law(r, heard->idle_ns == r->idle_ns, "the CPUs idled longer or shorter");
	for (int32_t tid = 1; tid <= TIDS; tid++) {
		const int32_t i = fan_threads_find(threads, tid);
		const uint64_t run_ns = i < 0 ? 0 : fan_threads_at(threads, (size_t)i)->run_ns;

		law(r, run_ns == r->run_ns[tid], "a thread ran longer or shorter");
	}
}

static void what_was_not_lost_is_told_as_it_was(void **state)
{
	const uint64_t seed = seeded_start();
	static struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < SEQUENCES; i++) {
		struct fan_threads *threads = fan_threads_new();
		struct fan_machine *m = NULL;
		struct heard heard = { 0 };

		make_schedule(&r, seed, i);
		assert_int_equal(fan_machine_new(&m, threads, listen, &heard), 0);
		feed_what_is_left(&r, m);
		check(&r, threads, m, &heard);
		fan_machine_free(m);
		fan_threads_free(threads);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_not_lost_is_told_as_it_was),
	};

	return cmocka_run_group_tests_name("machine losses", tests, NULL, NULL);
}
