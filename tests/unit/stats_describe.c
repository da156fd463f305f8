// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/describe and checks on series small enough to work out by hand. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/checks.h"
#include "analyze/stats/describe.h"
#include "analyze/stats/gsl.h"

static void one_to_four_is_described_as_by_hand(void **state)
{
	const double x[] = { 4, 1, 3, 2 };
	const double inorder[] = { 1, 2, 3, 4 };
	struct fan_describe d;

	(void)state;
	assert_int_equal(fan_describe(x, 4, &d), 0);
	assert_int_equal(d.n, 4);
	assert_near(d.mean, 2.5, 1e-15);
	assert_near(d.sd, sqrt(5.0 / 3), 1e-15);
	assert_near(d.min, 1, 0);
	assert_near(d.max, 4, 0);
	assert_near(d.median, 2.5, 1e-15);
	assert_near(d.q1, 1.75, 1e-15);
	assert_near(d.q3, 3.25, 1e-15);
	assert_near(d.p05, 1.15, 1e-15);
	assert_near(d.p95, 3.85, 1e-15);
	/* distances from 2.5 are 1.5 0.5 0.5 1.5, their median 1 */
	assert_near(d.mad, 1.482602218505602, 1e-14);
	assert_near(d.skew, 0, 1e-15);
	/* 1.5 -1.5 0.5 -0.5: (-2.25 - 0.75 - 0.25)/5 */
	assert_near(d.lag1, -0.65, 1e-15);
	assert_int_equal(fan_describe(inorder, 4, &d), 0);
	/* -1.5 -0.5 0.5 1.5: (0.75 - 0.25 + 0.75)/5 */
	assert_near(d.lag1, 0.25, 1e-15);
}

static void fences_are_one_and_a_half_and_three_quartile_distances(void **state)
{
	/* quartiles 3 and 7: mild above 13 and below -3, severe above 19 and below -9 */
	double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 13 };
	struct fan_describe d;

	(void)state;
	assert_int_equal(fan_describe(x, 9, &d), 0);
	assert_int_equal(d.tukey_mild, 0);
	x[8] = 13.5;
	assert_int_equal(fan_describe(x, 9, &d), 0);
	assert_int_equal(d.tukey_mild, 1);
	assert_int_equal(d.tukey_severe, 0);
	x[8] = 19.5;
	x[0] = -3.5;
	assert_int_equal(fan_describe(x, 9, &d), 0);
	assert_int_equal(d.tukey_mild, 1);
	assert_int_equal(d.tukey_severe, 1);
}

static void one_value_has_a_mean_and_no_spread(void **state)
{
	const double x[] = { 87 };
	struct fan_describe d;

	(void)state;
	assert_int_equal(fan_describe(x, 1, &d), 0);
	assert_near(d.mean, 87, 0);
	assert_near(d.median, 87, 0);
	assert_true(isnan(d.sd) && isnan(d.lag1) && isnan(d.skew));
}

/* Ten times 0.1 does not add up to 1: a mean by plain sums would leave a spread of 1e-17. */
static void a_constant_series_has_a_spread_of_exactly_zero(void **state)
{
	double x[10];
	struct fan_describe d;

	(void)state;
	for (size_t i = 0; i < 10; i++)
		x[i] = 0.1;
	assert_int_equal(fan_describe(x, 10, &d), 0);
	assert_true(d.mean == 0.1 && d.sd == 0 && d.mad == 0);
	assert_true(isnan(d.lag1) && isnan(d.skew));
	assert_int_equal(d.tukey_mild + d.tukey_severe, 0);
}

static void an_empty_series_is_no_data_and_a_nan_is_refused(void **state)
{
	const double nan_inside[] = { 90, NAN, 88 };
	const double infinite[] = { 90, INFINITY };
	struct fan_describe d = { .n = 7 };

	(void)state;
	assert_int_equal(fan_describe(NULL, 0, &d), -ENODATA);
	assert_int_equal(fan_describe(nan_inside, 3, &d), -EINVAL);
	assert_int_equal(fan_describe(infinite, 2, &d), -EINVAL);
	assert_int_equal(d.n, 7);
}

/*
 * 0 0 1 1, mean 1/2. k = 1: S = -1/2; the tail's sums 1/2 1 1/2 stray from their chord by
 * 1/3 2/3 0, squares 5/9: G = (1/4)/4 / (5/9/16) = 1.8; k = 3 likewise. k = 2: V = 0.
 */
static void the_shift_statistic_of_a_small_step_is_as_by_hand(void **state)
{
	const double x[] = { 0, 0, 1, 1 };
	struct fan_shift s;

	(void)state;
	assert_int_equal(fan_level_shift(x, 4, &s), 0);
	assert_near(s.stat, 1.8, 1e-15);
	assert_int_equal(s.at, 1);
	assert_int_equal(fan_level_shift(x, 1, &s), -EINVAL);
}

/* The sums stay exact enough when the series stands far from 0 and is long. */
static void the_shift_statistic_ignores_where_the_series_stands(void **state)
{
	enum { N = 4096 };
	double *x = test_calloc(N, sizeof(*x)), *far = test_calloc(N, sizeof(*x));
	struct fan_shift near_s, far_s;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		/* multiples of 1/8 below 2^40: the sum with 2^30 is exact */
		x[i] = (double)((i * 7919) % 97) / 8 + (i >= 3000 ? 2 : 0);
		far[i] = x[i] + 0x1p30;
	}
	assert_int_equal(fan_level_shift(x, N, &near_s), 0);
	assert_int_equal(fan_level_shift(far, N, &far_s), 0);
	assert_near(far_s.stat, near_s.stat, 1e-6);
	assert_int_equal(near_s.at, far_s.at);
	assert_true(near_s.at > 2990 && near_s.at < 3010);
	test_free(x);
	test_free(far);
}

static void batch_means_leave_out_the_oldest_values(void **state)
{
	/* batches 2 6 10: variance 16, steps 4 4 */
	const double x[] = { 100, 1, 3, 5, 7, 9, 11 };
	struct fan_batches b;

	(void)state;
	assert_int_equal(fan_batch_means(x + 1, 6, 3, &b), 0);
	assert_int_equal(b.size, 2);
	assert_near(b.lrv, 32, 1e-15);
	assert_near(b.se, sqrt(32.0 / 6), 1e-15);
	assert_near(b.df, 2, 0);
	assert_near(b.von_neumann, 1, 1e-15);
	assert_int_equal(fan_batch_means(x, 7, 3, &b), 0);
	assert_near(b.lrv, 32, 1e-15);
	assert_near(b.se, sqrt(32.0 / 7), 1e-15);
}

static void too_few_values_make_no_batches(void **state)
{
	const double x[] = { 1, 2, 3 };
	const double same[] = { 5, 5, 5, 5 };
	struct fan_batches b;

	(void)state;
	assert_int_equal(fan_batch_means(x, 3, 4, &b), -EINVAL);
	assert_int_equal(fan_batch_means(x, 3, 1, &b), -EINVAL);
	assert_int_equal(fan_batch_means(x, 3, 0, &b), -EINVAL);
	assert_int_equal(fan_batch_means(same, 4, 2, &b), 0);
	assert_true(b.se == 0 && isnan(b.von_neumann));
}

static void the_median_alone_leaves_the_values_as_they_are(void **state)
{
	double x[] = { 4, 1, 3, 2 };
	double median;

	(void)state;
	assert_int_equal(fan_median(x, 4, &median), 0);
	assert_near(median, 2.5, 0);
	assert_int_equal(fan_median(x, 3, &median), 0);
	assert_near(median, 3, 0);
	assert_near(x[0], 4, 0);
	assert_near(x[1], 1, 0);
}

static void moments_are_those_of_the_whole_description(void **state)
{
	const double x[] = { 3, 1, 4, 1, 5 };
	struct fan_moments m;
	struct fan_describe d;

	(void)state;
	assert_int_equal(fan_moments(x, 5, &m), 0);
	assert_int_equal(fan_describe(x, 5, &d), 0);
	/* 14 / 5; squares of the distances 0.04 3.24 1.44 3.24 4.84: 12.8 / 4 */
	assert_near(m.mean, 2.8, 1e-15);
	assert_near(m.sd, sqrt(3.2), 1e-15);
	/* 0.2 x -1.8 - 1.8 x 1.2 - 1.2 x 1.8 - 1.8 x 2.2 = -8.64, over 12.8 */
	assert_near(m.lag1, -0.675, 1e-15);
	assert_near(m.min, 1, 0);
	assert_near(m.max, 5, 0);
	assert_near(d.sd, m.sd, 0);
	assert_near(d.lag1, m.lag1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_to_four_is_described_as_by_hand),
		cmocka_unit_test(fences_are_one_and_a_half_and_three_quartile_distances),
		cmocka_unit_test(one_value_has_a_mean_and_no_spread),
		cmocka_unit_test(a_constant_series_has_a_spread_of_exactly_zero),
		cmocka_unit_test(an_empty_series_is_no_data_and_a_nan_is_refused),
		cmocka_unit_test(the_shift_statistic_of_a_small_step_is_as_by_hand),
		cmocka_unit_test(the_shift_statistic_ignores_where_the_series_stands),
		cmocka_unit_test(batch_means_leave_out_the_oldest_values),
		cmocka_unit_test(too_few_values_make_no_batches),
		cmocka_unit_test(the_median_alone_leaves_the_values_as_they_are),
		cmocka_unit_test(moments_are_those_of_the_whole_description),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
