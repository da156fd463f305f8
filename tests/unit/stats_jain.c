// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/jain: the index, its interval for two groups, and the extremes. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/jain.h"

#define LEVEL 0.95
#define RTOL  1e-10

static void the_index_is_that_of_the_references(void **state)
{
	static const double gap2[] = { 1.02, 1 }, gap18[] = { 1.18, 1 };

	(void)state;
	assert_near(fan_jain((const double[]){ 1, 1, 1, 1 }, 4), expected("jain.equal4"), RTOL);
	assert_near(fan_jain((const double[]){ 1, 0, 0, 0 }, 4), expected("jain.one4"), RTOL);
	assert_near(fan_jain((const double[]){ 10, 20, 30, 40 }, 4), expected("jain.10_20_30_40"),
		    RTOL);
	assert_near(fan_jain((const double[]){ 84.5 / 90, 15.5 / 10 }, 2),
		    expected("jain.weighted_90_10"), RTOL);
	assert_near(fan_jain((const double[]){ 1, 4.0 / 3 }, 2), expected("jain.large"), RTOL);
	assert_near(fan_jain(gap2, 2), expected("jain.gap2"), RTOL);
	assert_near(fan_jain(gap18, 2), expected("jain.gap18"), RTOL);
	/* (1 + 2 + 3)^2 / (3 (1 + 4 + 9)) = 36/42 */
	assert_near(fan_jain((const double[]){ 1, 2, 3 }, 3), 6.0 / 7, 1e-15);
}

static void the_map_from_the_log_ratio_gives_the_same_index(void **state)
{
	(void)state;
	assert_near(fan_jain_of_log_ratio(log(1.02)), expected("jain.gap2"), RTOL);
	assert_near(fan_jain_of_log_ratio(-log(1.18)), expected("jain.gap18"), RTOL);
	assert_near(fan_jain_of_log_ratio(0), 1, 0);
	/* cosh(ln 2) = (2 + 1/2)/2 = 5/4: (1 + 4/5)/2 = 9/10 = (1 + 2)^2 / (2 (1 + 4)) */
	assert_near(fan_jain_of_log_ratio(log(2)), 0.9, 1e-15);
}

static void huge_and_tiny_values_neither_overflow_nor_vanish(void **state)
{
	(void)state;
	assert_near(fan_jain((const double[]){ 1e200, 3e200 }, 2), 0.8, 1e-14);
	assert_near(fan_jain((const double[]){ 1e-200, 3e-200 }, 2), 0.8, 1e-14);
}

/* A log ratio with this interval. */
static struct fan_est log_ratio(double lo, double value, double hi)
{
	struct fan_est e;

	fan_est_init(&e, "log", LEVEL, 1);
	e.value = value;
	e.lo = lo;
	e.hi = hi;
	e.method = "pw-ewc";
	e.n = 300;
	e.df = 8;
	e.flags = FAN_EST_ONE_RUN | FAN_EST_LEVEL_SHIFT;
	return e;
}

/* The gap of a set of runs in percent, as a log. */
static double gap(const char *id)
{
	return log(1 + expected(id) / 100);
}

static void the_interval_of_two_groups_is_that_of_the_references(void **state)
{
	const struct fan_est off = log_ratio(gap("runs.gap_vm1_vm2.off.lo"),
					     expected("runs.gap_vm1_vm2.off.d"),
					     gap("runs.gap_vm1_vm2.off.hi"));
	const struct fan_est on = log_ratio(gap("runs.gap_vm1_vm2.on.lo"),
					    expected("runs.gap_vm1_vm2.on.d"),
					    gap("runs.gap_vm1_vm2.on.hi"));
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_jain((const double[]){ exp(off.value), 1 }, 2, LEVEL, &off, &e),
			 0);
	assert_near(e.value, expected("runs.jain.off"), RTOL);
	assert_near(e.lo, expected("runs.jain.off.lo"), RTOL);
	assert_near(e.hi, expected("runs.jain.off.hi"), RTOL);
	assert_int_equal(fan_est_jain((const double[]){ exp(on.value), 1 }, 2, LEVEL, &on, &e), 0);
	assert_near(e.value, expected("runs.jain.on"), RTOL);
	assert_near(e.lo, expected("runs.jain.on.lo"), RTOL);
	assert_near(e.hi, expected("runs.jain.on.hi"), RTOL);
	assert_string_equal(e.method, "pw-ewc");
	assert_int_equal(e.n, 300);
	assert_near(e.df, 8, 0);
	assert_true(isnan(e.se));
	assert_int_equal(e.flags, on.flags);
}

static void a_ratio_on_the_other_side_has_the_same_interval(void **state)
{
	const struct fan_est up = log_ratio(log(1.5), log(2), log(3));
	const struct fan_est down = log_ratio(-log(3), -log(2), -log(1.5));
	struct fan_est a, b;

	(void)state;
	assert_int_equal(fan_est_jain((const double[]){ 2, 1 }, 2, LEVEL, &up, &a), 0);
	assert_int_equal(fan_est_jain((const double[]){ 1, 2 }, 2, LEVEL, &down, &b), 0);
	/* (1 + 3)^2 / (2 * 10) and 2.5^2 / (2 * 3.25) */
	assert_near(a.lo, 0.8, 1e-14);
	assert_near(a.hi, 6.25 / 6.5, 1e-14);
	assert_near(b.lo, a.lo, 1e-15);
	assert_near(b.hi, a.hi, 1e-15);
}

static void assert_alone(const struct fan_est *e, double value, uint32_t flags)
{
	assert_near(e->value, value, 1e-15);
	assert_true(isnan(e->lo) && isnan(e->hi) && isnan(e->se));
	assert_null(e->method);
	assert_int_equal(e->flags, flags);
}

static void three_groups_of_one_run_have_no_interval(void **state)
{
	const struct fan_est pair = log_ratio(0.1, 0.2, 0.3);
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_jain((const double[]){ 1, 2, 3 }, 3, LEVEL, &pair, &e), 0);
	assert_alone(&e, 6.0 / 7, FAN_EST_ONE_RUN);
}

static void degenerate_cases_are_those_of_the_list(void **state)
{
	struct fan_est none, e;

	(void)state;
	/* jain_one_zero: the log ratio of a starved group does not exist */
	fan_est_init(&none, "log", LEVEL, 1);
	none.flags = FAN_EST_ONE_RUN | FAN_EST_UNDEFINED;
	assert_int_equal(fan_est_jain((const double[]){ 5, 0 }, 2, LEVEL, &none, &e), 0);
	assert_alone(&e, 0.5, FAN_EST_ONE_RUN | FAN_EST_STARVED);
	/* jain_one_vm */
	assert_int_equal(fan_est_jain((const double[]){ 5 }, 1, LEVEL, NULL, &e), 0);
	assert_alone(&e, 1, FAN_EST_ONE_RUN | FAN_EST_TRIVIAL);
	/* jain_all_zero */
	assert_int_equal(fan_est_jain((const double[]){ 0, 0, 0 }, 3, LEVEL, NULL, &e), 0);
	assert_true(isnan(e.value));
	assert_int_equal(e.flags, FAN_EST_ONE_RUN | FAN_EST_UNDEFINED);
	assert_int_equal(fan_est_jain(NULL, 0, LEVEL, NULL, &e), 0);
	assert_true(isnan(e.value));
	assert_int_equal(e.flags, FAN_EST_ONE_RUN | FAN_EST_NO_DATA);
	/* jain_negative */
	assert_int_equal(fan_est_jain((const double[]){ 5, -1 }, 2, LEVEL, NULL, &e), -EINVAL);
	assert_int_equal(fan_est_jain((const double[]){ 5, NAN }, 2, LEVEL, NULL, &e), -EINVAL);
	assert_int_equal(fan_est_jain((const double[]){ 5, 5 }, 2, 1, NULL, &e), -EINVAL);
}

static void a_short_run_has_the_index_without_interval_and_the_reason(void **state)
{
	struct fan_est log_of, e;

	(void)state;
	fan_est_init(&log_of, "log", LEVEL, 1);
	log_of.value = log(2);
	log_of.n = 19;
	log_of.flags = FAN_EST_ONE_RUN | FAN_EST_CI_NONE_SHORT;
	assert_int_equal(fan_est_jain((const double[]){ 2, 1 }, 2, LEVEL, &log_of, &e), 0);
	assert_alone(&e, 0.9, log_of.flags);
	assert_int_equal(e.n, 19);
}

static void the_extremes_are_the_first_of_equals(void **state)
{
	struct fan_extremes e = fan_jain_extremes((const double[]){ 2, 0.5, 3, 0.5, 3 }, 5);

	(void)state;
	assert_int_equal(e.most, 2);
	assert_int_equal(e.least, 1);
	e = fan_jain_extremes((const double[]){ 4, 4, 4 }, 3);
	assert_int_equal(e.most, 0);
	assert_int_equal(e.least, 1);
	e = fan_jain_extremes((const double[]){ 7 }, 1);
	assert_int_equal(e.most, 0);
	assert_int_equal(e.least, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_is_that_of_the_references),
		cmocka_unit_test(the_map_from_the_log_ratio_gives_the_same_index),
		cmocka_unit_test(huge_and_tiny_values_neither_overflow_nor_vanish),
		cmocka_unit_test(the_interval_of_two_groups_is_that_of_the_references),
		cmocka_unit_test(a_ratio_on_the_other_side_has_the_same_interval),
		cmocka_unit_test(three_groups_of_one_run_have_no_interval),
		cmocka_unit_test(degenerate_cases_are_those_of_the_list),
		cmocka_unit_test(a_short_run_has_the_index_without_interval_and_the_reason),
		cmocka_unit_test(the_extremes_are_the_first_of_equals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
