// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * analyze/report: what a comparison says of isolation and forced idle, by hand. Quantile of t at
 * 0.975 by table: 4.302653 (2 df).
 */
#include "tests/unit/compare_test.h"
#include "tests/unit/paper.h"

#include "analyze/report/text_compare.h"

#define RTOL 1e-6
#define SEC  INT64_C(1000000000)

static struct fan_run *judged(struct fan_runs *runs, const char *config, const char *name,
			      const char *verdict, double pct)
{
	struct fan_run *run = run_named(runs, config, name);

	run->isolation.judged_pct = pct;
	assert_int_equal(fan_str_set(&run->isolation.verdict, verdict), 0);
	assert_int_equal(fan_str_set(&run->settings.level, "vm"), 0);
	return run;
}

static const struct fan_c_configuration *config_named(const struct fan_compare *c,
						      const char *label)
{
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++)
		if (strcmp(of[k].label, label) == 0)
			return &of[k];
	fail_msg("no configuration %s", label);
	return NULL;
}

/* 1, 2 and 6 %: mean 3, s^2 = (4 + 1 + 9)/2 = 7, se = sqrt(7/3). */
static void a_configuration_is_the_mean_of_its_judged_runs(void **state)
{
	const struct fan_c_isolation *iso;
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 11, 12, 13);
	judged(&runs, "off", "1", "shared", 2);
	judged(&runs, "off", "2", "shared", 6);
	judged(&runs, "off", "3", "shared", 1);
	compare(&c, &runs, &plain);
	iso = &config_named(&c, "off")->isolation;
	assert_int_equal(iso->shared, 3);
	assert_int_equal(iso->not_told, 1);
	assert_int_equal(iso->isolated + iso->untested + iso->cannot_tell + iso->not_applicable, 0);
	/* the run that does not tell contradicts nobody, but it is missed */
	assert_string_equal(iso->word, "shared");
	assert_string_equal(iso->level, "vm");
	assert_near(iso->judged_pct.value, 3, 1e-12);
	assert_near(iso->judged_pct.hi, 3 + 4.302653 * sqrt(7.0 / 3), RTOL);
	assert_int_equal(iso->judged_pct.n, 3);
	assert_true(iso->judged_pct.flags & FAN_EST_MISSING);
	assert_near(iso->worst_pct, 6, 1e-12);
	assert_string_equal(iso->worst, "2");
	fan_compare_free(&c);
}

static void runs_that_disagree_are_said_to(void **state)
{
	const struct fan_c_isolation *iso;
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "on", "a", 10, 11, 12);
	judged(&runs, "on", "1", "isolated", 0);
	judged(&runs, "on", "2", "shared", 4);
	judged(&runs, "on", "3", "untested", NAN);
	compare(&c, &runs, &plain);
	iso = &config_named(&c, "on")->isolation;
	assert_string_equal(iso->word, "disagree");
	assert_int_equal(iso->isolated, 1);
	assert_int_equal(iso->shared, 1);
	assert_int_equal(iso->untested, 1);
	assert_near(iso->judged_pct.value, 2, 1e-12);
	fan_compare_free(&c);
}

static char *text_of(const struct fan_compare *c,
		     int (*write)(const struct fan_compare *c, FILE *f, struct fcap_err *err))
{
	struct paper p;

	assert_int_equal(write(c, paper(&p), NULL), 0);
	return read_paper(&p);
}

/* Two groups on four CPUs for 3 s. */
static void begin_report(struct fan_report *r, const char *verdict, const char *reason)
{
	struct fan_r_group *g;

	fan_tree_init(r, &fan_report_table);
	r->source.cpus = 4;
	r->period.start_ns = 0;
	r->period.end_ns = 3 * SEC;
	r->isolation.judged.judged_pct = 0;
	r->isolation.judged.co_run_ns = 0;
	r->isolation.verdict.word = verdict;
	assert_int_equal(fan_str_set(&r->isolation.reason, reason), 0);
	for (int i = 0; i < 2; i++) {
		g = fan_array_add(&r->groups, &fan_group_table);
		assert_non_null(g);
		assert_int_equal(fan_str_set(&g->name, i ? "b" : "a"), 0);
		g->run_ns = SEC;
		g->wait_ns = SEC;
		fan_est_init(&g->share, "percent", 0.95, 1);
		g->share.value = 50;
	}
}

static void add_report(struct fan_runs *runs, const char *config, struct fan_report *r)
{
	struct fcap_err err = { 0 };

	if (fan_runs_add_report(runs, config, r, "run.dat", &err) < 0)
		fail_msg("%s", err.text);
	fan_report_free(r);
}

/* Whatever stands in a report beside such a verdict. */
static void what_was_not_judged_never_shows_as_0(void **state)
{
	static const char *const words[] = { "not_applicable", "cannot_tell", "untested", NULL };
	static const char *const shown[] = { "not applicable in its one run (no SMT)",
					     "cannot tell in its one run (no SMT)",
					     "not put to the test in its one run (no SMT)",
					     "Isolation: not told by any of the reports." };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct fan_run *run;
		struct fan_compare c;
		struct fan_report r;
		struct fan_runs runs;
		char *text;

		fan_runs_init(&runs);
		begin_report(&r, words[i], "no SMT");
		add_report(&runs, "off", &r);
		compare(&c, &runs, &plain);
		run = c.runs.items;
		assert_true(isnan(run->isolation.judged_pct));
		assert_true(run->isolation.co_run_ns == FAN_NONE);
		assert_true(isnan(config_named(&c, "off")->isolation.judged_pct.value));
		text = text_of(&c, fan_compare_text);
		if (!strstr(text, shown[i]))
			fail_msg("\"%s\" is not in\n%s", shown[i], text);
		assert_null(strstr(text, "; 0"));
		free(text);
		fan_compare_free(&c);
	}
}

/* But an isolated run is 0 % of something: reason and verdict stay apart. */
static void a_judged_run_keeps_its_zero(void **state)
{
	const struct fan_run *run;
	struct fan_report r;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	begin_report(&r, "isolated", NULL);
	r.isolation.judged.co_run_ns = SEC;
	add_report(&runs, "on", &r);
	run = runs.items.items;
	assert_near(run->isolation.judged_pct, 0, 1e-15);
	assert_int_equal(run->isolation.co_run_ns, SEC);
	assert_null(run->isolation.reason);
	fan_runs_free(&runs);
}

/* 1.2 s of the 4 * 3 s that there were: 10 %; of 4 * (3 - 1) s, as the host stood still: 15 %. */
static void forced_idle_is_a_part_of_all_cpu_time(void **state)
{
	const struct fan_run *run;
	struct fan_report r;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	begin_report(&r, "isolated", NULL);
	r.isolation.forced_idle.total_ns = 1200000000;
	add_report(&runs, "on", &r);
	begin_report(&r, "isolated", NULL);
	r.isolation.forced_idle.total_ns = 1200000000;
	r.isolation.forced_idle.upper_bound = true;
	r.host.silence_ns = SEC;
	add_report(&runs, "on", &r);
	begin_report(&r, "isolated", NULL);
	add_report(&runs, "on", &r);
	run = runs.items.items;
	assert_near(run[0].forced_idle_pct, 10, 1e-12);
	assert_int_equal(run[0].doubts.n, 0);
	assert_near(run[1].forced_idle_pct, 15, 1e-12);
	assert_int_equal(run[1].doubts.n, 1);
	assert_string_equal(run[1].doubts.items[0], "upper_bound");
	assert_true(isnan(run[2].forced_idle_pct));
	fan_runs_free(&runs);
}

/* 0.2 of 1 + 1 s that it wanted: 10 %; but a trace that knows no siblings cannot know of that. */
static void forced_idle_of_a_vm_takes_siblings_to_be_known(void **state)
{
	const struct fan_run *run;
	struct fan_report r;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	for (int i = 0; i < 3; i++) {
		begin_report(&r, "cannot_tell", "siblings unknown");
		for (size_t g = 0; g < r.groups.n; g++)
			((struct fan_r_group *)r.groups.items)[g].waited_for.forced_idle_ns =
				i == 2 ? 0 : SEC / 5;
		if (i == 1)
			assert_non_null(fan_cpu_lists_add(&r.host.cores));
		if (i == 2)
			assert_int_equal(fan_str_set(&r.host.smt, "off"), 0);
		add_report(&runs, "on", &r);
	}
	run = runs.items.items;
	assert_true(isnan(((struct fan_run_group *)run[0].groups.items)->forced_idle_pct));
	assert_near(((struct fan_run_group *)run[1].groups.items)->forced_idle_pct, 10, 1e-12);
	assert_near(((struct fan_run_group *)run[2].groups.items)->forced_idle_pct, 0, 1e-15);
	fan_runs_free(&runs);
}

/* Nobody told a score: what the host lost is known all the same, even beside one VM. */
static void forced_idle_of_the_host_needs_no_score(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	vm_of(run_named(&runs, "off", "1"), "a")->cpus = 1;
	vm_of(run_named(&runs, "on", "1"), "a")->cpus = 1;
	run_named(&runs, "off", "1")->forced_idle_pct = 1;
	run_named(&runs, "on", "1")->forced_idle_pct = 8;
	compare(&c, &runs, &plain);
	assert_near(gap_named(&c, "forced_idle_change", NULL, "total")->est.value, 7, 1e-12);
	fan_compare_free(&c);
}

/*
 * Of the host 1 and 1 %, then 5 and 9: by 6 points, se 2 of one side. Of VM a 0 to 10 and 30, of b
 * not told: the total is none of their sums.
 */
static void forced_idle_of_the_host_is_its_own_total(void **state)
{
	const struct fan_c_gap *g;
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 1, 2);
	PUT(&runs, "off", "b", 1, 2);
	PUT(&runs, "on", "a", 1, 2);
	PUT(&runs, "on", "b", 1, 2);
	run_named(&runs, "off", "1")->forced_idle_pct = 1;
	run_named(&runs, "off", "2")->forced_idle_pct = 1;
	run_named(&runs, "on", "1")->forced_idle_pct = 5;
	run_named(&runs, "on", "2")->forced_idle_pct = 9;
	vm_of(run_named(&runs, "off", "1"), "a")->forced_idle_pct = 0;
	vm_of(run_named(&runs, "off", "2"), "a")->forced_idle_pct = 0;
	vm_of(run_named(&runs, "on", "1"), "a")->forced_idle_pct = 10;
	vm_of(run_named(&runs, "on", "2"), "a")->forced_idle_pct = 30;
	compare(&c, &runs, &plain);
	assert_int_equal(count_gaps(&c, "forced_idle_change"), 2);
	g = gap_named(&c, "forced_idle_change", NULL, "total");
	assert_near(g->est.value, 6, 1e-12);
	assert_near(g->est.se, 2, 1e-12);
	assert_int_equal(g->est.m, 2);
	assert_string_equal(g->of, "cpu_time_of_host");
	assert_string_equal(gap_named(&c, "forced_idle_change", NULL, "a")->of, "time_wanted");
	assert_near(config_named(&c, "on")->total.forced_idle.value, 7, 1e-12);
	assert_near(group_named(&c, "on", "a")->forced_idle.value, 20, 1e-12);
	fan_compare_free(&c);
}

/* Scores 10 + 20 and 20 + 40 on 2 and 4 CPUs: totals 30 and 60, each 15 a CPU second. */
static void totals_are_means_of_the_sums_of_runs(void **state)
{
	const struct fan_c_total *t;
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 20);
	PUT(&runs, "off", "b", 20, 40);
	vm_of(run_named(&runs, "off", "1"), "a")->cpus = 1.5;
	vm_of(run_named(&runs, "off", "1"), "b")->cpus = 0.5;
	vm_of(run_named(&runs, "off", "2"), "a")->cpus = 1;
	vm_of(run_named(&runs, "off", "2"), "b")->cpus = 3;
	compare(&c, &runs, &plain);
	t = &config_named(&c, "off")->total;
	assert_string_equal(t->unit, "score");
	assert_near(t->mean.value, 45, 1e-12);
	assert_near(t->cpus.value, 3, 1e-12);
	assert_near(t->efficiency.value, 15, 1e-12);
	/* 10/1.5 and 20: mean 40/3 */
	assert_near(group_named(&c, "off", "a")->efficiency.value, 40.0 / 3, 1e-12);
	fan_compare_free(&c);
}

static void cookies_by_vm_and_by_vcpu_are_core_scheduling(void **state)
{
	struct fan_compare_options options = plain;
	const struct fan_c_configuration *of;
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	options.by = "core_sched";
	fan_runs_init(&runs);
	PUT(&runs, "vm", "a", 10, 12);
	PUT(&runs, "vcpu", "a", 10, 12);
	PUT(&runs, "off", "a", 14, 18);
	PUT(&runs, "nosmt", "a", 14, 18);
	compare(&c, &runs, &options);
	of = c.configurations.items;
	assert_string_equal(of[0].label, "off");
	assert_string_equal(gap_named(&c, "coresched_change", "vm", NULL)->b, "off");
	assert_string_equal(gap_named(&c, "coresched_change", "vcpu", NULL)->b, "off");
	assert_string_equal(gap_named(&c, "config_change", NULL, NULL)->a, "nosmt");
	fan_compare_free(&c);
}

static void reports_made_otherwise_are_told_by_one_note(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 11);
	PUT(&runs, "on", "a", 10, 11);
	run_named(&runs, "off", "1")->settings.tolerance_ns = 50000;
	run_named(&runs, "off", "2")->settings.tolerance_ns = 50000;
	run_named(&runs, "on", "1")->settings.tolerance_ns = 60000000;
	run_named(&runs, "off", "1")->settings.window_ns = SEC;
	run_named(&runs, "on", "1")->settings.window_ns = SEC;
	judged(&runs, "off", "1", "shared", 5);
	compare(&c, &runs, &plain);
	assert_true(has_note(&c,
			     "not analysed alike, which may be all that some of them differ by: "
			     "tolerance of the isolation: 50.00 us in 2 runs, 60.00 ms in 1 "
			     "run"));
	assert_false(has_note(&c, "windows"));
	assert_false(has_note(&c, "level of the isolation"));
	fan_compare_free(&c);

	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 11);
	run_named(&runs, "off", "1")->settings.tolerance_ns = 50000;
	compare(&c, &runs, &plain);
	assert_false(has_note(&c, "not analysed alike"));
	fan_compare_free(&c);
}

static void percentages_beyond_100_are_refused(void **state)
{
	struct fcap_err err = { 0 };
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10);
	judged(&runs, "off", "1", "shared", 101);
	assert_int_equal(fan_compare_assemble(&c, &runs, &plain, &err), -EINVAL);
	assert_non_null(strstr(err.text, "1: its forced idle or isolation is not within"));
	fan_compare_free(&c);
	fan_runs_free(&runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_is_the_mean_of_its_judged_runs),
		cmocka_unit_test(runs_that_disagree_are_said_to),
		cmocka_unit_test(what_was_not_judged_never_shows_as_0),
		cmocka_unit_test(a_judged_run_keeps_its_zero),
		cmocka_unit_test(forced_idle_is_a_part_of_all_cpu_time),
		cmocka_unit_test(forced_idle_of_a_vm_takes_siblings_to_be_known),
		cmocka_unit_test(forced_idle_of_the_host_needs_no_score),
		cmocka_unit_test(forced_idle_of_the_host_is_its_own_total),
		cmocka_unit_test(totals_are_means_of_the_sums_of_runs),
		cmocka_unit_test(cookies_by_vm_and_by_vcpu_are_core_scheduling),
		cmocka_unit_test(reports_made_otherwise_are_told_by_one_note),
		cmocka_unit_test(percentages_beyond_100_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
