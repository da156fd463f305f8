// SPDX-License-Identifier: GPL-3.0-or-later
/* What a report says of the vCPUs in each window of the overlap. */
#include <stdio.h>

#include "tests/unit/assembled.h"

enum { HLT = 12, IO = 30 };

static const struct tb_task vm = { 101, "CPU 0/KVM", 0 }, io = { 110, "IO iothread", 0 };

static struct tb_at by_us(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * 1000, cur.tid);
}

static struct tb *one_vm(void)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=110 tgid=100");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, vm);
	return tb;
}

/*
 * On CPU 0, ms: 0 entry; 4 exit for IO; 5 userspace exit; 7 entry; 13 exit for HLT; 14 asleep; 26
 * woken; 27 in; 28 a wakeup of 14.75 ms, so that it halted at 13.25 and polled until it slept;
 * 28.5 entry; 30 exit and out. Beside it an iothread waits 2 ms and runs to the end.
 */
static struct tb *halting(void)
{
	struct tb *tb = one_vm();

	tb_wakeup(tb, at_ms(1, 0), io, 1);
	tb_switch(tb, at_ms(1, 2), tb_idle, TB_R, io);
	tb_kvm_entry(tb, by_us(0, 0, vm), 0);
	tb_kvm_exit(tb, by_us(0, 4000, vm), 0, IO);
	tb_kvm_userspace_exit(tb, by_us(0, 5000, vm), 2);
	tb_kvm_entry(tb, by_us(0, 7000, vm), 0);
	tb_kvm_exit(tb, by_us(0, 13000, vm), 0, HLT);
	tb_switch(tb, at_ms(0, 14), vm, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(0, 26), vm, 0);
	tb_switch(tb, at_ms(0, 27), tb_idle, TB_R, vm);
	tb_kvm_vcpu_wakeup(tb, by_us(0, 28000, vm), 14750000, true);
	tb_kvm_entry(tb, by_us(0, 28500, vm), 0);
	tb_kvm_exit(tb, by_us(0, 30000, vm), 0, IO);
	tb_switch(tb, at_ms(0, 30), vm, TB_R, tb_idle);
	tb_switch(tb, at_ms(1, 30), io, TB_S, tb_idle);
	return tb;
}

static const struct fan_r_curve *curve(const struct fan_report *r, const char *name)
{
	const struct fan_r_curve *c = r->series.groups.items;

	for (size_t i = 0; i < r->series.groups.n; i++)
		if (strcmp(c[i].name, name) == 0)
			return &c[i];
	fail_msg("no curve %s", name);
	return NULL;
}

/* Three windows, in us. */
static void assert_us(const struct fan_ints *got, int64_t w0, int64_t w1, int64_t w2)
{
	const int64_t want[] = { w0, w1, w2 };

	assert_int_equal(got->n, 3);
	for (size_t w = 0; w < 3; w++)
		assert_int_equal(got->items[w], want[w] * 1000);
}

static void assert_halting(const struct fan_report *r)
{
	const struct fan_r_curve *c = curve(r, "vm1");

	assert_us(&c->vcpu_run_ns, 10000, 4000, 3000);
	assert_us(&c->guest_ns, 7000, 3000, 1500);
	/* 4-5; 13-14; 27-28.5 less the 0.75 before 14 that turn out to be polling */
	assert_us(&c->host_ns, 1000, 1000, 750);
	assert_us(&c->poll_ns, 0, 0, 750);
	assert_us(&c->vmm_ns, 2000, 0, 0);
	assert_us(&c->vcpu_wait_ns, 0, 0, 1000);
	assert_us(&c->halted_ns, 0, 6000, 6000);
	assert_us(&c->blocked_ns, 0, 0, 0);
	assert_us(&c->unsplit_ns, 0, 0, 0);
	assert_us(&c->unknown_ns, 0, 0, 0);
	assert_int_equal(c->in_kvm_run_ns.n, 0);
	/* of all threads */
	assert_us(&c->wait_ns, 2000, 0, 1000);
}

static void the_time_of_the_vcpus_is_closed_in_each_window(void **state)
{
	struct fan_report r = report_of(halting());

	(void)state;
	assert_int_equal(r.period.window_ns, 10 * MODELLED_MS);
	assert_halting(&r);
	fan_report_free(&r);
}

/* A weight that is given takes a second pass, where VMs are known from the start. */
static void a_second_pass_tells_the_same(void **state)
{
	const struct fan_given_weight weight = { "vm1", 100 };
	const struct fan_report_options options = { .weights = &weight,
						    .nweights = 1,
						    .level = 0.95,
						    .margin = 3,
						    .command = "fanalyze report x" };
	struct fan_report r = report_with(halting(), &options, NULL);

	(void)state;
	assert_halting(&r);
	fan_report_free(&r);
}

/*
 * Only the bracket of KVM_RUN: load 0; asleep 5; woken 26; in 27; a wakeup of 23 ms at 28: the
 * sleep since 5 was a halt; unload 29; out 30.
 */
static void a_halt_that_shows_at_its_end_is_taken_back_from_sleep(void **state)
{
	struct tb *tb = one_vm();
	const struct fan_r_curve *c;
	struct fan_report r;

	(void)state;
	tb_kvm_fpu(tb, by_us(0, 0, vm), 1);
	tb_switch(tb, at_ms(0, 5), vm, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(0, 26), vm, 0);
	tb_switch(tb, at_ms(0, 27), tb_idle, TB_R, vm);
	tb_kvm_vcpu_wakeup(tb, by_us(0, 28000, vm), 23000000, true);
	tb_kvm_fpu(tb, by_us(0, 29000, vm), 0);
	tb_switch(tb, at_ms(0, 30), vm, TB_R, tb_idle);
	r = report_of(tb);
	c = curve(&r, "vm1");
	assert_us(&c->in_kvm_run_ns, 5000, 0, 2000);
	assert_us(&c->vmm_ns, 0, 0, 1000);
	assert_us(&c->vcpu_wait_ns, 0, 0, 1000);
	assert_us(&c->halted_ns, 0, 0, 21000);
	/* 5-10, 10-20, 20-26 less all of it */
	assert_us(&c->blocked_ns, 5000, 10000, 6000 - 21000);
	assert_int_equal(c->guest_ns.n, 0);
	assert_int_equal(c->host_ns.n, 0);
	fan_report_free(&r);
}

static void without_kvm_events_run_and_sleep_are_told(void **state)
{
	struct tb *tb = one_vm();
	const struct fan_r_curve *c;
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 14), vm, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(0, 25), vm, 0);
	tb_switch(tb, at_ms(0, 26), tb_idle, TB_R, vm);
	tb_switch(tb, at_ms(0, 30), vm, TB_S, tb_idle);
	r = report_of(tb);
	c = curve(&r, "vm1");
	assert_us(&c->vcpu_run_ns, 10000, 4000, 4000);
	assert_us(&c->vcpu_wait_ns, 0, 0, 1000);
	assert_us(&c->blocked_ns, 0, 6000, 5000);
	assert_us(&c->unsplit_ns, 0, 0, 0);
	assert_int_equal(c->guest_ns.n, 0);
	assert_int_equal(c->halted_ns.n, 0);
	fan_report_free(&r);
}

static void sleep_that_may_be_a_wait_is_unsplit(void **state)
{
	struct tb *tb = one_vm();
	const struct fan_r_curve *c;
	struct fan_report r;

	(void)state;
	/* no wake-up in all the trace */
	tb_switch(tb, at_ms(0, 14), vm, TB_S, tb_idle);
	tb_switch(tb, at_ms(0, 18), tb_idle, TB_R, vm);
	tb_switch(tb, at_ms(0, 30), vm, TB_S, tb_idle);
	r = report_of(tb);
	c = curve(&r, "vm1");
	assert_us(&c->unsplit_ns, 0, 4000, 0);
	assert_us(&c->vcpu_wait_ns, 0, 0, 0);
	assert_us(&c->blocked_ns, 0, 0, 0);
	fan_report_free(&r);
}

static void groups_that_are_no_vms_have_no_such_windows(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	const struct fan_r_curve *c;
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, io);
	tb_switch(tb, at_ms(0, 30), io, TB_S, tb_idle);
	r = report_as(tb, FAN_GROUP_PROCESS);
	c = curve(&r, io.comm);
	assert_int_equal(c->wait_ns.n, 3);
	assert_int_equal(c->vcpu_run_ns.n, 0);
	assert_int_equal(c->blocked_ns.n, 0);
	assert_int_equal(c->unknown_ns.n, 0);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_time_of_the_vcpus_is_closed_in_each_window),
		cmocka_unit_test(a_second_pass_tells_the_same),
		cmocka_unit_test(a_halt_that_shows_at_its_end_is_taken_back_from_sleep),
		cmocka_unit_test(without_kvm_events_run_and_sleep_are_told),
		cmocka_unit_test(sleep_that_may_be_a_wait_is_unsplit),
		cmocka_unit_test(groups_that_are_no_vms_have_no_such_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
