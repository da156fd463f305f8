// SPDX-License-Identifier: GPL-3.0-or-later
/* What the host did to all groups alike is said with its size, before any number it touches. */
#include "tests/unit/assembled.h"
#include "tests/unit/text_of.h"

static const struct tb_task rt = { 50, "pulse", 49 };
static const struct tb_task deadline = { 51, "control", -1 };
static const struct tb_task recorder = { 60, "fcap", 0 };

/* One CPU, 10 s: the two VMs have 4.4 s each, the other one 10 x 120 ms of it. */
static struct tb *disturbed_by(struct tb_task other, const char *begin)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	if (begin)
		tb_marker(tb, MODELLED_BASE, "%s", begin);
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	for (unsigned int i = 0; i < 10; i++) {
		const uint64_t ms = 1000 * (uint64_t)i;

		tb_switch(tb, at_ms(0, ms), i ? large : tb_idle, TB_R, other);
		tb_switch(tb, at_ms(0, ms + 120), other, TB_S, small);
		tb_switch(tb, at_ms(0, ms + 560), small, TB_R, large);
		tb_wakeup(tb, tb_by(0, MODELLED_BASE + (ms + 999) * MODELLED_MS, large.tid), other,
			  0);
	}
	tb_switch(tb, at_ms(0, 10000), large, TB_R, other);
	return tb;
}

static void realtime_load_is_measured(void **state)
{
	struct fan_report r = report_of(disturbed_by(rt, NULL));

	(void)state;
	assert_int_equal(r.host.realtime_ns, 1200 * MODELLED_MS);
	assert_true(
		has(&r.host.notes, "real-time and deadline threads took 12.0 % of all CPU time"));
	assert_int_equal(r.host.recorder_ns, 0);
	fan_report_free(&r);
	r = report_of(disturbed_by(deadline, NULL));
	assert_int_equal(r.host.realtime_ns, 1200 * MODELLED_MS);
	fan_report_free(&r);
}

static void the_recorder_tells_its_own_cost(void **state)
{
	struct fan_report r = report_of(disturbed_by(recorder, NULL));

	(void)state;
	assert_int_equal(r.host.realtime_ns, 0);
	assert_int_equal(r.host.recorder_ns, 1200 * MODELLED_MS);
	assert_true(has(&r.host.notes, "the recorder itself took 12.0 % of all CPU time"));
	fan_report_free(&r);
}

static void another_scheduler_is_named(void **state)
{
	struct fan_report r = report_of(disturbed_by((struct tb_task){ 70, "other", 0 },
						     "fcap: begin v=1 clock=mono sched_ext=lavd"));

	(void)state;
	assert_string_equal(r.host.scheduler, "lavd");
	assert_true(has(&r.host.notes, "the sched_ext scheduler \"lavd\" was in charge"));
	fan_report_free(&r);
}

static void a_throttled_cgroup_is_named_with_its_time(void **state)
{
	struct tb *tb = disturbed_by(recorder, "fcap: begin v=1 clock=mono");
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE,
		  "fcap: cg path=/capped parent=/ weight=1024 scale=shares quota=50000 "
		  "period=100000 throttled_ns=1000000");
	tb_marker(tb, MODELLED_BASE + MODELLED_MS, "fcap: cg path=/free parent=/ throttled_ns=77");
	tb_marker(tb, MODELLED_BASE + 5000 * MODELLED_MS,
		  "fcap: cg path=/capped throttled_ns=2501000000");
	r = report_of(tb);
	assert_true(has(&r.host.notes, "/capped was throttled by its quota for 2.500 s"));
	assert_false(has(&r.host.notes, "/free"));
	fan_report_free(&r);
}

static void a_silence_is_named_and_in_no_share(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono sample_ns=100000000");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	/* each 300 ms in turns, and 3 s of nothing in the middle of one of large */
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, small);
	tb_switch(tb, at_ms(0, 300), small, TB_R, large);
	tb_switch(tb, at_ms(0, 600), large, TB_R, small);
	tb_switch(tb, at_ms(0, 900), small, TB_R, large);
	tb_switch(tb, at_ms(0, 3900), large, TB_R, small);
	tb_switch(tb, at_ms(0, 4200), small, TB_R, large);
	tb_switch(tb, at_ms(0, 4500), large, TB_R, small);
	r = report_of(tb);
	assert_int_equal(r.host.silence_ns, 3000 * MODELLED_MS);
	assert_true(has(&r.host.notes, "all CPUs were silent for 3.0 s (1 times)"));
	assert_int_equal(group(&r, "CPU 0/KVM#1")->run_ns, 900 * MODELLED_MS);
	assert_int_equal(group(&r, "CPU 0/KVM#2")->run_ns, 600 * MODELLED_MS);
	fan_report_free(&r);
}

static void a_quiet_host_is_not_worth_a_word(void **state)
{
	struct fan_report r = report_of_turns((struct turns){ 0, 0 });

	(void)state;
	assert_int_equal(r.host.notes.n, 0);
	assert_int_equal(r.host.realtime_ns, 0);
	assert_int_equal(r.host.silence_ns, 0);
	assert_null(r.host.scheduler);
	fan_report_free(&r);
}

static void notes_stand_above_the_numbers(void **state)
{
	struct fan_report r = report_of(disturbed_by(rt, NULL));
	char *text = text_of(&r);

	(void)state;
	assert_non_null(strstr(text, "real-time and deadline"));
	assert_true(strstr(text, "real-time and deadline") < strstr(text, "Groups:"));
	free(text);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(realtime_load_is_measured),
		cmocka_unit_test(the_recorder_tells_its_own_cost),
		cmocka_unit_test(another_scheduler_is_named),
		cmocka_unit_test(a_throttled_cgroup_is_named_with_its_time),
		cmocka_unit_test(a_silence_is_named_and_in_no_share),
		cmocka_unit_test(a_quiet_host_is_not_worth_a_word),
		cmocka_unit_test(notes_stand_above_the_numbers),
	};

	return cmocka_run_group_tests_name("host notes", tests, NULL, NULL);
}
