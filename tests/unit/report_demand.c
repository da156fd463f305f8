// SPDX-License-Identifier: GPL-3.0-or-later
/* Reports by demand: expected shares, lag, capacity lost, fairness by length of window. */
#include "tests/unit/assembled.h"

#include <stdio.h>

#include "analyze/stats/gsl.h"

#define MS 1000000LL

static const struct fan_r_curve *curve(const struct fan_report *r, const char *name)
{
	const struct fan_r_curve *c = r->series.groups.items;

	for (size_t i = 0; i < r->series.groups.n; i++)
		if (strcmp(c[i].name, name) == 0)
			return &c[i];
	fail_msg("no curve %s", name);
	return NULL;
}

/*
 * The small one runs 401 ms of 4020 and was due half, but all of the first 0.5 ms: the large one
 * is first seen then. 0.5 + 4019.5/2 - 401 = 1609.25 ms.
 */
static void lag_is_what_was_due_and_not_got(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	const struct fan_r_group *g;
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 1024, 1024);
	tell_end(tb);
	r = report_of(tb);
	g = group(&r, "small");
	assert_string_equal(r.period.expected_method, "demand");
	assert_near((double)g->lag_ns.final_ns, 1609.25 * MS, 1000);
	assert_near((double)g->lag_ns.max_ns, 1609.25 * MS, 1000);
	assert_int_equal(g->lag_ns.max_at_ns, 4020 * MS);
	g = group(&r, "large");
	assert_near((double)g->lag_ns.final_ns, -1609.25 * MS, 1000);
	assert_int_equal(r.host.idle_while_waiting_ns, 0);
	fan_report_free(&r);
}

static void curves_begin_with_the_overlap(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	const struct fan_r_curve *c;
	uint64_t run_us[WINDOWS + 2];
	struct fan_report r;
	int64_t lag = 0;

	(void)state;
	draw_runs(run_us);
	tell_vms(tb, 1, 1024, 1024);
	tell_end(tb);
	r = report_of(tb);
	c = curve(&r, "small");
	assert_int_equal(c->lag_ns.n, WINDOWS);
	assert_int_equal(c->wait_ns.n, WINDOWS);
	/* the first window of the overlap is number 1: each is due 5 ms of 10 */
	for (size_t w = 0; w < WINDOWS; w++) {
		lag += 5 * MS - (int64_t)run_us[w + 1] * 1000;
		assert_near((double)c->lag_ns.items[w], (double)lag, 1000);
		assert_near(c->expected.items[w], 50, 1e-6);
		assert_int_equal(c->wait_ns.items[w], 10 * MS - (int64_t)run_us[w + 1] * 1000);
	}
	fan_report_free(&r);
}

/*
 * In each 10 ms the small one is woken, waits 1 ms, runs 1 ms and sleeps; the large one runs else.
 * Both weigh the same; the small one wants the CPU for 2 ms, and is due 1 of them.
 */
static struct tb *naps(unsigned int windows)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, large);
	for (unsigned int w = 0; w < windows; w++) {
		const uint64_t us = 10000 * (uint64_t)w;

		tb_wakeup(tb, tb_by(0, MODELLED_BASE + us * 1000, large.tid), small, 0);
		tb_switch(tb, at_us(0, us + 1000), large, TB_R, small);
		tb_switch(tb, at_us(0, us + 2000), small, TB_S, large);
	}
	tb_switch(tb, at_us(0, 10000 * (uint64_t)windows), large, TB_S, tb_idle);
	tell_vms(tb, 1, 1024, 1024);
	tell_end(tb);
	return tb;
}

static void a_vm_that_sleeps_is_expected_to_get_less(void **state)
{
	struct fan_report r = report_of(naps(40));

	(void)state;
	assert_near(group(&r, "small")->expected_pct, 10, 1e-6);
	assert_near(group(&r, "large")->expected_pct, 90, 1e-6);
	assert_near(group(&r, "small")->share.value, 10, 1e-6);
	assert_near(group(&r, "small")->deviation.value, 0, 1e-6);
	assert_near((double)group(&r, "small")->lag_ns.final_ns, 0, 100);
	/* owed most after 1 ms of each 10, but that is no window's end */
	assert_near((double)group(&r, "small")->lag_ns.max_ns, 0, 100);
	assert_false(has(&r.flags, "not_contended"));
	fan_report_free(&r);
}

/* As above, but the large one sleeps while the small one is awake: nobody ever waits. */
static void load_that_never_meets_does_not_test_fairness(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, large);
	for (unsigned int w = 0; w < 40; w++) {
		const uint64_t us = 10000 * (uint64_t)w;

		tb_switch(tb, at_us(0, us + 5000), large, TB_S, tb_idle);
		tb_wakeup(tb, at_us(0, us + 5000), small, 0);
		tb_switch(tb, at_us(0, us + 5000), tb_idle, TB_R, small);
		tb_switch(tb, at_us(0, us + 7000), small, TB_S, tb_idle);
		tb_wakeup(tb, at_us(0, us + 8000), large, 0);
		tb_switch(tb, at_us(0, us + 8000), tb_idle, TB_R, large);
	}
	tell_vms(tb, 1, 1024, 1024);
	tell_end(tb);
	r = report_of(tb);
	/* by weights and caps alone two vCPUs would compete for one CPU, 50 to 50 */
	assert_true(has(&r.flags, "not_contended"));
	assert_null(group(&r, "small")->verdict.word);
	assert_true(has(&group(&r, "small")->verdict.reasons, "not contended"));
	assert_near(group(&r, "small")->deviation.value, 0, 0.1);
	fan_report_free(&r);
}

static void without_wakeups_what_was_due_is_static(void **state)
{
	struct tb *tb = naps(40);
	struct fan_report r;

	(void)state;
	tb_without_event(tb, "sched_wakeup");
	tb_without_event(tb, "sched_wakeup_new");
	tb_without_event(tb, "sched_waking");
	r = report_of(tb);
	assert_string_equal(r.period.expected_method, "static");
	assert_near(group(&r, "small")->expected_pct, 50, 1e-9);
	assert_int_equal(group(&r, "small")->lag_ns.final_ns, FAN_NONE);
	assert_int_equal(r.host.idle_while_waiting_ns, FAN_NONE);
	assert_int_equal(r.fairness.by_window.n, 0);
	assert_int_equal(r.fairness.horizon_ns, FAN_NONE);
	fan_report_free(&r);
}

static void sleeps_that_no_wakeup_ends_make_it_static_too(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, large);
	for (uint64_t us = 0; us < 400000; us += 10000) {
		tb_switch(tb, at_us(0, us + 1000), large, TB_R, small);
		tb_switch(tb, at_us(0, us + 2000), small, TB_S, large);
	}
	tell_vms(tb, 1, 1024, 1024);
	tell_end(tb);
	r = report_of(tb);
	assert_string_equal(r.period.expected_method, "static");
	fan_report_free(&r);
}

/* Turns of 5 ms on one CPU for 200 ms, both always want to run; small begins. */
static struct tb *turns_of_5_ms(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_wakeup(tb, at_ms(0, 0), large, 0);
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, small);
	for (unsigned int ms = 5; ms < 200; ms += 5)
		tb_switch(tb, at_ms(0, ms), ms / 5 % 2 ? small : large, TB_R,
			  ms / 5 % 2 ? large : small);
	tb_switch(tb, at_ms(0, 200), large, TB_R, tb_idle);
	tell_vms(tb, 1, 1024, 1024);
	tell_end(tb);
	return tb;
}

static void short_windows_show_the_turns(void **state)
{
	static const struct {
		int64_t ms, windows, zero;
		double jain, fair;
	} rows[] = {
		{ 1, 200, 200, 0.5, 0 }, { 2, 100, 80, 0.6, 20 }, { 5, 40, 40, 0.5, 0 },
		{ 10, 20, 0, 1, 100 },	 { 20, 10, 0, 1, 100 },	  { 50, 4, 0, 1, 100 },
		{ 100, 2, 0, 1, 100 },	 { 200, 1, 0, 1, 100 },
	};
	struct fan_report r = report_of(turns_of_5_ms());
	const struct fan_r_fair_scale *s = r.fairness.by_window.items;
	const struct fan_r_scale *of = group(&r, "large")->by_window.items;

	(void)state;
	assert_int_equal(r.fairness.by_window.n, sizeof(rows) / sizeof(rows[0]));
	for (size_t i = 0; i < r.fairness.by_window.n; i++) {
		assert_int_equal(s[i].window_ns, rows[i].ms * MS);
		assert_int_equal(s[i].windows, rows[i].windows);
		assert_int_equal(s[i].zero_windows, rows[i].zero);
		assert_near(s[i].jain, rows[i].jain, 1e-3);
		assert_near(s[i].fair_pct, rows[i].fair, 1e-9);
		assert_int_equal(of[i].zero_windows, rows[i].zero / 2);
		assert_int_equal(of[i].windows, rows[i].windows);
	}
	assert_near(s[0].rms_pp, 50, 0.01);
	assert_int_equal(r.fairness.horizon_ns, 10 * MS);
	/* one vCPU: nothing to compare, but it waited through every other 5 ms */
	assert_true(isnan(of[0].vcpu_jain));
	assert_int_equal(of[0].vcpu_zero_windows, 100);
	assert_int_equal(of[2].vcpu_zero_windows, 20);
	assert_int_equal(of[3].vcpu_zero_windows, 0);
	fan_report_free(&r);
}

static void the_longest_wait_is_told_with_its_time_and_thread(void **state)
{
	struct fan_report r = report_of(naps(40));
	const struct fan_r_group *g = group(&r, "small");
	const struct fan_r_thread *t = g->threads.items;

	(void)state;
	assert_int_equal(g->starved.max_ns, 1 * MS);
	assert_int_equal(g->starved.at_ns, 0);
	assert_int_equal(g->starved.tid, small.tid);
	assert_int_equal(t->starved.max_ns, 1 * MS);
	g = group(&r, "large");
	assert_int_equal(g->starved.max_ns, 1 * MS);
	assert_int_equal(g->starved.at_ns, 1 * MS);
	assert_int_equal(r.fairness.starvation_max_ns, 1 * MS);
	fan_report_free(&r);
}

/* --- who the parties are --- */

/* As naps(), of two processes that nothing calls VMs, in cgroups of 1 to 3. */
static void processes_are_known_in_a_second_pass(void **state)
{
	const struct tb_task a = { 11, "hog", 0 }, b = { 21, "mouse", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/a parent=/ weight=1024 scale=shares");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/b parent=/ weight=3072 scale=shares");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=11 tgid=11 cgroup=/a");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=21 tgid=21 cgroup=/b");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	for (uint64_t us = 0; us < 400000; us += 10000) {
		tb_wakeup(tb, tb_by(0, MODELLED_BASE + us * 1000, a.tid), b, 0);
		tb_switch(tb, at_us(0, us + 3000), a, TB_R, b);
		tb_switch(tb, at_us(0, us + 4000), b, TB_S, a);
	}
	tb_switch(tb, at_us(0, 400000), a, TB_S, tb_idle);
	r = report_as(tb, FAN_GROUP_PROCESS);
	/* b wants 4 of 10 ms, and three quarters of them: 3 */
	assert_string_equal(r.period.expected_method, "demand");
	assert_near(group(&r, "mouse")->expected_pct, 30, 1e-6);
	assert_near(group(&r, "mouse")->deviation.value, -20, 1e-6);
	assert_near((double)group(&r, "mouse")->lag_ns.final_ns, 80.0 * MS, 1000);
	fan_report_free(&r);
}

/* That tid 101 is a vCPU is told only in the middle; it ran, and waited, from the start. */
static void a_vm_that_shows_late_is_known_in_a_second_pass(void **state)
{
	const struct tb_task late = { 101, "worker", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=200 name=large");
	tb_wakeup(tb, at_ms(0, 0), late, 0);
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, large);
	for (unsigned int ms = 5; ms < 400; ms += 5)
		tb_switch(tb, at_ms(0, ms), ms / 5 % 2 ? large : late, TB_R,
			  ms / 5 % 2 ? late : large);
	tb_switch(tb, at_ms(0, 400), late, TB_R, tb_idle);
	tb_marker(tb, MODELLED_BASE + 200 * MODELLED_MS, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE + 200 * MODELLED_MS, "fcap: group tgid=100 name=small");
	r = report_of(tb);
	assert_near(group(&r, "small")->expected_pct, 50, 1e-6);
	assert_near((double)group(&r, "small")->lag_ns.final_ns, 0, 1000);
	/* both were parties in all 20 windows of 20 ms */
	assert_int_equal(((const struct fan_r_fair_scale *)r.fairness.by_window.items)[4].windows,
			 20);
	fan_report_free(&r);
}

static void a_request_makes_parties_of_its_own(void **state)
{
	struct fan_vm_request vms[2] = { { .name = "one" }, { .name = "two" } };
	struct fan_report_options o = { .level = 0.95, .margin = 3 };
	struct fan_report r;

	(void)state;
	assert_int_equal(fcap_selector_parse("tgid:100", &vms[0].selector), 0);
	assert_int_equal(fcap_selector_parse("tgid:200", &vms[1].selector), 0);
	o.groups.vms = vms;
	o.groups.nvms = 2;
	r = report_with(naps(40), &o, NULL);
	assert_near(group(&r, "one")->expected_pct, 10, 1e-6);
	fan_report_free(&r);
}

static void given_weights_hold_by_demand_too(void **state)
{
	const struct fan_given_weight weights[] = { { "small", 300 }, { "large", 100 } };
	const struct fan_report_options o = {
		.level = 0.95, .margin = 3, .weights = weights, .nweights = 2
	};
	struct fan_report r = report_with(naps(40), &o, NULL);

	(void)state;
	/* three quarters of the 2 ms that it wants */
	assert_near(group(&r, "small")->expected_pct, 15, 1e-6);
	assert_near(group(&r, "small")->deviation.value, -5, 1e-6);
	fan_report_free(&r);
}

/* --- caps --- */

static void the_caps_that_bind_are_named(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 1024, 1024);
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/small quota=20000 period=100000");
	tell_end(tb);
	r = report_of(tb);
	assert_string_equal(group(&r, "small")->capped_by, "quota");
	assert_null(group(&r, "large")->capped_by);
	/* and the quota caps what is due at each moment */
	assert_near(group(&r, "small")->expected_pct, 20, 1e-6);
	fan_report_free(&r);
	tb = turns_of((struct turns){ 0, 0 });
	tell_vms(tb, 4, 1024, 1024);
	tell_end(tb);
	r = report_of(tb);
	assert_string_equal(group(&r, "small")->capped_by, "vcpus");
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lag_is_what_was_due_and_not_got),
		cmocka_unit_test(curves_begin_with_the_overlap),
		cmocka_unit_test(a_vm_that_sleeps_is_expected_to_get_less),
		cmocka_unit_test(load_that_never_meets_does_not_test_fairness),
		cmocka_unit_test(without_wakeups_what_was_due_is_static),
		cmocka_unit_test(sleeps_that_no_wakeup_ends_make_it_static_too),
		cmocka_unit_test(short_windows_show_the_turns),
		cmocka_unit_test(the_longest_wait_is_told_with_its_time_and_thread),
		cmocka_unit_test(processes_are_known_in_a_second_pass),
		cmocka_unit_test(a_vm_that_shows_late_is_known_in_a_second_pass),
		cmocka_unit_test(a_request_makes_parties_of_its_own),
		cmocka_unit_test(given_weights_hold_by_demand_too),
		cmocka_unit_test(the_caps_that_bind_are_named),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
