// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * analyze/stats/paired, fieller, holm and the verdict on gaps. Quantiles of t by table, at 0.975:
 * 12.70620 (1 df), 4.302653 (2 df), 2.776445 (4 df); at 0.95: 2.131847 (4 df).
 */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/fieller.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/hedges.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/rate.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/tost.h"
#include "analyze/stats/verdict.h"

#define RTOL 1e-6

static const struct fan_est_spec spec = { "points", 0.95, 1 };

/* Differences 1 and 3: mean 2, se 1. */
static void pairs_are_compared_by_their_differences(void **state)
{
	const double a[] = { 11, 103 }, b[] = { 10, 100 };
	const struct fan_paired p = { a, b, 2 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_paired(&p, &spec, &e), 0);
	assert_near(e.value, 2, 1e-15);
	assert_near(e.se, 1, 1e-15);
	assert_near(e.hi, 2 + 12.70620, RTOL);
	assert_string_equal(e.method, "paired-t");
	assert_string_equal(e.unit, "points");
}

/* ln 2 and ln 8 are 1 and 3 times ln 2: the geometric mean of 2 and 8 is 4, 300 % over 1. */
static void the_gap_is_the_geometric_mean_of_ratios(void **state)
{
	const double a[] = { 20, 800 }, b[] = { 10, 100 };
	const struct fan_paired p = { a, b, 2 };
	struct fan_est e, percent, ratio;

	(void)state;
	assert_int_equal(fan_est_paired_log(&p, &spec, &e), 0);
	assert_near(e.value, 2 * log(2), 1e-14);
	assert_near(e.se, log(2), 1e-14);
	fan_est_percent(&e, &percent);
	assert_near(percent.value, 300, 1e-12);
	assert_near(percent.se, 400 * log(2), 1e-12);
	assert_near(percent.lo, 100 * (exp(e.lo) - 1), 1e-12);
	assert_near(percent.hi, 100 * (exp(e.hi) - 1), 1e-12);
	assert_string_equal(percent.unit, "percent");
	fan_est_exp(&e, &ratio);
	assert_near(ratio.value, 4, 1e-14);
}

static void a_run_that_lacks_a_vm_leaves_the_pairs(void **state)
{
	const double a[] = { 11, NAN, 103 }, b[] = { 10, 50, 100 };
	const struct fan_paired p = { a, b, 3 }, swapped = { b, a, 3 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_paired(&p, &spec, &e), 0);
	assert_near(e.value, 2, 1e-15);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.flags, FAN_EST_MISSING | FAN_EST_FEW_RUNS);
	assert_int_equal(fan_est_paired_log(&swapped, &spec, &e), 0);
	assert_near(e.value, -log(1.1 * 1.03) / 2, 1e-13);
	assert_int_equal(e.flags, FAN_EST_MISSING | FAN_EST_FEW_RUNS);
}

static void a_score_of_zero_has_a_difference_and_no_gap(void **state)
{
	const double a[] = { 5000, 5100 }, b[] = { 0, 4900 };
	const struct fan_paired p = { a, b, 2 };
	struct fan_fieller f;
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_paired_log(&p, &spec, &e), 0);
	assert_true(isnan(e.value) && isnan(e.lo));
	assert_int_equal(e.flags, FAN_EST_GAP_NONE_ZERO);
	assert_int_equal(fan_est_paired(&p, &spec, &e), 0);
	assert_near(e.value, 2600, 1e-15);
	assert_int_equal(fan_fieller_paired(&p, &spec, &f), 0);
	assert_near(f.est.value, 10100.0 / 4900, 1e-15);
}

static void scores_below_zero_or_infinite_are_errors(void **state)
{
	const double a[] = { 1, 2 }, minus[] = { 1, -2 }, inf[] = { INFINITY, 2 };
	const struct fan_paired with_minus = { a, minus, 2 }, with_inf = { inf, a, 2 };
	struct fan_fieller f;
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_paired_log(&with_minus, &spec, &e), -EINVAL);
	assert_int_equal(fan_est_paired_log(&with_inf, &spec, &e), -EINVAL);
	assert_int_equal(fan_est_paired(&with_inf, &spec, &e), -EINVAL);
	assert_int_equal(fan_fieller_paired(&with_inf, &spec, &f), -EINVAL);
}

/* ln b falls as ln a rises, in powers of 2: 1, 2, 3 against 3, 2, 1. */
static void competing_scores_correlate_negatively(void **state)
{
	const double a[] = { 2, 4, NAN, 8 }, b[] = { 8, 4, 1, 2 }, same[] = { 4, 4, 4, 4 };
	const struct fan_paired p = { a, b, 4 }, constant = { b, same, 4 }, two = { a, b, 2 };
	double rho;

	(void)state;
	assert_int_equal(fan_log_correlation(&p, &rho), 0);
	assert_near(rho, -1, 1e-14);
	assert_int_equal(fan_log_correlation(&constant, &rho), 0);
	assert_true(isnan(rho));
	assert_int_equal(fan_log_correlation(&two, &rho), 0);
	assert_true(isnan(rho));
}

static struct fan_est gap(double value, double se, double df, unsigned int m)
{
	struct fan_est e;

	fan_est_init(&e, "log", 0.95, m);
	e.value = value;
	e.n = e.runs = (uint64_t)df + 1;
	fan_est_interval(&e, se, df, "paired-t");
	return e;
}

static void an_unsigned_gap_has_a_floor(void **state)
{
	const struct fan_est e = gap(0.01, 0.02, 4, 1);

	(void)state;
	assert_near(fan_unsigned_floor(&e), 0.02 * 0.7978845608, 1e-9);
}

/* a - b = 5, b - c = -1, a - c = 4, each +- 2: the largest is 5, from 3 to 7. */
static void the_largest_gap_is_marked_as_picked(void **state)
{
	struct fan_est e[3] = { gap(-5, 1, 4, 1), gap(-1, 1, 4, 1), gap(4, 1, 4, 1) }, max;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		e[i].lo = e[i].value - 2;
		e[i].hi = e[i].value + 2;
	}
	fan_est_largest(e, 3, &max);
	assert_near(max.value, 5, 0);
	assert_near(max.lo, 3, 0);
	assert_near(max.hi, 7, 0);
	assert_int_equal(max.flags, FAN_EST_SELECTED_MAX);
	e[2].flags = FAN_EST_FEW_RUNS;
	fan_est_largest(e, 3, &max);
	assert_int_equal(max.flags, FAN_EST_SELECTED_MAX | FAN_EST_FEW_RUNS);
	fan_est_largest(e + 1, 1, &max);
	assert_near(max.value, 1, 0);
	assert_near(max.lo, 0, 0); /* -3 .. 1, either way: at least nothing */
	assert_near(max.hi, 3, 0);
	e[1].lo = e[1].hi = NAN;
	fan_est_largest(e, 3, &max);
	assert_near(max.value, 5, 0);
	assert_true(isnan(max.lo) && isnan(max.hi));
	fan_est_init(&e[0], "log", 0.95, 1);
	fan_est_largest(e, 1, &max);
	assert_true(isnan(max.value) && isnan(max.lo));
}

static void the_largest_gap_of_a_family_takes_the_adjusted_intervals(void **state)
{
	const struct fan_est e = gap(4, 1, 4, 3);
	struct fan_est max;

	(void)state;
	fan_est_largest(&e, 1, &max);
	assert_near(max.lo, fmax(0, e.lo_adj), 0);
	assert_near(max.hi, e.hi_adj, 0);
	assert_true(e.hi_adj > e.hi);
}

/*
 * Paired, R = 2: a = 3, 5 (mean 4, v 1), b = 10, 10 (mean 10, v 0): 0.4 +- 12.7062/10. The
 * Satterthwaite df of independent runs is that of the numerator.
 */
static void a_constant_denominator_divides_the_interval_of_the_numerator(void **state)
{
	const double a[] = { 3, 5 }, b[] = { 10, 10 };
	const struct fan_samples s = { b, 2, a, 2 };
	const struct fan_paired p = { a, b, 2 };
	struct fan_fieller f;

	(void)state;
	assert_int_equal(fan_fieller_paired(&p, &spec, &f), 0);
	assert_near(f.est.lo, 0.4 - 1.270620, RTOL);
	assert_near(f.est.hi, 0.4 + 1.270620, RTOL);
	assert_near(f.g, 0, 0);
	assert_string_equal(f.est.method, "fieller-paired");
	assert_true(f.est.flags & FAN_EST_ONE_SIDE_CONSTANT);
	assert_int_equal(fan_fieller(&s, &spec, &f), 0);
	assert_near(f.est.lo, 0.4 - 1.270620, RTOL);
	assert_near(f.est.df, 1, 1e-15);
	assert_string_equal(f.est.method, "fieller");
	assert_true(isnan(f.below) && isnan(f.above));
}

static void a_denominator_near_zero_bounds_no_ratio(void **state)
{
	const double x[] = { 1, -1 }, wide[] = { 1, -0.5 }, y[] = { 2, 4 }, zero[] = { 0, 0 };
	const struct fan_samples all = { wide, 2, y, 2 }, none = { x, 2, y, 2 };
	const struct fan_samples no_work = { zero, 2, y, 2 }, constant = { y, 1, y, 1 };
	struct fan_fieller f;

	(void)state;
	assert_int_equal(fan_fieller(&all, &spec, &f), 0);
	assert_near(f.est.value, 12, 1e-14);
	assert_true(f.est.flags & (FAN_EST_RATIO_UNBOUNDED | FAN_EST_RATIO_EXCLUSIVE));
	assert_true(isnan(f.est.lo) && isnan(f.est.hi) && f.g > 1);
	assert_int_equal(fan_fieller(&none, &spec, &f), 0);
	assert_true(isnan(f.est.value) && isnan(f.est.lo));
	assert_int_equal(fan_fieller(&no_work, &spec, &f), 0);
	assert_true(isnan(f.est.value));
	assert_true(f.est.flags & FAN_EST_UNDEFINED);
	assert_int_equal(fan_fieller(&constant, &spec, &f), 0);
	assert_near(f.est.value, 1, 0);
	assert_int_equal(f.est.flags, FAN_EST_CI_NONE_ONE_RUN);
}

static void ratios_without_any_variance_have_no_interval(void **state)
{
	const double x[] = { 4, 4, 4 }, y[] = { 2, 2, 2 }, zero[] = { 0, 0, 0 },
		     any[] = { 1, 2, 3 };
	const struct fan_samples s = { x, 3, y, 3 }, none = { any, 3, zero, 3 };
	struct fan_fieller f;

	(void)state;
	assert_int_equal(fan_fieller(&s, &spec, &f), 0);
	assert_near(f.est.value, 0.5, 0);
	assert_true(isnan(f.est.lo));
	assert_true(f.est.flags & FAN_EST_CI_NONE_CONSTANT);
	assert_int_equal(fan_fieller(&none, &spec, &f), 0);
	assert_near(f.est.value, 0, 0);
	assert_true(isnan(f.est.lo));
	assert_true(f.est.flags & FAN_EST_CI_NONE_CONSTANT);
}

/* a = 1.7 b in every run: rounding alone decides whether the roots are real. */
static void proportional_pairs_keep_their_ends(void **state)
{
	(void)state;
	for (int step = 1; step < 200; step++) {
		const double b[] = { 10 + 0.01 * step, 11, 12.3 };
		const double a[] = { 1.7 * b[0], 1.7 * b[1], 1.7 * b[2] };
		const struct fan_paired p = { a, b, 3 };
		struct fan_fieller f;

		assert_int_equal(fan_fieller_paired(&p, &spec, &f), 0);
		assert_near(f.est.lo, 1.7, 1e-6);
		assert_near(f.est.hi, 1.7, 1e-6);
	}
}

static void the_ratio_of_a_family_has_a_wider_adjusted_interval(void **state)
{
	const struct fan_est_spec two = { NULL, 0.95, 2 };
	const double x[] = { 10, 11, 12, 10, 11 }, y[] = { 20, 21, 19, 20, 22 };
	const struct fan_samples s = { x, 5, y, 5 };
	struct fan_fieller f;

	(void)state;
	assert_int_equal(fan_fieller(&s, &two, &f), 0);
	assert_true(f.est.lo_adj < f.est.lo && f.est.hi_adj > f.est.hi);
}

/* Half a half-width is where it begins. */
static void skewed_scores_are_told_by_their_two_means(void **state)
{
	struct fan_est log_gap = gap(log(2), 0.1, 4, 1);
	struct fan_fieller f = { .est = gap(2, 0.1, 4, 1) };
	const double half = (log_gap.hi - log_gap.lo) / 2;

	(void)state;
	assert_false(fan_is_skewed(&log_gap, &f));
	f.est.value = 2 * exp(0.51 * half);
	assert_true(fan_is_skewed(&log_gap, &f));
	f.est.value = 2 * exp(-0.49 * half);
	assert_false(fan_is_skewed(&log_gap, &f));
	f.est.value = NAN;
	assert_false(fan_is_skewed(&log_gap, &f));
	f.est.value = 100;
	log_gap.lo = log_gap.hi = NAN;
	assert_false(fan_is_skewed(&log_gap, &f));
}

/* From above: 1 * 0.04, then 3/2 * 0.03, which may not exceed it, then 3 * 0.01. */
static void benjamini_and_hochberg_never_rise_as_p_falls(void **state)
{
	double p[] = { 0.01, NAN, 0.04, 0.03 }, large[] = { 0.9, 1 }, bad[] = { -0.5 };

	(void)state;
	assert_int_equal(fan_benjamini_hochberg(p, 4, p), 0);
	assert_near(p[0], 0.03, 1e-15);
	assert_true(isnan(p[1]));
	assert_near(p[2], 0.04, 1e-15);
	assert_near(p[3], 0.04, 1e-15);
	assert_int_equal(fan_benjamini_hochberg(large, 2, large), 0);
	assert_near(large[0], 1, 0);
	assert_near(large[1], 1, 0);
	assert_int_equal(fan_benjamini_hochberg(bad, 1, bad), -EINVAL);
}

/* Means 2 and 6, variances 2: d = 4/sqrt(2), m = 2: J = Gamma(1)/Gamma(1/2) = 1/sqrt(pi). */
static void a_standardised_difference_shrinks_with_few_runs(void **state)
{
	const double x[] = { 1, 3 }, y[] = { 5, 7 }, same[] = { 2, 2 };
	const struct fan_samples s = { x, 2, y, 2 }, constant = { same, 2, same, 2 };
	const struct fan_est_spec two = { NULL, 0.95, 2 };
	struct fan_hedges h;

	(void)state;
	assert_int_equal(fan_hedges(&s, &two, &h), 0);
	assert_near(h.est.value, 4 / sqrt(2), 1e-14);
	assert_near(h.j, 1 / sqrt(M_PI), 1e-14);
	assert_near(h.g, h.est.value / sqrt(M_PI), 1e-14);
	/* 8 (1 + 1)/8 + (1 + 1) = 4 */
	assert_near(h.est.se, 2, 1e-14);
	assert_near(h.est.hi - h.est.value, 2 * 1.959964, RTOL);
	assert_true(h.est.hi_adj > h.est.hi && h.est.lo_adj < h.est.lo);
	assert_int_equal(fan_hedges(&constant, &two, &h), 0);
	assert_true(isnan(h.est.value) && isnan(h.g) && isnan(h.est.lo));
	assert_true(h.est.flags & FAN_EST_CI_NONE_CONSTANT);
}

/* 0.01, 0.04, 0.03 in order: 3 * 0.01, 2 * 0.03, then 0.04, which may not fall below 0.06. */
static void holm_never_falls_as_p_rises(void **state)
{
	double p[] = { 0.01, NAN, 0.04, 0.03 }, one[] = { 0.3 }, large[] = { 0.9, 0.8 };
	double bad[] = { 1.5 };

	(void)state;
	assert_int_equal(fan_holm(p, 4, p), 0);
	assert_near(p[0], 0.03, 1e-15);
	assert_true(isnan(p[1]));
	assert_near(p[2], 0.06, 1e-15);
	assert_near(p[3], 0.06, 1e-15);
	assert_int_equal(fan_holm(one, 1, one), 0);
	assert_near(one[0], 0.3, 0);
	assert_int_equal(fan_holm(large, 2, large), 0);
	assert_near(large[0], 1, 0);
	assert_near(large[1], 1, 0);
	assert_int_equal(fan_holm(bad, 1, bad), -EINVAL);
	assert_int_equal(fan_holm(NULL, 0, NULL), 0);
}

/* Half-widths with se 1 and 4 df: 2.776445 at 95 %, 2.131847 at 90 %. */
static void gaps_are_judged_by_the_same_rules_in_other_words(void **state)
{
	static const struct {
		double value;
		const char *word;
	} cases[] = { { 5.78, "material" },
		      { 0.86, "equivalent" },
		      { 2.78, "different" },
		      { 0.87, "inconclusive" } };
	struct fan_verdict v;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct fan_est e = gap(-cases[i].value, 1, 4, 1);

		assert_int_equal(fan_judge_gap(&e, 3, &v), 0);
		assert_string_equal(v.word, cases[i].word);
		assert_false(v.indicative);
		assert_int_equal(v.reasons, 0);
	}
}

static void the_equivalence_test_and_its_interval_agree(void **state)
{
	const struct fan_est in = gap(0.86, 1, 4, 1), out = gap(0.87, 1, 4, 1);
	const struct fan_est none = gap(0, 0, 4, 1);

	(void)state;
	assert_true(fan_p_equivalent(&in, 3) < 0.05);
	assert_true(fan_p_equivalent(&out, 3) > 0.05);
	assert_true(isnan(fan_p_equivalent(&none, 3)) && isnan(fan_p_zero(&none)));
}

static void weak_comparisons_are_indicative_for_a_reason(void **state)
{
	struct fan_est e = gap(50, 1, 1, 1);
	struct fan_verdict v;

	(void)state;
	assert_int_equal(fan_judge_gap(&e, 3, &v), 0);
	assert_string_equal(v.word, "material");
	assert_true(v.indicative);
	assert_int_equal(v.reasons, FAN_REASON_TWO_RUNS);
	e = gap(50, 1, 4, 1);
	e.flags = FAN_EST_CONFOUNDED;
	assert_int_equal(fan_judge_gap(&e, 3, &v), 0);
	assert_true(v.indicative);
	assert_int_equal(v.reasons, FAN_REASON_CONFOUNDED);
	e.flags = FAN_EST_DRIFT_OVER_RUNS;
	assert_int_equal(fan_judge_gap(&e, 3, &v), 0);
	assert_true(v.indicative);
	assert_int_equal(v.reasons, FAN_REASON_DRIFT_OVER_RUNS);
	e.flags = FAN_EST_FEW_RUNS;
	assert_int_equal(fan_judge_gap(&e, 3, &v), 0);
	assert_false(v.indicative);
	assert_int_equal(v.reasons, FAN_REASON_FEW_RUNS);
}

static void gaps_without_an_interval_have_no_verdict_or_an_open_one(void **state)
{
	const double x[] = { 90, 90, 90 }, y[] = { 87 };
	const struct fan_samples constant = { x, 3, x, 3 }, one = { x, 3, y, 1 };
	struct fan_verdict v;
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_welch(&constant, &spec, &e), 0);
	assert_int_equal(fan_judge_gap(&e, 3, &v), 0);
	assert_string_equal(v.word, "inconclusive");
	assert_true(v.reasons & FAN_REASON_ZERO_VARIANCE);
	assert_int_equal(fan_est_welch(&one, &spec, &e), 0);
	assert_int_equal(fan_judge_gap(&e, 3, &v), 0);
	assert_null(v.word);
	assert_true(v.reasons & FAN_REASON_CI_NONE_ONE_RUN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_compared_by_their_differences),
		cmocka_unit_test(the_gap_is_the_geometric_mean_of_ratios),
		cmocka_unit_test(a_run_that_lacks_a_vm_leaves_the_pairs),
		cmocka_unit_test(a_score_of_zero_has_a_difference_and_no_gap),
		cmocka_unit_test(scores_below_zero_or_infinite_are_errors),
		cmocka_unit_test(competing_scores_correlate_negatively),
		cmocka_unit_test(an_unsigned_gap_has_a_floor),
		cmocka_unit_test(the_largest_gap_is_marked_as_picked),
		cmocka_unit_test(the_largest_gap_of_a_family_takes_the_adjusted_intervals),
		cmocka_unit_test(a_constant_denominator_divides_the_interval_of_the_numerator),
		cmocka_unit_test(a_denominator_near_zero_bounds_no_ratio),
		cmocka_unit_test(ratios_without_any_variance_have_no_interval),
		cmocka_unit_test(proportional_pairs_keep_their_ends),
		cmocka_unit_test(the_ratio_of_a_family_has_a_wider_adjusted_interval),
		cmocka_unit_test(skewed_scores_are_told_by_their_two_means),
		cmocka_unit_test(benjamini_and_hochberg_never_rise_as_p_falls),
		cmocka_unit_test(a_standardised_difference_shrinks_with_few_runs),
		cmocka_unit_test(holm_never_falls_as_p_rises),
		cmocka_unit_test(gaps_are_judged_by_the_same_rules_in_other_words),
		cmocka_unit_test(the_equivalence_test_and_its_interval_agree),
		cmocka_unit_test(weak_comparisons_are_indicative_for_a_reason),
		cmocka_unit_test(gaps_without_an_interval_have_no_verdict_or_an_open_one),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
