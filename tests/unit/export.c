// SPDX-License-Identifier: GPL-3.0-or-later
/* What is exported of traces written by hand, to the byte. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/report/export.h"
#include "tests/unit/assembled.h"
#include "tests/unit/paper.h"

enum { HLT = 12, IO = 30 };

static const struct tb_task v0 = { 101, "CPU 0/KVM", 0 }, odd = { 55, "=x\"\xC3\xA9\xFF,", 0 };

static struct tb_at by_us(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * 1000, cur.tid);
}

static void tell(struct tb *tb)
{
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=3");
	tb_marker(tb, MODELLED_BASE + 50000, "fcap: steal tid=101 run=7 delay=1000 n=1");
	tb_marker(tb, MODELLED_BASE + 100000, "fcap: steal tid=101 run=9 delay=4500 n=2");
	tb_marker(tb, MODELLED_BASE + 120000, "fcap: group tgid=100 name=\"v,\\\"1\"");
}

/*
 * On CPU 0, us: the vCPU is woken at 0 and gets on at 5; in its guest from 20 to 50 (I/O), from 54
 * to 80 (halt) and, after it slept from 85 to 95 and waited from 95 to 99 and, while the odd one
 * ran, from 100 to 110, from 120 to 125 (I/O). It leaves at 130. Its name comes at 120.
 */
static struct tb *one_vcpu(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_wakeup(tb, at_us(0, 0), v0, 0);
	tb_switch(tb, at_us(0, 5), tb_idle, TB_R, v0);
	tb_kvm_entry(tb, by_us(0, 20, v0), 3);
	tb_kvm_exit(tb, by_us(0, 50, v0), 3, IO);
	tb_kvm_entry(tb, by_us(0, 54, v0), 3);
	tb_kvm_exit(tb, by_us(0, 80, v0), 3, HLT);
	tb_switch(tb, at_us(0, 85), v0, TB_S, tb_idle);
	tb_wakeup(tb, at_us(0, 95), v0, 0);
	tb_switch(tb, at_us(0, 99), tb_idle, TB_R, v0);
	tb_switch(tb, at_us(0, 100), v0, TB_R, odd);
	tb_switch(tb, at_us(0, 110), odd, TB_S, v0);
	tb_kvm_entry(tb, by_us(0, 120, v0), 3);
	tb_kvm_exit(tb, by_us(0, 125, v0), 3, IO);
	tb_switch(tb, at_us(0, 130), v0, TB_S, tb_idle);
	tell(tb);
	return tb;
}

/* What to export, how, and of which part of the trace. */
struct wish {
	enum fan_export_what what; /* FAN_EXPORT_WHATS: for Perfetto */
	bool is_json;
	struct fan_model_options period;
};

/* The text, to be freed; the error's sentence where it fails. */
static char *exported(struct tb *tb, struct wish w)
{
	const struct fan_report_options options = { .level = 0.95, .margin = 3 };
	struct fan_file *file = file_of(tb);
	struct fan_source source = { 0 };
	struct fcap_err err = { 0 };
	struct paper p;
	FILE *f = paper(&p);
	int r = fan_source_read(&source, file, &w.period, &options, &err);

	if (r == 0 && w.what == FAN_EXPORT_WHATS)
		r = fan_export_perfetto(&source, f, &err);
	else if (r == 0)
		r = fan_export_series(&source, w.what, w.is_json, f, &err);
	if (r < 0)
		fputs(err.text, f);
	fan_source_close(&source);
	fan_file_close(file);
	return read_paper(&p);
}

static void assert_exported(struct tb *tb, struct wish w, const char *want)
{
	char *got = exported(tb, w);

	assert_string_equal(got, want);
	free(got);
}

/* Nothing is known of the odd one before 100, nor of when the CPU's idling began. */
static void spans_are_told_as_they_end_with_the_name_that_comes_last(void **state)
{
	(void)state;
	assert_exported(one_vcpu(), (struct wish){ .what = FAN_EXPORT_SPANS },
			"begin_ns,end_ns,state,cpu,tid,comm,group,vcpu,begin,end\n"
			"0,5000,idle,0,,,,,unknown,seen\n"
			"0,5000,wait,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"5000,85000,run,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"85000,95000,blocked,,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"85000,99000,idle,0,,,,,seen,seen\n"
			"95000,99000,wait,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"99000,100000,run,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"0,100000,unknown,,55,\"'=x\"\"\\xC3\\xA9\\xFF,\",,,unknown,unknown\n"
			"100000,110000,run,0,55,\"'=x\"\"\\xC3\\xA9\\xFF,\",,,seen,seen\n"
			"100000,110000,wait,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"110000,130000,run,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"110000,130000,blocked,,55,\"'=x\"\"\\xC3\\xA9\\xFF,\",,,seen,unknown\n");
}

static void text_in_json_is_ascii_and_what_is_no_utf8_is_replaced(void **state)
{
	/* from 100 to 109 us: neither is over; what is still open comes thread by thread */
	const struct wish w = { FAN_EXPORT_SPANS, true, { .from_ns = 100000, .to_ns = 109000 } };

	(void)state;
	assert_exported(
		one_vcpu(), w,
		"{\"begin_ns\":100000,\"end_ns\":109000,\"state\":\"wait\",\"cpu\":0,"
		"\"tid\":101,\"comm\":\"CPU 0/KVM\",\"group\":\"v,\\\"1\",\"vcpu\":3,"
		"\"begin\":\"seen\",\"end\":\"unknown\"}\n"
		"{\"begin_ns\":100000,\"end_ns\":109000,\"state\":\"run\",\"cpu\":0,\"tid\":55,"
		"\"comm\":\"=x\\\"\\u00E9\\uFFFD,\",\"group\":null,\"vcpu\":null,"
		"\"begin\":\"seen\",\"end\":\"unknown\"}\n");
}

/*
 * What is analysed begins at 3: of the idle CPU and of the wait, which was seen to begin at 0, the
 * begin is left out. The wait that begins at 95 is told as ever.
 */
static void what_began_before_from_is_cut(void **state)
{
	const struct wish w = { FAN_EXPORT_SPANS, false, { .from_ns = 3000, .to_ns = 96000 } };

	(void)state;
	assert_exported(one_vcpu(), w,
			"begin_ns,end_ns,state,cpu,tid,comm,group,vcpu,begin,end\n"
			"3000,5000,idle,0,,,,,cut,seen\n"
			"3000,5000,wait,0,101,CPU 0/KVM,\"v,\"\"1\",3,cut,seen\n"
			"5000,85000,run,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"85000,95000,blocked,,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"85000,96000,idle,0,,,,,seen,unknown\n"
			"95000,96000,wait,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,unknown\n");
}

/* 0 to 5, 95 to 99, 100 to 110: 19 us, as the thread's own sum has it. */
static void waits_name_the_queue(void **state)
{
	(void)state;
	assert_exported(one_vcpu(), (struct wish){ .what = FAN_EXPORT_WAITS },
			"begin_ns,end_ns,cpu,tid,comm,group,vcpu,begin,end\n"
			"0,5000,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"95000,99000,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n"
			"100000,110000,0,101,CPU 0/KVM,\"v,\"\"1\",3,seen,seen\n");
}

/*
 * The halt took 80 to 120: off the CPU 85 to 99 and 100 to 110, 24 us. No entry follows the exit at
 * 125, which is no row.
 */
static void exits_last_until_the_next_entry(void **state)
{
	(void)state;
	assert_exported(one_vcpu(), (struct wish){ .what = FAN_EXPORT_EXITS },
			"begin_ns,ns,off_cpu_ns,group,vcpu,tid,reason\n"
			"50000,4000,0,\"v,\"\"1\",3,101,IO_INSTRUCTION\n"
			"80000,40000,24000,\"v,\"\"1\",3,101,HLT\n");
}

/* Of a key that comes twice the first; values as the grammar of lines quotes them. */
static void lines_keep_their_keys(void **state)
{
	struct tb *tb = one_vcpu();

	(void)state;
	tb_marker(tb, MODELLED_BASE + 140000, "fcap: odd a=1 b=\"x \\\"y\\xFF\" a=2");
	assert_exported(tb, (struct wish){ .what = FAN_EXPORT_MARKERS },
			"ts_ns,kind,keys\n"
			"0,vcpu,\"tid=101 tgid=100 id=3\"\n"
			"50000,steal,\"tid=101 run=7 delay=1000 n=1\"\n"
			"100000,steal,\"tid=101 run=9 delay=4500 n=2\"\n"
			"120000,group,\"tgid=100 name=\"\"v,\\\"\"1\"\"\"\n"
			"140000,odd,\"a=1 b=\"\"x \\\"\"y\\xFF\"\"\"\n");
}

/* What a spreadsheet takes for a formula may be the first key, too, which anybody may have written.
 */
static void keys_are_no_formula(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1");
	tb_marker(tb, MODELLED_BASE, "fcap: =odd @SUM(A1)=2 -b=3");
	assert_exported(tb, (struct wish){ .what = FAN_EXPORT_MARKERS },
			"ts_ns,kind,keys\n"
			"0,begin,\"v=1\"\n"
			"0,'=odd,\"'@SUM(A1)=2 -b=3\"\n");
}

static void lines_are_objects_of_strings_in_json_and_clipped(void **state)
{
	const struct wish w = { FAN_EXPORT_MARKERS, true, { .from_ns = 110000, .to_ns = 125000 } };

	(void)state;
	assert_exported(one_vcpu(), w,
			"{\"ts_ns\":120000,\"kind\":\"group\",\"keys\":{\"tgid\":\"100\","
			"\"name\":\"v,\\\"1\"}}\n");
}

/* Without events the time begins with the first line: of 0, 50 and 100 us the last is after 60. */
static void lines_of_a_file_without_events_are_clipped_too(void **state)
{
	const struct wish w = { FAN_EXPORT_MARKERS, false, { .from_ns = 60000 } };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1");
	tb_marker(tb, MODELLED_BASE + 50000, "fcap: a n=1");
	tb_marker(tb, MODELLED_BASE + 100000, "fcap: a n=2");
	assert_exported(tb, w, "ts_ns,kind,keys\n100000,a,\"n=2\"\n");
}

/* A slice of the vCPU, or with dur NULL a steal counter: times in us, the counter in ms. */
struct mark {
	const char *name, *ts, *dur;
};

/* These, as they are written, to be freed. */
static char *drawn(const struct mark *marks, size_t n)
{
	struct paper p;
	FILE *f = paper(&p);

	for (size_t i = 0; i < n; i++) {
		const struct mark *k = &marks[i];

		if (k->dur)
			fprintf(f,
				"{\"ph\":\"X\",\"name\":\"%s\",\"pid\":1,\"tid\":101,\"ts\":%s,"
				"\"dur\":%s,\"args\":{\"cpu\":0}}",
				k->name, k->ts, k->dur);
		else
			fprintf(f,
				"{\"ph\":\"C\",\"name\":\"steal\",\"pid\":1,\"ts\":%s,"
				"\"args\":{\"ms\":%s}}",
				k->ts, k->name);
		fputs(i + 1 < n ? ",\n" : "\n]}\n", f);
	}
	return read_paper(&p);
}

/* What comes before the first slice or counter is head, or not looked at if that is NULL. */
static void assert_drawn(const char *got, const char *head, const struct mark *marks, size_t n)
{
	const char *rest = strstr(got, "{\"ph\":\"X\"");
	char *want = drawn(marks, n);

	assert_non_null(rest);
	assert_string_equal(rest, want);
	if (head)
		assert_true(strncmp(got, head, strlen(head)) == 0 && got + strlen(head) == rest);
	free(want);
}

/* The stretches above, one after the other; steal counts from its first sample. */
static void a_lane_has_slices_that_do_not_overlap(void **state)
{
	static const struct mark marks[] = {
		{ "waiting", "0.000", "5.000" },    { "running", "5.000", "15.000" },
		{ "in guest", "20.000", "30.000" }, { "0.000000", "50.000", NULL },
		{ "running", "50.000", "4.000" },   { "in guest", "54.000", "26.000" },
		{ "running", "80.000", "5.000" },   { "waiting", "95.000", "4.000" },
		{ "running", "99.000", "1.000" },   { "0.003500", "100.000", NULL },
		{ "waiting", "100.000", "10.000" }, { "running", "110.000", "10.000" },
		{ "in guest", "120.000", "5.000" }, { "running", "125.000", "5.000" },
	};
	char *got = exported(one_vcpu(), (struct wish){ .what = FAN_EXPORT_WHATS });

	(void)state;
	assert_drawn(got,
		     "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
		     "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":0,\"args\":"
		     "{\"name\":\"v,\\\"1\"}},\n"
		     "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":101,\"args\":"
		     "{\"name\":\"vCPU 3\"}},\n",
		     marks, sizeof(marks) / sizeof(marks[0]));
	free(got);
}

/* The guest is entered at 20 and left at 50; what is analysed begins at 30. */
static void slices_begin_with_what_is_analysed(void **state)
{
	static const struct mark marks[] = {
		{ "in guest", "30.000", "20.000" },
		{ "0.000000", "50.000", NULL },
		{ "running", "50.000", "2.000" },
	};
	const struct wish w = { FAN_EXPORT_WHATS, false, { .from_ns = 30000, .to_ns = 52000 } };
	char *got = exported(one_vcpu(), w);

	(void)state;
	assert_drawn(got, NULL, marks, sizeof(marks) / sizeof(marks[0]));
	free(got);
}

static void what_a_trace_does_not_hold_is_refused(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	char *got;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, v0);
	tb_switch(tb, at_us(0, 9), v0, TB_S, tb_idle);
	got = exported(tb, (struct wish){ .what = FAN_EXPORT_EXITS });
	assert_non_null(strstr(got, "kvm_exit"));
	free(got);
	tb = tb_new(1, 6, TB_PLAIN);
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1");
	got = exported(tb, (struct wish){ .what = FAN_EXPORT_SPANS });
	assert_non_null(strstr(got, "sched_switch"));
	free(got);
}

/*
 * A trace with wake-up requests alone: the first reading finds that waits begin there, at 2, and
 * the second one tells nothing twice.
 */
static void waits_from_requests_are_told_once(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	tb_switch(tb, at_us(0, 0), v0, TB_S, tb_idle);
	tb_waking(tb, at_us(0, 2), v0, 0);
	tb_switch(tb, at_us(0, 6), tb_idle, TB_R, v0);
	tb_switch(tb, at_us(0, 9), v0, TB_S, tb_idle);
	assert_exported(tb, (struct wish){ .what = FAN_EXPORT_WAITS },
			"begin_ns,end_ns,cpu,tid,comm,group,vcpu,begin,end\n"
			"2000,6000,0,101,CPU 0/KVM,CPU 0/KVM,0,inferred,seen\n");
}

/*
 * Without any wake-up nobody knows what the time from 9 to 20 was; that from 24 to 30, after a
 * switch-out while runnable, was a wait. As waits alone they are refused.
 */
static void what_may_be_sleep_is_no_wait(void **state)
{
	struct wish w = { .what = FAN_EXPORT_SPANS, .period = { .from_ns = 9000 } };
	char *got;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct tb *tb = tb_new(1, 6, TB_PLAIN);

		tb_switch(tb, at_us(0, 0), tb_idle, TB_R, v0);
		tb_switch(tb, at_us(0, 9), v0, TB_S, odd);
		tb_switch(tb, at_us(0, 20), odd, TB_S, v0);
		tb_switch(tb, at_us(0, 24), v0, TB_R, odd);
		tb_switch(tb, at_us(0, 30), odd, TB_S, v0);
		got = exported(tb, w);
		if (i == 0) {
			assert_non_null(strstr(got, "\n9000,20000,unsplit,0,101,"));
			assert_non_null(strstr(got, "\n24000,30000,wait,0,101,"));
		} else {
			assert_non_null(strstr(got, "sched_wakeup"));
		}
		free(got);
		w.what = FAN_EXPORT_WAITS;
	}
}

/*
 * The vCPU is woken at 0, and for 600 us two others take turns of 1 us before it gets the CPU: more
 * than a report keeps of the past of a CPU. It is one wait.
 */
static void a_long_wait_is_one_row(void **state)
{
	static const struct tb_task others[] = { { 55, "x", 0 }, { 56, "y", 0 } };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	char *got;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, others[0]);
	tb_wakeup(tb, by_us(0, 0, others[0]), v0, 0);
	for (uint64_t us = 1; us < 600; us++)
		tb_switch(tb, at_us(0, us), others[(us + 1) % 2], TB_S, others[us % 2]);
	tb_switch(tb, at_us(0, 600), others[1], TB_S, v0);
	tb_switch(tb, at_us(0, 601), v0, TB_S, tb_idle);
	got = exported(tb, (struct wish){ .what = FAN_EXPORT_WAITS });
	assert_non_null(strstr(got, "\n0,600000,0,101,CPU 0/KVM,CPU 0/KVM,0,seen,seen\n"));
	assert_null(strstr(got, "cut"));
	free(got);
}

/* A disk that is full is not a bad trace. */
static void a_full_disk_is_said(void **state)
{
	const struct fan_report_options options = { .level = 0.95, .margin = 3 };
	const struct fan_model_options all = { 0 };
	struct fan_file *file = file_of(one_vcpu());
	struct fan_source source = { 0 };
	struct fcap_err err = { 0 };
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	assert_int_equal(fan_source_read(&source, file, &all, &options, &err), 0);
	setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(fan_export_series(&source, FAN_EXPORT_SPANS, false, full, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "cannot be written"));
	clearerr(full);
	assert_int_equal(fan_export_perfetto(&source, full, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "cannot be written"));
	fclose(full);
	fan_source_close(&source);
	fan_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_are_told_as_they_end_with_the_name_that_comes_last),
		cmocka_unit_test(text_in_json_is_ascii_and_what_is_no_utf8_is_replaced),
		cmocka_unit_test(what_began_before_from_is_cut),
		cmocka_unit_test(waits_name_the_queue),
		cmocka_unit_test(exits_last_until_the_next_entry),
		cmocka_unit_test(lines_keep_their_keys),
		cmocka_unit_test(keys_are_no_formula),
		cmocka_unit_test(lines_are_objects_of_strings_in_json_and_clipped),
		cmocka_unit_test(lines_of_a_file_without_events_are_clipped_too),
		cmocka_unit_test(a_lane_has_slices_that_do_not_overlap),
		cmocka_unit_test(slices_begin_with_what_is_analysed),
		cmocka_unit_test(what_a_trace_does_not_hold_is_refused),
		cmocka_unit_test(waits_from_requests_are_told_once),
		cmocka_unit_test(what_may_be_sleep_is_no_wait),
		cmocka_unit_test(a_long_wait_is_one_row),
		cmocka_unit_test(a_full_disk_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
