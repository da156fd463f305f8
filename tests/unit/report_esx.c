// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text_esx.c: the names of esxtop, from trees made by hand and from a trace. */
#include <errno.h>
#include <stdio.h>

#include "analyze/report/text.h"
#include "tests/unit/assembled.h"
#include "tests/unit/paper.h"

#define MS 1000000LL

/* The whole text, to be freed. */
static char *text_of(const struct fan_report *r, enum fan_names names)
{
	struct paper p;

	assert_int_equal(
		fan_report_text_styled(r, (struct fan_style){ .names = names }, paper(&p), NULL),
		0);
	return read_paper(&p);
}

static void assert_esx(const struct fan_report *r, const char *part, bool is_there)
{
	char *text = text_of(r, FAN_NAMES_ESX);

	if (!strstr(text, part) == is_there)
		fail_msg("%s: %s\nin:\n%s", is_there ? "missing" : "unexpected", part, text);
	free(text);
}

static char *own(const char *s)
{
	char *ret = strdup(s);

	assert_non_null(ret);
	return ret;
}

static struct fan_r_thread *add_thread(struct fan_r_group *g, const char *name, int64_t vcpu)
{
	struct fan_r_thread *t = fan_array_add(&g->threads, &fan_thread_table);

	assert_non_null(t);
	t->name = own(name);
	t->vcpu = vcpu;
	return t;
}

/* Of 20 s: run 60 %, in it kernel 3 and polling 2.5; asleep 20, in it halted 15; waiting 20. */
static void fill_vcpu(struct fan_r_thread *t)
{
	t->run_ns = 12000 * MS;
	t->host_ns = 600 * MS;
	t->poll_ns = 500 * MS;
	t->asleep_ns = 4000 * MS;
	t->halted_ns = 3000 * MS;
	t->blocked_ns = 1000 * MS;
	t->wait_ns = 4000 * MS;
}

/*
 * 31 s from 1 s on, of which 10 s were silence: percentages are of 20 s. The VM has two vCPUs, of
 * which one has no number, and one more thread: run 25 s are 125 %, kernel 1 s 5, polling 0.5 s
 * 2.5, asleep 30 s 150 (halted 12 s 60, blocked 18 s 90), waiting 5 s 25, throttled 2 s 10.
 */
static struct fan_r_group *make_vm(struct fan_report *r)
{
	struct fan_r_group *g;

	fan_tree_init(r, &fan_report_table);
	r->source.tells_cgroups = true;
	r->period.start_ns = 1000 * MS;
	r->period.end_ns = 31000 * MS;
	r->host.silence_ns = 10000 * MS;
	g = fan_array_add(&r->groups, &fan_group_table);
	assert_non_null(g);
	g->name = own("vm1");
	g->kind = own("vm");
	g->run_ns = 25000 * MS;
	g->host_ns = 1000 * MS;
	g->poll_ns = 500 * MS;
	g->asleep_ns = 30000 * MS;
	g->halted_ns = 12000 * MS;
	g->blocked_ns = 18000 * MS;
	g->wait_ns = 5000 * MS;
	g->waited_for.throttled_or_contended_ns = 2000 * MS;
	add_thread(g, "worker", FAN_NONE)->run_ns = 1000 * MS;
	fill_vcpu(add_thread(g, "CPU 0/KVM", 0));
	add_thread(g, "CPU 1/KVM", FAN_NONE)->steal.trace_ns = 5;
	return g;
}

static void every_name_is_a_percentage_of_the_period(void **state)
{
	struct fan_report r;

	(void)state;
	make_vm(&r);
	assert_esx(
		&r,
		"\n"
		"Time under the names of esxtop, in % of the period (20.00 s); vCPUs below their\n"
		"VM\n"
		"name         NWLD   %RUN  %SYS  %POLL  %WAIT  %VMWAIT  %IDLE  %RDY  %MLMTD  "
		"%CSTP\n"
		"vm1             3  125.0   5.0    2.5  150.0     90.0   60.0  25.0    10.0      "
		"-\n"
		"  vCPU 0            60.0   3.0    2.5   20.0      5.0   15.0  20.0       -      "
		"-\n"
		"  CPU 1/KVM            -     -      -      -        -      -     -       -      "
		"-\n"
		"  NWLD: threads, all of which",
		true);
	fan_report_free(&r);
}

static void nobody_knows_of_a_limit_where_no_cgroup_is_told(void **state)
{
	struct fan_report r;

	(void)state;
	make_vm(&r);
	r.source.tells_cgroups = false;
	assert_esx(&r, "  60.0  25.0       -      -\n", true);
	fan_report_free(&r);
}

/* With blocked_ns then stands all sleep, halts too: it is %WAIT, but neither part of it. */
static void sleep_is_not_split_where_halts_are_not_told(void **state)
{
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	g = make_vm(&r);
	g->halted_ns = FAN_NONE;
	g->blocked_ns = 30000 * MS;
	assert_esx(&r, "  2.5  150.0        -      -  25.0    10.0      -\n", true);
	fan_report_free(&r);
}

static void no_column_is_there_where_nobody_polled(void **state)
{
	struct fan_report r;

	(void)state;
	make_vm(&r)->poll_ns = 0;
	assert_esx(&r,
		   "vm1             3  125.0   5.0  150.0     90.0   60.0  25.0    10.0      -\n",
		   true);
	assert_esx(&r, "%POLL", false);
	fan_report_free(&r);
}

/* 0.7 s of 20 s are 3.5 %. Of unsplit time 2 s were off a CPU: waiting or asleep. */
static void time_in_no_column_is_told(void **state)
{
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	g = make_vm(&r);
	assert_esx(&r, "lost from view", false);
	assert_esx(&r, "are the least there was", false);
	g->unknown_ns = 700 * MS;
	g->unsplit_ns = 3000 * MS;
	g->unsplit_run_ns = 3000 * MS;
	assert_esx(&r, "  vm1: 3.5 % unknown (lost from view), in no column\n", true);
	assert_esx(&r, "are the least there was", false);
	g->unsplit_ns = 5000 * MS;
	assert_esx(&r, "  vm1: %RDY and %WAIT are the least there was", true);
	fan_report_free(&r);
}

/* 20 are shown, as of threads everywhere. */
static void vcpus_beyond_twenty_are_counted(void **state)
{
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	g = make_vm(&r);
	for (int64_t i = 1; i <= 20; i++)
		add_thread(g, "CPU n/KVM", i);
	assert_esx(&r, "  vCPU 18  ", true);
	assert_esx(&r, "  vCPU 19  ", false);
	assert_esx(&r, "and 2 more vCPUs, all of them in the JSON report", true);
	fan_report_free(&r);
}

static void the_names_of_the_kernel_are_the_default(void **state)
{
	struct fan_report r;
	struct paper p;
	char *named;

	(void)state;
	make_vm(&r);
	named = text_of(&r, FAN_NAMES_KERNEL);
	assert_null(strstr(named, "esxtop"));
	assert_null(strstr(named, "%RDY"));
	assert_int_equal(fan_report_text(&r, paper(&p), NULL), 0);
	assert_paper(&p, named);
	free(named);
	fan_report_free(&r);
}

/*
 * One vCPU, 1 ms: on a CPU 0 to 400 us, in its guest to 300, then out by HLT; asleep 400 to 700, as
 * its guest halted; woken 700, in 850; again in its guest from 900 to 930, in the VMM from 940;
 * asleep from 950 to the end at 1000 without a halt. At 852 a wakeup tells that the halt took 550,
 * since 302. %RUN 400 + 100 = 50.0; of it polling 98 (302 to 400), kernel 2 + 50 (850 to 900) + 10
 * (930 to 940) = 62; %WAIT 300 + 50 = 35.0: %IDLE 30.0, %VMWAIT 5.0; %RDY 150 = 15.0.
 */
static void a_trace_gives_what_is_worked_out_by_hand(void **state)
{
	enum { HLT = 12, IO = 30 };
	const struct tb_task vm = { 101, "CPU 0/KVM", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, vm);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE, 101), 0);
	tb_kvm_exit(tb, tb_by(0, MODELLED_BASE + 300000, 101), 0, HLT);
	tb_switch(tb, at_us(0, 400), vm, TB_S, tb_idle);
	tb_wakeup(tb, at_us(0, 700), vm, 0);
	tb_switch(tb, at_us(0, 850), tb_idle, TB_R, vm);
	tb_kvm_vcpu_wakeup(tb, tb_by(0, MODELLED_BASE + 852000, 101), 550 * 1000, true);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 900000, 101), 0);
	tb_kvm_exit(tb, tb_by(0, MODELLED_BASE + 930000, 101), 0, IO);
	tb_kvm_userspace_exit(tb, tb_by(0, MODELLED_BASE + 940000, 101), 2);
	tb_switch(tb, at_us(0, 950), vm, TB_S, tb_idle);
	tb_wakeup(tb, at_us(0, 1000), vm, 0);
	r = report_of(tb);
	assert_int_equal(group(&r, "vm1")->asleep_ns, 350000);
	assert_esx(
		&r,
		"\n  vCPU 0        50.0   6.2    9.8   35.0      5.0   30.0  15.0       -      -\n",
		true);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_a_percentage_of_the_period),
		cmocka_unit_test(nobody_knows_of_a_limit_where_no_cgroup_is_told),
		cmocka_unit_test(sleep_is_not_split_where_halts_are_not_told),
		cmocka_unit_test(no_column_is_there_where_nobody_polled),
		cmocka_unit_test(time_in_no_column_is_told),
		cmocka_unit_test(vcpus_beyond_twenty_are_counted),
		cmocka_unit_test(the_names_of_the_kernel_are_the_default),
		cmocka_unit_test(a_trace_gives_what_is_worked_out_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
