// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/planning. The table was made by R's power.t.test and by chi-square quadrature. */
#include "tests/unit/stats_test.h"

#include "analyze/stats/gsl.h"
#include "analyze/stats/planning.h"

static size_t needed(enum fan_plan plan, double ratio)
{
	return fan_runs_needed(&(struct fan_plan_spec){ plan, ratio, 1, 0.95, 0.8 });
}

static void the_table_of_the_method_is_reached(void **state)
{
	static const struct {
		double ratio;
		size_t two, paired, equivalent, half_width;
	} table[] = { { 0.5, 64, 34, 70, 18 },
		      { 1, 17, 10, 18, 7 },
		      { 1.5, 9, 6, 9, 5 },
		      { 2, 6, 5, 6, 4 },
		      { 3, 4, 4, 3, 3 } };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		const double ratio = table[i].ratio;

		assert_int_equal(needed(FAN_PLAN_TWO, ratio), table[i].two);
		assert_int_equal(needed(FAN_PLAN_PAIRED, ratio), table[i].paired);
		assert_int_equal(needed(FAN_PLAN_EQUIVALENT, ratio), table[i].equivalent);
		assert_int_equal(needed(FAN_PLAN_HALF_WIDTH, ratio), table[i].half_width);
	}
}

static void small_differences_need_more_than_can_be_asked_for(void **state)
{
	(void)state;
	for (enum fan_plan plan = FAN_PLAN_TWO; plan <= FAN_PLAN_HALF_WIDTH; plan++) {
		assert_int_equal(needed(plan, 0.01), FAN_PLAN_MAX + 1);
		assert_int_equal(needed(plan, 1000), 2);
	}
}

static void a_plan_out_of_range_needs_nothing(void **state)
{
	const struct fan_plan_spec bad[] = {
		{ FAN_PLAN_TWO, 0, 1, 0.95, 0.8 },	  { FAN_PLAN_TWO, 1, 0, 0.95, 0.8 },
		{ FAN_PLAN_TWO, 1, 1, 0.5, 0.8 },	  { FAN_PLAN_TWO, 1, 1, 0.95, 1 },
		{ FAN_PLAN_TWO, NAN, 1, 0.95, 0.8 },	  { FAN_PLAN_TWO, 1, NAN, 0.95, 0.8 },
		{ FAN_PLAN_TWO, INFINITY, 1, 0.95, 0.8 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(fan_runs_needed(&bad[i]), 0);
}

/* Without a difference the test says so as often as it may be wrong; with a huge one always. */
static void power_goes_from_the_level_to_one(void **state)
{
	static const double df[] = { 1, 4, 30, 2000 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_near(fan_power_t(0, df[i], 0.95), 0.05, 1e-10);
		assert_near(fan_power_t(1000, df[i], 0.95), 1, 1e-10);
		assert_true(fan_power_t(2, df[i], 0.95) < fan_power_t(2.5, df[i], 0.95));
	}
	assert_true(isnan(fan_power_t(-1, 4, 0.95)));
	assert_true(isnan(fan_power_t(1, 0, 0.95)));
	assert_true(isnan(fan_power_t(1, 4, 1)));
}

/* The median of chi-square with 1 df is 0.4549364. */
static void a_standard_deviation_of_few_runs_has_a_high_limit(void **state)
{
	(void)state;
	assert_near(fan_sd_upper(2, 2, 0.5), 2 / sqrt(0.4549364), 1e-6);
	assert_true(fan_sd_upper(2, 2, 0.8) > fan_sd_upper(2, 3, 0.8));
	assert_true(isnan(fan_sd_upper(2, 1, 0.8)));
	assert_true(isnan(fan_sd_upper(2, 5, 1)));
}

/* se 2: sd 2 sqrt(9) = 6 of 9 runs; of 4 and 12 runs 2/sqrt(1/4 + 1/12) = 2 sqrt(3). */
static void the_spread_of_runs_is_behind_their_standard_error(void **state)
{
	struct fan_est e;

	(void)state;
	fan_est_init(&e, "points", 0.95, 1);
	e.se = 2;
	e.n = e.runs = 9;
	assert_near(fan_sd_of_runs(&e), 6, 1e-15);
	e.n = 16;
	e.runs = 4;
	assert_near(fan_sd_of_runs(&e), 2 * sqrt(3), 1e-15);
	e.runs = 0;
	assert_true(isnan(fan_sd_of_runs(&e)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_of_the_method_is_reached),
		cmocka_unit_test(small_differences_need_more_than_can_be_asked_for),
		cmocka_unit_test(a_plan_out_of_range_needs_nothing),
		cmocka_unit_test(power_goes_from_the_level_to_one),
		cmocka_unit_test(a_standard_deviation_of_few_runs_has_a_high_limit),
		cmocka_unit_test(the_spread_of_runs_is_behind_their_standard_error),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
