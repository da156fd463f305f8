// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A sibling that is silent is taken to run on what it ran; no other one is. Times are in us; what
 * is wanted is worked out beside each test.
 */
#include "analyze/model/isolation_parts.h"
#include "tests/unit/isolated.h"

/*
 * Three siblings. CPU 0 runs a from 0 to 1200 and tells nothing in between. On CPU 1 b and b2
 * follow each other every us: more than FAN_ISO_SPANS of them, so what a does is granted. CPU 2
 * runs c from 0 to 1200, with an event at 400; what comes after it is lost, up to 600. That is no
 * silence: 200 are unknown, and the other 1000 are mixed.
 */
static void what_an_active_sibling_lost_is_unknown_beside_a_silent_one(void **state)
{
	static const uint64_t want[FAN_CORE_CLASSES] = {
		[FAN_CORE_MIXED] = 1000, [FAN_CORE_UNKNOWN] = 200
	};
	struct tb *tb = tb_new(3, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 0, tb_idle, b);
	for (uint64_t t = 1; t < 1200; t++)
		run(tb, 1, t, t % 2 ? b : b2, t % 2 ? b2 : b);
	run(tb, 2, 0, tb_idle, c);
	enter(tb, 2, 400, c);
	tb_missed(tb, 2, 7);
	leave(tb, 2, 600, c);
	run(tb, 0, 1200, a, tb_idle);
	run(tb, 1, 1200, b2, tb_idle);
	run(tb, 2, 1200, c, tb_idle);
	m = isolation_of(tb, "0-2");
	assert_core(m, 0, want);
	fan_model_free(m);
}

/*
 * Nobody switches from 0 to 3000, but a on CPU 0 goes in and out of its guest every us: more than
 * FAN_ISO_MARKS times. b on CPU 1 has events at 2000 and at 2500, and what is between them is lost:
 * 500 are unknown.
 */
static void what_is_lost_is_unknown_beside_a_guest_with_many_exits(void **state)
{
	static const uint64_t want[FAN_CORE_CLASSES] = {
		[FAN_CORE_MIXED] = 2500, [FAN_CORE_UNKNOWN] = 500
	};
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	for (uint64_t t = 1; t < 2999; t += 2) {
		enter(tb, 0, t, a);
		leave(tb, 0, t + 1, a);
	}
	run(tb, 1, 0, tb_idle, b);
	enter(tb, 1, 2000, b);
	tb_missed(tb, 1, 7);
	leave(tb, 1, 2500, b);
	run(tb, 0, 3000, a, tb_idle);
	run(tb, 1, 3000, b, tb_idle);
	m = isolation_of(tb, "0-1");
	assert_core(m, 0, want);
	assert_true(m->isolation->items[0]->marks_full <= 4 * FAN_ISO_MARKS);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_active_sibling_lost_is_unknown_beside_a_silent_one),
		cmocka_unit_test(what_is_lost_is_unknown_beside_a_guest_with_many_exits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
