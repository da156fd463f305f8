// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Which vCPUs shared a core that may not, and what is to be made of it. CPUs 0 and 1 are siblings.
 * Times are in us; what is wanted is worked out beside each test.
 */
#include "tests/unit/isolated.h"

static const char pair[] = "0-1";

/*
 * a is on CPU 0 from 0 to 500, in its guest from 10 to 150 and from 200 on; b on CPU 1 from 100 to
 * 400, in its guest from 110 on. The pairing is from 100 to 400, the late one a, its first entry
 * after 100 at 200: violation 200, transition 100. Both are in their guests from 110 to 150, which
 * is before it, and from 200 to 400.
 */
static struct tb *reentry(void)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	enter(tb, 0, 10, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 1, 110, b);
	leave(tb, 0, 150, a);
	enter(tb, 0, 200, a);
	run(tb, 1, 400, b, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	return tb;
}

static void a_late_one_that_enters_again_violates_from_there_on(void **state)
{
	struct fan_model *m = isolation_of(reentry(), pair);
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);
	const struct fan_mixed_pair *pairs;
	const struct fan_mixed *first;

	(void)state;
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 200, 100, 0, 0, 1, 1, 0 });
	assert_int_equal(vm->longest_ns, 200 * US);
	assert_int_equal(vm->violations.n, 1);
	assert_int_equal(vm->violations.sum, 200 * US);
	assert_int_equal(fan_isolation_pairs(m->isolation, FAN_LEVEL_VM, &pairs), 1);
	assert_true(pairs->a < pairs->b);
	assert_int_equal(pairs->violation_ns, 200 * US);
	assert_int_equal(pairs->transition_ns, 100 * US);
	assert_int_equal(pairs->violations, 1);
	assert_int_equal(pairs->longest_ns, 200 * US);
	assert_int_equal(fan_isolation_first(m->isolation, FAN_LEVEL_VM, &first), 1);
	assert_int_equal(first->ts_ns, MODELLED_BASE + 200 * US);
	assert_int_equal(first->ns, 200 * US);
	assert_int_equal(first->cpu[0], 0);
	assert_int_equal(first->cpu[1], 1);
	assert_int_equal(tid_of(m, first->thread[0]), a.tid);
	assert_int_equal(tid_of(m, first->thread[1]), b.tid);
	assert_false(first->is_unresolved);
	fan_model_free(m);
}

static void at_the_level_of_guests_only_time_in_both_guests_counts(void **state)
{
	struct fan_model *m = isolation_of(reentry(), pair);
	const struct fan_mixed *first;

	(void)state;
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ 240, 200, 40, 0, 0, 1, 1, 0 });
	assert_int_equal(fan_isolation_first(m->isolation, FAN_LEVEL_GUEST, &first), 1);
	assert_int_equal(first->ts_ns, MODELLED_BASE + 200 * US);
	assert_int_equal(first->ns, 200 * US);
	fan_model_free(m);
}

/* Its cookies are not told: nothing is known at that level. */
static void without_cookies_there_is_nothing_at_their_level(void **state)
{
	struct fan_model *m = isolation_of(reentry(), pair);

	(void)state;
	assert_level(m, FAN_LEVEL_COOKIE, (struct mixing){ 0 });
	fan_model_free(m);
}

/* As above, but the pairing ends so many ns after the entry at 200. */
static struct fan_model *pairing_that_ends(uint64_t ns)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 0, 200, a);
	tb_switch(tb, tb_at(1, MODELLED_BASE + 200 * US + ns), b, TB_R, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	return isolation_of(tb, pair);
}

static void an_entry_just_before_the_end_is_an_interrupts_way(void **state)
{
	struct fan_model *m = pairing_that_ends(49999);
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);

	(void)state;
	assert_int_equal(vm->violation_ns, 0);
	assert_int_equal(vm->transition_ns, 149999);
	assert_int_equal(vm->reentered, 0);
	fan_model_free(m);
	m = pairing_that_ends(50000);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 150, 50, 100, 0, 0, 1, 1, 0 });
	fan_model_free(m);
}

/* Nobody enters; b comes at 100 and leaves that many ns later. */
static struct fan_model *pairing_without_entry(uint64_t ns, uint64_t tolerance_ns)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	enter(tb, 0, 50, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 1, 101, b);
	tb_switch(tb, tb_at(1, MODELLED_BASE + 100 * US + ns), b, TB_R, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	return isolation_with(tb, pair, (struct fan_model_options){ .tolerance_ns = tolerance_ns });
}

static void without_entry_the_tolerance_decides(void **state)
{
	struct fan_model *m = pairing_without_entry(50000, 0);
	const struct fan_mixing *vm;

	(void)state;
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 50, 0, 50, 0, 0, 1, 0, 0 });
	fan_model_free(m);
	m = pairing_without_entry(50001, 0);
	vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);
	assert_int_equal(vm->transition_ns, 0);
	assert_int_equal(vm->unresolved_ns, 50001);
	assert_int_equal(vm->unresolved, 1);
	fan_model_free(m);
	m = pairing_without_entry(200000, 200000);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 200, 0, 200, 0, 0, 1, 0, 0 });
	fan_model_free(m);
}

/* Both guests never exit: in both from 101 to 300, the pairing is from 100 to 300. */
static void a_guest_that_never_exits_is_unresolved(void **state)
{
	struct fan_model *m = pairing_without_entry(200000, 0);
	const struct fan_mixed *first;
	const struct fan_mixed_pair *pairs;

	(void)state;
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 200, 0, 0, 200, 0, 1, 0, 1 });
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ 199, 0, 0, 199, 0, 1, 0, 1 });
	assert_int_equal(fan_isolation_first(m->isolation, FAN_LEVEL_VM, &first), 1);
	assert_true(first->is_unresolved);
	assert_int_equal(first->ts_ns, MODELLED_BASE + 100 * US);
	assert_int_equal(first->ns, 200 * US);
	assert_int_equal(fan_isolation_pairs(m->isolation, FAN_LEVEL_VM, &pairs), 1);
	assert_int_equal(pairs->unresolved, 1);
	assert_int_equal(pairs->unresolved_ns, 200 * US);
	fan_model_free(m);
}

/*
 * Both get on at 100; late is CPU 0. What CPU 1 does at 110 is of no matter: of the 300 to 400,
 * all is unresolved if CPU 0 does not enter, and a violation from 200 on if it does.
 */
static struct fan_model *both_at_once(bool enters)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tell_vcpus(tb);
	enter(tb, 0, 0, c);
	enter(tb, 1, 0, c);
	run(tb, 0, 50, c, tb_idle);
	run(tb, 0, 100, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 1, 110, b);
	if (enters)
		enter(tb, 0, 200, a);
	run(tb, 0, 400, a, tb_idle);
	run(tb, 1, 400, b, tb_idle);
	return isolation_of(tb, pair);
}

static void of_two_that_switch_at_once_the_lower_cpu_is_late(void **state)
{
	struct fan_model *m = both_at_once(false);
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);

	(void)state;
	assert_int_equal(vm->unresolved_ns, 300 * US);
	assert_int_equal(vm->violation_ns, 0);
	fan_model_free(m);
	m = both_at_once(true);
	vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);
	assert_int_equal(vm->violation_ns, 200 * US);
	assert_int_equal(vm->transition_ns, 100 * US);
	fan_model_free(m);
}

/*
 * a and b meet at 100, late is a. At 200 a2 follows a: now b is late, which enters at 240. c
 * follows a2 at 300: three pairings. a and b: 100 without entry, unresolved. a2 and b: transition
 * 40, violation 60. c and b: late b, which enters at 320: transition 20, violation 80 to 400.
 */
static void each_switch_begins_a_new_pairing(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;
	const struct fan_mixed_pair *pairs;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	run(tb, 0, 200, a, a2);
	enter(tb, 0, 210, a2);
	enter(tb, 1, 240, b);
	run(tb, 0, 300, a2, c);
	leave(tb, 1, 310, b);
	enter(tb, 1, 320, b);
	run(tb, 1, 400, b, tb_idle);
	run(tb, 0, 500, c, tb_idle);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 140, 60, 100, 0, 3, 2, 1 });
	assert_int_equal(fan_isolation_level(m->isolation, FAN_LEVEL_VM)->longest_ns, 80 * US);
	assert_int_equal(fan_isolation_pairs(m->isolation, FAN_LEVEL_VM, &pairs), 2);
	/* guests: a2 from 210, b from 240 to 310 and 320 on, c never */
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ 60, 60, 0, 0, 0, 1, 1, 0 });
	fan_model_free(m);
}

/* An entry at the time of the switch is after it; one at the end of the pairing is none. */
static void an_entry_at_the_time_of_the_switch_is_after_it(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	enter(tb, 0, 50, a);
	enter(tb, 0, 100, a);
	run(tb, 1, 100, tb_idle, b);
	run(tb, 1, 300, b, tb_idle);
	run(tb, 1, 400, tb_idle, b);
	enter(tb, 0, 600, a);
	run(tb, 1, 600, b, tb_idle);
	run(tb, 0, 700, a, tb_idle);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 400, 200, 0, 200, 0, 2, 1, 1 });
	fan_model_free(m);
}

/* The pairing goes on when the trace ends at 400, 150 after the entry. */
static void a_pairing_that_is_open_at_the_end_is_what_it_was_so_far(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 0, 250, a);
	enter(tb, 1, 400, b);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 150, 150, 0, 0, 1, 1, 0 });
	fan_model_free(m);
}

/* Both run beside each other from 100 to 400 and a enters at 200. */
static struct tb *beside(struct tb_task other, unsigned int cookie, unsigned int other_cookie)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tell_vcpus(tb);
	tell_cookie(tb, a, cookie);
	tell_cookie(tb, other, other_cookie);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, other);
	enter(tb, 0, 200, a);
	enter(tb, 1, 210, other);
	run(tb, 1, 400, other, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	return tb;
}

static void vcpus_of_one_vm_may_share(void **state)
{
	struct fan_model *m = isolation_of(beside(a2, 0x11, 0x11), pair);

	(void)state;
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ .co_run = 300 });
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ .co_run = 190 });
	assert_level(m, FAN_LEVEL_COOKIE, (struct mixing){ .co_run = 300 });
	fan_model_free(m);
}

static void a_cookie_for_each_vcpu_parts_those_of_one_vm(void **state)
{
	struct fan_model *m = isolation_of(beside(a2, 0x11, 0x12), pair);
	const struct fan_mixed_pair *pairs;

	(void)state;
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ .co_run = 300 });
	assert_level(m, FAN_LEVEL_COOKIE, (struct mixing){ 300, 200, 100, 0, 0, 1, 1, 0 });
	assert_int_equal(fan_isolation_pairs(m->isolation, FAN_LEVEL_COOKIE, &pairs), 1);
	assert_int_equal(pairs->a, pairs->b);
	fan_model_free(m);
}

static void two_vms_of_one_cookie_may_share_by_it(void **state)
{
	struct fan_model *m = isolation_of(beside(b, 0x11, 0x11), pair);

	(void)state;
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 200, 100, 0, 0, 1, 1, 0 });
	assert_level(m, FAN_LEVEL_COOKIE, (struct mixing){ .co_run = 300 });
	fan_model_free(m);
}

static void no_cookie_is_a_cookie(void **state)
{
	struct fan_model *m = isolation_of(beside(b, 0, 0x11), pair);

	(void)state;
	assert_level(m, FAN_LEVEL_COOKIE, (struct mixing){ 300, 200, 100, 0, 0, 1, 1, 0 });
	fan_model_free(m);
	m = isolation_of(beside(b, 0, 0), pair);
	assert_level(m, FAN_LEVEL_COOKIE, (struct mixing){ .co_run = 300 });
	fan_model_free(m);
}

/* No kvm_entry: KVM_RUN begins at 10 and, once more, at 200, and ends at 150. */
static void without_entries_the_begin_of_kvm_run_stands_for_them(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	tb_kvm_fpu(tb, by(0, 10, a), 1);
	run(tb, 1, 100, tb_idle, b);
	tb_kvm_fpu(tb, by(1, 110, b), 1);
	tb_kvm_fpu(tb, by(0, 150, a), 0);
	tb_kvm_fpu(tb, by(0, 200, a), 1);
	run(tb, 1, 400, b, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 200, 100, 0, 0, 1, 1, 0 });
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ 240, 200, 40, 0, 0, 1, 1, 0 });
	fan_model_free(m);
}

/* The load of the FPU's state at 200 is none where entries are seen: b's at 90. */
static void where_entries_are_seen_the_begin_of_kvm_run_is_none(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	tb_kvm_fpu(tb, by(0, 10, a), 1);
	run(tb, 1, 80, tb_idle, b);
	enter(tb, 1, 90, b);
	tb_kvm_fpu(tb, by(0, 200, a), 1);
	run(tb, 1, 380, b, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 0, 0, 300, 0, 1, 0, 1 });
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ 0 });
	fan_model_free(m);
}

/*
 * The names of vCPUs, and nothing else tells: no violation can be seen, but what is shared is, from
 * 100 to 400.
 */
static void vcpus_known_by_name_only_are_unresolved(void **state)
{
	const struct tb_task x = { 51, "CPU 0/KVM", 0 }, y = { 61, "CPU 0/KVM", 0 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	run(tb, 0, 0, tb_idle, x);
	run(tb, 1, 100, tb_idle, y);
	run(tb, 1, 400, y, tb_idle);
	run(tb, 0, 500, x, tb_idle);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 300, 0, 0, 300, 0, 1, 0, 1 });
	fan_model_free(m);
}

/*
 * Tgids are not told, but tid 50 forked 51 and 52: one VM, as the groups are; that is found out
 * at the end, and a second pass knows it. They share from 100 to 400.
 */
static void vcpus_of_one_forker_are_one_vm(void **state)
{
	const struct tb_task vmm = { 50, "vmm", 0 }, x = { 51, "vmm", 0 }, y = { 52, "vmm", 0 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	run(tb, 0, 0, tb_idle, vmm);
	tb_fork(tb, by(0, 1, vmm), vmm, x);
	tb_fork(tb, by(0, 2, vmm), vmm, y);
	run(tb, 0, 10, vmm, x);
	enter(tb, 0, 20, x);
	run(tb, 1, 100, tb_idle, y);
	enter(tb, 1, 110, y);
	run(tb, 1, 400, y, tb_idle);
	run(tb, 0, 500, x, tb_idle);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ .co_run = 300 });
	fan_model_free(m);
}

/* b comes 12 times for 60 each, at 100, 200 and so on, and a enters 5 later: 12 violations of 55.
 */
static void the_first_ten_are_told(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct fan_mixed *first;
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	for (uint64_t i = 1; i <= 12; i++) {
		run(tb, 1, 100 * i, tb_idle, b);
		enter(tb, 0, 100 * i + 5, a);
		run(tb, 1, 100 * i + 60, b, tb_idle);
		leave(tb, 0, 100 * i + 70, a);
	}
	run(tb, 0, 2000, a, tb_idle);
	m = isolation_of(tb, pair);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 720, 660, 60, 0, 0, 12, 12, 0 });
	assert_int_equal(fan_isolation_level(m->isolation, FAN_LEVEL_VM)->violations.n, 12);
	assert_int_equal(fan_isolation_level(m->isolation, FAN_LEVEL_VM)->violations.max, 55 * US);
	assert_int_equal(fan_isolation_first(m->isolation, FAN_LEVEL_VM, &first), 10);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(first[i].ts_ns, MODELLED_BASE + (100 * (i + 1) + 5) * US);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_one_that_enters_again_violates_from_there_on),
		cmocka_unit_test(at_the_level_of_guests_only_time_in_both_guests_counts),
		cmocka_unit_test(without_cookies_there_is_nothing_at_their_level),
		cmocka_unit_test(an_entry_just_before_the_end_is_an_interrupts_way),
		cmocka_unit_test(without_entry_the_tolerance_decides),
		cmocka_unit_test(a_guest_that_never_exits_is_unresolved),
		cmocka_unit_test(of_two_that_switch_at_once_the_lower_cpu_is_late),
		cmocka_unit_test(each_switch_begins_a_new_pairing),
		cmocka_unit_test(an_entry_at_the_time_of_the_switch_is_after_it),
		cmocka_unit_test(a_pairing_that_is_open_at_the_end_is_what_it_was_so_far),
		cmocka_unit_test(vcpus_of_one_vm_may_share),
		cmocka_unit_test(a_cookie_for_each_vcpu_parts_those_of_one_vm),
		cmocka_unit_test(two_vms_of_one_cookie_may_share_by_it),
		cmocka_unit_test(no_cookie_is_a_cookie),
		cmocka_unit_test(without_entries_the_begin_of_kvm_run_stands_for_them),
		cmocka_unit_test(where_entries_are_seen_the_begin_of_kvm_run_is_none),
		cmocka_unit_test(vcpus_known_by_name_only_are_unresolved),
		cmocka_unit_test(vcpus_of_one_forker_are_one_vm),
		cmocka_unit_test(the_first_ten_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
