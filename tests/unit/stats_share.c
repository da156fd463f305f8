// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/share and est: shares, deviations, their flags and degenerate windows. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/share.h"

#define LEVEL 0.95
#define N     240

/* A share that wanders around 40 % of totals near 1000, without pattern. */
struct run {
	double part[N], total[N];
	struct fan_windows w;
};

static void fill_run(struct run *r)
{
	uint64_t state = 20151019;

	for (size_t i = 0; i < N; i++) {
		/* xorshift64 (Marsaglia 2003) */
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		r->total[i] = 1000 + (double)(state % 10);
		r->part[i] = 350 + (double)(state / 16 % 101);
	}
	r->w = (struct fan_windows){ r->part, r->total, N };
}

static bool has_flag(const struct fan_est *e, const char *token)
{
	for (unsigned int i = 0; i < FAN_EST_FLAGS; i++)
		if (e->flags & 1U << i && strcmp(fan_est_flag_name(1U << i), token) == 0)
			return true;
	return false;
}

static void assert_without_interval(const struct fan_est *e)
{
	assert_true(isnan(e->lo) && isnan(e->hi) && isnan(e->lo_adj) && isnan(e->hi_adj));
	assert_true(isnan(e->df) && isnan(e->ess));
	assert_null(e->method);
}

/* Checks that the first status of a case in degenerate.tsv is among the flags. */
static void assert_degenerate_status(const char *name, const struct fan_est *e)
{
	FILE *f = open_data("degenerate.tsv");
	char line[512], status[64];
	bool found = false;

	while (!found && fgets(line, sizeof(line), f)) {
		const size_t len = strlen(name);
		const char *p = line + len;

		if (strncmp(line, name, len) != 0 || *p != '\t')
			continue;
		for (int tabs = 0; tabs < 3; p++)
			tabs += *p == '\t';
		if (strncmp(p, "warn:", 5) == 0)
			p += 5;
		snprintf(status, sizeof(status), "%.*s", (int)strcspn(p, ";\t"), p);
		found = true;
	}
	fclose(f);
	assert_true(found);
	if (!has_flag(e, status))
		fail_msg("%s: no flag %s", name, status);
}

static void a_share_is_a_ratio_of_sums(void **state)
{
	const double part[] = { 1, 2, 3 }, total[] = { 2, 4, 4 };
	const struct fan_windows w = { part, total, 3 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_share(&w, LEVEL, 1, &e), 0);
	assert_near(e.value, 60, 1e-15);
	assert_int_equal(e.n, 3);
	assert_int_equal(e.flags, FAN_EST_CI_NONE_SHORT | FAN_EST_ONE_RUN);
	assert_true(isnan(e.se));
	assert_without_interval(&e);
	assert_string_equal(e.unit, "percent");
	assert_degenerate_status("one_window", &e);
}

static void no_windows_are_no_data(void **state)
{
	const struct fan_windows w = { NULL, NULL, 0 };
	const double *expected = NULL;
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_share(&w, LEVEL, 1, &e), 0);
	assert_true(isnan(e.value));
	assert_without_interval(&e);
	assert_degenerate_status("empty", &e);
	assert_int_equal(fan_est_deviation_windows(&w, expected, LEVEL, 1, &e), 0);
	assert_true(isnan(e.value));
	assert_degenerate_status("empty", &e);
}

static void windows_without_any_work_have_no_share(void **state)
{
	const double zero[30] = { 0 };
	const struct fan_windows w = { zero, zero, 30 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_share(&w, LEVEL, 1, &e), 0);
	assert_true(isnan(e.value));
	assert_int_equal(e.n, 30);
	assert_without_interval(&e);
	assert_degenerate_status("jain_all_zero", &e);
	assert_degenerate_status("total_zero_window", &e);
}

static void equal_shares_have_no_interval_even_in_unequal_windows(void **state)
{
	double part[30], total[30];
	const struct fan_windows w = { part, total, 30 };
	struct fan_est e, d;

	(void)state;
	for (size_t i = 0; i < 30; i++) {
		total[i] = 1000 + 7.7 * (double)i;
		part[i] = total[i] * 0.9;
	}
	assert_int_equal(fan_est_share(&w, LEVEL, 2, &e), 0);
	assert_near(e.value, 90, 1e-14);
	assert_true(e.se == 0);
	assert_without_interval(&e);
	assert_degenerate_status("constant_windows", &e);
	fan_est_deviation(&e, 90, &d);
	assert_without_interval(&d);
	/* what is got is what is expected, window by window: nothing but rounding is left */
	for (size_t i = 0; i < 30; i++)
		part[i] = total[i] * (double)(i % 7) / 11;
	assert_int_equal(fan_est_deviation_windows(&w, part, LEVEL, 2, &e), 0);
	assert_true(e.value == 0 && e.se == 0);
	assert_degenerate_status("constant_equal", &e);
}

static void shares_of_0_and_100_percent_have_no_interval(void **state)
{
	struct run r;
	const double zero[N] = { 0 };
	struct fan_est e, dev;

	(void)state;
	fill_run(&r);
	r.w.part = zero;
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), 0);
	assert_true(e.value == 0);
	assert_degenerate_status("all_zero_share", &e);
	r.w.part = r.total;
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), 0);
	assert_true(e.value == 100);
	assert_degenerate_status("all_hundred_share", &e);
	assert_true(has_flag(&e, "at_bound:100"));
	fan_est_deviation(&e, 90, &dev);
	assert_false(has_flag(&dev, "at_bound:100"));
}

static void wrong_windows_are_refused(void **state)
{
	static const double bad_part[] = { NAN, INFINITY, -1, 2000 };
	static const double bad_total[] = { NAN, INFINITY, -1, -INFINITY };
	struct fan_est e = { .n = 7 };
	struct fan_window_check c;
	struct run r;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		fill_run(&r);
		r.part[5] = bad_part[i];
		assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), -EINVAL);
		fill_run(&r);
		assert_int_equal(fan_est_deviation_windows(&r.w, r.part, LEVEL, 1, &e), 0);
		r.total[5] = bad_total[i];
		assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), -EINVAL);
		assert_int_equal(fan_check_windows(&r.w, &c), -EINVAL);
	}
	e.n = 7;
	fill_run(&r);
	assert_int_equal(fan_est_share(&r.w, 1, 1, &e), -EINVAL);
	assert_int_equal(fan_est_share(&r.w, NAN, 1, &e), -EINVAL);
	assert_int_equal(fan_est_share(&r.w, LEVEL, 0, &e), -EINVAL);
	assert_int_equal(e.n, 7);
}

static void rounded_input_may_pass_100_percent_by_a_twentieth(void **state)
{
	struct fan_est e;
	struct run r;

	(void)state;
	fill_run(&r);
	r.part[5] = r.total[5] * 1.0004;
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), 0);
	r.part[5] = r.total[5] * 1.004;
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), -EINVAL);
}

static void a_long_quiet_run_is_one_run_and_nothing_worse(void **state)
{
	struct fan_est e;
	struct run r;

	(void)state;
	fill_run(&r);
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), 0);
	assert_int_equal(e.flags, FAN_EST_ONE_RUN);
	assert_true(e.lo < e.value && e.value < e.hi);
	assert_true(e.ess <= N);
	assert_near(e.df, 8, 0);
}

/* t with 8 df: 2.306004 at 95 %, 2.751524 at 97.5 % (alpha/2 = 0.025). */
static void a_family_of_two_widens_the_adjusted_interval_only(void **state)
{
	struct fan_est one, two;
	struct run r;

	(void)state;
	fill_run(&r);
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &one), 0);
	assert_int_equal(fan_est_share(&r.w, LEVEL, 2, &two), 0);
	assert_true(isnan(one.lo_adj) && isnan(one.hi_adj));
	assert_near(two.lo, one.lo, 0);
	assert_near(two.hi, one.hi, 0);
	assert_near((two.hi_adj - two.value) / two.se, 2.751524, 1e-6);
	assert_near((two.value - two.lo_adj) / two.se, 2.751524, 1e-6);
	assert_near((two.hi - two.value) / two.se, 2.306004, 1e-6);
	assert_int_equal(two.m, 2);
}

/* Windows of ten times the work in which the group is starved: 1 in 20. */
static void long_starved_windows_are_irregular(void **state)
{
	struct fan_window_check c;
	struct fan_est e;
	struct run r;

	(void)state;
	fill_run(&r);
	for (size_t i = 10; i < N; i += 20) {
		r.total[i] = 10000;
		r.part[i] = 0;
	}
	assert_int_equal(fan_check_windows(&r.w, &c), 0);
	assert_int_equal(c.unequal, N / 20);
	assert_int_equal(c.zero_total, 0);
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), 0);
	/* by work about 0.95 x 40 / 1.45 = 26 %, by windows about 38 % */
	assert_true(fabs(100 * c.mean_ratio - e.value) > 10);
	assert_true(has_flag(&e, "irregular_windows"));
	assert_true(has_flag(&e, "unequal_windows"));
	assert_true(has_flag(&e, "approximate"));
}

/* Four such windows among 240: of twice the work they move the share by less than of four times. */
static void windows_are_irregular_when_they_move_the_share_by_half_a_half_width(void **state)
{
	static const double work[] = { 2000, 4000 };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct fan_window_check c;
		struct fan_est e;
		struct run r;
		double moved;

		fill_run(&r);
		for (size_t i = 30; i < N; i += 60) {
			r.total[i] = work[k];
			r.part[i] = 0;
		}
		assert_int_equal(fan_check_windows(&r.w, &c), 0);
		assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), 0);
		moved = (100 * c.mean_ratio - e.value) / (e.hi - e.value);
		assert_true(k == 0 ? moved > 0.3 && moved < 0.5 : moved > 0.5 && moved < 0.7);
		assert_true(has_flag(&e, "irregular_windows") == (k == 1));
		assert_true(has_flag(&e, "approximate") == (k == 1));
		assert_true(has_flag(&e, "unequal_windows"));
	}
}

static void half_and_one_and_a_half_medians_are_not_yet_unequal(void **state)
{
	const double part[] = { 0, 0, 0, 0, 0, 0, 0 };
	const double total[] = { 100, 50, 49, 100, 150, 151, 100 };
	const struct fan_windows w = { part, total, 7 };
	struct fan_window_check c;

	(void)state;
	assert_int_equal(fan_check_windows(&w, &c), 0);
	assert_int_equal(c.unequal, 2);
}

static void the_seed_runs_carry_the_flags_of_the_design(void **state)
{
	static const char *const file[] = { "seed_vm1.csv", "seed_vm2.csv" };
	static const uint32_t want[] = {
		FAN_EST_APPROXIMATE | FAN_EST_ONE_RUN,
		FAN_EST_APPROXIMATE | FAN_EST_ONE_RUN | FAN_EST_UNEQUAL_WINDOWS,
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct table *t = read_table(file[i]);
		const struct fan_windows w = { t->col[0], t->col[1], t->n };
		struct fan_est e;

		for (size_t k = 0; k < t->n; k++)
			t->col[0][k] *= t->col[1][k] / 100;
		assert_int_equal(fan_est_share(&w, LEVEL, 1, &e), 0);
		assert_int_equal(e.flags, want[i]);
		test_free(t);
	}
}

static void windows_of_total_zero_stay_in_the_sums_and_are_told(void **state)
{
	struct fan_window_check c;
	struct fan_est with, without;
	struct run r;

	(void)state;
	fill_run(&r);
	r.w.n = N - 2;
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &without), 0);
	r.w.n = N;
	r.part[N - 2] = r.total[N - 2] = r.part[N - 1] = r.total[N - 1] = 0;
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &with), 0);
	assert_near(with.value, without.value, 1e-15);
	assert_int_equal(with.n, N);
	assert_degenerate_status("total_zero_window", &with);
	assert_int_equal(fan_check_windows(&r.w, &c), 0);
	assert_int_equal(c.zero_total, 2);
	assert_near(100 * c.mean_ratio, with.value, 1e-2);
}

static void a_ramp_of_shares_is_nonstationary(void **state)
{
	struct fan_est e;
	struct run r;

	(void)state;
	fill_run(&r);
	for (size_t i = 0; i < N; i++) {
		r.total[i] = 1000;
		r.part[i] = 100 + (double)i;
	}
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &e), 0);
	assert_degenerate_status("phi_cap", &e);
}

static void a_deviation_is_the_share_moved_by_the_expectation(void **state)
{
	struct fan_est share, dev;
	struct run r;

	(void)state;
	fill_run(&r);
	assert_int_equal(fan_est_share(&r.w, LEVEL, 2, &share), 0);
	fan_est_deviation(&share, 50, &dev);
	assert_near(dev.value, share.value - 50, 1e-15);
	assert_near(dev.lo, share.lo - 50, 1e-15);
	assert_near(dev.hi, share.hi - 50, 1e-15);
	assert_near(dev.lo_adj, share.lo_adj - 50, 1e-15);
	assert_near(dev.hi_adj, share.hi_adj - 50, 1e-15);
	assert_near(dev.se, share.se, 0);
	assert_near(dev.df, share.df, 0);
	assert_int_equal(dev.flags, share.flags);
	assert_string_equal(dev.unit, "points");
	assert_string_equal(dev.method, "pw-ewc");
}

static void a_constant_expectation_gives_the_same_deviation_by_windows(void **state)
{
	struct fan_est share, dev, by_window;
	double expected[N];
	struct run r;

	(void)state;
	fill_run(&r);
	for (size_t i = 0; i < N; i++)
		expected[i] = r.total[i] * 0.25;
	assert_int_equal(fan_est_share(&r.w, LEVEL, 2, &share), 0);
	fan_est_deviation(&share, 25, &dev);
	assert_int_equal(fan_est_deviation_windows(&r.w, expected, LEVEL, 2, &by_window), 0);
	assert_near(by_window.value, dev.value, 1e-12);
	assert_near(by_window.se, dev.se, 1e-12);
	assert_near(by_window.lo, dev.lo, 1e-12);
	assert_near(by_window.hi_adj, dev.hi_adj, 1e-12);
	assert_int_equal(by_window.flags, dev.flags);
	assert_string_equal(by_window.unit, "points");
}

/* The share swings between 20 and 80 % as it should: only what is left over is uncertain. */
static void a_moving_expectation_takes_its_swings_out_of_the_interval(void **state)
{
	struct fan_est share, dev;
	double expected[N];
	struct run r;

	(void)state;
	fill_run(&r);
	for (size_t i = 0; i < N; i++) {
		const double swing = i / 15 % 2 ? 300 : -300;

		expected[i] = 500 + swing;
		r.total[i] = 1000;
		/* the group gets 30 points less than it should, give or take 2.5 */
		r.part[i] = expected[i] - 30 + (r.part[i] - 400) / 2;
		r.part[i] = fmax(r.part[i], 0);
	}
	assert_int_equal(fan_est_share(&r.w, LEVEL, 1, &share), 0);
	assert_int_equal(fan_est_deviation_windows(&r.w, expected, LEVEL, 1, &dev), 0);
	assert_true(fabs(dev.value + 3) < 0.5);
	assert_true(dev.se < share.se / 5);
	assert_true(dev.lo < -3 && dev.hi > -3);
	expected[7] = NAN;
	assert_int_equal(fan_est_deviation_windows(&r.w, expected, LEVEL, 1, &dev), -EINVAL);
	expected[7] = r.total[7] * 1.1;
	assert_int_equal(fan_est_deviation_windows(&r.w, expected, LEVEL, 1, &dev), -EINVAL);
}

static void every_flag_has_a_token_of_its_own(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < FAN_EST_FLAGS; i++) {
		assert_non_null(fan_est_flag_name(1U << i));
		for (unsigned int j = 0; j < i; j++)
			assert_string_not_equal(fan_est_flag_name(1U << i),
						fan_est_flag_name(1U << j));
	}
	assert_null(fan_est_flag_name(1U << FAN_EST_FLAGS));
	assert_null(fan_est_flag_name(0));
	assert_null(fan_est_flag_name(3));
	assert_string_equal(fan_est_flag_name(FAN_EST_ONE_RUN), "one_run");
	assert_string_equal(fan_est_flag_name(FAN_EST_APPROXIMATE), "approximate");
	assert_string_equal(fan_est_flag_name(FAN_EST_LEVEL_SHIFT), "level_shift");
	assert_string_equal(fan_est_flag_name(FAN_EST_SLOW_DRIFT), "slow_drift");
	assert_string_equal(fan_est_flag_name(FAN_EST_METHODS_DISAGREE), "methods_disagree");
	assert_string_equal(fan_est_flag_name(FAN_EST_ZERO_TOTAL_WINDOWS), "zero_total_windows");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_a_ratio_of_sums),
		cmocka_unit_test(no_windows_are_no_data),
		cmocka_unit_test(windows_without_any_work_have_no_share),
		cmocka_unit_test(equal_shares_have_no_interval_even_in_unequal_windows),
		cmocka_unit_test(shares_of_0_and_100_percent_have_no_interval),
		cmocka_unit_test(wrong_windows_are_refused),
		cmocka_unit_test(rounded_input_may_pass_100_percent_by_a_twentieth),
		cmocka_unit_test(a_long_quiet_run_is_one_run_and_nothing_worse),
		cmocka_unit_test(a_family_of_two_widens_the_adjusted_interval_only),
		cmocka_unit_test(long_starved_windows_are_irregular),
		cmocka_unit_test(
			windows_are_irregular_when_they_move_the_share_by_half_a_half_width),
		cmocka_unit_test(half_and_one_and_a_half_medians_are_not_yet_unequal),
		cmocka_unit_test(the_seed_runs_carry_the_flags_of_the_design),
		cmocka_unit_test(windows_of_total_zero_stay_in_the_sums_and_are_told),
		cmocka_unit_test(a_ramp_of_shares_is_nonstationary),
		cmocka_unit_test(a_deviation_is_the_share_moved_by_the_expectation),
		cmocka_unit_test(a_constant_expectation_gives_the_same_deviation_by_windows),
		cmocka_unit_test(a_moving_expectation_takes_its_swings_out_of_the_interval),
		cmocka_unit_test(every_flag_has_a_token_of_its_own),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
