// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Laws of what an observer is shown, whatever the events say: it adds up to the sums that remain,
 * and stretches in the guest lie in the run that they are of. Seeded; FCAP_TEST_SEED=N repeats a
 * run.
 */
#include <stdio.h>

#include "analyze/model/observer.h"
#include "tests/unit/vcpu_random.h"

enum { SEQUENCES = 2000, THREADS = 64, STATES = FAN_ST_DEAD + 1 };

/* One thread as it was shown; from and to enclose the stretches in the guest since its last span.
 */
struct shown {
	uint64_t ns[STATES], guest_ns, from, to;
};

struct watcher {
	struct run r;
	struct fan_observer observer;
	struct shown threads[THREADS];
	uint64_t exits, exit_ns, off_ns, guests;
};

static int see_span(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct watcher *w = ctx;
	struct shown *s;

	(void)th;
	if (span->thread < 0)
		return 0;
	law(&w->r, span->thread < THREADS, "there are more threads than the test has room for");
	s = &w->threads[span->thread];
	s->ns[span->state] += span->t1_ns - span->t0_ns;
	if (s->to) {
		law(&w->r, span->state == FAN_ST_RUN, "it was in its guest without running");
		law(&w->r, span->t0_ns <= s->from && s->to <= span->t1_ns,
		    "it was in its guest before or after it ran");
	}
	s->to = 0;
	return 0;
}

static int see_exit(void *ctx, const struct fan_exit *exit, const struct fan_thread *th,
		    uint64_t from_ns)
{
	struct watcher *w = ctx;

	law(&w->r, from_ns + exit->ns <= fan_machine_end(w->r.machine), "an exit is not over");
	law(&w->r, exit->account == th->account, "an exit is of another account");
	w->exits++;
	w->exit_ns += exit->ns;
	w->off_ns += exit->off_cpu_ns;
	return 0;
}

static int see_guest(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns)
{
	struct watcher *w = ctx;
	struct shown *s = &w->threads[th->index];

	law(&w->r, t0_ns < t1_ns, "a stretch in the guest is empty");
	law(&w->r, !s->to || s->to <= t0_ns, "stretches in the guest overlap");
	s->from = s->to ? s->from : t0_ns;
	s->to = t1_ns;
	s->guest_ns += t1_ns - t0_ns;
	w->guests++;
	return 0;
}

static void check_thread(const struct watcher *w, const struct fan_thread *th)
{
	const struct shown *s = &w->threads[th->index];
	const uint64_t *ns = s->ns;

	law(&w->r, ns[FAN_ST_RUN] == th->run_ns, "runs do not add up");
	law(&w->r, ns[FAN_ST_WAIT] == th->wait_ns + th->stale_ns, "waits do not add up");
	law(&w->r, ns[FAN_ST_UNSEEN] + ns[FAN_ST_UNKNOWN] == th->unknown_ns,
	    "unknown time does not add up");
	law(&w->r, ns[FAN_ST_NEW] + ns[FAN_ST_BLOCKED] + ns[FAN_ST_DEAD] == th->blocked_ns,
	    "sleeps do not add up");
	law(&w->r, s->guest_ns <= (th->vcpu ? th->vcpu->ns[FAN_MODE_GUEST] : 0),
	    "it was in its guest for longer than its sum says");
}

static void check_exits(const struct watcher *w)
{
	const struct fan_kvm *k = fan_machine_kvm(w->r.machine);
	uint64_t count = 0, total = 0, off = 0;

	for (size_t a = 0; a < fan_accounts_count(w->r.threads); a++) {
		size_t n;
		const struct fan_exit_sum *e = fan_exits_of(k->exits, a, &n);

		for (size_t i = 0; i < n; i++) {
			count += e[i].ns.n;
			total += e[i].ns.sum;
			off += e[i].off_cpu_ns;
		}
	}
	law(&w->r, count == w->exits, "not every exit was shown once");
	law(&w->r, total == w->exit_ns && off == w->off_ns, "exits do not add up");
}

static void watch(struct watcher *w, uint64_t seed, unsigned int sequence)
{
	struct run *r = &w->r;

	*w = (struct watcher){ .r = { .seed = seed, .sequence = sequence, .step = 2000 } };
	w->observer = (struct fan_observer){ .exit = see_exit, .guest = see_guest, .ctx = w };
	r->random = seed + sequence * 0x632be59bd9b4e019ULL;
	r->now = 1000 + draw(r, 1000000000);
	r->threads = fan_threads_new();
	assert_non_null(r->threads);
	assert_int_equal(fan_machine_new(&r->machine, r->threads, see_span, w), 0);
	fan_machine_observe(r->machine, &w->observer);
}

static void what_is_shown_adds_up_to_the_sums(void **state)
{
	const uint64_t seed = seeded_start();
	uint64_t exits = 0, guests = 0;
	struct watcher w;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < SEQUENCES; i++) {
		watch(&w, seed, i);
		if (draw(&w.r, 3) == 0)
			fan_machine_clip(w.r.machine, w.r.now + draw(&w.r, 100000),
					 w.r.now + 100000 + draw(&w.r, 300000));
		for (unsigned int n = 0; n < EVENTS; n++) {
			w.r.now += draw(&w.r, w.r.step);
			any_event(&w.r);
		}
		assert_int_equal(fan_machine_finish(w.r.machine, 0), 0);
		for (size_t t = 0; t < fan_threads_count(w.r.threads); t++)
			check_thread(&w, fan_threads_at(w.r.threads, t));
		check_exits(&w);
		exits += w.exits;
		guests += w.guests;
		release(&w.r);
	}
	/* the laws have been asked of something */
	assert_true(exits > SEQUENCES / 10 && guests > SEQUENCES / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_shown_adds_up_to_the_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
