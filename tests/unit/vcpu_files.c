// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * model/vcpu on files that lack some kinds of events, or are of other architectures. Times are in
 * us after the first event; the sums beside each test are worked out from them.
 */
#include "tests/unit/vcpu_test.h"

enum { IO = 30, EXTINT = 1 };
enum { SVM_HLT = 0x78, SVM_NPF = 0x400, ARM_IRQ = 0, ARM_TRAP = 2, ARM_WFX = 1, ARM_DABT = 0x24 };

enum {
	SPLIT = FAN_TELLS_GUEST | FAN_TELLS_KERNEL | FAN_TELLS_VMM | FAN_TELLS_HALTED,
	ALL = SPLIT | FAN_TELLS_POLL,
};

/*
 * A host without hardware virtualisation: load 10, unload 50, userspace exit 51, load 70, asleep
 * 90 to 140, in at 150, a wakeup at 152 of 72 us (since 80), unload 160, out 170.
 * Untold 10; in KVM_RUN 40 + 10 (70 to 80) + 10 (150 to 160); polling 10; VMM 20 + 10; halted 50.
 */
static void only_the_bracket_tells_kvm_run_but_not_the_guest(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_fpu(tb, by(0, 10, v0), 1);
	tb_kvm_fpu(tb, by(0, 50, v0), 0);
	tb_kvm_userspace_exit(tb, by(0, 51, v0), 2);
	tb_kvm_fpu(tb, by(0, 70, v0), 1);
	tb_switch(tb, on(0, 90), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 140), v0, 0);
	tb_switch(tb, on(0, 150), tb_idle, TB_R, v0);
	tb_kvm_vcpu_wakeup(tb, by(0, 152, v0), 72 * US, true);
	tb_kvm_fpu(tb, by(0, 160, v0), 0);
	tb_switch(tb, on(0, 170), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(tells(m),
			 FAN_TELLS_KVM_RUN | FAN_TELLS_VMM | FAN_TELLS_POLL | FAN_TELLS_HALTED);
	assert_time(m, v0, (struct fan_vcpu_time){ 0, 0, 10, 30, 60, 10, 50 });
	fan_model_free(m);
}

/* Load 10, userspace exit 50, out 60: KVM_RUN ends with that where no unload is seen. */
static void a_bracket_ends_with_the_userspace_exit_too(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_fpu(tb, by(0, 10, v0), 1);
	tb_kvm_userspace_exit(tb, by(0, 50, v0), 2);
	tb_switch(tb, on(0, 60), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(tells(m), FAN_TELLS_KVM_RUN | FAN_TELLS_VMM);
	assert_time(m, v0, (struct fan_vcpu_time){ 0, 0, 0, 10, 40, 10, 0 });
	fan_model_free(m);
}

static void a_userspace_exit_alone_tells_nothing(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_userspace_exit(tb, by(0, 50, v0), 2);
	tb_kvm_entry(tb, by(0, 60, v0), 0);
	tb_switch(tb, on(0, 100), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(tells(m), 0);
	assert_time(m, v0, (struct fan_vcpu_time){ 0 });
	fan_model_free(m);
}

/* A sleep from 20 to 60, and at 70 a wakeup: of 65 us it covers the sleep, of 30 it does not. */
static struct fan_model *sleep_and_wakeup(uint64_t us, bool has_blocked)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_fpu(tb, by(0, 0, v0), 1);
	tb_switch(tb, on(0, 20), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 60), v0, 0);
	tb_switch(tb, on(0, 60), tb_idle, TB_R, v0);
	tb_kvm_vcpu_wakeup(tb, by(0, 70, v0), us * US, has_blocked);
	tb_kvm_fpu(tb, by(0, 80, v0), 0);
	tb_switch(tb, on(0, 80), v0, TB_R, tb_idle);
	return closed_model_of(tb);
}

static void a_sleep_is_a_halt_if_the_wakeup_says_so(void **state)
{
	struct fan_model *m = sleep_and_wakeup(65, true);

	(void)state;
	/* since 5: polling 15 */
	assert_time(m, v0, (struct fan_vcpu_time){ 0, 0, 15, 0, 25, 0, 40 });
	fan_model_free(m);
	m = sleep_and_wakeup(30, true);
	assert_time(m, v0, (struct fan_vcpu_time){ 0, 0, 0, 0, 40, 0, 0 });
	fan_model_free(m);
	/* it did not block: that sleep was for something else, and since 60 it polled at most */
	m = sleep_and_wakeup(10, false);
	assert_time(m, v0, (struct fan_vcpu_time){ 0, 0, 10, 0, 30, 0, 0 });
	fan_model_free(m);
}

/*
 * VMM from 0 on, asleep 10 to 30; KVM_RUN from 32 on, asleep 40 to 70, the wakeup at 75 of 40 us:
 * since 35. VMM 10 + 2; KVM_RUN 3 + 5 + 5; polling 5; of 50 us asleep those 30 were the halt.
 */
static void a_sleep_before_the_last_event_is_not_of_the_halt(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_fpu(tb, by(0, 0, v0), 0);
	tb_switch(tb, on(0, 10), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 30), v0, 0);
	tb_switch(tb, on(0, 30), tb_idle, TB_R, v0);
	tb_kvm_fpu(tb, by(0, 32, v0), 1);
	tb_switch(tb, on(0, 40), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 70), v0, 0);
	tb_switch(tb, on(0, 70), tb_idle, TB_R, v0);
	tb_kvm_vcpu_wakeup(tb, by(0, 75, v0), 40 * US, true);
	tb_kvm_fpu(tb, by(0, 80, v0), 0);
	tb_switch(tb, on(0, 80), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_time(m, v0, (struct fan_vcpu_time){ 0, 0, 5, 12, 13, 0, 30 });
	fan_model_free(m);
}

/* Guest 10 to 40, kernel 40 to 60; SVM's halt at 80 of which nothing is known until it sleeps. */
static void svm_has_reasons_of_its_own(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 10, v0), 0);
	tb_kvm_exit_svm(tb, by(0, 40, v0), 0, SVM_NPF);
	tb_kvm_entry(tb, by(0, 60, v0), 0);
	tb_kvm_exit_svm(tb, by(0, 80, v0), 0, SVM_HLT);
	tb_switch(tb, on(0, 90), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 100), v0, 0);
	tb_switch(tb, on(0, 100), tb_idle, TB_R, v0);
	tb_kvm_userspace_exit(tb, by(0, 100, v0), 2);
	tb_switch(tb, on(0, 110), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(tells(m), SPLIT);
	assert_time(m, v0, (struct fan_vcpu_time){ 50, 20, 0, 10, 0, 20, 10 });
	fan_model_free(m);
}

/* arm64 has neither vcpu_id nor kvm_fpu; 1 as a class of traps is WFx, as a return code SError. */
static void arm64_halts_by_its_class_of_traps(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_set_kvm(tb, TB_KVM_ARM64);
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_arm64_entry(tb, by(0, 0, v0));
	tb_arm64_exit(tb, by(0, 10, v0), ARM_IRQ, 0);
	tb_arm64_entry(tb, by(0, 15, v0));
	tb_arm64_exit(tb, by(0, 25, v0), ARM_TRAP, ARM_DABT);
	tb_kvm_userspace_exit(tb, by(0, 27, v0), 6);
	tb_arm64_entry(tb, by(0, 40, v0));
	tb_arm64_exit(tb, by(0, 60, v0), ARM_TRAP, ARM_WFX);
	tb_switch(tb, on(0, 66), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 90), v0, 0);
	tb_switch(tb, on(0, 95), tb_idle, TB_R, v0);
	tb_kvm_vcpu_wakeup(tb, by(0, 97, v0), 36 * US, true);
	tb_arm64_entry(tb, by(0, 98, v0));
	tb_switch(tb, on(0, 99), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(tells(m), ALL);
	/* guest 10 + 10 + 20 + 1; kernel 5 + 2 + 1 (60 to 61) + 3; polling 5; VMM 13 */
	assert_time(m, v0, (struct fan_vcpu_time){ 41, 11, 5, 13, 0, 0, 24 });
	assert_int_equal(thread_of(m, v0)->vcpu_id, -1);
	fan_model_free(m);
}

/*
 * The trace of run_time_is_split_at_each_event from 20 to 130: guest 20 + 40 + 10, kernel
 * 10 + 5, VMM 25; nothing before.
 */
static void only_what_is_asked_for_is_split(void **state)
{
	const struct fan_model_options options = { .from_ns = 20 * US, .to_ns = 130 * US };
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_file *file;
	struct fan_model *m;
	struct fcap_err err;

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
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	assert_int_equal(fan_file_open(&file, path, &err), 0);
	assert_int_equal(fan_model_read(&m, file, &options, &err), 0);
	assert_closed(m);
	assert_time(m, v0, (struct fan_vcpu_time){ 70, 15, 0, 25, 0, 0, 0 });
	fan_model_free(m);
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
}

/* No switch anywhere: entry to exit is 30 + 40; the exit at 5 and the entry at 200 have no other.
 */
static void without_switches_entries_and_exits_still_pair_up(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_kvm_exit(tb, by(0, 5, v0), 0, IO);
	tb_kvm_entry(tb, by(0, 10, v0), 0);
	tb_kvm_exit(tb, by(0, 40, v0), 0, IO);
	/* another thread on this CPU, and this one on another: nothing is wrong with that */
	tb_kvm_entry(tb, by(0, 45, v1), 0);
	tb_kvm_entry(tb, by(1, 50, v0), 0);
	tb_kvm_exit(tb, by(0, 47, v1), 0, IO);
	tb_kvm_exit(tb, by(1, 90, v0), 0, IO);
	tb_kvm_entry(tb, by(1, 200, v0), 0);
	m = model_of(tb);
	assert_false(m->has_switches);
	assert_int_equal(thread_of(m, v0)->vcpu->paired_ns, 70 * US);
	assert_int_equal(thread_of(m, v1)->vcpu->paired_ns, 2 * US);
	assert_int_equal(fan_machine_kvm(m->machine)->counts.entries_twice, 0);
	assert_int_equal(fan_machine_kvm(m->machine)->counts.exits_twice, 0);
	fan_model_free(m);
}

/* Entries at 10, 20 and exits at 30, 35: from 20 to 30. Another thread comes in between. */
static void without_switches_what_does_not_pair_is_counted(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_kvm_entry(tb, by(0, 10, v0), 0);
	tb_kvm_fpu(tb, by(0, 15, v1), 1);
	tb_kvm_entry(tb, by(0, 20, v0), 0);
	tb_kvm_exit(tb, by(0, 30, v0), 0, IO);
	tb_kvm_fpu(tb, by(0, 33, v1), 1);
	tb_kvm_exit(tb, by(0, 35, v0), 0, IO);
	m = model_of(tb);
	assert_int_equal(thread_of(m, v0)->vcpu->paired_ns, 10 * US);
	assert_int_equal(fan_machine_kvm(m->machine)->counts.entries_twice, 1);
	assert_int_equal(fan_machine_kvm(m->machine)->counts.exits_twice, 1);
	fan_model_free(m);
}

static void without_switches_a_loss_unpairs_an_entry(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_kvm_entry(tb, by(0, 10, v0), 0);
	tb_kvm_exit(tb, by(0, 40, v0), 0, IO);
	tb_kvm_entry(tb, by(0, 50, v0), 0);
	tb_missed(tb, 0, 3);
	tb_kvm_exit(tb, by(0, 90, v0), 0, IO);
	m = model_of(tb);
	assert_int_equal(thread_of(m, v0)->vcpu->paired_ns, 30 * US);
	fan_model_free(m);
}

/*
 * v0 waits 10 to 15 (preempted, queues changed at 12), 20 to 30 (woken at 20) and 60 to the end,
 * which is no whole wait: 5 and 10 us.
 */
static void whole_waits_have_lengths(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct fan_hist *waits;
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_switch(tb, on(0, 10), v0, TB_R, tb_idle);
	tb_migrate(tb, on(0, 12), v0, 0, 1);
	tb_switch(tb, on(1, 15), tb_idle, TB_R, v0);
	tb_switch(tb, on(1, 18), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(1, 20), v0, 1);
	tb_switch(tb, on(1, 30), tb_idle, TB_R, v0);
	tb_switch(tb, on(1, 60), v0, TB_R, tb_idle);
	tb_wakeup(tb, on(0, 99), v1, 1);
	m = model_of(tb);
	waits = &thread_of(m, v0)->waits;
	assert_int_equal(waits->n, 2);
	assert_int_equal(waits->min, 5 * US);
	assert_int_equal(waits->max, 10 * US);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_bracket_tells_kvm_run_but_not_the_guest),
		cmocka_unit_test(a_bracket_ends_with_the_userspace_exit_too),
		cmocka_unit_test(a_userspace_exit_alone_tells_nothing),
		cmocka_unit_test(a_sleep_is_a_halt_if_the_wakeup_says_so),
		cmocka_unit_test(a_sleep_before_the_last_event_is_not_of_the_halt),
		cmocka_unit_test(svm_has_reasons_of_its_own),
		cmocka_unit_test(arm64_halts_by_its_class_of_traps),
		cmocka_unit_test(only_what_is_asked_for_is_split),
		cmocka_unit_test(without_switches_entries_and_exits_still_pair_up),
		cmocka_unit_test(without_switches_what_does_not_pair_is_counted),
		cmocka_unit_test(without_switches_a_loss_unpairs_an_entry),
		cmocka_unit_test(whole_waits_have_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
