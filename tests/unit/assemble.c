// SPDX-License-Identifier: GPL-3.0-or-later
/* From a trace to shares, expectations and verdicts: every number worked out by hand. */
#include "tests/unit/assembled.h"

static void shares_that_meet_the_weights_are_fair(void **state)
{
	struct fan_report r = report_of_turns((struct turns){ 0, 0 });
	const struct fan_r_group *g = group(&r, "small"), *first = r.groups.items;

	(void)state;
	assert_int_equal(r.groups.n, 2);
	assert_string_equal(first->name, "large");
	assert_near(g->share.value, 10, 1e-9);
	assert_near(g->expected_pct, 10, 1e-9);
	assert_near(g->deviation.value, 0, 1e-9);
	assert_near(g->share_bounds.lo, 10, 1e-9);
	assert_near(g->share_bounds.hi, 10, 1e-9);
	assert_int_equal(g->share.n, WINDOWS);
	/* shares of windows are 5 or 15: 5/sqrt(400) = 0.25 if they are independent */
	assert_near(g->share.se, 0.25, 0.15);
	assert_near(g->deviation.lo, g->share.lo - 10, 1e-9);
	assert_int_equal(g->share.m, 2);
	assert_string_equal(g->verdict.word, "fair");
	assert_true(g->verdict.indicative);
	assert_near(g->verdict.margin, 3, 0);
	assert_true(has(&g->verdict.reasons, "one run"));
	assert_near(first->share.value, 90, 1e-9);
	assert_near(first->expected_pct, 90, 1e-9);
	assert_near(first->share.se, g->share.se, 1e-9);
	fan_report_free(&r);
}

static void period_and_source_say_what_was_analysed(void **state)
{
	struct fan_report r = report_of_turns((struct turns){ 0, 0 });
	const struct fan_pair *label = r.source.labels.items;

	(void)state;
	assert_string_equal(r.schema, "fcap-report/1");
	assert_int_equal(r.source.cpus, 1);
	assert_string_equal(r.source.command, "./run");
	assert_string_equal(label->key, "core_sched");
	assert_string_equal(label->value, "on");
	assert_string_equal(r.host.smt, "off");
	assert_near(r.host.overcommit, 2, 0);
	assert_int_equal(r.period.end_ns, 4020 * MODELLED_MS);
	assert_int_equal(r.period.window_ns, 10 * MODELLED_MS);
	assert_int_equal(r.period.windows, WINDOWS);
	/* from the large one's first run to the small one's last */
	assert_int_equal(r.period.overlap.from_ns, MODELLED_MS / 2);
	assert_int_equal(r.period.overlap.to_ns, 4010 * MODELLED_MS + MODELLED_MS / 2);
	assert_near(r.period.overlap.cut_pct, 100 * 20.0 / 4020, 1e-9);
	assert_string_equal(r.period.entity_rule, "cgroup cpu weight");
	assert_int_equal(r.flags.n, 0);
	fan_report_free(&r);
}

static void a_group_holds_the_sums_of_its_threads(void **state)
{
	struct fan_report r = report_of_turns((struct turns){ 0, 0 });
	const struct fan_r_group *g = group(&r, "small");
	const struct fan_r_thread *t = g->threads.items;

	(void)state;
	assert_string_equal(g->kind, "vm");
	assert_string_equal(g->cgroup, "/small");
	assert_int_equal(g->tgid, 100);
	assert_int_equal(g->vcpus, 1);
	assert_near(g->weight, 128, 0);
	assert_near(g->cap_cpus, 1, 0);
	/* 400 ms in the windows, 0.5 in the first and in the last; all the rest it waits */
	assert_int_equal(g->run_ns, 401 * MODELLED_MS);
	assert_int_equal(g->vcpu_run_ns, g->run_ns);
	assert_int_equal(g->wait_ns, (4020 - 401) * MODELLED_MS);
	assert_int_equal(g->blocked_ns + g->unknown_ns + g->unsplit_ns, 0);
	assert_int_equal(g->threads.n, 1);
	assert_int_equal(t->tid, 101);
	assert_int_equal(t->vcpu, 0);
	assert_int_equal(t->run_ns, g->run_ns);
	assert_int_equal(t->arrivals, WINDOWS + 2);
	fan_report_free(&r);
}

static void shares_against_the_weights_are_unfair(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 1024, 1024);
	r = report_of(tb);
	assert_near(group(&r, "small")->deviation.value, -40, 1e-9);
	assert_string_equal(group(&r, "small")->verdict.word, "unfair");
	assert_string_equal(group(&r, "large")->verdict.word, "unfair");
	fan_report_free(&r);
}

/*
 * 40 holes of 1 ms before a window (the large one's) and 0.5 or 1.5, together 40, in it (the
 * small one's): of 4000 ms 80 are unknown, 360 and 3560 are seen.
 */
static void unknown_time_counts_for_and_against_a_share(void **state)
{
	struct fan_report r = report_of_turns((struct turns){ 40, 1000 });
	const struct fan_r_group *g = group(&r, "small");

	(void)state;
	assert_near(g->share.value, 100 * 360.0 / 3920, 1e-9);
	assert_near(g->share_bounds.lo, 100 * 360.0 / 4000, 1e-9);
	assert_near(g->share_bounds.hi, 100 * 440.0 / 4000, 1e-9);
	assert_near(group(&r, "large")->share_bounds.lo, 100 * 3560.0 / 4000, 1e-9);
	assert_near(group(&r, "large")->share_bounds.hi, 100 * 3640.0 / 4000, 1e-9);
	assert_non_null(g->verdict.word);
	assert_int_equal(r.quality.gaps, 40);
	assert_int_equal(r.quality.unknown_ns, 80 * MODELLED_MS);
	assert_near(r.quality.unknown_pct, 100 * 80.0 / 4020, 1e-9);
	assert_string_equal(r.quality.verdict, "degraded");
	assert_true(has(&r.quality.notes, "gaps (40)"));
	fan_report_free(&r);
}

static void no_verdict_where_unknown_time_could_turn_it(void **state)
{
	/* 240 holes: 480 ms unknown; the share seen is off, the bounds are on both sides of 10 */
	struct fan_report r = report_of_turns((struct turns){ 240, 1000 });
	const struct fan_r_group *g = group(&r, "small");

	(void)state;
	assert_near(g->share_bounds.lo, 4, 1e-9);
	assert_near(g->share_bounds.hi, 16, 1e-9);
	assert_null(g->verdict.word);
	assert_false(g->verdict.indicative);
	assert_true(has(&g->verdict.reasons, "unknown time"));
	assert_null(group(&r, "large")->verdict.word);
	assert_string_equal(r.quality.verdict, "degraded");
	fan_report_free(&r);
}

static void a_verdict_that_no_unknown_time_could_turn_stands(void **state)
{
	struct tb *tb = turns_of((struct turns){ 240, 1000 });
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 1024, 1024); /* 50 is due: far outside of 4 to 16 */
	r = report_of(tb);
	assert_near(group(&r, "small")->share_bounds.hi, 16, 1e-9);
	assert_string_equal(group(&r, "small")->verdict.word, "unfair");
	assert_string_equal(group(&r, "large")->verdict.word, "unfair");
	fan_report_free(&r);
}

static void on_a_host_with_room_nobody_is_judged(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	for (uint64_t ms = 0; ms < 4000; ms += 10) {
		tb_switch(tb, at_ms(0, ms), tb_idle, TB_R, small);
		tb_switch(tb, at_ms(0, ms + 3 + ms / 10 % 3), small, TB_S, tb_idle);
		tb_switch(tb, at_ms(1, ms), tb_idle, TB_R, large);
		tb_switch(tb, at_ms(1, ms + 5), large, TB_S, tb_idle);
	}
	tell_vms(tb, 2, 128, 1152);
	r = report_of(tb);
	assert_true(has(&r.flags, "not_contended"));
	assert_near(group(&r, "small")->expected_pct, 50, 1e-9);
	assert_null(group(&r, "small")->verdict.word);
	assert_false(group(&r, "small")->verdict.indicative);
	assert_true(has(&group(&r, "small")->verdict.reasons, "not contended"));
	assert_null(group(&r, "large")->verdict.word);
	/* without any wake-up event nobody knows how much of its absence was sleep */
	assert_true(group(&r, "large")->unsplit_ns > 0);
	assert_int_equal(group(&r, "large")->wait_ns, 0);
	fan_report_free(&r);
}

static void a_short_common_time_is_flagged(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, small);
	tb_switch(tb, at_ms(0, 4000), small, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 2010), tb_idle, TB_R, large);
	tb_switch(tb, at_ms(1, 4000), large, TB_S, tb_idle);
	tell_vms(tb, 2, 128, 1152);
	r = report_of(tb);
	assert_true(has(&r.flags, "short_overlap"));
	assert_int_equal(r.period.windows, 199);
	assert_near(r.period.overlap.cut_pct, 50.25, 1e-9);
	assert_near(group(&r, "small")->share.value, 50, 1e-9);
	fan_report_free(&r);
}

static void processes_stand_in_where_no_vm_is_found(void **state)
{
	const struct tb_task one = { 11, "one", 0 }, two = { 12, "two", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, one);
	tb_switch(tb, at_ms(0, 1), one, TB_R, two);
	for (uint64_t ms = 10; ms <= 500; ms += 10) {
		tb_switch(tb, at_ms(0, ms), two, TB_R, one);
		tb_switch(tb, at_ms(0, ms + 5), one, TB_R, two);
	}
	r = report_of(tb);
	assert_int_equal(r.groups.n, 2);
	assert_string_equal(group(&r, "one")->kind, "process");
	assert_int_equal(group(&r, "one")->tgid, FAN_NONE);
	assert_true(isnan(r.host.overcommit));
	assert_true(has(&r.quality.notes, "groups are processes"));
	assert_string_equal(r.period.entity_rule,
			    "nice of each thread, as the trace tells of no cgroups");
	/* 49 whole windows, all halves */
	assert_near(group(&r, "one")->share.value, 50, 1e-9);
	assert_string_equal(group(&r, "one")->verdict.word, "inconclusive");
	assert_true(has(&group(&r, "one")->verdict.reasons, "zero variance"));
	fan_report_free(&r);
}

static void a_lone_group_is_not_judged(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, small);
	tb_switch(tb, at_ms(0, 1000), small, TB_R, tb_idle);
	r = report_of(tb);
	assert_int_equal(r.groups.n, 1);
	assert_true(has(&group(&r, "CPU 0/KVM")->flags, "vm_identity_unknown"));
	assert_true(has(&r.quality.notes, "known by their names only"));
	assert_null(group(&r, "CPU 0/KVM")->verdict.word);
	assert_true(has(&group(&r, "CPU 0/KVM")->verdict.reasons, "the only group"));
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_that_meet_the_weights_are_fair),
		cmocka_unit_test(period_and_source_say_what_was_analysed),
		cmocka_unit_test(a_group_holds_the_sums_of_its_threads),
		cmocka_unit_test(shares_against_the_weights_are_unfair),
		cmocka_unit_test(unknown_time_counts_for_and_against_a_share),
		cmocka_unit_test(no_verdict_where_unknown_time_could_turn_it),
		cmocka_unit_test(a_verdict_that_no_unknown_time_could_turn_stands),
		cmocka_unit_test(on_a_host_with_room_nobody_is_judged),
		cmocka_unit_test(a_short_common_time_is_flagged),
		cmocka_unit_test(processes_stand_in_where_no_vm_is_found),
		cmocka_unit_test(a_lone_group_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
