// SPDX-License-Identifier: GPL-3.0-or-later
/* How far a report trusts its trace: unknown time, losses, and the counter of the kernel. */
#include "tests/unit/assembled.h"

static void nothing_can_be_told_with_a_fifth_unknown(void **state)
{
	/* 200 x 4 ms + 200 ms: 1000 of 4020 */
	struct fan_report r = report_of_turns((struct turns){ 200, 4000 });

	(void)state;
	assert_int_equal(r.quality.unknown_ns, 1000 * MODELLED_MS);
	assert_string_equal(r.quality.verdict, "cannot_tell");
	fan_report_free(&r);
}

static void a_complete_recording_is_ok_without_notes(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	struct fan_report r;

	(void)state;
	/* one wake-up, so that there are any: the small one runs already */
	tb_wakeup(tb, at_us(0, 10000 * (WINDOWS + 2) + 1), (struct tb_task){ 7, "x", 0 }, 0);
	tell_vms(tb, 1, 128, 1152);
	tell_end(tb);
	r = report_of(tb);
	assert_string_equal(r.quality.verdict, "ok");
	assert_int_equal(r.quality.notes.n, 0);
	assert_int_equal(r.quality.lost, 0);
	assert_int_equal(r.quality.gaps + r.quality.conflicts, 0);
	assert_int_equal(r.quality.unknown_ns, 0);
	fan_report_free(&r);
}

/* the file begins at MODELLED_BASE */
static void why_a_recorder_saved_the_file_is_noted(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, MODELLED_BASE + 1250000000,
		  "fcap: trigger vm=vm1 metric=steal value=34.2 limit=20 span_ns=1500000000 "
		  "t=1.25");
	tb_marker(tb, MODELLED_BASE + 1350000000,
		  "fcap: trigger vm=vm2 metric=wait value=90 limit=80 span_ns=200000000 t=1.35");
	r = report_of(tb);
	assert_true(has(&r.quality.notes, "because steal of vm1 was 34.2 % over 1.5 s, above the "
					  "limit of 20 %, 1.250 s after the beginning of the file; "
					  "of crossings the file has 2: "));
	fan_report_free(&r);
}

static void missing_lines_and_events_are_noted(void **state)
{
	struct fan_report r = report_of_turns((struct turns){ 0, 0 });
	struct tb *tb = turns_of((struct turns){ 0, 0 });

	(void)state;
	assert_true(has(&r.quality.notes, "no sched_wakeup event"));
	fan_report_free(&r);
	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=x");
	r = report_of(tb);
	assert_true(has(&r.quality.notes, "no end line"));
	assert_true(has(&r.quality.notes, "malformed marker lines (1)"));
	fan_report_free(&r);
	tb = turns_of((struct turns){ 0, 0 });
	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, MODELLED_BASE, "fcap: cut why=\"recovered from a killed one\"");
	r = report_of(tb);
	assert_true(has(&r.quality.notes, "cut short (recovered from a killed one): "));
	assert_false(has(&r.quality.notes, "no end line"));
	fan_report_free(&r);
	r = report_of(turns_of((struct turns){ 2, 1000 }));
	assert_true(has(&r.quality.notes, "not recorded by fcap"));
	fan_report_free(&r);
}

static void lost_lines_are_added_up_and_degrade(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, MODELLED_BASE + 60000 * MODELLED_MS, "fcap: lost cpu=0 overrun=17 dropped=3");
	tb_marker(tb, MODELLED_BASE + 60000 * MODELLED_MS,
		  "fcap: lost cpu=1 overrun=100 dropped=0");
	r = report_of(tb);
	assert_int_equal(r.quality.lost, 120);
	assert_string_equal(r.quality.verdict, "degraded");
	fan_report_free(&r);
}

/* A trace of 4 s in which 10 ms pass before an event that is marked as following a loss. */
static struct fan_report report_with_loss(int64_t missed)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });

	tb_missed(tb, 0, missed);
	tb_switch(tb, at_ms(0, 10 * (WINDOWS + 3)), tb_idle, TB_R, small);
	tell_vms(tb, 1, 128, 1152);
	return report_of(tb);
}

static void losses_marked_in_the_pages_degrade(void **state)
{
	struct fan_report r = report_with_loss(7);

	(void)state;
	assert_int_equal(r.quality.lost, 7);
	assert_int_equal(r.quality.unknown_ns, 10 * MODELLED_MS);
	assert_string_equal(r.quality.verdict, "degraded");
	assert_true(has(&r.quality.notes, "losses (1)"));
	fan_report_free(&r);
	r = report_with_loss(-1);
	assert_int_equal(r.quality.lost, FAN_NONE);
	assert_string_equal(r.quality.verdict, "degraded");
	fan_report_free(&r);
}

static void without_events_nothing_can_be_told(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 128, 1152);
	tell_end(tb);
	r = report_of(tb);
	assert_string_equal(r.quality.verdict, "cannot_tell");
	assert_true(isnan(r.quality.unknown_pct));
	assert_int_equal(r.groups.n, 2);
	assert_true(isnan(group(&r, "small")->share.value));
	assert_true(isnan(group(&r, "small")->share_bounds.lo));
	assert_null(group(&r, "small")->verdict.word);
	fan_report_free(&r);
}

/*
 * The small VM wakes up every 20 ms, waits 1 ms and runs 1. From sample to sample the kernel's
 * counter grows by delay_ns and two arrivals, every so many times by one: comparable.
 */
struct sampling {
	unsigned int intervals;
	uint64_t delay_ns;
	unsigned int every; /* 0: never */
};

static struct fan_report report_with_samples(struct sampling s)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	uint64_t n = 0;

	tell_vms(tb, 1, 128, 1152);
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, large);
	for (unsigned int i = 0; i <= s.intervals; i++) {
		const uint64_t ms = 20 * (uint64_t)i;

		tb_wakeup(tb, tb_by(0, MODELLED_BASE + (ms + 2) * MODELLED_MS, large.tid), small,
			  0);
		tb_switch(tb, at_ms(0, ms + 3), large, TB_R, small);
		tb_switch(tb, at_ms(0, ms + 4), small, TB_S, large);
		n += s.every && i % s.every == 0 ? 1 : 2;
		tb_marker(tb, MODELLED_BASE + (ms + 10) * MODELLED_MS,
			  "fcap: steal tid=101 run=%u delay=%llu n=%llu", i,
			  (unsigned long long)(i * s.delay_ns), (unsigned long long)n);
	}
	return report_of(tb);
}

static void waits_that_agree_with_the_counter_are_closed(void **state)
{
	/* 60 x 1 ms against 60 x 1.001 ms: 60 us of 60 ms, half of what is allowed */
	struct fan_report r = report_with_samples((struct sampling){ 60, 1001000, 1 });
	const struct fan_r_steal *s = &group(&r, "small")->steal;

	(void)state;
	assert_string_equal(s->closure, "closed");
	assert_int_equal(s->intervals, 60);
	assert_int_equal(s->comparable_intervals, 60);
	assert_int_equal(s->arrivals, 60);
	assert_int_equal(s->compared_trace_ns, 60 * MODELLED_MS);
	assert_int_equal(s->compared_counter_ns, 60060000);
	/* the wait before the first sample is in the trace only */
	assert_int_equal(s->trace_ns, 61 * MODELLED_MS);
	assert_int_equal(s->counter_ns, 60060000);
	assert_near(s->residual_pct, -100 * 0.06 / 60.06, 1e-9);
	/* the other one was never sampled */
	assert_string_equal(group(&r, "large")->steal.closure, "none");
	assert_int_equal(group(&r, "large")->steal.counter_ns, FAN_NONE);
	fan_report_free(&r);
}

static void waits_that_differ_from_the_counter_are_open(void **state)
{
	struct fan_report r = report_with_samples((struct sampling){ 60, 1500000, 1 });
	const struct fan_r_steal *s = &group(&r, "small")->steal;

	(void)state;
	assert_string_equal(s->closure, "open");
	assert_near(s->residual_pct, -100.0 / 3, 1e-9);
	fan_report_free(&r);
}

static void few_comparable_intervals_are_a_finding(void **state)
{
	struct fan_report r = report_with_samples((struct sampling){ 49, 1000000, 1 });

	(void)state;
	assert_string_equal(group(&r, "small")->steal.closure, "too_few");
	assert_near(group(&r, "small")->steal.residual_pct, 0, 1e-9);
	fan_report_free(&r);
	/* just half */
	r = report_with_samples((struct sampling){ 120, 1000000, 2 });
	assert_int_equal(group(&r, "small")->steal.comparable_intervals, 60);
	assert_string_equal(group(&r, "small")->steal.closure, "closed");
	fan_report_free(&r);
	r = report_with_samples((struct sampling){ 180, 1000000, 3 });
	assert_int_equal(group(&r, "small")->steal.comparable_intervals, 60);
	assert_string_equal(group(&r, "small")->steal.closure, "too_few");
	fan_report_free(&r);
	r = report_with_samples((struct sampling){ 60, 1000000, 0 });
	assert_int_equal(group(&r, "small")->steal.comparable_intervals, 0);
	assert_string_equal(group(&r, "small")->steal.closure, "too_few");
	assert_int_equal(group(&r, "small")->steal.compared_counter_ns, FAN_NONE);
	assert_int_equal(group(&r, "small")->steal.counter_ns, 60 * MODELLED_MS);
	fan_report_free(&r);
}

static void a_residual_of_less_than_10_ms_means_nothing(void **state)
{
	struct fan_report r = report_with_samples((struct sampling){ 60, 166666, 1 });

	(void)state;
	assert_int_equal(group(&r, "small")->steal.counter_ns, 9999960);
	assert_true(isnan(group(&r, "small")->steal.residual_pct));
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_can_be_told_with_a_fifth_unknown),
		cmocka_unit_test(a_complete_recording_is_ok_without_notes),
		cmocka_unit_test(why_a_recorder_saved_the_file_is_noted),
		cmocka_unit_test(missing_lines_and_events_are_noted),
		cmocka_unit_test(lost_lines_are_added_up_and_degrade),
		cmocka_unit_test(losses_marked_in_the_pages_degrade),
		cmocka_unit_test(without_events_nothing_can_be_told),
		cmocka_unit_test(waits_that_agree_with_the_counter_are_closed),
		cmocka_unit_test(waits_that_differ_from_the_counter_are_open),
		cmocka_unit_test(few_comparable_intervals_are_a_finding),
		cmocka_unit_test(a_residual_of_less_than_10_ms_means_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
