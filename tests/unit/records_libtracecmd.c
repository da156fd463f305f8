// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The second opinion: our reader hands out the records that libtracecmd hands out, same order,
 * stamps, CPUs, sizes, bytes and loss marks. On the traces of tests/data/bed, on built ones, and
 * on the file that FCAP_TEST_TRACE names.
 */
#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <trace-cmd/trace-cmd.h>

#include "analyze/trace/merge.h"
#include "tests/lib/builder.h"
#include "tests/lib/formats.h"
#include "tests/lib/kinds.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/second_opinion.h"

static int is_trace(const struct dirent *e)
{
	const size_t len = strlen(e->d_name);

	return len > 4 && strcmp(e->d_name + len - 4, ".dat") == 0;
}

static void recorded_traces_are_read_as_libtracecmd_reads_them(void **state)
{
	const char *data = getenv("FCAP_TEST_DATA");
	char *dir = tempdir_file(data && *data ? data : "tests/data", "bed");
	struct dirent **found;
	uint64_t records[2];
	int n;

	(void)state;
	n = scandir(dir, &found, is_trace, alphasort);
	assert_int_equal(n, 6);
	for (int i = 0; i < n; i++) {
		char *path = tempdir_file(dir, found[i]->d_name);

		compare_file(path, true, records);
		assert_true(records[0] > 8000);
		free(path);
		free(found[i]);
	}
	free(found);
	free(dir);
}

static void the_named_trace_is_read_as_libtracecmd_reads_it(void **state)
{
	const char *path = getenv("FCAP_TEST_TRACE");
	uint64_t records[2];

	(void)state;
	assert_non_null(path);
	compare_file(path, true, records);
	print_message("# %s: %" PRIu64 " records, %" PRIu64 " in other buffers\n", path, records[0],
		      records[1]);
}

static const struct tb_task vm1 = { 101, "CPU 0/KVM", 0 };
static const struct tb_task vm2 = { 202, "CPU 1/KVM", 0 };

/* Writes and frees tb, then compares; the counts go to ret. */
static void compare_built(struct tb *tb, bool is_loss_compared, uint64_t ret[2])
{
	char *dir = tempdir_new();
	char *path = tempdir_file(dir, "trace.dat");

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	compare_file(path, is_loss_compared, ret);
	free(path);
	tempdir_remove(dir);
}

static void both_buffers_of_a_built_trace_are_read(void **state)
{
	uint64_t records[2];

	(void)state;
	for (size_t k = 0; k < TB_KINDS_LIBTRACECMD * TB_MACHINES; k++) {
		/* CPUs 0 and 3 stay empty */
		struct tb *tb = tb_new_kind(&tb_kinds[k / TB_MACHINES], 4);

		tb_set_machine(tb, (enum tb_machine)(k % TB_MACHINES));
		for (uint64_t i = 0; i < 100; i++) {
			tb_switch(tb, tb_at(1 + i % 2, 1000 + i), vm1, TB_PREEMPTED, vm2);
			tb_marker(tb, 990 + 7 * i, "fcap: steal tid=101 run=%d delay=0 n=0",
				  (int)i);
		}
		compare_built(tb, true, records);
		assert_int_equal(records[0], 100);
		assert_int_equal(records[1], 100);
	}
}

static void a_trace_of_markers_alone_and_one_of_nothing_are_read(void **state)
{
	uint64_t records[2];

	(void)state;
	for (size_t k = 0; k < TB_KINDS_LIBTRACECMD; k++) {
		struct tb *tb = tb_new_kind(&tb_kinds[k], 2);

		tb_marker(tb, 5, "fcap: steal tid=101 run=1 delay=2 n=3");
		compare_built(tb, true, records);
		assert_int_equal(records[0], 0);
		assert_int_equal(records[1], 1);
		compare_built(tb_new_kind(&tb_kinds[k], 2), true, records);
		assert_int_equal(records[0], 0);
	}
}

static void hundreds_of_cpus_are_read_in_time_order(void **state)
{
	uint64_t records[2];

	(void)state;
	for (size_t k = 0; k < TB_KINDS_LIBTRACECMD; k++) {
		struct tb *tb = tb_new_kind(&tb_kinds[k], 512);

		/* 511 and 7 have no common factor: ties on some CPUs, every third CPU empty */
		for (uint64_t i = 0; i < 4096; i++) {
			const int cpu = (int)(i * 7 % 511);

			if (cpu % 3)
				tb_kvm_fpu(tb, tb_by(cpu, 1000 + i / 4, 1), 1);
		}
		compare_built(tb, true, records);
		assert_int_equal(records[0], 2693);
	}
}

static void hundreds_of_pages_of_64_kib_are_read(void **state)
{
	uint64_t records[2];

	(void)state;
	for (size_t k = 0; k < TB_KINDS_LIBTRACECMD * TB_MACHINES; k++) {
		struct tb *tb = tb_new_kind(&tb_kinds[k / TB_MACHINES], 2);

		tb_set_machine(tb, (enum tb_machine)(k % TB_MACHINES));
		tb_set_page_size(tb, 65536);
		tb_set_events_per_page(tb, 3);
		for (uint64_t i = 0; i < 1000; i++)
			tb_switch(tb, tb_at(1, 1000 + i), vm1, TB_PREEMPTED, vm2);
		compare_built(tb, true, records);
		assert_int_equal(records[0], 1000);
	}
}

static void long_steps_of_time_and_absolute_stamps_are_read(void **state)
{
	uint64_t records[2];

	(void)state;
	for (size_t k = 0; k < TB_KINDS_LIBTRACECMD * TB_MACHINES; k++) {
		struct tb *tb = tb_new_kind(&tb_kinds[k / TB_MACHINES], 1);

		tb_set_machine(tb, (enum tb_machine)(k % TB_MACHINES));
		for (unsigned int bit = 0; bit < 59; bit++) {
			if (bit % 5 == 4)
				tb_absolute(tb, 0);
			tb_kvm_fpu(tb, tb_by(0, 1ULL << bit, 1), 0);
			tb_kvm_fpu(tb, tb_by(0, 1ULL << bit, 2), 1);
		}
		compare_built(tb, true, records);
		assert_int_equal(records[0], 118);
	}
}

/* Five samples of the host's clock, of one CPU of two; the other keeps its stamps. */
static void stamps_of_a_guest_are_shifted(void **state)
{
	struct __attribute__((packed)) {
		uint64_t id;
		uint32_t flags, cpus, n;
		uint64_t time[5];
		int64_t offset[5];
		uint64_t scale[5], fraction[5];
	} o = { 7,
		0,
		1,
		5,
		{ 1000, 3000, 2000, 5000, 4000 },
		{ 700, -90, 100, 4321, 1111 },
		{ 5, 9, 1, 7, 3 },
		{ 2, 3, 0, 2, 1 } };
	uint64_t records[2];

	(void)state;
	for (o.flags = 0; o.flags < 2; o.flags++) {
		struct tb *tb = tb_new_kind(&tb_kinds[1], 2);

		tb_option(tb, 12, &o, sizeof(o));
		for (uint64_t i = 0; i < 600; i++) {
			tb_kvm_fpu(tb, tb_by(0, 200 + 10 * i, 1), 0);
			tb_kvm_fpu(tb, tb_by(1, 5 + 10 * i, 2), 0);
		}
		compare_built(tb, true, records);
		assert_int_equal(records[0], 1200);
	}
}

static void a_loss_before_an_absolute_stamp_is_kept(void **state)
{
	struct fcap_err err = { 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	char *dir = tempdir_new();
	char *path = tempdir_file(dir, "trace.dat");
	const struct fan_record *rec;
	struct fan_merge *m;
	struct fan_file *f;

	(void)state;
	tb_missed(tb, 0, 5000000000);
	tb_absolute(tb, 0);
	tb_kvm_fpu(tb, tb_by(0, 77, 1), 0);
	tb_missed(tb, 0, -1);
	tb_kvm_fpu(tb, tb_by(0, 88, 1), 0);
	tb_kvm_fpu(tb, tb_by(0, 99, 1), 0);
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	/* libtracecmd drops the first mark, and counts in 32 bits: no second opinion here */
	assert_int_equal(fan_file_open(&f, path, &err), 0);
	assert_int_equal(fan_merge_open(&m, f, &err), 0);
	assert_int_equal(fan_merge_next(m, &rec, &err), 1);
	assert_true(rec->ts_ns == 77 && rec->missed == 5000000000);
	assert_int_equal(fan_merge_next(m, &rec, &err), 1);
	assert_true(rec->ts_ns == 88 && rec->missed == -1);
	assert_int_equal(fan_merge_next(m, &rec, &err), 1);
	assert_true(rec->ts_ns == 99 && rec->missed == 0);
	assert_int_equal(fan_merge_next(m, &rec, &err), 0);
	fan_merge_close(m);
	fan_file_close(f);
	free(path);
	tempdir_remove(dir);
}

static uint64_t pick(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*seed >> 33) % n;
}

static void put_random_event(struct tb *tb, uint64_t *seed, int cpu, uint64_t ts)
{
	char payload[3008] = { EV_PRINT, 0 }; /* libtracecmd stops at unknown events */

	switch (pick(seed, 5)) {
	case 0:
		tb_switch(tb, tb_at(cpu, ts), vm1, TB_S, vm2);
		break;
	case 1:
		tb_kvm_fpu(tb, tb_by(cpu, ts, 7), 1);
		break;
	case 2:
		tb_print(tb, tb_by(cpu, ts, 7), "%0*d", (int)pick(seed, 300) + 1, 5);
		break;
	case 3:
		memset(payload + 8, cpu, sizeof(payload) - 8);
		tb_raw(tb, cpu, ts, payload, 20 + pick(seed, 2988));
		break;
	default:
		tb_wakeup(tb, tb_at(cpu, ts), vm1, cpu);
	}
}

/* Steps are often 0 (ties), often small, sometimes beyond 27 bits. */
static uint64_t random_step(uint64_t *seed)
{
	const uint64_t kind = pick(seed, 20);

	return kind < 5 ? 0 : kind < 19 ? pick(seed, 2000) : pick(seed, 1ULL << 31);
}

static struct tb *random_trace(uint64_t *seed, uint64_t *ret_n)
{
	const size_t k = pick(seed, TB_KINDS_LIBTRACECMD);
	const int ncpu = 1 + (int)pick(seed, 9);
	struct tb *tb = tb_new_kind(&tb_kinds[k], ncpu);
	uint64_t ts[10] = { 0 };

	*ret_n = pick(seed, 3000);
	tb_set_machine(tb, (enum tb_machine)pick(seed, TB_MACHINES));
	if (pick(seed, 4) == 0)
		tb_set_page_size(tb, 4096U << pick(seed, 5));
	if (pick(seed, 3) == 0)
		tb_set_events_per_page(tb, 1 + (unsigned int)pick(seed, 30));
	tb_set_pages_per_chunk(tb, 1 + (unsigned int)pick(seed, 12));
	for (uint64_t i = 0; i < *ret_n; i++) {
		const int cpu = (int)pick(seed, (uint64_t)ncpu);

		ts[cpu] += random_step(seed);
		if (pick(seed, 50) == 0)
			tb_missed(tb, cpu, pick(seed, 2) ? -1 : 1 + (int64_t)pick(seed, 100000));
		else if (pick(seed, 50) == 0)
			tb_discarded(tb, tb_at(cpu, ++ts[cpu]), 4 + 4 * pick(seed, 28));
		put_random_event(tb, seed, cpu, ts[cpu]);
	}
	return tb;
}

static void random_traces_are_read_as_libtracecmd_reads_them(void **state)
{
	const char *given = getenv("FCAP_TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (int i = 0; i < 60; i++) {
		uint64_t n, records[2];
		struct tb *tb = random_trace(&seed, &n);

		compare_built(tb, true, records);
		assert_int_equal(records[0], n);
	}
}

#define ALWAYS                                                                          \
	cmocka_unit_test(recorded_traces_are_read_as_libtracecmd_reads_them),           \
		cmocka_unit_test(both_buffers_of_a_built_trace_are_read),               \
		cmocka_unit_test(a_trace_of_markers_alone_and_one_of_nothing_are_read), \
		cmocka_unit_test(hundreds_of_cpus_are_read_in_time_order),              \
		cmocka_unit_test(hundreds_of_pages_of_64_kib_are_read),                 \
		cmocka_unit_test(long_steps_of_time_and_absolute_stamps_are_read),      \
		cmocka_unit_test(stamps_of_a_guest_are_shifted),                        \
		cmocka_unit_test(a_loss_before_an_absolute_stamp_is_kept),              \
		cmocka_unit_test(random_traces_are_read_as_libtracecmd_reads_them)

int main(void)
{
	const struct CMUnitTest tests[] = { ALWAYS };
	const struct CMUnitTest with_named[] = {
		ALWAYS,
		cmocka_unit_test(the_named_trace_is_read_as_libtracecmd_reads_it),
	};

	if (getenv("FCAP_TEST_TRACE"))
		return cmocka_run_group_tests(with_named, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
