// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/share: the deviation from what was due, window by window. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/pwewc.h"
#include "analyze/stats/share.h"

enum { N = 240 };

static const struct fan_ratio_spec points = { 100, "points", 0.95, 2 };

/* Got of totals near 1000, due of totals near 900. */
struct run {
	double part[N], total[N], due_part[N], due_total[N];
	struct fan_windows got, due;
};

static void fill(struct run *r)
{
	uint64_t state = 20151019;

	for (size_t i = 0; i < N; i++) {
		/* xorshift64 (Marsaglia 2003) */
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		r->total[i] = 1000 + (double)(state % 10);
		r->part[i] = 350 + (double)(state / 16 % 101);
		r->due_total[i] = 900 + (double)(state / 4096 % 50);
		r->due_part[i] = r->due_total[i] / 4;
	}
	r->got = (struct fan_windows){ r->part, r->total, N };
	r->due = (struct fan_windows){ r->due_part, r->due_total, N };
}

static void it_is_the_difference_of_two_ratios_of_sums(void **state)
{
	/* 100 (1 + 2)/(4 + 6) - 100 (3 + 1)/(6 + 2) */
	const double part[] = { 1, 2 }, total[] = { 4, 6 };
	const double due_part[] = { 3, 1 }, due_total[] = { 6, 2 };
	const struct fan_windows got = { part, total, 2 }, due = { due_part, due_total, 2 };
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_deviation_due(&got, &due, 0, &points, &e), 0);
	assert_near(e.value, 30 - 50, 1e-12);
	assert_string_equal(e.unit, "points");
	assert_int_equal(e.n, 2);
	assert_true(e.flags & FAN_EST_CI_NONE_SHORT);
	assert_true(isnan(e.lo));
}

static void a_constant_part_gives_the_interval_of_the_share(void **state)
{
	struct fan_est share, moved, e;
	struct run r;

	(void)state;
	fill(&r);
	assert_int_equal(fan_est_share(&r.got, 0.95, 2, &share), 0);
	fan_est_deviation(&share, 25, &moved);
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 0, &points, &e), 0);
	assert_near(e.value, moved.value, 1e-12);
	assert_near(e.se, moved.se, 1e-12);
	assert_near(e.hi_adj, moved.hi_adj, 1e-12);
	assert_int_equal(e.flags, moved.flags);
	/* what was due is cut to whole ns, as the model does: no swing to take out */
	for (size_t i = 0; i < N; i++)
		r.due_part[i] = floor(r.due_part[i]);
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), 0);
	assert_near(e.se, moved.se, 1e-12);
}

static void its_interval_is_that_of_the_difference_of_the_residuals(void **state)
{
	double z[N], z_due[N], share, expected;
	struct fan_pwewc p;
	struct fan_est e;
	struct run r;

	(void)state;
	fill(&r);
	for (size_t i = 0; i < N; i++)
		r.due_part[i] = r.due_total[i] * (i % 9 < 4 ? 0.3 : 0.5);
	fan_ratio_residuals(&r.got, 100, &share, z);
	fan_ratio_residuals(&r.due, 100, &expected, z_due);
	for (size_t i = 0; i < N; i++)
		z[i] -= z_due[i];
	assert_int_equal(fan_pwewc(z, N, 0.95, &p), 0);
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), 0);
	assert_near(e.value, share - expected, 1e-12);
	assert_near(e.se, p.se, 1e-12);
	assert_near(e.hi - e.value, p.half, 1e-9);
}

/* The share swings between 20 and 80 % as what is due does, less 3 points. */
static void swings_that_were_due_are_not_in_the_interval(void **state)
{
	struct fan_est share, e;
	struct run r;

	(void)state;
	fill(&r);
	for (size_t i = 0; i < N; i++) {
		const double due = i / 15 % 2 ? 0.8 : 0.2;

		r.due_part[i] = r.due_total[i] * due;
		r.part[i] = r.total[i] * (due - 0.03) + (r.part[i] - 400) / 20;
	}
	assert_int_equal(fan_est_share(&r.got, 0.95, 2, &share), 0);
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), 0);
	assert_near(e.value, -3, 0.1);
	assert_true(e.se < share.se / 5);
}

static void nothing_due_is_no_deviation(void **state)
{
	struct fan_est e;
	struct run r;

	(void)state;
	fill(&r);
	for (size_t i = 0; i < N; i++)
		r.due_part[i] = r.due_total[i] = 0;
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), 0);
	assert_true(isnan(e.value));
	assert_true(e.flags & FAN_EST_UNDEFINED);
	/* and no work is none either */
	fill(&r);
	for (size_t i = 0; i < N; i++)
		r.part[i] = r.total[i] = 0;
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), 0);
	assert_true(isnan(e.value));
	assert_true(e.flags & FAN_EST_UNDEFINED);
}

static void windows_without_work_or_of_unequal_work_are_told(void **state)
{
	struct fan_est e;
	struct run r;

	(void)state;
	fill(&r);
	r.part[3] = r.total[3] = 0;
	r.part[9] = r.total[9] = 2000;
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), 0);
	assert_true(e.flags & FAN_EST_ZERO_TOTAL_WINDOWS);
	assert_true(e.flags & FAN_EST_UNEQUAL_WINDOWS);
}

static void wrong_windows_are_refused(void **state)
{
	struct fan_est e;
	struct run r;

	(void)state;
	fill(&r);
	r.due_part[5] = r.due_total[5] * 2;
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), -EINVAL);
	fill(&r);
	r.part[5] = NAN;
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), -EINVAL);
	fill(&r);
	r.due.n = N - 1;
	assert_int_equal(fan_est_deviation_due(&r.got, &r.due, 1, &points, &e), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_difference_of_two_ratios_of_sums),
		cmocka_unit_test(a_constant_part_gives_the_interval_of_the_share),
		cmocka_unit_test(its_interval_is_that_of_the_difference_of_the_residuals),
		cmocka_unit_test(swings_that_were_due_are_not_in_the_interval),
		cmocka_unit_test(nothing_due_is_no_deviation),
		cmocka_unit_test(windows_without_work_or_of_unequal_work_are_told),
		cmocka_unit_test(wrong_windows_are_refused),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
