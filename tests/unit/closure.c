// SPDX-License-Identifier: GPL-3.0-or-later
/* Which intervals of the kernel's counters are compared, and which are left out. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/model/closure.h"

#define MS 1000000ULL

struct rig {
	struct fan_threads *threads;
	struct fan_closure *closure;
};

static struct rig new_rig(void)
{
	struct rig r = { fan_threads_new(), fan_closure_new() };

	assert_int_equal(fan_threads_add(r.threads, 7, 0), 0);
	return r;
}

static void free_rig(struct rig r)
{
	fan_closure_free(r.closure);
	fan_threads_free(r.threads);
}

/* The trace says the same as the counters, so that only what the counters do matters. */
static void sample(struct rig r, uint64_t ms, uint64_t run_ms, uint64_t delay_ms, uint64_t n)
{
	struct fan_thread *th = fan_threads_at(r.threads, 0);
	char text[120];
	struct fcap_marker line;

	th->arrived_wait_ns = delay_ms * MS;
	th->arrivals = n;
	snprintf(text, sizeof(text), "fcap: steal tid=7 run=%llu delay=%llu n=%llu",
		 (unsigned long long)(run_ms * MS), (unsigned long long)(delay_ms * MS),
		 (unsigned long long)n);
	assert_int_equal(fcap_marker_parse(text, &line), 0);
	assert_int_equal(fan_closure_take(r.closure, r.threads, 0, &line, ms * MS), 0);
}

static void steps_back_are_left_out_and_counted(void **state)
{
	const struct rig r = new_rig();
	struct fan_closure_sum s;

	(void)state;
	sample(r, 0, 100, 50, 10);
	sample(r, 100, 140, 90, 11);
	sample(r, 200, 140, 20, 12); /* delay */
	sample(r, 300, 130, 30, 13); /* run */
	sample(r, 400, 150, 60, 14);
	s = fan_closure_of(r.closure, 0);
	assert_int_equal(s.intervals, 4);
	assert_int_equal(s.backwards, 2);
	assert_int_equal(s.jumps, 0);
	assert_int_equal(s.comparable, 2);
	assert_int_equal(s.counter_ns, (40 + 30) * MS);
	assert_int_equal(s.counter_all_ns, 70 * MS);
	free_rig(r);
}

static void more_than_can_have_passed_is_a_jump(void **state)
{
	const struct rig r = new_rig();
	struct fan_closure_sum s;

	(void)state;
	sample(r, 0, 0, 0, 1);
	sample(r, 100, 0, 90, 2);
	/* since the last arrival, which was after 0: 200 ms + 5 % + 10 ms may have been waited */
	sample(r, 200, 0, 310, 3);   /* 220: just */
	sample(r, 300, 0, 531, 4);   /* since 100: 221 */
	sample(r, 400, 116, 540, 5); /* 116 ms on a CPU in 100 ms, 115 could be */
	sample(r, 500, 231, 550, 6);
	s = fan_closure_of(r.closure, 0);
	assert_int_equal(s.intervals, 5);
	assert_int_equal(s.jumps, 2);
	assert_int_equal(s.comparable, 3);
	assert_int_equal(s.counter_ns, (90 + 220 + 10) * MS);
	free_rig(r);
}

/* A wait counts when it ends: a starved thread's counter stands still, then rises by all of it. */
static void a_long_wait_is_no_jump(void **state)
{
	const struct rig r = new_rig();

	(void)state;
	sample(r, 0, 0, 0, 1);
	sample(r, 100, 10, 10, 2);
	sample(r, 200, 10, 10, 2);
	sample(r, 5000, 20, 4900, 3);
	assert_int_equal(fan_closure_of(r.closure, 0).jumps, 0);
	assert_int_equal(fan_closure_of(r.closure, 0).counter_ns, 4900 * MS);
	free_rig(r);
}

/* What it had waited before the first sample nobody knows. */
static void the_first_arrival_may_end_a_wait_of_any_length(void **state)
{
	const struct rig r = new_rig();

	(void)state;
	sample(r, 100000, 0, 0, 1);
	sample(r, 100100, 10, 40000, 2);
	assert_int_equal(fan_closure_of(r.closure, 0).jumps, 0);
	free_rig(r);
}

/*
 * A gap between 0 and 100 makes the thread unknown, and it is so until an event between 100 and
 * 200 shows it in a queue: how much of that it waited the trace cannot tell. From 200 on it can.
 */
static void an_interval_that_begins_with_the_thread_unknown_is_not_compared(void **state)
{
	const struct rig r = new_rig();
	struct fan_thread *th = fan_threads_at(r.threads, 0);
	struct fan_closure_sum s;

	(void)state;
	sample(r, 0, 0, 0, 1);
	th->breaks = 1;
	th->state = FAN_ST_UNKNOWN;
	sample(r, 100, 10, 20, 2);
	th->state = FAN_ST_WAIT;
	sample(r, 200, 20, 50, 3);
	sample(r, 300, 30, 57, 4);
	s = fan_closure_of(r.closure, 0);
	assert_int_equal(s.intervals, 3);
	assert_int_equal(s.comparable, 1);
	assert_int_equal(s.counter_ns, 7 * MS);
	assert_int_equal(s.counter_all_ns, 57 * MS);
	free_rig(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_back_are_left_out_and_counted),
		cmocka_unit_test(more_than_can_have_passed_is_a_jump),
		cmocka_unit_test(a_long_wait_is_no_jump),
		cmocka_unit_test(the_first_arrival_may_end_a_wait_of_any_length),
		cmocka_unit_test(an_interval_that_begins_with_the_thread_unknown_is_not_compared),
	};

	return cmocka_run_group_tests_name("closure", tests, NULL, NULL);
}
