// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Files without events: what is told from the steal lines alone. Two VMs of one vCPU each on one
 * CPU are sampled from 1 ms on every 100 ms; in each interval the small one runs 20 ms and waits
 * 80, the large one runs 80 and waits 20. Their counters begin at 777 s and 5 s.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/assembled.h"
#include "tests/unit/text_of.h"

enum { ROUNDS = 11, SMALL = 101, LARGE = 201, HELPER = 102 };

/* Stamp of a round of samples. */
static uint64_t at_round(unsigned int k)
{
	return MODELLED_BASE + (1 + 100 * (uint64_t)k) * MODELLED_MS;
}

static void steal(struct tb *tb, unsigned int round, int tid, uint64_t run_ms, uint64_t delay_ms,
		  unsigned int n)
{
	tb_marker(tb, at_round(round),
		  "fcap: steal tid=%d run=%" PRIu64 "000000 delay=%" PRIu64 "000000 n=%u", tid,
		  run_ms, delay_ms, n);
}

static struct tb *told(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, MODELLED_BASE, "fcap: begin sample_ns=100000000 events=none");
	return tb;
}

static void sample_small(struct tb *tb, unsigned int k)
{
	steal(tb, k, SMALL, 777000 + 20 * (uint64_t)k, 80 * (uint64_t)k, 10 * k);
}

static void sample_large(struct tb *tb, unsigned int k)
{
	steal(tb, k, LARGE, 5000 + 80 * (uint64_t)k, 20 * (uint64_t)k, 10 * k);
}

static struct tb *sampled(void)
{
	struct tb *tb = told();

	for (unsigned int k = 0; k < ROUNDS; k++) {
		sample_small(tb, k);
		sample_large(tb, k);
	}
	return tb;
}

static const struct fan_thread *thread_of(const struct fan_model *m, int32_t tid)
{
	const int32_t i = fan_threads_find(m->threads, tid);

	assert_true(i >= 0);
	return fan_threads_at(m->threads, (size_t)i);
}

static void shares_come_from_what_the_counters_rose_by(void **state)
{
	struct fan_report r = report_of(sampled());
	const struct fan_r_group *g = group(&r, "small");

	(void)state;
	assert_string_equal(r.source.basis, "counters");
	assert_int_equal(r.source.sample_ns, 100 * MODELLED_MS);
	/* ten intervals; what the counters were at first is of another time */
	assert_int_equal(g->run_ns, 200 * MODELLED_MS);
	assert_int_equal(g->vcpu_run_ns, 200 * MODELLED_MS);
	assert_int_equal(g->wait_ns, 800 * MODELLED_MS);
	assert_int_equal(g->steal.counter_ns, 800 * MODELLED_MS);
	assert_int_equal(g->steal.intervals, 10);
	assert_near(g->share.value, 20, 1e-9);
	assert_near(group(&r, "large")->share.value, 80, 1e-9);
	/* 128 of 1280, as nothing tells who wanted to run when */
	assert_string_equal(r.period.expected_method, "static");
	assert_near(g->expected_pct, 10, 1e-9);
	assert_near(g->deviation.value, 10, 1e-9);
	/* from the first sample to the last: ten windows, each as long as an interval */
	assert_int_equal(r.period.start_ns, MODELLED_MS);
	assert_int_equal(r.period.end_ns, 1001 * MODELLED_MS);
	assert_int_equal(r.period.window_ns, 100 * MODELLED_MS);
	assert_int_equal(r.period.windows, 10);
	assert_near(r.period.overlap.cut_pct, 0, 1e-9);
	assert_string_equal(r.quality.verdict, "ok");
	fan_report_free(&r);
}

static void what_counters_cannot_tell_is_null(void **state)
{
	struct fan_report r = report_of(sampled());
	const struct fan_r_group *g = group(&r, "small");
	const struct fan_r_thread *t = g->threads.items;

	(void)state;
	assert_int_equal(g->waited_for.self_ns, FAN_NONE);
	assert_int_equal(g->waited_for.unknown_ns, FAN_NONE);
	assert_int_equal(g->blocked_ns, FAN_NONE);
	assert_int_equal(g->lag_ns.final_ns, FAN_NONE);
	assert_int_equal(g->starved.max_ns, FAN_NONE);
	assert_int_equal(g->by_window.n, 0);
	assert_int_equal(g->exits.n, 0);
	assert_int_equal(g->steal.trace_ns, FAN_NONE);
	assert_int_equal(g->steal.comparable_intervals, FAN_NONE);
	assert_null(g->steal.closure);
	assert_int_equal(t->run_ns, 200 * MODELLED_MS);
	assert_int_equal(t->arrivals, 100);
	assert_int_equal(t->wait.p50_ns, FAN_NONE);
	assert_int_equal(t->blocked_ns, FAN_NONE);
	assert_int_equal(r.fairness.starvation_max_ns, FAN_NONE);
	assert_int_equal(r.host.idle_while_waiting_ns, FAN_NONE);
	assert_int_equal(r.host.recorder_ns, FAN_NONE);
	assert_int_equal(r.quality.gaps, FAN_NONE);
	assert_true(has(&r.quality.notes, "counters alone: not known are who waited for whom"));
	assert_false(has(&r.quality.notes, "sched_switch"));
	fan_report_free(&r);
}

/* In the series the rise of the tenth interval is in the tenth window, and nowhere else. */
static void each_interval_is_in_its_own_window(void **state)
{
	struct fan_report r = report_of(sampled());
	const struct fan_r_curve *c = r.series.groups.items;

	(void)state;
	assert_int_equal(r.series.t_ns.n, 10);
	for (size_t k = 0; k < r.series.groups.n; k++) {
		const bool is_small = strcmp(c[k].name, "small") == 0;

		for (size_t w = 0; w < 10; w++) {
			assert_near(c[k].share.items[w], is_small ? 20 : 80, 1e-9);
			assert_int_equal(c[k].wait_ns.items[w], (is_small ? 80 : 20) * MODELLED_MS);
		}
	}
	fan_report_free(&r);
}

/* Told of behind the samples of round 2, so that it is younger than those. */
static struct tb *with_helper(uint64_t first_run_ms, unsigned int last_round)
{
	struct tb *tb = told();

	for (unsigned int k = 0; k < ROUNDS; k++) {
		if (k == 3)
			tb_marker(tb, at_round(3) - 1000, "fcap: task tid=102 tgid=100");
		sample_small(tb, k);
		if (k >= 3 && k <= last_round)
			steal(tb, k, HELPER, first_run_ms + k - 3, 0, k);
		sample_large(tb, k);
	}
	return tb;
}

static void a_thread_that_was_born_meanwhile_is_counted_from_its_birth(void **state)
{
	struct fan_model *m = model_of(with_helper(7, ROUNDS));
	const struct fan_thread *th = thread_of(m, HELPER);

	(void)state;
	/* 7 ms until round 3, then 1 ms an interval to round 10 */
	assert_int_equal(th->run_ns, 14 * MODELLED_MS);
	assert_int_equal(th->birth_ns, at_round(2));
	/* where in its first interval it first ran is not known: at the end of it it has */
	assert_int_equal(th->first_run_ns, at_round(3));
	assert_int_equal(th->unknown_ns, 0);
	assert_int_equal(m->counts.ended, 0);
	/* of a thread that was there before the first sample no first interval is known */
	assert_int_equal(thread_of(m, SMALL)->first_run_ns, at_round(0));
	fan_model_free(m);
}

static void a_thread_that_is_older_than_the_line_about_it_is_counted_from_then_on(void **state)
{
	/* 500 ms in the 100 since round 2 */
	struct fan_model *m = model_of(with_helper(500, ROUNDS));
	const struct fan_thread *th = thread_of(m, HELPER);

	(void)state;
	assert_int_equal(th->run_ns, 7 * MODELLED_MS);
	assert_int_equal(th->birth_ns, at_round(3));
	fan_model_free(m);
}

static void what_a_thread_did_after_its_last_sample_is_unknown_up_to_the_next(void **state)
{
	struct fan_report r = report_of(with_helper(7, 5));
	const struct fan_r_group *g = group(&r, "small");

	(void)state;
	/* samples at rounds 3, 4, 5: 7 + 2; it was gone at round 6 */
	assert_int_equal(g->run_ns, (200 + 9) * MODELLED_MS);
	assert_int_equal(g->unknown_ns, 100 * MODELLED_MS);
	assert_true(has(&r.quality.notes, "threads that ended between two samples (1): what they "
					  "did after the last one is not known, 0.100 s at most "
					  "(of vCPUs 0.000 s)"));
	fan_report_free(&r);
}

static void the_end_of_a_vm_is_outside_of_what_the_shares_are_of(void **state)
{
	struct tb *tb = told();
	struct fan_report r;

	(void)state;
	for (unsigned int k = 0; k < ROUNDS; k++) {
		sample_small(tb, k);
		if (k < 6)
			sample_large(tb, k);
	}
	r = report_of(tb);
	/* both ran until round 5; what the large one did after that is outside of their overlap */
	assert_int_equal(r.quality.unknown_ns, 0);
	assert_int_equal(group(&r, "large")->unknown_ns, 100 * MODELLED_MS);
	assert_int_equal(r.period.windows, 5);
	assert_near(group(&r, "large")->share.value, 80, 1e-9);
	assert_near(group(&r, "large")->share_bounds.hi, 80, 1e-9);
	assert_string_equal(r.quality.verdict, "ok");
	assert_true(has(&r.quality.notes, "0.100 s at most (of vCPUs 0.100 s)"));
	fan_report_free(&r);
}

/* A second vCPU of the small VM ends after round 5, and its VM goes on. */
static void an_ended_vcpu_of_a_vm_that_goes_on_widens_the_bounds(void **state)
{
	struct tb *tb = told();
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=102 tgid=100 id=1");
	for (unsigned int k = 0; k < ROUNDS; k++) {
		sample_small(tb, k);
		if (k <= 5)
			steal(tb, k, HELPER, 0, 0, 0);
		sample_large(tb, k);
	}
	r = report_of(tb);
	assert_int_equal(r.quality.unknown_ns, 100 * MODELLED_MS);
	/* 100 of 200 + 800 + 100 ms */
	assert_near(r.quality.unknown_pct, 100.0 / 11, 1e-9);
	assert_string_equal(r.quality.verdict, "degraded");
	assert_near(group(&r, "small")->share_bounds.lo, 100.0 * 200 / 1100, 1e-9);
	assert_near(group(&r, "small")->share_bounds.hi, 100.0 * 300 / 1100, 1e-9);
	fan_report_free(&r);
}

static void an_interval_in_which_a_counter_steps_back_is_left_out_and_told(void **state)
{
	struct tb *tb = told();
	struct fan_report r;
	const struct fan_r_group *g;

	(void)state;
	for (unsigned int k = 0; k < ROUNDS; k++) {
		if (k < 5)
			sample_small(tb, k);
		else
			steal(tb, k, SMALL, 20 * (uint64_t)k, 80 * (uint64_t)k, 10 * k);
		sample_large(tb, k);
	}
	r = report_of(tb);
	g = group(&r, "small");
	/* nine intervals of ten */
	assert_int_equal(g->run_ns, 180 * MODELLED_MS);
	assert_int_equal(g->unknown_ns, 100 * MODELLED_MS);
	assert_int_equal(g->steal.excluded_intervals, 1);
	assert_int_equal(r.quality.unknown_ns, 100 * MODELLED_MS);
	assert_true(has(&r.quality.notes, "a counter stepped back or jumped (1): left out, of "
					  "0.100 s of threads nothing is known"));
	/* 180 of 980, and with 100 ms more for or against it */
	assert_near(g->share.value, 100.0 * 180 / 980, 1e-9);
	assert_near(g->share_bounds.lo, 100.0 * 180 / 1080, 1e-9);
	assert_near(g->share_bounds.hi, 100.0 * 280 / 1080, 1e-9);
	fan_report_free(&r);
}

/* Starved for 40 s before the first sample, and for 50 ms of the first interval. */
static void a_wait_counts_from_the_first_sample_on(void **state)
{
	struct tb *tb = told();
	struct fan_model *m;

	(void)state;
	steal(tb, 0, SMALL, 0, 0, 1);
	steal(tb, 1, SMALL, 50, 40050, 2);
	steal(tb, 2, SMALL, 60, 40060, 3);
	m = model_of(tb);
	/* no more than the 100 ms that are known, and 10 */
	assert_int_equal(thread_of(m, SMALL)->wait_ns, 110 * MODELLED_MS);
	assert_int_equal(thread_of(m, SMALL)->run_ns, 60 * MODELLED_MS);
	fan_model_free(m);
}

static void two_samples_at_one_time_are_one(void **state)
{
	struct tb *tb = told();
	struct fan_model *m;

	(void)state;
	steal(tb, 0, SMALL, 0, 0, 1);
	steal(tb, 1, SMALL, 50, 0, 2);
	steal(tb, 1, SMALL, 51, 0, 3);
	steal(tb, 2, SMALL, 61, 0, 4);
	m = model_of(tb);
	assert_int_equal(m->counts.samples, 2);
	assert_int_equal(thread_of(m, SMALL)->run_ns, 60 * MODELLED_MS);
	fan_model_free(m);
}

/* 600 ms, where samples every 300 ms make windows of 1 s. */
static void a_time_without_a_whole_window_is_told(void **state)
{
	struct tb *tb = told();
	struct fan_report r;

	(void)state;
	for (unsigned int k = 0; k < 7; k += 3) {
		sample_small(tb, k);
		sample_large(tb, k);
	}
	r = report_of(tb);
	assert_int_equal(r.period.windows, 0);
	assert_true(isnan(group(&r, "small")->share.value));
	assert_true(has(&r.quality.notes, "no whole window lies in the time"));
	fan_report_free(&r);
}

static void windows_are_no_shorter_than_the_time_between_two_samples(void **state)
{
	struct tb *tb = told();
	struct fan_report r;

	(void)state;
	/* the recorder says 100 ms, and comes every 300: the next width that there is */
	for (unsigned int k = 0; k < 31; k += 3) {
		sample_small(tb, k);
		sample_large(tb, k);
	}
	r = report_of(tb);
	assert_int_equal(r.source.sample_ns, 300 * MODELLED_MS);
	assert_int_equal(r.period.window_ns, 1000 * MODELLED_MS);
	fan_report_free(&r);
}

static void a_period_begins_and_ends_with_samples_inside_it(void **state)
{
	struct fan_file *file = file_of(sampled());
	const struct fan_model_options options = { .from_ns = 250 * MODELLED_MS,
						   .to_ns = 650 * MODELLED_MS };
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };

	(void)state;
	if (fan_model_read(&m, file, &options, &err) < 0)
		fail_msg("%s", err.text);
	/* rounds 3 to 6 */
	assert_true(m->is_counted);
	assert_int_equal(m->start_ns, at_round(3));
	assert_int_equal(m->end_ns, at_round(6));
	assert_int_equal(m->first_ns, MODELLED_BASE);
	assert_int_equal(thread_of(m, SMALL)->run_ns, 60 * MODELLED_MS);
	assert_int_equal(thread_of(m, LARGE)->wait_ns, 60 * MODELLED_MS);
	fan_model_free(m);
	fan_file_close(file);
}

static void where_there_are_switches_they_count(void **state)
{
	struct tb *tb = sampled();
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, small);
	tb_switch(tb, at_ms(0, 1000), small, TB_R, large);
	m = model_of(tb);
	assert_false(m->is_counted);
	assert_int_equal(thread_of(m, SMALL)->run_ns, 1000 * MODELLED_MS);
	fan_model_free(m);
}

static void where_entries_and_exits_tell_of_guests_those_count(void **state)
{
	struct tb *tb = sampled();
	struct fan_model *m;

	(void)state;
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE, SMALL), 0);
	tb_kvm_exit(tb, tb_by(0, MODELLED_BASE + MODELLED_MS, SMALL), 0, 12);
	m = model_of(tb);
	assert_false(m->is_counted);
	fan_model_free(m);
}

static void one_sample_tells_nothing(void **state)
{
	struct tb *tb = told();
	struct fan_model *m;

	(void)state;
	sample_small(tb, 0);
	sample_large(tb, 0);
	m = model_of(tb);
	assert_false(m->is_counted);
	fan_model_free(m);
}

static void lines_in_the_main_buffer_do_as_well(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_print(tb, at_ms(0, 0), "fcap: begin v=1 sample_ns=100000000");
	tb_print(tb, at_ms(0, 1), "fcap: vcpu tid=101 tgid=100 id=0");
	tb_print(tb, at_ms(0, 2), "fcap: steal tid=101 run=5 delay=0 n=1");
	tb_print(tb, at_ms(0, 102), "fcap: steal tid=101 run=90000005 delay=0 n=2");
	m = model_of(tb);
	assert_true(m->is_counted);
	assert_int_equal(thread_of(m, SMALL)->run_ns, 90 * MODELLED_MS);
	fan_model_free(m);
}

static void the_page_says_first_what_it_is_made_of(void **state)
{
	struct fan_report r = report_of(sampled());
	char *text = text_of(&r);

	(void)state;
	assert_memory_equal(text, "From counters alone, every 100 ms: no events were recorded", 58);
	assert_non_null(
		strstr(text, "name        run  by vCPUs      wait     steal  steal %  unknown\n"
			     "large  800.0 ms  800.0 ms  200.0 ms  200.0 ms    20.00      0 s\n"
			     "small  200.0 ms  200.0 ms  800.0 ms  800.0 ms    80.00      0 s\n"));
	assert_null(strstr(text, "blocked"));
	assert_null(strstr(text, "closure"));
	assert_null(strstr(text, "Who waited for whom"));
	free(text);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_come_from_what_the_counters_rose_by),
		cmocka_unit_test(what_counters_cannot_tell_is_null),
		cmocka_unit_test(each_interval_is_in_its_own_window),
		cmocka_unit_test(a_thread_that_was_born_meanwhile_is_counted_from_its_birth),
		cmocka_unit_test(
			a_thread_that_is_older_than_the_line_about_it_is_counted_from_then_on),
		cmocka_unit_test(what_a_thread_did_after_its_last_sample_is_unknown_up_to_the_next),
		cmocka_unit_test(the_end_of_a_vm_is_outside_of_what_the_shares_are_of),
		cmocka_unit_test(an_ended_vcpu_of_a_vm_that_goes_on_widens_the_bounds),
		cmocka_unit_test(an_interval_in_which_a_counter_steps_back_is_left_out_and_told),
		cmocka_unit_test(a_wait_counts_from_the_first_sample_on),
		cmocka_unit_test(two_samples_at_one_time_are_one),
		cmocka_unit_test(a_time_without_a_whole_window_is_told),
		cmocka_unit_test(windows_are_no_shorter_than_the_time_between_two_samples),
		cmocka_unit_test(a_period_begins_and_ends_with_samples_inside_it),
		cmocka_unit_test(where_there_are_switches_they_count),
		cmocka_unit_test(where_entries_and_exits_tell_of_guests_those_count),
		cmocka_unit_test(one_sample_tells_nothing),
		cmocka_unit_test(lines_in_the_main_buffer_do_as_well),
		cmocka_unit_test(the_page_says_first_what_it_is_made_of),
	};

	return cmocka_run_group_tests_name("counted", tests, NULL, NULL);
}
