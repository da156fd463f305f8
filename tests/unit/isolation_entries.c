// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * From the first kvm_entry on, the begin of KVM_RUN is none, whoever has made that entry. Times are
 * in us; what is wanted is worked out beside each test.
 */
#include "tests/unit/isolated.h"

/*
 * a is on CPU 0 from 0 to 500, b on CPU 1 from 100 to 400. c has entered its guest at 5, on CPU 2,
 * which has no siblings: so a's begin of KVM_RUN at 200 is no entry. Late is a, the pairing is from
 * 100 to 400 without an entry: 300 unresolved.
 */
static void assert_load_is_no_entry(const char *siblings)
{
	struct tb *tb = tb_new(3, 6, TB_PLAIN);
	struct fan_model *m;

	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 2, 0, tb_idle, c);
	enter(tb, 2, 5, c);
	run(tb, 1, 100, tb_idle, b);
	tb_kvm_fpu(tb, by(0, 200, a), 1);
	run(tb, 1, 400, b, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	run(tb, 2, 500, c, tb_idle);
	m = isolation_of(tb, siblings);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 0, 0, 300, 0, 1, 0, 1 });
	fan_model_free(m);
}

static void an_entry_on_a_core_of_one_cpu_is_an_entry(void **state)
{
	(void)state;
	assert_load_is_no_entry("0-1;2");
}

static void an_entry_on_a_cpu_of_no_known_core_is_an_entry(void **state)
{
	(void)state;
	assert_load_is_no_entry("0-1");
}

/*
 * CPUs 0 and 2 are siblings. KVM_RUN of a, on CPU 0, begins at 10 and again at 100; then, still at
 * 100, c makes the first entry of all on CPU 1, and then b gets on CPU 2, to 400. The begin at 100
 * is as little an entry as that at 10: of the pairing, 100 to 400, late is a, and all is
 * unresolved.
 */
static void what_began_at_the_time_of_the_first_entry_is_none_either(void **state)
{
	struct tb *tb = tb_new(3, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	tb_kvm_fpu(tb, by(0, 10, a), 1);
	tb_kvm_fpu(tb, by(0, 100, a), 1);
	run(tb, 1, 0, tb_idle, c);
	enter(tb, 1, 100, c);
	run(tb, 2, 100, tb_idle, b);
	run(tb, 2, 400, b, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	run(tb, 1, 500, c, tb_idle);
	m = isolation_of(tb, "0,2;1");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 0, 0, 300, 0, 1, 0, 1 });
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_on_a_core_of_one_cpu_is_an_entry),
		cmocka_unit_test(an_entry_on_a_cpu_of_no_known_core_is_an_entry),
		cmocka_unit_test(what_began_at_the_time_of_the_first_entry_is_none_either),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
