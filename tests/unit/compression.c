// SPDX-License-Identifier: GPL-3.0-or-later
/* Compressed files: the same records as plain ones; what is damaged is refused, and bounded. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "analyze/trace/inflate.h"
#include "analyze/trace/merge.h"
#include "tests/lib/builder.h"
#include "tests/lib/tempdir.h"

#define PAGE 4096

struct bytes {
	char *data;
	size_t size;
};

/* What compress2 and ZSTD_compress make of n bytes. */
static struct bytes pack(const char *name, const void *data, size_t n)
{
	struct bytes b = { NULL,
			   strcmp(name, "zlib") == 0 ? compressBound(n) : ZSTD_compressBound(n) };
	uLongf got = b.size;

	b.data = malloc(b.size);
	assert_non_null(b.data);
	if (strcmp(name, "zlib") == 0)
		assert_int_equal(compress2((Bytef *)b.data, &got, data, n, 9), Z_OK);
	else
		got = ZSTD_compress(b.data, b.size, data, n, 1);
	assert_false(ZSTD_isError(got));
	b.size = got;
	return b;
}

/* A page of numbers, none like the other: its packed form is long enough to be damaged. */
static void fill(uint32_t *page)
{
	for (uint32_t i = 0; i < PAGE / 4; i++)
		page[i] = i * 2654435761U;
}

/* Takes n packed bytes for size plain ones; checks that nothing beyond them was written. */
static int take(const char *name, const char *packed, size_t n, uint32_t size)
{
	struct fan_inflate *z = NULL;
	unsigned char *out = malloc(size + 16);
	int r;

	assert_non_null(out);
	memset(out + size, 0xa5, 16);
	assert_int_equal(fan_inflate_new(&z, name), 0);
	r = fan_inflate(z, out, size, packed, (uint32_t)n);
	for (uint32_t i = 0; i < 16; i++)
		assert_int_equal(out[size + i], 0xa5);
	fan_inflate_free(z);
	free(out);
	return r;
}

static void a_packed_page_comes_back_again_and_again(void **state)
{
	const char *name = *state;
	uint32_t page[PAGE / 4], out[PAGE / 4];
	struct fan_inflate *z = NULL;
	struct bytes b;

	fill(page);
	b = pack(name, page, PAGE);
	assert_int_equal(fan_inflate_new(&z, name), 0);
	for (int i = 0; i < 3; i++) {
		memset(out, 0, sizeof(out));
		assert_int_equal(fan_inflate(z, out, PAGE, b.data, (uint32_t)b.size), 0);
		assert_memory_equal(out, page, PAGE);
		/* what failed before does not spoil the next */
		assert_int_equal(fan_inflate(z, out, PAGE, b.data, (uint32_t)b.size / 2), -EINVAL);
	}
	fan_inflate_free(z);
	free(b.data);
}

static void nothing_can_be_packed_too(void **state)
{
	const char *name = *state;
	struct bytes b = pack(name, "", 0);

	assert_int_equal(take(name, b.data, b.size, 0), 0);
	assert_int_equal(take(name, b.data, b.size, 1), -EINVAL);
	free(b.data);
}

static void only_the_size_that_was_told_is_taken(void **state)
{
	const char *name = *state;
	uint32_t page[PAGE / 4];
	struct bytes b;

	fill(page);
	b = pack(name, page, PAGE);
	assert_int_equal(take(name, b.data, b.size, PAGE), 0);
	assert_int_equal(take(name, b.data, b.size, PAGE - 1), -EINVAL);
	assert_int_equal(take(name, b.data, b.size, PAGE + 1), -EINVAL);
	for (size_t n = 0; n < b.size; n++)
		assert_int_equal(take(name, b.data, n, PAGE), -EINVAL);
	free(b.data);
}

static void bytes_behind_the_end_are_damage(void **state)
{
	const char *name = *state;
	uint32_t page[PAGE / 4];
	struct bytes b;
	char *longer;

	fill(page);
	b = pack(name, page, PAGE);
	longer = calloc(1, b.size + 3);
	assert_non_null(longer);
	memcpy(longer, b.data, b.size);
	assert_int_equal(take(name, longer, b.size, PAGE), 0);
	assert_int_equal(take(name, longer, b.size + 3, PAGE), -EINVAL);
	free(longer);
	free(b.data);
}

/* 64 MiB of zeros in some ten KiB: no more than the 4096 bytes that were told is written. */
static void a_bomb_ends_at_the_size_that_was_told(void **state)
{
	const char *name = *state;
	const size_t size = 64U << 20;
	void *zeros = calloc(1, size);
	struct bytes b;

	assert_non_null(zeros);
	b = pack(name, zeros, size);
	free(zeros);
	assert_true(b.size < size / 500);
	assert_int_equal(take(name, b.data, b.size, PAGE), -EINVAL);
	free(b.data);
}

/* zlib keeps a sum of the plain bytes; ZSTD_compress keeps none. */
static void a_flipped_bit_of_zlib_is_found_by_its_sum(void **state)
{
	uint32_t page[PAGE / 4];
	struct bytes b;

	(void)state;
	fill(page);
	b = pack("zlib", page, PAGE);
	/* one in the middle of the data, one in the sum, which is the last four bytes */
	for (size_t i = 0; i < 2; i++) {
		char *at = b.data + (i ? b.size - 2 : b.size / 2);

		for (int bit = 0; bit < 8; bit++) {
			*at = (char)(*at ^ 1 << bit);
			assert_int_equal(take("zlib", b.data, b.size, PAGE), -EINVAL);
			*at = (char)(*at ^ 1 << bit);
		}
	}
	assert_int_equal(take("zlib", b.data, b.size, PAGE), 0);
	free(b.data);
}

static void other_names_are_not_known(void **state)
{
	static const char *const names[] = { "none", "", "lzo", "zlib2", "ZLIB" };
	struct fan_inflate *z = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_false(fan_inflate_knows(names[i]));
		assert_int_equal(fan_inflate_new(&z, names[i]), -EINVAL);
	}
	assert_false(fan_inflate_knows(NULL));
	assert_int_equal(fan_inflate_new(&z, NULL), -EINVAL);
	assert_true(fan_inflate_knows("zlib") && fan_inflate_knows("zstd"));
}

/* --- files --- */

/* 3000 events on two CPUs, 100 markers, in several chunks; the bytes of the file. */
static struct bytes trace_of(enum tb_compression compression, const char *path)
{
	const struct tb_task vm1 = { 101, "CPU 0/KVM", 0 };
	struct tb *tb = tb_new(2, 7, compression);
	struct bytes b;
	FILE *f;

	tb_set_pages_per_chunk(tb, 3);
	for (uint64_t i = 0; i < 1500; i++) {
		tb_switch(tb, tb_at(0, 1000 + 2 * i), tb_idle, TB_R, vm1);
		tb_wakeup(tb, tb_at(1, 1000 + 3 * i), vm1, 1);
	}
	for (uint64_t i = 0; i < 100; i++)
		tb_marker(tb, 1000 + i, "fcap: steal tid=101 run=%d delay=0 n=0", (int)i);
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	f = fopen(path, "rb");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	b.size = (size_t)ftell(f);
	b.data = malloc(b.size);
	assert_non_null(b.data);
	rewind(f);
	assert_int_equal(fread(b.data, 1, b.size, f), b.size);
	fclose(f);
	return b;
}

/* All records as one text of numbers and bytes; or the sentence why not. */
static struct bytes records_of(const char *path, struct fcap_err *err)
{
	struct fan_file *file = NULL;
	struct fan_merge *m = NULL;
	const struct fan_record *rec;
	struct bytes b;
	FILE *f = open_memstream(&b.data, &b.size);

	assert_non_null(f);
	if (fan_file_open(&file, path, err) == 0 && fan_merge_open(&m, file, err) == 0)
		while (fan_merge_next(m, &rec, err) > 0) {
			fprintf(f, "%llu %d %u %lld ", (unsigned long long)rec->ts_ns, rec->cpu,
				rec->buffer, (long long)rec->missed);
			fwrite(rec->data, 1, rec->size, f);
		}
	fan_merge_close(m);
	fan_file_close(file);
	assert_int_equal(fclose(f), 0);
	return b;
}

static struct bytes records_of_kind(enum tb_compression compression)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fcap_err err = { 0 };
	struct bytes b;

	free(trace_of(compression, path).data);
	b = records_of(path, &err);
	if (err.code)
		fail_msg("%s", err.text);
	free(path);
	tempdir_remove(dir);
	return b;
}

static void the_records_are_those_of_the_plain_file(void **state)
{
	struct bytes plain = records_of_kind(TB_PLAIN), zstd = records_of_kind(TB_ZSTD),
		     zlib = records_of_kind(TB_ZLIB);

	(void)state;
	/* 1500 switches of 64 bytes, 1500 wake-ups of 36 and 100 lines of over 40 */
	assert_true(plain.size > 1500 * (64 + 36) + 100 * 40);
	assert_int_equal(zstd.size, plain.size);
	assert_int_equal(zlib.size, plain.size);
	assert_memory_equal(zstd.data, plain.data, plain.size);
	assert_memory_equal(zlib.data, plain.data, plain.size);
	free(plain.data);
	free(zstd.data);
	free(zlib.data);
}

/* Writes 4 bytes over those at this place, reads the file, which must be refused in this word. */
static void assert_damage(const char *path, const struct bytes *b, size_t at, uint32_t value,
			  const char *word)
{
	struct fcap_err err = { 0 };
	FILE *f = fopen(path, "wb");

	assert_true(f && at + 4 <= b->size);
	assert_int_equal(fwrite(b->data, 1, at, f), at);
	assert_int_equal(fwrite(&value, 1, 4, f), 4);
	assert_int_equal(fwrite(b->data + at + 4, 1, b->size - at - 4, f), b->size - at - 4);
	assert_int_equal(fclose(f), 0);
	free(records_of(path, &err).data);
	assert_int_equal(err.code, EINVAL);
	if (!strstr(err.text, word))
		fail_msg("\"%s\" does not say \"%s\"", err.text, word);
}

/*
 * Where the chunks of the first CPU of the main buffer lie: at a multiple of the page size the
 * number of chunks, then for each its packed and its plain size. The first holds 3 pages.
 */
static size_t first_chunk(const struct bytes *b)
{
	uint32_t words[3];

	for (size_t at = 0; at + 12 <= b->size; at += PAGE) {
		memcpy(words, b->data + at, sizeof(words));
		if (at && words[0] > 1 && words[0] < 100 && words[2] == 3 * PAGE)
			return at + 4;
	}
	fail_msg("there are no chunks");
	return 0;
}

static void a_damaged_chunk_is_refused_with_its_cpu(void **state)
{
	static const enum tb_compression compressions[] = { TB_ZSTD, TB_ZLIB };
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bytes b = trace_of(compressions[i], path);
		const size_t at = first_chunk(&b);

		/* longer than all the data of the CPU; no whole pages; over 256 MiB; none */
		assert_damage(path, &b, at, 1U << 30, "CPU 0 are damaged: a chunk is longer");
		assert_damage(path, &b, at + 4, 3 * PAGE + 1, "CPU 0 are damaged: a chunk is not");
		assert_damage(path, &b, at + 4, 1U << 29, "CPU 0 are damaged: a chunk is not");
		assert_damage(path, &b, at + 4, 0, "CPU 0 are damaged: a chunk is not");
		/* a page more and a page less than there is */
		assert_damage(path, &b, at + 4, 4 * PAGE, "CPU 0 are damaged: a chunk cannot");
		assert_damage(path, &b, at + 4, 2 * PAGE, "CPU 0 are damaged: a chunk cannot");
		/* the first bytes of the stream, which say what it is */
		assert_damage(path, &b, at + 8, 0, "CPU 0 are damaged: a chunk cannot");
		free(b.data);
	}
	free(path);
	tempdir_remove(dir);
}

/* The name of the compression stands behind magic, version, two sizes and the page size. */
static void a_file_that_names_the_other_compression_is_refused(void **state)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct bytes zstd = trace_of(TB_ZSTD, path), zlib = trace_of(TB_ZLIB, path);
	uint32_t name;

	(void)state;
	memcpy(&name, "zlib", 4);
	assert_damage(path, &zstd, 18, name, "damaged in its sections");
	memcpy(&name, "zstd", 4);
	assert_damage(path, &zlib, 18, name, "damaged in its sections");
	free(zstd.data);
	free(zlib.data);
	free(path);
	tempdir_remove(dir);
}

/* not const: cmocka hands them out as void * */
static char zstd_name[] = "zstd", zlib_name[] = "zlib";

#define WITH_BOTH(f)                                  \
	{ #f ": zstd", f, NULL, NULL, zstd_name },    \
	{                                             \
#f ": zlib", f, NULL, NULL, zlib_name \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_BOTH(a_packed_page_comes_back_again_and_again),
		WITH_BOTH(nothing_can_be_packed_too),
		WITH_BOTH(only_the_size_that_was_told_is_taken),
		WITH_BOTH(bytes_behind_the_end_are_damage),
		WITH_BOTH(a_bomb_ends_at_the_size_that_was_told),
		cmocka_unit_test(a_flipped_bit_of_zlib_is_found_by_its_sum),
		cmocka_unit_test(other_names_are_not_known),
		cmocka_unit_test(the_records_are_those_of_the_plain_file),
		cmocka_unit_test(a_damaged_chunk_is_refused_with_its_cpu),
		cmocka_unit_test(a_file_that_names_the_other_compression_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
