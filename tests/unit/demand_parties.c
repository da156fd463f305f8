// SPDX-License-Identifier: GPL-3.0-or-later
/* Who competes, and from when on: VMs as they show, or as an earlier pass has found out. */
#include "tests/unit/demanded.h"

static void a_vm_is_a_party_from_when_it_shows(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 1);
	add_vcpu(tb, 101, 100, "cgroup=/");
	/* b wants to run from the start; that it is a vCPU shows at 6 */
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, a0.tid), (struct tb_task){ 201, "x", 0 }, 0);
	tb_marker(tb, MODELLED_BASE + 6 * MODELLED_MS, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_switch(tb, at_ms(0, 10), a0, TB_S, tb_idle);
	assert_dues(tb, 1, (const double[]){ 6 + 2, 2 }, 2);
}

static void the_same_shows_by_an_event_and_by_a_name(void **state)
{
	const struct tb_task kvm = { 201, "x", 0 }, named = { 301, "CPU 0/KVM", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	add_cpus(tb, 1);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cgroup=/");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=301 tgid=300 cgroup=/");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, kvm);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 2 * MODELLED_MS, kvm.tid), 0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE + 6 * MODELLED_MS, kvm.tid), named, 0);
	tb_switch(tb, at_ms(0, 10), kvm, TB_S, tb_idle);
	m = model_by_demand(tb, 1, NULL);
	assert_due(m, 200, 4 + 2);
	assert_due(m, 300, 2);
	fan_model_free(m);
}

/*
 * 101 is a vCPU of nobody knows whom, until a line says that it is of process 100; so is 102 then,
 * which has wanted to run all the time. Both compete as threads with 201.
 */
static void a_process_that_shows_late_brings_all_its_threads(void **state)
{
	const struct tb_task vmm = { 102, "vmm", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 1);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=102 tgid=100 cgroup=/");
	add_vcpu(tb, 201, 200, "cgroup=/");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE, a0.tid), 0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, a0.tid), b0, 0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, a0.tid), vmm, 0);
	tb_marker(tb, MODELLED_BASE + 4 * MODELLED_MS, "fcap: task tid=101 tgid=100 cgroup=/");
	tb_switch(tb, at_ms(0, 10), a0, TB_S, tb_idle);
	/* 0-4 two threads, 4-10 three, two of them of 100 */
	assert_dues(tb, 1, (const double[]){ 2 + 4, 2 + 2 }, 2);
}

/* The vhost thread of VM 100 competes beside its vCPU; both weigh the same, against VM 200. */
static void vhost_threads_are_of_their_vm(void **state)
{
	const struct tb_task vhost = { 150, "vhost-100", 0 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 2);
	add_vcpu(tb, 101, 100, "cgroup=/");
	add_vcpu(tb, 201, 200, "cgroup=/");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=100 tgid=100 cgroup=/");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, b0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, a0.tid), vhost, 0);
	tb_switch(tb, at_ms(0, 12), a0, TB_S, tb_idle);
	/* three threads on two CPUs: two thirds of a CPU each */
	assert_dues(tb, 2, (const double[]){ 16, 8 }, 2);
}

static void vhost_threads_wait_for_their_vm_to_show(void **state)
{
	const struct tb_task vhost = { 150, "vhost-100", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	add_cpus(tb, 1);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=100 tgid=100 cgroup=/");
	add_vcpu(tb, 201, 200, "cgroup=/");
	tb_wakeup(tb, at_ms(0, 0), b0, 0);
	tb_wakeup(tb, at_ms(0, 0), vhost, 0);
	tb_marker(tb, MODELLED_BASE + 4 * MODELLED_MS, "fcap: vcpu tid=100 tgid=100 id=0");
	tb_wakeup(tb, at_ms(0, 10), (struct tb_task){ 99, "late", 0 }, 0);
	m = model_by_demand(tb, 1, NULL);
	assert_due(m, 200, 4 + 3);
	assert_int_equal(m->pulse->demand->runnable, 2);
	fan_model_free(m);
}

static void parties_can_be_told(void **state)
{
	/* each thread has an account when it is first named, and another in its cgroup */
	static const int32_t of_account[] = { -1, 1, -1, -1 };
	const struct fan_party_map map = { of_account, 4, 2 };
	const struct fan_model_options o = { .map = &map };
	struct tb *tb = two_vms(1024, 1024);
	struct fan_model *m;

	(void)state;
	take_turns(tb);
	m = model_by_demand(tb, 1, &o);
	assert_int_equal(fan_threads_at(m->threads, 0)->account, 1);
	assert_int_equal(m->pulse->demand->stakes[1].party, 1);
	/* b is nobody: a is due all that it wants */
	assert_due(m, 100, 20);
	assert_due(m, 200, 0);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vm_is_a_party_from_when_it_shows),
		cmocka_unit_test(the_same_shows_by_an_event_and_by_a_name),
		cmocka_unit_test(a_process_that_shows_late_brings_all_its_threads),
		cmocka_unit_test(vhost_threads_are_of_their_vm),
		cmocka_unit_test(vhost_threads_wait_for_their_vm_to_show),
		cmocka_unit_test(parties_can_be_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
