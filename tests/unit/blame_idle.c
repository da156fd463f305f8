// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Why a CPU idles while a thread waits for it: core scheduling, or nothing but latency. a is on CPU
 * 0, what it must not run beside on CPU 1. Times are in us.
 */
#include "tests/unit/blamed.h"

static const struct tb_task b2 = { 202, "CPU 1/KVM", 0 };

/* Two VMs on CPUs of one core; cookies NULL: none are told. */
static struct tb *one_core(int cpus, const char *siblings, const char *cookie_a,
			   const char *cookie_b)
{
	struct tb *tb = two_vms(cpus);

	for (int i = 0; siblings && i < cpus; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d core=0 siblings=%s", i, siblings);
	if (!cookie_a)
		return tb;
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=%s", cookie_a);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=%s", cookie_b);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=202 tgid=200 cookie=%s", cookie_b);
	return tb;
}

/* CPU 0: a runs 0-10 and 30-100, idle in between. CPU 1: b runs 0-20. */
static struct tb *idle_beside(struct tb *tb)
{
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 20), b, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 30), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	return tb;
}

static bool is_bound(const struct fan_report *r)
{
	return has(&group(r, "one")->flags, "upper_bound");
}

static void another_cookie_on_the_core_forces_idle(void **state)
{
	struct fan_report r = report_of(idle_beside(one_core(2, "0-1", "0x1", "0x2")));

	(void)state;
	/* b runs 10-20; from there on nobody is in the way */
	assert_waits(&r, "one", (struct waits){ .forced = 10, .idle = 10 });
	assert_false(is_bound(&r));
	fan_report_free(&r);
}

static void an_equal_cookie_forces_nothing(void **state)
{
	struct fan_report r = report_of(idle_beside(one_core(2, "0-1", "0x2", "0x2")));

	(void)state;
	assert_waits(&r, "one", (struct waits){ .idle = 20 });
	fan_report_free(&r);
}

static void no_cookie_forces_nothing(void **state)
{
	struct fan_report r = report_of(idle_beside(one_core(2, "0-1", "0x1", "0x0")));

	(void)state;
	assert_waits(&r, "one", (struct waits){ .idle = 20 });
	assert_false(is_bound(&r));
	fan_report_free(&r);
}

static void where_cookies_are_not_told_it_is_an_upper_bound(void **state)
{
	struct fan_report r = report_of(idle_beside(one_core(2, "0-1", NULL, NULL)));

	(void)state;
	assert_waits(&r, "one", (struct waits){ .forced = 10, .idle = 10 });
	assert_true(is_bound(&r));
	fan_report_free(&r);
}

static void without_a_topology_nothing_is_forced(void **state)
{
	struct fan_report r = report_of(idle_beside(one_core(2, NULL, "0x1", "0x2")));

	(void)state;
	assert_waits(&r, "one", (struct waits){ .idle = 20 });
	fan_report_free(&r);
	r = report_of(idle_beside(one_core(2, NULL, NULL, NULL)));
	assert_waits(&r, "one", (struct waits){ .idle = 20 });
	assert_false(is_bound(&r));
	fan_report_free(&r);
}

/* CPUs 0, 2 are one core, 1, 3 another: b on CPU 1 is in nobody's way. */
static void another_core_forces_nothing(void **state)
{
	struct tb *tb = two_vms(4);
	struct fan_report r;

	(void)state;
	for (int i = 0; i < 4; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d siblings=%d,%d", i, i % 2, i % 2 + 2);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=0x1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=0x2");
	r = report_of(idle_beside(tb));
	assert_waits(&r, "one", (struct waits){ .idle = 20 });
	fan_report_free(&r);
}

/* Of four siblings two idle, and the last runs b until 20. */
static void any_of_four_siblings_forces_idle(void **state)
{
	struct tb *tb = one_core(4, "0-3", "0x1", "0x2");
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, a2);
	tb_switch(tb, at_us(3, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(1, 5), a2, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(3, 20), b, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 30), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .forced = 10, .idle = 10 });
	fan_report_free(&r);
}

/*
 * While b2, which may run beside b, is in the queue of CPU 0 as well (15-25), the CPU idles for
 * no good reason. b2 leaves for CPU 2, which is no sibling.
 */
static void a_waiter_that_may_run_makes_it_plain_idle(void **state)
{
	struct tb *tb = two_vms(3);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0 siblings=0-1");
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=1 siblings=0-1");
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=2 siblings=2");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=0x1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=0x2");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=202 tgid=200 cookie=0x2");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(2, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_wakeup(tb, by_us(1, 15, b), b2, 0);
	tb_migrate(tb, by_us(2, 25, host), b2, 0, 2);
	tb_switch(tb, at_us(2, 28), host, TB_S, b2);
	tb_switch(tb, at_us(0, 30), tb_idle, TB_R, a);
	tb_switch(tb, at_us(2, 98), b2, TB_S, tb_idle);
	tb_switch(tb, at_us(1, 99), b, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .forced = 5 + 5, .idle = 10 });
	assert_waits(&r, "two", (struct waits){ .host = 3, .idle = 10 });
	fan_report_free(&r);
}

/* a leaves the queue of CPU 0 at 26, while that still idles, for CPU 2: b ran until 20. */
static void idle_that_has_not_ended_is_told_apart_too(void **state)
{
	struct tb *tb = two_vms(3);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0 siblings=0-1");
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=1 siblings=0-1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=0x1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=0x2");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(2, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 20), b, TB_S, tb_idle);
	tb_migrate(tb, by_us(2, 26, host), a, 0, 2);
	tb_switch(tb, at_us(2, 30), host, TB_S, a);
	tb_switch(tb, at_us(2, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .forced = 10, .idle = 6, .host = 4 });
	fan_report_free(&r);
}

/* A cookie counts from the line that tells it: a's and b's are told while b runs, at 16. */
static void before_the_first_cookie_is_told_it_is_a_bound(void **state)
{
	struct tb *tb = two_vms(2);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0 siblings=0-1");
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=1 siblings=0-1");
	tb_marker(tb, MODELLED_BASE + 16 * US, "fcap: task tid=101 tgid=100 cookie=0x5");
	tb_marker(tb, MODELLED_BASE + 16 * US, "fcap: task tid=201 tgid=200 cookie=0x5");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(0, 14), tb_idle, TB_R, a);
	/* the same once more, with equal cookies */
	tb_switch(tb, at_us(0, 20), a, TB_R, tb_idle);
	tb_switch(tb, at_us(0, 24), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_us(1, 100), b, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .forced = 4, .idle = 4 });
	assert_true(is_bound(&r));
	fan_report_free(&r);
}

/*
 * CPU 0 idles with a in its queue from 10 on while CPU 1 changes between b and idle every 10 us.
 * 1023 such stretches are kept: 512 forced, 511 idle. What comes then, up to 20010, is unknown.
 */
static void idle_that_changes_very_often_becomes_unknown(void **state)
{
	struct tb *tb = one_core(2, "0-1", "0x1", "0x2");
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	for (unsigned int i = 1; i <= 2000; i++)
		tb_switch(tb, at_us(1, 10 + 10 * i), i % 2 ? b : tb_idle, TB_S,
			  i % 2 ? tb_idle : b);
	tb_switch(tb, at_us(0, 20010), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 20100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one",
		     (struct waits){ .forced = 5120, .idle = 5110, .unknown = 20000 - 10230 });
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_cookie_on_the_core_forces_idle),
		cmocka_unit_test(an_equal_cookie_forces_nothing),
		cmocka_unit_test(no_cookie_forces_nothing),
		cmocka_unit_test(where_cookies_are_not_told_it_is_an_upper_bound),
		cmocka_unit_test(without_a_topology_nothing_is_forced),
		cmocka_unit_test(another_core_forces_nothing),
		cmocka_unit_test(any_of_four_siblings_forces_idle),
		cmocka_unit_test(a_waiter_that_may_run_makes_it_plain_idle),
		cmocka_unit_test(idle_that_has_not_ended_is_told_apart_too),
		cmocka_unit_test(before_the_first_cookie_is_told_it_is_a_bound),
		cmocka_unit_test(idle_that_changes_very_often_becomes_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
