// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/trigger_gate: which crossing makes a file. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "capture/trigger_gate.h"

static const struct cap_rule rule = { .span_ns = 100 };

static enum cap_gate_word cross(struct cap_gate *g, uint64_t at_ns, bool is_again)
{
	const struct cap_crossing c = { &rule, "vm1", 1, at_ns, is_again };

	return cap_gate_cross(g, &c);
}

static void the_first_crossing_makes_a_file_and_the_next_ones_join_it(void **state)
{
	struct cap_gate g = { .max_saves = 2 };

	(void)state;
	cap_gate_open(&g, 1000);
	assert_int_equal(cross(&g, 1100, false), CAP_GATE_BEGINS);
	assert_int_equal(g.state, CAP_GATE_PENDING);
	assert_int_equal(cross(&g, 1110, false), CAP_GATE_JOINS);
	assert_int_equal(g.unsaved_busy + g.unsaved_full, 0);
}

static void a_crossing_waits_until_the_rings_hold_its_span(void **state)
{
	struct cap_gate g = { .max_saves = 2 };

	(void)state;
	assert_int_equal(cross(&g, 900, false), CAP_GATE_WAITS); /* not even switched on */
	cap_gate_open(&g, 1000);
	assert_int_equal(cross(&g, 1099, true), CAP_GATE_WAITS);
	assert_int_equal(g.unsaved_busy, 1);
	assert_int_equal(cross(&g, 1100, true), CAP_GATE_BEGINS);
	assert_int_equal(g.unsaved_busy, 0);
}

static void a_crossing_while_a_file_is_made_is_counted_unless_it_lasts(void **state)
{
	struct cap_gate g = { .max_saves = 2 };

	(void)state;
	cap_gate_open(&g, 1000);
	cross(&g, 1100, false);
	cap_gate_shut(&g);
	assert_int_equal(cross(&g, 1120, false), CAP_GATE_WAITS);
	assert_int_equal(cross(&g, 1130, false), CAP_GATE_WAITS); /* another one, soon over */
	assert_int_equal(g.unsaved_busy, 2);
	assert_true(cap_gate_saved(&g));
	cap_gate_open(&g, 1200);
	assert_int_equal(cross(&g, 1300, true), CAP_GATE_BEGINS);
	assert_int_equal(g.unsaved_busy, 1);
}

static void after_the_last_file_crossings_are_only_counted(void **state)
{
	struct cap_gate g = { .max_saves = 2 };

	(void)state;
	for (uint64_t i = 0; i < 2; i++) {
		cap_gate_open(&g, 1000 * i);
		assert_int_equal(cross(&g, 1000 * i + 100, false), CAP_GATE_BEGINS);
		cap_gate_shut(&g);
		assert_int_equal(cap_gate_saved(&g), i == 0);
	}
	assert_int_equal(g.state, CAP_GATE_OVER);
	assert_int_equal(cross(&g, 5000, false), CAP_GATE_COUNTS);
	assert_int_equal(cross(&g, 6000, false), CAP_GATE_COUNTS);
	assert_int_equal(g.unsaved_full, 2);
	assert_int_equal(g.saves, 2);
}

static void one_that_waited_for_the_last_file_is_counted_once(void **state)
{
	struct cap_gate g = { .max_saves = 1 };

	(void)state;
	cap_gate_open(&g, 1000);
	cross(&g, 1100, false);
	cap_gate_shut(&g);
	assert_int_equal(cross(&g, 1120, false), CAP_GATE_WAITS);
	assert_false(cap_gate_saved(&g));
	assert_int_equal(cross(&g, 1140, true), CAP_GATE_COUNTS);
	assert_int_equal(g.unsaved_busy, 0);
	assert_int_equal(g.unsaved_full, 1);
}

static void where_no_file_can_be_made_crossings_are_only_counted(void **state)
{
	struct cap_gate g = { .max_saves = 9 };

	(void)state;
	cap_gate_open(&g, 1000);
	cap_gate_end(&g);
	assert_int_equal(cross(&g, 1100, false), CAP_GATE_COUNTS);
	assert_int_equal(g.unsaved_full, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_crossing_makes_a_file_and_the_next_ones_join_it),
		cmocka_unit_test(a_crossing_waits_until_the_rings_hold_its_span),
		cmocka_unit_test(a_crossing_while_a_file_is_made_is_counted_unless_it_lasts),
		cmocka_unit_test(after_the_last_file_crossings_are_only_counted),
		cmocka_unit_test(one_that_waited_for_the_last_file_is_counted_once),
		cmocka_unit_test(where_no_file_can_be_made_crossings_are_only_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
