// SPDX-License-Identifier: GPL-3.0-or-later
/* The page of an audit: what is long, or many. */
#include "tests/unit/audit_tree.h"

/* Of 40 cores 32 are shown; of groups with long names those that fit. */
static void what_does_not_fit_is_counted(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	for (int i = 1; i < 40; i++)
		add_cores(&r);
	assert_holds(&r, "\n  8 more cores: see the JSON report\n", true);
	fill(&r);
	for (int i = 1; i < 25; i++) {
		struct fan_r_mixed_pair *pair = fan_array_add(&r.isolation.pairs,
							      &fan_mixed_pair_table);

		assert_non_null(pair);
		pair->a = own("green");
	}
	assert_holds(&r, "\n  5 more pairs: see the JSON report\n", true);
}

static void groups_without_a_column_are_summed(void **state)
{
	struct fan_report r;
	struct fan_r_core *c;

	(void)state;
	fill(&r);
	c = r.isolation.cores.items;
	for (int i = 0; i < 2; i++) {
		struct fan_r_amount *a = c->vms.items;
		struct fan_r_group *g = r.groups.items;

		free(a[i].name);
		free(g[i].name);
		a[i].name = own(i ? "a-name-of-twenty-nine-letters"
				  : "another-name-of-thirty-letters");
		g[i].name = own(a[i].name);
	}
	assert_holds(&r,
		     "CPUs  idle  another-name-of-thirty-letters  others  mixed  forced idle\n"
		     "0,1    5.0                            50.0    10.0   35.0     42.00 ms\n",
		     true);
}

/* 10 steps a row. */
static void many_lengths_take_a_second_row(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	for (int64_t i = 1; i <= 10; i++) {
		struct fan_r_bucket *b = fan_array_add(&r.isolation.histogram, &fan_bucket_table);

		assert_non_null(b);
		*b = (struct fan_r_bucket){ i * S, (i + 1) * S, i };
	}
	assert_holds(&r,
		     "\n20 ms  1 s  2 s  3 s  4 s  5 s  6 s  7 s  8 s  9 s\n"
		     "  250    1    2    3    4    5    6    7    8    9\n"
		     "10 s\n"
		     "  10\n",
		     true);
}

static void a_file_name_is_quoted_for_the_shell(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	free(r.source.file);
	r.source.file = own("it's $HOME");
	assert_holds(&r, "\n  trace-cmd report --cpu 0,1 'it'\\''s $HOME' |\n", true);
	fill(&r);
	free(r.source.file);
	r.source.file = own("/a/plain-name.dat");
	assert_holds(&r, "\n  trace-cmd report --cpu 0,1 /a/plain-name.dat |\n", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_fit_is_counted),
		cmocka_unit_test(groups_without_a_column_are_summed),
		cmocka_unit_test(many_lengths_take_a_second_row),
		cmocka_unit_test(a_file_name_is_quoted_for_the_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
