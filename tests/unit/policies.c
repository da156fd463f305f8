// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the machine does where events contradict each other or are missing, one trace a policy of
 * machine.h, and how well it says the ends of spans are known. Times are in us.
 */
#include "tests/unit/modelled.h"

#define US 1000ULL

static const struct tb_task a = { 101, "CPU 0/KVM", 0 }, b = { 201, "CPU 0/KVM", 0 },
			    third = { 301, "CPU 0/KVM", 0 };

static struct tb_at at(int cpu, uint64_t us)
{
	return tb_at(cpu, MODELLED_BASE + us * US);
}

static struct tb_at by(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * US, cur.tid);
}

static const struct fan_thread *thread(const struct fan_model *m, struct tb_task task)
{
	const int32_t i = fan_threads_find(m->threads, task.tid);

	assert_true(i >= 0);
	return fan_threads_at(m->threads, (size_t)i);
}

/* a runs 0-100, sleeps, is asked to wake up at 150 and runs 180-200; b's wake-up is at 20. */
static struct tb *asked_but_not_woken(bool has_wakeup)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_switch(tb, at(0, 0), tb_idle, TB_R, a);
	if (has_wakeup)
		tb_wakeup(tb, by(0, 20, a), b, 0);
	else
		tb_waking(tb, by(0, 20, a), b, 0);
	tb_switch(tb, at(0, 100), a, TB_S, b);
	tb_waking(tb, by(0, 150, b), a, 0);
	tb_switch(tb, at(0, 180), b, TB_R, a);
	tb_switch(tb, at(0, 200), a, TB_R, b);
	tb_switch(tb, at(0, 260), b, TB_S, a);
	return tb;
}

static void a_request_without_a_wakeup_begins_the_wait(void **state)
{
	struct fan_model *m = model_of(asked_but_not_woken(true));
	const struct fan_counts *c = fan_machine_counts(m->machine);

	(void)state;
	assert_int_equal(c->from_waking, 1);
	assert_int_equal(c->stale, 0);
	/* asleep 100-150; waits 150-180 since the request, and 200-260 */
	assert_int_equal(thread(m, a)->blocked_ns, 50 * US);
	assert_int_equal(thread(m, a)->wait_ns, 90 * US);
	assert_int_equal(thread(m, a)->stale_ns, 0);
	assert_int_equal(thread(m, a)->inferred_ns, 30 * US);
	assert_int_equal(thread(m, a)->max_wait_ns, 60 * US);
	assert_int_equal(thread(m, a)->max_wait_at_ns, MODELLED_BASE + 200 * US);
	fan_model_free(m);
}

static void without_any_wakeup_event_waits_begin_at_the_requests(void **state)
{
	struct fan_model *m = model_of(asked_but_not_woken(false));
	const struct fan_counts *c = fan_machine_counts(m->machine);

	(void)state;
	assert_true(m->waits_from_waking);
	assert_int_equal(c->wakeups, 0);
	assert_int_equal(c->wakings, 2);
	assert_int_equal(c->from_waking, 0); /* it is the rule here */
	assert_int_equal(thread(m, a)->blocked_ns, 50 * US);
	assert_int_equal(thread(m, a)->wait_ns, 90 * US);
	/* b: not seen before 20; waits 20-100, runs 100-180, waits 180-200, runs 200-260 */
	assert_int_equal(thread(m, b)->unknown_ns, 20 * US);
	assert_int_equal(thread(m, b)->wait_ns, 100 * US);
	assert_int_equal(thread(m, b)->run_ns, 140 * US);
	fan_model_free(m);
}

/* a sleeps from 100 on and is woken at 200 + late_us by b on CPU 0, but runs on CPU 1 at 200. */
static struct tb *woken_after_it_runs(uint64_t late_us)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_switch(tb, at(0, 0), tb_idle, TB_R, b);
	tb_switch(tb, at(1, 10), tb_idle, TB_R, a);
	tb_switch(tb, at(1, 100), a, TB_S, tb_idle);
	tb_switch(tb, at(1, 200), tb_idle, TB_R, a);
	tb_wakeup(tb, by(0, 200 + late_us, b), a, 1);
	tb_switch(tb, at(1, 3000), a, TB_S, tb_idle);
	return tb;
}

static void a_wakeup_after_the_switch_shows_a_clock_that_is_behind(void **state)
{
	struct fan_model *m = model_of(woken_after_it_runs(3));

	(void)state;
	assert_int_equal(fan_machine_counts(m->machine)->skewed, 1);
	assert_int_equal(fan_machine_counts(m->machine)->skew_ns, 3 * US);
	assert_int_equal(fan_machine_counts(m->machine)->awake, 1);
	fan_model_free(m);
	/* 1001 us are no matter of clocks */
	m = model_of(woken_after_it_runs(1001));
	assert_int_equal(fan_machine_counts(m->machine)->skewed, 0);
	assert_int_equal(fan_machine_counts(m->machine)->skew_ns, 0);
	fan_model_free(m);
}

static void a_wait_that_ends_elsewhere_unseen_is_counted(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at(0, 50), a, TB_R, b);
	tb_switch(tb, at(1, 80), tb_idle, TB_R, a); /* no migration: 1 */
	tb_switch(tb, at(1, 100), a, TB_R, tb_idle);
	tb_migrate(tb, by(0, 110, b), a, 1, 0);
	tb_switch(tb, at(0, 120), b, TB_R, a); /* seen to migrate */
	m = model_of(tb);
	assert_int_equal(fan_machine_counts(m->machine)->moved, 1);
	assert_int_equal(thread(m, a)->wait_ns, 50 * US);
	assert_int_equal(thread(m, a)->migrations, 2);
	fan_model_free(m);
}

static void a_dead_thread_that_runs_had_slept(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at(0, 0), tb_idle, TB_R, a);
	tb_exit(tb, at(0, 40), a);
	tb_switch(tb, at(0, 50), a, TB_DEAD, b);
	tb_switch(tb, at(0, 90), b, TB_R, a);
	tb_switch(tb, at(0, 100), a, TB_R, b);
	m = model_of(tb);
	assert_int_equal(fan_machine_counts(m->machine)->revived, 1);
	assert_int_equal(thread(m, a)->run_ns, 60 * US);
	assert_int_equal(thread(m, a)->blocked_ns, 40 * US);
	fan_model_free(m);
}

/* a runs and b waits; no record between 200 ms and 2200 ms. */
static struct tb *silent(const char *clock, bool is_ours)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	if (is_ours)
		tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono sample_ns=100000000");
	tb_set_clock(tb, clock);
	tb_switch(tb, at(0, 0), tb_idle, TB_R, a);
	tb_wakeup(tb, by(0, 100000, a), b, 0);
	tb_kvm_entry(tb, by(0, 200000, a), 0);
	tb_kvm_entry(tb, by(0, 2200000, a), 0);
	tb_switch(tb, at(0, 2300000), a, TB_R, b);
	return tb;
}

static void a_silence_of_all_cpus_belongs_to_nobody(void **state)
{
	struct fan_model *m = model_of(silent("mono", true));

	(void)state;
	assert_int_equal(fan_machine_counts(m->machine)->silences, 1);
	assert_int_equal(fan_machine_counts(m->machine)->silence_ns, 2000000 * US);
	/* a runs 0-200 and 2200-2300 ms; b is first seen at 100, waits until 200 ms, and then
	 * nothing tells of it before 2300 */
	assert_int_equal(thread(m, a)->run_ns, 300000 * US);
	assert_int_equal(thread(m, a)->unknown_ns, 2000000 * US);
	assert_int_equal(thread(m, b)->wait_ns, 100000 * US);
	assert_int_equal(thread(m, b)->unknown_ns, 2200000 * US);
	assert_int_equal(m->cpu_unknown_ns, 2000000 * US);
	fan_model_free(m);
}

static void a_host_of_others_may_rest(void **state)
{
	struct fan_model *m = model_of(silent("mono", false));

	(void)state;
	assert_int_equal(fan_machine_counts(m->machine)->silences, 0);
	assert_int_equal(thread(m, a)->run_ns, 2300000 * US);
	fan_model_free(m);
	/* 2 s are not the 5 s that a clock which counts suspend needs */
	m = model_of(silent("boot", false));
	assert_int_equal(fan_machine_counts(m->machine)->silences, 0);
	fan_model_free(m);
}

/*
 * a has CPU 0 from 0 to 1000 and sleeps; b has CPU 1 from 0, where at 300 it wakes up the third,
 * which is the last event of that CPU.
 */
static struct tb *cut_short(const char *line)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono sample_ns=100000000");
	tb_switch(tb, at(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at(1, 0), tb_idle, TB_R, b);
	tb_wakeup(tb, by(1, 300, b), third, 1);
	tb_switch(tb, at(0, 1000), a, TB_S, tb_idle);
	tb_marker(tb, MODELLED_BASE + 1000 * US, "%s", line);
	return tb;
}

static void what_comes_behind_the_last_page_of_a_file_cut_short_is_unknown(void **state)
{
	struct fan_model *m = model_of(cut_short("fcap: cut why=\"the disk was full\""));

	(void)state;
	assert_string_equal(m->facts->cut, "the disk was full");
	assert_int_equal(thread(m, a)->run_ns, 1000 * US);
	/* b runs up to 300, and nobody knows for how long; the third waits from 300 on, or does not
	 */
	assert_int_equal(thread(m, b)->run_ns, 300 * US);
	assert_int_equal(thread(m, b)->unknown_ns, 700 * US);
	assert_int_equal(thread(m, third)->wait_ns, 0);
	assert_int_equal(m->cpu_unknown_ns, 700 * US);
	assert_int_equal(fan_machine_counts(m->machine)->losses, 0);
	fan_model_free(m);
	/* that of a whole recording stands: there were no more events */
	m = model_of(cut_short("fcap: end events=4 bytes=8192"));
	assert_null(m->facts->cut);
	assert_int_equal(thread(m, b)->run_ns, 1000 * US);
	assert_int_equal(thread(m, third)->wait_ns, 700 * US);
	assert_int_equal(m->cpu_unknown_ns, 0);
	fan_model_free(m);
}

static void an_idle_machine_may_be_silent(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono sample_ns=100000000");
	tb_switch(tb, at(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at(0, 100), a, TB_S, tb_idle);
	tb_wakeup(tb, at(0, 5000000), a, 0);
	tb_switch(tb, at(0, 5000010), tb_idle, TB_R, a);
	m = model_of(tb);
	assert_int_equal(fan_machine_counts(m->machine)->silences, 0);
	assert_int_equal(thread(m, a)->unknown_ns, 0);
	fan_model_free(m);
}

/* Spans as they come, for their edges. */
struct tale {
	struct fan_span spans[32];
	size_t n;
	int changes[8];
	size_t nchanges;
	unsigned int nwaiting;
};

static int listen(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct tale *t = ctx;

	(void)th;
	assert_true(t->n < 32);
	t->spans[t->n++] = *span;
	return 0;
}

static int note_waiting(void *ctx, uint64_t now_ns, int32_t account, int waiting)
{
	struct tale *t = ctx;

	(void)now_ns;
	(void)account;
	assert_true(waiting == 1 || waiting == -1);
	t->nwaiting++;
	return 0;
}

static int note_change(void *ctx, uint64_t now_ns, int32_t account, int change, int waiting)
{
	struct tale *t = ctx;

	(void)now_ns;
	(void)account;
	(void)waiting;
	if (change == 0)
		return 0;
	assert_true(t->nchanges < 8);
	t->changes[t->nchanges++] = change;
	return 0;
}

static int note_idle(void *ctx, uint64_t now_ns, int change)
{
	(void)ctx;
	(void)now_ns;
	(void)change;
	return 0;
}

static int note_vcpu(void *ctx, uint64_t now_ns, int32_t thread)
{
	(void)ctx;
	(void)now_ns;
	(void)thread;
	return 0;
}

static void assert_span(const struct tale *t, size_t i, enum fan_state state, uint64_t t0,
			uint64_t t1, enum fan_edge begin, enum fan_edge end)
{
	assert_true(i < t->n);
	assert_int_equal(t->spans[i].state, state);
	assert_int_equal(t->spans[i].t0_ns, t0);
	assert_int_equal(t->spans[i].t1_ns, t1);
	assert_int_equal(t->spans[i].begin, begin);
	assert_int_equal(t->spans[i].end, end);
}

static struct fan_event sw(uint64_t ts, int32_t prev, bool runnable, int32_t next)
{
	struct fan_event ev = { .ts_ns = ts, .kind = FAN_EV_SWITCH };

	ev.cur_tid = ev.sw.prev_tid = prev;
	ev.sw.next_tid = next;
	ev.sw.prev_runnable = runnable;
	ev.sw.prev_comm = ev.sw.next_comm = (struct fan_comm){ "x" };
	return ev;
}

static void spans_tell_how_well_their_ends_are_known(void **state)
{
	struct fan_event migrate = { .ts_ns = 40, .kind = FAN_EV_MIGRATE, .cur_tid = 2 };
	struct fan_event events[] = { sw(10, 1, true, 2), migrate, sw(50, 2, false, 1),
				      sw(70, 1, true, 2) };
	struct fan_threads *threads = fan_threads_new();
	struct fan_machine *m = NULL;
	struct tale t = { 0 };
	unsigned int asks_waiting = 1;
	const struct fan_watch watch = { .ctx = &t,
					 .asks_waiting = &asks_waiting,
					 .runnable = note_change,
					 .waiting = note_waiting,
					 .idle = note_idle,
					 .vcpu = note_vcpu };

	(void)state;
	events[1].migrate.tid = 1;
	events[1].migrate.dest_cpu = 3;
	assert_int_equal(fan_machine_new(&m, threads, listen, &t), 0);
	fan_machine_watch(m, &watch);
	fan_machine_begin(m, 0);
	for (size_t i = 0; i < 4; i++) {
		asks_waiting = i < 3;
		assert_int_equal(fan_machine_feed(m, &events[i]), 0);
	}
	assert_int_equal(fan_machine_finish(m, 100), 0);
	/* 1 ran before the trace began */
	assert_span(&t, 0, FAN_ST_RUN, 0, 10, FAN_EDGE_UNKNOWN, FAN_EDGE_SEEN);
	/* nothing was known of 2 */
	assert_span(&t, 1, FAN_ST_UNSEEN, 0, 10, FAN_EDGE_SEEN, FAN_EDGE_UNKNOWN);
	/* 1 waits, first here, then in the queue of CPU 3 */
	assert_span(&t, 2, FAN_ST_WAIT, 10, 40, FAN_EDGE_SEEN, FAN_EDGE_CUT);
	assert_span(&t, 3, FAN_ST_RUN, 10, 50, FAN_EDGE_SEEN, FAN_EDGE_SEEN);
	assert_span(&t, 4, FAN_ST_WAIT, 40, 50, FAN_EDGE_CUT, FAN_EDGE_SEEN);
	assert_int_equal(t.spans[2].cpu, 0);
	assert_int_equal(t.spans[4].cpu, 3);
	assert_span(&t, 5, FAN_ST_RUN, 50, 70, FAN_EDGE_SEEN, FAN_EDGE_SEEN);
	/* 2 was not woken: its sleep had been a wait */
	assert_span(&t, 6, FAN_ST_WAIT, 50, 70, FAN_EDGE_INFERRED, FAN_EDGE_SEEN);
	/* the trace ends; 1 waits from 70, 2 runs from 70 */
	assert_span(&t, 7, FAN_ST_WAIT, 70, 100, FAN_EDGE_SEEN, FAN_EDGE_UNKNOWN);
	assert_span(&t, 8, FAN_ST_RUN, 70, 100, FAN_EDGE_SEEN, FAN_EDGE_UNKNOWN);
	assert_int_equal(t.n, 9);
	/* runnable: 1 at the start, 2 at 10, not 2 at 50, 2 (stale, then runs) at 70 */
	assert_int_equal(t.nchanges, 4);
	assert_true(t.changes[0] == 1 && t.changes[1] == 1 && t.changes[2] == -1 &&
		    t.changes[3] == 1);
	/* 1 gets off the CPU at 10, and onto it at 50; at 70 nobody asks */
	assert_int_equal(t.nwaiting, 2);
	fan_machine_free(m);
	fan_threads_free(threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_without_a_wakeup_begins_the_wait),
		cmocka_unit_test(without_any_wakeup_event_waits_begin_at_the_requests),
		cmocka_unit_test(a_wakeup_after_the_switch_shows_a_clock_that_is_behind),
		cmocka_unit_test(a_wait_that_ends_elsewhere_unseen_is_counted),
		cmocka_unit_test(a_dead_thread_that_runs_had_slept),
		cmocka_unit_test(a_silence_of_all_cpus_belongs_to_nobody),
		cmocka_unit_test(a_host_of_others_may_rest),
		cmocka_unit_test(what_comes_behind_the_last_page_of_a_file_cut_short_is_unknown),
		cmocka_unit_test(an_idle_machine_may_be_silent),
		cmocka_unit_test(spans_tell_how_well_their_ends_are_known),
	};

	return cmocka_run_group_tests_name("policies", tests, NULL, NULL);
}
