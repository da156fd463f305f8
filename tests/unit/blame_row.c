// SPDX-License-Identifier: GPL-3.0-or-later
/* A row of "who waited for whom": exact at any size, and at the end of its room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/model/blame_row.h"
#include "tests/unit/row_sum.h"

static uint64_t held(const struct fan_row *row, int32_t holder)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < fan_row_slots(row); i++)
		if (row->slots[i].holder == holder)
			ns += row->slots[i].ns;
	return ns;
}

static void a_thousand_holders_keep_what_they_have(void **state)
{
	struct fan_row_room room = { .slots = 4096 };
	struct fan_row row = { 0 };

	(void)state;
	/* twice: k + 1 and then 2 (k + 1) ns */
	for (int32_t i = 0; i < 2000; i++)
		assert_int_equal(fan_row_add(&row, &room, i % 1000,
					     (uint64_t)(i % 1000 + 1) * (i < 1000 ? 1 : 2)),
				 0);
	assert_int_equal(row.n, 1000);
	for (int32_t i = 0; i < 1000; i++)
		assert_int_equal(held(&row, i), 3 * (i + 1));
	/* 3 x 1000 x 1001 / 2 */
	assert_int_equal(row_sum(&row), 1501500);
	/* 1000 holders are at most three quarters of 2048 slots */
	assert_int_equal(room.slots, 4096 - 2048);
	fan_row_clear(&row, &room);
	assert_int_equal(room.slots, 4096);
}

static void without_room_the_rest_is_unknown_and_told(void **state)
{
	struct fan_row_room room = { .slots = 8 };
	struct fan_row row = { 0 }, other = { 0 };

	(void)state;
	/* eight slots, a quarter of which stays free */
	for (int32_t i = 0; i < 10; i++)
		assert_int_equal(fan_row_add(&row, &room, i, 7), 0);
	assert_int_equal(row.n, 6);
	assert_int_equal(row.other_ns[~FAN_HELD_UNKNOWN], 4 * 7);
	assert_int_equal(room.refused_ns, 4 * 7);
	assert_int_equal(row_sum(&row), 70);
	/* who is in can still get more; another row has no room at all */
	assert_int_equal(fan_row_add(&row, &room, 5, 3), 0);
	assert_int_equal(held(&row, 5), 10);
	assert_int_equal(fan_row_add(&other, &room, 5, 3), 0);
	assert_int_equal(other.other_ns[~FAN_HELD_UNKNOWN], 3);
	fan_row_clear(&row, &room);
}

static void a_merge_moves_everything(void **state)
{
	struct fan_row_room room = { .slots = 64 };
	struct fan_row to = { 0 }, from = { .throttled_ns = 5 };

	(void)state;
	assert_int_equal(fan_row_add(&to, &room, 1, 10), 0);
	assert_int_equal(fan_row_add(&from, &room, 1, 20), 0);
	assert_int_equal(fan_row_add(&from, &room, 2, 30), 0);
	assert_int_equal(fan_row_add(&from, &room, FAN_HELD_MAYBE, 40), 0);
	assert_int_equal(fan_row_merge(&to, &from, &room), 0);
	assert_int_equal(held(&to, 1), 30);
	assert_int_equal(held(&to, 2), 30);
	assert_int_equal(to.other_ns[~FAN_HELD_MAYBE], 40);
	assert_int_equal(to.throttled_ns, 5);
	assert_int_equal(row_sum(&from), 0);
	assert_int_equal(room.slots, 64 - 8);
	fan_row_clear(&to, &room);
}

static bool is_nine(void *ctx, int32_t holder)
{
	(void)ctx;
	return holder == 9;
}

/* Of 1, 1 and 1 ns two are taken, which no part can be: the sum is right all the same. */
static void throttling_takes_exactly_what_it_is_told(void **state)
{
	struct fan_row_room room = { .slots = 64 };
	struct fan_row row = { 0 };

	(void)state;
	for (int32_t i = 1; i <= 3; i++)
		assert_int_equal(fan_row_add(&row, &room, i, 1), 0);
	assert_int_equal(fan_row_add(&row, &room, 9, 100), 0);
	fan_row_throttle(&row, 2, is_nine, NULL);
	assert_int_equal(row.throttled_ns, 2);
	assert_int_equal(held(&row, 1) + held(&row, 2) + held(&row, 3), 1);
	assert_int_equal(held(&row, 9), 100);
	/* who was left with nothing can get more */
	assert_int_equal(fan_row_add(&row, &room, 1, 50), 0);
	assert_int_equal(row_sum(&row), 153);
	/* more than there is: all, its own too */
	fan_row_throttle(&row, UINT64_MAX, is_nine, NULL);
	assert_int_equal(row.throttled_ns, 153);
	assert_int_equal(row_sum(&row), 153);
	fan_row_clear(&row, &room);
}

/* Products beyond 64 bits: half of 2^62 and of 2^61, of which 2^62 + 2^61 is asked for half. */
static void large_times_do_not_overflow(void **state)
{
	struct fan_row_room room = { .slots = 64 };
	struct fan_row row = { 0 };

	(void)state;
	assert_int_equal(fan_row_add(&row, &room, 1, 1ULL << 62), 0);
	assert_int_equal(fan_row_add(&row, &room, 2, 1ULL << 61), 0);
	fan_row_throttle(&row, (1ULL << 61) + (1ULL << 60), is_nine, NULL);
	assert_int_equal(held(&row, 1), 1ULL << 61);
	assert_int_equal(held(&row, 2), 1ULL << 60);
	fan_row_clear(&row, &room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_holders_keep_what_they_have),
		cmocka_unit_test(without_room_the_rest_is_unknown_and_told),
		cmocka_unit_test(a_merge_moves_everything),
		cmocka_unit_test(throttling_takes_exactly_what_it_is_told),
		cmocka_unit_test(large_times_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
