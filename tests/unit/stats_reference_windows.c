// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Quantiles, fractions, warm-up and short-term unfairness against tests/data/stats/expected.tsv;
 * and that every row there is somebody's.
 */
#include "tests/unit/stats_rows.h"

#include <gsl/gsl_cdf.h>

#include "analyze/stats/fraction.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/jain.h"
#include "analyze/stats/mser.h"
#include "analyze/stats/quantile.h"
#include "analyze/stats/share.h"
#include "analyze/stats/short_term.h"

#define LEVEL 0.95

static const struct fan_est_spec spec = { "percent", LEVEL, 1 };

static void quantiles_agree_with_the_references(void **state)
{
	static const char *const id[] = { "ar1.woodruff_p05.", "ar1.woodruff_p50." };
	static const double p[] = { 0.05, 0.5 };
	struct table *t = read_table("ar1_200.csv");

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fan_quantile q;

		assert_int_equal(fan_est_quantile(t->col[0], t->n, p[i], &spec, &q), 0);
		assert_rows(id[i], 5,
			    (const struct named[]){
				    { "est", q.est.value },
				    { "lo", q.est.lo },
				    { "hi", q.est.hi },
				    { "nu", q.est.df },
				    { "p_se", q.p_se },
				    { NULL, 0 },
			    });
	}
	test_free(t);
}

static void clopper_and_pearson_agree_with_the_references(void **state)
{
	double lo, hi, none_lo, none_hi;

	(void)state;
	fan_clopper_pearson(3, 30, LEVEL, &lo, &hi);
	fan_clopper_pearson(0, 30, LEVEL, &none_lo, &none_hi);
	assert_near(none_lo, 0, 0);
	assert_rows("clopper.", 3,
		    (const struct named[]){
			    { "3_30.lo", lo },
			    { "3_30.hi", hi },
			    { "0_30.hi", none_hi },
			    { NULL, 0 },
		    });
}

/* The cut was "ok" there where it is within the first half, however few the batches. */
static void warm_up_agrees_with_the_references(void **state)
{
	static const char *const file[] = { "warmup_203.csv", "seed_vm1.csv", "ar1_200.csv" };
	static const char *const id[] = { "warmup.mser5.", "seed_vm1.mser5.", "ar1.mser5." };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct table *t = read_table(file[i]);
		struct fan_mser m;

		assert_int_equal(fan_mser5(t->col[0], t->n, &m), 0);
		assert_rows(id[i], 6,
			    (const struct named[]){
				    { "k", (double)m.batches },
				    { "d", (double)m.cut },
				    { "truncate", (double)m.truncate },
				    { "stat", m.stat },
				    { "stat0", m.stat_0 },
				    { "ok", m.cut <= m.batches / 2 },
				    { NULL, 0 },
			    });
		test_free(t);
	}
}

static void assert_one(const char *id, double value)
{
	assert_rows(id, 1, (const struct named[]){ { "", value }, { 0 } });
}

/* The share expected was 90 %. */
static void short_term_unfairness_agrees_with_the_references(void **state)
{
	static const char *const vm[] = { "seed_vm1", "seed_vm2" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fan_est rms, mean_abs, outside;
		double dev[64], work = 0, total = 0;
		bool is_outside[64];
		struct table *t;
		char id[64];

		snprintf(id, sizeof(id), "%s.csv", vm[i]);
		t = read_table(id);
		for (size_t k = 0; k < t->n; k++) {
			dev[k] = t->col[0][k] - 90;
			is_outside[k] = fabs(dev[k]) > 5;
			work += t->col[0][k] * t->col[1][k] / 100;
			total += t->col[1][k];
		}
		assert_int_equal(fan_est_rms(dev, t->n, &spec, &rms), 0);
		assert_int_equal(fan_est_mean_abs(dev, t->n, &spec, &mean_abs), 0);
		assert_int_equal(fan_est_fraction(is_outside, t->n, 10, &spec, &outside), 0);
		snprintf(id, sizeof(id), "%s.rms_dev", vm[i]);
		assert_one(id, rms.value);
		snprintf(id, sizeof(id), "%s.mad_dev", vm[i]);
		assert_one(id, mean_abs.value);
		snprintf(id, sizeof(id), "%s.frac_outside_5", vm[i]);
		assert_one(id, outside.value);
		snprintf(id, sizeof(id), "%s.zero_windows", vm[i]);
		assert_one(id, (double)fan_count_zeros(t->col[0], t->n).n);
		snprintf(id, sizeof(id), "%s.jain_weighted", vm[i]);
		assert_one(id, fan_jain((const double[]){ work / total / 0.9,
							  (1 - work / total) / 0.1 },
					2));
		test_free(t);
	}
}

/* The library's own, as pwewc.c takes it for slow drift. */
static void the_f_distribution_agrees_with_the_references(void **state)
{
	(void)state;
	assert_one("F_inv.0.95_4_12", gsl_cdf_fdist_Pinv(0.95, 4, 12));
}

/*
 * What nothing computes, and why: methods that were compared and rejected (overlapping batch means,
 * Geyer, the pooled t, single lags above 1), what stands beside them for information, and what the
 * method leaves optional (bootstrap and its block length).
 */
static const char *const without_code[] = {
	"ar1.acf2",	"ar1.acf3",	 "ar1.acf4",	  "ar1.acf5",
	"ar1.coda_",	"ar1.geyer.",	 "ar1.obm14.",	  "ar1.politis_",
	"ar1.sb_",	"boot12.",	 "boot6.",	  "nistR.",
	"runs.pooled.", "seed_vm1.acf2", "seed_vm2.acf2", "shift.politis_",
};

/* The prefixes of rows that one of the tests compares, here or in stats_reference*.c. */
static const char *const with_code[] = {
	"F_inv.",	"ar1.acf1",   "ar1.basic.",	 "ar1.mser5.", "ar1.naive_t.",
	"ar1.nbm10.",	"ar1.nbm20.", "ar1.pw.",	 "ar1.sn.",    "ar1.woodruff_",
	"chi2_inv.",	"clopper.",   "expected_share.", "holm.",      "jain.",
	"mwu_",		"bh.",	      "nist.",		 "power.",     "run2.",
	"runs.fieller", "runs.gap_",  "runs.hedges.",	 "runs.jain.", "runs.t_ci.",
	"runs.welch.",	"seed_diff.", "seed_vm",	 "shift.pw.",  "shift.sn.",
	"tcdf_neg2.5.", "tost.",      "tq975.",		 "tq_bonf.",   "varcomp.",
	"warmup.",	"znorm.",
};

static bool begins_with_any(const char *line, const char *const *prefix, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(line, prefix[i], strlen(prefix[i])) == 0)
			return true;
	return false;
}

/* Of 623 rows 94 are without code. */
static void no_row_of_the_references_is_forgotten(void **state)
{
	FILE *f = open_data("expected.tsv");
	size_t with = 0, without = 0;
	char line[256];

	(void)state;
	assert_non_null(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f)) {
		if (begins_with_any(line, without_code, sizeof(without_code) / sizeof(char *)))
			without++;
		else if (begins_with_any(line, with_code, sizeof(with_code) / sizeof(char *)))
			with++;
		else
			fail_msg("nobody compares %s", line);
	}
	fclose(f);
	assert_int_equal(with + without, 623);
	assert_int_equal(without, 94);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_agree_with_the_references),
		cmocka_unit_test(clopper_and_pearson_agree_with_the_references),
		cmocka_unit_test(warm_up_agrees_with_the_references),
		cmocka_unit_test(short_term_unfairness_agrees_with_the_references),
		cmocka_unit_test(the_f_distribution_agrees_with_the_references),
		cmocka_unit_test(no_row_of_the_references_is_forgotten),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
