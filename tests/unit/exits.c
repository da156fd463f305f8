// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * model/exits and the exits of a report: how often, how long, how much of that off the CPU.
 * Times are in us after the first event.
 */
#include <string.h>

#include "analyze/report/assemble.h"
#include "tests/unit/vcpu_test.h"

enum { HLT = 12, IO = 30, EXTINT = 1, NAMELESS = 999, SVM_HLT = 0x78, SVM_NAMELESS = 0x777 };

/* The sum of one reason of a thread's account; NULL: none. */
static const struct fan_exit_sum *sum_of(const struct fan_model *m, struct tb_task task,
					 uint32_t reason)
{
	size_t n;
	const struct fan_exit_sum *e = fan_exits_of(fan_machine_kvm(m->machine)->exits,
						    (size_t)thread_of(m, task)->account, &n);

	for (size_t i = 0; i < n; i++)
		if (e[i].reason == reason)
			return &e[i];
	return NULL;
}

static void assert_exits(const struct fan_model *m, uint32_t reason, struct fan_exit us,
			 uint64_t count)
{
	const struct fan_exit_sum *e = sum_of(m, v0, reason);

	assert_int_equal(e ? e->ns.n : 0, count);
	if (!e)
		return;
	assert_int_equal(e->ns.sum, us.ns * US);
	assert_int_equal(e->off_cpu_ns, us.off_cpu_ns * US);
}

/*
 * IO: 10 to 20 and 30 to 60, of which 40 to 55 off the CPU. HLT: 70 to 200, of which asleep 80 to
 * 150 and waiting 150 to 190. The last exit, at 210, has no entry.
 */
static struct tb *some_exits(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 5, v0), 0);
	tb_kvm_exit(tb, by(0, 10, v0), 0, IO);
	tb_kvm_entry(tb, by(0, 20, v0), 0);
	tb_kvm_exit(tb, by(0, 30, v0), 0, IO);
	tb_switch(tb, on(0, 40), v0, TB_R, tb_idle);
	tb_switch(tb, on(0, 55), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 60, v0), 0);
	tb_kvm_exit(tb, by(0, 70, v0), 0, HLT);
	tb_switch(tb, on(0, 80), v0, TB_S, tb_idle);
	tb_wakeup(tb, on(0, 150), v0, 0);
	tb_switch(tb, on(0, 190), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 200, v0), 0);
	tb_kvm_exit(tb, by(0, 210, v0), 0, EXTINT);
	tb_switch(tb, on(0, 220), v0, TB_R, tb_idle);
	return tb;
}

static void exits_are_counted_from_exit_to_entry(void **state)
{
	struct fan_model *m = closed_model_of(some_exits());

	(void)state;
	assert_exits(m, IO, (struct fan_exit){ .ns = 40, .off_cpu_ns = 15 }, 2);
	assert_int_equal(sum_of(m, v0, IO)->ns.max, 30 * US);
	assert_int_equal(sum_of(m, v0, IO)->ns.min, 10 * US);
	assert_exits(m, HLT, (struct fan_exit){ .ns = 130, .off_cpu_ns = 110 }, 1);
	assert_exits(m, EXTINT, (struct fan_exit){ 0 }, 0);
	fan_model_free(m);
}

/* The exit at 10 has no entry before the one at 15, which takes its place; 20 ends that. */
static void an_exit_without_an_entry_gives_way_to_the_next(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 5, v0), 0);
	tb_kvm_exit(tb, by(0, 10, v0), 0, IO);
	tb_kvm_exit(tb, by(0, 15, v0), 0, HLT);
	tb_kvm_entry(tb, by(0, 20, v0), 0);
	tb_kvm_entry(tb, by(0, 25, v0), 0);
	tb_switch(tb, on(0, 30), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_exits(m, IO, (struct fan_exit){ 0 }, 0);
	assert_exits(m, HLT, (struct fan_exit){ .ns = 5 }, 1);
	fan_model_free(m);
}

/* A gap: at 40 another thread turns up, and v0 without a switch again at 60. */
static void an_exit_across_a_gap_does_not_count(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by(0, 5, v0), 0);
	tb_kvm_exit(tb, by(0, 10, v0), 0, IO);
	tb_kvm_fpu(tb, by(0, 40, v1), 1);
	tb_kvm_entry(tb, by(0, 60, v0), 0);
	tb_kvm_exit(tb, by(0, 70, v0), 0, IO);
	tb_kvm_entry(tb, by(0, 73, v0), 0);
	tb_switch(tb, on(0, 80), v0, TB_R, tb_idle);
	m = closed_model_of(tb);
	assert_int_equal(fan_machine_counts(m->machine)->gaps, 2);
	assert_exits(m, IO, (struct fan_exit){ .ns = 3 }, 1);
	fan_model_free(m);
}

static struct fan_report report_by(struct tb *tb, enum fan_group_kind kind, uint64_t from_us,
				   uint64_t to_us)
{
	const struct fan_model_options period = { .from_ns = from_us * US, .to_ns = to_us * US };
	const struct fan_report_options options = { .groups = { .kind = kind },
						    .level = 0.95,
						    .margin = 3 };
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fcap_err err = { 0 };
	struct fan_file *file = NULL;
	struct fan_model *m = NULL;
	struct fan_report r;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	if (fan_file_open(&file, path, &err) < 0 || fan_model_read(&m, file, &period, &err) < 0 ||
	    fan_report_assemble(&r, file, m, &options, &err) < 0)
		fail_msg("%s", err.text);
	else
		assert_closed(m);
	fan_model_free(m);
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
	return r;
}

static struct fan_report report_in(struct tb *tb, uint64_t from_us, uint64_t to_us)
{
	return report_by(tb, FAN_GROUP_VM, from_us, to_us);
}

static const struct fan_r_group *the_group(const struct fan_report *r)
{
	assert_int_equal(r->groups.n, 1);
	return r->groups.items;
}

/* In a row: reason, then count, total, off CPU and longest in us. */
static void assert_row(const struct fan_r_group *g, size_t i, const char *reason, int64_t count,
		       const int64_t us[3])
{
	const struct fan_r_exit *e = (const struct fan_r_exit *)g->exits.items + i;

	assert_true(i < g->exits.n);
	assert_string_equal(e->reason, reason);
	assert_int_equal(e->count, count);
	assert_int_equal(e->total_ns, us[0] * (int64_t)US);
	assert_int_equal(e->off_cpu_ns, us[1] * (int64_t)US);
	assert_int_equal(e->max_ns, us[2] * (int64_t)US);
}

static void a_report_has_the_exits_most_time_first(void **state)
{
	struct fan_report r = report_in(some_exits(), 0, 0);
	const struct fan_r_group *g = the_group(&r);
	const struct fan_r_exit *e = g->exits.items;

	(void)state;
	assert_int_equal(g->exits.n, 2);
	assert_row(g, 0, "HLT", 1, (const int64_t[]){ 130, 110, 130 });
	assert_row(g, 1, "IO_INSTRUCTION", 2, (const int64_t[]){ 40, 15, 30 });
	/* of 10 and 30 the median by nearest rank is the smaller, and 99 % are the larger */
	assert_int_equal(e[1].p50_ns, 10 * US);
	assert_int_equal(e[1].p99_ns, 30 * US);
	fan_report_free(&r);
}

/* From 25 to 205: the exit at 10 is outside; of --to 195 the halt is not over. */
static void only_exits_wholly_in_what_is_asked_for_count(void **state)
{
	struct fan_report r = report_in(some_exits(), 25, 205);

	(void)state;
	assert_int_equal(the_group(&r)->exits.n, 2);
	assert_row(the_group(&r), 0, "HLT", 1, (const int64_t[]){ 130, 110, 130 });
	assert_row(the_group(&r), 1, "IO_INSTRUCTION", 1, (const int64_t[]){ 30, 15, 30 });
	fan_report_free(&r);
	r = report_in(some_exits(), 15, 195);
	assert_int_equal(the_group(&r)->exits.n, 1);
	assert_row(the_group(&r), 0, "IO_INSTRUCTION", 1, (const int64_t[]){ 30, 15, 30 });
	fan_report_free(&r);
}

/*
 * Two vCPUs with the same number in one process, as two VMs of one VMM have them: exits of the
 * group are those of both, 5 + 20; Intel's reasons and AMD's stay apart.
 */
static void exits_of_two_vms_in_one_process_are_summed(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct fan_r_thread *t;
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=102 tgid=100 id=0");
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	tb_switch(tb, on(1, 0), tb_idle, TB_R, v1);
	tb_kvm_entry(tb, by(0, 0, v0), 0);
	tb_kvm_entry(tb, by(1, 0, v1), 0);
	tb_kvm_exit(tb, by(0, 10, v0), 0, NAMELESS);
	tb_kvm_entry(tb, by(0, 15, v0), 0);
	tb_kvm_exit(tb, by(1, 20, v1), 0, NAMELESS);
	tb_kvm_entry(tb, by(1, 40, v1), 0);
	tb_kvm_exit_svm(tb, by(1, 50, v1), 0, SVM_NAMELESS);
	tb_kvm_entry(tb, by(1, 54, v1), 0);
	tb_kvm_exit_svm(tb, by(1, 60, v1), 0, SVM_HLT);
	tb_kvm_entry(tb, by(1, 63, v1), 0);
	tb_switch(tb, on(0, 70), v0, TB_R, tb_idle);
	tb_switch(tb, on(1, 70), v1, TB_R, tb_idle);
	r = report_in(tb, 0, 0);
	assert_int_equal(the_group(&r)->exits.n, 3);
	assert_row(the_group(&r), 0, "999", 2, (const int64_t[]){ 25, 0, 20 });
	assert_row(the_group(&r), 1, "0x777", 1, (const int64_t[]){ 4, 0, 4 });
	assert_row(the_group(&r), 2, "hlt", 1, (const int64_t[]){ 3, 0, 3 });
	t = the_group(&r)->threads.items;
	/* in the guest: 70 less 5; 70 less 20, 4 and 3 */
	assert_int_equal(t[0].guest_ns, 65 * US);
	assert_int_equal(t[1].guest_ns, 43 * US);
	assert_int_equal(the_group(&r)->guest_ns, 108 * US);
	fan_report_free(&r);
}

/* Three exits of 50 us; in the middle of the second the vCPU moves from /a to /b. */
static struct tb *moving(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 cpu_hierarchy=1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/a");
	tb_switch(tb, on(0, 0), tb_idle, TB_R, v0);
	for (uint64_t us = 0; us < 300; us += 100) {
		tb_kvm_entry(tb, by(0, us, v0), 0);
		tb_kvm_exit(tb, by(0, us + 50, v0), 0, IO);
		if (us == 100)
			tb_cgroup_attach(tb, by(0, us + 60, v0), v0, "/b");
	}
	tb_kvm_entry(tb, by(0, 300, v0), 0);
	tb_switch(tb, on(0, 310), v0, TB_R, tb_idle);
	return tb;
}

static void an_exit_belongs_to_the_cgroup_it_began_in(void **state)
{
	struct fan_report r = report_by(moving(), FAN_GROUP_CGROUP, 0, 0);
	const struct fan_r_group *g = r.groups.items;
	const bool a_first = strcmp(g[0].name, "a") == 0;

	(void)state;
	assert_int_equal(r.groups.n, 2);
	assert_row(&g[!a_first], 0, "IO_INSTRUCTION", 2, (const int64_t[]){ 100, 0, 50 });
	assert_row(&g[a_first], 0, "IO_INSTRUCTION", 1, (const int64_t[]){ 50, 0, 50 });
	fan_report_free(&r);
	/* the VM has all of them */
	r = report_in(moving(), 0, 0);
	assert_row(the_group(&r), 0, "IO_INSTRUCTION", 3, (const int64_t[]){ 150, 0, 50 });
	fan_report_free(&r);
}

/* 300 reasons that nobody knows: 254 by number, the other 46 under one. */
static void too_many_reasons_become_one(void **state)
{
	struct fan_exits *e = fan_exits_new();
	const struct fan_exit_sum *sums;
	size_t n;

	(void)state;
	assert_non_null(e);
	for (unsigned int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 300; i++) {
			const struct fan_exit exit = { 3, FAN_ISA_SVM, 0x1000 + i, 10, 1 };

			assert_int_equal(fan_exits_add(e, &exit), 0);
		}
	sums = fan_exits_of(e, 3, &n);
	assert_int_equal(n, 255);
	assert_int_equal(sums[253].reason, 0x1000 + 253);
	assert_int_equal(sums[253].ns.n, 2);
	assert_int_equal(sums[254].isa, FAN_ISA_NONE);
	assert_int_equal(sums[254].reason, FAN_EXIT_OTHER);
	assert_int_equal(sums[254].ns.n, 92);
	assert_int_equal(sums[254].off_cpu_ns, 92);
	assert_null(fan_exits_of(e, 2, &n));
	assert_null(fan_exits_of(e, 1000, &n));
	assert_int_equal(n, 0);
	fan_exits_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exits_are_counted_from_exit_to_entry),
		cmocka_unit_test(an_exit_without_an_entry_gives_way_to_the_next),
		cmocka_unit_test(an_exit_across_a_gap_does_not_count),
		cmocka_unit_test(a_report_has_the_exits_most_time_first),
		cmocka_unit_test(only_exits_wholly_in_what_is_asked_for_count),
		cmocka_unit_test(exits_of_two_vms_in_one_process_are_summed),
		cmocka_unit_test(an_exit_belongs_to_the_cgroup_it_began_in),
		cmocka_unit_test(too_many_reasons_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
