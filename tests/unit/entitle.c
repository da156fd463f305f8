// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Entitlement from marker lines: hosts of a few cgroups and VMs, each sum worked out by hand.
 * All VMs want all their vCPUs all the time.
 */
#include "tests/unit/entitled.h"

/* Two VMs (tgid 100 and 200), each in a v1 cgroup of its own. */
struct pair {
	unsigned int cpus, weight_a, weight_b;
	int vcpus_a, vcpus_b;
};

static struct host pair_of(struct pair p)
{
	struct host h = host_with(p.cpus);
	char keys[64];

	snprintf(keys, sizeof(keys), "parent=/ weight=%u scale=shares", p.weight_a);
	add_cgroup(&h, "/a", keys);
	snprintf(keys, sizeof(keys), "parent=/ weight=%u scale=shares", p.weight_b);
	add_cgroup(&h, "/b", keys);
	add_vm(&h, 100, p.vcpus_a, "cgroup=/a");
	add_vm(&h, 200, p.vcpus_b, "cgroup=/b");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_int_equal(h.e.entities, FAN_ENTITY_CGROUP);
	assert_false(h.e.is_approximate);
	assert_near(h.e.capacity, p.cpus, EXACT);
	return h;
}

static void weights_of_two_cgroups_divide_the_host(void **state)
{
	static const struct {
		struct pair p;
		double a, b;
		bool is_contended;
	} rows[] = {
		{ { 4, 128, 1152, 4, 4 }, 0.4, 3.6, true }, { { 4, 128, 1152, 4, 2 }, 2, 2, true },
		{ { 4, 800, 200, 1, 4 }, 1, 3, true },	    { { 8, 1024, 1024, 8, 8 }, 4, 4, true },
		{ { 2, 128, 1152, 1, 1 }, 1, 1, false },    { { 4, 128, 1152, 1, 1 }, 1, 1, false },
		{ { 1, 128, 1152, 1, 1 }, 0.1, 0.9, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct host h = pair_of(rows[i].p);

		assert_cpus(&h, 100, rows[i].a);
		assert_cpus(&h, 200, rows[i].b);
		assert_int_equal(h.e.is_contended, rows[i].is_contended);
		assert_near(of(&h, 100)->cap, rows[i].p.vcpus_a, EXACT);
		assert_near(of(&h, 200)->weight, rows[i].p.weight_b, 0);
		done(&h);
	}
}

static void what_a_capped_vm_leaves_is_divided_by_weight(void **state)
{
	struct host h = host_with(8);

	(void)state;
	add_cgroup(&h, "/a", "parent=/ weight=1024 scale=shares");
	add_cgroup(&h, "/b", "parent=/ weight=1024 scale=shares");
	add_cgroup(&h, "/c", "parent=/ weight=2048 scale=shares");
	add_vm(&h, 100, 1, "cgroup=/a");
	add_vm(&h, 200, 8, "cgroup=/b");
	add_vm(&h, 300, 8, "cgroup=/c");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 1);
	assert_cpus(&h, 200, 7.0 / 3);
	assert_cpus(&h, 300, 14.0 / 3);
	done(&h);
}

static void vms_in_one_cgroup_compete_by_their_threads(void **state)
{
	struct host h = host_with(6);

	(void)state;
	add_cgroup(&h, "/all", "parent=/ weight=1024 scale=shares");
	add_vm(&h, 100, 8, "cgroup=/all");
	add_vm(&h, 200, 4, "cgroup=/all");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 4);
	assert_cpus(&h, 200, 2);
	/* the weight of the cgroup is neither's own */
	assert_true(isnan(of(&h, 100)->weight) && isnan(of(&h, 200)->weight));
	done(&h);
}

static void a_cgroup_divides_what_its_parent_gets(void **state)
{
	struct host h = host_with(8);

	(void)state;
	/* the parent is told only after the child, and by its path alone */
	add_cgroup(&h, "/m/a", "weight=1024 scale=shares");
	add_cgroup(&h, "/m/b", "weight=3072 scale=shares");
	add_cgroup(&h, "/n", "parent=/ weight=1024 scale=shares");
	add_cgroup(&h, "/m", "parent=/ weight=1024 scale=shares");
	/* no cpu controller at this one: what holds a weight above it competes */
	add_cgroup(&h, "/n/scope", "parent=/n");
	add_vm(&h, 100, 8, "cgroup=/m/a");
	add_vm(&h, 200, 8, "cgroup=/m/b");
	add_vm(&h, 300, 8, "cgroup=/n/scope");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 1);
	assert_cpus(&h, 200, 3);
	assert_cpus(&h, 300, 4);
	assert_near(of(&h, 300)->weight, 1024, 0);
	done(&h);
}

static void parents_that_form_a_circle_do_not_hang(void **state)
{
	struct host h = host_with(1);

	(void)state;
	add_cgroup(&h, "/a", "parent=/b weight=1024 scale=shares");
	add_cgroup(&h, "/b", "parent=/a weight=1024 scale=shares");
	add_vm(&h, 100, 1, "cgroup=/a");
	add_vm(&h, 200, 1, "cgroup=/b");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_near(of(&h, 100)->cpus + of(&h, 200)->cpus, 1, EXACT);
	done(&h);
}

static void weights_of_v2_weigh_1024_per_100(void **state)
{
	struct host h = host_with(1);

	(void)state;
	/* 100 -> 1024 and 300 -> 3072 beside a thread of nice 0 in the root: 1024 */
	add_cgroup(&h, "/a", "parent=/ weight=100 scale=weight");
	add_cgroup(&h, "/b", "parent=/ weight=300 scale=weight");
	add_vm(&h, 100, 1, "cgroup=/a");
	add_vm(&h, 200, 1, "cgroup=/b");
	add_vm(&h, 300, 1, "cgroup=/");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 0.2);
	assert_cpus(&h, 200, 0.6);
	assert_cpus(&h, 300, 0.2);
	assert_near(of(&h, 200)->weight, 300, 0); /* as the file says */
	assert_int_equal(h.e.entities, FAN_ENTITY_CGROUP | FAN_ENTITY_THREAD);
	done(&h);
}

static void a_cgroup_that_is_idle_weighs_3(void **state)
{
	struct host h = host_with(1);

	(void)state;
	/* cpu.idle=1 makes cpu.weight read 0 */
	add_cgroup(&h, "/a", "parent=/ weight=0 scale=weight");
	add_cgroup(&h, "/b", "parent=/ weight=100 scale=weight");
	add_vm(&h, 100, 1, "cgroup=/a");
	add_vm(&h, 200, 1, "cgroup=/b");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 3.0 / 1027);
	assert_cpus(&h, 200, 1024.0 / 1027);
	done(&h);
}

static void a_quota_caps_its_cgroup(void **state)
{
	struct host h = host_with(4);

	(void)state;
	add_cgroup(&h, "/a", "parent=/ weight=1024 scale=shares quota=100000 period=100000");
	add_cgroup(&h, "/b", "parent=/ weight=1024 scale=shares quota=max period=100000");
	add_vm(&h, 100, 4, "cgroup=/a");
	add_vm(&h, 200, 4, "cgroup=/b");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 1);
	assert_cpus(&h, 200, 3);
	assert_true(h.e.is_contended);
	done(&h);
}

static void a_quota_caps_all_that_lies_below(void **state)
{
	struct host h = host_with(4);

	(void)state;
	add_cgroup(&h, "/m", "parent=/ weight=9216 scale=shares quota=50000 period=25000");
	add_cgroup(&h, "/m/a", "parent=/m weight=1024 scale=shares");
	add_cgroup(&h, "/m/b", "parent=/m weight=3072 scale=shares");
	add_cgroup(&h, "/c", "parent=/ weight=1024 scale=shares");
	add_vm(&h, 100, 4, "cgroup=/m/a");
	add_vm(&h, 200, 4, "cgroup=/m/b");
	add_vm(&h, 300, 4, "cgroup=/c");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 0.5);
	assert_cpus(&h, 200, 1.5);
	assert_cpus(&h, 300, 2);
	done(&h);
}

/* Three cgroups of equal weight with VMs of 4 vCPUs on the given CPUs of 8. */
static struct host three_on(const char *a, const char *b, const char *d)
{
	const char *const list[] = { a, b, d }, *const path[] = { "/a", "/b", "/d" };
	struct host h = host_with(8);
	char keys[64];

	for (int i = 0; i < 3; i++) {
		add_cgroup(&h, path[i], "parent=/ weight=1024 scale=shares");
		snprintf(keys, sizeof(keys), "cgroup=%s cpus=%s", path[i], list[i]);
		add_vm(&h, 100 * (i + 1), 4, keys);
	}
	return h;
}

static void assert_three(struct host *h, double a, double b, double d)
{
	entitle(h, 1, FAN_GROUP_VM);
	assert_cpus(h, 100, a);
	assert_cpus(h, 200, b);
	assert_cpus(h, 300, d);
	assert_near(h->e.capacity, 8, EXACT);
}

static void cpu_sets_that_do_not_overlap_are_filled_alone(void **state)
{
	struct host h = three_on("0-3", "3,2,1,0", "4-7"); /* two notations of one set */

	(void)state;
	assert_three(&h, 2, 2, 4);
	assert_false(h.e.is_approximate);
	done(&h);
}

static void threads_of_no_group_do_not_join_cpu_sets(void **state)
{
	struct host h = three_on("0-3", "0-3", "4-7");

	(void)state;
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=900 tgid=900 comm=sshd cpus=0-7");
	/* an I/O thread of the first VM: only vCPU threads are entitled */
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=190 tgid=100 cgroup=/a cpus=2-5");
	assert_three(&h, 2, 2, 4);
	assert_false(h.e.is_approximate);
	done(&h);
}

static void cpu_sets_that_overlap_in_part_are_approximate(void **state)
{
	struct host h = three_on("0-3", "2-5", "6-7");

	(void)state;
	/* 0-5 filled as one, 6-7 alone: the cap is the set */
	assert_three(&h, 3, 3, 2);
	assert_near(of(&h, 300)->cap, 2, EXACT);
	assert_true(h.e.is_approximate);
	done(&h);
}

static void sets_joined_over_a_third_are_one_component(void **state)
{
	struct host h = three_on("0-1", "6-7", "1-6");

	(void)state;
	/* caps 2, 2, 4 on 8 CPUs: nobody has to give way */
	assert_three(&h, 2, 2, 4);
	assert_false(h.e.is_contended);
	assert_true(h.e.is_approximate);
	done(&h);
}

static void vcpus_pinned_one_by_one_are_entitled_cpu_by_cpu(void **state)
{
	struct host h = host_with(2);

	(void)state;
	/* a has both CPUs, b is on CPU 1 only, with three times the weight: 1 + 1/4, 3/4 */
	add_cgroup(&h, "/a", "parent=/ weight=1024 scale=shares");
	add_cgroup(&h, "/b", "parent=/ weight=3072 scale=shares");
	add_vcpu(&h, 100, 0, "cgroup=/a cpus=0");
	add_vcpu(&h, 100, 1, "cgroup=/a cpus=1");
	add_vcpu(&h, 200, 0, "cgroup=/b cpus=1");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 1.25);
	assert_cpus(&h, 200, 0.75);
	assert_false(h.e.is_approximate);
	assert_true(h.e.is_contended);
	done(&h);
}

static void autogroups_are_equals_whatever_their_threads(void **state)
{
	struct host h = host_with(4);

	(void)state;
	add_vm(&h, 100, 2, "cgroup=/ autogroup=5");
	add_vm(&h, 200, 6, "cgroup=/ autogroup=6");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 2);
	assert_cpus(&h, 200, 2);
	assert_int_equal(h.e.entities, FAN_ENTITY_AUTOGROUP);
	done(&h);
}

static void a_cgroup_with_a_weight_counts_before_the_autogroup(void **state)
{
	struct host h = host_with(4);

	(void)state;
	add_cgroup(&h, "/a", "parent=/ weight=3072 scale=shares");
	add_vm(&h, 100, 4, "cgroup=/a autogroup=5");
	add_vm(&h, 200, 4, "cgroup=/ autogroup=5");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 3);
	assert_cpus(&h, 200, 1);
	assert_int_equal(h.e.entities, FAN_ENTITY_CGROUP | FAN_ENTITY_AUTOGROUP);
	done(&h);
}

static void threads_of_the_root_compete_by_nice(void **state)
{
	struct host h = host_with(1);

	(void)state;
	add_vm(&h, 100, 1, "cgroup=/ nice=0");
	add_vm(&h, 200, 1, "cgroup=/ nice=5");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 1024.0 / 1359);
	assert_cpus(&h, 200, 335.0 / 1359);
	assert_int_equal(h.e.entities, FAN_ENTITY_THREAD);
	done(&h);
}

static void nice_orders_threads_only_inside_their_cgroup(void **state)
{
	struct host h = host_with(1);

	(void)state;
	add_cgroup(&h, "/a", "parent=/ weight=1024 scale=shares");
	add_cgroup(&h, "/b", "parent=/ weight=1024 scale=shares");
	add_vm(&h, 100, 1, "cgroup=/a nice=19");
	add_vm(&h, 200, 1, "cgroup=/b nice=-20");
	entitle(&h, 1, FAN_GROUP_VM);
	assert_cpus(&h, 100, 0.5);
	assert_cpus(&h, 200, 0.5);
	done(&h);
}

static void without_any_word_threads_are_taken_as_equals(void **state)
{
	struct host h = { .tb = tb_new(4, 6, TB_PLAIN) };
	uint64_t ms = 0;

	(void)state;
	for (int vm = 1; vm <= 2; vm++) {
		const struct tb_task vmm = { vm * 100, "vmm", 0 };

		tb_switch(h.tb, at_ms(vm, ++ms), tb_idle, TB_R, vmm);
		for (int i = 1; i <= 4 - vm; i++) {
			const struct tb_task vcpu = { vm * 100 + i, "worker", 0 };

			tb_fork(h.tb, at_ms(vm, ++ms), vmm, vcpu);
			tb_switch(h.tb, at_ms(0, ++ms), tb_idle, TB_R, vcpu);
			tb_kvm_fpu(h.tb, tb_by(0, MODELLED_BASE + ++ms * MODELLED_MS, vcpu.tid), 1);
			tb_switch(h.tb, at_ms(0, ++ms), vcpu, TB_S, tb_idle);
		}
	}
	/* long enough for all to be equally old */
	tb_switch(h.tb, at_ms(0, 1000), tb_idle, TB_R, (struct tb_task){ 5, "host", 0 });
	entitle(&h, 4, FAN_GROUP_VM);
	/* 3 and 2 vCPUs on 4 CPUs */
	assert_near(h.e.groups[0].cpus, 2.4, EXACT);
	assert_near(h.e.groups[1].cpus, 1.6, EXACT);
	assert_int_equal(h.e.entities, FAN_ENTITY_THREAD_ASSUMED);
	assert_true(h.e.is_contended);
	done(&h);
}

static void a_process_can_use_what_it_ran_and_waited(void **state)
{
	const struct tb_task a = { 100, "busy", 0 }, b = { 200, "lazy", 0 };
	struct host h = { .tb = tb_new(1, 6, TB_PLAIN) };

	(void)state;
	/* 0-100 ms: a wants the CPU all the time, b from 0 to 25 only; it gets 25-45 */
	tb_switch(h.tb, at_ms(0, 0), b, TB_R, a);
	tb_switch(h.tb, at_ms(0, 25), a, TB_R, b);
	tb_switch(h.tb, at_ms(0, 45), b, TB_S, a);
	tb_switch(h.tb, at_ms(0, 100), a, TB_R, tb_idle);
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=100 tgid=100 cgroup=/");
	tb_marker(h.tb, MODELLED_BASE, "fcap: task tid=200 tgid=200 cgroup=/");
	entitle(&h, 1, FAN_GROUP_PROCESS);
	/* demands 1 and 0.45 weigh 1024 and 460.8 on one CPU */
	assert_near(of(&h, 100)->cap, 1, EXACT);
	assert_near(of(&h, 200)->cap, 0.45, EXACT);
	assert_cpus(&h, 100, 1 / 1.45);
	assert_cpus(&h, 200, 0.45 / 1.45);
	done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_of_two_cgroups_divide_the_host),
		cmocka_unit_test(what_a_capped_vm_leaves_is_divided_by_weight),
		cmocka_unit_test(vms_in_one_cgroup_compete_by_their_threads),
		cmocka_unit_test(a_cgroup_divides_what_its_parent_gets),
		cmocka_unit_test(parents_that_form_a_circle_do_not_hang),
		cmocka_unit_test(weights_of_v2_weigh_1024_per_100),
		cmocka_unit_test(a_cgroup_that_is_idle_weighs_3),
		cmocka_unit_test(a_quota_caps_its_cgroup),
		cmocka_unit_test(a_quota_caps_all_that_lies_below),
		cmocka_unit_test(cpu_sets_that_do_not_overlap_are_filled_alone),
		cmocka_unit_test(threads_of_no_group_do_not_join_cpu_sets),
		cmocka_unit_test(cpu_sets_that_overlap_in_part_are_approximate),
		cmocka_unit_test(sets_joined_over_a_third_are_one_component),
		cmocka_unit_test(vcpus_pinned_one_by_one_are_entitled_cpu_by_cpu),
		cmocka_unit_test(autogroups_are_equals_whatever_their_threads),
		cmocka_unit_test(a_cgroup_with_a_weight_counts_before_the_autogroup),
		cmocka_unit_test(threads_of_the_root_compete_by_nice),
		cmocka_unit_test(nice_orders_threads_only_inside_their_cgroup),
		cmocka_unit_test(without_any_word_threads_are_taken_as_equals),
		cmocka_unit_test(a_process_can_use_what_it_ran_and_waited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
