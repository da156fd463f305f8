// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * analyze/report/compare_*: which runs count, and in what order they were made. 12.70620 is the
 * 0.975 quantile of t on 1 df.
 */
#include "tests/unit/compare_test.h"

#include "analyze/stats/gsl.h"

static struct fan_compare_options with_blocks(void)
{
	struct fan_compare_options ret = plain;

	ret.paired = "block";
	return ret;
}

static void put_block(struct fan_runs *runs, const char *config, const char *block, double score)
{
	struct fan_run *run = fan_runs_add(runs, config, block);

	assert_non_null(run);
	assert_int_equal(fan_str_set(&run->block, block), 0);
	vm_of(run, "a")->score = score;
	assert_int_equal(fan_str_set(&vm_of(run, "a")->unit, "score"), 0);
}

/* Blocks x and y: ln(on/off) is 1 and 3: mean 2, se 1, 1 df. Block z has no off run. */
static void blocks_are_compared_within(void **state)
{
	const struct fan_compare_options options = with_blocks();
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	put_block(&runs, "off", "y", 100);
	put_block(&runs, "off", "x", 1);
	put_block(&runs, "on", "x", exp(1));
	put_block(&runs, "on", "z", 7);
	put_block(&runs, "on", "y", 100 * exp(3));
	compare(&c, &runs, &options);
	g = gap_named(&c, "coresched_change", NULL, "a");
	assert_near(g->est.value, 100 * (exp(2) - 1), 1e-12);
	assert_near(g->est.hi, 100 * (exp(2 + 12.70620) - 1), 1e-5);
	assert_int_equal(g->est.n, 2);
	assert_string_equal(g->est.method, "paired-t");
	assert_true(g->est.flags & FAN_EST_MISSING);
	assert_true(isnan(g->p_rank));
	assert_true(has_note(&c, "1 of 3 blocks lack a run of some configuration (z)"));
	fan_compare_free(&c);
}

static void assert_refused(struct fan_runs *runs, const struct fan_compare_options *options,
			   const char *words)
{
	struct fcap_err err = { 0 };
	struct fan_compare c;

	assert_int_equal(fan_compare_assemble(&c, runs, options, &err), -EINVAL);
	if (!strstr(err.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, err.text);
	fan_compare_free(&c);
	fan_runs_free(runs);
}

static void what_cannot_be_compared_is_refused(void **state)
{
	const struct fan_compare_options blocks = with_blocks();
	struct fan_compare_options baseline = plain;
	struct fan_runs runs;

	(void)state;
	baseline.baseline = "none";
	fan_runs_init(&runs);
	assert_refused(&runs, &plain, "no run to compare");
	PUT(&runs, "off", "a", 1, 2);
	assert_refused(&runs, &baseline, "--baseline none: no run is of this configuration");
	put_block(&runs, "off", "x", 1);
	put_block(&runs, "off", "x", 2);
	assert_refused(&runs, &blocks, "both of configuration off in block x");
	PUT(&runs, "off", "a", 1, -2);
	assert_refused(&runs, &plain, "2: a number of a is below 0");
	PUT(&runs, "off", "a", INFINITY);
	assert_refused(&runs, &plain, "not finite");
}

/* b is not in run 2 of on: a over b has one pair there, a's own mean two runs. */
static void a_run_that_lacks_a_vm_leaves_its_pairs_only(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 20, 30);
	PUT(&runs, "off", "b", 10, 20, 15);
	PUT(&runs, "on", "a", 30, 50, 90);
	PUT(&runs, "on", "b", 10, NAN, 10);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "between_vm", "on", NULL);
	/* 3 and 9: geometric mean 3 sqrt(3) */
	assert_near(g->est.value, 100 * (3 * sqrt(3) - 1), 1e-12);
	assert_int_equal(g->est.n, 2);
	assert_true(g->est.flags & FAN_EST_MISSING);
	assert_int_equal(group_named(&c, "on", "a")->n, 3);
	assert_near(group_named(&c, "on", "a")->mean.value, 170.0 / 3, 1e-12);
	assert_int_equal(group_named(&c, "on", "b")->n, 2);
	/* totals of on: 40 and 100, of off: 20, 40, 45 */
	assert_near(gap_named(&c, "coresched_change", NULL, "total")->est.value,
		    100 * (sqrt(4000) / cbrt(36000) - 1), 1e-12);
	assert_true(has_note(&c, "b is missing in 1 of 3 runs of on (2)"));
	fan_compare_free(&c);
}

static void a_vm_that_one_configuration_lacks_has_no_change(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 20);
	PUT(&runs, "off", "b", 10, 20);
	PUT(&runs, "on", "a", 30, 50);
	compare(&c, &runs, &plain);
	assert_int_equal(count_gaps(&c, "coresched_change"), 1);
	assert_int_equal(count_gaps(&c, "gap_change_ratio"), 0);
	assert_int_equal(count_gaps(&c, "between_vm"), 1);
	assert_true(has_note(&c, "b is in no run of on"));
	fan_compare_free(&c);
}

/* No logarithm, so no gap of that VM; but the ratio of means, (0 + 20)/(10 + 30), is there. */
static void a_score_of_0_has_no_gap(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 30);
	PUT(&runs, "off", "b", 5, 6);
	PUT(&runs, "on", "a", 0, 20);
	PUT(&runs, "on", "b", 5, 6);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "coresched_change", NULL, "a");
	assert_true(isnan(g->est.value) && isnan(g->est.lo) && isnan(g->p));
	assert_true(g->est.flags & FAN_EST_GAP_NONE_ZERO);
	assert_null(g->verdict.word);
	assert_true(has_reason(&g->verdict, "a score of 0"));
	assert_near(g->second.value, 0.5, 1e-12);
	assert_true(isnan(gap_named(&c, "between_vm", "on", NULL)->est.value));
	assert_true(isnan(gap_named(&c, "gap_change_ratio", NULL, NULL)->est.value));
	assert_true(isnan(gap_named(&c, "gap_change_pp", NULL, NULL)->est.value));
	assert_true(gap_named(&c, "gap_change_pp", NULL, NULL)->est.flags & FAN_EST_GAP_NONE_ZERO);
	assert_near(group_named(&c, "on", "a")->mean.value, 10, 1e-12);
	assert_near(gap_named(&c, "coresched_change", NULL, "b")->est.value, 0, 1e-12);
	assert_true(has_note(&c, "a score of 0 has no logarithm: no gap of a in 1"));
	fan_compare_free(&c);
}

static void equal_values_are_never_equivalent(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 10, 10, 10, 10);
	PUT(&runs, "on", "a", 10, 10, 10, 10, 10);
	compare(&c, &runs, &plain);
	g = gap_named(&c, "coresched_change", NULL, "a");
	assert_true(g->est.value == 0 && g->est.se == 0 && isnan(g->est.lo) && isnan(g->p));
	assert_true(g->est.flags & FAN_EST_CI_NONE_CONSTANT);
	assert_string_equal(g->verdict.word, "inconclusive");
	assert_true(has_reason(&g->verdict, "zero variance"));
	fan_compare_free(&c);
}

static void set_start(struct fan_runs *runs, const char *config, const char *name, double start)
{
	run_named(runs, config, name)->start = start;
}

static void put_two_of_each(struct fan_runs *runs)
{
	fan_runs_init(runs);
	PUT(runs, "off", "a", 10, 12);
	PUT(runs, "on", "a", 14, 18);
}

static void all_of_one_before_the_other_is_confounded(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	put_two_of_each(&runs);
	set_start(&runs, "off", "1", 1);
	set_start(&runs, "off", "2", 2);
	set_start(&runs, "on", "1", 3);
	set_start(&runs, "on", "2", 4);
	compare(&c, &runs, &plain);
	assert_true(gap_named(&c, "coresched_change", NULL, "a")->est.flags & FAN_EST_CONFOUNDED);
	assert_true(has_note(&c, "before all of the other"));
	fan_compare_free(&c);

	put_two_of_each(&runs);
	set_start(&runs, "off", "1", 1);
	set_start(&runs, "on", "1", 2);
	set_start(&runs, "on", "2", 3);
	set_start(&runs, "off", "2", 4);
	compare(&c, &runs, &plain);
	assert_false(gap_named(&c, "coresched_change", NULL, "a")->est.flags & FAN_EST_CONFOUNDED);
	assert_false(has_note(&c, "order of the runs"));
	fan_compare_free(&c);
}

static void an_unknown_order_is_said(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	put_two_of_each(&runs);
	set_start(&runs, "off", "1", 1);
	compare(&c, &runs, &plain);
	assert_true(has_note(&c, "the order of the runs is not known"));
	fan_compare_free(&c);
}

/* Six off runs that only grow, while on goes up and down: rho = 1. */
static void a_drift_over_the_runs_makes_the_verdict_indicative(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	const struct fan_c_gap *g;
	char name[8];

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 11, 12, 13, 14, 15);
	PUT(&runs, "on", "a", 12, 10, 14, 11, 13, 10.5);
	for (int i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), "%d", i + 1);
		set_start(&runs, "off", name, 2 * i);
		set_start(&runs, "on", name, 2 * i + 1);
	}
	compare(&c, &runs, &plain);
	g = gap_named(&c, "coresched_change", NULL, "a");
	assert_true(g->est.flags & FAN_EST_DRIFT_OVER_RUNS);
	assert_true(g->verdict.indicative);
	assert_true(group_named(&c, "off", "a")->mean.flags & FAN_EST_DRIFT_OVER_RUNS);
	assert_false(group_named(&c, "on", "a")->mean.flags & FAN_EST_DRIFT_OVER_RUNS);
	fan_compare_free(&c);
}

static void configurations_keep_their_order_behind_the_baseline(void **state)
{
	struct fan_compare_options options = plain;
	const struct fan_c_configuration *of;
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "nosmt", "a", 10, 12);
	PUT(&runs, "on", "a", 10, 12);
	PUT(&runs, "off", "a", 14, 18);
	compare(&c, &runs, &plain);
	of = c.configurations.items;
	assert_string_equal(c.baseline, "off");
	assert_string_equal(of[0].label, "off");
	assert_string_equal(of[1].label, "nosmt");
	assert_string_equal(of[2].label, "on");
	assert_string_equal(gap_named(&c, "coresched_change", NULL, NULL)->a, "on");
	assert_string_equal(gap_named(&c, "config_change", NULL, NULL)->a, "nosmt");
	fan_compare_free(&c);

	options.baseline = "on";
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 12);
	PUT(&runs, "on", "a", 10, 12);
	compare(&c, &runs, &options);
	assert_string_equal(gap_named(&c, "config_change", NULL, NULL)->b, "on");
	fan_compare_free(&c);
}

static void a_label_names_configurations_and_blocks(void **state)
{
	struct fcap_err err = { 0 };
	struct fan_runs runs;
	struct fan_run *run;

	(void)state;
	fan_runs_init(&runs);
	run = fan_runs_add(&runs, NULL, "x.dat");
	assert_non_null(run);
	assert_int_equal(fan_pairs_add(&run->labels, "core_sched", "off"), 0);
	assert_int_equal(fan_pairs_add(&run->labels, "core_sched", "on"), 0);
	assert_int_equal(fan_runs_configure(&runs, "core_sched", &err), 0);
	assert_string_equal(run->config, "on");
	assert_int_equal(fan_runs_block(&runs, "day", &err), -EINVAL);
	assert_non_null(strstr(err.text, "x.dat has no label \"day\""));
	fan_runs_free(&runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_compared_within),
		cmocka_unit_test(what_cannot_be_compared_is_refused),
		cmocka_unit_test(a_run_that_lacks_a_vm_leaves_its_pairs_only),
		cmocka_unit_test(a_vm_that_one_configuration_lacks_has_no_change),
		cmocka_unit_test(a_score_of_0_has_no_gap),
		cmocka_unit_test(equal_values_are_never_equivalent),
		cmocka_unit_test(all_of_one_before_the_other_is_confounded),
		cmocka_unit_test(an_unknown_order_is_said),
		cmocka_unit_test(a_drift_over_the_runs_makes_the_verdict_indicative),
		cmocka_unit_test(configurations_keep_their_order_behind_the_baseline),
		cmocka_unit_test(a_label_names_configurations_and_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
