// SPDX-License-Identifier: GPL-3.0-or-later
/* Forced idle where something is missing: of the time, of the events, of what is known. */
#include "tests/unit/forced.h"

static void only_the_analysed_time_counts(void **state)
{
	struct fan_model *m;

	(void)state;
	/* all of it is 10 to 20 */
	m = forced_between(idle_beside(core_of(2)), 12, 18);
	assert_forced(m, 6, 0);
	assert_vm(m, b, PARTS(6, 1), 0);
	assert_vm(m, a, 0, 6);
	fan_model_free(m);
	m = forced_between(idle_beside(core_of(2)), 15, 0);
	assert_forced(m, 5, 0);
	fan_model_free(m);
	m = forced_between(idle_beside(core_of(2)), 21, 0);
	assert_forced(m, 0, 0);
	fan_model_free(m);
}

/*
 * a waits for CPU 0 from 10 on, b runs on CPU 1 until 100. CPU 0 shows at 20 that it idles, and at
 * 50 that it runs the browser, whose switch-in is missing; it idles again from 60 on, until 80.
 */
static void a_gap_takes_back_what_it_makes_unknown(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_wakeup(tb, at_us(0, 20), a2, 0);
	tb_wakeup(tb, by_us(1, 40, b), c, 0);
	tb_wakeup(tb, by_us(0, 50, user), user, 0);
	tb_switch(tb, at_us(0, 60), user, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 80), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 100), b, TB_S, tb_idle);
	m = forced_of(tb);
	assert_forced(m, 10 + 20, 0);
	assert_vm(m, b, PARTS(30, 1), 0);
	assert_vm(m, a, 0, 30);
	/* c waits from 40 on: none of 40 to 50 is left */
	assert_vm(m, c, 0, 20);
	assert_int_equal(fan_forced_idle_suffered_ns(m->forced_idle), 30 * US);
	fan_model_free(m);
}

/* The same, where it is the sibling of which nobody knows: last seen with b at 15, then with c. */
static void a_gap_of_the_sibling_does_so_too(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_kvm_entry(tb, by_us(1, 15, b), 0);
	tb_kvm_entry(tb, by_us(1, 40, c), 0);
	tb_switch(tb, at_us(1, 47), c, TB_S, tb_idle);
	m = forced_of(tb);
	assert_forced(m, 5 + 7, 0);
	assert_vm(m, b, PARTS(5, 1), 0);
	assert_vm(m, c, PARTS(7, 1), 0);
	assert_vm(m, a, 0, 12);
	fan_model_free(m);
}

/*
 * Lost events on CPU 0 between 10 and 50: a is not known to wait any more. c, woken at 55, is,
 * until the end at 60.
 */
static void a_loss_takes_back_what_it_makes_unknown(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_missed(tb, 0, 7);
	tb_wakeup(tb, at_us(0, 50), b2, 1);
	tb_wakeup(tb, at_us(0, 55), c, 0);
	tb_switch(tb, at_us(1, 60), b, TB_S, tb_idle);
	m = forced_of(tb);
	assert_forced(m, 5, 0);
	assert_vm(m, a, 0, 0);
	assert_vm(m, c, 0, 5);
	fan_model_free(m);
}

/*
 * While a waits for CPU 0, b and c take turns on CPU 1, 20 times 1 us each, from 10 on. That CPU 0
 * idled was last seen at 30, and then runs the browser: only b's and c's first 10 us are left.
 */
static void a_gap_takes_back_many_changes(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	for (unsigned int i = 1; i < 40; i++)
		tb_switch(tb, at_us(1, 10 + i), i % 2 ? b : c, TB_R, i % 2 ? c : b);
	tb_wakeup(tb, at_us(0, 30), a2, 1);
	tb_wakeup(tb, by_us(0, 49, user), user, 0);
	tb_switch(tb, at_us(1, 60), c, TB_R, tb_idle);
	m = forced_of(tb);
	assert_forced(m, 20, 0);
	assert_vm(m, b, PARTS(10, 1), 0);
	assert_vm(m, c, PARTS(10, 1), 0);
	assert_vm(m, a, 0, 20);
	fan_model_free(m);
}

/* As above, 1000 changes long: too many to be taken back, but what is left adds up. */
static void what_a_gap_leaves_adds_up(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;
	uint64_t ns;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	for (unsigned int i = 1; i < 1000; i++)
		tb_switch(tb, at_us(1, 10 + i), i % 2 ? b : c, TB_R, i % 2 ? c : b);
	tb_wakeup(tb, by_us(0, 1010, user), user, 0);
	m = forced_of(tb);
	ns = fan_forced_idle_ns(m->forced_idle);
	/* of 256 bookings of 3 parties half are let go of at a time: 42 to 85 changes were left */
	assert_in_range(ns, (1000 - 86) * US, (1000 - 42) * US);
	assert_vm(m, a, 0, ns / US);
	assert_int_equal(fan_forced_idle_suffered_ns(m->forced_idle), ns);
	fan_model_free(m);
}

/* a waits in /one/vcpus from 10 to 20; the throttled time of a cgroup rises by 1 us meanwhile. */
static bool is_bound_by(const char *throttled)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;
	bool ret;

	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/one parent=/");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/one/vcpus parent=/one");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=%s throttled_ns=5000", throttled);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/one/vcpus");
	tb_marker(tb, MODELLED_BASE + 50 * US, "fcap: cg path=%s throttled_ns=6000", throttled);
	m = forced_of(idle_beside(tb));
	assert_forced(m, 10, 0);
	ret = fan_forced_idle_is_bound(m->forced_idle);
	fan_model_free(m);
	return ret;
}

static void who_waited_may_have_been_throttled(void **state)
{
	(void)state;
	assert_true(is_bound_by("/one"));
	assert_true(is_bound_by("/one/vcpus"));
	assert_false(is_bound_by("/two"));
	assert_false(is_bound_by("/on"));
}

/* Without SMT, and with no topology at all. */
static void without_siblings_there_is_none(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct tb *tb = two_vms(2);
		struct fan_model *m;

		for (int cpu = 0; i == 0 && cpu < 2; cpu++)
			tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d siblings=%d", cpu, cpu);
		m = forced_of(idle_beside(with_cookies(tb)));
		assert_forced(m, 0, 0);
		assert_false(fan_forced_idle_is_bound(m->forced_idle));
		fan_model_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_analysed_time_counts),
		cmocka_unit_test(a_gap_takes_back_what_it_makes_unknown),
		cmocka_unit_test(a_gap_of_the_sibling_does_so_too),
		cmocka_unit_test(a_loss_takes_back_what_it_makes_unknown),
		cmocka_unit_test(a_gap_takes_back_many_changes),
		cmocka_unit_test(what_a_gap_leaves_adds_up),
		cmocka_unit_test(who_waited_may_have_been_throttled),
		cmocka_unit_test(without_siblings_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
