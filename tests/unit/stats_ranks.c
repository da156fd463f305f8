// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/ranks and hodges: small samples whose arrangements can be counted by hand. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/hodges.h"
#include "analyze/stats/ranks.h"

#define MANY (FAN_RANKS_EXACT + 1)

static const struct fan_est_spec spec = { "points", 0.95, 1 };

/* One of 20 arrangements on either side. */
static void three_against_three_cannot_reach_five_percent(void **state)
{
	const double x[] = { 1, 2, 3 }, y[] = { 4, 5, 6 };
	const struct fan_samples s = { x, 3, y, 3 };
	struct fan_ranks r;

	(void)state;
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.u, 9, 0);
	assert_near(r.p, 0.1, 1e-15);
	assert_near(r.p_min, 0.1, 1e-14);
	assert_true(r.cannot_reach && r.is_exact);
	assert_near(r.a12.value, 1, 0);
	assert_near(r.a12.hi, 1, 0);
	assert_true(r.a12.lo > 0.4 && r.a12.lo < 0.6);
	assert_int_equal(r.a12.flags, FAN_EST_FEW_RUNS);
	assert_int_equal(r.a12.runs, 3);
}

/* C(8, 4) = 70: 2/70 = 0.0286 */
static void four_against_four_can(void **state)
{
	const double x[] = { 1, 2, 3, 4 }, y[] = { 5, 6, 7, 8 };
	const struct fan_samples s = { x, 4, y, 4 };
	struct fan_ranks r;

	(void)state;
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.p, 2.0 / 70, 1e-14);
	assert_near(r.p_min, 2.0 / 70, 1e-14);
	assert_false(r.cannot_reach);
}

/*
 * Mid-ranks 1, 2.5 | 2.5, 4: y has 6.5 where 5 is expected. The sums of all six pairs are 3.5
 * twice, 5 twice, 6.5 twice: four of them are 1.5 off.
 */
static void ties_share_their_ranks(void **state)
{
	const double x[] = { 1, 2 }, y[] = { 2, 3 };
	const struct fan_samples s = { x, 2, y, 2 };
	struct fan_ranks r;

	(void)state;
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.u, 3.5, 0);
	assert_near(r.p, 4.0 / 6, 1e-15);
	assert_near(r.a12.value, 3.5 / 4, 0);
}

static void samples_of_one_value_are_no_evidence(void **state)
{
	double same[MANY];
	struct fan_samples s = { same, 4, same, 3 };
	struct fan_ranks r;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		same[i] = 7;
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.u, 6, 0);
	assert_near(r.p, 1, 1e-15);
	assert_near(r.a12.value, 0.5, 0);
	s.nx = s.ny = MANY;
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.p, 1, 0);
	assert_false(r.is_exact);
}

/*
 * 0 .. 50 against the same 5.5 higher: u = sum of min(51, j + 6) over j = 990 + 270 + 306 = 1566;
 * 51 * 51 / 2 = 1300.5; variance 51 * 51 * 103/12 = 22325.25; z = 265.5/149.4164 = 1.776913.
 */
static void many_values_take_the_normal_approximation(void **state)
{
	double x[MANY], y[MANY];
	const struct fan_samples s = { x, MANY, y, MANY };
	struct fan_ranks r;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		x[i] = (double)i;
		y[i] = (double)i + 5.5;
	}
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.u, 1566, 0);
	assert_near(r.p, 0.07558, 1e-3);
	assert_false(r.is_exact);
}

/*
 * x: 26 times 0, 25 times 1; y: 20 and 31. u = 31 * 26 + (20 * 26 + 31 * 25)/2 = 1453.5, 153 above
 * its mean. Ties: 46^3 - 46 + 56^3 - 56 = 272850; variance 2601/12 (103 - 272850/(102 * 101)).
 */
static void ties_narrow_the_approximation(void **state)
{
	const double variance = 2601.0 / 12 * (103 - 272850.0 / (102 * 101));
	double x[MANY], y[MANY];
	const struct fan_samples s = { x, MANY, y, MANY };
	struct fan_ranks r;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		x[i] = i >= 26;
		y[i] = i >= 20;
	}
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.u, 1453.5, 0);
	assert_near(r.p, erfc(153 / sqrt(variance) / sqrt(2)), 1e-12);
}

/* The same, a value less on each side, is exact: close to its own approximation. */
static void the_exact_test_and_its_approximation_meet(void **state)
{
	double x[FAN_RANKS_EXACT], y[FAN_RANKS_EXACT], sd, z;
	const struct fan_samples s = { x, FAN_RANKS_EXACT, y, FAN_RANKS_EXACT };
	struct fan_ranks r;

	(void)state;
	for (size_t i = 0; i < FAN_RANKS_EXACT; i++) {
		x[i] = (double)i;
		y[i] = (double)i + 5.5;
	}
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_true(r.is_exact);
	sd = sqrt(50.0 * 50 * 101 / 12);
	z = (r.u - 1250) / sd;
	assert_near(r.p, erfc(z / sqrt(2)), 0.02);
}

static void missing_and_infinite_values_are_told_apart(void **state)
{
	const double x[] = { 1, NAN, 2, 3 }, y[] = { 4, 5, 6 }, inf[] = { INFINITY };
	const struct fan_samples s = { x, 4, y, 3 }, bad = { x, 4, inf, 1 }, none = { x, 0, y, 3 };
	struct fan_ranks r;
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.p, 0.1, 1e-15);
	assert_true(r.a12.flags & FAN_EST_MISSING);
	assert_int_equal(fan_est_hodges(&s, &spec, &e), 0);
	assert_near(e.value, 3, 0);
	assert_true(e.flags & FAN_EST_MISSING);
	assert_int_equal(fan_rank_test(&bad, &spec, &r), -EINVAL);
	assert_int_equal(fan_est_hodges(&bad, &spec, &e), -EINVAL);
	assert_int_equal(fan_rank_test(&none, &spec, &r), 0);
	assert_true(isnan(r.p) && isnan(r.u) && isnan(r.a12.value));
	assert_int_equal(r.a12.flags, FAN_EST_NO_DATA);
	assert_int_equal(fan_est_hodges(&none, &spec, &e), 0);
	assert_true(isnan(e.value));
	assert_int_equal(e.flags, FAN_EST_NO_DATA);
}

/* Differences 8, 9, 9, 10, 10, 10, 11, 11, 12; P(U <= 0, 1, 2) = 1/20, 2/20, 4/20. */
static void the_shift_says_which_level_it_achieves(void **state)
{
	const double x[] = { 1, 2, 3 }, y[] = { 11, 12, 13 };
	const struct fan_est_spec low = { "points", 0.7, 1 };
	const struct fan_samples s = { x, 3, y, 3 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_hodges(&s, &spec, &e), 0);
	assert_near(e.value, 10, 0);
	assert_near(e.lo, 8, 0);
	assert_near(e.hi, 12, 0);
	assert_near(e.level, 0.9, 1e-15);
	assert_true(isnan(e.se) && isnan(e.df) && isnan(e.lo_adj));
	assert_int_equal(e.flags, FAN_EST_FEW_RUNS);
	/* 0.15: P(U <= 2) is the first to reach it */
	assert_int_equal(fan_est_hodges(&s, &low, &e), 0);
	assert_near(e.lo, 9, 0);
	assert_near(e.hi, 11, 0);
	assert_near(e.level, 0.8, 1e-15);
}

/*
 * Of 4 against 4, P(U <= k) is 1, 2, 4, 7 of 70 for k = 0 .. 3: a level of exactly 1 - 2 P(U <= k)
 * takes this k, whatever 1 - level is rounded to, and achieves that of k - 1.
 */
static void a_level_that_is_met_exactly_is_met(void **state)
{
	static const double cumulative[] = { 1, 2, 4, 7, 12, 17 };
	const double x[] = { 1, 2, 3, 4 }, y[] = { 11, 12.1, 13.4, 14.9 };
	const struct fan_samples s = { x, 4, y, 4 };

	(void)state;
	for (size_t k = 1; k < 6; k++) {
		const double level = 1 - 2 * cumulative[k] / 70;
		struct fan_est_spec exactly = { "points", level, 1 };
		struct fan_est e;

		for (int ulp = -2; ulp <= 2; ulp++) {
			exactly.level = level + ulp * 1.2e-16;
			assert_int_equal(fan_est_hodges(&s, &exactly, &e), 0);
			assert_near(e.level, 1 - 2 * cumulative[k - 1] / 70, 1e-14);
		}
	}
}

static void the_shift_of_a_family_is_wider(void **state)
{
	const double x[] = { 1, 2, 3, 4, 5 }, y[] = { 11, 12.5, 13.1, 14.7, 15.2 };
	const struct fan_est_spec ten = { "points", 0.95, 10 };
	const struct fan_samples s = { x, 5, y, 5 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_hodges(&s, &ten, &e), 0);
	assert_true(e.lo_adj < e.lo && e.hi_adj > e.hi);
	assert_int_equal(e.flags, 0);
}

static void one_run_or_equal_runs_have_a_shift_without_an_interval(void **state)
{
	const double x[] = { 1, 1, 1 }, y[] = { 4, 4, 4 };
	const struct fan_samples one = { x, 3, y, 1 }, equal = { x, 3, y, 3 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_hodges(&one, &spec, &e), 0);
	assert_near(e.value, 3, 0);
	assert_true(isnan(e.lo) && isnan(e.hi));
	assert_int_equal(e.flags, FAN_EST_CI_NONE_ONE_RUN);
	assert_int_equal(fan_est_hodges(&equal, &spec, &e), 0);
	assert_true(isnan(e.lo));
	assert_true(e.flags & FAN_EST_CI_NONE_CONSTANT);
}

static void many_values_achieve_nearly_the_level_asked_for(void **state)
{
	double x[MANY], y[MANY];
	const struct fan_samples exact = { x, FAN_RANKS_EXACT, y, FAN_RANKS_EXACT };
	const struct fan_samples normal = { x, MANY, y, MANY };
	struct fan_est a, b;

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		x[i] = (double)(i * i % 53);
		y[i] = (double)(i * i % 47) + 10;
	}
	assert_int_equal(fan_est_hodges(&exact, &spec, &a), 0);
	assert_int_equal(fan_est_hodges(&normal, &spec, &b), 0);
	assert_true(a.level >= 0.95 && a.level < 0.952);
	/* 1008 is the first with 1008 + 0.5 - 1300.5 >= -1.96 sqrt(22325.25) = -292.9 */
	assert_near(b.level, 1 - erfc(293 / sqrt(22325.25) / sqrt(2)), 1e-12);
	assert_true(fabs(a.lo - b.lo) <= 1 && fabs(a.hi - b.hi) <= 1);
}

static void tests_on_opposite_sides_of_the_level_disagree(void **state)
{
	(void)state;
	assert_true(fan_tests_disagree(0.04, 0.06, 0.95));
	assert_true(fan_tests_disagree(0.06, 0.04, 0.95));
	assert_false(fan_tests_disagree(0.04, 0.01, 0.95));
	assert_false(fan_tests_disagree(0.04, 0.06, 0.99));
	assert_false(fan_tests_disagree(NAN, 0.01, 0.95));
	assert_false(fan_tests_disagree(0.01, NAN, 0.95));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_against_three_cannot_reach_five_percent),
		cmocka_unit_test(four_against_four_can),
		cmocka_unit_test(ties_share_their_ranks),
		cmocka_unit_test(samples_of_one_value_are_no_evidence),
		cmocka_unit_test(many_values_take_the_normal_approximation),
		cmocka_unit_test(ties_narrow_the_approximation),
		cmocka_unit_test(the_exact_test_and_its_approximation_meet),
		cmocka_unit_test(missing_and_infinite_values_are_told_apart),
		cmocka_unit_test(the_shift_says_which_level_it_achieves),
		cmocka_unit_test(a_level_that_is_met_exactly_is_met),
		cmocka_unit_test(the_shift_of_a_family_is_wider),
		cmocka_unit_test(one_run_or_equal_runs_have_a_shift_without_an_interval),
		cmocka_unit_test(many_values_achieve_nearly_the_level_asked_for),
		cmocka_unit_test(tests_on_opposite_sides_of_the_level_disagree),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
