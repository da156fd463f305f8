// SPDX-License-Identifier: GPL-3.0-or-later
/* Hardware does not change: siblings that are told late were siblings from the start. */
#include "tests/unit/isolated.h"

/*
 * a runs on CPU 0 from 0 to 1000, b on CPU 1 from 100 to 900, and a enters its guest again at 300:
 * 800 on one core, of which 200 are on the way and 600 a violation.
 */
static struct tb *shared(void)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_switch(tb, on(0, 0), tb_idle, TB_R, a);
	tb_kvm_entry(tb, by(0, 1, a), 0);
	tb_switch(tb, on(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, on(1, 1), b, TB_S, tb_idle);
	tb_switch(tb, on(1, 100), tb_idle, TB_R, b);
	tb_kvm_exit(tb, by(0, 200, a), 0, 1);
	tb_kvm_entry(tb, by(0, 300, a), 0);
	return tb;
}

static struct tb *ended(struct tb *tb)
{
	tb_switch(tb, on(1, 900), b, TB_S, tb_idle);
	tb_switch(tb, on(0, 1000), a, TB_S, tb_idle);
	tb_switch(tb, on(1, 1100), tb_idle, TB_R, b);
	return tb;
}

static void assert_shared(struct fan_model *m)
{
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);
	const struct fan_core *core = fan_core_of(m->cores, 1);

	assert_non_null(core);
	assert_int_equal(core->n, 2);
	/* b was there for 1 us before */
	assert_int_equal(vm->co_run_ns, 801 * US);
	assert_int_equal(vm->violation_ns, 600 * US);
	fan_model_free(m);
}

static void lines_before_the_first_event_tell_siblings(void **state)
{
	struct tb *tb = shared();

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0 core=0 siblings=0-1");
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=1 core=0 siblings=0-1");
	assert_shared(isolation_of(ended(tb), NULL));
}

static void a_line_that_comes_late_counts_from_the_start(void **state)
{
	struct tb *tb = shared();

	(void)state;
	tb_marker(tb, MODELLED_BASE + 500 * US, "fcap: cpu id=0 core=0 siblings=0-1");
	assert_shared(isolation_of(ended(tb), NULL));
	/* also one that somebody wrote to the main buffer */
	tb = shared();
	tb_print(tb, by(0, 500, a), "fcap: cpu id=0 core=0 siblings=0-1");
	assert_shared(isolation_of(ended(tb), NULL));
	/* and one behind all that is analysed */
	tb = shared();
	tb_marker(tb, MODELLED_BASE + 1050 * US, "fcap: cpu id=0 core=0 siblings=0-1");
	assert_shared(isolation_of(ended(tb), NULL));
}

/* While a sibling is off, the kernel does not list it. */
static void a_sibling_that_comes_on_was_one_before(void **state)
{
	struct tb *tb = shared();

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0 core=0 siblings=0");
	tb_marker(tb, MODELLED_BASE + 500 * US, "fcap: cpu id=0 core=0 siblings=0-1");
	tb_marker(tb, MODELLED_BASE + 500 * US, "fcap: cpu id=1 core=0 siblings=0-1");
	assert_shared(isolation_of(ended(tb), NULL));
}

static void a_sibling_that_goes_off_stays_one(void **state)
{
	struct tb *tb = shared();

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0 core=0 siblings=0-1");
	tb_marker(tb, MODELLED_BASE + 500 * US, "fcap: cpu id=0 core=0 siblings=0");
	assert_shared(isolation_of(ended(tb), NULL));
}

static void what_the_user_says_of_siblings_stands(void **state)
{
	struct tb *tb = shared();
	struct fan_model *m;

	(void)state;
	tb_marker(tb, MODELLED_BASE + 500 * US, "fcap: cpu id=0 core=0 siblings=0-1");
	m = isolation_of(ended(tb), "0;1");
	assert_int_equal(fan_core_of(m->cores, 0)->n, 1);
	fan_model_free(m);
}

static void cores_of_one_cpu_need_no_second_look(void **state)
{
	struct tb *tb = shared();
	struct fan_model *m;

	(void)state;
	tb_marker(tb, MODELLED_BASE + 500 * US, "fcap: cpu id=0 core=0 siblings=0");
	m = isolation_of(ended(tb), NULL);
	assert_false(m->cores->has_smt || m->cores->are_given);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_before_the_first_event_tell_siblings),
		cmocka_unit_test(a_line_that_comes_late_counts_from_the_start),
		cmocka_unit_test(a_sibling_that_comes_on_was_one_before),
		cmocka_unit_test(a_sibling_that_goes_off_stays_one),
		cmocka_unit_test(what_the_user_says_of_siblings_stands),
		cmocka_unit_test(cores_of_one_cpu_need_no_second_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
