// SPDX-License-Identifier: GPL-3.0-or-later
/* Entitlement of idle cgroups, policies and autogroups; each sum worked out by hand. */
#include "tests/unit/entitled.h"

static void a_v1_cgroup_says_that_it_is_idle(void **state)
{
	struct host h = host_with(1);

	(void)state;
	/* 3 of 3 + 1024; and one that no longer is counts by its weight again */
	add_cgroup(&h, "/a", "parent=/ weight=1024 scale=shares idle=1");
	add_cgroup(&h, "/b", "parent=/ weight=1024 scale=shares idle=0");
	add_vm(&h, 100, 1, "cgroup=/a");
	add_vm(&h, 200, 1, "cgroup=/b");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 3.0 / 1027);
	assert_cpus(&h, 200, 1024.0 / 1027);
	done(&h);
	h = host_with(1);
	add_cgroup(&h, "/a", "parent=/ weight=512 scale=shares idle=1");
	add_cgroup(&h, "/a", "weight=512 idle=0");
	add_cgroup(&h, "/b", "parent=/ weight=1536 scale=shares");
	add_vm(&h, 100, 1, "cgroup=/a");
	add_vm(&h, 200, 1, "cgroup=/b");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 0.25);
	assert_cpus(&h, 200, 0.75);
	done(&h);
}

static void what_lies_below_an_idle_cgroup_divides_what_it_gets(void **state)
{
	struct host h = host_with(1027);

	(void)state;
	/* 1027 CPUs: /m has 3 of them, a and b one and two of these; /c the rest */
	add_cgroup(&h, "/m", "parent=/ weight=0 scale=weight idle=1");
	add_cgroup(&h, "/m/a", "parent=/m weight=100 scale=weight idle=0");
	add_cgroup(&h, "/m/b", "parent=/m weight=200 scale=weight idle=0");
	add_cgroup(&h, "/c", "parent=/ weight=100 scale=weight idle=0");
	add_vm(&h, 100, 4, "cgroup=/m/a");
	add_vm(&h, 200, 4, "cgroup=/m/b");
	add_vm(&h, 300, 1027, "cgroup=/c");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 1);
	assert_cpus(&h, 200, 2);
	assert_cpus(&h, 300, 1024);
	done(&h);
}

static void threads_of_sched_idle_weigh_3_whatever_their_nice(void **state)
{
	struct host h = host_with(1);

	(void)state;
	/* 3, 3 and 1024 */
	add_vm(&h, 100, 1, "cgroup=/ nice=0 policy=idle");
	add_vm(&h, 200, 1, "cgroup=/ nice=-20 policy=idle");
	add_vm(&h, 300, 1, "cgroup=/ nice=0 policy=batch");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 3.0 / 1030);
	assert_cpus(&h, 200, 3.0 / 1030);
	assert_cpus(&h, 300, 1024.0 / 1030);
	done(&h);
}

static void a_policy_that_is_told_anew_counts(void **state)
{
	struct host h = host_with(1);

	(void)state;
	/* idle at first, then as everybody: 1024 and 15; a word that nobody knows changes nothing
	 */
	add_vm(&h, 100, 1, "cgroup=/ nice=0 policy=idle");
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 nice=0 policy=other");
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 nice=0 policy=42");
	add_vm(&h, 200, 1, "cgroup=/ nice=19 policy=other");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 1024.0 / 1039);
	assert_cpus(&h, 200, 15.0 / 1039);
	done(&h);
}

static void realtime_threads_count_as_nice_minus_20(void **state)
{
	static const char *const policy[] = { "fifo", "rr", "deadline" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct host h = host_with(1);
		char keys[48];

		snprintf(keys, sizeof(keys), "cgroup=/ nice=0 policy=%s", policy[i]);
		add_vm(&h, 100, 1, keys);
		add_vm(&h, 200, 1, "cgroup=/ nice=0 policy=other");
		entitle(&h, 1, FAN_GROUP_VM);
		assert_cpus(&h, 100, 88761.0 / 89785);
		assert_cpus(&h, 200, 1024.0 / 89785);
		done(&h);
	}
}

static void autogroups_weigh_by_their_own_nice(void **state)
{
	struct host h = host_with(1);

	(void)state;
	/* autogroup 5 of nice 5 (335, told last), 6 of nice 0: those of their threads do not count
	 */
	add_vm(&h, 100, 1, "cgroup=/ nice=-5 autogroup=5 autogroup_nice=10");
	add_vm(&h, 200, 1, "cgroup=/ nice=5 autogroup=6 autogroup_nice=0");
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 autogroup_nice=5");
	/* no such nice value */
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 autogroup_nice=40");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 335.0 / 1359);
	assert_cpus(&h, 200, 1024.0 / 1359);
	done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_v1_cgroup_says_that_it_is_idle),
		cmocka_unit_test(what_lies_below_an_idle_cgroup_divides_what_it_gets),
		cmocka_unit_test(threads_of_sched_idle_weigh_3_whatever_their_nice),
		cmocka_unit_test(a_policy_that_is_told_anew_counts),
		cmocka_unit_test(realtime_threads_count_as_nice_minus_20),
		cmocka_unit_test(autogroups_weigh_by_their_own_nice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
