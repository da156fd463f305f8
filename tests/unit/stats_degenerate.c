// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Every row of tests/data/stats/degenerate.tsv: inputs without an ordinary answer. A case here
 * computes it, compares the numbers of the row, and gives back what it was told; all of the row's
 * status must be in it, and nothing else but what describes the amount of data.
 */
#include "tests/unit/stats_told.h"

#include <errno.h>

#include "analyze/stats/describe.h"
#include "analyze/stats/fieller.h"
#include "analyze/stats/fraction.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/hodges.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/input.h"
#include "analyze/stats/jain.h"
#include "analyze/stats/jain_runs.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/pwewc.h"
#include "analyze/stats/ranks.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/share.h"
#include "analyze/stats/verdict.h"
#include "analyze/stats/welch.h"

#define CASES  26
#define MARGIN 3.0

static const struct fan_est_spec spec = { "points", 0.95, 1 };

static void assert_no_interval(const struct fan_est *e)
{
	assert_true(isnan(e->lo) && isnan(e->hi) && isnan(e->lo_adj) && isnan(e->hi_adj));
	assert_true(isnan(e->df));
	assert_null(e->method);
}

static struct told of_runs(const char *row, const double *y, size_t n)
{
	struct fan_est e;

	assert_int_equal(fan_est_runs(y, n, &spec, &e), 0);
	if (n > 0)
		assert_number(row, "mean", e.value);
	else
		assert_true(isnan(e.value));
	if (n < 2)
		assert_no_interval(&e);
	fan_est_note_percent(&e);
	if (n == 2) {
		assert_number(row, "lo", e.lo);
		assert_number(row, "hi", e.hi);
	}
	return (struct told){ e.flags, NULL };
}

static struct told empty(const char *row)
{
	return of_runs(row, NULL, 0);
}

static struct told one_run(const char *row)
{
	return of_runs(row, (const double[]){ 87 }, 1);
}

static struct told two_runs(const char *row)
{
	return of_runs(row, (const double[]){ 84, 88 }, 2);
}

/* n windows that all have this share of 100. */
static struct told of_windows(const char *row, double share, size_t n)
{
	double part[30], total[30];
	const struct fan_windows w = { part, total, n };
	struct fan_verdict v;
	struct fan_est e;

	for (size_t i = 0; i < n; i++) {
		part[i] = share;
		total[i] = 100;
	}
	assert_int_equal(fan_est_share(&w, 0.95, 1, &e), 0);
	assert_number(row, "mean", e.value);
	assert_no_interval(&e);
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_true(!v.word || strcmp(v.word, "inconclusive") == 0);
	return (struct told){ e.flags, NULL };
}

static struct told one_window(const char *row)
{
	return of_windows(row, 87, 1);
}

static struct told constant_windows(const char *row)
{
	struct fan_describe d;
	struct fan_pwewc p;
	double x[30];

	for (size_t i = 0; i < 30; i++)
		x[i] = 90;
	assert_int_equal(fan_describe(x, 30, &d), 0);
	assert_int_equal(fan_pwewc(x, 30, 0.95, &p), 0);
	assert_number(row, "sd", d.sd);
	assert_number(row, "se", p.se);
	assert_true(isnan(d.lag1) && isnan(d.skew) && isnan(p.ess) && isnan(p.half));
	return of_windows(row, 90, 30);
}

static struct told all_zero_share(const char *row)
{
	return of_windows(row, 0, 30);
}

static struct told all_hundred_share(const char *row)
{
	return of_windows(row, 100, 30);
}

/* A difference without any variance is open, whatever its size. */
static struct told of_constants(const char *row, double value)
{
	const double x[] = { 90, 90, 90 }, y[] = { value, value, value };
	const struct fan_samples s = { x, 3, y, 3 };
	struct fan_verdict v;
	struct fan_est e;

	assert_int_equal(fan_est_welch(&s, &spec, &e), 0);
	assert_number(row, "diff", e.value);
	assert_no_interval(&e);
	assert_int_equal(fan_judge_gap(&e, MARGIN, &v), 0);
	assert_string_equal(v.word, "inconclusive");
	return (struct told){ e.flags, NULL };
}

static struct told constant_both(const char *row)
{
	return of_constants(row, 87);
}

static struct told constant_equal(const char *row)
{
	return of_constants(row, 90);
}

static struct told constant_one(const char *row)
{
	const double x[] = { 90, 90, 90, 90 }, y[] = { 84, 86, 85, 88 };
	const struct fan_samples s = { x, 4, y, 4 };
	struct fan_est e;

	assert_int_equal(fan_est_welch(&s, &spec, &e), 0);
	assert_number(row, "diff", e.value);
	assert_number(row, "df", e.df);
	assert_number(row, "lo", e.lo);
	assert_number(row, "hi", e.hi);
	return (struct told){ e.flags, NULL };
}

static struct told shape(const char *row)
{
	const double x[] = { 1, 2, 3 }, y[] = { 5 };
	const struct fan_samples s = { x, 3, y, 1 };
	struct fan_est e;

	(void)row;
	assert_int_equal(fan_est_welch(&s, &spec, &e), 0);
	assert_near(e.value, 3, 1e-15);
	assert_no_interval(&e);
	return (struct told){ e.flags, NULL };
}

static struct told jain_all_zero(const char *row)
{
	const double x[] = { 0, 0, 0 };
	struct fan_est e;

	(void)row;
	assert_int_equal(fan_est_jain(x, 3, 0.95, NULL, &e), 0);
	assert_true(isnan(e.value));
	return (struct told){ e.flags, NULL };
}

static struct told jain_one_zero(const char *row)
{
	struct fan_est e;

	assert_int_equal(fan_est_jain((const double[]){ 5, 0 }, 2, 0.95, NULL, &e), 0);
	assert_number(row, "J", e.value);
	return (struct told){ e.flags, NULL };
}

static struct told jain_one_vm(const char *row)
{
	struct fan_est e;

	assert_int_equal(fan_est_jain((const double[]){ 5 }, 1, 0.95, NULL, &e), 0);
	assert_number(row, "J", e.value);
	return (struct told){ e.flags, NULL };
}

static struct told jain_negative(const char *row)
{
	const double x[] = { 5, -1 };
	const struct fan_allocations a = { x, 1, 2 };
	struct fan_est e;

	(void)row;
	assert_int_equal(fan_est_jain(x, 2, 0.95, NULL, &e), -EINVAL);
	assert_int_equal(fan_est_jain_runs(&a, 0.95, &e), -EINVAL);
	return (struct told){ 0, "error:negative" };
}

/* The difference in units and the ratio of the sums exist: (5000 + 5100)/(0 + 4900). */
static struct told gap_zero_score(const char *row)
{
	const double a[] = { 5000, 5100 }, b[] = { 0, 4900 };
	const struct fan_paired p = { a, b, 2 };
	struct fan_est gap, difference;
	struct fan_fieller f;

	(void)row;
	assert_int_equal(fan_est_paired_log(&p, &spec, &gap), 0);
	assert_true(isnan(gap.value));
	assert_no_interval(&gap);
	assert_int_equal(fan_est_paired(&p, &spec, &difference), 0);
	assert_near(difference.value, 2600, 1e-15);
	assert_int_equal(fan_fieller_paired(&p, &spec, &f), 0);
	assert_near(f.est.value, 10100.0 / 4900, 1e-15);
	return (struct told){ gap.flags, NULL };
}

static struct told fieller_noisy(const char *row)
{
	struct table *x = read_lines("fieller_noisy.csv", "x");
	struct table *y = read_lines("fieller_noisy.csv", "y");
	const struct fan_samples s = { x->col[0], x->n, y->col[0], y->n };
	struct fan_fieller f;

	assert_int_equal(fan_fieller(&s, &spec, &f), 0);
	assert_number(row, "ratio", f.est.value);
	assert_number(row, "g", f.g);
	assert_number(row, "df", f.est.df);
	assert_number(row, "below", f.below);
	assert_number(row, "above", f.above);
	assert_true(isnan(f.est.lo) && isnan(f.est.hi));
	test_free(x);
	test_free(y);
	return (struct told){ f.est.flags, NULL };
}

/* One of 30 is within the 5 % that may be missing. */
static struct told nan_window(const char *row)
{
	double x[30], kept[30];
	struct fan_input in;
	size_t at[30];

	for (size_t i = 0; i < 30; i++)
		x[i] = i == 1 ? NAN : 88 + (double)(i % 3);
	assert_int_equal(fan_filter_shares(x, 30, kept, at, &in), 0);
	assert_int_equal(in.n, 29);
	assert_int_equal(at[0], 1);
	assert_near((double)in.missing, strtod(strstr(row, "missing=") + 8, NULL), 0);
	x[5] = NAN;
	assert_int_equal(fan_filter_shares(x, 30, kept, at, &in), -ENODATA);
	return (struct told){ FAN_EST_MISSING, NULL };
}

static struct told inf(const char *row)
{
	const double x[] = { INFINITY };
	struct fan_input in;
	struct fan_est e;
	double kept;
	size_t at;

	(void)row;
	assert_int_equal(fan_filter_shares(x, 1, &kept, &at, &in), -EINVAL);
	assert_int_equal(fan_est_runs(x, 1, &spec, &e), -EINVAL);
	return (struct told){ 0, "error:nonfinite" };
}

static struct told share_over(const char *row)
{
	const double x[] = { 100.4 }, total[] = { 100 };
	const struct fan_windows w = { x, total, 1 };
	struct fan_input in;
	struct fan_est e;
	double kept;
	size_t at;

	(void)row;
	assert_int_equal(fan_filter_shares(x, 1, &kept, &at, &in), -ERANGE);
	assert_int_equal(fan_est_share(&w, 0.95, 1, &e), -EINVAL);
	return (struct told){ 0, "error:out_of_range" };
}

static struct told total_zero_window(const char *row)
{
	double part[30], total[30];
	const struct fan_windows w = { part, total, 30 };
	struct fan_window_check c;
	struct fan_est e;

	(void)row;
	for (size_t i = 0; i < 30; i++) {
		total[i] = i == 7 ? 0 : 100;
		part[i] = i == 7 ? 0 : 40 + (double)(i * i % 7);
	}
	assert_int_equal(fan_check_windows(&w, &c), 0);
	assert_int_equal(c.zero_total, 1);
	assert_int_equal(fan_est_share(&w, 0.95, 1, &e), 0);
	/* also a window of unequal work, which is what a total of 0 is */
	return (struct told){ e.flags & ~(uint32_t)FAN_EST_UNEQUAL_WINDOWS, NULL };
}

static struct told mwu_3v3(const char *row)
{
	struct table *x = read_lines("mwu_3v3.csv", "x"), *y = read_lines("mwu_3v3.csv", "y");
	const struct fan_samples s = { x->col[0], x->n, y->col[0], y->n };
	struct fan_ranks r;
	struct fan_est e;

	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_int_equal(fan_est_hodges(&s, &spec, &e), 0);
	assert_number(row, "p", r.p);
	assert_number(row, "p_min", r.p_min);
	assert_near(e.level, 0.9, 1e-15);
	test_free(x);
	test_free(y);
	return (struct told){ r.a12.flags, r.cannot_reach ? "rank_test_cannot_reach_0.05" : NULL };
}

static struct told identical_samples(const char *row)
{
	const double x[] = { 3, 1, 2, 5 };
	const struct fan_samples s = { x, 4, x, 4 };
	struct fan_ranks r;
	struct fan_est e;

	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_near(r.u, 8, 0);
	assert_near(r.p, 1, 1e-15);
	assert_int_equal(fan_est_welch(&s, &spec, &e), 0);
	assert_number(row, "diff", e.value);
	return (struct told){ e.flags | r.a12.flags, NULL };
}

static struct told zero_of_30(const char *row)
{
	const bool none[30] = { false };
	struct fan_est e;

	assert_int_equal(fan_est_fraction(none, 30, NAN, &spec, &e), 0);
	assert_number(row, "hi", e.hi);
	assert_near(e.lo, 0, 0);
	return (struct told){ e.flags, NULL };
}

/* A ramp is the smoothest of walks: r1 is close to 1. */
static struct told phi_cap(const char *row)
{
	struct fan_pwewc p;
	double x[120];

	for (size_t i = 0; i < 120; i++)
		x[i] = (double)i + (double)(i * i % 3);
	assert_int_equal(fan_pwewc(x, 120, 0.95, &p), 0);
	assert_number(row, "phi", p.phi);
	/* which shifts and drifts all the time */
	return (struct told){ p.flags & ~(uint32_t)(FAN_EST_LEVEL_SHIFT | FAN_EST_SLOW_DRIFT |
						    FAN_EST_METHODS_DISAGREE),
			      NULL };
}

static struct told holm_one(const char *row)
{
	double p = 0.03;

	(void)row;
	assert_int_equal(fan_holm(&p, 1, &p), 0);
	assert_near(p, 0.03, 0);
	return (struct told){ 0, NULL };
}

static const struct {
	const char *name;
	struct told (*run)(const char *row);
} cases[CASES] = {
	{ "empty", empty },
	{ "one_window", one_window },
	{ "one_run", one_run },
	{ "two_runs", two_runs },
	{ "constant_windows", constant_windows },
	{ "constant_both", constant_both },
	{ "constant_equal", constant_equal },
	{ "constant_one", constant_one },
	{ "all_zero_share", all_zero_share },
	{ "all_hundred_share", all_hundred_share },
	{ "jain_all_zero", jain_all_zero },
	{ "jain_one_zero", jain_one_zero },
	{ "jain_one_vm", jain_one_vm },
	{ "jain_negative", jain_negative },
	{ "gap_zero_score", gap_zero_score },
	{ "fieller_noisy", fieller_noisy },
	{ "nan_window", nan_window },
	{ "inf", inf },
	{ "share_over", share_over },
	{ "total_zero_window", total_zero_window },
	{ "shape", shape },
	{ "mwu_3v3", mwu_3v3 },
	{ "identical_samples", identical_samples },
	{ "zero_of_30", zero_of_30 },
	{ "phi_cap", phi_cap },
	{ "holm_one", holm_one },
};

static void run_case(const char *row)
{
	char copy[512], *save = NULL, *name, *status = NULL, *field;

	snprintf(copy, sizeof(copy), "%s", row);
	/* the input may be empty: strsep keeps such fields */
	save = copy;
	name = strsep(&save, "\t");
	for (int i = 1; i <= 3 && (field = strsep(&save, "\t")); i++)
		status = field;
	assert_non_null(status);
	for (size_t i = 0; i < CASES; i++)
		if (strcmp(cases[i].name, name) == 0) {
			assert_status(name, status, cases[i].run(row));
			return;
		}
	fail_msg("%s: no case computes it", name);
}

static void every_degenerate_input_says_why_it_has_no_ordinary_answer(void **state)
{
	FILE *f = open_data("degenerate.tsv");
	size_t rows = 0;
	char row[512];

	(void)state;
	assert_non_null(fgets(row, sizeof(row), f));
	while (fgets(row, sizeof(row), f)) {
		run_case(row);
		rows++;
	}
	fclose(f);
	assert_int_equal(rows, CASES);
}

/* Four windows of a run have values and reasons, and not one interval. */
static void four_windows_have_an_estimate_and_no_interval(void **state)
{
	const double part[] = { 80, 85, 90, 95 }, total[] = { 100, 100, 100, 100 };
	const struct fan_windows w = { part, total, 4 };
	struct fan_verdict v;
	struct fan_est e;

	(void)state;
	assert_int_equal(fan_est_share(&w, 0.95, 1, &e), 0);
	assert_near(e.value, 87.5, 1e-15);
	assert_no_interval(&e);
	assert_int_equal(e.flags, FAN_EST_ONE_RUN | FAN_EST_CI_NONE_SHORT);
	assert_int_equal(fan_judge(&e, MARGIN, &v), 0);
	assert_null(v.word);
	assert_true(v.reasons & FAN_REASON_TOO_SHORT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_degenerate_input_says_why_it_has_no_ordinary_answer),
		cmocka_unit_test(four_windows_have_an_estimate_and_no_interval),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
