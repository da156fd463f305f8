// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/model/path_index.h"

#define PATHS 1000 /* more than it begins with room for: it grows five times */

static void an_empty_one_knows_no_path(void **state)
{
	const struct fan_path_index x = { 0 };

	(void)state;
	assert_int_equal(fan_path_find(&x, "/"), -1);
}

static void every_path_keeps_its_number(void **state)
{
	static char paths[PATHS][16];
	struct fan_path_index x = { 0 };
	char text[16];

	(void)state;
	for (int i = 0; i < PATHS; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/vm%d", i);
		assert_int_equal(fan_path_find(&x, paths[i]), -1);
		assert_int_equal(fan_path_add(&x, paths[i], i), 0);
	}
	for (int i = 0; i < PATHS; i++) {
		/* the text counts, not where it is */
		snprintf(text, sizeof(text), "/vm%d", i);
		assert_int_equal(fan_path_find(&x, text), i);
	}
	assert_int_equal(fan_path_find(&x, "/vm"), -1);
	assert_int_equal(fan_path_find(&x, "/vm1000"), -1);
	assert_int_equal(fan_path_find(&x, ""), -1);
	fan_path_clear(&x);
	assert_int_equal(fan_path_find(&x, "/vm1"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_one_knows_no_path),
		cmocka_unit_test(every_path_keeps_its_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
