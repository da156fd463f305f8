// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/calibrate: the order of the runs. That they are made: tests/root/calibrate.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/calibrate.h"

static void runs_with_and_without_events_take_turns_forwards_and_backwards(void **state)
{
	static const bool with[] = { false, true, true, false, false, true, true, false };

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		assert_int_equal(cap_calibrate_turn(i).has_events, with[i]);
		assert_int_equal(cap_calibrate_turn(i).block, i / 2 + 1);
	}
}

/* Their places are 0 3 4 7 8 11 12 15: of four, 0 + 7 on one side and 3 + 4 on the other. */
static void halves_of_the_runs_without_events_have_one_mean_place(void **state)
{
	unsigned int places[3] = { 0 }, n[3] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < 16; i++) {
		const struct cap_turn t = cap_calibrate_turn(i);

		assert_int_equal(t.side == 0, t.has_events);
		assert_true(t.side <= 2);
		places[t.side] += i;
		n[t.side]++;
	}
	assert_int_equal(n[1], 4);
	assert_int_equal(n[2], 4);
	assert_int_equal(places[1], places[2]);
	assert_int_equal(cap_calibrate_turn(0).side, 1);
	assert_int_equal(cap_calibrate_turn(3).side, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_with_and_without_events_take_turns_forwards_and_backwards),
		cmocka_unit_test(halves_of_the_runs_without_events_have_one_mean_place),
	};

	return cmocka_run_group_tests_name("capture_calibrate", tests, NULL, NULL);
}
