// SPDX-License-Identifier: GPL-3.0-or-later
/* The comparisons of runs in analyze/stats/ against tests/data/stats/expected.tsv. */
#include "tests/unit/stats_rows.h"

#include "analyze/stats/fieller.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/hedges.h"
#include "analyze/stats/hodges.h"
#include "analyze/stats/jain.h"
#include "analyze/stats/jain_runs.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/ranks.h"
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

static void the_standardised_difference_agrees_with_the_references(void **state)
{
	struct fan_samples vm2;
	struct fan_hedges h;
	struct scores s;

	(void)state;
	read_scores(&s);
	vm2 = configs_of(&s, 2);
	assert_int_equal(fan_hedges(&vm2, &spec, &h), 0);
	assert_rows("runs.hedges.vm2.", 6,
		    (const struct named[]){
			    { "d", h.est.value },
			    { "J", h.j },
			    { "g", h.g },
			    { "se", h.est.se },
			    { "lo", h.est.lo },
			    { "hi", h.est.hi },
			    { NULL, 0 },
		    });
	free_scores(&s);
}

/* 18 rows of a file of two samples: 11 of ranks, 7 of Welch. */
static void assert_ranks(const char *name)
{
	struct table *x, *y;
	struct fan_est shift, welch;
	struct fan_samples s;
	struct fan_ranks r;
	char text[64];

	snprintf(text, sizeof(text), "%s.csv", name);
	x = read_lines(text, "x");
	y = read_lines(text, "y");
	s = (struct fan_samples){ x->col[0], x->n, y->col[0], y->n };
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	assert_int_equal(fan_est_hodges(&s, &spec, &shift), 0);
	assert_int_equal(fan_est_welch(&s, &spec, &welch), 0);
	snprintf(text, sizeof(text), "%s.", name);
	assert_rows(text, 18,
		    (const struct named[]){
			    { "U", r.u },
			    { "p", r.p },
			    { "p_min", r.p_min },
			    { "a12", r.a12.value },
			    { "cliff", 2 * r.a12.value - 1 },
			    { "newcombe_lo", r.a12.lo },
			    { "newcombe_hi", r.a12.hi },
			    { "hl", shift.value },
			    { "lo", shift.lo },
			    { "hi", shift.hi },
			    { "achieved", shift.level },
			    { "welch.est", welch.value },
			    { "welch.se", welch.se },
			    { "welch.df", welch.df },
			    { "welch.t", welch.value / welch.se },
			    { "welch.p", fan_p_zero(&welch) },
			    { "welch.lo", welch.lo },
			    { "welch.hi", welch.hi },
			    { NULL, 0 },
		    });
	test_free(x);
	test_free(y);
}

static void rank_statistics_agree_with_the_references(void **state)
{
	(void)state;
	assert_ranks("mwu_noties");
	assert_ranks("mwu_ties");
	assert_ranks("mwu_3v3");
}

/* Jain's index of two VMs over runs: value, lo and hi. */
static void assert_jain(const char *id, const struct table *t)
{
	double x[2 * 10];
	const struct fan_allocations a = { x, t->n, 2 };
	struct fan_est e;

	assert_true(t->n <= 10);
	for (size_t i = 0; i < t->n; i++) {
		x[2 * i] = t->col[1][i];
		x[2 * i + 1] = t->col[2][i];
	}
	assert_int_equal(fan_est_jain_runs(&a, LEVEL, &e), 0);
	assert_rows(id, 3,
		    (const struct named[]){
			    { "", e.value },
			    { ".lo", e.lo },
			    { ".hi", e.hi },
			    { NULL, 0 },
		    });
}

static void the_index_over_runs_agrees_with_the_references(void **state)
{
	struct table *t = read_table("jain_4vm.csv");
	struct fan_allocations a = { .runs = t->n, .k = 4 };
	double x[4 * 6], lo[2], hi[2];
	struct fan_est e;
	struct scores s;

	(void)state;
	read_scores(&s);
	assert_jain("runs.jain.off", s.off);
	assert_jain("runs.jain.on", s.on);
	free_scores(&s);
	assert_int_equal(t->n, 6);
	for (size_t i = 0; i < 24; i++)
		x[i] = t->col[1 + i % 4][i / 4];
	test_free(t);
	a.x = x;
	assert_int_equal(fan_est_jain_runs(&a, LEVEL, &e), 0);
	assert_rows("jain.jack4.", 6,
		    (const struct named[]){
			    { "plain", e.value },
			    { "est", (e.lo + e.hi) / 2 }, /* neither end is cut */
			    { "se", e.se },
			    { "df", e.df },
			    { "lo", e.lo },
			    { "hi", e.hi },
			    { NULL, 0 },
		    });
	assert_int_equal(fan_jain_box((const double[]){ 0.9, 1.02, 1.2 },
				      (const double[]){ 1.0, 1.1, 1.5 }, 3, &lo[0], &hi[0]),
			 0);
	assert_int_equal(fan_jain_box((const double[]){ 0.9, 0.95, 0.8 },
				      (const double[]){ 1.1, 1.2, 1.0 }, 3, &lo[1], &hi[1]),
			 0);
	assert_rows("jain.box", 4,
		    (const struct named[]){
			    { "1.lo", lo[0] },
			    { "1.hi", hi[0] },
			    { "2.lo", lo[1] },
			    { "2.hi", hi[1] },
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
		cmocka_unit_test(the_standardised_difference_agrees_with_the_references),
		cmocka_unit_test(rank_statistics_agree_with_the_references),
		cmocka_unit_test(the_index_over_runs_agrees_with_the_references),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
