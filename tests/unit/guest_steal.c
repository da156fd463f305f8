// SPDX-License-Identifier: GPL-3.0-or-later
/* Steal time as the guests told it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/model/guest_steal.h"

#define MS 1000000ULL

static int take(struct fan_guests *g, uint64_t ts_ns, const char *text)
{
	char copy[200];
	struct fcap_marker line;

	snprintf(copy, sizeof(copy), "%s", text);
	assert_int_equal(fcap_marker_parse(copy, &line), 0);
	return fan_guests_take(g, &line, ts_ns);
}

static void rises_add_up_over_the_virtual_cpus(void **state)
{
	struct fan_guests *g = fan_guests_new();
	struct fan_guest_sum s;

	(void)state;
	take(g, 0, "fcap: guest vm=a cpu=0 steal=5000000 resolution_ns=1000000");
	take(g, 0, "fcap: guest vm=a cpu=1 steal=0 resolution_ns=10000000");
	take(g, 0, "fcap: guest vm=b cpu=0 steal=0");
	take(g, 100 * MS, "fcap: guest vm=a cpu=0 steal=25000000 resolution_ns=1000000");
	take(g, 100 * MS, "fcap: guest vm=a cpu=1 steal=30000000 resolution_ns=10000000");
	take(g, 200 * MS, "fcap: guest vm=a cpu=0 steal=26000000 resolution_ns=1000000");
	s = fan_guests_of(g, "a");
	/* 20 + 1 ms of CPU 0, 30 ms of CPU 1 */
	assert_int_equal(s.ns, 51 * MS);
	assert_int_equal(s.intervals, 3);
	assert_int_equal(s.backwards, 0);
	assert_int_equal(s.jumps, 0);
	assert_int_equal(s.resolution_ns, 10 * MS);
	assert_int_equal(fan_guests_of(g, "b").intervals, 0);
	assert_int_equal(fan_guests_of(g, "c").ns, 0);
	fan_guests_free(g);
}

static void steps_back_and_jumps_are_left_out(void **state)
{
	struct fan_guests *g = fan_guests_new();
	struct fan_guest_sum s;

	(void)state;
	take(g, 0, "fcap: guest vm=a cpu=0 steal=50000000");
	take(g, 100 * MS, "fcap: guest vm=a cpu=0 steal=10000000");
	take(g, 200 * MS, "fcap: guest vm=a cpu=0 steal=20000000");
	/* at most 100 ms + 5 % + two steps of 10 ms in 100 ms: 125 */
	take(g, 300 * MS, "fcap: guest vm=a cpu=0 steal=145000000");
	take(g, 400 * MS, "fcap: guest vm=a cpu=0 steal=270000001");
	take(g, 500 * MS, "fcap: guest vm=a cpu=0 steal=18446744073709551615");
	s = fan_guests_of(g, "a");
	assert_int_equal(s.intervals, 5);
	assert_int_equal(s.backwards, 1);
	assert_int_equal(s.jumps, 2);
	assert_int_equal(s.ns, (10 + 125) * MS);
	fan_guests_free(g);
}

static void a_guest_that_counts_no_steal_tells_nothing(void **state)
{
	struct fan_guests *g = fan_guests_new();

	(void)state;
	take(g, 0, "fcap: guest vm=a cpu=0 steal=0 resolution_ns=10000000 uncounted=1");
	take(g, 100 * MS, "fcap: guest vm=a cpu=0 steal=0 resolution_ns=10000000 uncounted=1");
	assert_int_equal(fan_guests_of(g, "a").intervals, 0);
	assert_int_equal(fan_guests_of(g, "a").resolution_ns, 0);
	fan_guests_free(g);
}

static void malformed_lines_are_refused_and_others_passed_over(void **state)
{
	struct fan_guests *g = fan_guests_new();

	(void)state;
	assert_int_equal(take(g, 0, "fcap: steal tid=1 run=1 delay=1 n=1"), 0);
	assert_int_equal(take(g, 0, "fcap: guest cpu=0 steal=1"), -EINVAL);
	assert_int_equal(take(g, 0, "fcap: guest vm=a steal=1"), -EINVAL);
	assert_int_equal(take(g, 0, "fcap: guest vm=a cpu=0 steal=-1"), -EINVAL);
	assert_int_equal(take(g, 0, "fcap: guest vm=a cpu=0 steal=1 resolution_ns=x"), -EINVAL);
	fan_guests_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rises_add_up_over_the_virtual_cpus),
		cmocka_unit_test(steps_back_and_jumps_are_left_out),
		cmocka_unit_test(a_guest_that_counts_no_steal_tells_nothing),
		cmocka_unit_test(malformed_lines_are_refused_and_others_passed_over),
	};

	return cmocka_run_group_tests_name("guest steal", tests, NULL, NULL);
}
