// SPDX-License-Identifier: GPL-3.0-or-later
/* Counters that step back or jump: how many intervals of each are left out is told, and why. */
#include <stdio.h>

#include "tests/unit/assembled.h"
#include "tests/unit/text_of.h"

static void tell_steal(struct tb *tb, uint64_t ms, uint64_t delay_ms)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS,
		  "fcap: steal tid=101 run=%llu delay=%llu n=%llu", (unsigned long long)ms,
		  (unsigned long long)(delay_ms * MODELLED_MS), (unsigned long long)ms);
}

static void tell_guest(struct tb *tb, uint64_t ms, uint64_t steal_ms)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS,
		  "fcap: guest vm=vm1 cpu=0 steal=%llu resolution_ns=1000000",
		  (unsigned long long)(steal_ms * MODELLED_MS));
}

static void tell_host(struct tb *tb, uint64_t ms, unsigned int steal, unsigned int total)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS,
		  "fcap: host cpu=0 steal=%u total=%u unit=10000000", steal, total);
}

/* A vCPU that runs for 1 ms of each 10, and sleeps. */
static struct tb *sleeper(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	for (unsigned int i = 0; i < 100; i++) {
		tb_switch(tb, at_ms(0, 10 * (uint64_t)i), tb_idle, TB_R, small);
		tb_switch(tb, at_ms(0, 10 * (uint64_t)i + 1), small, TB_S, tb_idle);
	}
	return tb;
}

/* As if lines had no end: each run of blanks is one. */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++)
		if (!(*p == ' ' || *p == '\n') || (to > text && to[-1] != ' '))
			*to++ = *p == '\n' ? ' ' : *p;
	*to = '\0';
}

static char *joined_text_of(const struct fan_report *r)
{
	char *text = text_of(r);

	join_lines(text);
	return text;
}

/* At most 100 ms + 5 % + 10 ms fit into 100 ms: 1000 do not, twice; once it goes from 2010 to 5. */
static struct fan_report kernel_counter(void)
{
	const uint64_t delay_ms[] = { 0, 10, 1010, 2010, 5, 15, 25 };
	struct tb *tb = sleeper();

	for (size_t i = 0; i < sizeof(delay_ms) / sizeof(delay_ms[0]); i++)
		tell_steal(tb, 100 * (i + 1), delay_ms[i]);
	return report_of(tb);
}

static void a_kernel_counter_tells_how_often_it_stepped_back_and_jumped(void **state)
{
	struct fan_report r = kernel_counter();
	const struct fan_r_steal *vm = &group(&r, "vm1")->steal;
	const struct fan_r_thread *t = group(&r, "vm1")->threads.items;
	char *text = joined_text_of(&r);

	(void)state;
	assert_int_equal(vm->intervals, 6);
	assert_int_equal(vm->excluded_intervals, 3);
	assert_int_equal(vm->backwards_intervals, 1);
	assert_int_equal(vm->jumped_intervals, 2);
	assert_int_equal(vm->counter_ns, 30 * MODELLED_MS);
	assert_int_equal(t->steal.backwards_intervals, 1);
	assert_int_equal(t->steal.jumped_intervals, 2);
	assert_int_equal(vm->guest_intervals, FAN_NONE);
	assert_non_null(strstr(text, "vm1: 3 of 6 intervals are left out, in which the kernel's "
				     "counter stepped back (1) or"));
	assert_non_null(strstr(text, "jumped (2)"));
	free(text);
	fan_report_free(&r);
}

/* 100 + 5 % + 2 steps of 1 ms fit. From 10 to 300 and from 300 to 20; 10 and 15 count. */
static void a_guest_tells_how_often_it_stepped_back_and_jumped(void **state)
{
	const uint64_t steal_ms[] = { 0, 10, 300, 20, 35 };
	struct tb *tb = sleeper();
	const struct fan_r_steal *vm;
	struct fan_report r;
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof(steal_ms) / sizeof(steal_ms[0]); i++)
		tell_guest(tb, 100 * (i + 1), steal_ms[i]);
	r = report_of(tb);
	vm = &group(&r, "vm1")->steal;
	assert_int_equal(vm->guest_ns, 25 * MODELLED_MS);
	assert_int_equal(vm->guest_intervals, 4);
	assert_int_equal(vm->guest_excluded_intervals, 2);
	assert_int_equal(vm->guest_backwards_intervals, 1);
	assert_int_equal(vm->guest_jumped_intervals, 1);
	text = joined_text_of(&r);
	/* what the guest counted stands there although the kernel's counter was not sampled */
	assert_non_null(strstr(text, "vm1: 0 s, in the guest 25.00 ms"));
	assert_non_null(strstr(text, "vm1: 2 of 4 intervals are left out, in which the guest's own "
				     "count stepped back (1)"));
	free(text);
	fan_report_free(&r);
}

/* No time is known, but why that is. */
static void a_guest_whose_count_is_never_usable_says_so(void **state)
{
	struct tb *tb = sleeper();
	const struct fan_r_steal *vm;
	struct fan_report r;
	char *text;

	(void)state;
	tell_guest(tb, 100, 5);
	tell_guest(tb, 200, 3);
	r = report_of(tb);
	vm = &group(&r, "vm1")->steal;
	assert_int_equal(vm->guest_ns, FAN_NONE);
	assert_int_equal(vm->guest_intervals, 1);
	assert_int_equal(vm->guest_backwards_intervals, 1);
	assert_int_equal(vm->guest_jumped_intervals, 0);
	text = joined_text_of(&r);
	assert_non_null(strstr(text, "vm1: 1 of 1 intervals are left out, in which the guest's own "
				     "count stepped back (1)"));
	free(text);
	fan_report_free(&r);
}

/* In units of 10 ms: 1 of 10, one step back, 1 of 10: 2 % ... of 200 ms 20 are stolen. */
static void the_host_tells_how_often_its_steal_stepped_back(void **state)
{
	struct tb *tb = sleeper();
	struct fan_report r;

	(void)state;
	tell_host(tb, 100, 10, 100);
	tell_host(tb, 200, 11, 110);
	tell_host(tb, 300, 5, 120);
	tell_host(tb, 400, 6, 130);
	r = report_of(tb);
	assert_near(r.host.steal_pct, 10, 1e-9);
	assert_int_equal(r.host.steal_intervals, 3);
	assert_int_equal(r.host.steal_backwards_intervals, 1);
	assert_int_equal(r.host.steal_jumped_intervals, 0);
	assert_true(has(&r.host.notes, "stepped back in 1 of 3 intervals"));
	fan_report_free(&r);
}

/*
 * 100 units are a second, in 100 ms; of 100 ms at most 105 and two units fit. Such a counter is not
 * to be believed elsewhere either: no percentage.
 */
static void the_host_tells_how_often_its_columns_jumped(void **state)
{
	struct tb *tb = sleeper();
	struct fan_report r;

	(void)state;
	tell_host(tb, 100, 10, 100);
	tell_host(tb, 200, 11, 110);
	tell_host(tb, 300, 111, 210);
	tell_host(tb, 400, 112, 220);
	r = report_of(tb);
	assert_true(isnan(r.host.steal_pct));
	assert_int_equal(r.host.steal_intervals, 3);
	assert_int_equal(r.host.steal_jumped_intervals, 1);
	assert_true(has(&r.host.notes, "1 of 3 intervals"));
	fan_report_free(&r);
}

static void counters_that_behave_are_not_worth_a_word(void **state)
{
	struct tb *tb = sleeper();
	const struct fan_r_steal *vm;
	struct fan_report r;
	char *text;

	(void)state;
	for (uint64_t i = 1; i < 8; i++) {
		tell_steal(tb, 100 * i, i);
		tell_guest(tb, 100 * i, i);
	}
	r = report_of(tb);
	vm = &group(&r, "vm1")->steal;
	assert_int_equal(vm->excluded_intervals, 0);
	assert_int_equal(vm->backwards_intervals, 0);
	assert_int_equal(vm->guest_intervals, 6);
	assert_int_equal(vm->guest_excluded_intervals, 0);
	assert_int_equal(r.host.steal_intervals, FAN_NONE);
	text = joined_text_of(&r);
	assert_null(strstr(text, "left out, in which"));
	free(text);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_counter_tells_how_often_it_stepped_back_and_jumped),
		cmocka_unit_test(a_guest_tells_how_often_it_stepped_back_and_jumped),
		cmocka_unit_test(a_guest_whose_count_is_never_usable_says_so),
		cmocka_unit_test(the_host_tells_how_often_its_steal_stepped_back),
		cmocka_unit_test(the_host_tells_how_often_its_columns_jumped),
		cmocka_unit_test(counters_that_behave_are_not_worth_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
