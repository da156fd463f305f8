// SPDX-License-Identifier: GPL-3.0-or-later
/* What is due while cgroups and threads become idle ones: a value holds until the next line. */
#include "tests/unit/demanded.h"

/* a alone 0-4 and 16-20; half of 4-10; of 10-16 3 parts of 1027, as /a is idle from 10 on. */
static void a_cgroup_that_becomes_idle_is_due_little_from_then_on(void **state)
{
	struct tb *tb = two_vms(1024, 1024);

	(void)state;
	take_turns(tb);
	tb_marker(tb, MODELLED_BASE + 10 * MODELLED_MS, "fcap: cg path=/a weight=1024 idle=1");
	assert_dues(tb, 1, (const double[]){ 4 + 3 + 6 * 3.0 / 1027 + 4, 3 + 6 * 1024.0 / 1027 },
		    2);
}

/* The same of a thread in the root: SCHED_IDLE from 10 on. */
static void a_thread_that_becomes_idle_is_due_little_from_then_on(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 1);
	add_vcpu(tb, 101, 100, "cgroup=/ nice=0 policy=other");
	add_vcpu(tb, 201, 200, "cgroup=/ nice=0 policy=other");
	take_turns(tb);
	tb_marker(tb, MODELLED_BASE + 10 * MODELLED_MS,
		  "fcap: task tid=101 tgid=100 nice=0 policy=idle");
	assert_dues(tb, 1, (const double[]){ 4 + 3 + 6 * 3.0 / 1027 + 4, 3 + 6 * 1024.0 / 1027 },
		    2);
}

/* Autogroups of nice 0 and, from 10 on, of 5 (335): 335 parts of 1359. */
static void an_autogroup_whose_nice_changes_is_due_another_part(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 1);
	add_vcpu(tb, 101, 100, "cgroup=/ nice=0 autogroup=5 autogroup_nice=0");
	add_vcpu(tb, 201, 200, "cgroup=/ nice=0 autogroup=6 autogroup_nice=0");
	take_turns(tb);
	tb_marker(tb, MODELLED_BASE + 10 * MODELLED_MS,
		  "fcap: task tid=101 tgid=100 nice=0 autogroup=5 autogroup_nice=5");
	assert_dues(tb, 1, (const double[]){ 4 + 3 + 6 * 335.0 / 1359 + 4, 3 + 6 * 1024.0 / 1359 },
		    2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cgroup_that_becomes_idle_is_due_little_from_then_on),
		cmocka_unit_test(a_thread_that_becomes_idle_is_due_little_from_then_on),
		cmocka_unit_test(an_autogroup_whose_nice_changes_is_due_another_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
