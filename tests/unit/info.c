// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze info on files of which every record is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/inspect.h"
#include "tests/lib/builder.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/paper.h"

#define SECOND 1000000000ULL

static const struct tb_task vm = { 101, "CPU 0/KVM", 0 }, other = { 201, "work", 0 };

/* Writes the trace and looks through it; frees the builder. */
static struct fan_info info_of(struct tb *tb)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fcap_err err = { 0 };
	struct fan_info info;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	if (fan_inspect(&info, path, &(struct fan_inspect_options){ 0 }, &err) < 0)
		fail_msg("%s", err.text);
	free(path);
	tempdir_remove(dir);
	return info;
}

/* Two CPUs: 3 switches, 1 wakeup, an entry and an exit on CPU 0; 1 switch on CPU 1, 2 s later. */
static struct tb *six_and_one(int version, enum tb_compression c)
{
	struct tb *tb = tb_new(2, version, c);

	tb_switch(tb, tb_at(0, 5 * SECOND), tb_idle, TB_R, vm);
	tb_kvm_entry(tb, tb_by(0, 5 * SECOND + 10, vm.tid), 0);
	tb_wakeup(tb, tb_by(0, 5 * SECOND + 20, vm.tid), other, 0);
	tb_kvm_exit(tb, tb_by(0, 5 * SECOND + 30, vm.tid), 0, 1);
	tb_switch(tb, tb_at(0, 5 * SECOND + 40), vm, TB_R, other);
	tb_switch(tb, tb_at(0, 6 * SECOND), other, TB_S, tb_idle);
	tb_switch(tb, tb_at(1, 7 * SECOND), tb_idle, TB_R, vm);
	return tb;
}

/* All that fcap says in a file of its own. */
static void tell_all(struct tb *tb)
{
	tb_marker(tb, SECOND, "fcap: begin v=1 clock=mono cmd=\"./run it\" label.core_sched=on");
	tb_marker(tb, SECOND, "fcap: cpu id=0 core=0 siblings=0");
	tb_marker(tb, SECOND, "fcap: cpu id=1 core=1 siblings=1");
	tb_marker(tb, SECOND, "fcap: cg path=/ parent=/ weight=1024 scale=shares");
	tb_marker(tb, SECOND, "fcap: task tid=101 tgid=100 cgroup=/");
	tb_marker(tb, SECOND, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, SECOND, "fcap: steal tid=101 run=1 delay=2 n=3");
	tb_marker(tb, SECOND, "fcap: host cpu=0 steal=0 unit=10000000");
	tb_marker(tb, SECOND, "fcap: work vm=vm1 n=5");
}

static const struct fan_i_event *event(const struct fan_info *info, const char *name)
{
	const struct fan_i_event *e = info->events.items;

	for (size_t i = 0; i < info->events.n; i++)
		if (strcmp(e[i].name, name) == 0)
			return &e[i];
	return NULL;
}

static int64_t lines(const struct fan_info *info, const char *kind)
{
	const struct fan_i_marker *m = info->markers.items;

	for (size_t i = 0; i < info->markers.n; i++)
		if (strcmp(m[i].kind, kind) == 0)
			return m[i].lines;
	return 0;
}

static const struct fan_i_limit *limit(const struct fan_info *info, const char *reason)
{
	const struct fan_i_limit *l = info->limits.items;

	for (size_t i = 0; i < info->limits.n; i++)
		if (strstr(l[i].reason, reason))
			return &l[i];
	return NULL;
}

static const struct fan_i_cpu *cpu(const struct fan_info *info, size_t buffer, size_t index)
{
	const struct fan_i_buffer *b = info->buffers.items;

	assert_true(buffer < info->buffers.n && index < b[buffer].cpus.n);
	return (const struct fan_i_cpu *)b[buffer].cpus.items + index;
}

static bool has_string(const struct fan_strs *strs, const char *s)
{
	for (size_t i = 0; i < strs->n; i++)
		if (strcmp(strs->items[i], s) == 0)
			return true;
	return false;
}

static char *text_of(const struct fan_info *info)
{
	struct paper p;

	assert_int_equal(fan_info_text(info, paper(&p), NULL), 0);
	return read_paper(&p);
}

static void check_counts(struct fan_info info)
{
	const struct fan_i_event *first = info.events.items;

	assert_int_equal(info.events.n, 4);
	assert_string_equal(first->name, "sched:sched_switch");
	assert_int_equal(first->records, 4);
	assert_int_equal(event(&info, "sched:sched_wakeup")->records, 1);
	assert_int_equal(event(&info, "kvm:kvm_entry")->records, 1);
	assert_int_equal(event(&info, "kvm:kvm_exit")->in_main, 1);
	assert_true(has_string(&info.silent, "sched:sched_migrate_task"));
	assert_false(has_string(&info.silent, "sched:sched_switch"));
	assert_int_equal(cpu(&info, 0, 0)->records, 6);
	assert_int_equal(cpu(&info, 0, 1)->records, 1);
	assert_int_equal(cpu(&info, 0, 0)->last_ns, 6 * SECOND);
	assert_int_equal(cpu(&info, 0, 1)->first_ns, 7 * SECOND);
	assert_int_equal(info.range.first_ns, 5 * SECOND);
	assert_int_equal(info.range.length_ns, 2 * SECOND);
	fan_info_free(&info);
}

static void every_record_is_counted_by_its_event_and_cpu(void **state)
{
	(void)state;
	check_counts(info_of(six_and_one(6, TB_PLAIN)));
	check_counts(info_of(six_and_one(7, TB_PLAIN)));
	check_counts(info_of(six_and_one(7, TB_ZSTD)));
}

static void the_frame_is_told(void **state)
{
	struct tb *tb = six_and_one(7, TB_ZSTD);
	struct fan_info info;

	(void)state;
	tb_set_clock(tb, "mono");
	tb_set_kernel(tb, "Linux host 6.1.2-x x86_64");
	tb_option(tb, 99, "what", 5);
	info = info_of(tb);
	assert_int_equal(info.version, 7);
	assert_string_equal(info.compression, "zstd");
	assert_string_equal(info.byte_order, "little");
	assert_int_equal(info.word_bytes, 8);
	assert_int_equal(info.page_bytes, 4096);
	assert_string_equal(info.kernel, "6.1.2-x");
	assert_string_equal(info.clock, "mono");
	assert_string_equal(info.recorder, "3.3 builder");
	assert_true(has_string(&info.options, "UNAME"));
	assert_true(has_string(&info.options, "option 99"));
	assert_int_equal(info.cpus_with_data, 2);
	fan_info_free(&info);
}

static void a_cpu_that_begins_two_seconds_late_is_told(void **state)
{
	struct fan_info info = info_of(six_and_one(6, TB_PLAIN));
	char *text = text_of(&info);

	(void)state;
	assert_non_null(strstr(text, "CPU 1 begins 2.000 s later"));
	assert_null(strstr(text, "CPU 0 begins"));
	assert_non_null(strstr(text, "Range: 2.000 s, from 5.000000000 s to 7.000000000 s"));
	free(text);
	fan_info_free(&info);
}

static void a_file_in_which_fcap_says_all_lacks_nothing(void **state)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;
	char *text;

	(void)state;
	tb_set_clock(tb, "mono");
	tell_all(tb);
	tb_marker(tb, 8 * SECOND, "fcap: end events=7 bytes=1");
	info = info_of(tb);
	text = text_of(&info);
	assert_int_equal(info.limits.n, 0);
	assert_non_null(strstr(text, "nothing is missing"));
	assert_string_equal(info.command, "./run it");
	assert_int_equal(info.labels.n, 1);
	assert_string_equal(((struct fan_pair *)info.labels.items)->key, "core_sched");
	assert_int_equal(lines(&info, "cpu"), 2);
	assert_int_equal(lines(&info, "begin"), 1);
	assert_int_equal(event(&info, "ftrace:print")->records, 10);
	assert_int_equal(event(&info, "ftrace:print")->in_main, 0);
	/* the period is that of the events, not of the lines around them */
	assert_int_equal(info.range.first_ns, 5 * SECOND);
	free(text);
	fan_info_free(&info);
}

static void a_recording_without_its_end_line_was_cut_short(void **state)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;

	(void)state;
	tb_set_clock(tb, "mono");
	tell_all(tb);
	info = info_of(tb);
	assert_int_equal(info.limits.n, 1);
	assert_non_null(limit(&info, "no end line"));
	fan_info_free(&info);
}

static void each_kind_of_line_that_lacks_is_named(void **state)
{
	static const char *const kinds[] = { "no steal lines", "no cpu lines",	"no cg lines",
					     "no task lines",  "no host lines", "no work lines" };
	struct fan_info info = info_of(six_and_one(6, TB_PLAIN));

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct fan_i_limit *l = limit(&info, kinds[i]);

		assert_non_null(l);
		assert_non_null(strstr(l->remedy, "fcap record"));
	}
	assert_null(limit(&info, "no end line"));
	assert_null(limit(&info, "sched_switch"));
	assert_null(limit(&info, "kvm_entry"));
	fan_info_free(&info);
}

static void a_file_without_sched_and_kvm_events_is_told_what_to_record(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_info info;

	(void)state;
	tb_without_event(tb, "sched_switch");
	tb_wakeup(tb, tb_at(0, SECOND), other, 0);
	info = info_of(tb);
	assert_string_equal(limit(&info, "no sched_switch events")->question,
			    "shares, waits, steal");
	assert_non_null(strstr(limit(&info, "no sched_switch events")->remedy,
			       "trace-cmd record -e sched"));
	assert_null(limit(&info, "no sched_wakeup events"));
	/* formats alone do not prove that their events were enabled */
	assert_true(has_string(&info.silent, "kvm:kvm_entry"));
	assert_non_null(limit(&info, "no kvm events")->remedy);
	assert_non_null(limit(&info, "no pairs of kvm_entry")->remedy);
	fan_info_free(&info);
}

static void a_record_whose_format_is_not_there_is_counted_by_number(void **state)
{
	const unsigned char record[12] = { 0x39, 0x30 }; /* 12345 */
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;

	(void)state;
	tb_raw(tb, 1, 8 * SECOND, record, sizeof(record));
	info = info_of(tb);
	assert_int_equal(event(&info, "unknown type 12345")->records, 1);
	fan_info_free(&info);
}

static void kvm_events_that_fcap_recorded_and_that_never_fired_have_no_remedy(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_info info;

	(void)state;
	tb_switch(tb, tb_at(0, SECOND), tb_idle, TB_R, vm);
	tb_marker(tb, SECOND, "fcap: begin v=1");
	info = info_of(tb);
	assert_non_null(limit(&info, "never happened"));
	assert_null(limit(&info, "never happened")->remedy);
	assert_non_null(limit(&info, "none happened: no VM ran"));
	assert_null(limit(&info, "none happened: no VM ran")->remedy);
	fan_info_free(&info);
}

static void a_file_of_markers_alone_is_taken(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_info info;

	(void)state;
	tell_all(tb);
	tb_marker(tb, 4 * SECOND, "fcap: end events=0 bytes=1");
	info = info_of(tb);
	assert_int_equal(info.events.n, 1);
	assert_int_equal(event(&info, "ftrace:print")->records, 10);
	assert_int_equal(info.range.first_ns, SECOND);
	assert_int_equal(info.range.length_ns, 3 * SECOND);
	assert_int_equal(info.cpus_with_data, 0);
	assert_null(limit(&info, "no sched_switch events"));
	assert_non_null(limit(&info, "no events, only counters"));
	assert_string_equal(limit(&info, "no events, only counters")->remedy,
			    "fcap record --events all");
	assert_null(limit(&info, "no steal lines"));
	fan_info_free(&info);
}

static void a_file_without_records_is_taken(void **state)
{
	struct fan_info info = info_of(tb_new(1, 6, TB_PLAIN));
	char *text = text_of(&info);

	(void)state;
	assert_int_equal(info.events.n, 0);
	assert_int_equal(info.range.first_ns, FAN_NONE);
	assert_non_null(strstr(text, "holds no records"));
	free(text);
	fan_info_free(&info);
}

static void marked_losses_are_summed_by_cpu(void **state)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;
	char *text;

	(void)state;
	tb_missed(tb, 0, 3);
	tb_switch(tb, tb_at(0, 8 * SECOND), tb_idle, TB_R, vm);
	tb_missed(tb, 0, 4);
	tb_switch(tb, tb_at(0, 9 * SECOND), vm, TB_R, tb_idle);
	tb_missed(tb, 1, -1);
	tb_switch(tb, tb_at(1, 9 * SECOND), vm, TB_R, tb_idle);
	info = info_of(tb);
	text = text_of(&info);
	assert_int_equal(cpu(&info, 0, 0)->loss_marks, 2);
	assert_int_equal(cpu(&info, 0, 0)->lost, 7);
	assert_int_equal(cpu(&info, 0, 1)->loss_marks, 1);
	assert_int_equal(cpu(&info, 0, 1)->lost, FAN_NONE);
	assert_non_null(limit(&info, "events were lost, at 3 marked places"));
	assert_non_null(strstr(text, "CPU 0: at 2 places, 7 events"));
	assert_non_null(strstr(text, "CPU 1: at 1 places, an unknown number of events"));
	free(text);
	fan_info_free(&info);
}

static void the_crossing_that_made_the_file_is_told(void **state)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;
	char *text;

	(void)state;
	tb_marker(tb, 8 * SECOND, "fcap: trigger vm=vm1 metric=steal value=34.2 limit=20");
	info = info_of(tb);
	text = text_of(&info);
	assert_int_equal(info.triggers.n, 1);
	assert_non_null(strstr(text, "saved because steal of vm1 was 34.2 %, above the limit of "
				     "20 %"));
	free(text);
	fan_info_free(&info);
}

static void losses_that_the_recorder_counted_are_told(void **state)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;
	char *text;

	(void)state;
	tb_cpustat(tb, 0, 0, 0);
	tb_cpustat(tb, 1, 17, 2);
	tb_marker(tb, 8 * SECOND, "fcap: lost cpu=1 overrun=17 dropped=2");
	info = info_of(tb);
	text = text_of(&info);
	assert_int_equal(info.losses.n, 2);
	assert_string_equal(info.losses.items[0],
			    "the kernel's statistics of CPU 1: 17 overwritten, 0 refused while "
			    "nested, 2 dropped");
	assert_string_equal(info.losses.items[1], "fcap on CPU 1: 17 overwritten, 2 dropped");
	assert_non_null(limit(&info, "at 0 marked places"));
	free(text);
	fan_info_free(&info);
}

static void malformed_lines_are_counted_and_other_text_is_not(void **state)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;

	(void)state;
	tb_print(tb, tb_at(0, 8 * SECOND), "hello");
	tb_print(tb, tb_at(0, 8 * SECOND + 1), "fcap: work vm=\"x");
	tb_print(tb, tb_at(0, 8 * SECOND + 2), "fcap: work vm=x n=1");
	tb_print(tb, tb_at(0, 8 * SECOND + 3), "fcap: novel a=b");
	info = info_of(tb);
	assert_int_equal(info.malformed_markers, 1);
	assert_int_equal(lines(&info, "work"), 1);
	assert_int_equal(lines(&info, "novel"), 1);
	assert_int_equal(info.markers.n, 2);
	assert_int_equal(event(&info, "ftrace:print")->in_main, 4);
	fan_info_free(&info);
}

static void check_clock(const char *clock, const char *reason)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;

	tb_set_clock(tb, clock);
	info = info_of(tb);
	if (!limit(&info, reason))
		fail_msg("clock %s: no \"%s\"", clock ? clock : "-", reason);
	assert_null(strchr(limit(&info, reason)->reason, ';'));
	assert_non_null(strstr(limit(&info, reason)->remedy, "record -C mono"));
	fan_info_free(&info);
}

static void clocks_that_are_no_common_time_are_told(void **state)
{
	(void)state;
	check_clock(NULL, "does not name its clock");
	check_clock("local", "runs apart on each CPU");
	check_clock("counter", "no measure of time");
	check_clock("x86-tsc", "no factor");
}

static void no_name_drives_the_terminal(void **state)
{
	struct tb *tb = six_and_one(6, TB_PLAIN);
	struct fan_info info;
	char *text;

	(void)state;
	tb_marker(tb, SECOND, "fcap: begin v=1 cmd=\"\\x1B[31m\" label.x=\"\\x07\"");
	info = info_of(tb);
	text = text_of(&info);
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
	free(text);
	fan_info_free(&info);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_is_counted_by_its_event_and_cpu),
		cmocka_unit_test(the_frame_is_told),
		cmocka_unit_test(a_cpu_that_begins_two_seconds_late_is_told),
		cmocka_unit_test(a_file_in_which_fcap_says_all_lacks_nothing),
		cmocka_unit_test(a_recording_without_its_end_line_was_cut_short),
		cmocka_unit_test(each_kind_of_line_that_lacks_is_named),
		cmocka_unit_test(a_file_without_sched_and_kvm_events_is_told_what_to_record),
		cmocka_unit_test(a_record_whose_format_is_not_there_is_counted_by_number),
		cmocka_unit_test(kvm_events_that_fcap_recorded_and_that_never_fired_have_no_remedy),
		cmocka_unit_test(a_file_of_markers_alone_is_taken),
		cmocka_unit_test(a_file_without_records_is_taken),
		cmocka_unit_test(marked_losses_are_summed_by_cpu),
		cmocka_unit_test(the_crossing_that_made_the_file_is_told),
		cmocka_unit_test(losses_that_the_recorder_counted_are_told),
		cmocka_unit_test(malformed_lines_are_counted_and_other_text_is_not),
		cmocka_unit_test(clocks_that_are_no_common_time_are_told),
		cmocka_unit_test(no_name_drives_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
