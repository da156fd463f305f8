// SPDX-License-Identifier: GPL-3.0-or-later
/* Isolation in the report: chance, notes, and who is compared with whom. */
#include "tests/unit/audited.h"

/* green on CPU 0 and CPU 2, blue on CPU 2 and CPU 0: when is either core used by both? */
static struct fan_report alternating(bool on_one_core)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	const int other = on_one_core ? 0 : 2;
	struct fan_report r;

	tb_switch(tb, at_ms(1, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(3, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(0, 0), host, TB_S, a);
	if (!on_one_core)
		tb_switch(tb, at_ms(2, 0), host, TB_S, b);
	for (uint64_t ms = 10; ms < 100; ms += 20) {
		tb_switch(tb, at_ms(0, ms), a, TB_S, on_one_core ? b : tb_idle);
		tb_switch(tb, at_ms(0, ms + 10), on_one_core ? b : tb_idle, TB_S, a);
	}
	tb_switch(tb, at_ms(other, 100), on_one_core ? a : b, TB_S, tb_idle);
	tell(tb, 4, 2, 1, 1);
	tell_cookies(tb, 7, 9);
	r = audited(tb);
	assert_int_equal(r.isolation.judged.co_run_ns, 0);
	assert_true(isnan(r.isolation.judged.judged_pct));
	return r;
}

static void taking_turns_on_a_core_is_a_test_and_two_cores_are_none(void **state)
{
	struct fan_report r = alternating(true);

	(void)state;
	assert_string_equal(r.isolation.verdict.word, "isolated");
	assert_string_equal(r.isolation.sentence, "core scheduling is acting");
	fan_report_free(&r);
	r = alternating(false);
	assert_string_equal(r.isolation.verdict.word, "untested");
	assert_string_equal(r.isolation.sentence,
			    "not put to the test: no core was used by two VMs");
	fan_report_free(&r);
}

/* Three vCPUs against two, all of them all the time: 1 - .6^2 - .4^2 = .48, over 1 - 5 * .2^2. */
static void what_chance_would_do_depends_on_the_number_of_vcpus(void **state)
{
	struct tb *tb = tb_new(6, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	for (int i = 0; i < 5; i++)
		tb_switch(tb, at_ms(i, 0), tb_idle, TB_R,
			  (struct tb_task){ i < 3 ? 101 + i : 198 + i, NULL, 0 });
	tb_switch(tb, at_ms(5, 0), host, TB_R, tb_idle);
	for (int i = 0; i < 5; i++)
		tb_switch(tb, at_ms(i, 100), (struct tb_task){ i < 3 ? 101 + i : 198 + i, NULL, 0 },
			  TB_S, tb_idle);
	tell(tb, 6, 2, 3, 2);
	r = audited(tb);
	assert_near(r.isolation.expected_pct, 48, 1e-9);
	assert_near(r.isolation.expected_apart_pct, 60, 1e-9);
	/* green on CPUs 0 to 2, blue on 3 and 4: all of them but blue's last one beside another */
	assert_int_equal(r.isolation.judged.co_run_ns, 200 * MODELLED_MS);
	assert_int_equal(r.isolation.judged.unresolved_ns, 100 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "no kvm_entry event"));
	fan_report_free(&r);
}

/* Core 2-3 idles all the time. */
static void room_to_keep_them_apart_is_said(void **state)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_ms(2, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(3, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), b, TB_S, tb_idle);
	tell(tb, 4, 2, 1, 1);
	r = audited(tb);
	assert_int_equal(r.isolation.idle_beside_ns, 100 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "a whole core was idle for 100 ms while VMs shared"));
	fan_report_free(&r);
}

/* Notes that a good trace with cookies has no need for. */
static void notes_are_about_what_the_trace_lacks(void **state)
{
	struct tb *tb = two_pairings();
	struct fan_report r;

	(void)state;
	tell_cookies(tb, 7, 9);
	r = audited(tb);
	assert_false(has(&r.isolation.notes, "PR_SCHED_CORE"));
	assert_false(has(&r.isolation.notes, "no kvm_entry"));
	assert_false(has(&r.isolation.notes, "clock local"));
	assert_false(has(&r.isolation.notes, "whole core"));
	/* 41 ms is next to nothing */
	assert_true(has(&r.isolation.notes, "together for 41 ms only"));
	fan_report_free(&r);
	tb = two_pairings();
	tb_set_clock(tb, "local");
	r = audited(tb);
	assert_true(has(&r.isolation.notes, "clock local"));
	assert_true(has(&r.isolation.notes, "cpu.core_tag"));
	fan_report_free(&r);
}

/* One core of four: a beside b is one pair, whose overlap counts once. */
static void wide_cores_are_explained(void **state)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	for (int cpu = 0; cpu < 4; cpu++)
		tb_switch(tb, at_ms(cpu, 0), host, TB_S,
			  (struct tb_task){ cpu < 2 ? 101 + cpu : 199 + cpu, NULL, 0 });
	for (int cpu = 0; cpu < 4; cpu++)
		tb_switch(tb, at_ms(cpu, 100),
			  (struct tb_task){ cpu < 2 ? 101 + cpu : 199 + cpu, NULL, 0 }, TB_S,
			  tb_idle);
	tell(tb, 4, 4, 2, 2);
	r = audited(tb);
	assert_int_equal(r.isolation.judged.co_run_ns, 100 * MODELLED_MS);
	assert_int_equal(r.isolation.judged.unresolved_ns, 100 * MODELLED_MS);
	/* four pairs of CPUs */
	assert_int_equal(r.isolation.judged.unresolved, 4);
	assert_int_equal(((struct fan_r_mixed_pair *)r.isolation.pairs.items)->unresolved_ns,
			 400 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "cores of 4 CPUs"));
	fan_report_free(&r);
}

/* vm3 is there for 4 of 100 ms: no group of the report, but it shared the core. */
static void who_is_no_group_is_another_one(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct tb_task passing = { 301, "CPU 0/KVM", 0 };
	struct fan_report r;
	const struct fan_r_mixed_pair *pair;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), host, TB_S, b);
	tb_switch(tb, at_ms(1, 40), b, TB_S, host);
	tb_fork(tb, at_ms(1, 49), host, passing);
	tb_switch(tb, at_ms(1, 50), host, TB_S, passing);
	tb_exit(tb, at_ms(1, 54), passing);
	tb_switch(tb, at_ms(1, 54), passing, TB_DEAD, tb_idle);
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tell(tb, 2, 2, 1, 1);
	tb_marker(tb, MODELLED_BASE + 50 * MODELLED_MS, "fcap: vcpu tid=301 tgid=300 id=0");
	r = audited(tb);
	assert_int_equal(r.groups.n, 2);
	assert_int_equal(r.isolation.judged.unresolved_ns, 44 * MODELLED_MS);
	assert_int_equal(r.isolation.pairs.n, 2);
	pair = r.isolation.pairs.items;
	assert_int_equal(pair[0].unresolved_ns, 40 * MODELLED_MS);
	assert_string_equal(pair[1].a, "green");
	assert_string_equal(pair[1].b, "other");
	assert_int_equal(pair[1].unresolved_ns, 4 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "other: VMs that are no group of this report"));
	fan_report_free(&r);
}

static void a_single_vm_has_nobody_to_be_kept_from(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, (struct tb_task){ 102, NULL, 0 });
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), (struct tb_task){ 102, NULL, 0 }, TB_S, tb_idle);
	tell(tb, 2, 2, 2, 0);
	r = audited(tb);
	assert_string_equal(r.isolation.sentence, "not applicable: only one of the VMs has vCPUs");
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taking_turns_on_a_core_is_a_test_and_two_cores_are_none),
		cmocka_unit_test(what_chance_would_do_depends_on_the_number_of_vcpus),
		cmocka_unit_test(room_to_keep_them_apart_is_said),
		cmocka_unit_test(notes_are_about_what_the_trace_lacks),
		cmocka_unit_test(wide_cores_are_explained),
		cmocka_unit_test(who_is_no_group_is_another_one),
		cmocka_unit_test(a_single_vm_has_nobody_to_be_kept_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
