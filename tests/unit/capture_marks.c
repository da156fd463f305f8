// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/marks: pages decoded by hand (little-endian, as every machine that runs them here). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/marks.h"

#define PAGE 4096

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
static const char print_format[] =
	"name: print\nID: 5\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n";

struct page {
	struct cap_marks *marks;
	FILE *file;
	unsigned char at[PAGE * 4];
};

static int open_page(void **state)
{
	struct page *p = calloc(1, sizeof(*p));
	struct cap_marks_layout layout;

	p->file = tmpfile();
	if (!p->file || cap_marks_layout_parse(header_page, print_format, &layout, NULL) < 0)
		return -1;
	*state = p;
	return cap_marks_open(&p->marks, &layout, fileno(p->file), 4711);
}

static int close_page(void **state)
{
	struct page *p = *state;

	cap_marks_close(p->marks);
	fclose(p->file);
	free(p);
	return 0;
}

static void fetch(struct page *p)
{
	assert_int_equal(cap_marks_flush(p->marks), 0);
	assert_true(pread(fileno(p->file), p->at, sizeof(p->at), 0) ==
		    (ssize_t)cap_marks_bytes(p->marks));
}

static uint64_t word(const struct page *p, size_t at, size_t size)
{
	uint64_t v = 0;

	for (size_t i = size; i-- > 0;)
		v = v << 8 | p->at[at + i];
	return v;
}

static void the_layout_comes_from_the_formats(void **state)
{
	struct cap_marks_layout l;

	(void)state;
	assert_int_equal(cap_marks_layout_parse(header_page, print_format, &l, NULL), 0);
	assert_int_equal(l.page_size, 4096);
	assert_int_equal(l.commit_at, 8);
	assert_int_equal(l.commit_size, 8);
	assert_int_equal(l.data_at, 16);
	assert_int_equal(l.type, 5);
	assert_int_equal(l.type_at, 0);
	assert_int_equal(l.pid_at, 4);
	assert_int_equal(l.text_at, 16);
}

static void a_32_bit_kernel_has_its_text_earlier(void **state)
{
	static const char page[] = "field: local_t commit; offset:8; size:4; signed:1;\n"
				   "field: char data; offset:12; size:4084; signed:0;\n";
	static const char print[] = "ID: 9\nfield:unsigned short common_type; offset:0; size:2;\n"
				    "field:int common_pid; offset:4; size:4;\n"
				    "field:char buf[]; offset:12; size:0;\n";
	struct cap_marks_layout l;

	(void)state;
	assert_int_equal(cap_marks_layout_parse(page, print, &l, NULL), 0);
	assert_int_equal(l.page_size, 4096);
	assert_int_equal(l.commit_size, 4);
	assert_int_equal(l.text_at, 12);
	assert_int_equal(l.type, 9);
}

static void formats_that_lack_a_field_are_refused(void **state)
{
	struct fcap_err err = { 0 };
	struct cap_marks_layout l;

	(void)state;
	assert_int_equal(cap_marks_layout_parse("", print_format, &l, &err), -EINVAL);
	assert_int_equal(cap_marks_layout_parse(header_page, "ID: 5\n", &l, &err), -EINVAL);
	assert_int_equal(err.code, EINVAL);
	/* data begins inside the commit field */
	assert_int_equal(cap_marks_layout_parse("field: local_t commit; offset:8; size:8;\n"
						"field: char data; offset:12; size:4084;\n",
						print_format, &l, &err),
			 -EINVAL);
}

static void the_first_record_carries_the_time_of_the_page(void **state)
{
	struct page *p = *state;

	assert_int_equal(cap_marks_append_at(p->marks, 1000000000, "fcap: a"), 0);
	fetch(p);
	assert_int_equal(cap_marks_bytes(p->marks), PAGE);
	assert_true(word(p, 0, 8) == 1000000000);
	/* 16 bytes of fields, 7 of text, newline, NUL: 25, rounded up to 28 = 7 words */
	assert_int_equal(word(p, 8, 8), 4 + 28);
	assert_int_equal(word(p, 16, 4), 7);
	assert_int_equal(word(p, 20, 2), 5);
	assert_int_equal(word(p, 24, 4), 4711);
	assert_int_equal(word(p, 28, 8), 0);
	assert_string_equal((const char *)p->at + 36, "fcap: a\n");
}

static void the_next_record_carries_a_delta(void **state)
{
	struct page *p = *state;

	assert_int_equal(cap_marks_append_at(p->marks, 1000, "fcap: a"), 0);
	assert_int_equal(cap_marks_append_at(p->marks, 1100, "fcap: b"), 0);
	fetch(p);
	assert_int_equal(word(p, 8, 8), 2 * (4 + 28));
	assert_int_equal(word(p, 48, 4), 100 << 5 | 7);
	assert_string_equal((const char *)p->at + 68, "fcap: b\n");
}

/* Two threads may have read the clock in the other order. */
static void a_stamp_before_the_last_one_counts_as_that(void **state)
{
	struct page *p = *state;

	assert_int_equal(cap_marks_append_at(p->marks, 1000, "fcap: a"), 0);
	assert_int_equal(cap_marks_append_at(p->marks, 900, "fcap: b"), 0);
	assert_int_equal(cap_marks_append_at(p->marks, 1001, "fcap: c"), 0);
	fetch(p);
	assert_int_equal(word(p, 8, 8), 3 * (4 + 28));
	assert_int_equal(word(p, 48, 4), 0 << 5 | 7);
	assert_int_equal(word(p, 80, 4), 1 << 5 | 7);
}

static void a_delta_of_more_than_27_bits_needs_a_time_extend(void **state)
{
	struct page *p = *state;

	assert_int_equal(cap_marks_append_at(p->marks, 1000, "fcap: a"), 0);
	assert_int_equal(cap_marks_append_at(p->marks, 1000 + (1U << 27) - 1, "fcap: b"), 0);
	assert_int_equal(cap_marks_append_at(p->marks, 1000 + (4U << 27) + 4, "fcap: c"), 0);
	fetch(p);
	/* 2^27 - 1 still fits; then 3 * 2^27 + 5 in two parts, and a record without delta */
	assert_int_equal(word(p, 48, 4) >> 5, (1U << 27) - 1);
	assert_int_equal(word(p, 80, 4), 5 << 5 | 30);
	assert_int_equal(word(p, 84, 4), 3);
	assert_int_equal(word(p, 88, 4), 7);
	assert_string_equal((const char *)p->at + 108, "fcap: c\n");
	assert_int_equal(word(p, 8, 8), 3 * (4 + 28) + 8);
}

static void more_than_112_bytes_have_their_length_in_a_word_of_its_own(void **state)
{
	struct page *p = *state;
	char text[96];

	memset(text, 'x', sizeof(text));
	text[94] = '\0'; /* 16 + 94 + 2 = 112 bytes: 28 words, the last short form */
	assert_int_equal(cap_marks_append_at(p->marks, 1, text), 0);
	text[94] = 'x';
	text[95] = '\0'; /* 113, rounded up to 116, and the length word counts itself */
	assert_int_equal(cap_marks_append_at(p->marks, 1, text), 0);
	fetch(p);
	assert_int_equal(word(p, 16, 4), 28);
	assert_int_equal(word(p, 132, 4), 0);
	assert_int_equal(word(p, 136, 4), 120);
	assert_int_equal(word(p, 140, 2), 5);
	assert_int_equal(word(p, 8, 8), 116 + 124);
}

static void a_full_page_is_written_and_the_next_begins_with_its_own_time(void **state)
{
	struct page *p = *state;
	char text[2001];

	memset(text, 'y', 2000);
	text[2000] = '\0';
	assert_int_equal(cap_marks_append_at(p->marks, 10, text), 0);
	assert_int_equal(cap_marks_append_at(p->marks, 20, text), 0);
	assert_int_equal(cap_marks_bytes(p->marks), 0);
	assert_int_equal(cap_marks_append_at(p->marks, 30, "fcap: z"), 0);
	assert_int_equal(cap_marks_bytes(p->marks), PAGE);
	fetch(p);
	assert_int_equal(cap_marks_bytes(p->marks), 2 * PAGE);
	assert_int_equal(word(p, PAGE, 8), 30);
	assert_int_equal(word(p, PAGE + 16, 4), 7);
	assert_string_equal((const char *)p->at + PAGE + 36, "fcap: z\n");
}

static void a_line_longer_than_a_page_is_refused_and_the_next_is_not(void **state)
{
	struct page *p = *state;
	char text[5000];

	memset(text, 'y', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(cap_marks_append_at(p->marks, 10, text), -EMSGSIZE);
	assert_int_equal(cap_marks_append_at(p->marks, 10, "fcap: a"), 0);
	assert_int_equal(cap_marks_flush(p->marks), 0);
}

static void a_failed_write_sticks(void **state)
{
	struct page *p = *state;
	const int fd = fileno(p->file);

	assert_int_equal(cap_marks_append_at(p->marks, 10, "fcap: a"), 0);
	assert_true(close(fd) == 0);
	assert_int_equal(cap_marks_flush(p->marks), -EBADF);
	assert_int_equal(cap_marks_append_at(p->marks, 10, "fcap: a"), -EBADF);
}

static void *append_many(void *arg)
{
	for (int i = 0; i < 100; i++)
		cap_marks_append(arg, "fcap: thread");
	return NULL;
}

static void two_threads_append_in_order_of_time(void **state)
{
	struct page *p = *state;
	pthread_t other;

	assert_int_equal(pthread_create(&other, NULL, append_many, p->marks), 0);
	append_many(p->marks);
	pthread_join(other, NULL);
	fetch(p);
	/* 16 + 12 + 2 = 30 -> 32 bytes and 4 of header: 113 records fill the first page but for
	 * the room kept for a time extend, the rest stand in the second */
	assert_int_equal(cap_marks_bytes(p->marks), 2 * PAGE);
	assert_int_equal((word(p, 8, 8) + word(p, PAGE + 8, 8)) / 36, 200);
	assert_true(word(p, PAGE, 8) >= word(p, 0, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_layout_comes_from_the_formats),
		cmocka_unit_test(a_32_bit_kernel_has_its_text_earlier),
		cmocka_unit_test(formats_that_lack_a_field_are_refused),
		cmocka_unit_test_setup_teardown(the_first_record_carries_the_time_of_the_page,
						open_page, close_page),
		cmocka_unit_test_setup_teardown(the_next_record_carries_a_delta, open_page,
						close_page),
		cmocka_unit_test_setup_teardown(a_stamp_before_the_last_one_counts_as_that,
						open_page, close_page),
		cmocka_unit_test_setup_teardown(a_delta_of_more_than_27_bits_needs_a_time_extend,
						open_page, close_page),
		cmocka_unit_test_setup_teardown(
			more_than_112_bytes_have_their_length_in_a_word_of_its_own, open_page,
			close_page),
		cmocka_unit_test_setup_teardown(
			a_full_page_is_written_and_the_next_begins_with_its_own_time, open_page,
			close_page),
		cmocka_unit_test_setup_teardown(
			a_line_longer_than_a_page_is_refused_and_the_next_is_not, open_page,
			close_page),
		cmocka_unit_test_setup_teardown(a_failed_write_sticks, open_page, close_page),
		cmocka_unit_test_setup_teardown(two_threads_append_in_order_of_time, open_page,
						close_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
