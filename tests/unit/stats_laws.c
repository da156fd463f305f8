// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What must hold for any data of analyze/stats/: the order of runs does not matter, a change of
 * unit changes the unit alone, and exchanging two sides exchanges the answer. Seeded random data.
 */
#include "tests/unit/stats_test.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "analyze/stats/fieller.h"
#include "analyze/stats/gsl.h"
#include "analyze/stats/hodges.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/jain_runs.h"
#include "analyze/stats/outliers.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/pwewc.h"
#include "analyze/stats/quantile.h"
#include "analyze/stats/ranks.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/tost.h"
#include "analyze/stats/varcomp.h"
#include "analyze/stats/verdict.h"
#include "analyze/stats/welch.h"

#define SEED   20151019
#define ROUNDS 200
#define RUNS   12
#define SCALE  1.0e-3
#define RTOL   1e-9

static const struct fan_est_spec spec = { "points", 0.95, 3 };

/* Scores of two sides; the first `n` of each count. */
struct data {
	double x[RUNS], y[RUNS];
	size_t n;
};

static void draw(gsl_rng *rng, struct data *d)
{
	d->n = 2 + gsl_rng_uniform_int(rng, RUNS - 1);
	for (size_t i = 0; i < RUNS; i++) {
		d->x[i] = exp(gsl_ran_gaussian(rng, 0.2));
		d->y[i] = 1.2 * exp(gsl_ran_gaussian(rng, 0.3));
	}
	/* ties */
	if (d->n > 4)
		d->y[1] = d->y[2] = d->x[3];
}

/* The same pairs in another order. */
static struct data shuffled(gsl_rng *rng, const struct data *d)
{
	struct data ret = *d;
	size_t order[RUNS];

	for (size_t i = 0; i < d->n; i++)
		order[i] = i;
	gsl_ran_shuffle(rng, order, d->n, sizeof(order[0]));
	for (size_t i = 0; i < d->n; i++) {
		ret.x[i] = d->x[order[i]];
		ret.y[i] = d->y[order[i]];
	}
	return ret;
}

static struct data scaled(const struct data *d)
{
	struct data ret = *d;

	for (size_t i = 0; i < RUNS; i++) {
		ret.x[i] *= SCALE;
		ret.y[i] *= SCALE;
	}
	return ret;
}

/* The estimators of two sides, all in one place. */
enum {
	RUNS_T,
	WELCH,
	WELCH_LOG,
	PAIRED,
	PAIRED_LOG,
	HODGES,
	FIELLER,
	FIELLER_PAIRED,
	JAIN,
	A12,
	ALL
};

static void estimate(const struct data *d, struct fan_est *e)
{
	const struct fan_samples s = { d->x, d->n, d->y, d->n };
	const struct fan_paired p = { d->y, d->x, d->n };
	double table[2 * RUNS];
	const struct fan_allocations a = { table, d->n, 2 };
	struct fan_fieller f;
	struct fan_ranks r;

	for (size_t i = 0; i < d->n; i++) {
		table[2 * i] = d->x[i];
		table[2 * i + 1] = d->y[i];
	}
	assert_int_equal(fan_est_runs(d->y, d->n, &spec, &e[RUNS_T]), 0);
	assert_int_equal(fan_est_welch(&s, &spec, &e[WELCH]), 0);
	assert_int_equal(fan_est_welch_log(&s, &spec, &e[WELCH_LOG]), 0);
	assert_int_equal(fan_est_paired(&p, &spec, &e[PAIRED]), 0);
	assert_int_equal(fan_est_paired_log(&p, &spec, &e[PAIRED_LOG]), 0);
	assert_int_equal(fan_est_hodges(&s, &spec, &e[HODGES]), 0);
	assert_int_equal(fan_fieller(&s, &spec, &f), 0);
	e[FIELLER] = f.est;
	assert_int_equal(fan_fieller_paired(&p, &spec, &f), 0);
	e[FIELLER_PAIRED] = f.est;
	assert_int_equal(fan_est_jain_runs(&a, spec.level, &e[JAIN]), 0);
	assert_int_equal(fan_rank_test(&s, &spec, &r), 0);
	e[A12] = r.a12;
}

static void assert_same(double got, double want, int which)
{
	if (isnan(got) && isnan(want))
		return;
	/* against the size that data have: a difference near 0 keeps no relative digits */
	if (!(fabs(got - want) <= RTOL * fmax(fabs(want), 1)))
		fail_msg("estimator %d: %.17g, not %.17g", which, got, want);
}

static void assert_same_est(const struct fan_est *got, const struct fan_est *want, double scale,
			    int which)
{
	assert_same(got->value / scale, want->value, which);
	assert_same(got->se / scale, want->se, which);
	assert_same(got->lo / scale, want->lo, which);
	assert_same(got->hi / scale, want->hi, which);
	assert_same(got->lo_adj / scale, want->lo_adj, which);
	assert_same(got->hi_adj / scale, want->hi_adj, which);
	assert_same(got->df, want->df, which);
	assert_int_equal(got->flags, want->flags);
	assert_int_equal(got->n, want->n);
}

static gsl_rng *new_rng(void)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	assert_non_null(rng);
	gsl_rng_set(rng, SEED);
	return rng;
}

static void the_order_of_runs_changes_nothing(void **state)
{
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct fan_est before[ALL], after[ALL];
		struct data d, other;

		draw(rng, &d);
		other = shuffled(rng, &d);
		estimate(&d, before);
		estimate(&other, after);
		for (int i = 0; i < ALL; i++)
			assert_same_est(&after[i], &before[i], 1, i);
	}
	gsl_rng_free(rng);
}

/* Differences and means take the unit; logs, ratios, ranks and the index have none. */
static void another_unit_changes_the_unit_alone(void **state)
{
	static const double scale[ALL] = { SCALE, SCALE, 1, SCALE, 1, SCALE, 1, 1, 1, 1 };
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct fan_est before[ALL], after[ALL];
		struct data d, other;

		draw(rng, &d);
		other = scaled(&d);
		estimate(&d, before);
		estimate(&other, after);
		for (int i = 0; i < ALL; i++)
			assert_same_est(&after[i], &before[i], scale[i], i);
	}
	gsl_rng_free(rng);
}

/* The sign of differences and logs; the complement of A12; nothing of the index. */
static void exchanged_sides_exchange_the_answer(void **state)
{
	static const int odd[] = { WELCH, WELCH_LOG, PAIRED, PAIRED_LOG, HODGES };
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct fan_est one[ALL], other[ALL];
		struct data d, back;

		draw(rng, &d);
		back = d;
		memcpy(back.x, d.y, sizeof(d.y));
		memcpy(back.y, d.x, sizeof(d.x));
		estimate(&d, one);
		estimate(&back, other);
		for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
			assert_same(-other[odd[i]].value, one[odd[i]].value, odd[i]);
			assert_same(-other[odd[i]].lo, one[odd[i]].hi, odd[i]);
			assert_same(-other[odd[i]].hi_adj, one[odd[i]].lo_adj, odd[i]);
		}
		assert_same(1 - other[A12].value, one[A12].value, A12);
		assert_same(1 - other[A12].lo, one[A12].hi, A12);
		assert_same(other[JAIN].value, one[JAIN].value, JAIN);
		assert_same(other[JAIN].lo, one[JAIN].lo, JAIN);
		/* the ends of a ratio change places, where they are of one sign */
		if (one[FIELLER].lo > 0)
			assert_same(1 / other[FIELLER].hi, one[FIELLER].lo, FIELLER);
	}
	gsl_rng_free(rng);
}

static void every_interval_holds_its_value_and_the_adjusted_one_holds_it(void **state)
{
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct fan_est e[ALL];
		struct data d;

		draw(rng, &d);
		estimate(&d, e);
		for (int i = 0; i < ALL; i++) {
			if (isnan(e[i].lo))
				continue;
			assert_true(e[i].lo <= e[i].value && e[i].value <= e[i].hi);
			if (isnan(e[i].lo_adj))
				continue;
			assert_true(e[i].lo_adj <= e[i].lo && e[i].hi <= e[i].hi_adj);
		}
	}
	gsl_rng_free(rng);
}

/* The interval at 1 - alpha excludes 0 just when p is below alpha; so do the equivalence test and
 * the 1 - 2 alpha interval. */
static void p_and_its_interval_never_contradict_each_other(void **state)
{
	const struct fan_est_spec at95 = { "points", 0.95, 1 }, at90 = { "points", 0.90, 1 };
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct fan_est e, narrow;
		struct fan_verdict v;
		struct data d;
		struct fan_samples s;
		const double margin = 0.2;

		draw(rng, &d);
		s = (struct fan_samples){ d.x, d.n, d.y, d.n };
		assert_int_equal(fan_est_welch(&s, &at95, &e), 0);
		assert_int_equal(fan_est_welch(&s, &at90, &narrow), 0);
		assert_int_equal(fan_judge_gap(&e, margin, &v), 0);
		assert_int_equal(fan_p_zero(&e) < 0.05, e.lo > 0 || e.hi < 0);
		assert_int_equal(fan_p_equivalent(&e, margin) < 0.05,
				 narrow.lo > -margin && narrow.hi < margin);
		assert_int_equal(strcmp(v.word, "material") == 0, e.lo > margin || e.hi < -margin);
		assert_int_equal(strcmp(v.word, "equivalent") == 0,
				 fan_p_equivalent(&e, margin) <= 0.05);
	}
	gsl_rng_free(rng);
}

/* k groups in any order, and in any unit. */
static void the_index_knows_neither_names_nor_units(void **state)
{
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const size_t k = 2 + gsl_rng_uniform_int(rng, 5);
		double x[5 * 6], other[5 * 6];
		const struct fan_allocations a = { x, 5, k }, b = { other, 5, k };
		struct fan_est one, two;
		size_t order[6];

		for (size_t i = 0; i < k; i++)
			order[i] = i;
		gsl_ran_shuffle(rng, order, k, sizeof(order[0]));
		for (size_t i = 0; i < 5 * k; i++)
			x[i] = exp(gsl_ran_gaussian(rng, 0.3));
		for (size_t i = 0; i < 5 * k; i++)
			other[i] = 7 * x[i / k * k + order[i % k]];
		assert_int_equal(fan_est_jain_runs(&a, 0.95, &one), 0);
		assert_int_equal(fan_est_jain_runs(&b, 0.95, &two), 0);
		assert_same_est(&two, &one, 1, JAIN);
		assert_true(one.value >= 1 / (double)k && one.value <= 1 + 1e-15);
		assert_true(one.lo >= 1 / (double)k - 1e-15 && one.hi <= 1 + 1e-15);
	}
	gsl_rng_free(rng);
}

/* Holm never makes p smaller, keeps the order, and knows no positions. */
static void holm_keeps_the_order_of_p(void **state)
{
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		double p[8], adj[8], turned[8];

		for (size_t i = 0; i < 8; i++)
			p[i] = gsl_rng_uniform(rng);
		for (size_t i = 0; i < 8; i++)
			turned[i] = p[7 - i];
		assert_int_equal(fan_holm(p, 8, adj), 0);
		assert_int_equal(fan_holm(turned, 8, turned), 0);
		for (size_t i = 0; i < 8; i++) {
			assert_true(adj[i] >= p[i] && adj[i] <= 1);
			assert_true(turned[7 - i] == adj[i]);
			for (size_t k = 0; k < 8; k++)
				assert_true(p[i] > p[k] || adj[i] <= adj[k]);
		}
	}
	gsl_rng_free(rng);
}

/* Windows have an order, but neither a unit nor an origin. */
static void a_shift_or_a_scale_of_windows_changes_no_judgement(void **state)
{
	gsl_rng *rng = new_rng();

	(void)state;
	for (int round = 0; round < ROUNDS / 10; round++) {
		double x[150], other[150], before = 0;
		struct fan_pwewc a, b;
		struct fan_quantile qa, qb;

		for (size_t i = 0; i < 150; i++) {
			before = 0.6 * before + gsl_ran_gaussian(rng, 1);
			x[i] = before;
			other[i] = 50 + 8 * x[i];
		}
		assert_int_equal(fan_pwewc(x, 150, 0.95, &a), 0);
		assert_int_equal(fan_pwewc(other, 150, 0.95, &b), 0);
		assert_same(b.half / 8, a.half, 0);
		assert_same(b.ess, a.ess, 0);
		assert_same(b.shift_stat, a.shift_stat, 0);
		assert_int_equal(a.flags, b.flags);
		assert_int_equal(fan_est_quantile(x, 150, 0.3, &spec, &qa), 0);
		assert_int_equal(fan_est_quantile(other, 150, 0.3, &spec, &qb), 0);
		assert_same((qb.est.lo - 50) / 8, qa.est.lo, 0);
		assert_same((qb.est.hi - 50) / 8, qa.est.hi, 0);
	}
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_runs_changes_nothing),
		cmocka_unit_test(another_unit_changes_the_unit_alone),
		cmocka_unit_test(exchanged_sides_exchange_the_answer),
		cmocka_unit_test(every_interval_holds_its_value_and_the_adjusted_one_holds_it),
		cmocka_unit_test(p_and_its_interval_never_contradict_each_other),
		cmocka_unit_test(the_index_knows_neither_names_nor_units),
		cmocka_unit_test(holm_keeps_the_order_of_p),
		cmocka_unit_test(a_shift_or_a_scale_of_windows_changes_no_judgement),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
