// SPDX-License-Identifier: GPL-3.0-or-later
/* The comparisons of runs in analyze/stats/ against tests/data/stats/expected.tsv. */
#include "tests/unit/stats_rows.h"

#include "analyze/stats/fieller.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/jain.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/rate.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/share.h"
#include "analyze/stats/tost.h"
#include "analyze/stats/varcomp.h"
#include "analyze/stats/welch.h"

#define LEVEL 0.95

static const struct fan_est_spec spec = { "score", LEVEL, 1 };

/* Scores of VM 1 and 2: columns 1 and 2 of the runs with core scheduling off and on. */
struct scores {
	struct table *off, *on;
};

static void read_scores(struct scores *s)
{
	s->off = read_lines("runs_scores.csv", "off");
	s->on = read_lines("runs_scores.csv", "on");
	assert_int_equal(s->off->n, 10);
	assert_int_equal(s->on->n, 8);
}

static void free_scores(struct scores *s)
{
	test_free(s->off);
	test_free(s->on);
}

static struct fan_paired vms_of(const struct table *t)
{
	return (struct fan_paired){ t->col[1], t->col[2], t->n };
}

/* On over off, of the values in one column. */
static struct fan_samples configs_of(const struct scores *s, size_t column)
{
	return (struct fan_samples){ s->off->col[column], s->off->n, s->on->col[column], s->on->n };
}

/* est, se, df, lo, hi; with t and p where there are 7 rows. */
static void assert_est(const char *prefix, size_t rows, const struct fan_est *e)
{
	assert_rows(prefix, rows,
		    (const struct named[]){
			    { "est", e->value },
			    { "se", e->se },
			    { "df", e->df },
			    { "lo", e->lo },
			    { "hi", e->hi },
			    { "t", e->value / e->se },
			    { "p", fan_p_zero(e) },
			    { NULL, 0 },
		    });
}

static void assert_gap(const char *prefix, const struct fan_est *e)
{
	struct fan_est percent;

	fan_est_percent(e, &percent);
	assert_rows(prefix, 7,
		    (const struct named[]){
			    { "d", e->value },
			    { "se", e->se },
			    { "df", e->df },
			    { "gap", percent.value },
			    { "lo", percent.lo },
			    { "hi", percent.hi },
			    { "p", fan_p_zero(e) },
			    { NULL, 0 },
		    });
}

static void gaps_between_vms_agree_with_the_references(void **state)
{
	struct fan_est off, on, change;
	struct fan_paired p;
	struct scores s;

	(void)state;
	read_scores(&s);
	p = vms_of(s.off);
	assert_int_equal(fan_est_paired_log(&p, &spec, &off), 0);
	p = vms_of(s.on);
	assert_int_equal(fan_est_paired_log(&p, &spec, &on), 0);
	assert_gap("runs.gap_vm1_vm2.off.", &off);
	assert_gap("runs.gap_vm1_vm2.on.", &on);
	assert_int_equal(
		fan_est_minus(&on, &off, &(struct fan_est_spec){ "log", LEVEL, 1 }, &change), 0);
	assert_gap("runs.gap_of_gaps.", &change);
	assert_string_equal(on.method, "paired-t");
	assert_string_equal(change.method, "welch");
	assert_int_equal(change.n, 18);
	assert_int_equal(change.runs, 8);
	free_scores(&s);
}

static void gaps_between_configurations_agree_with_the_references(void **state)
{
	struct fan_samples vm1, vm2, sum;
	double off[10], on[8];
	struct fan_est e;
	struct scores s;

	(void)state;
	read_scores(&s);
	vm1 = configs_of(&s, 1);
	vm2 = configs_of(&s, 2);
	for (size_t i = 0; i < 10; i++)
		off[i] = s.off->col[1][i] + s.off->col[2][i];
	for (size_t i = 0; i < 8; i++)
		on[i] = s.on->col[1][i] + s.on->col[2][i];
	sum = (struct fan_samples){ off, 10, on, 8 };
	assert_int_equal(fan_est_welch_log(&vm1, &spec, &e), 0);
	assert_gap("runs.gap_config.vm1.", &e);
	assert_int_equal(fan_est_welch_log(&vm2, &spec, &e), 0);
	assert_gap("runs.gap_config.vm2.", &e);
	assert_int_equal(fan_est_welch_log(&sum, &spec, &e), 0);
	assert_gap("runs.gap_config.sum.", &e);
	assert_int_equal(fan_est_welch(&vm2, &spec, &e), 0);
	assert_est("runs.welch.vm2.", 7, &e);
	free_scores(&s);
}

/* Also the naive intervals of windows, which the method rejects: they are t over any values. */
static void the_t_interval_agrees_with_the_references(void **state)
{
	static const char *const file[] = { "seed_vm1.csv", "seed_vm2.csv", "ar1_200.csv" };
	static const char *const id[] = { "seed_vm1.naive_t.", "seed_vm2.naive_t.",
					  "ar1.naive_t." };
	struct fan_est e[3], diff;
	struct scores s;

	(void)state;
	read_scores(&s);
	assert_int_equal(fan_est_runs(s.off->col[1], 10, &spec, &e[0]), 0);
	assert_est("runs.t_ci.off_vm1.", 5, &e[0]);
	free_scores(&s);
	for (size_t i = 0; i < 3; i++) {
		struct table *t = read_table(file[i]);

		assert_int_equal(fan_est_runs(t->col[0], t->n, &spec, &e[i]), 0);
		assert_est(id[i], 5, &e[i]);
		test_free(t);
	}
	assert_int_equal(fan_est_minus(&e[1], &e[0], &spec, &diff), 0);
	assert_est("seed_diff.naive_welch.", 7, &diff);
}

static void assert_fieller(const char *prefix, const struct fan_fieller *f)
{
	assert_rows(prefix, 5,
		    (const struct named[]){
			    { "ratio", f->est.value },
			    { "df", f->est.df },
			    { "g", f->g },
			    { "lo", f->est.lo },
			    { "hi", f->est.hi },
			    { NULL, 0 },
		    });
}

static void fiellers_intervals_agree_with_the_references(void **state)
{
	struct fan_samples vm2;
	struct fan_fieller f;
	struct fan_paired p;
	struct scores s;

	(void)state;
	read_scores(&s);
	vm2 = configs_of(&s, 2);
	assert_int_equal(fan_fieller(&vm2, &spec, &f), 0);
	assert_fieller("runs.fieller.vm2.", &f);
	p = vms_of(s.off);
	assert_int_equal(fan_fieller_paired(&p, &spec, &f), 0);
	assert_fieller("runs.fieller_paired.off.", &f);
	p = vms_of(s.on);
	assert_int_equal(fan_fieller_paired(&p, &spec, &f), 0);
	assert_fieller("runs.fieller_paired.on.", &f);
	free_scores(&s);
}

/* Two runs of one VM each: the within-run estimates, combined. */
static void the_seed_difference_agrees_with_the_references(void **state)
{
	static const char *const file[] = { "seed_vm1.csv", "seed_vm2.csv" };
	struct fan_est mean[2], share[2], diff;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct table *t = read_table(file[i]);
		double part[64], even[64];
		const struct fan_windows w = { part, t->col[1], t->n };
		const struct fan_windows unweighted = { t->col[0], even, t->n };

		for (size_t k = 0; k < t->n; k++) {
			part[k] = t->col[0][k] * t->col[1][k] / 100;
			even[k] = 100;
		}
		assert_int_equal(fan_est_share(&w, LEVEL, 1, &share[i]), 0);
		assert_int_equal(fan_est_share(&unweighted, LEVEL, 1, &mean[i]), 0);
		test_free(t);
	}
	assert_int_equal(fan_est_minus(&mean[1], &mean[0], &spec, &diff), 0);
	assert_est("seed_diff.pw.", 7, &diff);
	assert_int_equal(fan_est_minus(&share[1], &share[0], &spec, &diff), 0);
	assert_est("seed_diff.ros.", 7, &diff);
	assert_string_equal(diff.method, "satterthwaite");
	assert_int_equal(diff.runs, 0);
	assert_true(diff.flags & FAN_EST_ONE_RUN);
}

static void variance_components_agree_with_the_references(void **state)
{
	struct table *t = read_table("run_means_varcomp.csv");
	struct fan_varcomp v;

	(void)state;
	assert_int_equal(fan_varcomp(t->col[0], t->col[1], t->n, &v), 0);
	assert_rows("varcomp.", 3,
		    (const struct named[]){
			    { "S2", v.total },
			    { "within", v.within },
			    { "between", v.between },
			    { NULL, 0 },
		    });
	test_free(t);
}

static struct fan_est made(double value, double se, double df)
{
	struct fan_est e;

	fan_est_init(&e, "points", LEVEL, 1);
	e.value = value;
	fan_est_interval(&e, se, df, "t");
	return e;
}

static void equivalence_tests_agree_with_the_references(void **state)
{
	const struct fan_est ex1 = made(0.7, 0.5, 7.3), ex2 = made(-2.1, 0.9, 4);

	(void)state;
	assert_rows("tost.", 2,
		    (const struct named[]){
			    { "ex1", fan_p_equivalent(&ex1, 3) },
			    { "ex2", fan_p_equivalent(&ex2, 3) },
			    { NULL, 0 },
		    });
}

/* P(T < -2.5) is half of the two-sided p. */
static void the_t_distribution_agrees_with_the_references(void **state)
{
	static const char *const df[] = { "1",	 "1.3", "2",	"2.7",	"3",   "4",
					  "5.5", "8",	"9.37", "28.4", "199", "1e+05" };
	struct named got[13] = { { 0 } };

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		const struct fan_est e = made(-2.5, 1, strtod(df[i], NULL));

		got[i] = (struct named){ df[i], fan_p_zero(&e) / 2 };
	}
	assert_rows("tcdf_neg2.5.", 12, got);
}

static void holms_adjustment_agrees_with_the_references(void **state)
{
	double p[] = { 0.012, 0.03, 0.0004, 0.2, 0.041 };

	(void)state;
	assert_int_equal(fan_holm(p, 5, p), 0);
	assert_rows("holm.", 5,
		    (const struct named[]){
			    { "1", p[0] },
			    { "2", p[1] },
			    { "3", p[2] },
			    { "4", p[3] },
			    { "5", p[4] },
			    { NULL, 0 },
		    });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_between_vms_agree_with_the_references),
		cmocka_unit_test(gaps_between_configurations_agree_with_the_references),
		cmocka_unit_test(the_t_interval_agrees_with_the_references),
		cmocka_unit_test(fiellers_intervals_agree_with_the_references),
		cmocka_unit_test(the_seed_difference_agrees_with_the_references),
		cmocka_unit_test(variance_components_agree_with_the_references),
		cmocka_unit_test(equivalence_tests_agree_with_the_references),
		cmocka_unit_test(the_t_distribution_agrees_with_the_references),
		cmocka_unit_test(holms_adjustment_agrees_with_the_references),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
