// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/pwewc: tiers, warnings and degenerate series (its numbers: stats_reference.c). */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/est.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/pwewc.h"

#define LEVEL 0.95

/* Independent values from 0 to 96, always the same: xorshift64 (Marsaglia 2003), one seed. */
static void fill_rough(double *x, size_t n)
{
	uint64_t state = 20151019;

	for (size_t i = 0; i < n; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		x[i] = (double)(state % 97);
	}
}

static void assert_no_interval(const struct fan_pwewc *p)
{
	assert_true(isnan(p->half) && isnan(p->ess) && isnan(p->phi) && isnan(p->lrv));
	assert_true(isnan(p->shift_stat) && isnan(p->drift_p) && isnan(p->batch_half));
}

static void a_long_steady_series_raises_no_flag(void **state)
{
	struct table *t = read_table("ar1_200.csv");
	struct fan_pwewc p;

	(void)state;
	assert_int_equal(fan_pwewc(t->col[0], t->n, LEVEL, &p), 0);
	assert_int_equal(p.flags, 0);
	test_free(t);
}

static void fewer_than_120_values_are_approximate(void **state)
{
	struct fan_pwewc p;
	double x[120];

	(void)state;
	fill_rough(x, 120);
	assert_int_equal(fan_pwewc(x, 120, LEVEL, &p), 0);
	assert_int_equal(p.flags & FAN_EST_APPROXIMATE, 0);
	assert_int_equal(fan_pwewc(x, 119, LEVEL, &p), 0);
	assert_int_equal(p.flags & FAN_EST_APPROXIMATE, FAN_EST_APPROXIMATE);
}

/* x_t = 0.9 x_(t-1) + noise: 150 values are worth about 150 (1 - 0.9)/(1 + 0.9) = 8. */
static void an_effective_size_below_10_is_approximate(void **state)
{
	struct fan_pwewc p;
	double x[150];

	(void)state;
	fill_rough(x, 150);
	x[0] -= 48;
	for (size_t i = 1; i < 150; i++)
		x[i] = 0.9 * x[i - 1] + x[i] - 48;
	assert_int_equal(fan_pwewc(x, 150, LEVEL, &p), 0);
	assert_true(p.ess > 4 && p.ess < 10);
	assert_int_equal(p.flags, FAN_EST_APPROXIMATE);
}

static void fewer_than_20_values_give_a_mean_only(void **state)
{
	struct fan_pwewc p;
	double x[20];

	(void)state;
	fill_rough(x, 20);
	assert_int_equal(fan_pwewc(x, 19, LEVEL, &p), 0);
	assert_int_equal(p.flags, FAN_EST_CI_NONE_SHORT);
	assert_true(isfinite(p.mean) && isnan(p.se));
	assert_no_interval(&p);
	assert_int_equal(fan_pwewc(x, 20, LEVEL, &p), 0);
	assert_int_equal(p.flags & FAN_EST_CI_NONE_SHORT, 0);
	assert_true(p.half > 0);
	assert_int_equal(fan_pwewc(x, 1, LEVEL, &p), 0);
	assert_int_equal(p.flags, FAN_EST_CI_NONE_SHORT);
	assert_near(p.mean, x[0], 0);
	assert_true(isnan(p.s2));
}

static void a_constant_series_has_no_interval_of_width_zero(void **state)
{
	struct fan_pwewc p;
	double x[30];

	(void)state;
	for (size_t i = 0; i < 30; i++)
		x[i] = 90;
	assert_int_equal(fan_pwewc(x, 30, LEVEL, &p), 0);
	assert_int_equal(p.flags, FAN_EST_CI_NONE_CONSTANT);
	assert_true(p.mean == 90 && p.s2 == 0 && p.se == 0);
	assert_no_interval(&p);
}

static void wrong_input_is_refused(void **state)
{
	struct fan_pwewc p = { .n = 7 };
	double x[30];

	(void)state;
	fill_rough(x, 30);
	assert_int_equal(fan_pwewc(x, 0, LEVEL, &p), -ENODATA);
	assert_int_equal(fan_pwewc(x, 30, 1, &p), -EINVAL);
	assert_int_equal(fan_pwewc(x, 30, 0, &p), -EINVAL);
	assert_int_equal(fan_pwewc(x, 30, NAN, &p), -EINVAL);
	x[17] = NAN;
	assert_int_equal(fan_pwewc(x, 30, LEVEL, &p), -EINVAL);
	assert_int_equal(p.n, 7);
}

/* The lag-1 correlation of 1, 2, ..., n is about 1 - 3/n: phi would pass 1. */
static void a_ramp_is_nonstationary(void **state)
{
	struct fan_pwewc p;
	double x[200];

	(void)state;
	for (size_t i = 0; i < 200; i++)
		x[i] = (double)i;
	assert_int_equal(fan_pwewc(x, 200, LEVEL, &p), 0);
	assert_near(p.phi, 0.97, 1e-15);
	assert_int_equal(p.flags & FAN_EST_NONSTATIONARY, FAN_EST_NONSTATIONARY);
	assert_int_equal(p.flags & FAN_EST_APPROXIMATE, FAN_EST_APPROXIMATE);
}

static void alternation_is_not_prewhitened(void **state)
{
	struct fan_pwewc p;
	double x[120];

	(void)state;
	fill_rough(x, 120);
	for (size_t i = 0; i < 120; i++)
		x[i] += i % 2 ? 200 : 0;
	assert_int_equal(fan_pwewc(x, 120, LEVEL, &p), 0);
	assert_true(p.r1 < -0.5 && p.phi == 0);
}

static void a_shifted_series_is_flagged_and_approximate(void **state)
{
	struct table *t = read_table("shift_150.csv");
	struct fan_pwewc p;

	(void)state;
	assert_int_equal(fan_pwewc(t->col[0], t->n, LEVEL, &p), 0);
	/* statistic 811 > 40.1 at 92; p of the drift 0.0003 < 0.01; ess 13.6; n 150 */
	assert_int_equal(p.shift_at, 92);
	assert_int_equal(p.flags & ~FAN_EST_METHODS_DISAGREE,
			 FAN_EST_LEVEL_SHIFT | FAN_EST_SLOW_DRIFT | FAN_EST_APPROXIMATE);
	test_free(t);
}

/* Statistic 52.0: over the 5 % value, which counts from 120 values on, under the 1 % value. */
static void a_short_series_needs_a_larger_shift(void **state)
{
	struct table *t = read_table("seed_vm2.csv");
	struct fan_pwewc p;

	(void)state;
	assert_int_equal(fan_pwewc(t->col[0], t->n, LEVEL, &p), 0);
	assert_true(p.shift_stat > 40.1);
	assert_int_equal(p.flags, FAN_EST_APPROXIMATE);
	test_free(t);
}

/* Ten batches of one full period each have equal means; the other method sees a spread. */
static void batch_means_that_see_no_spread_disagree(void **state)
{
	struct fan_pwewc p;
	double x[120];

	(void)state;
	for (size_t i = 0; i < 120; i++)
		x[i] = (double)(i % 12 < 6 ? i % 12 : 12 - i % 12);
	assert_int_equal(fan_pwewc(x, 120, LEVEL, &p), 0);
	assert_int_equal(p.flags & FAN_EST_METHODS_DISAGREE, FAN_EST_METHODS_DISAGREE);
	assert_int_equal(p.flags & FAN_EST_APPROXIMATE, FAN_EST_APPROXIMATE);
	/* not in a short run, where batches say nothing: 60 values are 10 half periods */
	assert_int_equal(fan_pwewc(x, 60, LEVEL, &p), 0);
	assert_true(p.half > 1.7 * p.batch_half);
	assert_int_equal(p.flags & FAN_EST_METHODS_DISAGREE, 0);
}

static void slow_drift_is_tested_from_61_values_on(void **state)
{
	struct fan_pwewc p;
	double x[61];

	(void)state;
	fill_rough(x, 61);
	assert_int_equal(fan_pwewc(x, 60, LEVEL, &p), 0);
	assert_true(isnan(p.drift_p));
	assert_int_equal(fan_pwewc(x, 61, LEVEL, &p), 0);
	assert_true(p.drift_p > 0 && p.drift_p < 1);
}

static void a_higher_level_widens_by_the_t_quantiles(void **state)
{
	struct fan_pwewc a, b;
	double x[120];

	(void)state;
	fill_rough(x, 120);
	assert_int_equal(fan_pwewc(x, 120, 0.95, &a), 0);
	assert_int_equal(fan_pwewc(x, 120, 0.99, &b), 0);
	/* tables of t with 8 df: 3.355387 and 2.306004 */
	assert_near(b.half / a.half, 3.355387 / 2.306004, 1e-6);
	assert_near(b.se, a.se, 0);
}

static void the_t_quantile_exists_only_inside_its_domain(void **state)
{
	(void)state;
	assert_near(fan_tq(0.95, 4), 2.7764451051977934, 1e-14);
	assert_true(isnan(fan_tq(0.95, 0)) && isnan(fan_tq(0.95, -1)) && isnan(fan_tq(0.95, NAN)));
	assert_true(isnan(fan_tq(0, 4)) && isnan(fan_tq(1, 4)) && isnan(fan_tq(NAN, 4)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_steady_series_raises_no_flag),
		cmocka_unit_test(fewer_than_120_values_are_approximate),
		cmocka_unit_test(an_effective_size_below_10_is_approximate),
		cmocka_unit_test(fewer_than_20_values_give_a_mean_only),
		cmocka_unit_test(a_constant_series_has_no_interval_of_width_zero),
		cmocka_unit_test(wrong_input_is_refused),
		cmocka_unit_test(a_ramp_is_nonstationary),
		cmocka_unit_test(alternation_is_not_prewhitened),
		cmocka_unit_test(a_shifted_series_is_flagged_and_approximate),
		cmocka_unit_test(a_short_series_needs_a_larger_shift),
		cmocka_unit_test(batch_means_that_see_no_spread_disagree),
		cmocka_unit_test(slow_drift_is_tested_from_61_values_on),
		cmocka_unit_test(a_higher_level_widens_by_the_t_quantiles),
		cmocka_unit_test(the_t_quantile_exists_only_inside_its_domain),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
