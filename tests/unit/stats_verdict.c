// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * analyze/stats/verdict. Boundaries by hand, with se 1 and 4 df from a table of t:
 * t(0.95) = 2.131847, t(0.975) = 2.776445, t(0.9875) = 3.495406.
 */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/share.h"
#include "analyze/stats/verdict.h"

#define MARGIN 3.0

static struct fan_est deviation(double value, double se, double df, unsigned int m)
{
	struct fan_est e;

	fan_est_init(&e, "points", 0.95, m);
	e.value = value;
	e.n = 300;
	e.ess = 50;
	fan_est_interval(&e, se, df, "pw-ewc");
	return e;
}

static void assert_word(double value, double se, unsigned int m, const char *word)
{
	const struct fan_est up = deviation(value, se, 4, m), down = deviation(-value, se, 4, m);
	struct fan_verdict v;

	assert_int_equal(fan_judge(&up, MARGIN, &v), 0);
	if (!v.word || strcmp(v.word, word) != 0)
		fail_msg("%g, m %u: %s, not %s", value, m, v.word ? v.word : "none", word);
	assert_false(v.indicative);
	assert_int_equal(v.reasons, 0);
	assert_near(v.margin, MARGIN, 0);
	assert_int_equal(fan_judge(&down, MARGIN, &v), 0);
	assert_string_equal(v.word, word);
}

static void unfair_is_an_interval_outside_the_margin(void **state)
{
	(void)state;
	assert_word(5.78, 1, 1, "unfair"); /* from 3.0036 */
	assert_word(5.77, 1, 1, "off");	   /* from 2.9936 */
}

static void fair_is_a_ninety_percent_interval_inside_the_margin(void **state)
{
	(void)state;
	assert_word(0.86, 1, 1, "fair");	 /* to 2.9918 */
	assert_word(0.87, 1, 1, "inconclusive"); /* to 3.0018 */
	assert_word(0, 1, 1, "fair");
}

static void off_is_an_interval_without_zero(void **state)
{
	(void)state;
	assert_word(2.78, 1, 1, "off");		 /* from 0.0036 */
	assert_word(2.77, 1, 1, "inconclusive"); /* from -0.0064 */
}

/* 2 with se 0.1 is certainly not 0 and certainly within 3. */
static void a_small_certain_deviation_is_fair(void **state)
{
	(void)state;
	assert_word(2, 0.1, 1, "fair");
}

static void a_family_of_two_uses_the_adjusted_intervals(void **state)
{
	(void)state;
	assert_word(6.50, 1, 2, "unfair");	 /* from 3.0046 */
	assert_word(6.49, 1, 2, "off");		 /* from 2.9946 */
	assert_word(3.50, 1, 2, "off");		 /* from 0.0046 */
	assert_word(3.49, 1, 2, "inconclusive"); /* from -0.0054 */
	assert_word(0.22, 1, 2, "fair");	 /* to 2.9964 */
	assert_word(0.23, 1, 2, "inconclusive"); /* to 3.0064 */
}

static void a_margin_of_zero_leaves_unfair_or_inconclusive(void **state)
{
	struct fan_est e = deviation(3, 1, 4, 1);
	struct fan_verdict v;

	(void)state;
	assert_int_equal(fan_judge(&e, 0, &v), 0);
	assert_string_equal(v.word, "unfair");
	e = deviation(0, 1, 4, 1);
	assert_int_equal(fan_judge(&e, 0, &v), 0);
	assert_string_equal(v.word, "inconclusive");
}

static void a_zero_standard_error_is_inconclusive_never_fair(void **state)
{
	struct fan_est e = deviation(0, 0, 4, 1);
	struct fan_verdict v;

	(void)state;
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_string_equal(v.word, "inconclusive");
	assert_int_equal(v.reasons, FAN_REASON_ZERO_VARIANCE);
	e = deviation(50, 0, 4, 1);
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_string_equal(v.word, "inconclusive");
}

static void constant_windows_are_inconclusive(void **state)
{
	double part[30], total[30];
	const struct fan_windows w = { part, total, 30 };
	struct fan_est share, dev;
	struct fan_verdict v;

	(void)state;
	for (size_t i = 0; i < 30; i++) {
		part[i] = 90;
		total[i] = 100;
	}
	assert_int_equal(fan_est_share(&w, 0.95, 1, &share), 0);
	fan_est_deviation(&share, 90, &dev);
	assert_int_equal(fan_judge(&dev, MARGIN, &v), 0);
	assert_string_equal(v.word, "inconclusive");
	assert_true(v.indicative);
	assert_int_equal(v.reasons,
			 FAN_REASON_ZERO_VARIANCE | FAN_REASON_ONE_RUN | FAN_REASON_FEW_WINDOWS);
}

static void without_an_interval_there_is_no_verdict(void **state)
{
	static const struct {
		uint32_t flag, reason;
		double value;
	} none[] = {
		{ FAN_EST_CI_NONE_SHORT, FAN_REASON_TOO_SHORT, 5 },
		{ FAN_EST_UNDEFINED, FAN_REASON_NO_WORK, NAN },
		{ FAN_EST_NO_DATA, FAN_REASON_NO_DATA, NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct fan_est e;
		struct fan_verdict v;

		fan_est_init(&e, "points", 0.95, 1);
		e.value = none[i].value;
		e.n = 5;
		e.flags = FAN_EST_ONE_RUN | none[i].flag;
		assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
		assert_null(v.word);
		assert_false(v.indicative);
		assert_int_equal(v.reasons, FAN_REASON_ONE_RUN | none[i].reason);
	}
}

static void a_nonstationary_run_gets_no_verdict(void **state)
{
	struct fan_est e = deviation(40, 1, 4, 1);
	struct fan_verdict v;

	(void)state;
	e.flags = FAN_EST_ONE_RUN | FAN_EST_NONSTATIONARY | FAN_EST_APPROXIMATE;
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_null(v.word);
	assert_int_equal(v.reasons, FAN_REASON_ONE_RUN | FAN_REASON_NONSTATIONARY);
}

static void doubts_make_a_verdict_indicative_and_are_named(void **state)
{
	struct fan_est e = deviation(40, 1, 4, 1);
	struct fan_verdict v;

	(void)state;
	e.flags = FAN_EST_ONE_RUN;
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_string_equal(v.word, "unfair");
	assert_true(v.indicative);
	assert_int_equal(v.reasons, FAN_REASON_ONE_RUN);
	e.flags = FAN_EST_APPROXIMATE | FAN_EST_LEVEL_SHIFT | FAN_EST_SLOW_DRIFT |
		  FAN_EST_METHODS_DISAGREE | FAN_EST_IRREGULAR_WINDOWS;
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_true(v.indicative);
	assert_int_equal(v.reasons, FAN_REASON_LEVEL_SHIFT | FAN_REASON_SLOW_DRIFT |
					    FAN_REASON_METHODS_DISAGREE |
					    FAN_REASON_IRREGULAR_WINDOWS);
}

static void few_windows_and_a_small_effective_size_are_named(void **state)
{
	struct fan_est e = deviation(40, 1, 4, 1);
	struct fan_verdict v;

	(void)state;
	e.flags = FAN_EST_ONE_RUN | FAN_EST_APPROXIMATE;
	e.n = 119;
	e.ess = 10;
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_int_equal(v.reasons, FAN_REASON_ONE_RUN | FAN_REASON_FEW_WINDOWS);
	e.n = 120;
	e.ess = 9.99;
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_int_equal(v.reasons, FAN_REASON_ONE_RUN | FAN_REASON_LOW_ESS);
	/* over several runs n counts runs: 5 of them are not "few windows" */
	e = deviation(40, 1, 4, 1);
	e.n = 30;
	e.ess = NAN;
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_int_equal(v.reasons, 0);
}

static void judge_seed(const char *file, struct fan_verdict *ret)
{
	struct table *t = read_table(file);
	const struct fan_windows w = { t->col[0], t->col[1], t->n };
	struct fan_est share, dev;

	for (size_t i = 0; i < t->n; i++)
		t->col[0][i] *= t->col[1][i] / 100;
	assert_int_equal(fan_est_share(&w, 0.95, 1, &share), 0);
	fan_est_deviation(&share, 90, &dev);
	assert_int_equal(fan_judge(&dev, MARGIN, ret), 0);
	test_free(t);
}

/* Deviations -4.68 [-8.90, -0.47] and -61.69 [-80.29, -43.09]. */
static void the_seed_runs_are_off_and_unfair_for_the_reasons_given(void **state)
{
	struct fan_verdict v;

	(void)state;
	judge_seed("seed_vm1.csv", &v);
	assert_string_equal(v.word, "off");
	assert_true(v.indicative);
	assert_int_equal(v.reasons,
			 FAN_REASON_ONE_RUN | FAN_REASON_FEW_WINDOWS | FAN_REASON_LOW_ESS);
	judge_seed("seed_vm2.csv", &v);
	assert_string_equal(v.word, "unfair");
	assert_true(v.indicative);
	assert_int_equal(v.reasons,
			 FAN_REASON_ONE_RUN | FAN_REASON_FEW_WINDOWS | FAN_REASON_UNEQUAL_WINDOWS);
}

static void a_wrong_margin_level_or_family_is_refused(void **state)
{
	static const double bad[] = { -1, NAN, INFINITY };
	struct fan_est e = deviation(1, 1, 4, 1);
	struct fan_verdict v;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(fan_judge(&e, bad[i], &v), -EINVAL);
	e.level = 0.5; /* the two one-sided tests have no interval there */
	assert_int_equal(fan_judge(&e, MARGIN, &v), -EINVAL);
	e.level = NAN;
	assert_int_equal(fan_judge(&e, MARGIN, &v), -EINVAL);
	e.level = 0.95;
	e.m = 0;
	assert_int_equal(fan_judge(&e, MARGIN, &v), -EINVAL);
}

static void every_reason_has_words_of_its_own(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < FAN_REASONS; i++) {
		assert_non_null(fan_reason_text(1U << i));
		for (unsigned int j = 0; j < i; j++)
			assert_string_not_equal(fan_reason_text(1U << i), fan_reason_text(1U << j));
	}
	assert_null(fan_reason_text(1U << FAN_REASONS));
	assert_null(fan_reason_text(0));
	assert_string_equal(fan_reason_text(FAN_REASON_ONE_RUN), "one run");
	assert_string_equal(fan_reason_text(FAN_REASON_FEW_WINDOWS), "fewer than 120 windows");
	assert_string_equal(fan_reason_text(FAN_REASON_LOW_ESS), "effective sample size below 10");
	assert_string_equal(fan_reason_text(FAN_REASON_ZERO_TOTAL_WINDOWS),
			    "windows without any work");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unfair_is_an_interval_outside_the_margin),
		cmocka_unit_test(fair_is_a_ninety_percent_interval_inside_the_margin),
		cmocka_unit_test(off_is_an_interval_without_zero),
		cmocka_unit_test(a_small_certain_deviation_is_fair),
		cmocka_unit_test(a_family_of_two_uses_the_adjusted_intervals),
		cmocka_unit_test(a_margin_of_zero_leaves_unfair_or_inconclusive),
		cmocka_unit_test(a_zero_standard_error_is_inconclusive_never_fair),
		cmocka_unit_test(constant_windows_are_inconclusive),
		cmocka_unit_test(without_an_interval_there_is_no_verdict),
		cmocka_unit_test(a_nonstationary_run_gets_no_verdict),
		cmocka_unit_test(doubts_make_a_verdict_indicative_and_are_named),
		cmocka_unit_test(few_windows_and_a_small_effective_size_are_named),
		cmocka_unit_test(the_seed_runs_are_off_and_unfair_for_the_reasons_given),
		cmocka_unit_test(a_wrong_margin_level_or_family_is_refused),
		cmocka_unit_test(every_reason_has_words_of_its_own),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
