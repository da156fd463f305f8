// SPDX-License-Identifier: GPL-3.0-or-later
/* CPU time that core scheduling keeps idle, worked out by hand: whose it is, and who pays. */
#include "tests/unit/forced.h"

static void who_runs_beside_it_causes_it_and_who_waits_suffers(void **state)
{
	struct fan_model *m = forced_of(idle_beside(core_of(2)));

	(void)state;
	/* 10 to 20; from there on nobody is in the way */
	assert_forced(m, 10, 0);
	assert_vm(m, b, PARTS(10, 1), 0);
	assert_vm(m, a, 0, 10);
	assert_vm(m, c, 0, 0);
	assert_int_equal(fan_forced_idle_suffered_ns(m->forced_idle), 10 * US);
	assert_int_equal(fan_forced_idle_core_ns(m->forced_idle, 0), 10 * US);
	assert_int_equal(fan_forced_idle_core_ns(m->forced_idle, 1), 0);
	assert_false(fan_forced_idle_is_bound(m->forced_idle));
	fan_model_free(m);
}

/* The same, with the cookies of a and b as given; NULL: not told. */
static uint64_t forced_us(const char *cookie_a, const char *cookie_b, bool *ret_is_bound)
{
	struct tb *tb = vms_on(2, "0-1");
	struct fan_model *m;
	uint64_t ns;

	if (cookie_a)
		tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=%s", cookie_a);
	if (cookie_b)
		tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=%s", cookie_b);
	m = forced_of(idle_beside(tb));
	ns = fan_forced_idle_ns(m->forced_idle);
	*ret_is_bound = fan_forced_idle_is_bound(m->forced_idle);
	fan_model_free(m);
	return ns / US;
}

static void it_takes_another_cookie_that_is_not_0(void **state)
{
	bool is_bound;

	(void)state;
	assert_int_equal(forced_us("0x1", "0x2", &is_bound), 10);
	assert_int_equal(forced_us("0x0", "0x2", &is_bound), 10);
	assert_int_equal(forced_us(NULL, "0x2", &is_bound), 10);
	assert_false(is_bound);
	assert_int_equal(forced_us("0x2", "0x2", &is_bound), 0);
	assert_int_equal(forced_us("0x1", "0x0", &is_bound), 0);
	assert_int_equal(forced_us("0x1", NULL, &is_bound), 0);
	assert_int_equal(forced_us("0x0", "0x0", &is_bound), 0);
	assert_false(is_bound);
}

static void where_no_cookie_is_told_it_is_a_bound(void **state)
{
	bool is_bound;

	(void)state;
	assert_int_equal(forced_us(NULL, NULL, &is_bound), 10);
	assert_true(is_bound);
}

/* CPU 0 idles all the time; a is woken at 15, runs at 40. b runs on CPU 1 from 0 to 50. */
static void it_begins_when_somebody_waits(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 1), tb_idle, TB_R, host);
	tb_switch(tb, at_us(0, 2), host, TB_S, tb_idle);
	tb_wakeup(tb, by_us(1, 15, b), a, 0);
	tb_switch(tb, at_us(0, 40), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 50), b, TB_S, tb_idle);
	m = forced_of(tb);
	assert_forced(m, 25, 0);
	assert_vm(m, b, PARTS(25, 1), 0);
	assert_vm(m, a, 0, 25);
	fan_model_free(m);
}

/* CPU 0 idles from 10 to 40 with a in its queue; b2, which may run beside b, joins it 20 to 35. */
static void it_pauses_while_somebody_waits_who_may_run(void **state)
{
	struct tb *tb = with_cookies(vms_on(3, "0-1"));
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(2, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_wakeup(tb, by_us(1, 20, b), b2, 0);
	tb_migrate(tb, by_us(2, 35, host), b2, 0, 2);
	tb_switch(tb, at_us(0, 40), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 100), b, TB_S, tb_idle);
	m = forced_of(tb);
	/* 10 to 20, 35 to 40 */
	assert_forced(m, 15, 0);
	assert_vm(m, b, PARTS(15, 1), 0);
	assert_vm(m, a, 0, 15);
	fan_model_free(m);
}

/*
 * a waits for CPU 0 from 10 to 60. CPU 1: b until 20, kworker (cookie 0) until 25, the browser of
 * no VM (cookie 9) until 40, idle until 50, c until 60.
 */
static void it_follows_what_the_sibling_runs(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 20), b, TB_S, host);
	tb_switch(tb, at_us(1, 25), host, TB_S, user);
	tb_switch(tb, at_us(1, 40), user, TB_S, tb_idle);
	tb_switch(tb, at_us(1, 50), tb_idle, TB_R, c);
	tb_switch(tb, at_us(1, 60), c, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 60), tb_idle, TB_R, a);
	m = forced_of(tb);
	/* 10-20 by b, 25-40 by the browser, 50-60 by c */
	assert_forced(m, 10 + 15 + 10, PARTS(15, 1));
	assert_vm(m, b, PARTS(10, 1), 0);
	assert_vm(m, c, PARTS(10, 1), 0);
	assert_vm(m, a, 0, 35);
	fan_model_free(m);
}

/* a and a2 wait for CPU 0 from 10, c from 20 on, the browser (of no VM) from 30 on; b runs to 50.
 */
static void all_who_wait_suffer_and_each_vm_once(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_wakeup(tb, by_us(0, 10, a), a2, 0);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_wakeup(tb, by_us(1, 20, b), c, 0);
	tb_wakeup(tb, by_us(1, 30, b), user, 0);
	tb_switch(tb, at_us(1, 50), b, TB_S, tb_idle);
	m = forced_of(tb);
	assert_forced(m, 40, 0);
	assert_vm(m, b, PARTS(40, 1), 0);
	assert_vm(m, a, 0, 40);
	assert_vm(m, c, 0, 30);
	/* not 40 + 30 */
	assert_int_equal(fan_forced_idle_suffered_ns(m->forced_idle), 40 * US);
	fan_model_free(m);
}

/* Only the browser waits for CPU 0 while b runs, from 10 to 30. */
static void who_is_of_no_vm_suffers_for_nobody(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, user);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), user, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 30), b, TB_S, tb_idle);
	m = forced_of(tb);
	assert_forced(m, 20, 0);
	assert_vm(m, b, PARTS(20, 1), 0);
	assert_int_equal(fan_forced_idle_suffered_ns(m->forced_idle), 0);
	fan_model_free(m);
}

/* On CPUs 1 to 3 run b, b2 and kworker; a waits for CPU 0 from 10 to 40. */
static void three_siblings_share_in_what_they_cause(void **state)
{
	struct tb *tb = core_of(4);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(2, 0), tb_idle, TB_R, b2);
	tb_switch(tb, at_us(3, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(0, 40), tb_idle, TB_R, a);
	m = forced_of(tb);
	assert_forced(m, 30, PARTS(30, 3));
	assert_vm(m, b, PARTS(2 * 30, 3), 0);
	assert_vm(m, a, 0, 30);
	fan_model_free(m);
}

/*
 * b runs on CPU 3. a waits for CPU 0 from 10 to 40, a2 for CPU 1 from 20 to 40, c for CPU 2 from 20
 * to 40 too; CPU 3 idles from 30 on.
 */
static void several_cpus_of_a_core_count_each(void **state)
{
	struct tb *tb = core_of(4);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, a2);
	tb_switch(tb, at_us(2, 0), tb_idle, TB_R, c);
	tb_switch(tb, at_us(3, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 20), a2, TB_R, tb_idle);
	tb_switch(tb, at_us(2, 20), c, TB_R, tb_idle);
	tb_switch(tb, at_us(3, 30), b, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 40), tb_idle, TB_R, a);
	m = forced_of(tb);
	/*
	 * CPU 0, 10-20: a2, c and b run, in thirds, and none of them is of a's cookie but a2: her
	 * cookie is not what counts, as b's and c's exclude a. CPUs 0 to 2, 20-30: by b alone. At
	 * 40 a runs on CPU 0 and excludes c, but not a2: CPU 2, until the end at 40, nothing.
	 */
	assert_forced(m, 10 + 30, 0);
	assert_vm(m, a, PARTS(10, 3), 20 + 10);
	assert_vm(m, b, PARTS(10, 3) + PARTS(30, 1), 0);
	assert_vm(m, c, PARTS(10, 3), 10);
	assert_int_equal(fan_forced_idle_suffered_ns(m->forced_idle), 40 * US);
	fan_model_free(m);
}

/* c waits for CPU 0 from 10 to 31; on all others browsers run, of one process. */
static uint64_t caused_by_browsers(int cpus, uint64_t *ret_by_c)
{
	struct tb *tb = core_of(cpus);
	struct fan_model *m;
	uint64_t ret;

	for (int i = 1; i < cpus; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: task tid=%d tgid=41 cookie=0x9", 41 + i);
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, c);
	for (int i = 1; i < cpus - 1; i++)
		tb_switch(tb, at_us(i, 0), tb_idle, TB_R, (struct tb_task){ 41 + i, "browser", 0 });
	tb_switch(tb, at_us(cpus - 1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), c, TB_R, tb_idle);
	tb_switch(tb, at_us(0, 31), tb_idle, TB_R, c);
	m = forced_of(tb);
	assert_int_equal(fan_forced_idle_ns(m->forced_idle), 21 * US);
	assert_vm(m, c, 0, 21);
	ret = fan_forced_idle_caused_by_none(m->forced_idle);
	*ret_by_c = PARTS(21, 1) - ret;
	assert_vm(m, b, *ret_by_c, 0);
	fan_model_free(m);
	return ret;
}

static void seven_of_eight_and_twelve_of_thirteen_share_all_of_it(void **state)
{
	uint64_t by_b;

	(void)state;
	assert_int_equal(caused_by_browsers(8, &by_b), PARTS(6 * 21, 7));
	assert_int_equal(by_b, PARTS(21, 7));
	/* 840 is 12 x 70 */
	assert_int_equal(caused_by_browsers(13, &by_b), PARTS(11 * 21, 12));
	/* 840 is 11 x 76 and 4 more: 7 have 76 and the last 4 have 77 parts */
	assert_int_equal(caused_by_browsers(12, &by_b), 21 * US * (7 * 76 + 3 * 77));
	assert_int_equal(by_b, 21 * US * 77);
}

/* Siblings 0, 2 and 1, 3: b on CPU 1 is in nobody's way, b2 on CPU 2 is in a's. */
static void cores_are_told_apart(void **state)
{
	struct tb *tb = two_vms(4);
	struct fan_model *m;

	(void)state;
	for (int i = 0; i < 4; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d siblings=%d,%d", i, i % 2, i % 2 + 2);
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=202 tgid=200 id=1");
	with_cookies(tb);
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(2, 0), tb_idle, TB_R, tb_idle);
	tb_switch(tb, at_us(3, 0), tb_idle, TB_R, a2);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(2, 25), tb_idle, TB_R, b2);
	tb_switch(tb, at_us(2, 30), b2, TB_S, tb_idle);
	tb_switch(tb, at_us(3, 40), a2, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 48), b, TB_S, tb_idle);
	m = forced_of(tb);
	assert_int_equal(fan_forced_idle_core_ns(m->forced_idle, 0), 5 * US);
	assert_int_equal(fan_forced_idle_core_ns(m->forced_idle, 1), 8 * US);
	assert_vm(m, b, PARTS(13, 1), 0);
	assert_vm(m, a, 0, 13);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_runs_beside_it_causes_it_and_who_waits_suffers),
		cmocka_unit_test(it_takes_another_cookie_that_is_not_0),
		cmocka_unit_test(where_no_cookie_is_told_it_is_a_bound),
		cmocka_unit_test(it_begins_when_somebody_waits),
		cmocka_unit_test(it_pauses_while_somebody_waits_who_may_run),
		cmocka_unit_test(it_follows_what_the_sibling_runs),
		cmocka_unit_test(all_who_wait_suffer_and_each_vm_once),
		cmocka_unit_test(who_is_of_no_vm_suffers_for_nobody),
		cmocka_unit_test(three_siblings_share_in_what_they_cause),
		cmocka_unit_test(several_cpus_of_a_core_count_each),
		cmocka_unit_test(seven_of_eight_and_twelve_of_thirteen_share_all_of_it),
		cmocka_unit_test(cores_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
