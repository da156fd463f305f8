// SPDX-License-Identifier: GPL-3.0-or-later
/* Simulated series and runs, and what the intervals of analyze/stats/ make of them. */
#include "tests/lib/coverage.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "analyze/stats/fieller.h"
#include "analyze/stats/fraction.h"
#include "analyze/stats/hodges.h"
#include "analyze/stats/jain.h"
#include "analyze/stats/jain_runs.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/pwewc.h"
#include "analyze/stats/quantile.h"
#include "analyze/stats/ranks.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/share.h"
#include "analyze/stats/verdict.h"
#include "analyze/stats/welch.h"

#define LEVEL	    0.95
#define WINDOWS_MAX 600
#define RUNS_MAX    30
#define WINDOWS	    120 /* of a run, where a row counts runs */
#define RUN_SD	    2.0 /* points, between runs */
#define WINDOW_SD   5.0 /* points, between windows of a run */
#define MARGIN	    3.0 /* points */

static const struct fan_est_spec spec = { "points", LEVEL, 1 };

static double gaussian(gsl_rng *rng)
{
	return gsl_ran_gaussian_ziggurat(rng, 1);
}

/* A stationary AR(1) series with variance 1 and mean 0. */
static void fill_ar1(gsl_rng *rng, double rho, double *x, size_t n)
{
	const double innovation = sqrt(1 - rho * rho);

	x[0] = gaussian(rng);
	for (size_t i = 1; i < n; i++)
		x[i] = rho * x[i - 1] + innovation * gaussian(rng);
}

static bool holds(const struct fan_est *e, double truth)
{
	return e->lo <= truth && truth <= e->hi;
}

/* Whether the interval of a series holds its mean. */
static int covers(const double *x, size_t n, double truth)
{
	struct fan_pwewc p;

	return fan_pwewc(x, n, LEVEL, &p) == 0 && fabs(p.mean - truth) <= p.half;
}

static int pwewc_mean(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX];

	fill_ar1(rng, row->rho, x, row->n);
	return covers(x, row->n, 0);
}

/* An oscillation with a period of 8 windows: negative correlation, for which nothing is done. */
static int oscillation(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX], now = 0, before = 0;

	for (size_t i = 0; i < row->n + WINDOWS_MAX; i++) {
		const double next = 1.8 * cos(M_PI / 4) * now - 0.81 * before + gaussian(rng);

		before = now;
		now = next;
		if (i >= WINDOWS_MAX) /* the start is forgotten */
			x[i - WINDOWS_MAX] = now;
	}
	return covers(x, row->n, 0);
}

/* A fifth of the variance wanders with a correlation time of 39 windows. */
static int hidden_slow_part(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX];

	fill_ar1(rng, 0.95, x, row->n);
	for (size_t i = 0; i < row->n; i++)
		x[i] = sqrt(0.2) * x[i] + sqrt(0.8) * gaussian(rng);
	return covers(x, row->n, 0);
}

/* 5 and 45 % in turns of 10 windows on average, with noise, cut at 0. */
static int two_states(const struct cov_row *row, gsl_rng *rng)
{
	bool is_high = gsl_rng_uniform(rng) < 0.5;
	double x[WINDOWS_MAX];

	for (size_t i = 0; i < row->n; i++) {
		if (gsl_rng_uniform(rng) < 0.1)
			is_high = !is_high;
		x[i] = fmax(0, fmin((is_high ? 45 : 5) + 5 * gaussian(rng), 100));
	}
	/* (m(5) + m(45))/2 with m(a) = a Phi(a/5) + 5 phi(a/5) */
	return covers(x, row->n, 25.208288676469216);
}

/* Skewed and bounded: 100/(1 + exp(-(3 + 1.5 z))), whose mean is by quadrature. */
static int near_100(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX];

	fill_ar1(rng, row->rho, x, row->n);
	for (size_t i = 0; i < row->n; i++)
		x[i] = 100 / (1 + exp(-(3 + 1.5 * x[i])));
	return covers(x, row->n, 90.3389116847233);
}

/* 4 % of the windows get nothing. */
static int dropouts(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX];

	fill_ar1(rng, row->rho, x, row->n);
	for (size_t i = 0; i < row->n; i++)
		x[i] = gsl_rng_uniform(rng) < 0.04 ? 0 : 87 + 3 * x[i];
	return covers(x, row->n, 87 * 0.96);
}

/* Windows as if they were runs: what must not be done. */
static int naive_mean(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX];
	struct fan_est e;

	fill_ar1(rng, row->rho, x, row->n);
	return fan_est_runs(x, row->n, &spec, &e) == 0 && holds(&e, 0);
}

/* A tenth of the windows is four times as long; the share there is the same. */
static int share_of_sums(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX], part[WINDOWS_MAX], total[WINDOWS_MAX];
	const struct fan_windows w = { part, total, row->n };
	struct fan_est e;

	fill_ar1(rng, row->rho, x, row->n);
	for (size_t i = 0; i < row->n; i++) {
		const double share = fmax(0, fmin(50 + 10 * x[i], 100));

		total[i] = (gsl_rng_uniform(rng) < 0.1 ? 4 : 1) * (1 + 0.02 * gaussian(rng));
		part[i] = share / 100 * total[i];
	}
	return fan_est_share(&w, LEVEL, 1, &e) == 0 && holds(&e, 50);
}

/* The quantile at row->ratio of a normal distribution. */
static int quantile(const struct cov_row *row, gsl_rng *rng)
{
	struct fan_quantile q;
	double x[WINDOWS_MAX];

	fill_ar1(rng, row->rho, x, row->n);
	return fan_est_quantile(x, row->n, row->ratio, &spec, &q) == 0 &&
	       holds(&q.est, gsl_cdf_ugaussian_Pinv(row->ratio));
}

/* Beyond 1.2816 on either side: 20 % of a normal distribution. */
static int fraction_outside(const struct cov_row *row, gsl_rng *rng)
{
	bool is_outside[WINDOWS_MAX];
	double x[WINDOWS_MAX];
	struct fan_est e;

	fill_ar1(rng, row->rho, x, row->n);
	for (size_t i = 0; i < row->n; i++)
		is_outside[i] = fabs(x[i]) > 1.2815515655446004;
	return fan_est_fraction(is_outside, row->n, NAN, &spec, &e) == 0 && holds(&e, 0.2);
}

static int false_shift(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX];
	struct fan_pwewc p;

	fill_ar1(rng, row->rho, x, row->n);
	return fan_pwewc(x, row->n, LEVEL, &p) == 0 && p.flags & FAN_EST_LEVEL_SHIFT;
}

static int false_drift(const struct cov_row *row, gsl_rng *rng)
{
	double x[WINDOWS_MAX];
	struct fan_pwewc p;

	fill_ar1(rng, row->rho, x, row->n);
	return fan_pwewc(x, row->n, LEVEL, &p) == 0 && p.drift_p < 0.05;
}

/* The mean of one run's windows, about a mean of the run's own. */
static double run_mean(const struct cov_row *row, gsl_rng *rng, double *ret_windows)
{
	const double own = RUN_SD * gaussian(rng);
	double sum = 0;

	fill_ar1(rng, row->rho, ret_windows, WINDOWS);
	for (size_t i = 0; i < WINDOWS; i++) {
		ret_windows[i] = own + WINDOW_SD * ret_windows[i];
		sum += ret_windows[i];
	}
	return sum / WINDOWS;
}

static int mean_of_runs(const struct cov_row *row, gsl_rng *rng)
{
	double windows[WINDOWS], y[RUNS_MAX];
	struct fan_est e;

	for (size_t r = 0; r < row->n; r++)
		y[r] = run_mean(row, rng, windows);
	return fan_est_runs(y, row->n, &spec, &e) == 0 && holds(&e, 0);
}

/* All windows of all runs as one sample: what must not be done either. */
static int pooled_windows(const struct cov_row *row, gsl_rng *rng)
{
	double windows[RUNS_MAX * WINDOWS];
	struct fan_est e;

	for (size_t r = 0; r < row->n; r++)
		run_mean(row, rng, windows + r * WINDOWS);
	return fan_est_runs(windows, row->n * WINDOWS, &spec, &e) == 0 && holds(&e, 0);
}

/* The same configuration twice. */
static int welch_of_runs(const struct cov_row *row, gsl_rng *rng)
{
	double windows[WINDOWS], x[RUNS_MAX], y[RUNS_MAX];
	const struct fan_samples s = { x, row->n, y, row->n };
	struct fan_est e;

	for (size_t r = 0; r < row->n; r++) {
		x[r] = run_mean(row, rng, windows);
		y[r] = run_mean(row, rng, windows);
	}
	return fan_est_welch(&s, &spec, &e) == 0 && holds(&e, 0);
}

/* Scores of two configurations, 2 % spread on n runs and row->sd on half of it. */
struct scores {
	double x[RUNS_MAX], y[RUNS_MAX];
	struct fan_samples s;
};

static void fill_scores(const struct cov_row *row, gsl_rng *rng, struct scores *s)
{
	s->s = (struct fan_samples){ s->x, row->n, s->y, row->n / 2 };
	for (size_t r = 0; r < s->s.nx; r++)
		s->x[r] = exp(0.02 * gaussian(rng));
	for (size_t r = 0; r < s->s.ny; r++)
		s->y[r] = row->ratio * exp(row->sd * gaussian(rng));
}

static int welch_of_logs(const struct cov_row *row, gsl_rng *rng)
{
	struct scores s;
	struct fan_est e;

	fill_scores(row, rng, &s);
	return fan_est_welch_log(&s.s, &spec, &e) == 0 && holds(&e, log(row->ratio));
}

/* Of arithmetic means, which the log-normal spread moves. */
static int fieller_of_scores(const struct cov_row *row, gsl_rng *rng)
{
	const double truth = row->ratio * exp((row->sd * row->sd - 0.02 * 0.02) / 2);
	struct fan_fieller f;
	struct scores s;

	fill_scores(row, rng, &s);
	return fan_fieller(&s.s, &spec, &f) == 0 && holds(&f.est, truth);
}

/* Two VMs of one run: a common effect of 2 %, and 3 % each that they take from each other. */
static int paired_gap(const struct cov_row *row, gsl_rng *rng)
{
	double a[RUNS_MAX], b[RUNS_MAX];
	const struct fan_paired p = { a, b, row->n };
	struct fan_est e;

	for (size_t r = 0; r < row->n; r++) {
		const double common = 0.02 * gaussian(rng), own = gaussian(rng);

		a[r] = row->ratio * exp(common + 0.03 * own);
		b[r] = exp(common + 0.03 * (-0.5 * own + sqrt(0.75) * gaussian(rng)));
	}
	return fan_est_paired_log(&p, &spec, &e) == 0 && holds(&e, log(row->ratio));
}

/* The index of k groups that attain 1, 1 + step, 1 + 2 step, ... of equal dues. */
static int jain_of_groups(const struct cov_row *row, gsl_rng *rng, size_t k, double step)
{
	double x[RUNS_MAX * 4], truth[4], sum;
	const struct fan_allocations a = { x, row->n, k };
	struct fan_est e;

	for (size_t i = 0; i < k; i++)
		truth[i] = 1 + step * (double)i;
	for (size_t r = 0; r < row->n; r++) {
		sum = 0;
		for (size_t i = 0; i < k; i++) {
			x[r * k + i] = truth[i] * exp(row->sd * gaussian(rng));
			sum += x[r * k + i];
		}
		/* shares: what one gets the others lack */
		for (size_t i = 0; k > 2 && i < k; i++)
			x[r * k + i] *= 100 / sum;
	}
	return fan_est_jain_runs(&a, LEVEL, &e) == 0 && e.lo <= fan_jain(truth, k) + 1e-15 &&
	       fan_jain(truth, k) <= e.hi + 1e-15;
}

static int jain_2(const struct cov_row *row, gsl_rng *rng)
{
	return jain_of_groups(row, rng, 2, row->ratio - 1);
}

static int jain_3(const struct cov_row *row, gsl_rng *rng)
{
	return jain_of_groups(row, rng, 3, row->ratio - 1);
}

static int jain_4(const struct cov_row *row, gsl_rng *rng)
{
	return jain_of_groups(row, rng, 4, row->ratio - 1);
}

/* P(y > x) = ratio, by a shift of two normal samples. */
static int a12(const struct cov_row *row, gsl_rng *rng)
{
	const double shift = sqrt(2) * gsl_cdf_ugaussian_Pinv(row->ratio);
	double x[RUNS_MAX], y[RUNS_MAX];
	const struct fan_samples s = { x, row->n, y, row->n };
	struct fan_ranks t;

	for (size_t r = 0; r < row->n; r++) {
		x[r] = gaussian(rng);
		y[r] = shift + gaussian(rng);
	}
	return fan_rank_test(&s, &spec, &t) == 0 && holds(&t.a12, row->ratio);
}

static int hodges_shift(const struct cov_row *row, gsl_rng *rng)
{
	double x[RUNS_MAX], y[RUNS_MAX];
	const struct fan_samples s = { x, row->n, y, row->n };
	struct fan_est e;

	for (size_t r = 0; r < row->n; r++) {
		x[r] = gaussian(rng);
		y[r] = 7 + gaussian(rng);
	}
	return fan_est_hodges(&s, &spec, &e) == 0 && holds(&e, 7);
}

/* Whether a true difference of row->ratio points gets this word. */
static int gets_word(const struct cov_row *row, gsl_rng *rng, const char *word)
{
	double x[RUNS_MAX], y[RUNS_MAX];
	const struct fan_samples s = { x, row->n, y, row->n };
	struct fan_verdict v;
	struct fan_est e;

	for (size_t r = 0; r < row->n; r++) {
		x[r] = RUN_SD * gaussian(rng);
		y[r] = row->ratio + RUN_SD * gaussian(rng);
	}
	return fan_est_welch(&s, &spec, &e) == 0 && fan_judge_gap(&e, MARGIN, &v) == 0 &&
	       strcmp(v.word, word) == 0;
}

static int is_material(const struct cov_row *row, gsl_rng *rng)
{
	return gets_word(row, rng, "material");
}

static int is_equivalent(const struct cov_row *row, gsl_rng *rng)
{
	return gets_word(row, rng, "equivalent");
}

/* The bounds are the promises of the method; around them its own simulations, four times as long.
 */
static const struct cov_row rows[] = {
	{ "pw-ewc", "AR(1) 0", 120, 0, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0", 300, 0, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0", 600, 0, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.5", 120, 0.5, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.5", 300, 0.5, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.5", 600, 0.5, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.7", 120, 0.7, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.7", 300, 0.7, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.7", 600, 0.7, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.9", 120, 0.9, 0, 0, 91, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.9", 300, 0.9, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "AR(1) 0.9", 600, 0.9, 0, 0, 93, 97, pwewc_mean },
	{ "pw-ewc", "oscillation, period 8", 300, 0, 0, 0, 94, 99, oscillation },
	{ "pw-ewc", "two states, 5 or 45 %", 300, 0, 0, 0, 92, 97, two_states },
	{ "pw-ewc", "near 100 %, AR(1) 0.6", 300, 0.6, 0, 0, 92, 97, near_100 },
	{ "pw-ewc", "4 % dropouts, AR(1) 0.5", 300, 0.5, 0, 0, 92, 97, dropouts },
	{ "pw-ewc (its limit)", "a hidden slow part", 300, 0, 0, 0, 86, 94, hidden_slow_part },
	{ "naive t (to fail)", "AR(1) 0.7", 120, 0.7, 0, 0, 0, 70, naive_mean },
	{ "naive t (to fail)", "AR(1) 0.7", 600, 0.7, 0, 0, 0, 70, naive_mean },
	{ "ratio of sums", "unequal windows, 0.5", 120, 0.5, 0, 0, 93, 97, share_of_sums },
	{ "ratio of sums", "unequal windows, 0.5", 300, 0.5, 0, 0, 93, 97, share_of_sums },
	{ "woodruff, P50", "AR(1) 0.5", 300, 0.5, 0.5, 0, 93, 97, quantile },
	{ "woodruff, P5", "AR(1) 0.5", 300, 0.5, 0.05, 0, 92, 97, quantile },
	{ "fraction outside", "AR(1) 0.5, true 20 %", 300, 0.5, 0, 0, 92, 97, fraction_outside },
	{ "false level shift", "AR(1) 0.5", 300, 0.5, 0, 0, 2, 8, false_shift },
	{ "false slow drift at 5 %", "AR(1) 0.5", 300, 0.5, 0, 0, 2, 7.5, false_drift },
	{ "t over runs", "sd 2, windows 5", 5, 0.7, 0, 0, 93.5, 97.5, mean_of_runs },
	{ "pooled windows (to fail)", "sd 2, windows 5", 5, 0.7, 0, 0, 0, 50, pooled_windows },
	{ "welch on run means", "A/A, sd 2, windows 5", 5, 0.7, 0, 0, 93.5, 97.5, welch_of_runs },
	{ "welch on logs", "10 v 5, 2 % v 10 %", 10, 0, 0.85, 0.1, 93, 97.5, welch_of_logs },
	{ "fieller", "10 v 5, 2 % v 10 %", 10, 0, 0.85, 0.1, 92, 97.5, fieller_of_scores },
	{ "paired t on logs", "ratio 1.18", 5, 0, 1.18, 0, 93.5, 97, paired_gap },
	{ "jain, map of 2", "ratio 1", 5, 0, 1, 0.03, 93, 97, jain_2 },
	{ "jain, map of 2", "ratio 1.18", 5, 0, 1.18, 0.03, 93, 97, jain_2 },
	{ "jain, box of 3", "1, 1.2, 1.4", 5, 0, 1.2, 0.06, 95, 100, jain_3 },
	{ "jain, jackknife of 4", "1, 1.1, 1.2, 1.3", 10, 0, 1.1, 0.06, 92, 98, jain_4 },
	{ "a12, newcombe", "true 0.76", 10, 0, 0.76, 0, 89, 98, a12 },
	{ "hodges-lehmann, exact", "shift 7", 10, 0, 0, 0, 94, 97, hodges_shift },
	{ "material", "true 3 at margin 3", 5, 0, 3, 0, 0, 4, is_material },
	{ "material", "true 3 at margin 3", 10, 0, 3, 0, 0, 4, is_material },
	{ "equivalent", "true 3 at margin 3", 10, 0, 3, 0, 0, 7, is_equivalent },
	{ "material", "true 6 at margin 3", 10, 0, 6, 0, 85, 93, is_material },
	{ "equivalent", "true 0 at margin 3", 10, 0, 0, 0, 84, 92, is_equivalent },
};

const struct cov_row *cov_rows(size_t *ret_n)
{
	*ret_n = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

double cov_simulate(const struct cov_row *row, size_t replicates, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t hits = 0;

	assert(row->n <= WINDOWS_MAX);
	if (!rng)
		return NAN;
	gsl_rng_set(rng, seed + (unsigned long)(row - rows));
	for (size_t i = 0; i < replicates; i++)
		hits += row->replicate(row, rng) > 0;
	gsl_rng_free(rng);
	return 100 * (double)hits / (double)replicates;
}

double cov_error(double pct, size_t replicates)
{
	return sqrt(pct * (100 - pct) / (double)replicates);
}
