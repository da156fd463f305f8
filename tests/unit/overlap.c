// SPDX-License-Identifier: GPL-3.0-or-later
/* The time that all VMs share, and the windows in it. Times are in ms after the first event. */
#include "tests/unit/modelled.h"

#include "analyze/model/overlap.h"

static const struct tb_task a = { 101, "worker", 0 }, b = { 201, "worker", 0 };

struct shared {
	struct fan_model *m;
	struct fan_groups *g;
	struct fan_overlap o;
};

static void run(struct tb *tb, int cpu, struct tb_task task, uint64_t from, uint64_t to)
{
	tb_switch(tb, at_ms(cpu, from), tb_idle, TB_R, task);
	tb_switch(tb, at_ms(cpu, to), task, TB_S, tb_idle);
}

static void tell_vcpu(struct tb *tb, int tid, int tgid)
{
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=%d id=0", tid, tgid);
}

static void find_with(struct shared *s, struct fan_overlap_options options)
{
	const struct fan_group_options wanted = { FAN_GROUP_VM, NULL, 0 };
	struct fcap_err err = { 0 };

	if (!s->g)
		assert_int_equal(fan_groups_make(&s->g, s->m, &wanted, &err), 0);
	if (fan_overlap_find(&s->o, s->m, s->g, &options, &err) < 0)
		fail_msg("%s", err.text);
}

static struct shared find(struct tb *tb)
{
	struct shared s = { .m = model_of(tb) };

	find_with(&s, (struct fan_overlap_options){ 0 });
	return s;
}

static void done(struct shared *s)
{
	fan_groups_free(s->g);
	fan_model_free(s->m);
}

/* a on CPU 0 and b on CPU 1, each of them once */
struct edges {
	uint64_t a_from, a_to, b_from, b_to;
};

static struct shared two(struct edges e)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	run(tb, 0, a, e.a_from, e.a_to);
	run(tb, 1, b, e.b_from, e.b_to);
	tell_vcpu(tb, a.tid, 100);
	tell_vcpu(tb, b.tid, 200);
	return find(tb);
}

static struct fan_cell cell(const struct shared *s, struct tb_task task, uint64_t w)
{
	const int32_t i = fan_threads_find(s->m->threads, task.tid);

	return fan_overlap_cell(&s->o, s->m, fan_threads_at(s->m->threads, (size_t)i)->account, w);
}

static void assert_edges(const struct shared *s, uint64_t from, uint64_t to)
{
	assert_int_equal(s->o.from_ns, MODELLED_BASE + from * MODELLED_MS);
	assert_int_equal(s->o.to_ns, MODELLED_BASE + to * MODELLED_MS);
}

static void assert_windows(const struct shared *s, uint64_t width, uint64_t windows)
{
	assert_int_equal(s->o.window_ns, width * MODELLED_MS);
	assert_int_equal(s->o.windows, windows);
	assert_int_equal(s->o.window_ns, s->o.per_window * fan_series_width_ns(s->m->series));
}

static void the_window_is_the_largest_that_gives_300(void **state)
{
	static const struct {
		uint64_t length, width, windows;
	} rows[] = {
		{ 5, 10, 0 },	       { 2999, 10, 299 },     { 3000, 10, 300 },
		{ 5999, 10, 599 },     { 6000, 20, 300 },     { 14999, 20, 749 },
		{ 15000, 50, 300 },    { 30000, 100, 300 },   { 60000, 200, 300 },
		{ 149999, 200, 749 },  { 150000, 500, 300 },  { 299999, 500, 599 },
		{ 300000, 1000, 300 }, { 400000, 1000, 400 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct shared s = two((struct edges){ 0, rows[i].length, 0, rows[i].length });

		assert_edges(&s, 0, rows[i].length);
		assert_windows(&s, rows[i].width, rows[i].windows);
		assert_int_equal(s.o.first, 0);
		done(&s);
	}
}

static void windows_begin_after_the_last_start_and_end_before_the_first_end(void **state)
{
	struct shared s = two((struct edges){ 0, 10000, 2003, 7505 });

	(void)state;
	assert_edges(&s, 2003, 7505);
	assert_int_equal(s.o.first, 201);
	assert_windows(&s, 10, 549); /* 2010 to 7500 */
	for (size_t w = 0; w < 549; w += 548) {
		assert_int_equal(cell(&s, a, w).run_ns, 10 * MODELLED_MS);
		assert_int_equal(cell(&s, b, w).run_ns, 10 * MODELLED_MS);
	}
	assert_int_equal(cell(&s, b, 549).run_ns, 5 * MODELLED_MS);
	assert_int_equal(fan_overlap_unknown_ns(&s.o, s.m), 0);
	done(&s);
}

static void the_300_are_whole_windows_of_the_series(void **state)
{
	/* 6 s from 5 ms on: from 10 ms on only 299 whole windows of 20 ms */
	struct shared s = two((struct edges){ 0, 7000, 5, 6005 });

	(void)state;
	assert_edges(&s, 5, 6005);
	assert_windows(&s, 10, 599);
	done(&s);
}

static void cells_of_wide_windows_are_sums(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct shared s;

	(void)state;
	/* in 20 ms: a runs 12, is pushed away for 5, runs 3; 300 times */
	for (uint64_t t = 0; t < 6000; t += 20) {
		tb_switch(tb, at_ms(0, t), t ? a : tb_idle, TB_R, a);
		tb_switch(tb, at_ms(0, t + 12), a, TB_R, tb_idle);
		tb_switch(tb, at_ms(0, t + 17), tb_idle, TB_R, a);
	}
	tb_switch(tb, at_ms(0, 6000), a, TB_R, tb_idle);
	run(tb, 1, b, 0, 6000);
	tell_vcpu(tb, a.tid, 100);
	tell_vcpu(tb, b.tid, 200);
	s = find(tb);
	assert_windows(&s, 20, 300);
	for (uint64_t w = 0; w < 300; w++) {
		assert_int_equal(cell(&s, a, w).run_ns, 15 * MODELLED_MS);
		assert_int_equal(cell(&s, a, w).wait_ns, 5 * MODELLED_MS);
	}
	done(&s);
}

static void without_a_common_time_the_whole_period_is_taken(void **state)
{
	struct shared s = two((struct edges){ 0, 1000, 2000, 5000 });

	(void)state;
	assert_true(s.o.is_none);
	assert_edges(&s, 0, 5000);
	assert_windows(&s, 10, 500);
	done(&s);
}

static void a_vm_that_never_ran_sets_no_edge(void **state)
{
	const struct tb_task starved = { 301, "worker", 0 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct shared s;

	(void)state;
	run(tb, 0, a, 0, 5000);
	tb_switch(tb, at_ms(1, 10), tb_idle, TB_R, b);
	tb_wakeup(tb, tb_by(1, MODELLED_BASE + 20 * MODELLED_MS, b.tid), starved, 1);
	tb_switch(tb, at_ms(1, 4000), b, TB_S, tb_idle);
	tell_vcpu(tb, a.tid, 100);
	tell_vcpu(tb, b.tid, 200);
	tell_vcpu(tb, starved.tid, 300);
	s = find(tb);
	assert_int_equal(s.g->n, 3);
	assert_false(s.o.is_none);
	assert_edges(&s, 10, 4000);
	done(&s);
}

static void a_vmm_that_starts_up_is_not_yet_its_vm(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct shared s;

	(void)state;
	run(tb, 0, (struct tb_task){ 100, "vmm", 0 }, 0, 1000);
	run(tb, 0, a, 1000, 6000);
	run(tb, 0, (struct tb_task){ 100, "vmm", 0 }, 6000, 7000);
	run(tb, 1, b, 0, 7000);
	tell_vcpu(tb, a.tid, 100);
	tell_vcpu(tb, b.tid, 200);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=100 tgid=100");
	s = find(tb);
	assert_edges(&s, 1000, 6000);
	done(&s);
}

/* n VMs, one after the other at the beginning and again 1000 s later. */
static struct shared crowd(int n)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	for (uint64_t late = 0; late < 2; late++)
		for (int i = 0; i < n; i++) {
			const struct tb_task task = { 1000 + i, NULL, 0 };
			const uint64_t t = late * 1000300 + (uint64_t)i;

			run(tb, 0, task, t, t + 1);
		}
	for (int i = 0; i < n; i++)
		tell_vcpu(tb, 1000 + i, 1000 + i);
	return find(tb);
}

static void windows_double_until_cells_are_200000(void **state)
{
	struct shared s = crowd(200);

	(void)state;
	assert_int_equal(s.g->n, 200);
	assert_edges(&s, 199, 1000301);
	assert_windows(&s, 1000, 1000);
	done(&s);
	s = crowd(201);
	assert_windows(&s, 2000, 500);
	done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_window_is_the_largest_that_gives_300),
		cmocka_unit_test(windows_begin_after_the_last_start_and_end_before_the_first_end),
		cmocka_unit_test(the_300_are_whole_windows_of_the_series),
		cmocka_unit_test(cells_of_wide_windows_are_sums),
		cmocka_unit_test(without_a_common_time_the_whole_period_is_taken),
		cmocka_unit_test(a_vm_that_never_ran_sets_no_edge),
		cmocka_unit_test(a_vmm_that_starts_up_is_not_yet_its_vm),
		cmocka_unit_test(windows_double_until_cells_are_200000),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
