// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Main threads that are seen for the first time when the last line that names their thread group
 * has gone by: they are of that group, unless their number is another one's by then.
 */
#include "tests/unit/modelled.h"

#include "analyze/model/groups.h"

#define CLONE_THREAD 0x00010000

static const struct tb_task lead = { 100, "vmm", 0 }, vcpu = { 101, "worker", 0 };
static const struct tb_task io = { 102, "worker", 0 }, other = { 50, "sh", 0 };

/* Told of before the first event; in ms, the vCPU runs 0-4. */
static struct tb *begun(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, vcpu);
	return tb;
}

/* And then, in ms, the lead 4-10. */
static struct tb *ended(struct tb *tb, long vcpu_state)
{
	tb_switch(tb, at_ms(0, 4), vcpu, vcpu_state, lead);
	tb_switch(tb, at_ms(0, 10), lead, TB_S, tb_idle);
	return tb;
}

/* One VM, that of the thread group 100, which ran for that long. */
static struct fan_model *assert_vm_ran(struct tb *tb, uint64_t ms)
{
	struct fan_model *m = model_of(tb);
	struct fan_groups *g = NULL;
	uint64_t ns = 0;

	assert_int_equal(fan_groups_make(&g, m, &(struct fan_group_options){ 0 }, NULL), 0);
	assert_int_equal(g->n, 1);
	assert_int_equal(g->items[0].tgid, 100);
	for (size_t a = 0; a < g->naccounts; a++)
		if (g->of_account[a] == 0)
			ns += fan_series_sum(m->series, fan_model_row((int32_t)a), 0, UINT64_MAX)
				      .run_ns;
	assert_int_equal(ns, ms * MODELLED_MS);
	fan_groups_free(g);
	return m;
}

static int32_t proc_of(const struct fan_model *m, struct tb_task task)
{
	const int32_t i = fan_threads_find(m->threads, task.tid);

	assert_true(i >= 0);
	return fan_threads_proc(m->threads, (size_t)i);
}

/* 4 ms of the vCPU and 6 of the main thread, which stands for the process from then on. */
static void a_main_thread_that_is_seen_late_is_of_its_vm(void **state)
{
	struct fan_model *m = assert_vm_ran(ended(begun(), TB_S), 10);
	const struct fan_proc *p = fan_procs_at(m->threads, (size_t)proc_of(m, vcpu));

	(void)state;
	assert_int_equal(proc_of(m, lead), proc_of(m, vcpu));
	assert_int_equal(p->tgid, lead.tid);
	assert_int_equal(p->main_thread, fan_threads_find(m->threads, lead.tid));
	fan_model_free(m);
}

/* The first of the group's threads that was seen has ended, another one sleeps. */
static void it_is_enough_that_any_thread_of_its_group_lives(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=102 tgid=100 comm=worker");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, vcpu);
	tb_exit(tb, at_ms(0, 3), vcpu);
	fan_model_free(assert_vm_ran(ended(tb, TB_S), 10));
}

/* The only thread of the group that is known ends at 4: a later 100 may be anybody. */
static void a_number_may_be_used_again_when_its_group_has_ended(void **state)
{
	struct tb *tb = begun();
	struct fan_model *m;

	(void)state;
	tb_exit(tb, at_ms(0, 3), vcpu);
	m = assert_vm_ran(ended(tb, TB_S), 4);
	assert_int_not_equal(proc_of(m, lead), proc_of(m, vcpu));
	fan_model_free(m);
}

/* No end of the group is seen, but while it lives nobody can be forked with its number. */
static void whoever_is_forked_with_its_number_is_another(void **state)
{
	for (int is_newtask = 0; is_newtask < 2; is_newtask++) {
		struct tb *tb = begun();
		struct fan_model *m;

		(void)state;
		if (is_newtask)
			tb_newtask(tb, tb_by(0, MODELLED_BASE + 2 * MODELLED_MS, vcpu.tid), lead,
				   0);
		else
			tb_fork(tb, at_ms(0, 2), vcpu, lead);
		m = assert_vm_ran(ended(tb, TB_S), 4);
		assert_int_not_equal(proc_of(m, lead), proc_of(m, vcpu));
		fan_model_free(m);
	}
}

/* As above; 102 is a thread of whoever has the number since 2 ms, and runs 10-12. */
static void lines_behind_such_a_fork_are_of_the_new_group(void **state)
{
	struct tb *tb = begun();
	struct fan_model *m;

	(void)state;
	tb_fork(tb, at_ms(0, 2), vcpu, lead);
	tb_marker(tb, MODELLED_BASE + 3 * MODELLED_MS, "fcap: task tid=102 tgid=100 comm=worker");
	tb_switch(tb, at_ms(0, 4), vcpu, TB_S, lead);
	tb_switch(tb, at_ms(0, 10), lead, TB_S, io);
	tb_switch(tb, at_ms(0, 12), io, TB_S, tb_idle);
	m = assert_vm_ran(tb, 4);
	assert_int_equal(proc_of(m, io), proc_of(m, lead));
	assert_int_not_equal(proc_of(m, io), proc_of(m, vcpu));
	fan_model_free(m);
}

/* A thread of another process that gets the number: nor is it of the old group. */
static void a_thread_with_its_number_is_of_its_own_process(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, other);
	tb_newtask(tb, tb_by(0, MODELLED_BASE + 1 * MODELLED_MS, other.tid), lead, CLONE_THREAD);
	tb_switch(tb, at_ms(0, 2), other, TB_S, vcpu);
	m = assert_vm_ran(ended(tb, TB_S), 2);
	assert_int_equal(proc_of(m, lead), proc_of(m, other));
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_main_thread_that_is_seen_late_is_of_its_vm),
		cmocka_unit_test(it_is_enough_that_any_thread_of_its_group_lives),
		cmocka_unit_test(a_number_may_be_used_again_when_its_group_has_ended),
		cmocka_unit_test(whoever_is_forked_with_its_number_is_another),
		cmocka_unit_test(lines_behind_such_a_fork_are_of_the_new_group),
		cmocka_unit_test(a_thread_with_its_number_is_of_its_own_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
