// SPDX-License-Identifier: GPL-3.0-or-later
/* What vCPUs did in each window, worked out by hand. */
#include <stdio.h>

#include "analyze/model/vcpu_windows.h"
#include "tests/unit/demanded.h"

enum { HLT = 12, IO = 30 };

static const struct tb_task other = { 300, "other", 0 }, plain = { 400, "plain", 0 };

static struct tb_at by_us(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * 1000, cur.tid);
}

/* Sum of the windows of whoever has this account; zeros where nothing was booked to it. */
static struct fan_vcpu_sums windows_of(const struct fan_model *m, struct tb_task task,
				       uint64_t first, uint64_t n)
{
	const struct fan_vcpu_windows *w = m->pulse->vcpu_windows;
	const int32_t i = fan_threads_find(m->threads, task.tid);

	assert_true(i >= 0);
	for (size_t row = 0; row < fan_vcpu_windows_rows(w); row++)
		if (fan_vcpu_windows_account(w, row) ==
		    fan_threads_at(m->threads, (size_t)i)->account)
			return fan_vcpu_windows_sum(w, row, first, n);
	return (struct fan_vcpu_sums){ { 0 } };
}

static void assert_sums(struct fan_vcpu_sums got, struct fan_vcpu_sums want)
{
	for (size_t i = 0; i < FAN_SUMS; i++)
		if (got.ns[i] != want.ns[i])
			fail_msg("sum %zu: %lld is not %lld", i, (long long)got.ns[i],
				 (long long)want.ns[i]);
}

/*
 * ms 0 in, entry; 4 exit for IO; 5 userspace exit; 7 entry; 13 exit for HLT; 14 asleep; 26 woken;
 * 27 in; 28 a wakeup of 14.75 ms, so that it halted at 13.25 and polled until it slept; 28.5
 * entry; 30 exit and out.
 */
static struct fan_model *halting(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	add_cpus(tb, 1);
	add_vcpu(tb, a0.tid, 100, "");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_kvm_entry(tb, by_us(0, 0, a0), 0);
	tb_kvm_exit(tb, by_us(0, 4000, a0), 0, IO);
	tb_kvm_userspace_exit(tb, by_us(0, 5000, a0), 2);
	tb_kvm_entry(tb, by_us(0, 7000, a0), 0);
	tb_kvm_exit(tb, by_us(0, 13000, a0), 0, HLT);
	tb_switch(tb, at_ms(0, 14), a0, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(0, 26), a0, 0);
	tb_switch(tb, at_ms(0, 27), tb_idle, TB_R, a0);
	tb_kvm_vcpu_wakeup(tb, by_us(0, 28000, a0), 14750000, true);
	tb_kvm_entry(tb, by_us(0, 28500, a0), 0);
	tb_kvm_exit(tb, by_us(0, 30000, a0), 0, IO);
	tb_switch(tb, at_ms(0, 30), a0, TB_R, tb_idle);
	return model_by_demand(tb, 1, NULL);
}

static void a_window_ends_in_the_middle_of_everything(void **state)
{
	struct fan_model *m = halting();

	(void)state;
	/* guest 0-4 and 7-10, kernel 4-5, VMM 5-7 */
	assert_sums(windows_of(m, a0, 0, 1), (struct fan_vcpu_sums){ {
						     [FAN_MODE_GUEST] = 7000000,
						     [FAN_MODE_KERNEL] = 1000000,
						     [FAN_MODE_VMM] = 2000000,
					     } });
	/* guest 10-13; on the CPU for the halt 13-14; halted 14-20 */
	assert_sums(windows_of(m, a0, 1, 1), (struct fan_vcpu_sums){ {
						     [FAN_MODE_GUEST] = 3000000,
						     [FAN_MODE_HALT] = 1000000,
						     [FAN_SUM_BLOCKED] = 6000000,
						     [FAN_SUM_HALTED] = 6000000,
					     } });
	fan_model_free(m);
}

static void what_is_found_out_later_is_taken_back_later(void **state)
{
	struct fan_model *m = halting();

	(void)state;
	/* halted 20-26, wait 26-27, kernel 27-28.5, guest 28.5-30; polling was 13.25-14 */
	assert_sums(windows_of(m, a0, 2, 1), (struct fan_vcpu_sums){ {
						     [FAN_MODE_GUEST] = 1500000,
						     [FAN_MODE_KERNEL] = 1500000,
						     [FAN_MODE_HALT] = -750000,
						     [FAN_MODE_POLL] = 750000,
						     [FAN_SUM_WAIT] = 1000000,
						     [FAN_SUM_BLOCKED] = 6000000,
						     [FAN_SUM_HALTED] = 6000000,
					     } });
	/* and so they are right in all */
	assert_sums(windows_of(m, a0, 1, 2), (struct fan_vcpu_sums){ {
						     [FAN_MODE_GUEST] = 4500000,
						     [FAN_MODE_KERNEL] = 1500000,
						     [FAN_MODE_HALT] = 250000,
						     [FAN_MODE_POLL] = 750000,
						     [FAN_SUM_WAIT] = 1000000,
						     [FAN_SUM_BLOCKED] = 12000000,
						     [FAN_SUM_HALTED] = 12000000,
					     } });
	fan_model_free(m);
}

/* Nobody wants a CPU from 1 to 95 ms: the ticks in between are skipped, the windows are not. */
static void sleep_fills_its_windows(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	add_cpus(tb, 1);
	add_vcpu(tb, a0.tid, 100, "");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_switch(tb, at_ms(0, 1), a0, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(0, 95), a0, 0);
	tb_switch(tb, at_ms(0, 97), tb_idle, TB_R, a0);
	tb_switch(tb, at_ms(0, 102), a0, TB_S, tb_idle);
	m = model_by_demand(tb, 1, NULL);
	assert_sums(windows_of(m, a0, 0, 1),
		    (struct fan_vcpu_sums){
			    { [FAN_MODE_UNTOLD] = 1000000, [FAN_SUM_BLOCKED] = 9000000 } });
	for (uint64_t w = 1; w < 9; w++)
		assert_sums(windows_of(m, a0, w, 1),
			    (struct fan_vcpu_sums){ { [FAN_SUM_BLOCKED] = 10000000 } });
	assert_sums(windows_of(m, a0, 9, 1), (struct fan_vcpu_sums){ {
						     [FAN_MODE_UNTOLD] = 3000000,
						     [FAN_SUM_WAIT] = 2000000,
						     [FAN_SUM_BLOCKED] = 5000000,
					     } });
	/* the last one is cut short by the end */
	assert_sums(windows_of(m, a0, 10, 1),
		    (struct fan_vcpu_sums){ { [FAN_MODE_UNTOLD] = 2000000 } });
	fan_model_free(m);
}

/* At 25 the first word of that plain is a vCPU: unseen to 24, then on the CPU, 25 to 30 inside. */
static void what_was_before_it_showed_is_spread_evenly(void **state)
{
	static const int64_t guest[] = { 1666666, 1666667, 1666667 },
			     untold[] = { 333333, 333333, 333334 },
			     unknown[] = { 8000001, 8000000, 7999999 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, other);
	tb_switch(tb, at_ms(0, 24), tb_idle, TB_R, plain);
	tb_kvm_entry(tb, by_us(0, 25000, plain), 0);
	tb_switch(tb, at_ms(1, 30), other, TB_S, tb_idle);
	m = model_by_demand(tb, 2, NULL);
	for (uint64_t w = 0; w < 3; w++)
		assert_sums(windows_of(m, plain, w, 1), (struct fan_vcpu_sums){ {
								[FAN_MODE_GUEST] = guest[w],
								[FAN_MODE_UNTOLD] = untold[w],
								[FAN_SUM_UNKNOWN] = unknown[w],
							} });
	assert_int_equal(fan_vcpu_windows_rows(m->pulse->vcpu_windows), 1);
	fan_model_free(m);
}

/* b0 is named like a vCPU all along; at event_ms plain makes a kvm event, if at all. */
static struct fan_model *named(uint64_t event_ms)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, plain);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, b0);
	if (event_ms)
		tb_kvm_exit(tb, by_us(0, event_ms * 1000, plain), 0, IO);
	tb_switch(tb, at_ms(1, 30), b0, TB_S, tb_idle);
	return model_by_demand(tb, 2, NULL);
}

static void names_tell_of_vcpus_until_something_else_does(void **state)
{
	struct fan_model *m = named(0);

	(void)state;
	assert_sums(windows_of(m, b0, 1, 2),
		    (struct fan_vcpu_sums){ { [FAN_MODE_UNTOLD] = 20000000 } });
	fan_model_free(m);
	m = named(20);
	assert_sums(windows_of(m, b0, 0, UINT64_MAX), (struct fan_vcpu_sums){ { 0 } });
	/* told of behind the end of window 1: 20 ms untold and 10 in the kernel are spread;
	 * what rounding loses goes to the largest */
	assert_sums(windows_of(m, plain, 0, UINT64_MAX),
		    (struct fan_vcpu_sums){
			    { [FAN_MODE_UNTOLD] = 20000000, [FAN_MODE_KERNEL] = 10000000 } });
	assert_sums(windows_of(m, plain, 2, 1),
		    (struct fan_vcpu_sums){
			    { [FAN_MODE_UNTOLD] = 6666666, [FAN_MODE_KERNEL] = 3333334 } });
	fan_model_free(m);
}

/* 40 threads of a VM each for 200 s: 20000 windows of 10 ms would be 70 MB. */
static void memory_is_bounded_and_the_series_widens_along(void **state)
{
	struct fan_threads *threads = fan_threads_new();
	struct fan_parties *parties = fan_parties_new(threads, NULL);
	struct fan_series *series = fan_series_new();
	struct fan_vcpu_windows *w = fan_vcpu_windows_new(threads, parties, series);
	const struct fan_vcpu_sums second = { { [FAN_SUM_UNKNOWN] = 1000000000 } };

	(void)state;
	for (int32_t i = 0; i < 40; i++) {
		assert_int_equal(fan_threads_add(threads, i + 1, 0), i);
		fan_threads_at(threads, (size_t)i)->is_vcpu = true;
		assert_int_equal(fan_parties_note(parties, i), 1);
	}
	fan_vcpu_windows_begin(w, 0);
	assert_int_equal(fan_vcpu_windows_take(w, 200000 * MODELLED_MS), 0);
	assert_int_equal(fan_vcpu_windows_end(w, 200000 * MODELLED_MS), 0);
	/* 381300 cells are 9532 a thread: full after 95 s at 10 ms, after 191 s at 20 ms */
	assert_int_equal(fan_series_width_ns(series), 100 * MODELLED_MS);
	assert_int_equal(fan_vcpu_windows_rows(w), 40);
	for (uint64_t s = 0; s < 200; s++)
		assert_sums(fan_vcpu_windows_sum(w, s % 40, s * 10, 10), second);
	fan_vcpu_windows_free(w);
	fan_series_free(series);
	fan_parties_free(parties);
	fan_threads_free(threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_ends_in_the_middle_of_everything),
		cmocka_unit_test(what_is_found_out_later_is_taken_back_later),
		cmocka_unit_test(sleep_fills_its_windows),
		cmocka_unit_test(what_was_before_it_showed_is_spread_evenly),
		cmocka_unit_test(names_tell_of_vcpus_until_something_else_does),
		cmocka_unit_test(memory_is_bounded_and_the_series_widens_along),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
