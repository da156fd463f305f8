// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * model/vcpu: what a vCPU thread did, on traces written by hand. Times are in us after the first
 * event; the sums beside each test are worked out from them.
 */
#include "tests/unit/vcpu_test.h"

enum { HLT = 12, IO = 30, EXTINT = 1 };
enum {
	SPLIT = FAN_TELLS_GUEST | FAN_TELLS_KERNEL | FAN_TELLS_VMM | FAN_TELLS_HALTED,
	ALL = SPLIT | FAN_TELLS_POLL,
};

/*
 * 0 switched in; 10 entry; 40 exit; 50 entry; 90 exit; 95 userspace exit; 120 entry; 150 exit;
 * 160 switched out. Untold 10 (before the first event); guest 30 + 40 + 30 = 100; kernel
 * 10 + 5 + 10 = 25; VMM 25: all 160.
 */
static void run_time_is_split_at_each_event(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 10, v0), 0);
	tb_kvm_exit(tb, by(0, 40, v0), 0, IO);
	tb_kvm_entry(tb, by(0, 50, v0), 0);
	tb_kvm_exit(tb, by(0, 90, v0), 0, IO);
	tb_kvm_userspace_exit(tb, by(0, 95, v0), 2);
	tb_kvm_entry(tb, by(0, 120, v0), 0);
	tb_kvm_exit(tb, by(0, 150, v0), 0, EXTINT);
	tb_switch(tb, on(0, 160), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	/* no halt was seen at all: polling is 0, not untold */
	assert_int_equal(tells(m), ALL);
	assert_time(m, v0, (struct fan_vcpu_time){ 100, 25, 0, 25, 0, 10, 0 });
	fan_model_free(m);
}

/* Entry 0, exit 10, entry 20, exit 40, out 50: kernel or VMM from 10 to 20 and from 40 to 50. */
static void without_userspace_exits_kernel_and_vmm_are_one(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_exit(tb, by(0, 10, v0), 0, IO);
	tb_kvm_entry(tb, by(0, 20, v0), 0);
	tb_kvm_exit(tb, by(0, 40, v0), 0, IO);
	tb_switch(tb, on(0, 50), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(tells(m), FAN_TELLS_GUEST | FAN_TELLS_HALTED | FAN_TELLS_POLL);
	assert_time(m, v0, (struct fan_vcpu_time){ 30, 0, 0, 0, 0, 20, 0 });
	fan_model_free(m);
}

/*
 * Entry 0, exit for HLT 100; 103 polling begins, 150 it ends: a wakeup of 47 us that did not
 * sleep. Entry 152, exit 160, userspace exit 161, out 170.
 * Guest 100 + 8; polling 47; kernel 3 + 2 + 1; VMM 9.
 */
static void a_halt_that_polling_ends_is_polling(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_exit(tb, by(0, 100, v0), 0, HLT);
	tb_kvm_vcpu_wakeup(tb, by(0, 150, v0), 47 * US, false);
	tb_kvm_entry(tb, by(0, 152, v0), 0);
	tb_kvm_exit(tb, by(0, 160, v0), 0, IO);
	tb_kvm_userspace_exit(tb, by(0, 161, v0), 2);
	tb_switch(tb, on(0, 170), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(tells(m), ALL);
	assert_time(m, v0, (struct fan_vcpu_time){ 108, 6, 47, 9, 0, 0, 0 });
	fan_model_free(m);
}

/*
 * A trace with a userspace exit, and a halt in the middle. Entry 0, exit for HLT 100, asleep 130,
 * woken 200, in again 210, 213 told (told), entry 215, exit 220, userspace exit 220, out 230.
 */
static struct tb *halting(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_exit(tb, by(0, 100, v0), 0, HLT);
	tb_switch(tb, on(0, 130), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 200), v0, 0);
	tb_switch(tb, on(0, 210), tb_idle, TB_R, v0);
	return tb;
}

static struct fan_model *after_halting(struct tb *tb)
{
	tb_kvm_entry(tb, by(0, 215, v0), 0);
	tb_kvm_exit(tb, by(0, 220, v0), 0, IO);
	tb_kvm_userspace_exit(tb, by(0, 220, v0), 2);
	tb_switch(tb, on(0, 230), v0, TB_R, tb_idle);
	return closed_model_of(tb);
}

/*
 * The wakeup at 213 says the halt took 109 us: since 104. Before the sleep that was polling, 26;
 * kernel 4 (100 to 104) + 5 (210 to 215); guest 100 + 5; VMM 10; asleep 70, all of it halted.
 */
static void polling_ends_with_the_sleep_that_it_could_not_avoid(void **state)
{
	struct tb *tb = halting();
	struct fan_model *m;

	(void)state;
	tb_kvm_vcpu_wakeup(tb, by(0, 213, v0), 109 * US, true);
	m = after_halting(tb);
	assert_int_equal(tells(m), ALL);
	assert_time(m, v0, (struct fan_vcpu_time){ 105, 9, 26, 10, 0, 0, 70 });
	assert_int_equal(thread_of(m, v0)->wait_ns, 10 * US);
	assert_int_equal(thread_of(m, v0)->blocked_ns, 70 * US);
	fan_model_free(m);
}

/* The same without the wakeup: the 30 us after the exit are kernel or polling. */
static void without_wakeups_a_halt_before_its_sleep_is_unsplit(void **state)
{
	struct fan_model *m = after_halting(halting());

	(void)state;
	assert_int_equal(tells(m), SPLIT);
	assert_time(m, v0, (struct fan_vcpu_time){ 105, 5, 0, 10, 0, 30, 70 });
	fan_model_free(m);
}

/*
 * Elsewhere a wakeup is seen, so that they are recorded: an interrupt was there already when this
 * one halted at 100; it never polled, and enters again at 104. v1 polls from 10 to 50.
 */
static void where_wakeups_are_seen_a_halt_without_one_was_none(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_switch(tb, on(1, 0), tb_idle, TB_R, v1);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_userspace_exit(tb, by(1, 0, v1), 2);
	tb_kvm_exit(tb, by(1, 5, v1), 1, HLT);
	tb_kvm_vcpu_wakeup(tb, by(1, 50, v1), 40 * US, false);
	tb_kvm_exit(tb, by(0, 100, v0), 0, HLT);
	tb_kvm_entry(tb, by(0, 104, v0), 0);
	tb_kvm_exit(tb, by(0, 110, v0), 0, IO);
	tb_switch(tb, on(0, 120), v0, TB_R, tb_idle);
	tb_switch(tb, on(1, 120), v1, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_time(m, v0, (struct fan_vcpu_time){ 106, 14, 0, 0, 0, 0, 0 });
	/* the exit after a userspace exit misses an entry: untold 5; kernel 5 to 10, 50 to 120 */
	assert_time(m, v1, (struct fan_vcpu_time){ 0, 75, 40, 0, 0, 5, 0 });
	assert_int_equal(fan_machine_kvm(m->machine)->counts.exits_twice, 1);
	fan_model_free(m);
}

/* Asleep from 130 to 200 after a userspace exit at 120: the VMM sleeps, the guest did not halt. */
static void a_sleep_in_the_vmm_is_no_halt(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_exit(tb, by(0, 100, v0), 0, HLT);
	tb_kvm_userspace_exit(tb, by(0, 120, v0), 5);
	tb_switch(tb, on(0, 130), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 200), v0, 0);
	tb_switch(tb, on(0, 210), tb_idle, TB_R, v0);
	tb_switch(tb, on(0, 220), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	/* VMM 120 to 130 and 210 to 220; kernel or polling 100 to 120 */
	assert_time(m, v0, (struct fan_vcpu_time){ 100, 0, 0, 20, 0, 20, 0 });
	assert_int_equal(thread_of(m, v0)->blocked_ns, 70 * US);
	fan_model_free(m);
}

/* Exit 100, preempted 110 to 150 in the kernel: kernel goes on on the other CPU, entry 155. */
static void the_kernel_goes_on_after_a_preemption_and_a_migration(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_exit(tb, by(0, 100, v0), 0, EXTINT);
	tb_switch(tb, on(0, 110), v0, TB_PREEMPTED, tb_idle);
	tb_migrate(tb, on(1, 130), v0, 0, 1);
	tb_switch(tb, on(1, 150), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(1, 155, v0), 0);
	tb_kvm_exit(tb, by(1, 175, v0), 0, IO);
	tb_kvm_userspace_exit(tb, by(1, 176, v0), 2);
	tb_switch(tb, on(1, 180), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_time(m, v0, (struct fan_vcpu_time){ 120, 16, 0, 4, 0, 0, 0 });
	assert_int_equal(thread_of(m, v0)->wait_ns, 40 * US);
	fan_model_free(m);
}

/*
 * Switched out at 50 with no exit: it is lost. The guest ends there at the latest; from 80, in
 * again, to the next entry at 90 nobody knows.
 */
static void a_guest_ends_with_the_switch_that_has_no_exit(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_switch(tb, on(0, 50), v0, TB_PREEMPTED, tb_idle);
	tb_switch(tb, on(0, 80), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 90, v0), 0);
	tb_kvm_exit(tb, by(0, 100, v0), 0, IO);
	tb_kvm_userspace_exit(tb, by(0, 101, v0), 2);
	tb_switch(tb, on(0, 101), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_time(m, v0, (struct fan_vcpu_time){ 60, 1, 0, 0, 0, 10, 0 });
	assert_int_equal(fan_machine_kvm(m->machine)->counts.cut, 1);
	fan_model_free(m);
}

/*
 * Entries at 0, 30 and exits at 40, 70: between two of a kind (0 to 30, 40 to 70) guest and
 * kernel cannot be told apart. Guest 10, kernel 70 to 80.
 */
static void time_between_two_of_a_kind_is_unsplit(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	const struct fan_kvm_counts *c;
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_entry(tb, by(0, 30, v0), 0);
	tb_kvm_exit(tb, by(0, 40, v0), 0, IO);
	tb_kvm_exit(tb, by(0, 70, v0), 0, IO);
	tb_kvm_userspace_exit(tb, by(0, 80, v0), 2);
	tb_switch(tb, on(0, 80), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_time(m, v0, (struct fan_vcpu_time){ 10, 10, 0, 0, 0, 60, 0 });
	c = &fan_machine_kvm(m->machine)->counts;
	assert_int_equal(c->entries_twice, 1);
	assert_int_equal(c->exits_twice, 1);
	assert_int_equal(c->cut, 0);
	fan_model_free(m);
}

/* Events lost on its CPU between 20 and 60: unknown; then untold until the entry at 70. */
static void after_a_loss_the_split_begins_anew(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_exit(tb, by(0, 10, v0), 0, IO);
	tb_kvm_entry(tb, by(0, 20, v0), 0);
	tb_missed(tb, 0, 5);
	tb_kvm_userspace_exit(tb, by(0, 60, v0), 2);
	tb_kvm_entry(tb, by(0, 70, v0), 0);
	tb_kvm_exit(tb, by(0, 90, v0), 0, IO);
	tb_switch(tb, on(0, 100), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	/* guest 10 + 20, kernel 10 + 10, VMM 60 to 70 */
	assert_time(m, v0, (struct fan_vcpu_time){ 30, 20, 0, 10, 0, 0, 0 });
	assert_int_equal(thread_of(m, v0)->unknown_ns, 40 * US);
	fan_model_free(m);
}

/* It ran for 50 us and slept for 20 before its first kvm event at 90. */
static void time_before_the_first_event_is_unsplit(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_switch(tb, on(0, 50), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 70), v0, 0);
	tb_switch(tb, on(0, 70), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 90, v0), 0);
	tb_kvm_exit(tb, by(0, 95, v0), 0, IO);
	tb_kvm_userspace_exit(tb, by(0, 100, v0), 2);
	tb_switch(tb, on(0, 100), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_time(m, v0, (struct fan_vcpu_time){ 5, 5, 0, 0, 0, 70, 0 });
	assert_int_equal(thread_of(m, v0)->blocked_ns, 20 * US);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_time_is_split_at_each_event),
		cmocka_unit_test(without_userspace_exits_kernel_and_vmm_are_one),
		cmocka_unit_test(a_halt_that_polling_ends_is_polling),
		cmocka_unit_test(polling_ends_with_the_sleep_that_it_could_not_avoid),
		cmocka_unit_test(without_wakeups_a_halt_before_its_sleep_is_unsplit),
		cmocka_unit_test(where_wakeups_are_seen_a_halt_without_one_was_none),
		cmocka_unit_test(a_sleep_in_the_vmm_is_no_halt),
		cmocka_unit_test(the_kernel_goes_on_after_a_preemption_and_a_migration),
		cmocka_unit_test(a_guest_ends_with_the_switch_that_has_no_exit),
		cmocka_unit_test(time_between_two_of_a_kind_is_unsplit),
		cmocka_unit_test(after_a_loss_the_split_begins_anew),
		cmocka_unit_test(time_before_the_first_event_is_unsplit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
