// SPDX-License-Identifier: GPL-3.0-or-later
/* What is read of an event's format text, and what of a damaged one is not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/format.h"

static struct fan_format format_of(const char *text)
{
	static char system[] = "sched";

	return (struct fan_format){ system, { (char *)text, strlen(text) } };
}

static int head_of(const char *text, struct fan_format_head *ret)
{
	const struct fan_format f = format_of(text);

	return fan_format_head(&f, ret);
}

static void the_head_tells_name_and_number(void **state)
{
	struct fan_format_head h;

	(void)state;
	assert_int_equal(head_of("name: sched_switch\nID: 315\nformat:\n", &h), 0);
	assert_string_equal(h.name, "sched_switch");
	assert_int_equal(h.id, 315);
	assert_int_equal(head_of("name: a\nID: 65535\n", &h), 0);
	assert_int_equal(h.id, 65535);
}

static void a_head_that_makes_no_sense_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"name:",
		"name: \nID: 3\n",
		"name: a b\nID: 3\n",
		"name: a\033[1m\nID: 3\n",
		"name: a\n",
		"name: a\nID: \n",
		"name: a\nID: -1\n",
		"name: a\nID: 65536\n",
		"name: a\nID: 18446744073709551619\n",
		"name: a\nID: 3x\n",
	};
	char longest[FAN_FORMAT_NAME_MAX + 32];
	struct fan_format_head h;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_true(head_of(texts[i], &h) < 0);
	snprintf(longest, sizeof(longest), "name: %0*d\nID: 3\n", FAN_FORMAT_NAME_MAX - 1, 0);
	assert_int_equal(head_of(longest, &h), 0);
	snprintf(longest, sizeof(longest), "name: %0*d\nID: 3\n", FAN_FORMAT_NAME_MAX, 0);
	assert_true(head_of(longest, &h) < 0);
}

static void a_field_is_found_by_its_whole_name(void **state)
{
	const struct fan_format f = format_of(
		"name: e\nID: 1\nformat:\n"
		"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:pid_t pid;\toffset:28;\tsize:4;\tsigned:1;\n"
		"\tfield:char comm[16];\toffset:32;\tsize:16;\tsigned:0;\n"
		"\tfield:__data_loc char[] path;\toffset:48;\tsize:4;\tsigned:0;\n"
		"\tfield:char *name;\toffset:52;\tsize:8;\tsigned:0;\n"
		"\nprint fmt: \"\"\n"
		"\tfield:int late;\toffset:8;\tsize:4;\tsigned:1;\n");
	struct fan_format_field x;

	(void)state;
	assert_true(fan_format_field(&f, "pid", &x));
	assert_int_equal(x.offset, 28);
	assert_true(fan_format_field(&f, "comm", &x));
	assert_int_equal(x.offset, 32);
	assert_int_equal(x.size, 16);
	assert_false(x.is_dynamic);
	assert_true(fan_format_field(&f, "path", &x));
	assert_int_equal(x.offset, 48);
	assert_true(x.is_dynamic);
	assert_true(fan_format_field(&f, "name", &x));
	assert_int_equal(x.offset, 52);
	assert_false(fan_format_field(&f, "prev", &x));
	assert_false(fan_format_field(&f, "late", &x));
}

static void a_field_without_a_sensible_place_is_not_there(void **state)
{
	static const char *const texts[] = {
		"\tfield:int a;",
		"\tfield:int a",
		"\tfield:int a;\toffset:;\tsize:4;\n",
		"\tfield:int a;\toffset:-8;\tsize:4;\n",
		"\tfield:int a;\toffset:65536;\tsize:4;\n",
		"\tfield:int a;\toffset:4294967295;\tsize:4;\n",
		"\tfield:int a;\toffset:8;\tsize:4294967292;\n",
		"\tfield:int a;\toffset:8;\tsize:4",
		"\tfield:a;\toffset:8;\tsize:4;\n",
		"\tfield:[a;\toffset:8;\tsize:4;\n",
		"\tfield:];\toffset:8;\tsize:4;\n",
	};
	struct fan_format_field x;
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fan_format f;

		snprintf(text, sizeof(text), "name: e\nID: 1\nformat:\n%s", texts[i]);
		f = format_of(text);
		if (fan_format_field(&f, "a", &x))
			fail_msg("\"%s\"", texts[i]);
	}
}

static uint64_t mask_of(const char *print)
{
	char text[1024];
	struct fan_format f;

	snprintf(text, sizeof(text), "name: sched_switch\nID: 1\nformat:\n\nprint fmt: %s\n",
		 print);
	f = format_of(text);
	return fan_format_state_mask(&f);
}

static void the_mask_ends_below_the_mark_of_the_preempted(void **state)
{
	(void)state;
	/* 3.x to 4.13 */
	assert_int_equal(
		mask_of("\"%s%s\", REC->prev_state & (1024-1) ? __print_flags(REC->prev_state "
			"& (1024-1), \"|\", { 1, \"S\"} ) : \"R\", REC->prev_state & 1024 ? "
			"\"+\" : \"\", REC->next_comm"),
		1023);
	/* since 4.14: ((0|1|2|4 + 1) << 1): (7 + 1) << 1 = 16 */
	assert_int_equal(
		mask_of("\"%s%s\", (REC->prev_state & ((((0x0 | 0x1 | 0x2 | 0x4) + 1) << 1) - "
			"1)) ? \"D\" : \"R\", REC->prev_state & (((0x0 | 0x1 | 0x2 | 0x4) + "
			"1) << 1) ? \"+\" : \"\""),
		15);
	assert_int_equal(mask_of("\"%d\", REC->prev_state"), UINT64_MAX);
	/* no constant, no mask */
	assert_int_equal(mask_of("\"\", REC->prev_state & FLAG ? \"+\" : \"\""), UINT64_MAX);
	assert_int_equal(mask_of("\"\", REC->prev_state & (1 << 64) ? \"+\" : \"\""), UINT64_MAX);
	assert_int_equal(mask_of("\"\", REC->prev_state & (16 ? \"+\" : \"\""), UINT64_MAX);
	assert_int_equal(mask_of("\"\", REC->prev_state &"), UINT64_MAX);
}

/* A million open parentheses: what descends into each of them has no stack left. */
static void a_print_format_nested_without_end_is_not_followed(void **state)
{
	static const char head[] =
		"name: sched_switch\nID: 1\nformat:\n\nprint fmt: \"\", prev_state & ";
	const size_t n = 1000000, at = sizeof(head) - 1;
	char *text = malloc(at + n + 1);
	struct fan_format f;

	(void)state;
	assert_non_null(text);
	memcpy(text, head, at);
	memset(text + at, '(', n);
	text[at + n] = '\0';
	f = format_of(text);
	assert_int_equal(fan_format_state_mask(&f), UINT64_MAX);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_tells_name_and_number),
		cmocka_unit_test(a_head_that_makes_no_sense_is_refused),
		cmocka_unit_test(a_field_is_found_by_its_whole_name),
		cmocka_unit_test(a_field_without_a_sensible_place_is_not_there),
		cmocka_unit_test(the_mask_ends_below_the_mark_of_the_preempted),
		cmocka_unit_test(a_print_format_nested_without_end_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
