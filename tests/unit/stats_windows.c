// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * analyze/stats/quantile, fraction, short_term, mser, outliers and input: tiers, bounds and
 * degenerate series of one run.
 */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/fraction.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/input.h"
#include "analyze/stats/mser.h"
#include "analyze/stats/outliers.h"
#include "analyze/stats/pwewc.h"
#include "analyze/stats/quantile.h"
#include "analyze/stats/short_term.h"

#define N 300

static const struct fan_est_spec spec = { "percent", 0.95, 1 }, pair = { "percent", 0.95, 2 };

/* 0 .. 1 without pattern (xorshift64, Marsaglia 2003). */
static void fill(double *x, size_t n)
{
	uint64_t state = 20151019;

	for (size_t i = 0; i < n; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		x[i] = (double)(state >> 11) / 9007199254740992.0;
	}
}

static struct fan_quantile quantile(const double *x, size_t n, double p)
{
	struct fan_quantile q;

	assert_int_equal(fan_est_quantile(x, n, p, &spec, &q), 0);
	return q;
}

static void tails_need_more_windows_than_the_median(void **state)
{
	struct fan_quantile q;
	double x[N];

	(void)state;
	fill(x, N);
	q = quantile(x, 119, 0.95);
	assert_true(q.est.flags & FAN_EST_CI_NONE_TAIL);
	assert_true(isnan(q.est.lo) && !isnan(q.est.value));
	assert_null(q.est.method);
	q = quantile(x, 199, 0.05);
	assert_true(q.est.flags & FAN_EST_APPROXIMATE);
	assert_true(q.est.lo < q.est.value && q.est.value < q.est.hi);
	q = quantile(x, 200, 0.05);
	assert_int_equal(q.est.flags, FAN_EST_ONE_RUN);
	q = quantile(x, 120, 0.5);
	assert_int_equal(q.est.flags, FAN_EST_ONE_RUN);
	assert_string_equal(q.est.method, "woodruff");
	q = quantile(x, 119, 0.5);
	assert_int_equal(q.est.flags, FAN_EST_ONE_RUN | FAN_EST_APPROXIMATE);
	assert_false(isnan(q.est.lo));
}

static void a_quantile_of_a_family_is_wider(void **state)
{
	struct fan_quantile q;
	double x[N];

	(void)state;
	fill(x, N);
	assert_int_equal(fan_est_quantile(x, N, 0.5, &pair, &q), 0);
	assert_true(q.est.lo_adj < q.est.lo && q.est.hi_adj > q.est.hi);
}

static void quantiles_of_too_little_have_no_interval(void **state)
{
	const double four[] = { 4, 1, 3, 2 };
	struct fan_quantile q = quantile(four, 4, 0.5);
	double same[N];

	(void)state;
	assert_near(q.est.value, 2.5, 0);
	assert_true(isnan(q.est.lo));
	assert_int_equal(q.est.flags, FAN_EST_ONE_RUN | FAN_EST_CI_NONE_SHORT);
	for (size_t i = 0; i < N; i++)
		same[i] = 90;
	q = quantile(same, N, 0.5);
	assert_near(q.est.value, 90, 0);
	assert_true(isnan(q.est.lo));
	assert_int_equal(q.est.flags, FAN_EST_ONE_RUN | FAN_EST_CI_NONE_CONSTANT);
	q = quantile(same, 0, 0.5);
	assert_true(isnan(q.est.value));
	assert_int_equal(q.est.flags, FAN_EST_ONE_RUN | FAN_EST_NO_DATA);
	assert_int_equal(fan_est_quantile(same, N, 0, &spec, &q), -EINVAL);
	assert_int_equal(fan_est_quantile(same, N, 1, &spec, &q), -EINVAL);
	same[3] = NAN;
	assert_int_equal(fan_est_quantile(same, N, 0.5, &spec, &q), -EINVAL);
}

/* hi = 1 - (alpha/2)^(1/n), n the effective size; lo of all is that from above. */
static void none_or_all_windows_have_a_one_sided_bound(void **state)
{
	bool none[30] = { false }, all[30];
	struct fan_est e;

	(void)state;
	memset(all, true, sizeof(all));
	assert_int_equal(fan_est_fraction(none, 30, NAN, &pair, &e), 0);
	assert_near(e.value, 0, 0);
	assert_near(e.lo, 0, 0);
	assert_near(e.hi, 1 - pow(0.025, 1.0 / 30), 1e-12);
	assert_near(e.hi_adj, 1 - pow(0.0125, 1.0 / 30), 1e-12);
	assert_string_equal(e.method, "clopper-pearson");
	assert_true(e.flags & FAN_EST_ONE_SIDED && e.flags & FAN_EST_APPROXIMATE);
	assert_int_equal(fan_est_fraction(none, 30, 10, &spec, &e), 0);
	assert_near(e.hi, 1 - pow(0.025, 1.0 / 10), 1e-12);
	assert_int_equal(fan_est_fraction(all, 30, 400, &spec, &e), 0);
	assert_near(e.value, 1, 0);
	assert_near(e.hi, 1, 0);
	assert_near(e.lo, pow(0.025, 1.0 / 30), 1e-12);
	assert_int_equal(fan_est_fraction(all, 1, NAN, &spec, &e), 0);
	assert_near(e.lo, 0.025, 1e-12);
}

static void a_fraction_between_has_the_interval_of_its_indicator(void **state)
{
	double x[N], indicator[N];
	struct fan_pwewc w;
	struct fan_est e;
	bool holds[N];

	(void)state;
	fill(x, N);
	for (size_t i = 0; i < N; i++)
		indicator[i] = holds[i] = x[i] < 0.3;
	assert_int_equal(fan_pwewc(indicator, N, 0.95, &w), 0);
	assert_int_equal(fan_est_fraction(holds, N, NAN, &spec, &e), 0);
	assert_near(e.value, w.mean, 1e-14);
	assert_near(e.lo, w.mean - w.half, 1e-13);
	assert_near(e.hi, w.mean + w.half, 1e-13);
	assert_int_equal(e.flags, FAN_EST_ONE_RUN);
	for (size_t i = 0; i < N; i++)
		holds[i] = i == 7 || i == 200;
	assert_int_equal(fan_est_fraction(holds, N, NAN, &pair, &e), 0);
	assert_near(e.lo_adj, 0, 0);
	assert_true(e.hi > 0 && e.hi < 0.1);
	assert_int_equal(fan_est_fraction(holds, 10, NAN, &spec, &e), 0);
	assert_near(e.value, 0.1, 1e-15);
	assert_true(isnan(e.lo));
	assert_int_equal(e.flags, FAN_EST_ONE_RUN | FAN_EST_CI_NONE_SHORT);
	assert_int_equal(fan_est_fraction(holds, 0, NAN, &spec, &e), 0);
	assert_int_equal(e.flags, FAN_EST_ONE_RUN | FAN_EST_NO_DATA);
	assert_int_equal(fan_est_fraction(holds, N, 0.5, &spec, &e), -EINVAL);
}

static void clopper_and_pearson_refuse_what_cannot_be(void **state)
{
	double lo, hi;

	(void)state;
	fan_clopper_pearson(4, 3, 0.95, &lo, &hi);
	assert_true(isnan(lo) && isnan(hi));
	fan_clopper_pearson(-1, 3, 0.95, &lo, &hi);
	assert_true(isnan(lo) && isnan(hi));
	fan_clopper_pearson(0, 0, 0.95, &lo, &hi);
	assert_true(isnan(lo) && isnan(hi));
	fan_clopper_pearson(1, 3, 1, &lo, &hi);
	assert_true(isnan(lo) && isnan(hi));
}

/* 3 and -4: mean 3.5; root of (9 + 16)/2 */
static void deviations_are_sized_without_their_sign(void **state)
{
	const double dev[] = { 3, -4 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_mean_abs(dev, 2, &spec, &e), 0);
	assert_near(e.value, 3.5, 1e-15);
	assert_true(isnan(e.lo) && e.flags & FAN_EST_CI_NONE_SHORT);
	assert_int_equal(fan_est_rms(dev, 2, &spec, &e), 0);
	assert_near(e.value, sqrt(12.5), 1e-15);
	assert_int_equal(fan_est_rms(dev, 0, &spec, &e), 0);
	assert_true(isnan(e.value) && e.flags & FAN_EST_NO_DATA);
	assert_int_equal(fan_est_rms((const double[]){ INFINITY }, 1, &spec, &e), -EINVAL);
}

static void the_ends_of_a_root_are_roots(void **state)
{
	double dev[N], squares[N];
	struct fan_pwewc w;
	struct fan_est e;

	(void)state;
	fill(dev, N);
	for (size_t i = 0; i < N; i++) {
		dev[i] -= 0.4;
		squares[i] = dev[i] * dev[i];
	}
	assert_int_equal(fan_pwewc(squares, N, 0.95, &w), 0);
	assert_int_equal(fan_est_rms(dev, N, &spec, &e), 0);
	assert_near(e.value, sqrt(w.mean), 1e-12);
	assert_near(e.lo, sqrt(w.mean - w.half), 1e-12);
	assert_near(e.hi, sqrt(w.mean + w.half), 1e-12);
	assert_true(isnan(e.se));
	/* a single large window: the lower end is nothing, not a root of less */
	memset(dev, 0, sizeof(dev));
	dev[5] = 10;
	assert_int_equal(fan_est_rms(dev, 40, &pair, &e), 0);
	assert_near(e.lo, 0, 0);
	assert_near(e.lo_adj, 0, 0);
	assert_int_equal(fan_est_mean_abs(dev, 40, &pair, &e), 0);
	assert_near(e.lo, 0, 0);
}

static void windows_of_nothing_are_counted_and_so_is_their_longest_row(void **state)
{
	const double share[] = { 0, 5, 0, 0, 1, 0, 0, 0 };
	const struct fan_zeros z = fan_count_zeros(share, 8), first = fan_count_zeros(share, 2);
	const struct fan_zeros none = fan_count_zeros(share, 0);

	(void)state;
	assert_int_equal(z.n, 6);
	assert_int_equal(z.longest, 3);
	assert_int_equal(first.longest, 1);
	assert_int_equal(none.n, 0);
}

/* Batches of 5 equal values each. */
static void fill_batches(double *x, const double *mean, size_t batches)
{
	for (size_t i = 0; i < 5 * batches; i++)
		x[i] = mean[i / 5];
}

/* A start of 100 and nothing after it; without a cut mean 10, (90^2 + 9 * 10^2)/10^2 = 90. */
static void a_transient_at_the_beginning_is_found(void **state)
{
	const double mean[10] = { 100 };
	struct fan_mser m;
	double x[54];

	(void)state;
	fill_batches(x, mean, 10);
	memset(x + 50, 0, 4 * sizeof(*x)); /* in no batch */
	assert_int_equal(fan_mser5(x, 54, &m), 0);
	assert_int_equal(m.batches, 10);
	assert_int_equal(m.cut, 1);
	assert_int_equal(m.truncate, 5);
	assert_near(m.stat, 0, 0);
	assert_near(m.stat_0, 90, 1e-14);
	assert_false(m.is_undetermined);
}

/* Batch means 1 to 5: (4 + 1 + 0 + 1 + 4)/25 */
static void a_short_or_late_transient_is_undetermined(void **state)
{
	const double ramp[] = { 1, 2, 3, 4, 5 };
	const double late[12] = { 9, 9, 9, 9, 9, 9, 9 };
	struct fan_mser m;
	double x[60];

	(void)state;
	fill_batches(x, ramp, 5);
	assert_int_equal(fan_mser5(x, 25, &m), 0);
	assert_int_equal(m.cut, 0);
	assert_near(m.stat, 0.4, 1e-14);
	assert_true(m.is_undetermined);
	assert_int_equal(fan_mser5(x, 24, &m), -ENODATA);
	fill_batches(x, late, 12);
	assert_int_equal(fan_mser5(x, 60, &m), 0);
	assert_int_equal(m.cut, 7);
	assert_true(m.is_undetermined);
	fill_batches(x, (const double[12]){ 0 }, 12);
	assert_int_equal(fan_mser5(x, 60, &m), 0);
	assert_int_equal(m.cut, 0);
	assert_false(m.is_undetermined);
	x[2] = NAN;
	assert_int_equal(fan_mser5(x, 60, &m), -EINVAL);
}

/* Quartiles 3.25 and 7.75; median 5.5, MAD 2.5 * 1.4826 = 3.7: 100 is beyond 21.25, and 25 MADs
 * off. */
static void a_value_far_away_is_told_with_its_effect(void **state)
{
	const double x[] = { 1, 2, 3, 4, 100, 5, 6, 7, 8, 9 };
	struct fan_outlier list[10];
	struct fan_outliers o;

	(void)state;
	assert_int_equal(fan_find_outliers(x, 10, list, &o), 0);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.severe, 1);
	assert_int_equal(o.mild, 0);
	assert_int_equal(o.far, 1);
	assert_int_equal(list[0].at, 4);
	assert_near(list[0].value, 100, 0);
	assert_true(list[0].is_far && list[0].fence == FAN_FENCE_SEVERE);
	assert_near(o.mean_without_severe, 5, 1e-15);
	assert_false(o.mad_zero);
}

/* Quartiles 2 and 4: 7.5 is beyond 7, not beyond 10. Median 3, MAD 1 * 1.4826: 3.04 of it. */
static void a_mild_outlier_is_beyond_the_inner_fence_alone(void **state)
{
	const double x[] = { 1, 2, 3, 4, 7.5 };
	struct fan_outlier list[5];
	struct fan_outliers o;

	(void)state;
	assert_int_equal(fan_find_outliers(x, 5, list, &o), 0);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.mild, 1);
	assert_int_equal(o.far, 0);
	assert_near(o.mean_without_severe, 3.5, 1e-15);
}

/* Of the first, the quartiles are 5 and 7; of the second, both are 5. */
static void values_that_are_mostly_equal_leave_the_fences_or_nothing(void **state)
{
	const double fences[] = { 5, 5, 5, 5, 5, 6, 7, 8, 30 };
	const double nothing[] = { 1, 5, 5, 5, 5, 5, 5, 9 };
	struct fan_outlier list[9];
	struct fan_outliers o;

	(void)state;
	assert_int_equal(fan_find_outliers(fences, 9, list, &o), 0);
	assert_true(o.mad_zero);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.severe, 1);
	assert_int_equal(o.far, 0);
	assert_int_equal(fan_find_outliers(nothing, 8, list, &o), 0);
	assert_true(o.mad_zero);
	assert_int_equal(o.n, 0);
	assert_int_equal(fan_find_outliers(nothing, 0, list, &o), -ENODATA);
	assert_int_equal(fan_find_outliers((const double[]){ NAN }, 1, list, &o), -EINVAL);
}

static void shares_are_checked_and_missing_ones_named(void **state)
{
	double x[] = { 90, NAN, -0.05, 100.05, 0,  50, 50, 60, 60, 70,
		       70, 80,	80,    90,     90, 50, 60, 70, 80, 90 };
	struct fan_input in;
	double kept[20];
	size_t at[20];

	(void)state;
	assert_int_equal(fan_filter_shares(x, 20, kept, at, &in), 0);
	assert_int_equal(in.n, 19);
	assert_int_equal(in.missing, 1);
	assert_int_equal(at[0], 1);
	assert_int_equal(in.clamped, 2);
	assert_int_equal(in.at_low, 2);
	assert_int_equal(in.at_high, 1);
	assert_int_equal(in.distinct, 7); /* 0, 50, 60, 70, 80, 90, 100 */
	assert_near(kept[1], 0, 0);
	assert_near(kept[2], 100, 0);
	x[5] = NAN;
	assert_int_equal(fan_filter_shares(x, 20, kept, at, &in), -ENODATA);
	x[5] = 100.06;
	assert_int_equal(fan_filter_shares(x, 20, kept, at, &in), -ERANGE);
	x[5] = -0.06;
	assert_int_equal(fan_filter_shares(x, 20, kept, at, &in), -ERANGE);
	x[5] = INFINITY;
	assert_int_equal(fan_filter_shares(x, 20, kept, at, &in), -EINVAL);
	assert_int_equal(fan_filter_shares(x, 0, kept, at, &in), 0);
	assert_int_equal(in.n + in.distinct, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tails_need_more_windows_than_the_median),
		cmocka_unit_test(a_quantile_of_a_family_is_wider),
		cmocka_unit_test(quantiles_of_too_little_have_no_interval),
		cmocka_unit_test(none_or_all_windows_have_a_one_sided_bound),
		cmocka_unit_test(a_fraction_between_has_the_interval_of_its_indicator),
		cmocka_unit_test(clopper_and_pearson_refuse_what_cannot_be),
		cmocka_unit_test(deviations_are_sized_without_their_sign),
		cmocka_unit_test(the_ends_of_a_root_are_roots),
		cmocka_unit_test(windows_of_nothing_are_counted_and_so_is_their_longest_row),
		cmocka_unit_test(a_transient_at_the_beginning_is_found),
		cmocka_unit_test(a_short_or_late_transient_is_undetermined),
		cmocka_unit_test(a_value_far_away_is_told_with_its_effect),
		cmocka_unit_test(a_mild_outlier_is_beyond_the_inner_fence_alone),
		cmocka_unit_test(values_that_are_mostly_equal_leave_the_fences_or_nothing),
		cmocka_unit_test(shares_are_checked_and_missing_ones_named),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
