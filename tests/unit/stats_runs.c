// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * analyze/stats/runs, welch, varcomp and order. Quantiles of t by table, at 0.975: 12.70620 (1 df),
 * 4.302653 (2 df), 3.182446 (3 df); at 0.9875: 25.45170 (1 df).
 */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/order.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/varcomp.h"
#include "analyze/stats/welch.h"

#define RTOL 1e-6

static const struct fan_est_spec spec = { "points", 0.95, 1 };

/* 1 and 3: mean 2, sd sqrt(2), se 1. */
static void two_runs_have_a_wide_interval_and_a_flag(void **state)
{
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs((const double[]){ 1, 3 }, 2, &spec, &e), 0);
	assert_near(e.value, 2, 1e-15);
	assert_near(e.se, 1, 1e-15);
	assert_near(e.df, 1, 0);
	assert_near(e.lo, 2 - 12.70620, RTOL);
	assert_near(e.hi, 2 + 12.70620, RTOL);
	assert_true(isnan(e.lo_adj));
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.runs, 2);
	assert_string_equal(e.method, "t");
	assert_string_equal(e.unit, "points");
}

static void a_family_of_two_widens_the_adjusted_interval_alone(void **state)
{
	const struct fan_est_spec two = { "points", 0.95, 2 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs((const double[]){ 1, 3 }, 2, &two, &e), 0);
	assert_near(e.hi, 2 + 12.70620, RTOL);
	assert_near(e.hi_adj, 2 + 25.45170, RTOL);
	assert_near(e.lo_adj, 2 - 25.45170, RTOL);
}

static void five_runs_are_enough_for_no_flag(void **state)
{
	const double y[] = { 1, 2, 3, 4, 5 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs(y, 4, &spec, &e), 0);
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS);
	assert_int_equal(fan_est_runs(y, 5, &spec, &e), 0);
	assert_int_equal(e.flags, 0);
}

static void a_missing_run_is_left_out_and_told(void **state)
{
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs((const double[]){ 1, NAN, 3 }, 3, &spec, &e), 0);
	assert_near(e.value, 2, 1e-15);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.flags, FAN_EST_MISSING | FAN_EST_FEW_RUNS);
	assert_int_equal(fan_est_runs((const double[]){ NAN, NAN }, 2, &spec, &e), 0);
	assert_int_equal(e.flags, FAN_EST_MISSING | FAN_EST_NO_DATA);
	assert_true(isnan(e.value));
}

static void an_infinite_run_or_a_level_out_of_range_is_an_error(void **state)
{
	const struct fan_est_spec no_level = { "points", 1, 1 }, no_family = { "points", 0.95, 0 };
	const double y[] = { 1, INFINITY, 3 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs(y, 3, &spec, &e), -EINVAL);
	assert_int_equal(fan_est_runs(y, 1, &no_level, &e), -EINVAL);
	assert_int_equal(fan_est_runs(y, 1, &no_family, &e), -EINVAL);
}

/* Logits of 20 and 80 are -ln 4 and ln 4: mean 0, se ln 4. */
static void the_logit_interval_stays_within_the_bounds(void **state)
{
	const double half = 12.70620 * log(4);
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs_logit((const double[]){ 20, 80 }, 2, &spec, &e), 0);
	assert_near(e.value, 50, 1e-14);
	assert_near(e.lo, 100 / (1 + exp(half)), 1e-4);
	assert_near(e.hi, 100 / (1 + exp(-half)), 1e-4);
	assert_true(isnan(e.se));
	assert_string_equal(e.method, "t-logit");
}

static void a_run_at_a_bound_has_no_logit(void **state)
{
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs_logit((const double[]){ 20, 100, 30 }, 3, &spec, &e), 0);
	assert_true(isnan(e.value) && isnan(e.lo) && isnan(e.hi));
	assert_null(e.method);
	assert_int_equal(e.flags, FAN_EST_AT_BOUND_HI);
	assert_int_equal(e.n, 3);
	assert_int_equal(fan_est_runs_logit((const double[]){ 20, 101 }, 2, &spec, &e), -EINVAL);
	assert_int_equal(fan_est_runs_logit((const double[]){ 20, -1 }, 2, &spec, &e), -EINVAL);
}

static void ends_outside_a_share_are_told_and_kept(void **state)
{
	const struct fan_est_spec pair = { "points", 0.95, 2 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_runs((const double[]){ 1, 3 }, 2, &spec, &e), 0);
	fan_est_note_percent(&e);
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS | FAN_EST_CI_CLIPPED_LO);
	assert_near(e.lo, 2 - 12.70620, RTOL);
	/* 20 and 22: 21 -+ 12.7 alone, -+ 25.5 in a family of two; the same from above */
	assert_int_equal(fan_est_runs((const double[]){ 20, 22 }, 2, &pair, &e), 0);
	fan_est_note_percent(&e);
	assert_true(e.lo > 0);
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS | FAN_EST_CI_CLIPPED_LO);
	assert_int_equal(fan_est_runs((const double[]){ 78, 80 }, 2, &pair, &e), 0);
	fan_est_note_percent(&e);
	assert_true(e.hi < 100);
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS | FAN_EST_CI_CLIPPED_HI);
	assert_int_equal(fan_est_runs((const double[]){ 100, 100 }, 2, &spec, &e), 0);
	fan_est_note_percent(&e);
	assert_int_equal(e.flags,
			 FAN_EST_FEW_RUNS | FAN_EST_CI_NONE_CONSTANT | FAN_EST_AT_BOUND_HI);
}

static struct fan_est made(double value, double se, double df, uint64_t runs)
{
	struct fan_est e;

	fan_est_init(&e, "points", 0.95, 1);
	e.value = value;
	e.n = e.runs = runs;
	fan_est_interval(&e, se, df, "t");
	return e;
}

/* se^2 = 9 + 16; df = 25^2/(9^2/4 + 16^2/9) = 625/(20.25 + 28.4444) = 12.83514 */
static void a_difference_combines_errors_and_degrees_of_freedom(void **state)
{
	struct fan_est y = made(5, 3, 4, 5), x = made(1, 4, 9, 10), e;

	(void)state;
	y.ess = 30;
	x.ess = 12;
	assert_int_equal(fan_est_minus(&x, &y, &spec, &e), 0);
	assert_near(e.value, -4, 1e-15);
	assert_int_equal(e.runs, 5);
	assert_int_equal(fan_est_minus(&y, &x, &spec, &e), 0);
	assert_near(e.ess, 12, 0);
	assert_near(e.value, 4, 1e-15);
	assert_near(e.se, 5, 1e-15);
	assert_near(e.df, 12.83514, RTOL);
	assert_near(e.hi - e.lo, 2 * 5 * fan_tq(0.95, 625 / (81.0 / 4 + 256.0 / 9)), 1e-12);
	assert_int_equal(e.n, 15);
	assert_int_equal(e.runs, 5);
	assert_int_equal(e.flags, 0);
	assert_string_equal(e.method, "welch");
}

/* That one share is near its bound says nothing of a difference; that runs are few does. */
static void a_difference_keeps_the_flags_that_concern_it(void **state)
{
	struct fan_est y = made(5, 3, 4, 5), x = made(1, 4, 9, 10), e;

	(void)state;
	y.flags = FAN_EST_FEW_RUNS | FAN_EST_CI_CLIPPED_LO | FAN_EST_AT_BOUND_LO;
	x.flags = FAN_EST_CONFOUNDED | FAN_EST_CI_CLIPPED_HI | FAN_EST_ONE_SIDED;
	assert_int_equal(fan_est_minus(&y, &x, &spec, &e), 0);
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS | FAN_EST_CONFOUNDED);
}

static void a_difference_of_tiny_or_huge_numbers_keeps_its_degrees_of_freedom(void **state)
{
	static const double scale[] = { 1e-150, 1e150 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct fan_est y = made(5, 3 * scale[i], 4, 5);
		const struct fan_est x = made(1, 4 * scale[i], 9, 10);
		struct fan_est e;

		assert_int_equal(fan_est_minus(&y, &x, &spec, &e), 0);
		assert_near(e.df, 12.83514, RTOL);
	}
}

/* 4 runs each; y: mean 85.75, sd^2 = 35/12 */
static void one_constant_side_leaves_the_spread_of_the_other(void **state)
{
	const double x[] = { 90, 90, 90, 90 }, y[] = { 84, 86, 85, 88 };
	const struct fan_samples s = { x, 4, y, 4 }, both = { x, 4, x, 3 };
	const double half = 3.182446 * sqrt(35.0 / 12 / 4);
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_welch(&s, &spec, &e), 0);
	assert_near(e.value, -4.25, 1e-15);
	assert_near(e.df, 3, 1e-15);
	assert_near(e.lo, -4.25 - half, RTOL);
	assert_near(e.hi, -4.25 + half, RTOL);
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS | FAN_EST_ONE_SIDE_CONSTANT);
	assert_int_equal(fan_est_welch(&both, &spec, &e), 0);
	assert_near(e.value, 0, 0);
	assert_near(e.se, 0, 0);
	assert_true(isnan(e.lo) && isnan(e.df));
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS | FAN_EST_CI_NONE_CONSTANT);
}

static void a_side_of_one_run_gives_a_difference_without_an_interval(void **state)
{
	const double x[] = { 1, 2, 3 }, y[] = { 7 };
	const struct fan_samples s = { x, 3, y, 1 }, none = { x, 3, y, 0 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_welch(&s, &spec, &e), 0);
	assert_near(e.value, 5, 1e-15);
	assert_true(isnan(e.se) && isnan(e.lo) && isnan(e.hi));
	assert_true(e.flags & FAN_EST_CI_NONE_ONE_RUN);
	assert_int_equal(fan_est_welch(&none, &spec, &e), 0);
	assert_true(isnan(e.value) && isnan(e.lo));
	assert_true(e.flags & FAN_EST_NO_DATA);
}

/* Over means of ln: ln 8 and ln 32 against ln 2 and ln 8: (3 + 5)/2 - (1 + 3)/2 = 2 powers of 2 */
static void a_welch_gap_is_the_ratio_of_geometric_means(void **state)
{
	const double x[] = { 2, 8 }, y[] = { 8, 32 }, zero[] = { 8, 0 }, minus[] = { 8, -1 };
	const struct fan_samples s = { x, 2, y, 2 }, with_zero = { x, 2, zero, 2 };
	const struct fan_samples with_minus = { minus, 2, y, 2 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_welch_log(&s, &spec, &e), 0);
	assert_near(e.value, 2 * log(2), 1e-15);
	assert_string_equal(e.unit, "log");
	assert_int_equal(fan_est_welch_log(&with_zero, &spec, &e), 0);
	assert_true(isnan(e.value) && isnan(e.lo));
	assert_int_equal(e.flags, FAN_EST_GAP_NONE_ZERO);
	assert_int_equal(fan_est_welch_log(&with_minus, &spec, &e), -EINVAL);
}

/* S^2 of 1 and 3 is 2. */
static void variance_between_runs_is_what_the_windows_do_not_explain(void **state)
{
	const double y[] = { 1, 3 }, equal[] = { 2, 2 };
	struct fan_varcomp v;

	(void)state;
	assert_int_equal(fan_varcomp(y, (const double[]){ 1, 1 }, 2, &v), 0);
	assert_near(v.total, 2, 1e-15);
	assert_near(v.within, 1, 1e-15);
	assert_near(v.between, 1, 1e-15);
	assert_near(v.share, 0.5, 1e-15);
	assert_int_equal(fan_varcomp(y, (const double[]){ 1, 3 }, 2, &v), 0);
	assert_near(v.within, 5, 1e-15);
	assert_near(v.between, 0, 0);
	assert_near(v.share, 0, 0);
	assert_int_equal(fan_varcomp(equal, y, 2, &v), 0);
	assert_true(isnan(v.share));
	assert_int_equal(fan_varcomp(y, y, 1, &v), -ENODATA);
	assert_int_equal(fan_varcomp(y, (const double[]){ 1, -1 }, 2, &v), -EINVAL);
	assert_int_equal(fan_varcomp(y, (const double[]){ 1, NAN }, 2, &v), -EINVAL);
}

/* sqrt(100/1 * 4/1) = 20 */
static void the_best_run_is_longer_where_starting_one_is_dear(void **state)
{
	(void)state;
	assert_near(fan_best_windows(100, 1, 4, 1), 20, 1e-15);
	assert_true(isinf(fan_best_windows(100, 1, 4, 0)));
}

/* Ranks 2 1 4 3 6 5: rho = 1 - 6*6/(6*35) = 29/35; t = 2.959 on 4 df, p = 0.04156 */
static void values_that_follow_the_order_of_runs_are_found(void **state)
{
	const double start[] = { 10, 20, 30, 40, 50, 60 }, y[] = { 2, 1, 4, 3, 6, 5 };
	const double down[] = { 9, 8, 7, 5, 4, 1 }, equal[] = { 3, 3, 3, 3, 3, 3 };
	const double mixed[] = { 1, 6, 2, 5, 3, 4 };
	struct fan_order o;

	(void)state;
	assert_int_equal(fan_test_order(start, y, 6, &o), 0);
	assert_near(o.rho, 29.0 / 35, 1e-14);
	assert_near(o.p, 0.04156, 1e-3);
	assert_true(o.drifts);
	assert_int_equal(fan_test_order(start, down, 6, &o), 0);
	assert_near(o.rho, -1, 1e-14);
	assert_true(o.p < 1e-9 && o.drifts);
	assert_int_equal(fan_test_order(start, mixed, 6, &o), 0);
	assert_false(o.drifts);
	assert_int_equal(fan_test_order(start, equal, 6, &o), 0);
	assert_true(isnan(o.rho) && isnan(o.p) && !o.drifts);
	assert_int_equal(fan_test_order(start, down, 5, &o), 0);
	assert_true(isnan(o.rho) && !o.drifts);
	assert_int_equal(fan_test_order(start, (const double[]){ 1, NAN }, 2, &o), -EINVAL);
}

static void configurations_one_after_the_other_are_confounded_with_time(void **state)
{
	const double early[] = { 3, 1, 2 }, late[] = { 4, 5 }, between[] = { 2.5, 6 };

	(void)state;
	assert_true(fan_is_confounded(early, 3, late, 2));
	assert_true(fan_is_confounded(late, 2, early, 3));
	assert_false(fan_is_confounded(early, 3, between, 2));
	assert_false(fan_is_confounded(early, 3, late, 0));
}

static void runs_of_unequal_length_are_told(void **state)
{
	(void)state;
	assert_false(fan_lengths_differ((const double[]){ 100, 120, 110 }, 3));
	assert_true(fan_lengths_differ((const double[]){ 110, 121, 100 }, 3));
	assert_false(fan_lengths_differ(NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_runs_have_a_wide_interval_and_a_flag),
		cmocka_unit_test(a_family_of_two_widens_the_adjusted_interval_alone),
		cmocka_unit_test(five_runs_are_enough_for_no_flag),
		cmocka_unit_test(a_missing_run_is_left_out_and_told),
		cmocka_unit_test(an_infinite_run_or_a_level_out_of_range_is_an_error),
		cmocka_unit_test(the_logit_interval_stays_within_the_bounds),
		cmocka_unit_test(a_run_at_a_bound_has_no_logit),
		cmocka_unit_test(ends_outside_a_share_are_told_and_kept),
		cmocka_unit_test(a_difference_combines_errors_and_degrees_of_freedom),
		cmocka_unit_test(a_difference_keeps_the_flags_that_concern_it),
		cmocka_unit_test(a_difference_of_tiny_or_huge_numbers_keeps_its_degrees_of_freedom),
		cmocka_unit_test(one_constant_side_leaves_the_spread_of_the_other),
		cmocka_unit_test(a_side_of_one_run_gives_a_difference_without_an_interval),
		cmocka_unit_test(a_welch_gap_is_the_ratio_of_geometric_means),
		cmocka_unit_test(variance_between_runs_is_what_the_windows_do_not_explain),
		cmocka_unit_test(the_best_run_is_longer_where_starting_one_is_dear),
		cmocka_unit_test(values_that_follow_the_order_of_runs_are_found),
		cmocka_unit_test(configurations_one_after_the_other_are_confounded_with_time),
		cmocka_unit_test(runs_of_unequal_length_are_told),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
