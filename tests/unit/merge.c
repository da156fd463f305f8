// SPDX-License-Identifier: GPL-3.0-or-later
/* The order of records of several CPUs: by time, ties by lowest CPU, whatever was read ahead. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyze/trace/merge.h"
#include "tests/lib/builder.h"
#include "tests/lib/tempdir.h"

struct expected {
	uint64_t ts_ns;
	int32_t cpu;
};

struct scene {
	char *dir, *path;
	struct fan_file *file;
	struct fan_merge *merge;
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

	fan_merge_close(s->merge);
	fan_file_close(s->file);
	free(s->path);
	tempdir_remove(s->dir);
	free(s);
	return 0;
}

/* Writes and frees tb; the file is then open, not yet merged. */
static void write_trace(struct scene *s, struct tb *tb)
{
	struct fcap_err err = { 0 };

	assert_int_equal(tb_write(tb, s->path), 0);
	tb_free(tb);
	assert_int_equal(fan_file_open(&s->file, s->path, &err), 0);
}

static void assert_next(struct scene *s, uint64_t ts_ns, int32_t cpu)
{
	const struct fan_record *rec;
	struct fcap_err err = { 0 };

	assert_int_equal(fan_merge_next(s->merge, &rec, &err), 1);
	if (rec->ts_ns != ts_ns || rec->cpu != cpu)
		fail_msg("%" PRIu64 " ns of CPU %d instead of %" PRIu64 " of CPU %d", rec->ts_ns,
			 rec->cpu, ts_ns, cpu);
}

static void assert_end(struct scene *s)
{
	const struct fan_record *rec;
	struct fcap_err err = { 0 };

	assert_int_equal(fan_merge_next(s->merge, &rec, &err), 0);
}

static void open_merge(struct scene *s)
{
	struct fcap_err err = { 0 };

	assert_int_equal(fan_merge_open(&s->merge, s->file, &err), 0);
}

static void assert_order(struct scene *s, const struct expected *e, size_t n)
{
	open_merge(s);
	for (size_t i = 0; i < n; i++)
		assert_next(s, e[i].ts_ns, e[i].cpu);
	assert_end(s);
}

/* More of them than any stream reads ahead: all of CPU 0 come first, then all of the next. */
static void thousands_of_equal_stamps_come_by_cpu(void **state)
{
	enum { N = 3000 };
	struct scene *s = *state;

	for (int cpus = 1; cpus <= 4; cpus++) {
		struct tb *tb = tb_new(cpus, 6, TB_PLAIN);

		for (int cpu = 0; cpu < cpus; cpu++)
			for (int i = 0; i < N; i++)
				tb_kvm_fpu(tb, tb_by(cpu, 77, 1), 1);
		write_trace(s, tb);
		open_merge(s);
		for (int cpu = 0; cpu < cpus; cpu++)
			for (int i = 0; i < N; i++)
				assert_next(s, 77, cpu);
		assert_end(s);
		fan_merge_close(s->merge);
		fan_file_close(s->file);
		s->merge = NULL;
		s->file = NULL;
	}
}

/* A second is 1e9 ns, 32 bits are 4.3e9: the CPUs are silent for longer than that. */
static void silences_of_many_seconds_keep_the_order(void **state)
{
	const uint64_t s10 = 10000000000;
	const struct expected e[] = {
		{ 5, 2 },	{ 7, 0 },	{ 7, 1 },	    { s10, 0 },	    { s10, 3 },
		{ s10 + 1, 1 }, { 3 * s10, 3 }, { 3 * s10 + 2, 2 }, { 9 * s10, 0 }, { 9 * s10, 1 },
	};
	struct scene *s = *state;
	struct tb *tb = tb_new(4, 6, TB_PLAIN);

	for (size_t i = 0; i < sizeof(e) / sizeof(e[0]); i++)
		tb_kvm_fpu(tb, tb_by(e[i].cpu, e[i].ts_ns, 1), 1);
	write_trace(s, tb);
	assert_order(s, e, sizeof(e) / sizeof(e[0]));
}

/*
 * Shifted to another clock, 100, 200 and 300 of CPU 0 become 100 + 0, 200 - 120, 300 - 120. The
 * stamp that steps back follows the one before it at once, as if it had that one's time.
 */
static struct tb *stepping_back(int cpus)
{
	const struct __attribute__((packed)) {
		uint64_t id;
		uint32_t flags, cpus, n;
		uint64_t time[3];
		int64_t offset[3];
		uint64_t scale[3], fraction[3];
	} o = { 7, 0, 1, 3, { 0, 150, 1000 }, { 0, -120, -120 }, { 1, 1, 1 }, { 0, 0, 0 } };
	struct tb *tb = tb_new(cpus, 7, TB_PLAIN);

	tb_option(tb, 12, &o, sizeof(o));
	for (uint64_t ts = 100; ts <= 300; ts += 100)
		tb_kvm_fpu(tb, tb_by(0, ts, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 90, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 100, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 110, 1), 1);
	if (cpus > 2)
		tb_kvm_fpu(tb, tb_by(2, 100, 1), 1);
	return tb;
}

static void a_stamp_that_steps_back_follows_the_one_before(void **state)
{
	const struct expected two[] = { { 90, 1 },  { 100, 0 }, { 80, 0 },
					{ 100, 1 }, { 110, 1 }, { 180, 0 } };
	struct scene *s = *state;

	write_trace(s, stepping_back(2));
	assert_order(s, two, sizeof(two) / sizeof(two[0]));
}

static void a_stamp_that_steps_back_among_three_cpus_does_so_too(void **state)
{
	const struct expected three[] = { { 90, 1 },  { 100, 0 }, { 80, 0 }, { 100, 1 },
					  { 100, 2 }, { 110, 1 }, { 180, 0 } };
	struct scene *s = *state;

	write_trace(s, stepping_back(3));
	assert_order(s, three, sizeof(three) / sizeof(three[0]));
}

static void overwrite(const struct scene *s, uint64_t at, uint64_t value)
{
	FILE *f = fopen(s->path, "r+b");

	assert_non_null(f);
	assert_int_equal(fseek(f, (long)(s->file->buffers[0].cpus[0].offset + at), SEEK_SET), 0);
	assert_int_equal(fwrite(&value, sizeof(value), 1, f), 1);
	assert_int_equal(fclose(f), 0);
}

/*
 * CPU 0 has 100 and 200 in its first page; the second one, which had 300 and 400, begins at 150
 * instead, before that. 150 follows 200 as if it had that time, before 200 of CPU 1; 250 is late
 * enough again.
 */
static void a_page_that_begins_before_the_end_of_the_last_one_follows_it(void **state)
{
	const struct expected e[] = { { 90, 1 },  { 100, 0 }, { 200, 0 }, { 150, 0 },
				      { 200, 1 }, { 205, 2 }, { 250, 0 }, { 260, 1 } };
	struct scene *s = *state;
	struct tb *tb = tb_new(3, 6, TB_PLAIN);

	tb_set_events_per_page(tb, 2);
	for (uint64_t ts = 100; ts <= 400; ts += 100)
		tb_kvm_fpu(tb, tb_by(0, ts, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 90, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 200, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 260, 1), 1);
	tb_kvm_fpu(tb, tb_by(2, 205, 1), 1);
	write_trace(s, tb);
	overwrite(s, 4096, 150);
	assert_order(s, e, sizeof(e) / sizeof(e[0]));
}

/*
 * The page of CPU 0 has 1000 and 1100; if it begins 50 before the end of all numbers, the second
 * one is at 50, and follows the first, which is the last of all.
 */
static void a_stamp_that_runs_over_follows_the_one_before(void **state)
{
	const uint64_t begin = UINT64_MAX - 49;
	const struct expected e[] = { { 10, 1 }, { 20, 2 }, { 60, 1 }, { begin, 0 }, { 50, 0 } };
	struct scene *s = *state;
	struct tb *tb = tb_new(3, 6, TB_PLAIN);

	tb_kvm_fpu(tb, tb_by(0, 1000, 1), 1);
	tb_kvm_fpu(tb, tb_by(0, 1100, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 10, 1), 1);
	tb_kvm_fpu(tb, tb_by(1, 60, 1), 1);
	tb_kvm_fpu(tb, tb_by(2, 20, 1), 1);
	write_trace(s, tb);
	overwrite(s, 0, begin);
	assert_order(s, e, sizeof(e) / sizeof(e[0]));
}

/* 10 to 50 by turns; what is given back comes again, and in the end there is no more. */
static void records_that_are_given_back_come_again(void **state)
{
	const struct fan_record *const *recs;
	struct fcap_err err = { 0 };
	struct scene *s = *state;
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	for (int i = 1; i <= 5; i++)
		tb_kvm_fpu(tb, tb_by(i % 2, (uint64_t)i * 10, 1), 1);
	write_trace(s, tb);
	open_merge(s);
	assert_int_equal(fan_merge_take(s->merge, 3, &recs, &err), 3);
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(recs[i]->ts_ns, 10 + 10 * i);
	fan_merge_give_back(s->merge, 2);
	assert_next(s, 20, 0);
	assert_int_equal(fan_merge_take(s->merge, 9, &recs, &err), 3);
	assert_int_equal(recs[0]->ts_ns, 30);
	assert_int_equal(recs[2]->ts_ns, 50);
	fan_merge_give_back(s->merge, 3);
	assert_next(s, 30, 1);
	assert_next(s, 40, 0);
	assert_next(s, 50, 1);
	assert_end(s);
}

/*
 * CPU 0 has 10, 20, 30 in its first page and 40 in a second one, which is damaged: that shows when
 * it is the turn of what follows 30, so that 15 and 25 of CPU 1 come before, and 35 does not.
 */
static void damage_is_told_right_behind_the_last_sound_record(void **state)
{
	const struct expected before[] = { { 10, 0 }, { 15, 1 }, { 20, 0 }, { 25, 1 }, { 30, 0 } };
	const struct fan_record *rec;
	struct fcap_err err = { 0 };
	struct scene *s = *state;
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_set_events_per_page(tb, 3);
	for (uint64_t ts = 10; ts <= 40; ts += 10)
		tb_kvm_fpu(tb, tb_by(0, ts, 1), 1);
	for (uint64_t ts = 15; ts <= 35; ts += 10)
		tb_kvm_fpu(tb, tb_by(1, ts, 1), 1);
	write_trace(s, tb);
	overwrite(s, 4096 + 8, 5000); /* a page has 4080 bytes for events */
	open_merge(s);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		assert_next(s, before[i].ts_ns, before[i].cpu);
	assert_int_equal(fan_merge_next(s->merge, &rec, &err), -EINVAL);
	assert_non_null(strstr(err.text, "the data of CPU 0 are damaged"));
}

#define IN_SCENE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCENE(thousands_of_equal_stamps_come_by_cpu),
		IN_SCENE(silences_of_many_seconds_keep_the_order),
		IN_SCENE(a_stamp_that_steps_back_follows_the_one_before),
		IN_SCENE(a_stamp_that_steps_back_among_three_cpus_does_so_too),
		IN_SCENE(a_page_that_begins_before_the_end_of_the_last_one_follows_it),
		IN_SCENE(a_stamp_that_runs_over_follows_the_one_before),
		IN_SCENE(records_that_are_given_back_come_again),
		IN_SCENE(damage_is_told_right_behind_the_last_sound_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
