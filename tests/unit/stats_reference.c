// SPDX-License-Identifier: GPL-3.0-or-later
/* The series of windows in analyze/stats/ against tests/data/stats/expected.tsv. */
#include "tests/unit/stats_rows.h"

#include "analyze/stats/checks.h"
#include "analyze/stats/describe.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/pwewc.h"
#include "analyze/stats/share.h"
#include "analyze/stats/waterfill.h"

#define LEVEL 0.95

static void assert_described(const char *prefix, const double *x, size_t n)
{
	struct fan_describe d;

	assert_int_equal(fan_describe(x, n, &d), 0);
	assert_rows(prefix, 14,
		    (const struct named[]){
			    { "n", (double)d.n },
			    { "mean", d.mean },
			    { "sd", d.sd },
			    { "min", d.min },
			    { "max", d.max },
			    { "median", d.median },
			    { "q1", d.q1 },
			    { "q3", d.q3 },
			    { "p05", d.p05 },
			    { "p95", d.p95 },
			    { "mad", d.mad },
			    { "skew_g1", d.skew },
			    { "tukey_mild", (double)d.tukey_mild },
			    { "tukey_severe", (double)d.tukey_severe },
			    { NULL, 0 },
		    });
}

/* The interval of x moved to centre; 10 rows below 61 values, else 12. */
static void assert_pwewc(const char *prefix, const double *x, size_t n, double centre)
{
	struct fan_pwewc p;

	assert_int_equal(fan_pwewc(x, n, LEVEL, &p), 0);
	assert_rows(prefix, n < 61 ? 10 : 12,
		    (const struct named[]){
			    { "est", centre },
			    { "r1", p.r1 },
			    { "phi", p.phi },
			    { "nu", p.nu },
			    { "lrv", p.lrv },
			    { "se", p.se },
			    { "ess", p.ess },
			    { "tau", p.tau },
			    { "lo", centre - p.half },
			    { "hi", centre + p.half },
			    { "lf_F", p.drift_f },
			    { "lf_p", p.drift_p },
			    { NULL, 0 },
		    });
}

static void assert_pwewc_of_mean(const char *prefix, const double *x, size_t n)
{
	struct fan_pwewc p;

	assert_int_equal(fan_pwewc(x, n, LEVEL, &p), 0);
	assert_pwewc(prefix, x, n, p.mean);
}

static void assert_ratio(const char *prefix, const struct fan_windows *w, double scale)
{
	double *z = test_calloc(w->n, sizeof(*z));
	double ratio;

	fan_ratio_residuals(w, scale, &ratio, z);
	assert_pwewc(prefix, z, w->n, ratio);
	test_free(z);
}

/* The part of each window whose share of total is given in percent. */
static void multiply(const double *pct, const double *total, size_t n, double *ret)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = pct[i] * total[i] / 100;
}

struct seed {
	struct table *t;
	double part[64];
	struct fan_windows w;
};

static void read_seed(const char *file, struct seed *s)
{
	s->t = read_table(file);
	assert_true(s->t->n <= 64);
	multiply(s->t->col[0], s->t->col[1], s->t->n, s->part);
	s->w = (struct fan_windows){ s->part, s->t->col[1], s->t->n };
}

static void the_seed_series_are_described_as_by_the_references(void **state)
{
	struct seed a, b;

	(void)state;
	read_seed("seed_vm1.csv", &a);
	read_seed("seed_vm2.csv", &b);
	assert_described("seed_vm1.share.", a.t->col[0], a.t->n);
	assert_described("seed_vm1.total.", a.t->col[1], a.t->n);
	assert_described("seed_vm2.share.", b.t->col[0], b.t->n);
	assert_described("seed_vm2.total.", b.t->col[1], b.t->n);
	test_free(a.t);
	test_free(b.t);
}

/* What an estimate carries is what its residuals gave. */
static void assert_share_carries(const struct seed *s)
{
	struct fan_pwewc p;
	struct fan_est e;
	double z[64], ratio;

	fan_ratio_residuals(&s->w, 100, &ratio, z);
	assert_int_equal(fan_pwewc(z, s->w.n, LEVEL, &p), 0);
	assert_int_equal(fan_est_share(&s->w, LEVEL, 1, &e), 0);
	assert_near(e.value, ratio, 1e-15);
	assert_near(e.se, p.se, 1e-15);
	assert_near(e.lo, ratio - p.half, 1e-14);
	assert_near(e.hi, ratio + p.half, 1e-14);
	assert_near(e.df, p.nu, 0);
	assert_near(e.ess, p.ess, 1e-15);
	assert_string_equal(e.method, "pw-ewc");
	assert_string_equal(e.unit, "percent");
	assert_int_equal(e.n, s->w.n);
	assert_true(isnan(e.lo_adj) && isnan(e.hi_adj));
}

static void the_seed_intervals_are_those_of_the_references(void **state)
{
	struct seed a, b;

	(void)state;
	read_seed("seed_vm1.csv", &a);
	read_seed("seed_vm2.csv", &b);
	assert_pwewc_of_mean("seed_vm1.pw.", a.t->col[0], a.t->n);
	assert_pwewc_of_mean("seed_vm2.pw.", b.t->col[0], b.t->n);
	assert_ratio("seed_vm1.ros.", &a.w, 100);
	assert_ratio("seed_vm2.ros.", &b.w, 100);
	assert_share_carries(&a);
	assert_share_carries(&b);
	test_free(a.t);
	test_free(b.t);
}

static void the_seed_windows_are_checked_as_by_the_references(void **state)
{
	static const char *const vm[] = { "seed_vm1", "seed_vm2" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fan_window_check c;
		struct fan_shift shift;
		struct fan_est share, dev;
		char name[64];
		struct seed s;

		snprintf(name, sizeof(name), "%s.csv", vm[i]);
		read_seed(name, &s);
		assert_int_equal(fan_check_windows(&s.w, &c), 0);
		assert_int_equal(fan_est_share(&s.w, LEVEL, 1, &share), 0);
		fan_est_deviation(&share, 90, &dev);
		assert_int_equal(fan_level_shift(s.t->col[0], s.t->n, &shift), 0);
		snprintf(name, sizeof(name), "%s.irregular", vm[i]);
		assert_rows(name, 1, (const struct named[]){ { "", (double)c.unequal }, { 0 } });
		snprintf(name, sizeof(name), "%s.deviation_", vm[i]);
		assert_rows(name, 2,
			    (const struct named[]){
				    { "mean", 100 * c.mean_ratio - 90 },
				    { "ros", dev.value },
				    { NULL, 0 },
			    });
		snprintf(name, sizeof(name), "%s.sn.", vm[i]);
		assert_rows(name, 2,
			    (const struct named[]){
				    { "stat", shift.stat },
				    { "k", (double)shift.at },
				    { NULL, 0 },
			    });
		test_free(s.t);
	}
}

static void the_autoregressive_series_agrees_with_the_references(void **state)
{
	struct table *t = read_table("ar1_200.csv");
	struct fan_describe d;
	struct fan_shift shift;

	(void)state;
	assert_described("ar1.basic.", t->col[0], t->n);
	assert_pwewc_of_mean("ar1.pw.", t->col[0], t->n);
	assert_int_equal(fan_describe(t->col[0], t->n, &d), 0);
	assert_rows("ar1.acf1", 1, (const struct named[]){ { "", d.lag1 }, { 0 } });
	assert_int_equal(fan_level_shift(t->col[0], t->n, &shift), 0);
	assert_rows("ar1.sn.", 2,
		    (const struct named[]){
			    { "stat", shift.stat },
			    { "k", (double)shift.at },
			    { NULL, 0 },
		    });
	test_free(t);
}

static void batch_means_agree_with_the_references(void **state)
{
	struct table *t = read_table("ar1_200.csv");
	static const size_t batches[] = { 10, 20 };
	static const char *const prefix[] = { "ar1.nbm10.", "ar1.nbm20." };
	struct fan_describe d;

	(void)state;
	assert_int_equal(fan_describe(t->col[0], t->n, &d), 0);
	for (size_t i = 0; i < 2; i++) {
		struct fan_batches b;
		double half;

		assert_int_equal(fan_batch_means(t->col[0], t->n, batches[i], &b), 0);
		half = fan_tq(LEVEL, b.df) * b.se;
		assert_rows(prefix[i], 8,
			    (const struct named[]){
				    { "b", (double)b.size },
				    { "df", b.df },
				    { "lrv", b.lrv },
				    { "se", b.se },
				    { "vonneumann", b.von_neumann },
				    { "est", d.mean },
				    { "lo", d.mean - half },
				    { "hi", d.mean + half },
				    { NULL, 0 },
			    });
	}
	test_free(t);
}

static void the_shifted_series_agrees_with_the_references(void **state)
{
	struct table *t = read_table("shift_150.csv");
	struct fan_shift shift;

	(void)state;
	assert_pwewc_of_mean("shift.pw.", t->col[0], t->n);
	assert_int_equal(fan_level_shift(t->col[0], t->n, &shift), 0);
	assert_rows("shift.sn.", 2,
		    (const struct named[]){
			    { "stat", shift.stat },
			    { "k", (double)shift.at },
			    { NULL, 0 },
		    });
	test_free(t);
}

/* Columns: window, CPU ms of VM1 and VM2, work of VM1 and VM2. */
static void the_two_vm_run_agrees_with_the_references(void **state)
{
	struct table *t = read_table("run_2vm_120.csv");
	double cpu[120], work[120], z[120], sum1 = 0, sum2 = 0;

	(void)state;
	assert_int_equal(t->n, 120);
	for (size_t i = 0; i < t->n; i++) {
		cpu[i] = t->col[1][i] + t->col[2][i];
		work[i] = t->col[3][i] + t->col[4][i];
		sum1 += t->col[3][i];
		sum2 += t->col[4][i];
	}
	assert_ratio("run2.cpu_share_vm1.", &(struct fan_windows){ t->col[1], cpu, 120 }, 100);
	assert_ratio("run2.work_share_vm1.", &(struct fan_windows){ t->col[3], work, 120 }, 100);
	assert_ratio("run2.work_per_cpu_vm1.", &(struct fan_windows){ t->col[3], t->col[1], 120 },
		     1);
	for (size_t i = 0; i < t->n; i++)
		z[i] = t->col[3][i] / (sum1 / 120) - t->col[4][i] / (sum2 / 120);
	assert_pwewc("run2.log_ratio_work.", z, 120, log(sum1 / sum2));
	test_free(t);
}

static void the_t_quantiles_agree_with_the_references(void **state)
{
	static const char *const df[] = { "1",	 "1.3", "2",	"2.7",	"3",   "4",
					  "5.5", "8",	"9.37", "28.4", "199", "1e+05" };
	struct named got[13] = { { 0 } };

	(void)state;
	for (size_t i = 0; i < 12; i++)
		got[i] = (struct named){ df[i], fan_tq(LEVEL, strtod(df[i], NULL)) };
	assert_rows("tq975.", 12, got);
	assert_rows("tq_bonf.df4_a0.05_k8", 1,
		    (const struct named[]){ { "", fan_tq(1 - 0.05 / 8, 4) }, { 0 } });
}

static void assert_expected_share(const char *prefix, const double *weight, const double *cap,
				  size_t n)
{
	static const char *const name[] = { "1", "2", "3", "4" };
	struct named got[5] = { { 0 } };
	double alloc[4];

	assert_int_equal(fan_waterfill(weight, cap, n, 100, alloc), 0);
	for (size_t i = 0; i < n; i++)
		got[i] = (struct named){ name[i], alloc[i] };
	assert_rows(prefix, n, got);
}

static void expected_shares_agree_with_the_references(void **state)
{
	(void)state;
	assert_expected_share("expected_share.ex1.", (const double[]){ 1, 1, 2 },
			      (const double[]){ 50, 20, 100 }, 3);
	assert_expected_share("expected_share.ex2.", (const double[]){ 128, 1152 },
			      (const double[]){ 10, 20 }, 2);
	assert_expected_share("expected_share.ex3.", (const double[]){ 128, 1152 },
			      (const double[]){ INFINITY, INFINITY }, 2);
	assert_expected_share("expected_share.ex4.", (const double[]){ 100, 100, 300, 500 },
			      (const double[]){ 30, 30, 15, 35 }, 4);
}

static void nist_certified_values_are_reached(void **state)
{
	static const char *const set[] = { "Lew",     "Lottery", "Mavro",   "Michelso", "NumAcc1",
					   "NumAcc2", "NumAcc3", "NumAcc4", "PiDigits" };

	(void)state;
	for (size_t i = 0; i < 9; i++) {
		struct fan_describe d;
		char name[64];
		struct table *t;

		snprintf(name, sizeof(name), "nist/%s.csv", set[i]);
		t = read_table(name);
		assert_int_equal(fan_describe(t->col[0], t->n, &d), 0);
		snprintf(name, sizeof(name), "nist.%s.", set[i]);
		assert_rows(name, 3,
			    (const struct named[]){
				    { "mean", d.mean },
				    { "sd", d.sd },
				    { "lag1", d.lag1 },
				    { NULL, 0 },
			    });
		test_free(t);
	}
}

/* Why the two-pass formula is used at all: the certified sd is 0.1. */
static void the_textbook_sum_of_squares_fails_on_numacc4(void **state)
{
	struct table *t = read_table("nist/NumAcc4.csv");
	/* volatile: each sum is rounded to double, as the textbook has it */
	volatile double sum = 0, squares = 0;
	const double n = (double)t->n;
	struct fan_describe d;
	double sd;

	(void)state;
	for (size_t i = 0; i < t->n; i++) {
		sum += t->col[0][i];
		squares += t->col[0][i] * t->col[0][i];
	}
	sd = sqrt((squares - sum * sum / n) / (n - 1));
	assert_false(is_near(sd, 0.1, 1e-2));
	assert_int_equal(fan_describe(t->col[0], t->n, &d), 0);
	assert_near(d.sd, 0.1, 1e-8);
	test_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_seed_series_are_described_as_by_the_references),
		cmocka_unit_test(the_seed_intervals_are_those_of_the_references),
		cmocka_unit_test(the_seed_windows_are_checked_as_by_the_references),
		cmocka_unit_test(the_autoregressive_series_agrees_with_the_references),
		cmocka_unit_test(batch_means_agree_with_the_references),
		cmocka_unit_test(the_shifted_series_agrees_with_the_references),
		cmocka_unit_test(the_two_vm_run_agrees_with_the_references),
		cmocka_unit_test(the_t_quantiles_agree_with_the_references),
		cmocka_unit_test(expected_shares_agree_with_the_references),
		cmocka_unit_test(nist_certified_values_are_reached),
		cmocka_unit_test(the_textbook_sum_of_squares_fails_on_numacc4),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
