// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables of windows: the series itself in the tree, and the files that it came from. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/score_assemble.h"
#include "tests/lib/tempdir.h"

static const struct fan_score_options options = { .level = 0.95, .margin = 3 };

static void assemble(struct fan_compare *c, struct fan_score_table *t, const char *path)
{
	struct fcap_err err = { 0 };

	fan_tree_init(c, &fan_compare_table);
	if (fan_scores_read(t, path, NULL, &err) < 0 || fan_scores_check(t, &err) < 0 ||
	    fan_scores_assemble(c, t, &options, &err) < 0)
		fail_msg("%s", err.text);
}

/*
 * Work of a and b: 3 and 1, then nothing, then 1 and 1: shares of 75, none, 50 and of 25, none,
 * 50. The windows are numbered 4, 5, 6.
 */
static void the_series_of_each_vm_is_kept(void **state)
{
	static const double share_a[] = { 75, NAN, 50 }, share_b[] = { 25, NAN, 50 };
	const double *const want[] = { share_a, share_b };
	char *dir = tempdir_new(), *path = tempdir_file(dir, "t.csv");
	FILE *f = fopen(path, "we");
	struct fan_score_table t = { 0 };
	struct fan_compare c;
	const struct fan_c_windows *w;

	(void)state;
	assert_non_null(f);
	fputs("window,vm,score\n4,a,3\n4,b,1\n5,a,0\n5,b,0\n6,a,1\n6,b,1\n", f);
	assert_int_equal(fclose(f), 0);
	assemble(&c, &t, path);
	w = c.windows.items;
	assert_int_equal(c.windows.n, 2);
	for (size_t k = 0; k < 2; k++) {
		assert_int_equal(w[k].at.n, 3);
		assert_int_equal(w[k].share.n, 3);
		for (size_t i = 0; i < 3; i++) {
			assert_true(w[k].at.items[i] == (double)(4 + i));
			assert_true(isnan(want[k][i]) ? isnan(w[k].share.items[i])
						      : w[k].share.items[i] == want[k][i]);
		}
	}
	fan_compare_free(&c);
	fan_scores_free(&t);
	free(path);
	tempdir_remove(dir);
}

static void each_file_is_named_with_its_checksum(void **state)
{
	struct fan_score_table t = { 0 };
	struct fan_compare c;
	const struct fan_c_file *file;

	(void)state;
	assemble(&c, &t, "samples/scores-2021.csv");
	file = c.files.items;
	assert_int_equal(c.files.n, 1);
	assert_string_equal(file->name, "samples/scores-2021.csv");
	/* xxh128sum samples/scores-2021.csv */
	assert_string_equal(file->checksum, "xxh128:c14ca2631e4dd13f4f07f8254571ec1d");
	fan_compare_free(&c);
	fan_scores_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_series_of_each_vm_is_kept),
		cmocka_unit_test(each_file_is_named_with_its_checksum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
