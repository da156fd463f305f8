// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Files that are cut off or damaged in their data: what comes before is read, and it is told from
 * when on data are missing, and of which CPUs.
 */
#include "tests/unit/modelled.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/inspect.h"
#include "analyze/trace/merge.h"
#include "tests/lib/kinds.h"
#include "tests/unit/text_of.h"

#define PAGE 4096

/* One file, its records as they come: "30@0" is of CPU 0 at 30 ns, "30@0.1" of buffer 1. */
struct scene {
	char *dir, *path;
	char told[4096];
	struct fan_cut cut;
	struct fcap_err err;
	unsigned int threads; /* that a report is made with; 0: as it decides */
};

static int set_up(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	s->dir = tempdir_new();
	s->path = tempdir_file(s->dir, "trace.dat");
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *s = *state;

	free(s->path);
	tempdir_remove(s->dir);
	free(s);
	return 0;
}

static int tell(struct scene *s, const struct fan_file *file)
{
	const struct fan_record *rec;
	struct fan_merge *m = NULL;
	size_t at = 0;
	int r = fan_merge_open(&m, file, &s->err);

	s->told[0] = '\0';
	while (r == 0 && (r = fan_merge_next(m, &rec, &s->err)) > 0) {
		at += (size_t)snprintf(s->told + at, sizeof(s->told) - at, "%" PRIu64 "@%d%s ",
				       rec->ts_ns, rec->cpu, rec->buffer ? ".1" : "");
		r = 0;
	}
	if (r == 0)
		s->cut = *fan_merge_cut(m);
	fan_merge_close(m);
	return r;
}

/* 0 or the first negative errno. */
static int read_cut(struct scene *s)
{
	struct fan_file *file = NULL;
	int r = fan_file_open_cut(&file, s->path, &s->err);

	if (r == 0)
		r = tell(s, file);
	fan_file_close(file);
	return r;
}

static void assert_cut(const struct scene *s, int cpu, uint64_t ts_ns, const char *why)
{
	assert_true(s->cut.is_cut);
	assert_int_equal(s->cut.cpu, cpu);
	assert_int_equal(s->cut.ts_ns, ts_ns);
	assert_int_equal(s->cut.why.code, EINVAL);
	if (!strstr(s->cut.why.text, why))
		fail_msg("\"%s\" does not say \"%s\"", s->cut.why.text, why);
}

/* The same file is refused where it has to be whole, and the way out is named. */
static void assert_refused(struct scene *s)
{
	struct fan_file *file = NULL;
	int r = fan_file_open(&file, s->path, &s->err);

	if (r == 0)
		r = tell(s, file);
	fan_file_close(file);
	assert_int_equal(r, -EINVAL);
	if (!strstr(s->err.text, "--truncated"))
		fail_msg("\"%s\"", s->err.text);
}

/* 10 .. 60 of CPU 0 in two pages of three, 15 .. 65 of CPU 1, lines at 5, 35 and 70. */
static void write_two_cpus(struct scene *s, const struct tb_kind *kind)
{
	struct tb *tb = tb_new_kind(kind, 2);

	tb_set_events_per_page(tb, 3);
	tb_set_pages_per_chunk(tb, 1);
	for (uint64_t ts = 10; ts <= 60; ts += 10) {
		tb_kvm_fpu(tb, tb_by(0, ts, 1), 1);
		tb_kvm_fpu(tb, tb_by(1, ts + 5, 1), 1);
	}
	tb_marker(tb, 5, "fcap: begin v=1");
	tb_marker(tb, 35, "fcap: steal tid=1 run=1 delay=1 n=1");
	tb_marker(tb, 70, "fcap: end");
	assert_int_equal(tb_write(tb, s->path), 0);
	tb_free(tb);
}

/* Where the data of a CPU of a buffer lie. */
static struct fan_cpu_data place_of(const struct scene *s, size_t buffer, size_t cpu)
{
	struct fan_cpu_data place;
	struct fan_file *file;
	struct fcap_err err = { 0 };

	if (fan_file_open(&file, s->path, &err) < 0)
		fail_msg("%s", err.text);
	place = file->buffers[buffer].cpus[cpu];
	fan_file_close(file);
	return place;
}

static void overwrite(const struct scene *s, uint64_t at, const void *data, size_t size)
{
	FILE *f = fopen(s->path, "r+b");

	assert_non_null(f);
	assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static void a_whole_file_is_read_as_a_whole(void **state)
{
	struct scene *s = *state;

	for (size_t k = 0; k < TB_KINDS; k++) {
		write_two_cpus(s, &tb_kinds[k]);
		assert_int_equal(read_cut(s), 0);
		assert_string_equal(s->told,
				    "5@0.1 10@0 15@1 20@0 25@1 30@0 35@0.1 35@1 40@0 45@1 50@0 "
				    "55@1 60@0 65@1 70@0.1 ");
		assert_false(s->cut.is_cut || s->cut.has_lost_lines);
		assert_int_equal(fcap_cpuset_count(&s->cut.missing), 0);
		assert_int_equal(s->cut.why.code, 0);
	}
}

/* CPU 0 ends at 30: 35 of CPU 1 is left out, later lines of the recorder are not. */
static void a_damaged_page_ends_all_cpus_but_not_the_lines(void **state)
{
	const uint64_t commit = 5000; /* a page has 4080 bytes for events */
	struct scene *s = *state;

	for (size_t k = 0; k < 2; k++) {
		write_two_cpus(s, &tb_kinds[k]);
		overwrite(s, place_of(s, 0, 0).offset + PAGE + 8, &commit, sizeof(commit));
		assert_refused(s);
		assert_int_equal(read_cut(s), 0);
		assert_string_equal(s->told, "5@0.1 10@0 15@1 20@0 25@1 30@0 35@0.1 70@0.1 ");
		assert_cut(s, 0, 30, "more than a page");
	}
}

/* The second chunk of CPU 1, of 40 and more: its first bytes behind the two sizes. */
static void a_damaged_chunk_ends_its_cpu(void **state)
{
	const uint32_t noise = 0x5a5a5a5a;
	struct scene *s = *state;

	for (size_t k = 2; k < TB_KINDS; k++) {
		struct fan_cpu_data at;
		uint32_t zsize = 0;
		FILE *f;

		write_two_cpus(s, &tb_kinds[k]);
		at = place_of(s, 0, 1);
		f = fopen(s->path, "rb");
		assert_non_null(f);
		assert_int_equal(fseek(f, (long)at.offset + 4, SEEK_SET), 0);
		assert_int_equal(fread(&zsize, sizeof(zsize), 1, f), 1);
		fclose(f);
		overwrite(s, at.offset + 4 + 8 + zsize + 8, &noise, sizeof(noise));
		assert_refused(s);
		assert_int_equal(read_cut(s), 0);
		/* CPU 1 ends at 35, so that 40 of CPU 0 is left out */
		assert_string_equal(s->told, "5@0.1 10@0 15@1 20@0 25@1 30@0 35@0.1 35@1 70@0.1 ");
		assert_cut(s, 1, 35, "cannot be decompressed");
	}
}

/* The second page of CPU 1 is cut in its middle; the lines, behind it, are gone. */
static void a_file_that_ends_in_a_page_ends_before_that_page(void **state)
{
	struct scene *s = *state;

	write_two_cpus(s, &tb_kinds[0]);
	assert_int_equal(truncate(s->path, (off_t)place_of(s, 0, 1).offset + PAGE + 2000), 0);
	assert_refused(s);
	assert_int_equal(read_cut(s), 0);
	assert_string_equal(s->told, "10@0 15@1 20@0 25@1 30@0 35@1 ");
	assert_cut(s, 1, 35, "the file ends");
	assert_true(s->cut.has_lost_lines);
	assert_int_equal(fcap_cpuset_count(&s->cut.missing), 0);
}

/* Nothing of CPU 1 is left: CPU 0 goes on to its end. */
static void a_cpu_without_any_page_is_missing(void **state)
{
	struct scene *s = *state;

	/* first in its own first page, then before it, where its data would begin */
	for (int back = 0; back < 2; back++) {
		write_two_cpus(s, &tb_kinds[0]);
		assert_int_equal(truncate(s->path, back ? (off_t)place_of(s, 0, 0).offset + 2 * PAGE
							: (off_t)place_of(s, 0, 1).offset + 100),
				 0);
		assert_refused(s);
		assert_int_equal(read_cut(s), 0);
		assert_string_equal(s->told, "10@0 20@0 30@0 40@0 50@0 60@0 ");
		assert_false(s->cut.is_cut);
		assert_true(fcap_cpuset_has(&s->cut.missing, 1));
		assert_int_equal(fcap_cpuset_count(&s->cut.missing), 1);
	}
}

static void a_first_page_that_is_damaged_leaves_nothing_of_its_cpu(void **state)
{
	const uint64_t commit = 5000;
	struct scene *s = *state;

	write_two_cpus(s, &tb_kinds[1]);
	overwrite(s, place_of(s, 0, 0).offset + 8, &commit, sizeof(commit));
	assert_int_equal(read_cut(s), 0);
	assert_string_equal(s->told, "5@0.1 15@1 25@1 35@0.1 35@1 45@1 55@1 65@1 70@0.1 ");
	assert_false(s->cut.is_cut);
	assert_true(fcap_cpuset_has(&s->cut.missing, 0));
	assert_int_equal(s->cut.why.code, EINVAL);
}

static void damage_among_the_lines_leaves_the_events(void **state)
{
	const uint64_t commit = 5000;
	struct scene *s = *state;

	write_two_cpus(s, &tb_kinds[0]);
	overwrite(s, place_of(s, 1, 0).offset + 8, &commit, sizeof(commit));
	assert_int_equal(read_cut(s), 0);
	assert_string_equal(s->told,
			    "10@0 15@1 20@0 25@1 30@0 35@1 40@0 45@1 50@0 55@1 60@0 65@1 ");
	assert_true(s->cut.has_lost_lines);
	assert_false(s->cut.is_cut);
}

/* Which data are whose is told behind them. */
static void a_version_7_file_without_its_end_is_refused_all_the_same(void **state)
{
	struct scene *s = *state;

	for (size_t k = 1; k < TB_KINDS; k++) {
		write_two_cpus(s, &tb_kinds[k]);
		assert_int_equal(truncate(s->path, (off_t)place_of(s, 0, 1).offset + 20), 0);
		assert_int_equal(read_cut(s), -EINVAL);
		assert_non_null(strstr(s->err.text, "at the end of a file of version 7"));
	}
}

static void what_is_damaged_before_the_data_is_refused_all_the_same(void **state)
{
	struct scene *s = *state;

	write_two_cpus(s, &tb_kinds[0]);
	assert_int_equal(truncate(s->path, 500), 0);
	assert_int_equal(read_cut(s), -EINVAL);
	assert_non_null(strstr(s->err.text, "cut off in its"));
}

/* --- reports --- */

static const struct tb_task a1 = { 101, "CPU 0/KVM", 0 }, b1 = { 201, "CPU 0/KVM", 0 };

/* CPUs 0 and 1 each switch between two VMs every ms, from 0 to 100 ms; ten switches a page. */
static void write_two_vms(struct scene *s)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_set_events_per_page(tb, 10);
	for (int cpu = 0; cpu < 2; cpu++) {
		const struct tb_task a = { a1.tid + cpu, a1.comm, 0 };
		const struct tb_task b = { b1.tid + cpu, b1.comm, 0 };

		for (uint64_t ms = 0; ms < 100; ms++) {
			const struct tb_task prev = ms == 0 ? tb_idle : ms % 2 ? a : b;
			const struct tb_task next = ms % 2 ? b : a;

			tb_switch(tb, at_ms(cpu, ms), prev, TB_R, next);
		}
	}
	assert_int_equal(tb_write(tb, s->path), 0);
	tb_free(tb);
}

static int analyse(struct scene *s, struct fan_report *report, uint64_t to_ns)
{
	struct fan_analysis a;
	int r;

	fan_analysis_init(&a, "fanalyze report --truncated");
	a.is_truncated = true;
	a.model.to_ns = to_ns;
	a.model.threads = s->threads;
	r = fan_analyse(report, s->path, &a, &s->err);
	fan_analysis_free(&a);
	return r;
}

/*
 * CPU 1's data lie behind those of CPU 0. Two of its pages, with the switches of 0 .. 19 ms, are
 * left: the period is 19 ms, in which each CPU ran something all the time.
 */
static void a_report_ends_where_the_first_cpu_ends(void **state)
{
	struct scene *s = *state;
	struct fan_report r;
	char *text;

	write_two_vms(s);
	assert_int_equal(truncate(s->path, (off_t)place_of(s, 0, 1).offset + 2 * PAGE + 99), 0);
	if (analyse(s, &r, 0) < 0)
		fail_msg("%s", s->err.text);
	assert_int_equal(r.period.end_ns, 19000000);
	assert_int_equal(r.quality.cut_ns, 19000000);
	assert_int_equal(r.quality.cut_cpu, 1);
	assert_int_equal(r.quality.missing_cpus.n, 0);
	assert_int_equal(r.quality.cut.n, 1);
	assert_non_null(strstr(r.quality.cut.items[0], "behind 0.019000 s from its start"));
	assert_string_equal(r.quality.notes.items[0], r.quality.cut.items[0]);
	assert_string_equal(r.quality.verdict, "degraded");
	text = text_of(&r);
	/* above all numbers */
	assert_int_equal(strncmp(text, "The file is not whole: what is behind 0.019000 s", 48), 0);
	free(text);
	fan_report_free(&r);
}

/* The cut lies behind what is analysed: as if the file were whole. */
static void a_cut_behind_the_analysed_part_makes_no_difference(void **state)
{
	struct scene *s = *state;
	struct fan_report r;

	write_two_vms(s);
	assert_int_equal(truncate(s->path, (off_t)place_of(s, 0, 1).offset + 2 * PAGE), 0);
	if (analyse(s, &r, 15000000) < 0)
		fail_msg("%s", s->err.text);
	assert_int_equal(r.period.end_ns, 15000000);
	assert_int_equal(r.quality.cut_ns, FAN_NONE);
	assert_int_equal(r.quality.cut.n, 0);
	assert_string_equal(r.quality.verdict, "ok");
	fan_report_free(&r);
}

/* Of CPU 1 nothing: half of all CPU time from 0 to 99 ms. */
static void the_time_of_a_missing_cpu_is_unknown(void **state)
{
	struct scene *s = *state;
	struct fan_report r;

	write_two_vms(s);
	assert_int_equal(truncate(s->path, (off_t)place_of(s, 0, 1).offset), 0);
	if (analyse(s, &r, 0) < 0)
		fail_msg("%s", s->err.text);
	assert_int_equal(r.period.end_ns, 99000000);
	assert_int_equal(r.quality.cut_ns, FAN_NONE);
	assert_int_equal(r.quality.missing_cpus.n, 1);
	assert_int_equal(r.quality.missing_cpus.items[0], 1);
	assert_int_equal(r.quality.unknown_ns, 99000000);
	assert_near(r.quality.unknown_pct, 50, 1e-9);
	assert_string_equal(r.quality.verdict, "cannot_tell");
	fan_report_free(&r);
}

static void a_file_of_which_nothing_is_left_is_refused(void **state)
{
	struct scene *s = *state;
	struct fan_report r;

	write_two_vms(s);
	assert_int_equal(truncate(s->path, (off_t)place_of(s, 0, 0).offset + 9), 0);
	assert_int_equal(analyse(s, &r, 0), -EINVAL);
	assert_non_null(strstr(s->err.text, "nothing is left"));
	fan_report_free(&r);
}

/* A record that is shorter than its format, the switch at 40 ms of CPU 0: it has 64 bytes. */
static void a_record_that_makes_no_sense_ends_its_cpu(void **state)
{
	struct scene *s = *state;
	struct fan_report r;
	/* page 4, its first record: of type 10, 40 bytes, with the time of the page */
	const uint32_t head = 10;

	write_two_vms(s);
	overwrite(s, place_of(s, 0, 0).offset + 4 * PAGE + 16, &head, sizeof(head));
	for (s->threads = 1; s->threads <= 2; s->threads++) {
		if (analyse(s, &r, 0) < 0)
			fail_msg("%s", s->err.text);
		assert_int_equal(r.quality.cut_ns, 40000000);
		assert_int_equal(r.quality.cut_cpu, 0);
		assert_int_equal(r.period.end_ns, 40000000);
		fan_report_free(&r);
	}
}

static void info_tells_what_is_left(void **state)
{
	struct scene *s = *state;
	struct fan_inspect_options options = { 0 };
	struct fan_info info;
	const struct fan_i_buffer *buffer;

	write_two_cpus(s, &tb_kinds[0]);
	assert_int_equal(truncate(s->path, (off_t)place_of(s, 0, 1).offset + PAGE), 0);
	assert_int_equal(fan_inspect(&info, s->path, &options, &s->err), -EINVAL);
	fan_info_free(&info);
	options.is_truncated = true;
	if (fan_inspect(&info, s->path, &options, &s->err) < 0)
		fail_msg("%s", s->err.text);
	buffer = info.buffers.items;
	/* 10, 20, 30 of CPU 0 and 15, 25, 35 of CPU 1 */
	assert_int_equal(buffer->records, 6);
	assert_int_equal(info.cut_ns, 35);
	assert_int_equal(info.cut_cpu, 1);
	assert_int_equal(info.cut.n, 2);
	fan_info_free(&info);
}

#define IN_SCENE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCENE(a_whole_file_is_read_as_a_whole),
		IN_SCENE(a_damaged_page_ends_all_cpus_but_not_the_lines),
		IN_SCENE(a_damaged_chunk_ends_its_cpu),
		IN_SCENE(a_file_that_ends_in_a_page_ends_before_that_page),
		IN_SCENE(a_cpu_without_any_page_is_missing),
		IN_SCENE(a_first_page_that_is_damaged_leaves_nothing_of_its_cpu),
		IN_SCENE(damage_among_the_lines_leaves_the_events),
		IN_SCENE(a_version_7_file_without_its_end_is_refused_all_the_same),
		IN_SCENE(what_is_damaged_before_the_data_is_refused_all_the_same),
		IN_SCENE(a_report_ends_where_the_first_cpu_ends),
		IN_SCENE(a_cut_behind_the_analysed_part_makes_no_difference),
		IN_SCENE(the_time_of_a_missing_cpu_is_unknown),
		IN_SCENE(a_file_of_which_nothing_is_left_is_refused),
		IN_SCENE(a_record_that_makes_no_sense_ends_its_cpu),
		IN_SCENE(info_tells_what_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
