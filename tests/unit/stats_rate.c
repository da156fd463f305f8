// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/rate: work per second and per CPU second, and log ratios. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/rate.h"

#define LEVEL 0.95
#define RTOL  1e-10

/* Columns of the run: window, CPU ms of VM1 and VM2, work of VM1 and VM2. */
static void work_per_cpu_ms_is_that_of_the_references(void **state)
{
	struct table *t = read_table("run_2vm_120.csv");
	const struct fan_windows w = { t->col[3], t->col[1], t->n };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_rate(&w, "per_cpu_second", LEVEL, &e), 0);
	assert_near(e.value, expected("run2.work_per_cpu_vm1.est"), RTOL);
	assert_near(e.se, expected("run2.work_per_cpu_vm1.se"), RTOL);
	assert_near(e.lo, expected("run2.work_per_cpu_vm1.lo"), RTOL);
	assert_near(e.hi, expected("run2.work_per_cpu_vm1.hi"), RTOL);
	assert_near(e.df, expected("run2.work_per_cpu_vm1.nu"), 0);
	/* an effective size above the number of windows is told as that number */
	assert_near(e.ess, 120, 0);
	assert_int_equal(e.n, 120);
	assert_string_equal(e.unit, "per_cpu_second");
	assert_string_equal(e.method, "pw-ewc");
	test_free(t);
}

static void the_log_ratio_of_work_is_that_of_the_references(void **state)
{
	struct table *t = read_table("run_2vm_120.csv");
	struct fan_est e;

	(void)state;
	assert_int_equal(
		fan_est_log_ratio(&(struct fan_paired){ t->col[3], t->col[4], t->n }, LEVEL, 1, &e),
		0);
	assert_near(e.value, expected("run2.log_ratio_work.est"), RTOL);
	assert_near(e.se, expected("run2.log_ratio_work.se"), RTOL);
	assert_near(e.lo, expected("run2.log_ratio_work.lo"), RTOL);
	assert_near(e.hi, expected("run2.log_ratio_work.hi"), RTOL);
	assert_near(e.ess, expected("run2.log_ratio_work.ess"), RTOL);
	assert_near(e.df, expected("run2.log_ratio_work.nu"), 0);
	assert_true(isnan(e.lo_adj) && isnan(e.hi_adj));
	test_free(t);
}

static void a_family_widens_the_adjusted_interval(void **state)
{
	struct table *t = read_table("run_2vm_120.csv");
	struct fan_est e;

	(void)state;
	assert_int_equal(
		fan_est_log_ratio(&(struct fan_paired){ t->col[3], t->col[4], t->n }, LEVEL, 6, &e),
		0);
	assert_near(e.hi, expected("run2.log_ratio_work.hi"), RTOL);
	/* Bonferroni over 6 pairs: the quantile of level 1 - 0.05/6 with 8 degrees of freedom */
	assert_near(e.hi_adj,
		    expected("run2.log_ratio_work.est") +
			    fan_tq(1 - 0.05 / 6, 8) * expected("run2.log_ratio_work.se"),
		    RTOL);
	test_free(t);
}

static void exp_takes_value_and_ends_alike(void **state)
{
	struct fan_est log_of, e;

	(void)state;
	fan_est_init(&log_of, "log", LEVEL, 3);
	log_of.value = log(2);
	log_of.se = 0.1;
	log_of.lo = log(1.5);
	log_of.hi = log(3);
	log_of.lo_adj = log(1.25);
	log_of.hi_adj = log(4);
	fan_est_exp(&log_of, &e);
	assert_near(e.value, 2, 1e-15);
	assert_near(e.lo, 1.5, 1e-15);
	assert_near(e.hi, 3, 1e-15);
	assert_near(e.lo_adj, 1.25, 1e-15);
	assert_near(e.hi_adj, 4, 1e-15);
	assert_near(e.se, 0.2, 1e-15);
	assert_string_equal(e.unit, "ratio");
}

static void no_work_has_no_logarithm(void **state)
{
	const double some[] = { 1, 2, 3 }, none[] = { 0, 0, 0 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ some, none, 3 }, LEVEL, 1, &e), 0);
	assert_true(isnan(e.value) && isnan(e.lo) && isnan(e.hi));
	assert_int_equal(e.flags, FAN_EST_ONE_RUN | FAN_EST_UNDEFINED);
	fan_est_exp(&e, &e);
	assert_true(isnan(e.value) && isnan(e.se));
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ none, some, 3 }, LEVEL, 1, &e), 0);
	assert_true(isnan(e.value));
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ some, some, 0 }, LEVEL, 1, &e), 0);
	assert_int_equal(e.flags, FAN_EST_ONE_RUN | FAN_EST_NO_DATA);
}

/* 3 units in 0.1 s, 6 in 0.2 s, ...: always 30 a second, in numbers that binary has to round. */
static void a_constant_rate_has_no_interval_however_the_numbers_round(void **state)
{
	double n[40], dt[40];
	struct fan_est e;

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		dt[i] = 0.1 * (double)(i % 7 + 1);
		n[i] = 1e5 * 0.3 * (double)(i % 7 + 1);
	}
	assert_int_equal(fan_est_rate(&(struct fan_windows){ n, dt, 40 }, "per_second", LEVEL, &e),
			 0);
	assert_near(e.value, 3e5, 1e-14);
	assert_near(e.se, 0, 0);
	assert_null(e.method);
	assert_true(e.flags & FAN_EST_CI_NONE_CONSTANT);
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ n, dt, 40 }, LEVEL, 1, &e), 0);
	assert_true(e.flags & FAN_EST_CI_NONE_CONSTANT);
}

static void nineteen_intervals_have_a_rate_and_no_interval(void **state)
{
	double n[19], dt[19];
	struct fan_est e;

	(void)state;
	for (size_t i = 0; i < 19; i++) {
		dt[i] = i % 2 ? 1 : 3;
		n[i] = (double)(100 + i);
	}
	assert_int_equal(fan_est_rate(&(struct fan_windows){ n, dt, 19 }, "per_second", LEVEL, &e),
			 0);
	/* 19 * 100 + 171 units in 10 * 3 + 9 seconds */
	assert_near(e.value, 2071.0 / 39, 1e-14);
	assert_true(isnan(e.lo) && isnan(e.hi));
	assert_true(e.flags & FAN_EST_CI_NONE_SHORT);
}

static void work_without_cpu_time_has_no_efficiency(void **state)
{
	const double n[] = { 1, 2 }, cpu[] = { 0, 0 };
	struct fan_est e;

	(void)state;
	assert_int_equal(
		fan_est_rate(&(struct fan_windows){ n, cpu, 2 }, "per_cpu_second", LEVEL, &e), 0);
	assert_true(isnan(e.value));
	assert_true(e.flags & FAN_EST_UNDEFINED);
}

static void wrong_numbers_are_refused(void **state)
{
	const double good[] = { 1, 2 }, negative[] = { 1, -2 }, bad[] = { 1, INFINITY };
	struct fan_est e;

	(void)state;
	assert_int_equal(
		fan_est_rate(&(struct fan_windows){ negative, good, 2 }, "per_second", LEVEL, &e),
		-EINVAL);
	assert_int_equal(
		fan_est_rate(&(struct fan_windows){ good, negative, 2 }, "per_second", LEVEL, &e),
		-EINVAL);
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ good, bad, 2 }, LEVEL, 1, &e),
			 -EINVAL);
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ negative, good, 2 }, LEVEL, 1, &e),
			 -EINVAL);
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ good, good, 2 }, LEVEL, 0, &e),
			 -EINVAL);
	assert_int_equal(fan_est_log_ratio(&(struct fan_paired){ good, good, 2 }, 1, 1, &e),
			 -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_per_cpu_ms_is_that_of_the_references),
		cmocka_unit_test(the_log_ratio_of_work_is_that_of_the_references),
		cmocka_unit_test(a_family_widens_the_adjusted_interval),
		cmocka_unit_test(exp_takes_value_and_ends_alike),
		cmocka_unit_test(no_work_has_no_logarithm),
		cmocka_unit_test(a_constant_rate_has_no_interval_however_the_numbers_round),
		cmocka_unit_test(nineteen_intervals_have_a_rate_and_no_interval),
		cmocka_unit_test(work_without_cpu_time_has_no_efficiency),
		cmocka_unit_test(wrong_numbers_are_refused),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
