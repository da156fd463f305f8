// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Laws of vCPU time by window: whatever the events say, the parts of each window add up to its
 * length times the threads alive in it, and those of all windows to the sums of the threads.
 */
#include <stdio.h>
#include <string.h>

#include "analyze/model/vcpu_windows.h"
#include "tests/unit/vcpu_random.h"

#define MS 1000000ULL

enum { SEQUENCES = 1500, THREADS = 400, WINDOWS = 200 };

struct windows {
	struct run run;
	struct fan_parties *parties;
	struct fan_series *series;
	struct fan_vcpu_windows *w;
	struct fan_watch watch;
	uint64_t from, to;
	uint64_t edge;		   /* the last end of a window of 10 ms */
	uint64_t lived[THREADS];   /* of each vCPU thread up to there */
	bool is_known[THREADS];	   /* it was a vCPU by then */
	int64_t expected[WINDOWS]; /* of all vCPU threads, in windows of 10 ms */
};

static int ignore_waiting(void *ctx, uint64_t now_ns, int32_t account, int waiting)
{
	(void)ctx;
	(void)now_ns;
	(void)account;
	(void)waiting;
	return 0;
}

static int ignore_runnable(void *ctx, uint64_t now_ns, int32_t account, int runnable, int waiting)
{
	(void)ctx;
	(void)now_ns;
	(void)account;
	(void)runnable;
	(void)waiting;
	return 0;
}

static int ignore_idle(void *ctx, uint64_t now_ns, int change)
{
	(void)ctx;
	(void)now_ns;
	(void)change;
	return 0;
}

static int note_vcpu(void *ctx, uint64_t now_ns, int32_t thread)
{
	const struct windows *t = ctx;

	(void)now_ns;
	return fan_parties_note(t->parties, thread) < 0 ? -1 : 0;
}

static void open_windows(struct windows *t, uint64_t seed, unsigned int sequence)
{
	struct run *r = &t->run;

	memset(t, 0, sizeof(*t));
	begin(r, seed, sequence);
	r->step = 1 * MS;
	t->parties = fan_parties_new(r->threads, NULL);
	t->series = fan_series_new();
	t->w = fan_vcpu_windows_new(r->threads, t->parties, t->series);
	t->watch = (struct fan_watch){ .runnable = ignore_runnable,
				       .waiting = ignore_waiting,
				       .idle = ignore_idle,
				       .vcpu = note_vcpu,
				       .ctx = t };
	fan_machine_watch(r->machine, &t->watch);
	t->from = t->edge = r->now + draw(r, 2) * draw(r, 30 * MS);
	t->to = draw(r, 2) ? UINT64_MAX : r->now + 60 * MS + draw(r, 60 * MS);
	fan_machine_clip(r->machine, t->from, t->to);
	fan_machine_begin(r->machine, r->now);
	fan_series_start(t->series, t->from);
	fan_vcpu_windows_begin(t->w, t->from);
}

static void close_windows(struct windows *t)
{
	fan_vcpu_windows_free(t->w);
	fan_series_free(t->series);
	fan_parties_free(t->parties);
	release(&t->run);
}

static uint64_t within(const struct windows *t, uint64_t at)
{
	return at < t->from ? t->from : at > t->to ? t->to : at;
}

/* Of the analysed time the thread was alive so long before at. */
static uint64_t life_until(const struct windows *t, const struct fan_thread *th, uint64_t at)
{
	const uint64_t end = th->state == FAN_ST_DEAD && th->since_ns < at ? th->since_ns : at;
	const uint64_t from = within(t, th->birth_ns), to = within(t, end);

	return to > from ? to - from : 0;
}

static void expect(struct windows *t, uint64_t window_end, int64_t ns)
{
	const uint64_t i = (window_end - t->from - 1) / (10 * MS);

	law(&t->run, i < WINDOWS, "the test has too few windows");
	t->expected[i] += ns;
}

/* What the windows that end at at must hold more: who is new lived in earlier ones too. */
static void expect_lives(struct windows *t, uint64_t at)
{
	const int32_t *thread;
	const size_t n = fan_parties_vcpus(t->parties, &thread);

	for (size_t i = 0; i < n; i++) {
		const struct fan_thread *th = fan_threads_at(t->run.threads, (size_t)thread[i]);
		uint64_t e = t->is_known[thread[i]] ? at : t->from + 10 * MS;

		law(&t->run, thread[i] < THREADS, "the test has too few threads");
		for (; t->lived[thread[i]] != life_until(t, th, at); e += 10 * MS) {
			const uint64_t now = life_until(t, th, e < at ? e : at);

			expect(t, e < at ? e : at, (int64_t)(now - t->lived[thread[i]]));
			t->lived[thread[i]] = now;
		}
		t->is_known[thread[i]] = true;
	}
}

static void take_until(struct windows *t, uint64_t now)
{
	assert_int_equal(fan_parties_review(t->parties), 0);
	while (t->edge + 10 * MS <= now && t->edge + 10 * MS <= t->to) {
		t->edge += 10 * MS;
		expect_lives(t, t->edge);
		assert_int_equal(fan_vcpu_windows_take(t->w, t->edge), 0);
	}
}

/* Any events, the windows ended in between; sometimes the series has to widen. */
static void run_through(struct windows *t)
{
	struct run *r = &t->run;
	const uint64_t widens = draw(r, 3 * EVENTS);
	uint64_t end;

	for (uint64_t n = 0; n < EVENTS; n++) {
		r->now += draw(r, r->step);
		if (r->now > t->to)
			break;
		take_until(t, r->now);
		if (n == widens)
			assert_int_equal(
				fan_series_add_run(t->series, 0, t->from,
						   t->from + (draw(r, 2) ? 200 : 400) * 1000 * MS),
				0);
		any_event(r);
	}
	end = r->now + draw(r, 30 * MS);
	take_until(t, end);
	assert_int_equal(fan_machine_finish(r->machine, end), 0);
	end = end < t->to ? end : t->to;
	if (end > t->from)
		expect_lives(t, end);
	assert_int_equal(fan_vcpu_windows_end(t->w, end), 0);
}

static struct fan_vcpu_sums all_rows(const struct windows *t, uint64_t first, uint64_t n)
{
	struct fan_vcpu_sums ret = { { 0 } };

	for (size_t row = 0; row < fan_vcpu_windows_rows(t->w); row++) {
		const struct fan_vcpu_sums s = fan_vcpu_windows_sum(t->w, row, first, n);

		for (size_t i = 0; i < FAN_SUMS; i++)
			ret.ns[i] += s.ns[i];
	}
	return ret;
}

static void check_each_window(const struct windows *t)
{
	const uint64_t per_window = fan_series_width_ns(t->series) / (10 * MS);

	for (uint64_t w = 0; w * per_window < WINDOWS; w++) {
		const struct fan_vcpu_sums s = all_rows(t, w, 1);
		int64_t want = 0, got = 0;

		for (uint64_t i = w * per_window; i < (w + 1) * per_window && i < WINDOWS; i++)
			want += t->expected[i];
		for (size_t i = 0; i < FAN_SUM_HALTED; i++)
			got += s.ns[i];
		law(&t->run, got == want, "a window is not closed");
	}
}

static void check_sums(const struct windows *t)
{
	const struct fan_vcpu_sums all = all_rows(t, 0, UINT64_MAX);
	int64_t want[FAN_SUMS] = { 0 };

	for (size_t i = 0; i < fan_threads_count(t->run.threads); i++) {
		const struct fan_thread *th = fan_threads_at(t->run.threads, i);

		if (!th->is_vcpu)
			continue;
		if (!th->vcpu)
			want[FAN_MODE_UNTOLD] += (int64_t)th->run_ns;
		for (size_t k = 0; th->vcpu && k < FAN_MODES; k++)
			want[k] += (int64_t)th->vcpu->ns[k];
		want[FAN_SUM_WAIT] += (int64_t)th->wait_ns;
		want[FAN_SUM_STALE] += (int64_t)th->stale_ns;
		want[FAN_SUM_BLOCKED] += (int64_t)th->blocked_ns;
		want[FAN_SUM_UNKNOWN] += (int64_t)th->unknown_ns;
		want[FAN_SUM_HALTED] += th->vcpu ? (int64_t)th->vcpu->halted_ns : 0;
	}
	for (size_t i = 0; i < FAN_SUMS; i++)
		law(&t->run, all.ns[i] == want[i], "the windows do not add up to the threads");
}

static void windows_are_closed_whatever_the_events_say(void **state)
{
	const uint64_t seed = seeded_start();
	struct windows *t = malloc(sizeof(*t));

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	assert_non_null(t);
	for (unsigned int i = 0; i < SEQUENCES; i++) {
		open_windows(t, seed, i);
		run_through(t);
		check_each_window(t);
		check_sums(t);
		close_windows(t);
	}
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_closed_whatever_the_events_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
