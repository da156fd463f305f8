// SPDX-License-Identifier: GPL-3.0-or-later
/* Files that are no traces, or damaged ones, are refused with a sentence; nothing crashes. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "analyze/trace/merge.h"
#include "tests/lib/builder.h"
#include "tests/lib/kinds.h"
#include "tests/lib/tempdir.h"

struct scene {
	char *dir, *path;
};

struct bytes {
	char *data;
	size_t size;
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

static void put_file(const struct scene *s, const void *data, size_t size)
{
	FILE *f = fopen(s->path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static struct bytes get_file(const struct scene *s)
{
	FILE *f = fopen(s->path, "rb");
	struct bytes b;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	b.size = (size_t)ftell(f);
	rewind(f);
	b.data = malloc(b.size);
	assert_non_null(b.data);
	assert_int_equal(fread(b.data, 1, b.size, f), b.size);
	fclose(f);
	return b;
}

/* Reads the file to its end. 0, or the negative errno of the first failure. */
static int read_all(const char *path, struct fcap_err *err, uint64_t *ret_records)
{
	struct fan_file *f = NULL;
	struct fan_merge *m = NULL;
	const struct fan_record *rec;
	volatile unsigned char sink = 0;
	int r;

	*ret_records = 0;
	r = fan_file_open(&f, path, err);
	if (r == 0)
		r = fan_merge_open(&m, f, err);
	if (r == 0) {
		while ((r = fan_merge_next(m, &rec, err)) > 0) {
			/* every byte handed out can be read */
			for (uint32_t i = 0; i < rec->size; i++)
				sink = ((const unsigned char *)rec->data)[i];
			++*ret_records;
		}
		fan_merge_close(m);
	}
	if (f)
		fan_file_close(f);
	(void)sink;
	return r;
}

/* The file is refused with this errno and a sentence that holds this word. */
static void assert_refused(const char *path, int code, const char *word)
{
	struct fcap_err err = { 0 };
	uint64_t records;

	assert_int_equal(read_all(path, &err, &records), -code);
	assert_int_equal(err.code, code);
	if (err.text[0] == '\0' || !strstr(err.text, word))
		fail_msg("\"%s\" does not say \"%s\"", err.text, word);
}

static void an_empty_file_is_refused(void **state)
{
	struct scene *s = *state;

	put_file(s, "", 0);
	assert_refused(s->path, EINVAL, "empty");
}

static void a_text_file_is_refused(void **state)
{
	static const char text[] = "# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0\n";
	struct scene *s = *state;

	put_file(s, text, sizeof(text) - 1);
	assert_refused(s->path, EINVAL, "not a trace.dat");
	for (size_t n = 1; n < 12; n++) {
		put_file(s, text, n);
		assert_refused(s->path, EINVAL, "not a trace.dat");
	}
}

/* What a trace is often packed in, or mistaken for. */
static void files_of_other_kinds_are_named(void **state)
{
	static const struct {
		const char *data, *word;
		size_t n;
	} files[] = {
		{ "PERFILE2\x68\0\0\0", "perf.data", 12 },
		{ "\x1f\x8b\x08\0\0\0\0\0", "gunzip", 8 },
		{ "\xfd"
		  "7zXZ\0\0\4",
		  "unxz", 8 },
		{ "\x28\xb5\x2f\xfd\4\0", "unzstd", 6 },
		{ "PK\3\4\24\0", "unzip", 6 },
		{ "\0\5\x16\7\0\2\0\0Mac OS X", "AppleDouble", 16 },
		{ "\x7f"
		  "ELF\2\1\1",
		  "ELF", 7 },
		{ "# tracer: nop\n#\n", "text", 16 },
		{ "BZh91AY&SY", "bunzip2", 10 },
		{ "\xd4\xc3\xb2\xa1\2\0\4\0", "pcap", 8 },
		{ "\x0a\x0d\x0d\x0a\x1c\0\0\0", "pcapng", 8 },
		{ "/annex/objects/SHA256E-s1597440--4d7a2146", "git annex get", 41 },
		{ "../.git/annex/objects/K1/p9/SHA256E", "git annex get", 35 },
		{ "\x17\x08\x43tracing6", "not a trace.dat", 11 },
	};
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		put_file(s, files[i].data, files[i].n);
		assert_refused(s->path, EINVAL, files[i].word);
	}
}

static void a_git_lfs_pointer_is_named_as_such(void **state)
{
	static const char text[] =
		"version https://git-lfs.github.com/spec/v1\n"
		"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
		"size 1597440\n";
	struct scene *s = *state;

	put_file(s, text, sizeof(text) - 1);
	assert_refused(s->path, EINVAL, "LFS");
}

static void a_directory_and_a_missing_file_are_refused(void **state)
{
	struct scene *s = *state;

	assert_refused(s->dir, EINVAL, "regular");
	assert_refused(s->path, ENOENT, "No such file");
}

static void another_version_and_another_compression_are_refused(void **state)
{
	struct scene *s = *state;
	struct bytes b;
	struct tb *tb;
	char *name;

	tb = tb_new(1, 7, TB_ZSTD);
	tb_kvm_fpu(tb, tb_by(0, 10, 1), 1);
	assert_int_equal(tb_write(tb, s->path), 0);
	tb_free(tb);
	b = get_file(s);
	b.data[10] = '8';
	put_file(s, b.data, b.size);
	assert_refused(s->path, EINVAL, "\"8\"");
	b.data[10] = '7';
	name = memmem(b.data, b.size, "zstd", 5);
	assert_non_null(name);
	memcpy(name, "lzop", sizeof("lzop"));
	put_file(s, b.data, b.size);
	assert_refused(s->path, ENOTSUP, "lzop");
	free(b.data);
}

#define RECORDS 600

/* 500 records on two CPUs, 100 markers; the bytes of the file are the caller's to free. */
static struct bytes sound_file(const struct scene *s, size_t kind)
{
	const struct tb_task vm1 = { 101, "CPU 0/KVM", 0 };
	struct tb *tb = tb_new_kind(&tb_kinds[kind], 2);
	struct fcap_err err = { 0 };
	uint64_t n;

	tb_set_pages_per_chunk(tb, 2);
	for (uint64_t i = 0; i < 250; i++) {
		tb_switch(tb, tb_at(0, 1000 + 2 * i), tb_idle, TB_R, vm1);
		tb_wakeup(tb, tb_at(1, 1000 + 3 * i), vm1, 1);
	}
	for (uint64_t i = 0; i < 100; i++)
		tb_marker(tb, 1000 + i, "fcap: steal tid=101 run=%d delay=0 n=0", (int)i);
	assert_int_equal(tb_write(tb, s->path), 0);
	tb_free(tb);
	assert_int_equal(read_all(s->path, &err, &n), 0);
	assert_int_equal(n, RECORDS);
	return get_file(s);
}

static size_t place_of(const struct bytes *b, const char *text, size_t len)
{
	const char *p = memmem(b->data, b->size, text, len);

	assert_non_null(p);
	return (size_t)(p - b->data);
}

static void assert_cuts_refused(const struct scene *s, const struct bytes *b, const size_t *cuts,
				size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_true(cuts[i] < b->size);
		put_file(s, b->data, cuts[i]);
		assert_refused(s->path, EINVAL, cuts[i] < 10 ? "not a trace.dat" : "cut off");
	}
}

static void a_cut_version_6_file_is_refused(void **state)
{
	struct scene *s = *state;
	struct bytes b = sound_file(s, 0);
	const size_t table = place_of(&b, "flyrecord", 10);
	const size_t cuts[] = {
		5,
		11, /* the version without its end */
		15,
		place_of(&b, "header_event", 13) + 40,
		place_of(&b, "name: sched_wakeup\n", 19),
		place_of(&b, "101 CPU 0/KVM\n", 14) + 3,
		place_of(&b, "options  ", 10) + 12,
		place_of(&b, "testhost", 8) + 2,
		table + 10 + 20,
		table + 400,
		b.size / 2,
		b.size - 4096,
		b.size - 1,
	};

	assert_cuts_refused(s, &b, cuts, sizeof(cuts) / sizeof(cuts[0]));
	free(b.data);
}

/* The strings that name the sections come last, and nobody needs them. */
static size_t needed_size(const struct bytes *b)
{
	size_t last = 0;

	/* the options' end: an option of id 0 and size 8 whose value, the next block, is 0 */
	for (size_t i = 0; i + 14 <= b->size; i++)
		if (memcmp(b->data + i, "\0\0\10\0\0\0\0\0\0\0\0\0\0\0", 14) == 0)
			last = i + 14;
	assert_true(last > 0);
	return last;
}

static void a_cut_version_7_file_is_refused(void **state)
{
	struct scene *s = *state;

	for (size_t k = 1; k < TB_KINDS; k++) {
		struct bytes b = sound_file(s, k);
		const size_t needed = needed_size(&b);
		size_t cuts[10] = { 5, 12, 17, 30, 60 };

		for (size_t i = 5; i < 9; i++)
			cuts[i] = needed * (i - 4) / 5;
		cuts[9] = needed - 1;
		assert_cuts_refused(s, &b, cuts, 10);
		free(b.data);
	}
}

static void a_version_7_file_cut_in_its_pages_is_refused(void **state)
{
	struct scene *s = *state;
	struct bytes b = sound_file(s, 1);
	/* the text of a marker stands in a page of the second buffer */
	const size_t cuts[] = {
		place_of(&b, "fcap: steal tid=101 run=50 ", 27),
		place_of(&b, "swapper/0", 9),
	};

	assert_cuts_refused(s, &b, cuts, 2);
	free(b.data);
}

static uint64_t pick(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*seed >> 33) % n;
}

/* Whatever a flipped bit does: a sentence, or at most as many records as a file can hold. */
static void read_flipped(const struct scene *s, const struct bytes *b, size_t at, unsigned int bit)
{
	struct fcap_err err = { 0 };
	uint64_t n;
	int r;

	b->data[at] = (char)(b->data[at] ^ 1 << bit);
	put_file(s, b->data, b->size);
	b->data[at] = (char)(b->data[at] ^ 1 << bit);
	r = read_all(s->path, &err, &n);
	if (n > b->size)
		fail_msg("bit %u of byte %zu: %" PRIu64 " records", bit, at, n);
	if (r == 0)
		return;
	if ((r != -EINVAL && r != -ENOTSUP) || err.code != -r || err.text[0] == '\0')
		fail_msg("bit %u of byte %zu: %d, \"%s\"", bit, at, r, err.text);
}

static void flipped_bits_end_in_a_sentence_or_in_records(void **state)
{
	const char *given = getenv("FCAP_TEST_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
	struct scene *s = *state;

	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (size_t k = 0; k < TB_KINDS; k++) {
		struct bytes b = sound_file(s, k);

		for (int i = 0; i < 200; i++)
			read_flipped(s, &b, pick(&seed, b.size), (unsigned int)pick(&seed, 8));
		free(b.data);
	}
}

static void flipped_bits_in_the_head_end_in_a_sentence_or_in_records(void **state)
{
	struct scene *s = *state;

	for (size_t k = 0; k < TB_KINDS; k++) {
		struct bytes b = sound_file(s, k);

		for (size_t at = 0; at < 64; at++)
			read_flipped(s, &b, at, at % 8);
		free(b.data);
	}
}

/* A page that says it holds more than it can. */
static void an_overlong_page_is_refused(void **state)
{
	struct scene *s = *state;
	struct bytes b = sound_file(s, 0);
	const size_t page = place_of(&b, "swapper/0", 9) / 4096 * 4096;
	uint64_t commit = 4080 + 8;
	char place[64];

	snprintf(place, sizeof(place), "(page at byte %zu)", page);
	memcpy(b.data + page + 8, &commit, sizeof(commit));
	put_file(s, b.data, b.size);
	assert_refused(s->path, EINVAL, "CPU 0");
	assert_refused(s->path, EINVAL, place);
	commit = 4080 | 1ULL << 31 | 1ULL << 30; /* no room for the count */
	memcpy(b.data + page + 8, &commit, sizeof(commit));
	put_file(s, b.data, b.size);
	assert_refused(s->path, EINVAL, "CPU 0");
	free(b.data);
}

static void an_event_that_leaves_its_page_is_refused(void **state)
{
	static const uint32_t words[][2] = {
		{ 0, 5000 },		   /* long record over the end */
		{ 0, 3 },		   /* shorter than its own length word */
		{ 29 | 1 << 5, 1U << 31 }, /* discarded record over the end */
	};
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct bytes b = sound_file(s, 0);
		const size_t page = place_of(&b, "swapper/0", 9) / 4096 * 4096;

		memcpy(b.data + page + 16, words[i], 8);
		put_file(s, b.data, b.size);
		assert_refused(s->path, EINVAL, "CPU 0");
		free(b.data);
	}
}

/* Nobody asks for them, so that they are not unzipped: a head of 16 bytes, its last 8 the size. */
static void symbols_that_cannot_be_unzipped_do_no_harm(void **state)
{
	struct scene *s = *state;

	for (size_t k = 2; k < TB_KINDS; k++) {
		struct bytes b = sound_file(s, k);
		const size_t head = place_of(&b, "\x13\0\1\0", 4); /* kallsyms, zipped */
		struct fcap_err err = { 0 };
		uint64_t size, n;

		memcpy(&size, b.data + head + 8, sizeof(size));
		assert_in_range(size, 9, 100);
		memset(b.data + head + 16, 0xff, size);
		put_file(s, b.data, b.size);
		assert_int_equal(read_all(s->path, &err, &n), 0);
		assert_int_equal(n, RECORDS);
		free(b.data);
	}
}

#define IN_SCENE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCENE(an_empty_file_is_refused),
		IN_SCENE(a_text_file_is_refused),
		IN_SCENE(files_of_other_kinds_are_named),
		IN_SCENE(a_git_lfs_pointer_is_named_as_such),
		IN_SCENE(a_directory_and_a_missing_file_are_refused),
		IN_SCENE(another_version_and_another_compression_are_refused),
		IN_SCENE(a_cut_version_6_file_is_refused),
		IN_SCENE(a_cut_version_7_file_is_refused),
		IN_SCENE(a_version_7_file_cut_in_its_pages_is_refused),
		IN_SCENE(flipped_bits_end_in_a_sentence_or_in_records),
		IN_SCENE(flipped_bits_in_the_head_end_in_a_sentence_or_in_records),
		IN_SCENE(an_overlong_page_is_refused),
		IN_SCENE(an_event_that_leaves_its_page_is_refused),
		IN_SCENE(symbols_that_cannot_be_unzipped_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
