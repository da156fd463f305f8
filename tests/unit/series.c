// SPDX-License-Identifier: GPL-3.0-or-later
/* Windows against sums taken another way; widths are those that the header promises. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/model/series.h"

#define START 123456789ULL /* no multiple of any window */
#define MS    1000000ULL
#define SEC   (1000 * MS)

static struct fan_series *series(void)
{
	struct fan_series *s = fan_series_new();

	assert_non_null(s);
	fan_series_start(s, START);
	return s;
}

/* [from, to) is relative to the start. */
static void add_run(struct fan_series *s, size_t row, uint64_t from, uint64_t to)
{
	assert_int_equal(fan_series_add_run(s, row, START + from, START + to), 0);
}

static void add_wait(struct fan_series *s, size_t row, uint64_t from, uint64_t to)
{
	assert_int_equal(fan_series_add_wait(s, row, START + from, START + to), 0);
}

static uint64_t run_ns(const struct fan_series *s, size_t row, uint64_t w, uint64_t n)
{
	return fan_series_sum(s, row, w, n).run_ns;
}

static void a_span_is_cut_at_window_edges_to_the_nanosecond(void **state)
{
	struct fan_series *s = series();

	(void)state;
	add_run(s, 0, 10 * MS - 3, 30 * MS + 5);
	assert_int_equal(fan_series_width_ns(s), 10 * MS);
	assert_int_equal(run_ns(s, 0, 0, 1), 3);
	assert_int_equal(run_ns(s, 0, 1, 1), 10 * MS);
	assert_int_equal(run_ns(s, 0, 2, 1), 10 * MS);
	assert_int_equal(run_ns(s, 0, 3, 1), 5);
	assert_int_equal(run_ns(s, 0, 4, 1), 0);
	assert_int_equal(run_ns(s, 0, 0, 4), 20 * MS + 8);
	fan_series_free(s);
}

static void a_span_that_fills_a_window_stays_in_it(void **state)
{
	struct fan_series *s = series();

	(void)state;
	add_run(s, 0, 10 * MS, 20 * MS);
	assert_int_equal(run_ns(s, 0, 0, 1), 0);
	assert_int_equal(run_ns(s, 0, 1, 1), 10 * MS);
	assert_int_equal(run_ns(s, 0, 2, 1), 0);
	fan_series_free(s);
}

static void rows_run_and_wait_are_kept_apart(void **state)
{
	struct fan_series *s = series();

	(void)state;
	add_run(s, 3, 0, 4);
	add_wait(s, 3, 4, 11);
	add_run(s, 200, 11, 30);
	assert_int_equal(run_ns(s, 3, 0, 1), 4);
	assert_int_equal(fan_series_sum(s, 3, 0, 1).wait_ns, 7);
	assert_int_equal(run_ns(s, 200, 0, 1), 19);
	assert_int_equal(fan_series_run_ns(s, 3), 4);
	assert_int_equal(fan_series_run_ns(s, 200), 19);
	assert_int_equal(fan_series_run_ns(s, 1000000), 0);
	assert_int_equal(fan_series_sum(s, 200, 0, 1).wait_ns, 0);
	fan_series_free(s);
}

static void what_was_never_added_is_zero(void **state)
{
	struct fan_series *s = series();

	(void)state;
	assert_int_equal(run_ns(s, 0, 0, 10), 0);
	add_run(s, 70, 5 * SEC, 5 * SEC + 1);
	assert_int_equal(run_ns(s, 69, 0, UINT64_MAX), 0);
	assert_int_equal(run_ns(s, 1000000, 0, 10), 0);
	assert_int_equal(run_ns(s, 70, 0, 500), 0);
	assert_int_equal(run_ns(s, 70, 501, UINT64_MAX), 0);
	assert_int_equal(run_ns(s, 70, UINT64_MAX, 1), 0);
	assert_int_equal(run_ns(s, 70, 500, 0), 0);
	assert_int_equal(run_ns(s, 70, 0, UINT64_MAX), 1);
	fan_series_free(s);
}

static void spans_before_the_start_are_refused(void **state)
{
	struct fan_series *s = series();

	(void)state;
	assert_int_equal(fan_series_add_run(s, 0, START - 1, START + 1), -EINVAL);
	assert_int_equal(fan_series_add_wait(s, 0, START - 1, START + 1), -EINVAL);
	add_run(s, 0, 5, 5);
	assert_int_equal(run_ns(s, 0, 0, UINT64_MAX), 0);
	assert_int_equal(fan_series_sum(s, 0, 0, UINT64_MAX).wait_ns, 0);
	fan_series_free(s);
}

static void windows_widen_only_when_the_trace_needs_it(void **state)
{
	/* 16384 windows of the width before still hold a trace that ends here */
	static const struct {
		uint64_t end, width;
	} steps[] = {
		{ 163840 * MS, 10 * MS },	{ 163840 * MS + 1, 20 * MS },
		{ 327680 * MS, 20 * MS },	{ 327680 * MS + 1, 100 * MS },
		{ 1638400 * MS + 1, 200 * MS }, { 3276800 * MS + 1, 1000 * MS },
		{ 16384 * SEC + 1, 2 * SEC },	{ 32768 * SEC + 1, 10 * SEC },
	};
	struct fan_series *s = series();

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		add_run(s, 0, steps[i].end - 1, steps[i].end);
		assert_int_equal(fan_series_width_ns(s), steps[i].width);
		assert_int_equal(run_ns(s, 0, 0, UINT64_MAX), i + 1);
		assert_int_equal(fan_series_run_ns(s, 0), i + 1);
		assert_int_equal(run_ns(s, 0, (steps[i].end - 1) / steps[i].width, 1) > 0, true);
	}
	fan_series_free(s);
}

static void widening_joins_windows_and_keeps_every_sum(void **state)
{
	struct fan_series *s = series();
	const uint64_t period = 7919 * 1000; /* run 3 ms of every 7.919, wait 1 ms */
	uint64_t want[5] = { 0 };

	(void)state;
	for (uint64_t t = 0; t < 400 * SEC; t += period) {
		add_run(s, 1, t, t + 3 * MS);
		add_wait(s, 2, t + 3 * MS, t + 4 * MS);
		/* what of it is in windows 1000 to 1004 of 100 ms, the width at the end */
		for (uint64_t w = 0; w < 5; w++) {
			const uint64_t lo = (1000 + w) * 100 * MS, hi = lo + 100 * MS;
			const uint64_t from = t > lo ? t : lo;
			const uint64_t to = t + 3 * MS < hi ? t + 3 * MS : hi;

			want[w] += to > from ? to - from : 0;
		}
	}
	assert_int_equal(fan_series_width_ns(s), 100 * MS);
	for (uint64_t w = 0; w < 5; w++)
		assert_int_equal(run_ns(s, 1, 1000 + w, 1), want[w]);
	/* 50512 periods begin in 400 s */
	assert_int_equal(run_ns(s, 1, 0, UINT64_MAX), 50512 * 3 * MS);
	assert_int_equal(fan_series_sum(s, 2, 0, UINT64_MAX).wait_ns, 50512 * MS);
	assert_int_equal(run_ns(s, 2, 0, UINT64_MAX), 0);
	fan_series_free(s);
}

static void a_window_in_use_is_found_again_after_widening(void **state)
{
	struct fan_series *s = series();

	(void)state;
	/* 15 ms is in window 1 of 10 ms, then in window 0 of 20 ms */
	add_run(s, 0, 15 * MS, 16 * MS);
	add_run(s, 0, 16 * MS, 200 * SEC);
	assert_int_equal(fan_series_width_ns(s), 20 * MS);
	assert_int_equal(run_ns(s, 0, 0, 1), 5 * MS);
	assert_int_equal(run_ns(s, 0, 1, 1), 20 * MS);
	fan_series_free(s);
}

static void one_span_may_be_longer_than_all_windows(void **state)
{
	struct fan_series *s = series();

	(void)state;
	add_run(s, 0, 7, 7200 * SEC + 11);
	assert_int_equal(fan_series_width_ns(s), SEC);
	assert_int_equal(run_ns(s, 0, 0, 1), SEC - 7);
	assert_int_equal(run_ns(s, 0, 3600, 1), SEC);
	assert_int_equal(run_ns(s, 0, 7200, 1), 11);
	assert_int_equal(run_ns(s, 0, 0, UINT64_MAX), 7200 * SEC + 4);
	fan_series_free(s);
}

static void many_busy_rows_widen_the_windows_too(void **state)
{
	struct fan_series *s = series();

	(void)state;
	/* 600 rows over 6400 windows of 10 ms: 60000 blocks of 64 windows are too many */
	for (uint64_t t = 0; t < 64 * SEC; t += 320 * MS)
		for (size_t row = 0; row < 600; row++)
			add_run(s, row, t, t + row + 1);
	assert_true(fan_series_width_ns(s) > 10 * MS);
	for (size_t row = 0; row < 600; row++)
		assert_int_equal(run_ns(s, row, 0, UINT64_MAX), 200 * (row + 1));
	fan_series_free(s);
}

/*
 * 128 rows may have 21845 + 128 blocks of 64 windows, that is 640 ms, together: number 21973, from
 * 0 on, is one too many. It is of row 85 (21973 = 171 x 128 + 85), like 171 blocks before it.
 */
static void after_a_block_too_many_the_next_span_widens_wherever_it_is(void **state)
{
	struct fan_series *s = series();

	(void)state;
	for (uint64_t i = 0; i <= 21973; i++)
		add_run(s, i % 128, i / 128 * 640 * MS, i / 128 * 640 * MS + 1);
	assert_int_equal(fan_series_width_ns(s), 10 * MS);
	add_run(s, 85, 171 * 640 * MS + 1, 171 * 640 * MS + 2);
	assert_int_equal(fan_series_width_ns(s), 20 * MS);
	assert_int_equal(run_ns(s, 85, 0, UINT64_MAX), 173);
	assert_int_equal(run_ns(s, 85, 171 * 32, 1), 2);
	fan_series_free(s);
}

static void rows_beyond_counting_do_not_widen_for_ever(void **state)
{
	struct fan_series *s = series();

	(void)state;
	/* a build host: more processes than there may be blocks, each alive for a moment */
	for (size_t row = 0; row < 50000; row++)
		add_run(s, row, row * MS, row * MS + 1);
	assert_true(fan_series_width_ns(s) <= 100 * MS);
	for (size_t row = 0; row < 50000; row += 4999)
		assert_int_equal(run_ns(s, row, row * MS / fan_series_width_ns(s), 1), 1);
	fan_series_free(s);
}

/* 7 ns over the 30 ms from 5 ms on: windows get 1/6, 1/3, 1/3, 1/6 of it, together all 7. */
static void an_amount_is_spread_over_windows_and_stays_whole(void **state)
{
	const struct fan_cell amount = { .run_ns = 7, .wait_ns = 90 * MS, .due_ns = 12 };
	struct fan_series *s = series();
	struct fan_cell c;

	(void)state;
	assert_int_equal(fan_series_spread(s, 1, &amount, START + 5 * MS, START + 35 * MS), 0);
	/* up to the edges: 7/6 = 1, 7/2 = 3, 35/6 = 5, 7 */
	assert_int_equal(run_ns(s, 1, 0, 1), 1);
	assert_int_equal(run_ns(s, 1, 1, 1), 2);
	assert_int_equal(run_ns(s, 1, 2, 1), 2);
	assert_int_equal(run_ns(s, 1, 3, 1), 2);
	/* more than the time that passed: a wait is counted when it ends */
	assert_int_equal(fan_series_sum(s, 1, 0, 1).wait_ns, 15 * MS);
	assert_int_equal(fan_series_sum(s, 1, 1, 1).wait_ns, 30 * MS);
	c = fan_series_sum(s, 1, 0, 4);
	assert_int_equal(c.run_ns, 7);
	assert_int_equal(c.wait_ns, 90 * MS);
	assert_int_equal(c.due_ns, 12);
	fan_series_free(s);
}

static void an_amount_of_no_time_or_before_the_start_is_refused(void **state)
{
	const struct fan_cell amount = { .run_ns = 7 };
	struct fan_series *s = series();

	(void)state;
	assert_int_equal(fan_series_spread(s, 1, &amount, START + 5, START + 5), -EINVAL);
	assert_int_equal(fan_series_spread(s, 1, &amount, START + 6, START + 5), -EINVAL);
	assert_int_equal(fan_series_spread(s, 1, &amount, START - 1, START + 5), -EINVAL);
	assert_int_equal(run_ns(s, 1, 0, 1), 0);
	fan_series_free(s);
}

/* An hour of samples a second: windows that have grown hold as much as was put in. */
static void what_was_spread_survives_wider_windows(void **state)
{
	struct fan_series *s = series();

	(void)state;
	for (uint64_t k = 0; k < 3600; k++) {
		const struct fan_cell amount = { .run_ns = 333333333 + k };

		assert_int_equal(
			fan_series_spread(s, 1, &amount, START + k * SEC, START + (k + 1) * SEC),
			0);
	}
	assert_int_equal(fan_series_widen(s, SEC), 0);
	assert_int_equal(fan_series_width_ns(s), SEC);
	for (uint64_t k = 0; k < 3600; k++)
		assert_int_equal(run_ns(s, 1, k, 1), 333333333 + k);
	fan_series_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_span_is_cut_at_window_edges_to_the_nanosecond),
		cmocka_unit_test(a_span_that_fills_a_window_stays_in_it),
		cmocka_unit_test(rows_run_and_wait_are_kept_apart),
		cmocka_unit_test(what_was_never_added_is_zero),
		cmocka_unit_test(spans_before_the_start_are_refused),
		cmocka_unit_test(windows_widen_only_when_the_trace_needs_it),
		cmocka_unit_test(widening_joins_windows_and_keeps_every_sum),
		cmocka_unit_test(a_window_in_use_is_found_again_after_widening),
		cmocka_unit_test(one_span_may_be_longer_than_all_windows),
		cmocka_unit_test(many_busy_rows_widen_the_windows_too),
		cmocka_unit_test(after_a_block_too_many_the_next_span_widens_wherever_it_is),
		cmocka_unit_test(rows_beyond_counting_do_not_widen_for_ever),
		cmocka_unit_test(an_amount_is_spread_over_windows_and_stays_whole),
		cmocka_unit_test(an_amount_of_no_time_or_before_the_start_is_refused),
		cmocka_unit_test(what_was_spread_survives_wider_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
