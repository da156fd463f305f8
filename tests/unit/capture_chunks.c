// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/chunks: pages of made-up CPUs, packed by one thread or many, unpacked by libzstd here. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <zstd.h>

#include "capture/chunks.h"

#define PAGE  4096U
#define CHUNK (10 * PAGE)
#define CPUS  6

static bool threads_are_refused;
static int threads_made;

/* Before the library's own: counts, and refuses if told to. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (threads_are_refused)
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	threads_made++;
	return real(thread, attr, run, arg);
}

enum content { TEXTS, NOISE };

static uint32_t draw(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* So many bytes that pack well, or not at all; never the same twice. */
static unsigned char *make_bytes(enum content content, uint64_t len, uint32_t seed)
{
	unsigned char *bytes = malloc(len + 1);

	assert_non_null(bytes);
	for (uint64_t i = 0; i < len; i++)
		bytes[i] = content == NOISE ? (unsigned char)(draw(&seed) >> 11)
			   : i % 64 < 60    ? (unsigned char)(i % 64)
					    : (unsigned char)(draw(&seed) & 3);
	return bytes;
}

struct source {
	FILE *file[CPUS];
	unsigned char *bytes[CPUS];
	struct cap_dat_cpu cpu[CPUS];
};

static void make_source(struct source *s, const unsigned int pages[CPUS], enum content content)
{
	memset(s, 0, sizeof(*s));
	for (unsigned int i = 0; i < CPUS; i++) {
		const uint64_t len = pages[i] * (uint64_t)PAGE;

		s->cpu[i].fd = -1;
		if (len == 0)
			continue;
		s->bytes[i] = make_bytes(content, len, 1000 + i);
		s->file[i] = tmpfile();
		assert_non_null(s->file[i]);
		assert_int_equal(fwrite(s->bytes[i], 1, len, s->file[i]), len);
		assert_int_equal(fflush(s->file[i]), 0);
		s->cpu[i] = (struct cap_dat_cpu){ fileno(s->file[i]), len };
	}
}

static void clear_source(struct source *s)
{
	for (unsigned int i = 0; i < CPUS; i++) {
		if (s->file[i])
			fclose(s->file[i]);
		free(s->bytes[i]);
	}
}

static struct cap_chunks chunks_of(const struct source *s, int level, unsigned int threads)
{
	return (struct cap_chunks){ { level, threads }, PAGE, CPUS, s->cpu };
}

/* The bytes of a file from its start to its end. */
static unsigned char *slurp(FILE *f, size_t *ret_len)
{
	unsigned char *bytes;

	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*ret_len = (size_t)ftell(f);
	bytes = malloc(*ret_len + 1);
	assert_non_null(bytes);
	rewind(f);
	assert_int_equal(fread(bytes, 1, *ret_len, f), *ret_len);
	return bytes;
}

/* Packs from offset 100 on; the file, and where each CPU is. */
static unsigned char *packed_by(const struct cap_chunks *c, struct cap_chunks_place *place,
				size_t *ret_len)
{
	FILE *out = tmpfile();
	unsigned char *bytes;
	uint64_t at = 100;

	assert_non_null(out);
	assert_int_equal(cap_chunks_write(fileno(out), &at, c, place), 0);
	bytes = slurp(out, ret_len);
	fclose(out);
	/* if nothing was written, nothing was put in front of it */
	assert_int_equal(at, *ret_len ? *ret_len : 100);
	return bytes;
}

static uint32_t word(const unsigned char *at)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return v;
}

/* One CPU's data are whole chunks of ten pages and the rest; returns how many. */
static uint32_t check_cpu(const unsigned char *file, struct cap_chunks_place place,
			  const unsigned char *wanted, uint64_t len)
{
	const unsigned char *at = file + place.offset + 4;
	const uint32_t n = word(at - 4);
	unsigned char plain[CHUNK];
	uint64_t done = 0;

	assert_int_equal(place.offset % PAGE, 0);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t size = len - done < CHUNK ? len - done : CHUNK;

		assert_int_equal(word(at + 4), size);
		assert_int_equal(ZSTD_decompress(plain, sizeof(plain), at + 8, word(at)), size);
		assert_memory_equal(plain, wanted + done, size);
		at += 8 + word(at);
		done += size;
	}
	assert_int_equal(done, len);
	assert_int_equal(at - file, place.offset + place.len);
	return n;
}

/* none, one, ten, eleven pages, none, 25: 0, 1, 1, 2, 0 and 3 chunks */
static const unsigned int some_pages[CPUS] = { 0, 1, 10, 11, 0, 25 };
static const uint32_t some_chunks[CPUS] = { 0, 1, 1, 2, 0, 3 };

static void check_all(enum content content, unsigned int threads)
{
	struct cap_chunks_place place[CPUS];
	struct cap_chunks c;
	struct source s;
	unsigned char *file;
	size_t len;

	make_source(&s, some_pages, content);
	c = chunks_of(&s, 3, threads);
	file = packed_by(&c, place, &len);
	for (unsigned int i = 0; i < CPUS; i++) {
		if (some_chunks[i] == 0)
			assert_true(place[i].len == 0 && place[i].offset == 0);
		else
			assert_int_equal(check_cpu(file, place[i], s.bytes[i], s.cpu[i].len),
					 some_chunks[i]);
	}
	/* what packs well is a third at most of its 47 pages, the zeros between CPUs included */
	assert_true(content == NOISE ? len > 47 * PAGE : len < 47 * PAGE / 3);
	assert_int_equal(place[5].offset + place[5].len, len);
	free(file);
	clear_source(&s);
}

static void every_cpu_is_its_chunks_of_ten_pages(void **state)
{
	(void)state;
	check_all(TEXTS, 1);
	check_all(TEXTS, 4);
}

static void what_cannot_be_packed_is_kept_as_it_is(void **state)
{
	(void)state;
	check_all(NOISE, 1);
	check_all(NOISE, 4);
}

static void nothing_is_written_where_no_cpu_has_a_page(void **state)
{
	static const unsigned int none[CPUS];
	struct cap_chunks_place place[CPUS];
	struct cap_chunks c;
	struct source s;
	size_t len;

	(void)state;
	make_source(&s, none, TEXTS);
	c = chunks_of(&s, 3, 4);
	free(packed_by(&c, place, &len));
	assert_int_equal(len, 0);
	for (unsigned int i = 0; i < CPUS; i++)
		assert_int_equal(place[i].len, 0);
}

/* 1 + 30 + 0 + 17 + 200 + 13 chunks, of which each thread may be four ahead */
static const unsigned int many_pages[CPUS] = { 3, 299, 0, 161, 2000, 121 };

static void the_bytes_do_not_depend_on_the_number_of_threads(void **state)
{
	static const unsigned int threads[] = { 2, 3, 8, 500 };
	struct cap_chunks_place place[CPUS], other_place[CPUS];
	struct cap_chunks c;
	struct source s;
	unsigned char *file;
	size_t len;

	(void)state;
	make_source(&s, many_pages, TEXTS);
	for (int level = 1; level < 8; level += 3) {
		c = chunks_of(&s, level, 1);
		threads_made = 0;
		file = packed_by(&c, place, &len);
		assert_int_equal(threads_made, 0);
		for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
			size_t other_len;
			unsigned char *other;

			c.packing.threads = threads[i];
			threads_made = 0;
			other = packed_by(&c, other_place, &other_len);
			/* beside the one that writes; not more than there are chunks */
			assert_int_equal(threads_made, threads[i] < 261 ? threads[i] - 1 : 260);
			assert_int_equal(other_len, len);
			assert_memory_equal(other, file, len);
			assert_memory_equal(other_place, place, sizeof(place));
			free(other);
		}
		free(file);
	}
	clear_source(&s);
}

static void it_goes_on_where_no_thread_can_be_had(void **state)
{
	struct cap_chunks_place place[CPUS];
	struct cap_chunks c;
	struct source s;
	unsigned char *file, *other;
	size_t len, other_len;

	(void)state;
	make_source(&s, many_pages, TEXTS);
	c = chunks_of(&s, 1, 1);
	file = packed_by(&c, place, &len);
	c.packing.threads = 4;
	threads_are_refused = true;
	other = packed_by(&c, place, &other_len);
	threads_are_refused = false;
	assert_int_equal(other_len, len);
	assert_memory_equal(other, file, len);
	free(file);
	free(other);
	clear_source(&s);
}

static void a_higher_level_packs_smaller(void **state)
{
	struct cap_chunks_place place[CPUS];
	struct cap_chunks c;
	struct source s;
	size_t low, high;

	(void)state;
	make_source(&s, some_pages, TEXTS);
	c = chunks_of(&s, 1, 2);
	free(packed_by(&c, place, &low));
	c = chunks_of(&s, CAP_PACKING_LEVEL_MAX, 2);
	free(packed_by(&c, place, &high));
	assert_true(high < low);
	clear_source(&s);
}

static void pages_of_64_kib_make_chunks_of_ten_too(void **state)
{
	static const unsigned int pages[CPUS] = { 16 * 21 };
	struct cap_chunks_place place[CPUS];
	struct source s;
	struct cap_chunks c;
	unsigned char *file;
	size_t len;

	(void)state;
	make_source(&s, pages, TEXTS);
	c = chunks_of(&s, 3, 2);
	c.page_size = 16 * PAGE;
	file = packed_by(&c, place, &len);
	assert_int_equal(place[0].offset, 16 * PAGE);
	assert_int_equal(word(file + 16 * PAGE), 3);
	assert_int_equal(word(file + 16 * PAGE + 8), 160 * PAGE);
	free(file);
	clear_source(&s);
}

/* Each of 512 CPUs has the page of one file. */
static void hundreds_of_cpus_are_packed(void **state)
{
	static struct cap_dat_cpu cpu[512];
	static struct cap_chunks_place place[512];
	static const unsigned int one[CPUS] = { 1 };
	struct cap_chunks c = { { 3, 3 }, PAGE, 512, cpu };
	struct source s;
	unsigned char *file;
	size_t len;

	(void)state;
	make_source(&s, one, TEXTS);
	for (unsigned int i = 0; i < 512; i++)
		cpu[i] = i % 3 ? s.cpu[0] : (struct cap_dat_cpu){ -1, 0 };
	file = packed_by(&c, place, &len);
	for (unsigned int i = 0; i < 512; i++) {
		if (i % 3 == 0)
			assert_int_equal(place[i].len, 0);
		else
			assert_int_equal(check_cpu(file, place[i], s.bytes[0], PAGE), 1);
	}
	free(file);
	clear_source(&s);
}

/* The last CPU's file ends a page, or ten, or all its pages early. */
static void a_page_file_that_is_too_short_is_an_error(void **state)
{
	static const unsigned int missing[] = { 1, 10, 121 };
	struct cap_chunks_place place[CPUS];
	struct source s;

	(void)state;
	make_source(&s, many_pages, TEXTS);
	for (size_t i = 0; i < 6; i++) {
		const struct cap_chunks c = chunks_of(&s, 1, i % 2 ? 4 : 1);
		FILE *out = tmpfile();
		uint64_t at = 0;

		assert_non_null(out);
		assert_int_equal(ftruncate(s.cpu[5].fd, (121L - missing[i / 2]) * PAGE), 0);
		assert_int_equal(cap_chunks_write(fileno(out), &at, &c, place), -EIO);
		fclose(out);
	}
	clear_source(&s);
}

/* The kernel lets the file grow to so many bytes and no further. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_write_that_fails_anywhere_is_an_error(void **state)
{
	struct cap_chunks_place place[CPUS];
	struct source s;
	struct cap_chunks c;
	size_t len;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	make_source(&s, many_pages, TEXTS);
	c = chunks_of(&s, 1, 1);
	free(packed_by(&c, place, &len));
	for (size_t room = 0; room < len; room += len / 20) {
		FILE *out = tmpfile();
		uint64_t at = 100;
		int r;

		c.packing.threads = 1 + (room / (len / 20)) % 4;
		assert_non_null(out);
		limit_files(room);
		r = cap_chunks_write(fileno(out), &at, &c, place);
		limit_files(RLIM_INFINITY);
		assert_int_equal(r, -EFBIG);
		fclose(out);
	}
	clear_source(&s);
}

static void a_flipped_bit_is_found_by_the_sum(void **state)
{
	unsigned char *bytes = make_bytes(NOISE, PAGE, 7), *packed, plain[PAGE];
	size_t len;

	(void)state;
	assert_int_equal(cap_chunks_pack(bytes, PAGE, 3, &packed, &len), 0);
	assert_int_equal(word(packed), len - 8);
	assert_int_equal(word(packed + 4), PAGE);
	assert_int_equal(ZSTD_decompress(plain, PAGE, packed + 8, len - 8), PAGE);
	assert_memory_equal(plain, bytes, PAGE);
	/* noise is stored as it is: without a sum this would go unseen */
	packed[8 + len / 2] ^= 1;
	assert_true(ZSTD_isError(ZSTD_decompress(plain, PAGE, packed + 8, len - 8)));
	free(packed);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cpu_is_its_chunks_of_ten_pages),
		cmocka_unit_test(what_cannot_be_packed_is_kept_as_it_is),
		cmocka_unit_test(nothing_is_written_where_no_cpu_has_a_page),
		cmocka_unit_test(the_bytes_do_not_depend_on_the_number_of_threads),
		cmocka_unit_test(it_goes_on_where_no_thread_can_be_had),
		cmocka_unit_test(a_higher_level_packs_smaller),
		cmocka_unit_test(pages_of_64_kib_make_chunks_of_ten_too),
		cmocka_unit_test(hundreds_of_cpus_are_packed),
		cmocka_unit_test(a_page_file_that_is_too_short_is_an_error),
		cmocka_unit_test(a_write_that_fails_anywhere_is_an_error),
		cmocka_unit_test(a_flipped_bit_is_found_by_the_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
