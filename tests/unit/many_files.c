// SPDX-License-Identifier: GPL-3.0-or-later
/* The reports of many files: whoever makes them, they come in order, and so do failures. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/json.h"
#include "analyze/many_files.h"
#include "tests/unit/paper.h"

static const char *const files[] = {
	"tests/data/bed-fcap/11-off-1.dat",    "tests/data/bed-fcap/11-on-1.dat",
	"tests/data/bed/bed-coresched-on.dat", "tests/data/bed-fcap/steal.dat",
	"tests/data/bed-fcap/21-off-1.dat",    "tests/data/bed-fcap/222-off-1.dat",
	"tests/data/bed-fcap/32-on-1.dat",
};
enum { FILES = sizeof(files) / sizeof(files[0]) };

static char *as_json(const struct fan_report *r)
{
	struct paper p;

	assert_int_equal(fan_tree_json(r, &fan_report_table, paper(&p), NULL), 0);
	return read_paper(&p);
}

static struct fan_many_files *open_files(const struct fan_analysis *a, const char *const *names,
					 unsigned int threads)
{
	const struct fan_many_files_plan plan = { names, FILES, a, threads };
	struct fan_many_files *f = NULL;
	struct fcap_err err = { 0 };

	assert_int_equal(fan_many_files_open(&f, &plan, &err), 0);
	return f;
}

static void reports_come_in_order_whoever_makes_them(void **state)
{
	struct fan_analysis a;

	(void)state;
	fan_analysis_init(&a, "fanalyze compare");
	for (unsigned int threads = 1; threads <= 4; threads++) {
		struct fan_many_files *one = open_files(&a, files, 1);
		struct fan_many_files *many = open_files(&a, files, threads);

		for (size_t i = 0; i < FILES; i++) {
			struct fan_report want, got;
			struct fcap_err err = { 0 };
			char *wanted, *gotten;

			assert_int_equal(fan_many_files_next(one, &want, &err), 0);
			assert_int_equal(fan_many_files_next(many, &got, &err), 0);
			wanted = as_json(&want);
			gotten = as_json(&got);
			assert_non_null(strstr(wanted, files[i]));
			assert_string_equal(gotten, wanted);
			free(wanted);
			free(gotten);
			fan_report_free(&want);
			fan_report_free(&got);
		}
		fan_many_files_close(one);
		fan_many_files_close(many);
	}
	fan_analysis_free(&a);
}

/* The second file does not exist: what was made of others by then is let go of. */
static void a_failure_comes_in_its_place_and_the_rest_can_be_left(void **state)
{
	const char *names[FILES];
	struct fan_analysis a;

	(void)state;
	memcpy(names, files, sizeof(names));
	names[1] = "tests/data/none.dat";
	fan_analysis_init(&a, "fanalyze compare");
	for (unsigned int threads = 1; threads <= 4; threads++) {
		struct fan_many_files *f = open_files(&a, names, threads);
		struct fan_report r;
		struct fcap_err err = { 0 };

		assert_int_equal(fan_many_files_next(f, &r, &err), 0);
		fan_report_free(&r);
		assert_int_equal(fan_many_files_next(f, &r, &err), -ENOENT);
		assert_non_null(strstr(err.text, "cannot open it"));
		fan_report_free(&r);
		fan_many_files_close(f);
	}
	fan_analysis_free(&a);
}

static void files_that_nobody_asks_for_can_be_left(void **state)
{
	struct fan_analysis a;

	(void)state;
	fan_analysis_init(&a, "fanalyze compare");
	for (unsigned int threads = 1; threads <= 4; threads++)
		fan_many_files_close(open_files(&a, files, threads));
	fan_analysis_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_come_in_order_whoever_makes_them),
		cmocka_unit_test(a_failure_comes_in_its_place_and_the_rest_can_be_left),
		cmocka_unit_test(files_that_nobody_asks_for_can_be_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
