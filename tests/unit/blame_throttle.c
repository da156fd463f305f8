// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Waits while a quota stops a cgroup: as many as the kernel's counter allows, and those first that
 * were laid on others. VM one is in /q/one, below /q with its
 * quota; VM two in /qq. Times are in us.
 */
#include "tests/unit/blamed.h"

static void tell_counter(struct tb *tb, uint64_t us, uint64_t throttled_us)
{
	tb_marker(tb, MODELLED_BASE + us * US, "fcap: cg path=/q throttled_ns=%llu",
		  (unsigned long long)(throttled_us * US));
}

/* Counters start at 1000 us, as those of a cgroup that was throttled before. */
static struct tb *with_quota(int cpus)
{
	struct tb *tb = two_vms(cpus);

	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/q parent=/ quota=50000 period=100000");
	tell_counter(tb, 0, 1000);
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/q/one parent=/q quota=max");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/qq parent=/ quota=max throttled_ns=0");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/q/one");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=102 tgid=100 cgroup=/q/one");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cgroup=/qq");
	return tb;
}

/* a runs on CPU 0 up to us, then who until another_us, then a again. */
static void wait_for(struct tb *tb, struct tb_task who, uint64_t us, uint64_t another_us)
{
	tb_switch(tb, at_us(0, us), a, TB_R, who);
	tb_switch(tb, at_us(0, another_us), who, TB_S, a);
}

/* a waits for b 10-30 and, in the next interval, 50-60. */
static struct fan_report report_of_two_waits(uint64_t first_us, uint64_t second_us)
{
	struct tb *tb = with_quota(1);

	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	wait_for(tb, b, 10, 30);
	tell_counter(tb, 40, 1000 + first_us);
	wait_for(tb, b, 50, 60);
	tell_counter(tb, 90, 1000 + second_us);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	return report_of(tb);
}

static void as_much_as_the_counter_rose_is_throttled(void **state)
{
	struct fan_report r = report_of_two_waits(15, 15);

	(void)state;
	assert_waits(&r, "one", (struct waits){ .throttled = 15, .other = 20 - 15 + 10 });
	fan_report_free(&r);
	/* the second interval has only 10 us of waits */
	r = report_of_two_waits(15, 115);
	assert_waits(&r, "one", (struct waits){ .throttled = 15 + 10, .other = 5 });
	fan_report_free(&r);
}

static void a_counter_that_steps_back_or_stands_says_nothing(void **state)
{
	struct fan_report r = report_of_two_waits(0, 0);

	(void)state;
	assert_waits(&r, "one", (struct waits){ .other = 30 });
	fan_report_free(&r);
	/* 1000 to 500: reset; from there on it rises by 4 */
	r = report_of_two_waits((uint64_t)-500, (uint64_t)-496);
	assert_waits(&r, "one", (struct waits){ .throttled = 4, .other = 26 });
	fan_report_free(&r);
}

/* b, in /qq, is not below /q, and waits for a: 30-50 and 60-100. */
static void a_cgroup_of_a_like_name_is_not_throttled(void **state)
{
	struct tb *tb = with_quota(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_switch(tb, at_us(0, 30), b, TB_R, a);
	tb_switch(tb, at_us(0, 50), a, TB_R, b);
	tb_switch(tb, at_us(0, 60), b, TB_R, a);
	tell_counter(tb, 90, 2000);
	tb_switch(tb, at_us(0, 100), a, TB_S, b);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .throttled = 30 });
	assert_waits(&r, "two", (struct waits){ .other = 60 });
	fan_report_free(&r);
}

/* a waits 30 for b, 10 for the host, 5 for a2 and 8 for nobody. */
static struct fan_report report_of_all_kinds(uint64_t us)
{
	struct tb *tb = with_quota(1);

	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	wait_for(tb, b, 100, 130);
	wait_for(tb, host, 150, 160);
	wait_for(tb, a2, 170, 175);
	wait_for(tb, tb_idle, 180, 188);
	tell_counter(tb, 190, 1000 + us);
	tb_switch(tb, at_us(0, 200), a, TB_S, tb_idle);
	return report_of(tb);
}

static void others_are_relieved_first_and_in_proportion(void **state)
{
	struct fan_report r = report_of_all_kinds(20);

	(void)state;
	/* of 20, b's 30 give 15 and the host's 10 give 5 */
	assert_waits(
		&r, "one",
		(struct waits){ .throttled = 20, .other = 15, .host = 5, .idle = 8, .self = 5 });
	fan_report_free(&r);
}

static void then_idle_and_its_own_threads_last(void **state)
{
	struct fan_report r = report_of_all_kinds(44);

	(void)state;
	assert_waits(&r, "one", (struct waits){ .throttled = 44, .idle = 4, .self = 5 });
	fan_report_free(&r);
	r = report_of_all_kinds(50);
	assert_waits(&r, "one", (struct waits){ .throttled = 50, .self = 3 });
	fan_report_free(&r);
	r = report_of_all_kinds(5000);
	assert_waits(&r, "one", (struct waits){ .throttled = 53 });
	fan_report_free(&r);
}

/* a and a2 each wait 20 for a thread of their CPU: the counter, 15, counts for both. */
static void the_bound_is_for_each_thread_that_waited(void **state)
{
	const struct tb_task other = { 32, "kworker/1:1", 0 };
	struct tb *tb = with_quota(2);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, a2);
	tb_switch(tb, at_us(0, 10), a, TB_R, host);
	tb_switch(tb, at_us(1, 10), a2, TB_R, other);
	tb_switch(tb, at_us(0, 30), host, TB_S, a);
	tb_switch(tb, at_us(1, 30), other, TB_S, a2);
	tell_counter(tb, 40, 1015);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_us(1, 100), a2, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .throttled = 30, .host = 10 });
	fan_report_free(&r);
}

/* a waits 50-80; the interval ends at 60, where an event is, and 10 us of the wait are in it. */
static void a_wait_across_the_line_is_cut_there(void **state)
{
	struct tb *tb = with_quota(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 50), a, TB_R, b);
	tb_wakeup(tb, by_us(0, 60, b), host, 0);
	tell_counter(tb, 60, 1500);
	tb_switch(tb, at_us(0, 80), b, TB_S, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, host);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .throttled = 10, .other = 20 });
	fan_report_free(&r);
}

static void tell_sample(struct tb *tb, uint64_t us)
{
	tb_marker(tb, MODELLED_BASE + us * US, "fcap: steal tid=101 run=0 delay=0 n=0");
	tb_marker(tb, MODELLED_BASE + us * US, "fcap: steal tid=102 run=0 delay=0 n=0");
}

/*
 * Samples at 0, 100 and 200. The counter is told only when it has risen: by 25 in the second
 * interval, said at 205. a waits 20, 30, and, from 201 to 203, 2 us that are of the third one.
 */
static void only_the_sample_in_which_the_counter_rose_is_throttled(void **state)
{
	struct tb *tb = with_quota(1);
	struct fan_report r;

	(void)state;
	tell_sample(tb, 0);
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	wait_for(tb, b, 10, 30);
	tell_sample(tb, 100);
	wait_for(tb, b, 150, 180);
	tell_sample(tb, 200);
	wait_for(tb, host, 201, 203);
	tell_counter(tb, 205, 1025);
	tell_sample(tb, 300);
	tb_switch(tb, at_us(0, 300), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .throttled = 25, .other = 20 + 5, .host = 2 });
	fan_report_free(&r);
}

/* The thread whose line begins each sample has died; 150 us without one end the sample, too. */
static void samples_go_on_when_their_first_thread_has_died(void **state)
{
	struct tb *tb = with_quota(1);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 sample_ns=100000");
	tb_marker(tb, MODELLED_BASE, "fcap: steal tid=999 run=0 delay=0 n=0");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	wait_for(tb, b, 10, 30);
	tell_sample(tb, 200);
	wait_for(tb, b, 250, 280);
	tell_sample(tb, 300);
	tell_counter(tb, 305, 1500);
	tb_switch(tb, at_us(0, 400), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .throttled = 30, .other = 20 });
	fan_report_free(&r);
}

/* The first word on a counter tells how it stands, not that it has risen. */
static void a_counter_told_for_the_first_time_has_not_risen(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/q parent=/ quota=50000 period=100000");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/q");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	wait_for(tb, b, 10, 30);
	tell_counter(tb, 40, 1000);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of(tb);
	assert_waits(&r, "one", (struct waits){ .other = 20 });
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_much_as_the_counter_rose_is_throttled),
		cmocka_unit_test(a_counter_that_steps_back_or_stands_says_nothing),
		cmocka_unit_test(a_cgroup_of_a_like_name_is_not_throttled),
		cmocka_unit_test(others_are_relieved_first_and_in_proportion),
		cmocka_unit_test(then_idle_and_its_own_threads_last),
		cmocka_unit_test(the_bound_is_for_each_thread_that_waited),
		cmocka_unit_test(a_wait_across_the_line_is_cut_there),
		cmocka_unit_test(only_the_sample_in_which_the_counter_rose_is_throttled),
		cmocka_unit_test(samples_go_on_when_their_first_thread_has_died),
		cmocka_unit_test(a_counter_told_for_the_first_time_has_not_risen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
