// SPDX-License-Identifier: GPL-3.0-or-later
/* Who waited for whom, in traces small enough to say so by hand. Times are in us. */
#include "tests/unit/blamed.h"

/* a runs 0-10 and 30-100, and waits in between for whoever it is. */
static struct tb *preempted_by(struct tb_task who)
{
	struct tb *tb = two_vms(1);

	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, who);
	tb_switch(tb, at_us(0, 30), who, TB_S, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	return tb;
}

static void a_vm_waits_for_another(void **state)
{
	struct fan_report r = report_of(preempted_by(b));

	(void)state;
	assert_waits(&r, "one", (struct waits){ .other = 20 });
	assert_int_equal(amount(&group(&r, "one")->waited_for.groups, "two"), 20 * US);
	assert_waits(&r, "two", (struct waits){ 0 });
	fan_report_free(&r);
}

static void a_vm_waits_for_its_own_second_vcpu(void **state)
{
	struct fan_report r = report_of(preempted_by(a2));

	(void)state;
	assert_waits(&r, "one", (struct waits){ .self = 20 });
	fan_report_free(&r);
}

static void a_vm_waits_for_a_thread_of_the_host(void **state)
{
	struct fan_report r = report_of(preempted_by(host));

	(void)state;
	assert_waits(&r, "one", (struct waits){ .host = 20 });
	assert_int_equal(amount(&group(&r, "one")->waited_for.host, "kworker/0:1"), 20 * US);
	fan_report_free(&r);
}

/* Seven of them, each 1 us longer than the one before: 1 + 2 + ... + 7 = 28; two share a name. */
static void the_five_longest_host_names_are_told(void **state)
{
	const struct tb_task h[] = { { 31, "h1", 0 }, { 32, "h2", 0 }, { 33, "h3", 0 },
				     { 34, "h4", 0 }, { 35, "h5", 0 }, { 36, "h3", 0 },
				     { 37, "h7", 0 } };
	struct tb *tb = two_vms(1);
	const struct fan_r_amount *top;
	struct fan_report r;
	uint64_t us = 10;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, us), a, TB_R, h[0]);
	for (unsigned int i = 0; i < 7; i++) {
		us += i + 1;
		tb_switch(tb, at_us(0, us), h[i], TB_S, i < 6 ? h[i + 1] : a);
	}
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .host = 28 });
	/* h3: 3 + 6; then h7 7, h5 5, h4 4, h2 2 */
	top = group(&r, "one")->waited_for.host.items;
	assert_int_equal(group(&r, "one")->waited_for.host.n, 5);
	assert_string_equal(top[0].name, "h3");
	assert_int_equal(top[0].ns, 9 * US);
	assert_string_equal(top[1].name, "h7");
	assert_string_equal(top[4].name, "h2");
	fan_report_free(&r);
}

static void a_wakeup_on_an_idle_cpu_is_latency(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_S, tb_idle);
	tb_wakeup(tb, at_us(0, 20), a, 0);
	tb_switch(tb, at_us(0, 23), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .idle = 3 });
	fan_report_free(&r);
}

/* a waits 10-18: b has the CPU until 15, nobody from there on. */
static void who_is_preempted_may_wait_for_idle_too(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_switch(tb, at_us(0, 15), b, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 18), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .other = 5, .idle = 3 });
	fan_report_free(&r);
}

/* a waits on CPU 0, where b runs, 10-14; then on CPU 1, where the host's thread runs, 14-20. */
static void a_wait_on_two_queues_is_for_both(void **state)
{
	struct tb *tb = two_vms(2);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_migrate(tb, by_us(1, 14, host), a, 0, 1);
	tb_switch(tb, at_us(1, 20), host, TB_S, a);
	tb_switch(tb, at_us(0, 100), b, TB_S, tb_idle);
	tb_switch(tb, at_us(1, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .other = 4, .host = 6 });
	fan_report_free(&r);
}

/*
 * a waits 10-26. b was switched in at 10 and is not there at 20: nobody knows who had the CPU
 * until then. The host's thread has it until 26.
 */
static void what_a_gap_hides_is_unknown(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_rename(tb, by_us(0, 20, host), host, "kworker/0:1");
	tb_switch(tb, at_us(0, 26), host, TB_S, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .host = 6, .unknown = 10 });
	fan_report_free(&r);
}

/* a's wait 10-30 is cut by its move to another cgroup at 16 while b's run has not ended. */
static void a_wait_that_is_cut_is_for_the_same(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 cpu_hierarchy=1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/x");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cgroup=/y");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_cgroup_attach(tb, by_us(0, 16, b), a, "/y");
	tb_switch(tb, at_us(0, 30), b, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	/* b waits 30-100, for a */
	assert_waits(&r, "one", (struct waits){ .other = 20 });
	assert_waits(&r, "two", (struct waits){ .other = 70 });
	fan_report_free(&r);
}

/* The same as cgroups: a waits 6 us for /y while in /x, and 14 within /y. */
static void by_cgroup_it_is_the_cgroup_of_the_moment(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 cpu_hierarchy=1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/x");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cgroup=/y");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_cgroup_attach(tb, by_us(0, 16, b), a, "/y");
	tb_switch(tb, at_us(0, 30), b, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_as(tb, FAN_GROUP_CGROUP);
	assert_waits(&r, "x", (struct waits){ .other = 6 });
	assert_waits(&r, "y", (struct waits){ .self = 14 + 70 });
	fan_report_free(&r);
}

/* The first thread with this tid holds 10-15 and dies; the second one holds 30-37. */
static void a_tid_that_is_used_again_is_another_holder(void **state)
{
	const struct tb_task first = { 31, "first", 0 }, second = { 31, "second", 0 };
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, first);
	tb_exit(tb, by_us(0, 14, first), first);
	tb_switch(tb, at_us(0, 15), first, TB_DEAD, a);
	tb_free_task(tb, by_us(0, 16, a), first);
	tb_newtask(tb, by_us(0, 20, a), second, 0);
	tb_wakeup_new(tb, by_us(0, 22, a), second, 0);
	tb_switch(tb, at_us(0, 30), a, TB_R, second);
	tb_switch(tb, at_us(0, 37), second, TB_S, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .host = 12 });
	assert_int_equal(amount(&group(&r, "one")->waited_for.host, "first"), 5 * US);
	assert_int_equal(amount(&group(&r, "one")->waited_for.host, "second"), 7 * US);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vm_waits_for_another),
		cmocka_unit_test(a_vm_waits_for_its_own_second_vcpu),
		cmocka_unit_test(a_vm_waits_for_a_thread_of_the_host),
		cmocka_unit_test(the_five_longest_host_names_are_told),
		cmocka_unit_test(a_wakeup_on_an_idle_cpu_is_latency),
		cmocka_unit_test(who_is_preempted_may_wait_for_idle_too),
		cmocka_unit_test(a_wait_on_two_queues_is_for_both),
		cmocka_unit_test(what_a_gap_hides_is_unknown),
		cmocka_unit_test(a_wait_that_is_cut_is_for_the_same),
		cmocka_unit_test(by_cgroup_it_is_the_cgroup_of_the_moment),
		cmocka_unit_test(a_tid_that_is_used_again_is_another_holder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
