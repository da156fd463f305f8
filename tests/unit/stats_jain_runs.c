// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/jain_runs: which way goes with how many groups, and what has no interval. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/jain.h"
#include "analyze/stats/jain_runs.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/runs.h"

#define LEVEL 0.95

static struct fan_est index_of(const double *x, size_t runs, size_t k)
{
	const struct fan_allocations a = { x, runs, k };
	struct fan_est e;

	assert_int_equal(fan_est_jain_runs(&a, LEVEL, &e), 0);
	return e;
}

/* A ratio of 2 is (1 + 4/5)/2 = 0.9; the ratios 1 and 4 have it as their geometric mean. */
static void two_groups_map_their_paired_log_ratio(void **state)
{
	const double a[] = { 1, 4 }, b[] = { 1, 1 }, x[] = { 1, 1, 4, 1 };
	const struct fan_est_spec spec = { NULL, LEVEL, 1 };
	const struct fan_paired p = { a, b, 2 };
	const struct fan_est e = index_of(x, 2, 2);
	struct fan_est d;

	(void)state;
	assert_int_equal(fan_est_paired_log(&p, &spec, &d), 0);
	assert_near(e.value, 0.9, 1e-14);
	assert_near(e.hi, 1, 0);
	assert_near(e.lo, fan_jain_of_log_ratio(d.hi), 1e-15);
	assert_string_equal(e.method, "paired-t");
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS);
	assert_int_equal(e.runs, 2);
	assert_near(e.df, 1, 0);
}

/* Means 2.5 and 1: 3.5^2/(2 * 7.25) */
static void two_groups_with_a_zero_have_the_index_of_their_means(void **state)
{
	const double x[] = { 5, 1, 0, 1 };
	const struct fan_est e = index_of(x, 2, 2);

	(void)state;
	assert_near(e.value, 12.25 / 14.5, 1e-15);
	assert_true(isnan(e.lo) && isnan(e.hi));
	assert_int_equal(e.flags, FAN_EST_GAP_NONE_ZERO);
}

static void two_groups_of_a_constant_ratio_have_no_interval(void **state)
{
	const double x[] = { 2, 1, 4, 2, 8, 4 };
	const struct fan_est e = index_of(x, 3, 2);

	(void)state;
	assert_near(e.value, 0.9, 1e-14);
	assert_true(isnan(e.lo));
	assert_true(e.flags & FAN_EST_CI_NONE_CONSTANT);
}

static void three_groups_take_the_box_of_their_intervals(void **state)
{
	const double x[] = { 10, 20, 30, 11, 19, 31, 10, 21, 32, 9, 20, 29, 10, 22, 30 };
	const struct fan_est_spec third = { NULL, LEVEL, 3 };
	const struct fan_est e = index_of(x, 5, 3);
	double lo[3], hi[3], least, most, side[5];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fan_est one;

		for (size_t r = 0; r < 5; r++)
			side[r] = x[3 * r + i];
		assert_int_equal(fan_est_runs(side, 5, &third, &one), 0);
		lo[i] = one.lo_adj;
		hi[i] = one.hi_adj;
	}
	assert_int_equal(fan_jain_box(lo, hi, 3, &least, &most), 0);
	assert_near(e.lo, least, 0);
	assert_near(e.hi, most, 0);
	/* means 10, 20.4, 30.4 */
	assert_near(e.value, 60.8 * 60.8 / (3 * (100 + 20.4 * 20.4 + 30.4 * 30.4)), 1e-14);
	assert_true(least < e.value && e.value < most);
	assert_string_equal(e.method, "bonferroni-box");
	assert_int_equal(e.flags, 0);
}

static void a_constant_side_of_the_box_is_a_point(void **state)
{
	const double x[] = { 1, 2, 3, 1, 2, 4 }, same[] = { 1, 2, 3, 1, 2, 3 };
	struct fan_est e = index_of(x, 2, 3);

	(void)state;
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS);
	assert_true(e.lo < e.value && e.value < e.hi);
	e = index_of(same, 2, 3);
	assert_near(e.value, 6.0 / 7, 1e-15);
	assert_true(isnan(e.lo));
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS | FAN_EST_CI_NONE_CONSTANT);
}

static void the_jackknife_stays_within_the_bounds_of_the_index(void **state)
{
	const double x[] = { 10, 11, 10, 11, 11, 10, 12, 10 }, same[] = { 1, 2, 3, 4, 1, 2, 3, 4 };
	const double apart[] = { 100, 1, 1, 1, 1, 9, 9, 9 };
	struct fan_est e = index_of(x, 2, 4);

	(void)state;
	/* means 10.5, 10.5, 11, 10.5 */
	assert_near(e.value, 42.5 * 42.5 / (4 * (3 * 10.5 * 10.5 + 121)), 1e-15);
	assert_near(e.hi, 1, 0);
	assert_true(e.lo > 0.25 && e.lo < e.value);
	e = index_of(apart, 2, 4);
	assert_near(e.lo, 0.25, 0);
	e = index_of(same, 2, 4);
	/* 100/(4 * 30) */
	assert_near(e.value, 10.0 / 12, 1e-15);
	assert_true(isnan(e.lo));
	assert_true(e.flags & FAN_EST_CI_NONE_CONSTANT);
}

/* Without its second run nothing is left to take the index of. */
static void a_jackknife_without_work_has_no_interval(void **state)
{
	const double x[] = { 0, 0, 0, 0, 1, 2, 3, 4 };
	const struct fan_est e = index_of(x, 2, 4);

	(void)state;
	assert_near(e.value, 10.0 / 12, 1e-15);
	assert_true(isnan(e.lo));
	assert_true(e.flags & FAN_EST_UNDEFINED);
}

static void one_run_has_an_index_and_no_interval(void **state)
{
	const double x[] = { 1, 2, 3, 4 };

	(void)state;
	for (size_t k = 2; k <= 4; k++) {
		const struct fan_est e = index_of(x, 1, k);

		assert_near(e.value, fan_jain(x, k), 1e-15);
		assert_true(isnan(e.lo) && isnan(e.hi) && isnan(e.se));
		assert_int_equal(e.flags, FAN_EST_CI_NONE_ONE_RUN);
	}
}

static void trivial_empty_and_starved_sets_are_named(void **state)
{
	const double x[] = { 5, 5, 0, 0, 0, 0 }, starved[] = { 1, 2, 0, 3, 1, 2, 0, 4 };
	struct fan_est e = index_of(x, 2, 1);

	(void)state;
	assert_near(e.value, 1, 0);
	assert_int_equal(e.flags, FAN_EST_TRIVIAL);
	e = index_of(x, 2, 0);
	assert_true(isnan(e.value));
	assert_int_equal(e.flags, FAN_EST_NO_DATA);
	e = index_of(x, 0, 2);
	assert_int_equal(e.flags, FAN_EST_NO_DATA);
	e = index_of(x + 2, 2, 2);
	assert_true(isnan(e.value) && isnan(e.lo));
	assert_int_equal(e.flags, FAN_EST_UNDEFINED);
	e = index_of(starved, 2, 4);
	assert_true(e.flags & FAN_EST_STARVED);
	assert_true(e.value <= 0.75);
}

static void a_run_that_lacks_a_group_is_left_out(void **state)
{
	const double x[] = { 1, 2, 3, 4, 9, NAN, 9, 9, 1, 2, 3, 5 };
	const double kept[] = { 1, 2, 3, 4, 1, 2, 3, 5 };
	const struct fan_est e = index_of(x, 3, 4), want = index_of(kept, 2, 4);

	(void)state;
	assert_near(e.value, want.value, 0);
	assert_near(e.lo, want.lo, 0);
	assert_int_equal(e.flags, want.flags | FAN_EST_MISSING);
	assert_int_equal(e.runs, 2);
}

static void impossible_allocations_and_boxes_are_errors(void **state)
{
	const double minus[] = { 1, -1 }, inf[] = { 1, INFINITY }, ok[] = { 1, 2 };
	struct fan_allocations a = { minus, 1, 2 };
	double lo, hi;
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_jain_runs(&a, LEVEL, &e), -EINVAL);
	a.x = inf;
	assert_int_equal(fan_est_jain_runs(&a, LEVEL, &e), -EINVAL);
	a.x = ok;
	assert_int_equal(fan_est_jain_runs(&a, 1, &e), -EINVAL);
	assert_int_equal(fan_jain_box(ok, minus, 2, &lo, &hi), -EINVAL);
	assert_int_equal(fan_jain_box(ok, inf, 2, &lo, &hi), -EINVAL);
	assert_int_equal(fan_jain_box(ok, ok, 0, &lo, &hi), -EINVAL);
	assert_int_equal(fan_jain_box(ok, ok, FAN_BOX_MAX + 1, &lo, &hi), -EINVAL);
}

/* 1 and 2 have 9/10; 0 to 1 for both is anything from one of two to equality. */
static void a_box_is_searched_to_its_ends(void **state)
{
	const double ok[] = { 1, 2 }, zero[] = { 0, 0 }, minus[] = { -1, -1 }, one[] = { 1, 1 };
	double lo, hi;

	(void)state;
	assert_int_equal(fan_jain_box(ok, ok, 2, &lo, &hi), 0);
	assert_near(lo, 0.9, 1e-15);
	assert_near(hi, 0.9, 1e-15);
	assert_int_equal(fan_jain_box(minus, one, 2, &lo, &hi), 0);
	assert_near(lo, 0.5, 1e-15);
	assert_near(hi, 1, 0);
	assert_int_equal(fan_jain_box(zero, zero, 2, &lo, &hi), 0);
	assert_true(isnan(lo) && isnan(hi));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_groups_map_their_paired_log_ratio),
		cmocka_unit_test(two_groups_with_a_zero_have_the_index_of_their_means),
		cmocka_unit_test(two_groups_of_a_constant_ratio_have_no_interval),
		cmocka_unit_test(three_groups_take_the_box_of_their_intervals),
		cmocka_unit_test(a_constant_side_of_the_box_is_a_point),
		cmocka_unit_test(the_jackknife_stays_within_the_bounds_of_the_index),
		cmocka_unit_test(a_jackknife_without_work_has_no_interval),
		cmocka_unit_test(one_run_has_an_index_and_no_interval),
		cmocka_unit_test(trivial_empty_and_starved_sets_are_named),
		cmocka_unit_test(a_run_that_lacks_a_group_is_left_out),
		cmocka_unit_test(impossible_allocations_and_boxes_are_errors),
		cmocka_unit_test(a_box_is_searched_to_its_ends),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
