// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Traces of --scope command, as the kernel's filter leaves them: of sched_switch what one of ours
 * is part of, of wake-ups those by and of one of ours.
 */
#include "tests/unit/assembled.h"

static const struct tb_task a = { 101, "a", 0 }, b = { 102, "b", 0 }, v = { 103, "vhost-101", 0 };
static const struct tb_task x = { 900, "x", 0 }, y = { 901, "y", 0 }, z = { 902, "z", 0 };

static struct tb *scoped(int cpus)
{
	struct tb *tb = tb_new(cpus, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE - 1000,
		  "fcap: begin v=1 sample_ns=100000000 scope=command root=101");
	return tb;
}

static struct tb_at by_ms(uint64_t ms, struct tb_task cur)
{
	return tb_by(0, MODELLED_BASE + ms * MODELLED_MS, cur.tid);
}

static const struct fan_thread *thread(const struct fan_model *m, int32_t tid)
{
	const int32_t i = fan_threads_find(m->threads, tid);

	assert_true(i >= 0);
	return fan_threads_at(m->threads, (size_t)i);
}

/*
 *  0  x wakes a              a waits
 *  2  x -> a                 wait 2
 *  5  a forks and wakes b    b waits
 *  8  a -> y, runnable       run 6, a waits
 *     y -> x is not recorded
 * 10  x -> b                 wait 5
 * 14  b -> idle, sleeping    run 4
 *     idle -> z is not recorded
 * 16  z -> a                 wait 8
 * 20  a -> z, sleeping       run 4
 *     z -> y is not recorded
 * 24  y wakes b              slept 10
 *     y -> idle is not recorded
 * 25  idle -> b              wait 1
 * 26  b wakes a              slept 6
 * 30  b -> a, b sleeps       run 5; wait 4
 * 33  a -> idle, sleeping    run 3; b has slept 3
 *
 * a: run 6 + 4 + 3 = 13, wait 2 + 8 + 4 = 14, asleep 6: 33 in all.
 * b: run 4 + 5 = 9, wait 5 + 1 = 6, asleep 10 + 3 = 13: 28 since its fork.
 */
static void play(struct tb *tb)
{
	tb_wakeup(tb, by_ms(0, x), a, 0);
	tb_switch(tb, at_ms(0, 2), x, TB_R, a);
	tb_fork(tb, at_ms(0, 5), a, b);
	tb_wakeup_new(tb, by_ms(5, a), b, 0);
	tb_switch(tb, at_ms(0, 8), a, TB_R, y);
	tb_switch(tb, at_ms(0, 10), x, TB_R, b);
	tb_switch(tb, at_ms(0, 14), b, TB_S, tb_idle);
	tb_switch(tb, at_ms(0, 16), z, TB_R, a);
	tb_switch(tb, at_ms(0, 20), a, TB_S, z);
	tb_wakeup(tb, by_ms(24, y), b, 0);
	tb_switch(tb, at_ms(0, 25), tb_idle, TB_R, b);
	tb_wakeup(tb, by_ms(26, b), a, 0);
	tb_switch(tb, at_ms(0, 30), b, TB_S, a);
	tb_switch(tb, at_ms(0, 33), a, TB_S, tb_idle);
}

static void run_and_wait_of_the_commands_threads_are_exact(void **state)
{
	struct tb *tb = scoped(1);
	struct fan_model *m;

	(void)state;
	play(tb);
	m = model_of(tb);
	assert_int_equal(thread(m, 101)->run_ns, 13 * MODELLED_MS);
	assert_int_equal(thread(m, 101)->wait_ns, 14 * MODELLED_MS);
	assert_int_equal(thread(m, 101)->blocked_ns, 6 * MODELLED_MS);
	assert_int_equal(thread(m, 101)->unknown_ns, 0);
	assert_int_equal(thread(m, 102)->run_ns, 9 * MODELLED_MS);
	assert_int_equal(thread(m, 102)->wait_ns, 6 * MODELLED_MS);
	assert_int_equal(thread(m, 102)->blocked_ns, 13 * MODELLED_MS);
	assert_int_equal(thread(m, 102)->unknown_ns, 0);
	fan_model_free(m);
}

static void others_are_no_threads_of_the_model_and_no_gaps(void **state)
{
	struct tb *tb = scoped(1);
	struct fan_model *m;

	(void)state;
	play(tb);
	m = model_of(tb);
	assert_true(fan_threads_find(m->threads, 900) < 0);
	assert_true(fan_threads_find(m->threads, 901) < 0);
	assert_true(fan_threads_find(m->threads, 902) < 0);
	assert_int_equal(fan_machine_counts(m->machine)->gaps, 0);
	assert_int_equal(m->cpu_run_ns, 22 * MODELLED_MS); /* 13 + 9 */
	assert_int_equal(m->cpu_idle_ns, 0);
	assert_int_equal(m->cpu_unknown_ns, 0);
	fan_model_free(m);
}

/* The same events of a whole host have gaps: y -> x at 10, idle -> z at 16, z -> y at 24, then
 * y -> idle at 25. */
static void without_the_scope_the_same_events_have_four_gaps(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	play(tb);
	m = model_of(tb);
	assert_int_equal(fan_machine_counts(m->machine)->gaps, 4);
	assert_true(fan_threads_find(m->threads, 900) >= 0);
	fan_model_free(m);
}

/* A thread of ours that has a CPU to itself for 10 s makes no event, and nobody else is recorded.
 */
static void silence_is_no_sign_of_a_suspended_host(void **state)
{
	struct tb *tb = scoped(1);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(0, 0), x, TB_R, a);
	tb_switch(tb, at_ms(0, 10000), a, TB_S, x);
	m = model_of(tb);
	assert_int_equal(thread(m, 101)->run_ns, 10000 * MODELLED_MS);
	assert_int_equal(fan_machine_counts(m->machine)->silences, 0);
	fan_model_free(m);
}

/*
 * a has the CPU since 2, and at 8 the CPU is seen to be with y: a's switch-out at an unknown time
 * was lost. Of a's 2 to 12, when it is switched in again, nothing is known.
 */
static void one_of_ours_that_leaves_unseen_is_a_loss(void **state)
{
	struct tb *tb = scoped(1);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(0, 2), x, TB_R, a);
	tb_fork(tb, at_ms(0, 2), a, b);
	tb_wakeup(tb, by_ms(8, y), b, 0);
	tb_switch(tb, at_ms(0, 12), y, TB_R, a);
	tb_switch(tb, at_ms(0, 15), a, TB_S, y);
	m = model_of(tb);
	assert_int_equal(thread(m, 101)->run_ns, 3 * MODELLED_MS);
	assert_int_equal(thread(m, 101)->unknown_ns, 10 * MODELLED_MS);
	assert_int_equal(fan_machine_counts(m->machine)->gaps, 1);
	fan_model_free(m);
}

/*
 * The kernel makes v for a, which no fork event shows; the recorder adds it at 7.
 *  5  a makes and wakes v    not followed yet
 *  6  a -> v                 a waits
 *  7  the line               v is in the scope: it may run, or not
 *  9  v -> a, v sleeps       a: wait 3; v shows that it ran at that moment
 * 10  a wakes v              v slept 1
 * 11  a -> v, a runnable     v: wait 1
 * 14  v -> a, v sleeps       v: run 3; a: wait 3
 * 15  a -> x, a sleeps
 * a: run (0 to 6) + (9 to 11) + (14 to 15) = 9, wait 3 + 3 = 6.
 */
static void a_thread_that_no_fork_shows_is_followed_from_its_line_on(void **state)
{
	struct tb *tb = scoped(1);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(0, 0), x, TB_R, a);
	tb_newtask(tb, by_ms(5, a), v, 0x10000);
	tb_wakeup_new(tb, by_ms(5, a), v, 0);
	tb_switch(tb, at_ms(0, 6), a, TB_R, v);
	tb_marker(tb, MODELLED_BASE + 7 * MODELLED_MS, "fcap: scope tid=103");
	tb_switch(tb, at_ms(0, 9), v, TB_S, a);
	tb_wakeup(tb, by_ms(10, a), v, 0);
	tb_switch(tb, at_ms(0, 11), a, TB_R, v);
	tb_switch(tb, at_ms(0, 14), v, TB_S, a);
	tb_switch(tb, at_ms(0, 15), a, TB_S, x);
	m = model_of(tb);
	assert_int_equal(thread(m, 101)->run_ns, 9 * MODELLED_MS);
	assert_int_equal(thread(m, 101)->wait_ns, 6 * MODELLED_MS);
	assert_int_equal(thread(m, 103)->run_ns, 3 * MODELLED_MS);
	assert_int_equal(thread(m, 103)->wait_ns, 1 * MODELLED_MS);
	assert_int_equal(thread(m, 103)->unknown_ns, 4 * MODELLED_MS); /* 5 to 9 */
	fan_model_free(m);
}

/* A scope line in a trace of the whole host, or without a good tid, changes nothing. */
static void a_scope_line_alone_means_nothing(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_marker(tb, MODELLED_BASE - 1, "fcap: scope tid=101");
	tb_marker(tb, MODELLED_BASE - 1, "fcap: scope tid=0");
	play(tb);
	m = model_of(tb);
	assert_int_equal(fan_machine_counts(m->machine)->gaps, 4);
	assert_int_equal(m->facts->malformed, 1);
	fan_model_free(m);
}

/* The two VMs of assembled.h, of which the scope has both. */
static struct fan_report scoped_turns(void)
{
	struct tb *tb = turns_of((struct turns){ 0 });

	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 scope=command root=101");
	tb_marker(tb, MODELLED_BASE, "fcap: scope tid=201");
	tell_end(tb);
	return report_of(tb);
}

static void a_report_keeps_run_wait_and_share(void **state)
{
	struct fan_report in_scope = scoped_turns(), whole = report_of_turns((struct turns){ 0 });
	const struct fan_r_group *g = group(&in_scope, "small"), *w = group(&whole, "small");

	(void)state;
	assert_true(w->run_ns > 0 && w->wait_ns > 0);
	assert_int_equal(g->run_ns, w->run_ns);
	assert_int_equal(g->wait_ns, w->wait_ns);
	assert_near(g->share.value, w->share.value, 1e-12);
	assert_int_equal(whole.quality.gaps, 0);
	assert_true(w->waited_for.self_ns != FAN_NONE && w->lag_ns.final_ns != FAN_NONE);
	fan_report_free(&in_scope);
	fan_report_free(&whole);
}

static void a_report_has_nothing_of_others_and_says_why(void **state)
{
	struct fan_report r = scoped_turns();
	const struct fan_r_group *g = group(&r, "small");

	(void)state;
	assert_int_equal(g->waited_for.self_ns, FAN_NONE);
	assert_int_equal(g->waited_for.host_ns, FAN_NONE);
	assert_int_equal(g->waited_for.forced_idle_ns, FAN_NONE);
	assert_int_equal(g->waited_for.unknown_ns, FAN_NONE);
	assert_int_equal(g->waited_for.groups.n, 0);
	assert_int_equal(g->lag_ns.final_ns, FAN_NONE);
	assert_int_equal(r.host.idle_while_waiting_ns, FAN_NONE);
	assert_int_equal(r.host.recorder_ns, FAN_NONE);
	assert_int_equal(r.host.realtime_ns, FAN_NONE);
	assert_int_equal(r.quality.gaps, FAN_NONE);
	assert_int_equal(r.quality.unknown_ns, FAN_NONE);
	assert_string_equal(r.quality.verdict, "ok");
	assert_false(r.isolation.applicable);
	assert_non_null(strstr(r.isolation.reason, "scope command"));
	assert_true(has(&r.flags, "scope_command"));
	assert_true(has(&r.quality.notes, "scope command: events of other threads"));
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_and_wait_of_the_commands_threads_are_exact),
		cmocka_unit_test(others_are_no_threads_of_the_model_and_no_gaps),
		cmocka_unit_test(without_the_scope_the_same_events_have_four_gaps),
		cmocka_unit_test(silence_is_no_sign_of_a_suspended_host),
		cmocka_unit_test(one_of_ours_that_leaves_unseen_is_a_loss),
		cmocka_unit_test(a_thread_that_no_fork_shows_is_followed_from_its_line_on),
		cmocka_unit_test(a_scope_line_alone_means_nothing),
		cmocka_unit_test(a_report_keeps_run_wait_and_share),
		cmocka_unit_test(a_report_has_nothing_of_others_and_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
