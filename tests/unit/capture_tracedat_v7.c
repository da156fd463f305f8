// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * capture/tracedat_v7: the file that is compressed says what the one of version 6 says, to our
 * reader, to libtracecmd and to trace-cmd.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "capture/marks.h"
#include "tests/lib/run.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/dat_made.h"
#include "tests/unit/second_opinion.h"

#define NCPU 6

struct made {
	char *dir, *plain, *packed;
	FILE *pages[NCPU + 1]; /* the last one: the second buffer's */
	struct cap_dat_cpu cpu[NCPU], second[NCPU];
	struct cap_dat dat;
};

/* n lines at first_ns, first_ns + 100... Three of 1300 bytes, 1328 as records, fill a page. */
static struct cap_dat_cpu make_pages(FILE **ret, const char *name, int n, uint64_t first_ns)
{
	struct cap_marks_layout layout;
	struct cap_dat_cpu cpu;
	struct cap_marks *m;
	char text[1301];

	*ret = tmpfile();
	assert_non_null(*ret);
	assert_int_equal(cap_marks_layout_parse(header_page, print_format, &layout, NULL), 0);
	assert_int_equal(cap_marks_open(&m, &layout, fileno(*ret), 42), 0);
	for (int i = 0; i < n; i++) {
		const int len = snprintf(text, sizeof(text), "%s line %d ", name, i);

		memset(text + len, ' ', sizeof(text) - (size_t)len);
		text[1300] = '\0';
		assert_int_equal(cap_marks_append_at(m, first_ns + 100 * (uint64_t)i, text), 0);
	}
	assert_int_equal(cap_marks_flush(m), 0);
	cpu = (struct cap_dat_cpu){ fileno(*ret), cap_marks_bytes(m) };
	assert_int_equal(cpu.len, (n + 2) / 3 * PAGE);
	cap_marks_close(m);
	return cpu;
}

/* One page on CPU 0, 25 on 2, ten on 3; none on 1, 4 and 5; two pages of markers. */
static int make(void **state)
{
	struct made *f = calloc(1, sizeof(*f));

	f->dir = tempdir_new();
	f->plain = tempdir_file(f->dir, "v6.dat");
	f->packed = tempdir_file(f->dir, "v7.dat");
	for (int i = 0; i < NCPU; i++)
		f->cpu[i].fd = f->second[i].fd = -1;
	f->cpu[0] = make_pages(&f->pages[0], "cpu0", 2, 1000);
	f->cpu[2] = make_pages(&f->pages[2], "cpu2", 75, 1020);
	f->cpu[3] = make_pages(&f->pages[3], "cpu3", 30, 1030);
	f->second[0] = make_pages(&f->pages[NCPU], "fcap:", 5, 950);
	f->dat = dat_made();
	f->dat.ncpu = NCPU;
	f->dat.cpu = f->cpu;
	f->dat.second_name = "fcap";
	f->dat.second = f->second;
	*state = f;
	return 0;
}

static int unmake(void **state)
{
	struct made *f = *state;

	for (int i = 0; i <= NCPU; i++)
		if (f->pages[i])
			fclose(f->pages[i]);
	free(f->plain);
	free(f->packed);
	tempdir_remove(f->dir);
	free(f);
	return 0;
}

static void write_to(const char *path, struct cap_dat *dat, struct cap_packing packing)
{
	FILE *out = fopen(path, "w");

	dat->packing = packing;
	assert_non_null(out);
	assert_int_equal(cap_dat_write(fileno(out), dat, NULL), 0);
	assert_int_equal(fclose(out), 0);
}

static void write_both(struct made *f)
{
	write_to(f->plain, &f->dat, (struct cap_packing){ 0, 0 });
	write_to(f->packed, &f->dat, (struct cap_packing){ 3, 2 });
}

static struct fan_file *open_made(const char *path)
{
	struct fcap_err err = { 0 };
	struct fan_file *file;

	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	return file;
}

static void our_reader_finds_every_record_of_version_6(void **state)
{
	struct made *f = *state;
	struct fan_file *file[2];
	struct fan_merge *m[2];
	const struct fan_record *rec[2];
	struct fcap_err err = { 0 };
	int n = 0;

	write_both(f);
	file[0] = open_made(f->plain);
	file[1] = open_made(f->packed);
	for (int i = 0; i < 2; i++)
		assert_int_equal(fan_merge_open(&m[i], file[i], &err), 0);
	while (fan_merge_next(m[0], &rec[0], &err) > 0) {
		assert_int_equal(fan_merge_next(m[1], &rec[1], &err), 1);
		assert_true(rec[0]->ts_ns == rec[1]->ts_ns && rec[0]->cpu == rec[1]->cpu &&
			    rec[0]->buffer == rec[1]->buffer && rec[0]->size == rec[1]->size);
		assert_memory_equal(rec[0]->data, rec[1]->data, rec[0]->size);
		n++;
	}
	assert_int_equal(fan_merge_next(m[1], &rec[1], &err), 0);
	assert_int_equal(err.code, 0);
	assert_int_equal(n, 2 + 75 + 30 + 5);
	for (int i = 0; i < 2; i++) {
		fan_merge_close(m[i]);
		fan_file_close(file[i]);
	}
}

static void libtracecmd_finds_every_record_in_both_buffers(void **state)
{
	struct made *f = *state;
	uint64_t records[2];

	write_both(f);
	compare_file(f->packed, true, records);
	assert_int_equal(records[0], 2 + 75 + 30);
	assert_int_equal(records[1], 5);
}

static void assert_same_blob(const struct fan_blob *a, const struct fan_blob *b)
{
	assert_true(a->data && b->data);
	assert_int_equal(a->size, b->size);
	assert_memory_equal(a->data, b->data, a->size);
}

static void texts_names_and_options_are_those_of_version_6(void **state)
{
	struct made *f = *state;
	const uint32_t ncpu = NCPU;
	struct fan_file *a, *b;

	write_both(f);
	a = open_made(f->plain);
	b = open_made(f->packed);
	assert_true(a->version == 6 && b->version == 7);
	assert_string_equal(b->compression, "zstd");
	assert_string_equal(b->kernel, "6.1");
	assert_true(a->page_size == PAGE && b->page_size == PAGE);
	assert_true(a->cpus == NCPU && b->cpus == NCPU);
	assert_same_blob(&a->header_page, &b->header_page);
	assert_same_blob(&a->header_event, &b->header_event);
	assert_same_blob(&a->cmdlines, &b->cmdlines);
	assert_true(a->nformats == 2 && b->nformats == 2);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(a->formats[i].system, b->formats[i].system);
		assert_same_blob(&a->formats[i].text, &b->formats[i].text);
	}
	/* before the four comes the number of CPUs, which version 6 has in its head */
	assert_true(a->noptions == 4 && b->noptions == 5);
	assert_true(b->options[0].id == 8 && b->options[0].data.size == 4);
	assert_memory_equal(b->options[0].data.data, &ncpu, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(a->options[i].id, b->options[i + 1].id);
		assert_same_blob(&a->options[i].data, &b->options[i + 1].data);
	}
	fan_file_close(a);
	fan_file_close(b);
}

static void buffers_name_the_cpus_that_have_pages(void **state)
{
	static const int32_t cpus[] = { 0, 2, 3 };
	struct made *f = *state;
	struct fan_file *file;

	write_both(f);
	file = open_made(f->packed);
	assert_int_equal(file->nbuffers, 2);
	assert_string_equal(file->buffers[0].name, "");
	assert_string_equal(file->buffers[1].name, "fcap");
	assert_int_equal(file->buffers[0].ncpus, 3);
	assert_int_equal(file->buffers[1].ncpus, 1);
	assert_int_equal(file->buffers[1].cpus[0].cpu, 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(file->buffers[0].cpus[i].cpu, cpus[i]);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(file->buffers[i].clock, "mono");
		assert_true(file->buffers[i].compressed && file->buffers[i].page_size == PAGE);
		assert_int_equal(file->buffers[i].cpus[0].offset % PAGE, 0);
	}
	fan_file_close(file);
}

/* Cuts out what trace-cmd report says of CPUs instead of records: which are empty. */
static char *without_notes(char *text)
{
	char *to = text;

	for (char *p = text, *next; *p; p = next) {
		next = strchrnul(p, '\n');
		next += *next == '\n';
		if (strncmp(p, "CPU ", 4) == 0)
			continue;
		memmove(to, p, (size_t)(next - p));
		to += next - p;
	}
	*to = '\0';
	return text;
}

static void trace_cmd_reports_the_same_in_silence(void **state)
{
	struct made *f = *state;
	struct run_output a, b;

	write_both(f);
	run_program(&a, (const char *const[]){ "trace-cmd", "report", "-N", "-i", f->plain, NULL });
	run_program(&b,
		    (const char *const[]){ "trace-cmd", "report", "-N", "-i", f->packed, NULL });
	if (a.status == 127) {
		print_message("# no trace-cmd here: read back by libtracecmd alone\n");
	} else {
		assert_true(a.status == 0 && b.status == 0);
		assert_string_equal(b.err, "");
		assert_non_null(strstr(b.out, "cpu2 line 74 "));
		assert_non_null(strstr(b.out, "fcap: line 4 "));
		assert_string_equal(without_notes(b.out), without_notes(a.out));
	}
	run_output_free(&a);
	run_output_free(&b);
}

static void markers_may_be_all_there_is(void **state)
{
	struct made *f = *state;
	uint64_t records[2];

	for (int i = 0; i < NCPU; i++)
		f->cpu[i] = (struct cap_dat_cpu){ -1, 0 };
	write_both(f);
	compare_file(f->packed, true, records);
	assert_true(records[0] == 0 && records[1] == 5);
}

static void there_may_be_one_buffer_only(void **state)
{
	struct made *f = *state;
	uint64_t records[2];

	f->dat.second_name = NULL;
	f->dat.second = NULL;
	write_both(f);
	compare_file(f->packed, true, records);
	assert_true(records[0] == 107 && records[1] == 0);
}

static char *slurp(const char *path, size_t *ret_len)
{
	FILE *in = fopen(path, "r");
	struct stat st;
	char *bytes;

	assert_non_null(in);
	assert_int_equal(fstat(fileno(in), &st), 0);
	*ret_len = (size_t)st.st_size;
	bytes = malloc(*ret_len);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *ret_len, in), *ret_len);
	fclose(in);
	return bytes;
}

static void one_thread_and_many_write_the_same_file(void **state)
{
	struct made *f = *state;
	char *one, *many;
	size_t len, len2;

	write_to(f->plain, &f->dat, (struct cap_packing){ 3, 1 });
	write_to(f->packed, &f->dat, (struct cap_packing){ 3, 8 });
	one = slurp(f->plain, &len);
	many = slurp(f->packed, &len2);
	assert_int_equal(len, len2);
	assert_memory_equal(one, many, len);
	/* 38 pages of 4096 bytes, nearly all blanks, and a page or two of padding for each CPU */
	assert_true(len < 8 * PAGE);
	free(one);
	free(many);
}

static void the_head_is_as_documented(void **state)
{
	/* magic, "tracing", version, little-endian, long of 8, page size, compression */
	static const char head[] = "\x17\x08\x44tracing7\0\0\x08\0\x10\0\0zstd";
	struct made *f = *state;
	char *bytes;
	size_t len;

	write_both(f);
	bytes = slurp(f->packed, &len);
	assert_memory_equal(bytes, head, sizeof(head));
	free(bytes);
}

struct section {
	uint16_t id, flags;
	uint32_t name;
	uint64_t size;
} __attribute__((packed));

/* Behind the head, with the version of zstd as a text and eight bytes, one after the other. */
static void sections_follow_each_other_and_have_names(void **state)
{
	static const struct {
		uint16_t id, flags;
		const char *name;
	} wanted[] = {
		{ 16, 1, "headers" },	       { 17, 1, "ftrace events" },
		{ 18, 1, "events format" },    { 19, 1, "kallsyms" },
		{ 20, 1, "printk" },	       { 21, 1, "command lines" },
		{ 3, 1, "buffer flyrecord " }, { 3, 1, "buffer flyrecord fcap" },
		{ 0, 0, "options" },	       { 15, 1, "strings" },
	};
	const size_t n = sizeof(wanted) / sizeof(wanted[0]);
	struct made *f = *state;
	struct section s[sizeof(wanted) / sizeof(wanted[0])];
	char *bytes, names[256];
	size_t len, at = 23 + strlen(ZSTD_versionString()) + 1 + 8;

	write_both(f);
	bytes = slurp(f->packed, &len);
	for (size_t i = 0; i < n; i++) {
		assert_true(at + sizeof(s[i]) <= len);
		memcpy(&s[i], bytes + at, sizeof(s[i]));
		assert_true(s[i].id == wanted[i].id && s[i].flags == wanted[i].flags);
		assert_true(s[i].size <= len - at - sizeof(s[i]));
		at += sizeof(s[i]) + s[i].size;
	}
	assert_int_equal(at, len);
	/* the last one, behind its two sizes */
	at -= s[n - 1].size;
	assert_int_equal(ZSTD_decompress(names, sizeof(names), bytes + at + 8, len - at - 8),
			 s[n - 1].name + sizeof("strings"));
	for (size_t i = 0; i < n; i++)
		assert_string_equal(names + s[i].name, wanted[i].name);
	free(bytes);
}

static int write_badly(struct made *f, FILE *out, unsigned int threads, struct fcap_err *err)
{
	assert_non_null(out);
	f->dat.packing = (struct cap_packing){ 1, threads };
	return cap_dat_write(fileno(out), &f->dat, err);
}

static void a_page_file_that_is_too_short_is_an_error(void **state)
{
	struct made *f = *state;
	struct fcap_err err = { 0 };
	FILE *out = fopen(f->packed, "w");

	f->cpu[3].len += PAGE;
	assert_int_equal(write_badly(f, out, 2, &err), -EIO);
	assert_int_equal(err.code, EIO);
	fclose(out);
}

static void a_full_disk_is_an_error(void **state)
{
	struct made *f = *state;
	FILE *out = fopen("/dev/full", "w");

	if (!out)
		fail_msg("this machine has no /dev/full");
	assert_int_equal(write_badly(f, out, 2, NULL), -ENOSPC);
	fclose(out);
}

/* What is there then is never taken for a whole file. */
static void a_write_that_fails_anywhere_leaves_no_valid_file(void **state)
{
	struct made *f = *state;
	struct rlimit limit;
	char *bytes;
	size_t len;

	signal(SIGXFSZ, SIG_IGN);
	write_to(f->packed, &f->dat, (struct cap_packing){ 1, 1 });
	bytes = slurp(f->packed, &len);
	free(bytes);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t room = 0; room < len; room += 97) {
		const struct rlimit tight = { room, limit.rlim_max };
		struct fcap_err err = { 0 };
		FILE *out = fopen(f->packed, "w");
		struct fan_file *file;
		int r;

		assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
		r = write_badly(f, out, 1 + room % 3, NULL);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		assert_int_equal(r, -EFBIG);
		fclose(out);
		assert_int_equal(fan_file_open(&file, f->packed, &err), -EINVAL);
	}
}

#define OF_MADE(test) cmocka_unit_test_setup_teardown(test, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OF_MADE(our_reader_finds_every_record_of_version_6),
		OF_MADE(libtracecmd_finds_every_record_in_both_buffers),
		OF_MADE(texts_names_and_options_are_those_of_version_6),
		OF_MADE(buffers_name_the_cpus_that_have_pages),
		OF_MADE(trace_cmd_reports_the_same_in_silence),
		OF_MADE(markers_may_be_all_there_is),
		OF_MADE(there_may_be_one_buffer_only),
		OF_MADE(one_thread_and_many_write_the_same_file),
		OF_MADE(the_head_is_as_documented),
		OF_MADE(sections_follow_each_other_and_have_names),
		OF_MADE(a_page_file_that_is_too_short_is_an_error),
		OF_MADE(a_full_disk_is_an_error),
		OF_MADE(a_write_that_fails_anywhere_leaves_no_valid_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
