// SPDX-License-Identifier: GPL-3.0-or-later
/* p-values, their adjustment and planning against tests/data/stats/expected.tsv. */
#include "tests/unit/stats_rows.h"

#include "analyze/stats/gsl.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/planning.h"
#include "analyze/stats/tost.h"

#define LEVEL 0.95

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

static void assert_adjusted(const char *prefix, const double *p)
{
	assert_rows(prefix, 5,
		    (const struct named[]){
			    { "1", p[0] },
			    { "2", p[1] },
			    { "3", p[2] },
			    { "4", p[3] },
			    { "5", p[4] },
			    { NULL, 0 },
		    });
}

static void adjusted_p_agrees_with_the_references(void **state)
{
	const double p[] = { 0.012, 0.03, 0.0004, 0.2, 0.041 };
	double adj[5];

	(void)state;
	assert_int_equal(fan_holm(p, 5, adj), 0);
	assert_adjusted("holm.", adj);
	assert_int_equal(fan_benjamini_hochberg(p, 5, adj), 0);
	assert_adjusted("bh.", adj);
}

static double power_of(double ratio, enum fan_plan plan, double n)
{
	return plan == FAN_PLAN_PAIRED ? fan_power_t(ratio * sqrt(n), n - 1, LEVEL)
				       : fan_power_t(ratio * sqrt(n / 2), 2 * n - 2, LEVEL);
}

static void the_runs_needed_agree_with_the_references(void **state)
{
	static const struct {
		const char *id;
		double delta, sd;
		enum fan_plan plan;
	} cases[] = {
		{ "power.two_sample_d3_sd2.", 3, 2, FAN_PLAN_TWO },
		{ "power.paired_d2_sd3.", 2, 3, FAN_PLAN_PAIRED },
		{ "power.two_sample_d16_sd2.7.", 16, 2.7, FAN_PLAN_TWO },
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct fan_plan_spec plan = { cases[i].plan, cases[i].delta, cases[i].sd,
						    LEVEL, 0.8 };
		const double n = (double)fan_runs_needed(&plan);

		assert_rows(cases[i].id, 2,
			    (const struct named[]){
				    { "n", n },
				    { "power", power_of(plan.delta / plan.sd, plan.plan, n) },
				    { NULL, 0 },
			    });
	}
	/* with sd 1 and 5 runs the limit is sqrt(4/chi2) */
	assert_rows("chi2_inv.p0.2_df4", 1,
		    (const struct named[]){ { "", 4 / pow(fan_sd_upper(1, 5, 0.8), 2) }, { 0 } });
	assert_rows("znorm.975", 1, (const struct named[]){ { "", fan_zq(LEVEL) }, { 0 } });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equivalence_tests_agree_with_the_references),
		cmocka_unit_test(the_t_distribution_agrees_with_the_references),
		cmocka_unit_test(adjusted_p_agrees_with_the_references),
		cmocka_unit_test(the_runs_needed_agree_with_the_references),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
