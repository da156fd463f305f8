// SPDX-License-Identifier: GPL-3.0-or-later
/* The line that says how far a long reading is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/progress.h"

#define S  1000000000ULL
#define MB 1000000ULL

static void assert_text(struct fan_progress_now now, const char *expected)
{
	char text[128];

	fan_progress_text(&now, text, sizeof(text));
	assert_string_equal(text, expected);
}

/* 300 MB of 1 GB in 2 s are 150 MB/s; 700 MB more take 4.67 s, and 4.67 is not over after 4. */
static void the_time_left_is_that_of_the_rate_so_far(void **state)
{
	(void)state;
	assert_text((struct fan_progress_now){ 1, 300 * MB, 1000 * MB, 2 * S },
		    "reading: 30 %, 150 MB/s, 0:05 left");
}

/* 1 MB of 100 MB in 1 s: 99 s. 1 MB of 7300 MB: 7299 s are 2 h, 1 min and 39 s. */
static void minutes_and_hours_are_written_as_clocks_do(void **state)
{
	(void)state;
	assert_text((struct fan_progress_now){ 1, MB, 100 * MB, S },
		    "reading: 1 %, 1.0 MB/s, 1:39 left");
	assert_text((struct fan_progress_now){ 1, MB, 7300 * MB, S },
		    "reading: 0 %, 1.0 MB/s, 2:01:39 left");
}

static void the_second_reading_of_a_file_is_called_so(void **state)
{
	(void)state;
	assert_text((struct fan_progress_now){ 2, 50 * MB, 100 * MB, S },
		    "reading again: 50 %, 50 MB/s, 0:01 left");
}

static void at_its_end_nothing_is_left(void **state)
{
	(void)state;
	assert_text((struct fan_progress_now){ 1, 100 * MB, 100 * MB, 2 * S },
		    "reading: 100 %, 50 MB/s, 0:00 left");
}

static void before_anything_was_read_no_time_is_told(void **state)
{
	(void)state;
	assert_text((struct fan_progress_now){ 1, 0, 100 * MB, 2 * S }, "reading");
	assert_text((struct fan_progress_now){ 1, 0, 0, 2 * S }, "reading");
	assert_text((struct fan_progress_now){ 1, 5, 100, 0 }, "reading");
}

/* 12 EB of 16 EB: no number overflows. */
static void sizes_beyond_any_disk_do_no_harm(void **state)
{
	(void)state;
	assert_text((struct fan_progress_now){ 1, UINT64_MAX / 4 * 3, UINT64_MAX, 3600 * S },
		    "reading: 75 %, 3843071682 MB/s, 20:00 left");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_time_left_is_that_of_the_rate_so_far),
		cmocka_unit_test(minutes_and_hours_are_written_as_clocks_do),
		cmocka_unit_test(the_second_reading_of_a_file_is_called_so),
		cmocka_unit_test(at_its_end_nothing_is_left),
		cmocka_unit_test(before_anything_was_read_no_time_is_told),
		cmocka_unit_test(sizes_beyond_any_disk_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
