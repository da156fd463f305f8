// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The first of two reads, where groups are others than VMs that show: it tells the second one who
 * is who, and no report shows what it has left out.
 */
#include "tests/unit/assembled.h"

static const struct tb_task a = { 101, "CPU 0/KVM", 0 }, b = { 201, "make", 0 };
static const struct tb_task urgent = { 301, "audio", 50 };

/*
 * In ms: a runs 0-5 and 8-10, of this 1-4 in its guest, and waits 5-8; b is woken at 2, waits 2-5
 * and runs 5-8.
 */
static struct tb *two_threads(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 1 * MODELLED_MS, a.tid), 0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE + 2 * MODELLED_MS, a.tid), b, 0);
	tb_kvm_exit(tb, tb_by(0, MODELLED_BASE + 4 * MODELLED_MS, a.tid), 0, 1);
	tb_switch(tb, at_ms(0, 5), a, TB_R, b);
	tb_switch(tb, at_ms(0, 8), b, TB_S, a);
	tb_switch(tb, at_ms(0, 10), a, TB_S, tb_idle);
	return tb;
}

static struct fan_model *read_as(bool is_rehearsal)
{
	const struct fan_model_options options = { .is_rehearsal = is_rehearsal,
						   .has_timeline = true };
	struct fan_file *file = file_of(two_threads());
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };

	if (fan_model_read(&m, file, &options, &err) < 0)
		fail_msg("%s", err.text);
	fan_file_close(file);
	return m;
}

static const struct fan_thread *thread(const struct fan_model *m, struct tb_task task)
{
	const int32_t i = fan_threads_find(m->threads, task.tid);

	assert_true(i >= 0);
	return fan_threads_at(m->threads, (size_t)i);
}

static void assert_time(const struct fan_model *m, struct tb_task task, uint64_t run_ms,
			uint64_t wait_ms)
{
	const struct fan_thread *th = thread(m, task);
	const struct fan_cell sum = fan_series_sum(m->series, fan_model_row(th->account), 0,
						   UINT64_MAX);

	assert_int_equal(th->run_ns, run_ms * MODELLED_MS);
	assert_int_equal(th->wait_ns, wait_ms * MODELLED_MS);
	assert_int_equal(sum.run_ns, run_ms * MODELLED_MS);
	assert_int_equal(sum.wait_ns, wait_ms * MODELLED_MS);
}

static void a_rehearsal_tells_who_ran_and_waited(void **state)
{
	(void)state;
	for (int is_rehearsal = 0; is_rehearsal < 2; is_rehearsal++) {
		struct fan_model *m = read_as(is_rehearsal);

		assert_time(m, a, 7, 3);
		assert_time(m, b, 3, 3);
		assert_true(thread(m, a)->is_vcpu);
		assert_false(thread(m, b)->is_vcpu);
		assert_int_equal(m->start_ns, MODELLED_BASE);
		assert_int_equal(m->end_ns, MODELLED_BASE + 10 * MODELLED_MS);
		fan_model_free(m);
	}
}

static void a_rehearsal_leaves_out_what_nobody_asks_it(void **state)
{
	struct fan_model *m = read_as(true);

	(void)state;
	assert_null(m->blame);
	assert_null(m->timeline);
	assert_null(thread(m, a)->vcpu);
	assert_int_equal(thread(m, b)->waits.n, 0);
	fan_model_free(m);
	m = read_as(false);
	assert_non_null(m->blame);
	assert_non_null(m->timeline);
	assert_non_null(thread(m, a)->vcpu);
	assert_int_equal(thread(m, b)->waits.n, 1);
	fan_model_free(m);
}

/* One entry, one exit: so there is time in the guest, which nobody has summed. */
static void a_rehearsal_tells_which_kvm_events_there_are(void **state)
{
	struct fan_model *m = read_as(true);
	const struct fan_kvm *k = fan_machine_kvm(m->machine);

	(void)state;
	assert_int_equal(k->counts.seen[FAN_VCPU_ENTRY], 1);
	assert_int_equal(k->counts.seen[FAN_VCPU_EXIT], 1);
	assert_true(fan_kvm_tells(k) & FAN_TELLS_GUEST);
	fan_model_free(m);
}

/* Why they waited, and for how long, is of the second read: each has waited 3 ms for the other. */
static void a_report_of_processes_has_all_of_the_second_read(void **state)
{
	struct fan_report r = report_as(two_threads(), FAN_GROUP_PROCESS);
	const struct fan_r_group *g = group(&r, "make");
	const struct fan_r_amount *w = g->waited_for.groups.items;

	(void)state;
	assert_int_equal(r.groups.n, 2);
	assert_int_equal(g->wait_ns, 3 * MODELLED_MS);
	assert_int_equal(g->waited_for.groups.n, 1);
	assert_int_equal(w[0].ns, 3 * MODELLED_MS);
	fan_report_free(&r);
}

/*
 * Nobody tells of a cgroup, so there is no group, and nothing to learn for a second read. That a
 * real-time thread ran for 4 ms is shown all the same.
 */
static void a_report_without_groups_is_none_of_a_rehearsal(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, urgent);
	tb_switch(tb, at_ms(0, 4), urgent, TB_S, b);
	tb_switch(tb, at_ms(0, 10), b, TB_S, tb_idle);
	r = report_as(tb, FAN_GROUP_CGROUP);
	assert_int_equal(r.groups.n, 0);
	assert_int_equal(r.host.realtime_ns, 4 * MODELLED_MS);
	fan_report_free(&r);
}

/*
 * Requests to wake up, and no wake-ups: b is asked for at 2 ms, when a runs, and has the CPU from 5
 * on. It is the first read that finds out.
 */
static void waits_from_requests_are_in_the_second_read_too(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_ms(0, 1), b, TB_S, a);
	tb_waking(tb, tb_by(0, MODELLED_BASE + 2 * MODELLED_MS, a.tid), b, 0);
	tb_switch(tb, at_ms(0, 5), a, TB_S, b);
	tb_switch(tb, at_ms(0, 10), b, TB_S, tb_idle);
	r = report_as(tb, FAN_GROUP_PROCESS);
	assert_int_equal(group(&r, "make")->wait_ns, 3 * MODELLED_MS);
	assert_true(has(&r.quality.notes, "wait_from_waking"));
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rehearsal_tells_who_ran_and_waited),
		cmocka_unit_test(a_rehearsal_leaves_out_what_nobody_asks_it),
		cmocka_unit_test(a_rehearsal_tells_which_kvm_events_there_are),
		cmocka_unit_test(a_report_of_processes_has_all_of_the_second_read),
		cmocka_unit_test(a_report_without_groups_is_none_of_a_rehearsal),
		cmocka_unit_test(waits_from_requests_are_in_the_second_read_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
