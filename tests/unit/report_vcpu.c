// SPDX-License-Identifier: GPL-3.0-or-later
/* From a trace to what a report says of its vCPUs, in the tree and in words. */
#include <errno.h>
#include <stdio.h>

#include "analyze/analysis.h"
#include "tests/unit/assembled.h"
#include "tests/unit/text_of.h"

enum { HLT = 12, IO = 30 };

static const struct tb_task vm = { 101, "CPU 0/KVM", 0 }, io = { 110, "IO iothread", 0 };

static struct tb_at by_us(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * 1000, cur.tid);
}

/*
 * A VM of one vCPU and an iothread. Entry 0, exit for IO 100, userspace exit 110, entry 150, exit
 * for HLT 200, asleep 230, woken 300, in 310, a wakeup of 108 us (since 204) at 312, entry 320,
 * out 400 after an exit at 390. The iothread runs 230 to 240 and sleeps to the end at 400.
 * Guest 100 + 50 + 70; kernel 10 + 4 + 10 + 10; VMM 40; polling 26: 320 in all, and 10 waiting.
 */
static struct tb *busy_and_halting(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=0x2a");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=110 tgid=100");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, vm);
	tb_kvm_entry(tb, by_us(0, 0, vm), 0);
	tb_kvm_exit(tb, by_us(0, 100, vm), 0, IO);
	tb_kvm_userspace_exit(tb, by_us(0, 110, vm), 2);
	tb_kvm_entry(tb, by_us(0, 150, vm), 0);
	tb_kvm_exit(tb, by_us(0, 200, vm), 0, HLT);
	tb_switch(tb, at_us(0, 230), vm, TB_S, io);
	tb_switch(tb, at_us(0, 240), io, TB_S, tb_idle);
	tb_wakeup(tb, at_us(0, 300), vm, 0);
	tb_switch(tb, at_us(0, 310), tb_idle, TB_R, vm);
	tb_kvm_vcpu_wakeup(tb, by_us(0, 312, vm), 108 * 1000, true);
	tb_kvm_entry(tb, by_us(0, 320, vm), 0);
	tb_kvm_exit(tb, by_us(0, 390, vm), 0, IO);
	tb_switch(tb, at_us(0, 400), vm, TB_R, tb_idle);
	return tb;
}

static void the_time_of_a_vcpu_is_closed(void **state)
{
	struct fan_report r = report_of(busy_and_halting());
	const struct fan_r_group *g = group(&r, "vm1");
	const struct fan_r_thread *t = g->threads.items;

	(void)state;
	assert_int_equal(t->guest_ns, 220000);
	assert_int_equal(t->host_ns, 34000);
	assert_int_equal(t->poll_ns, 26000);
	assert_int_equal(t->vmm_ns, 40000);
	assert_int_equal(t->in_kvm_run_ns, FAN_NONE);
	assert_int_equal(t->unsplit_run_ns, 0);
	assert_int_equal(t->wait_ns, 10000);
	assert_int_equal(t->halted_ns, 70000);
	assert_int_equal(t->blocked_ns, 0);
	assert_int_equal(t->guest_ns + t->host_ns + t->poll_ns + t->vmm_ns + t->wait_ns +
				 t->halted_ns + t->blocked_ns + t->unsplit_ns + t->unknown_ns,
			 400000);
	assert_int_equal(t->cookie, 0x2a);
	/* one whole wait: the one after the sleep; the one that is open at the end is none */
	assert_int_equal(t->wait.p50_ns, 10000);
	assert_int_equal(t->wait.p95_ns, 10000);
	assert_int_equal(t->wait.p99_ns, 10000);
	assert_int_equal(t->wait.max_ns, 10000);
	fan_report_free(&r);
}

static void threads_that_are_no_vcpus_have_nothing_to_split(void **state)
{
	struct fan_report r = report_of(busy_and_halting());
	const struct fan_r_group *g = group(&r, "vm1");
	const struct fan_r_thread *t = (const struct fan_r_thread *)g->threads.items + 1;

	(void)state;
	assert_int_equal(t->tid, 110);
	assert_int_equal(t->guest_ns, FAN_NONE);
	assert_int_equal(t->halted_ns, FAN_NONE);
	assert_int_equal(t->unsplit_run_ns, FAN_NONE);
	assert_int_equal(t->cookie, FAN_NONE);
	assert_int_equal(t->wait.max_ns, FAN_NONE);
	assert_int_equal(t->blocked_ns, 160000);
	/* and the group has the sums: of the vCPU's parts, and of all sleep */
	assert_int_equal(g->guest_ns, 220000);
	assert_int_equal(g->host_ns, 34000);
	assert_int_equal(g->vmm_ns, 40000);
	assert_int_equal(g->poll_ns, 26000);
	assert_int_equal(g->halted_ns, 70000);
	assert_int_equal(g->blocked_ns, 160000);
	assert_int_equal(g->in_kvm_run_ns, FAN_NONE);
	fan_report_free(&r);
}

static void assert_text(const struct fan_report *r, const char *part, bool is_there)
{
	char *text = text_of(r);

	if (!strstr(text, part) == is_there)
		fail_msg("%s: %s\nin:\n%s", is_there ? "missing" : "unwanted", part, text);
	free(text);
}

static void the_text_explains_the_parts_that_are_there(void **state)
{
	struct fan_report r = report_of(busy_and_halting());

	(void)state;
	assert_text(&r,
		    "Time: run on a CPU, wait for one, halted (asleep, the VM had nothing to do),\n"
		    "blocked (asleep), unknown (lost from view); summed over threads\n"
		    "name       run  by vCPUs      wait    halted   blocked   unknown\n"
		    "vm1   330.0 us  320.0 us  10.00 us  70.00 us  160.0 us  230.0 us\n",
		    true);
	assert_text(
		&r,
		"Time of the vCPUs on a CPU (guest: in the VM itself; kernel: in the host's\n"
		"kernel for the VM; polling: the VM had nothing to do, the host's kernel waited\n"
		"for its wake-up; VMM: in the program that runs the VM)\n"
		"name       run     guest    kernel   polling       VMM\n"
		"vm1   320.0 us  220.0 us  34.00 us  26.00 us  40.00 us\n",
		true);
	/* IO 100 to 150; HLT 200 to 320, of which 230 to 310 off the CPU; the last is not over */
	assert_text(&r,
		    "Exits of vm1: from leaving the guest to entering it again; off CPU: of that,\n"
		    "asleep or waiting\n"
		    "reason          count     total   off CPU       p50       p99       max\n"
		    "HLT                 1  120.0 us  80.00 us  120.0 us  120.0 us  120.0 us\n"
		    "IO_INSTRUCTION      1  50.00 us       0 s  50.00 us  50.00 us  50.00 us\n",
		    true);
	fan_report_free(&r);
}

/* v0: 10 to 40 and 50 to 90; its exit at 40 takes 10. */
static struct tb *without_switches(void)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=200 name=vm2");
	tb_kvm_entry(tb, by_us(0, 10, vm), 0);
	tb_kvm_exit(tb, by_us(0, 40, vm), 0, IO);
	tb_kvm_entry(tb, by_us(0, 45, large), 0);
	tb_kvm_entry(tb, by_us(1, 50, vm), 0);
	tb_kvm_exit(tb, by_us(1, 90, vm), 0, IO);
	tb_kvm_exit(tb, by_us(0, 95, large), 0, HLT);
	return tb;
}

static void without_switches_only_guest_time_and_exits_are_told(void **state)
{
	struct fan_report r = report_of(without_switches());
	const struct fan_r_group *g = group(&r, "vm1");
	const struct fan_r_thread *t = g->threads.items;
	const struct fan_r_exit *e = g->exits.items;

	(void)state;
	assert_int_equal(t->guest_ns, 70000);
	assert_int_equal(g->guest_ns, 70000);
	assert_int_equal(group(&r, "vm2")->guest_ns, 50000);
	assert_int_equal(g->vcpus, 1);
	assert_int_equal(e->count, 1);
	assert_int_equal(e->total_ns, 10000);
	assert_int_equal(e->off_cpu_ns, FAN_NONE);
	assert_int_equal(g->run_ns, FAN_NONE);
	assert_int_equal(g->wait_ns, FAN_NONE);
	assert_int_equal(g->unknown_ns, FAN_NONE);
	assert_int_equal(t->run_ns, FAN_NONE);
	assert_int_equal(t->arrivals, FAN_NONE);
	assert_int_equal(g->host_ns, FAN_NONE);
	assert_true(isnan(g->share.value) && isnan(g->expected_pct) && isnan(g->share_bounds.lo));
	assert_null(g->verdict.word);
	assert_true(has(&g->verdict.reasons, "no sched_switch event"));
	assert_int_equal(g->steal.trace_ns, FAN_NONE);
	assert_string_equal(r.quality.verdict, "cannot_tell");
	assert_int_equal(r.quality.gaps, FAN_NONE);
	assert_true(has(&r.quality.notes, "no sched_switch event: who ran is not known"));
	assert_false(has(&r.quality.notes, "gaps"));
	assert_int_equal(r.period.windows, FAN_NONE);
	assert_int_equal(r.series.groups.n, 0);
	assert_int_equal(r.flags.n, 0);
	fan_report_free(&r);
}

static void without_switches_the_text_tells_what_there_is(void **state)
{
	struct fan_report r = report_of(without_switches());

	(void)state;
	assert_text(
		&r,
		"No answer: the trace does not tell who ran and who waited (see Quality below).\n"
		"What it tells of the VMs follows.\n"
		"\n"
		"Time of the vCPUs (guest: in the VM itself)\n"
		"name     guest\n"
		"vm1   70.00 us\n"
		"vm2   50.00 us\n"
		"\n"
		"Exits of vm1: from leaving the guest to entering it again\n"
		"reason          count     total       p50       p99       max\n"
		"IO_INSTRUCTION      1  10.00 us  10.00 us  10.00 us  10.00 us\n",
		true);
	assert_text(&r, "Groups:", false);
	assert_text(&r, "arrivals", false);
	assert_text(&r, "windows", false);
	assert_text(&r, "that no thread could be given", false);
	fan_report_free(&r);
}

/* Writes tb, frees it, and reports on it as the program does: 0, or the error. */
static int analyse(struct tb *tb)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fcap_err err = { 0 };
	struct fan_analysis a;
	struct fan_report r;
	int e;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	fan_analysis_init(&a, "fanalyze report");
	e = fan_analyse(&r, path, &a, &err);
	fan_report_free(&r);
	fan_analysis_free(&a);
	free(path);
	tempdir_remove(dir);
	return e;
}

/* The formats of all events are in each of these files: records decide. */
static void without_switches_a_file_needs_entries_and_exits(void **state)
{
	struct tb *tb = without_switches();

	(void)state;
	assert_int_equal(analyse(tb), 0);
	tb = tb_new(1, 6, TB_PLAIN);
	tb_kvm_entry(tb, by_us(0, 10, vm), 0);
	tb_wakeup(tb, by_us(0, 20, vm), large, 0);
	assert_int_equal(analyse(tb), -EINVAL);
}

/* Load 10, unload 50, out 60. */
static void in_kvm_run_is_not_called_the_guest(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	const struct fan_r_group *g;
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, vm);
	tb_kvm_fpu(tb, by_us(0, 10, vm), 1);
	tb_kvm_fpu(tb, by_us(0, 50, vm), 0);
	tb_switch(tb, at_us(0, 60), vm, TB_R, tb_idle);
	r = report_of(tb);
	g = r.groups.items;
	assert_int_equal(g->guest_ns, FAN_NONE);
	assert_int_equal(g->host_ns, FAN_NONE);
	assert_int_equal(g->poll_ns, FAN_NONE);
	assert_int_equal(g->in_kvm_run_ns, 40000);
	assert_int_equal(g->vmm_ns, 10000);
	assert_int_equal(g->unsplit_run_ns, 10000);
	assert_text(&r,
		    "Time of the vCPUs on a CPU (in KVM_RUN: in the guest or in the host's kernel "
		    "for\nit; VMM: in the program that runs the VM; unsplit: which of guest, "
		    "kernel and\nVMM is not told)\n",
		    true);
	assert_text(&r, "Exits of", false);
	/* what is unsplit on a CPU is no wait and no sleep */
	assert_text(&r, "wait or blocked", false);
	fan_report_free(&r);
}

static void events_that_do_not_pair_are_told(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, vm);
	tb_kvm_entry(tb, by_us(0, 10, vm), 0);
	tb_kvm_entry(tb, by_us(0, 20, vm), 0);
	tb_kvm_exit(tb, by_us(0, 30, vm), 0, IO);
	tb_kvm_exit(tb, by_us(0, 40, vm), 0, IO);
	tb_switch(tb, at_us(0, 60), vm, TB_R, tb_idle);
	r = report_of(tb);
	assert_true(has(&r.quality.notes, "exits without an entry (2)"));
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_time_of_a_vcpu_is_closed),
		cmocka_unit_test(threads_that_are_no_vcpus_have_nothing_to_split),
		cmocka_unit_test(the_text_explains_the_parts_that_are_there),
		cmocka_unit_test(without_switches_only_guest_time_and_exits_are_told),
		cmocka_unit_test(without_switches_the_text_tells_what_there_is),
		cmocka_unit_test(without_switches_a_file_needs_entries_and_exits),
		cmocka_unit_test(in_kvm_run_is_not_called_the_guest),
		cmocka_unit_test(events_that_do_not_pair_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
