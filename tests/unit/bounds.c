// SPDX-License-Identifier: GPL-3.0-or-later
/* What a file may make us keep in memory is bounded, however often it names the same bytes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/file_parts.h"
#include "analyze/trace/inflate.h"
#include "tests/lib/builder.h"
#include "tests/lib/tempdir.h"

#define MIB (1U << 20)

static void metadata_of_over_256_mib_are_refused(void **state)
{
	struct fan_file f = { 0 };

	(void)state;
	assert_int_equal(fan_file_hold(&f, 200 * MIB), 0);
	assert_int_equal(fan_file_hold(&f, 57 * MIB), -EINVAL);
	assert_int_equal(fan_file_hold(&f, UINT64_MAX), -EINVAL);
	assert_int_equal(fan_file_hold(&f, 56 * MIB), 0);
	assert_int_equal(fan_file_hold(&f, 1), -EINVAL);
}

static void chunks_of_over_a_gib_together_are_refused(void **state)
{
	struct fan_inflate *z = NULL;

	(void)state;
	assert_int_equal(fan_inflate_new(&z, "zstd"), 0);
	for (int i = 0; i < 16; i++)
		assert_true(fan_inflate_hold(z, 64 * MIB));
	assert_false(fan_inflate_hold(z, 1));
	fan_inflate_free(z);
}

/* A loop over the CPUs of a header that says 2^32 takes minutes. */
static void there_are_no_more_than_8192_cpus(void **state)
{
	static const struct {
		char count[4]; /* little-endian */
		int r;
	} counts[] = { { { 0, 0x20, 0, 0 }, 0 },
		       { { 1, 0x20, 0, 0 }, -EINVAL },
		       { { -1, -1, -1, -1 }, -EINVAL } };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct fan_file *f = calloc(1, sizeof(*f));
		struct fan_bytes b = { .mem = counts[i].count, .end = 4 };

		assert_non_null(f);
		f->fd = -1;
		assert_int_equal(fan_file_add_option(f, FAN_OPT_CPUCOUNT, &b, 4), counts[i].r);
		fan_file_close(f);
	}
}

/* 940 + 60 of 1000 bytes are taken, whatever lies where: there is no other. */
static void cpus_have_no_more_data_than_the_file_has_bytes(void **state)
{
	struct fan_file f = { .size = 1000 };
	struct fan_buffer buffer = { 0 };

	(void)state;
	assert_int_equal(fan_file_add_cpu(&f, &buffer, (struct fan_cpu_data){ 0, 60, 940, false }),
			 0);
	assert_int_equal(fan_file_add_cpu(&f, &buffer, (struct fan_cpu_data){ 1, 0, 60, false }),
			 0);
	assert_int_equal(fan_file_add_cpu(&f, &buffer, (struct fan_cpu_data){ 2, 0, 1, false }),
			 -EINVAL);
	/* a CPU without data takes no place */
	assert_int_equal(fan_file_add_cpu(&f, &buffer, (struct fan_cpu_data){ 2, 0, 0, false }), 0);
	assert_int_equal(buffer.ncpus, 2);
	free(buffer.cpus);
}

/* Section of one system with a name of this length and one empty format. */
static int read_system(size_t length)
{
	struct fan_file *f = calloc(1, sizeof(*f));
	char data[512] = { 1 };
	struct fan_bytes b = { .mem = data, .end = 4 + length + 1 + 4 + 8 };
	int r;

	assert_non_null(f);
	f->fd = -1;
	memset(data + 4, 's', length);
	data[4 + length + 1] = 1;
	r = fan_file_read_event_formats(f, &b);
	fan_file_close(f);
	return r;
}

/* Each format keeps the name of its system: the name of one would be kept 65536 times. */
static void the_name_of_a_system_is_short(void **state)
{
	(void)state;
	assert_int_equal(read_system(255), 0);
	assert_int_equal(read_system(256), -EINVAL);
}

static struct fan_format *format_of(const struct fan_file *f, const char *name)
{
	for (size_t i = 0; i < f->nformats; i++)
		if (strstr(f->formats[i].text.data, name))
			return &f->formats[i];
	fail_msg("no %s", name);
	return NULL;
}

/* What a file keeps is counted: at least its formats and what describes its pages. */
static void an_ordinary_file_is_counted_and_far_from_the_bound(void **state)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct tb *tb = tb_new(1, 7, TB_ZSTD);
	struct fan_file *f = NULL;
	struct fcap_err err = { 0 };

	(void)state;
	tb_kvm_fpu(tb, tb_by(0, 10, 1), 1);
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	assert_int_equal(fan_file_open(&f, path, &err), 0);
	assert_true(f->held >
		    format_of(f, "name: sched_switch\n")->text.size + f->header_page.size);
	assert_true(f->held < 256 * 1024);
	assert_true(f->in_pages > 0 && f->in_pages < f->size);
	assert_int_equal(f->nstreams, 1);
	fan_file_close(f);
	free(path);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metadata_of_over_256_mib_are_refused),
		cmocka_unit_test(chunks_of_over_a_gib_together_are_refused),
		cmocka_unit_test(there_are_no_more_than_8192_cpus),
		cmocka_unit_test(cpus_have_no_more_data_than_the_file_has_bytes),
		cmocka_unit_test(the_name_of_a_system_is_short),
		cmocka_unit_test(an_ordinary_file_is_counted_and_far_from_the_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
