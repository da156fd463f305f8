// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * analyze/report/compare_*: gaps and changes of small tables of runs, worked out by hand.
 * Quantiles of t by table, at 0.975: 12.70620 (1 df), 4.302653 (2 df).
 */
#include "tests/unit/compare_test.h"

#include "analyze/stats/gsl.h"

#define RTOL 1e-6

/* ln(a/b) is 0, ln 2 and 2 ln 2: mean ln 2, which is 100 % over b; s = ln 2, se = ln 2/sqrt(3) */
static void a_gap_is_the_mean_log_ratio_of_the_runs(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 20, 40);
	PUT(&runs, "off", "b", 10, 10, 10);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "between_vm", "off", NULL);
	assert_string_equal(g->a, "a");
	assert_string_equal(g->b, "b");
	assert_null(g->per);
	assert_string_equal(g->of, "score");
	assert_near(g->est.value, 100, 1e-12);
	assert_near(g->est.lo, 100 * (2 * exp(-4.302653 * log(2) / sqrt(3)) - 1), RTOL);
	assert_near(g->est.hi, 100 * (2 * exp(4.302653 * log(2) / sqrt(3)) - 1), RTOL);
	assert_int_equal(g->est.n, 3);
	assert_near(g->est.df, 2, 1e-15);
	assert_int_equal(g->est.m, 1);
	assert_string_equal(g->est.method, "paired-t");
	assert_string_equal(g->est.unit, "percent");
	assert_int_equal(c.gaps.n, 1);
	assert_true(has_note(&c, "nothing to compare it with"));
	fan_compare_free(&c);
}

/*
 * Logs off 0, 2, 4 and on 3, 5: means 2 and 4, variances 4 and 2; v = 4/3 and 1, se^2 = 7/3,
 * df = (7/3)^2/((4/3)^2/2 + 1) = (49/9)/(17/9) = 49/17
 */
static void a_change_is_treatment_over_baseline_by_welch(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;
	double t;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 1, exp(2), exp(4));
	PUT(&runs, "on", "a", exp(3), exp(5));
	compare(&c, &runs, &plain);
	g = gap_named(&c, "coresched_change", NULL, "a");
	t = fan_tq(0.95, 49.0 / 17);
	assert_string_equal(g->a, "on");
	assert_string_equal(g->b, "off");
	assert_null(g->config);
	assert_near(g->est.value, 100 * (exp(2) - 1), 1e-12);
	assert_near(g->est.lo, 100 * (exp(2 - t * sqrt(7.0 / 3)) - 1), 1e-12);
	assert_near(g->est.hi, 100 * (exp(2 + t * sqrt(7.0 / 3)) - 1), 1e-12);
	assert_near(g->est.df, 49.0 / 17, 1e-12);
	assert_int_equal(g->est.n, 5);
	assert_string_equal(g->est.method, "welch");
	/* the two most extreme of the 10 ways to choose 2 of 5 */
	assert_near(g->p_min, 0.2, 1e-12);
	assert_int_equal(c.gaps.n, 1);
	fan_compare_free(&c);
}

/*
 * Log ratios of a over b: off 0 and 0.2 (mean 0.1), on 1 and 1.4 (mean 1.2). Ratio of ratios
 * exp(1.1); in points 100 (exp(1.2) - exp(0.1)). Spreads s^2 = 0.02 and 0.08, v = 0.01 and 0.04.
 */
static void a_gap_changes_as_a_ratio_and_in_points(void **state)
{
	const double g_x = 100 * exp(0.1), g_y = 100 * exp(1.2);
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 1, exp(0.2));
	PUT(&runs, "off", "b", 1, 1);
	PUT(&runs, "on", "a", exp(1), exp(1.4));
	PUT(&runs, "on", "b", 1, 1);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "gap_change_ratio", NULL, NULL);
	assert_string_equal(g->a, "on");
	assert_string_equal(g->per, "a over b");
	assert_near(g->est.value, 100 * (exp(1.1) - 1), 1e-12);
	/* df = 0.05^2/(0.01^2 + 0.04^2) = 25/17 */
	assert_near(g->est.df, 25.0 / 17, 1e-9);
	assert_near(g->est.hi, 100 * (exp(1.1 + fan_tq(0.95, 25.0 / 17) * sqrt(0.05)) - 1), 1e-9);
	g = gap_named(&c, "gap_change_pp", NULL, NULL);
	assert_near(g->est.value, g_y - g_x, 1e-12);
	assert_near(g->est.se, hypot(g_y * 0.2, g_x * 0.1), 1e-12);
	assert_string_equal(g->est.method, "welch-delta");
	assert_string_equal(g->est.unit, "points");
	fan_compare_free(&c);
}

/* a + b: off 300 and 300, on 240 and 60: geometric means 300 and 120, a loss of 60 %. */
static void the_total_is_the_sum_in_each_run(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 100, 200);
	PUT(&runs, "off", "b", 200, 100);
	PUT(&runs, "on", "a", 200, 20);
	PUT(&runs, "on", "b", 40, 40);
	compare(&c, &runs, &plain);
	assert_near(gap_named(&c, "coresched_change", NULL, "total")->est.value, -60, 1e-12);
	fan_compare_free(&c);
}

static void set_cpus(struct fan_runs *runs, const char *config, const char *name, const char *vm,
		     double cpus)
{
	vm_of(run_named(runs, config, name), vm)->cpus = cpus;
}

/* Score 10 -> 12, CPUs 2 -> 1.5: efficiency 5 -> 8, so +20 % = (1 - 25 %) (1 + 60 %). */
static void a_score_changes_by_cpu_time_times_efficiency(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10);
	PUT(&runs, "on", "a", 12);
	set_cpus(&runs, "off", "1", "a", 2);
	set_cpus(&runs, "on", "1", "a", 1.5);
	compare(&c, &runs, &plain);
	assert_near(gap_named(&c, "coresched_change", NULL, "a")->est.value, 20, 1e-12);
	assert_near(gap_named(&c, "cpu_time_change", NULL, "a")->est.value, -25, 1e-12);
	assert_near(gap_named(&c, "efficiency_change", NULL, "a")->est.value, 60, 1e-12);
	fan_compare_free(&c);
}

static void one_run_of_each_has_no_interval(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 100);
	PUT(&runs, "on", "a", 82);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "coresched_change", NULL, "a");
	assert_near(g->est.value, -18, 1e-12);
	assert_true(isnan(g->est.lo) && isnan(g->est.hi) && isnan(g->est.se) && isnan(g->p));
	assert_true(g->est.flags & FAN_EST_CI_NONE_ONE_RUN);
	assert_null(g->est.method);
	assert_null(g->verdict.word);
	assert_true(g->runs_needed == FAN_NONE);
	assert_true(has_note(&c, "on has one run"));
	assert_true(has_note(&c, "five or more of each"));
	fan_compare_free(&c);
}

static void put_share(struct fan_runs *runs, const char *config, const char *name, double share,
		      double se)
{
	struct fan_run_group *g = vm_of(run_named(runs, config, name), "a");

	fan_est_init(&g->share, "percent", 0.95, 2);
	g->share.value = share;
	g->share.n = 300;
	if (!isnan(se))
		fan_est_interval(&g->share, se, 8, "pw-ewc");
	else
		g->share.flags |= FAN_EST_CI_NONE_SHORT;
	g->expected_pct = 50;
	g->deviation = g->share;
	g->deviation.value -= 50;
	g->deviation.unit = "points";
}

/* Standard errors 3 and 4 on 8 df each: 5, df = 625/(81/8 + 256/8) = 5000/337 */
static void shares_of_one_run_each_differ_by_what_each_says_of_itself(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	put_share(&runs, "off", "1", 50, 3);
	put_share(&runs, "on", "1", 30, 4);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "share_change_pp", NULL, "a");
	assert_near(g->est.value, -20, 1e-12);
	assert_near(g->est.se, 5, 1e-12);
	assert_near(g->est.df, 5000.0 / 337, 1e-12);
	assert_string_equal(g->est.method, "satterthwaite");
	assert_true(g->est.flags & FAN_EST_ONE_RUN);
	assert_string_equal(g->verdict.word, "material");
	assert_true(g->verdict.indicative);
	assert_true(g->runs_needed == FAN_NONE);
	/* half of the off run's interval: 2.306004 (8 df) times 3 */
	assert_near(group_named(&c, "off", "a")->share.hi, 50 + 2.306004 * 3, RTOL);
	fan_compare_free(&c);
}

static void four_windows_give_no_interval_and_no_verdict(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	put_share(&runs, "off", "1", 50, NAN);
	put_share(&runs, "on", "1", 30, NAN);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "share_change_pp", NULL, "a");
	assert_near(g->est.value, -20, 1e-12);
	assert_true(isnan(g->est.lo) && isnan(g->est.se));
	assert_true(g->est.flags & FAN_EST_CI_NONE_SHORT);
	assert_null(g->verdict.word);
	assert_true(has_reason(&g->verdict, "fewer than 20 windows"));
	fan_compare_free(&c);
}

/* Shares off 40, 44, on 52, 56, 60: means 42 and 56, variances 8 and 16, v = 4 and 16/3. */
static void shares_over_runs_are_compared_in_points(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;
	const struct fan_c_group *off;

	(void)state;
	fan_runs_init(&runs);
	put_share(&runs, "off", "1", 40, 1);
	put_share(&runs, "off", "2", 44, 1);
	put_share(&runs, "on", "1", 52, 5);
	put_share(&runs, "on", "2", 56, 5);
	put_share(&runs, "on", "3", 60, 5);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "share_change_pp", NULL, "a");
	assert_near(g->est.value, 14, 1e-12);
	assert_near(g->est.se, sqrt(28.0 / 3), 1e-12);
	assert_near(gap_named(&c, "deviation_change_pp", NULL, "a")->est.value, 14, 1e-12);
	/* all differences, sorted: 8 12 12 16 16 20 */
	assert_near(g->second.value, 14, 1e-12);
	off = group_named(&c, "off", "a");
	assert_near(off->deviation.value, -8, 1e-12);
	/* 2 se of 2: -8 -+ 12.70620 * 2, and of a family of two deviations */
	assert_near(off->deviation.lo, -8 - 12.70620 * 2, RTOL);
	assert_int_equal(off->deviation.m, 2);
	assert_near(off->expected_pct, 50, 1e-12);
	/* S^2 = 8, W = 1: 7 of 8 parts are between the runs; on, S^2 = 16 < W = 25: none is */
	assert_near(off->spread.between_part, 7.0 / 8, 1e-12);
	assert_near(group_named(&c, "on", "a")->spread.between, 0, 1e-12);
	fan_compare_free(&c);
}

/* Means 0 and 0: a VM that never waited so before, and now for 10 and 30 % of its time. */
static void forced_idle_changes_in_points_from_nothing(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	vm_of(run_named(&runs, "off", "1"), "a")->forced_idle_pct = 0;
	vm_of(run_named(&runs, "off", "2"), "a")->forced_idle_pct = 0;
	vm_of(run_named(&runs, "on", "1"), "a")->forced_idle_pct = 10;
	vm_of(run_named(&runs, "on", "2"), "a")->forced_idle_pct = 30;
	compare(&c, &runs, &plain);
	g = gap_named(&c, "forced_idle_change", NULL, "a");
	assert_near(g->est.value, 20, 1e-12);
	assert_near(g->est.se, 10, 1e-12);
	assert_true(g->est.flags & FAN_EST_ONE_SIDE_CONSTANT);
	assert_int_equal(c.gaps.n, 1);
	fan_compare_free(&c);
}

/* No ratio is below -100 %, however small what is left. */
static void a_loss_is_at_most_all(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 1e6, 2e6);
	PUT(&runs, "on", "a", 1e-6, 1e-3);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "coresched_change", NULL, "a");
	assert_true(g->est.value > -100 && g->est.value < -99);
	assert_true(g->est.lo >= -100);
	fan_compare_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gap_is_the_mean_log_ratio_of_the_runs),
		cmocka_unit_test(a_change_is_treatment_over_baseline_by_welch),
		cmocka_unit_test(a_gap_changes_as_a_ratio_and_in_points),
		cmocka_unit_test(the_total_is_the_sum_in_each_run),
		cmocka_unit_test(a_score_changes_by_cpu_time_times_efficiency),
		cmocka_unit_test(one_run_of_each_has_no_interval),
		cmocka_unit_test(shares_of_one_run_each_differ_by_what_each_says_of_itself),
		cmocka_unit_test(four_windows_give_no_interval_and_no_verdict),
		cmocka_unit_test(shares_over_runs_are_compared_in_points),
		cmocka_unit_test(forced_idle_changes_in_points_from_nothing),
		cmocka_unit_test(a_loss_is_at_most_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
