// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/csv.c and tex.c: what is escaped, and how fields are spread. */
#include "tests/unit/compare_test.h"
#include "tests/unit/paper.h"

#include "analyze/report/compare_rows.h"
#include "analyze/report/csv.h"
#include "analyze/report/field.h"
#include "analyze/report/read_json.h"
#include "analyze/report/tex.h"
#include "analyze/report/text_compare.h"

static void assert_csv(struct fan_array *items, const struct fan_table *table, const char *want)
{
	struct paper p;

	assert_int_equal(fan_csv(items, table, paper(&p), NULL), 0);
	assert_paper(&p, want);
}

static void csv_quotes_commas_and_quotes(void **state)
{
	struct fan_array items = { 0 };
	struct fan_r_conflict *c = fan_array_add(&items, &fan_conflict_table);

	(void)state;
	assert_non_null(c);
	assert_int_equal(fan_str_set(&c->name, "a,\"b\"\nc"), 0);
	c->count = -3;
	c = fan_array_add(&items, &fan_conflict_table);
	assert_non_null(c);
	assert_int_equal(fan_str_set(&c->name, "=1+2"), 0);
	assert_int_equal(fan_str_set(&c->policy, "\xc3\xa9"), 0);
	assert_csv(&items, &fan_conflict_table,
		   "name,count,policy\n\"a,\"\"b\"\"\\x0Ac\",-3,\n'=1+2,,\\xC3\\xA9\n");
	for (size_t i = 0; i < items.n; i++)
		fan_tree_free((struct fan_r_conflict *)items.items + i, &fan_conflict_table);
	free(items.items);
}

struct nested {
	char *label;
	struct fan_est est;
	struct fan_r_bounds within;
	struct fan_verdict_text verdict;
	struct fan_array list;
	bool is_it;
};

static const struct fan_field bounds_fields[] = {
	FIELD(fan_r_bounds, lo, NULL, ""),
	FIELD(fan_r_bounds, hi, NULL, ""),
};
static const struct fan_table bounds_table = TABLE(fan_r_bounds, bounds_fields, "within");

static const struct fan_field nested_fields[] = {
	FIELD(nested, label, NULL, ""),
	FIELD(nested, est, NULL, ""),
	NESTED(nested, within, FAN_F_STRUCT, &bounds_table, ""),
	FIELD(nested, verdict, NULL, ""),
	NESTED(nested, list, FAN_F_ARRAY, &bounds_table, ""),
	FIELD(nested, is_it, NULL, ""),
};
static const struct fan_table nested_table = TABLE(nested, nested_fields, "nested");

static void csv_spreads_what_is_nested_and_leaves_out_lists(void **state)
{
	struct fan_array items = { 0 };
	struct nested *it = fan_array_add(&items, &nested_table);

	(void)state;
	assert_non_null(it);
	assert_int_equal(fan_str_set(&it->label, "on"), 0);
	it->est.value = 0.5;
	it->est.level = 0.75;
	it->est.flags = FAN_EST_FEW_RUNS | FAN_EST_STARVED;
	it->within.hi = -2;
	it->verdict.word = "off";
	it->verdict.margin = 3;
	assert_int_equal(fan_strs_add(&it->verdict.reasons, "one run"), 0);
	assert_int_equal(fan_strs_add(&it->verdict.reasons, "few"), 0);
	it->is_it = true;
	assert_csv(&items, &nested_table,
		   "label,est.value,est.se,est.lo,est.hi,est.lo_adj,est.hi_adj,est.m,est.level,"
		   "est.unit,est.method,est.n,est.df,est.flags,within.lo,within.hi,verdict.word,"
		   "verdict.indicative,verdict.margin,verdict.reasons,is_it\n"
		   "on,0.5,,,,,,1,0.75,,,0,,few_runs; starved,,-2,off,false,3,one run; few,true\n");
	fan_tree_free(it, &nested_table);
	free(items.items);
}

static char *tex_of(const char *cell, const char *caption)
{
	struct fan_grid grid = { .columns = "lr" };
	struct paper page;
	struct fan_print p = { .f = paper(&page) };

	fan_grid_cell(&grid, "a");
	fan_grid_cell(&grid, "b");
	fan_grid_cell(&grid, "%s", cell);
	fan_grid_cell(&grid, "-");
	fan_tex_grid(&grid, caption, &p);
	assert_int_equal(p.r, 0);
	return read_paper(&page);
}

static void tex_escapes_its_own_characters(void **state)
{
	char *text = tex_of("5 % & $_#{}~^\\ <1>", "two\nlines");

	(void)state;
	assert_string_equal(text, "% two\\x0Alines\n"
				  "\\begin{tabular}{lr}\n\\toprule\na & b \\\\\n\\midrule\n"
				  "5 \\% \\& \\$\\_\\#\\{\\}\\textasciitilde{}\\textasciicircum{}"
				  "\\textbackslash{} \\textless{}1\\textgreater{} & - \\\\\n"
				  "\\bottomrule\n\\end{tabular}\n");
	free(text);
}

static void tex_has_minus_signs_and_no_options(void **state)
{
	char *text = tex_of("[-1.5, a-2] -0.3/+0.4", "x");

	(void)state;
	assert_non_null(strstr(text, "{}[$-$1.5, a-2] $-$0.3/+0.4 & - \\\\\n"));
	free(text);
}

static void put_three(struct fan_runs *runs)
{
	fan_runs_init(runs);
	PUT(runs, "off", "a", 10, 11, 12);
	PUT(runs, "off", "b", 10, 12, 11);
	PUT(runs, "on", "a", 9, 10, 8);
	PUT(runs, "on", "b", 5, 6, 7);
}

/* Everything but the effective sample size, which JSON does not carry. */
static void a_comparison_comes_back_from_json(void **state)
{
	struct fcap_err err = { 0 };
	struct fan_compare c, back;
	struct fan_runs runs;
	struct paper p;
	char *one;
	FILE *f;

	(void)state;
	put_three(&runs);
	compare(&c, &runs, &plain);
	assert_int_equal(fan_tree_json(&c, &fan_compare_table, paper(&p), &err), 0);
	one = read_paper(&p);
	f = fmemopen(one, strlen(one), "r");
	if (fan_tree_read(&back, &fan_compare_table, "fcap-compare/1", f, &err) < 0)
		fail_msg("%s", err.text);
	fclose(f);
	assert_int_equal(fan_tree_json(&back, &fan_compare_table, paper(&p), &err), 0);
	assert_paper(&p, one);
	free(one);
	fan_compare_free(&c);
	fan_compare_free(&back);
}

typedef int writer(const struct fan_compare *c, FILE *f, struct fcap_err *err);

/* A full device: each writer says so. */
static void writers_tell_that_the_disk_is_full(void **state)
{
	writer *const all[] = { fan_compare_text, fan_compare_csv, fan_compare_tex };
	struct fan_compare c;
	struct fan_runs runs;

	(void)state;
	put_three(&runs);
	compare(&c, &runs, &plain);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct fcap_err err = { 0 };
		FILE *f = fopen("/dev/full", "w");

		assert_non_null(f);
		assert_int_equal(all[i](&c, f, &err), -ENOSPC);
		fclose(f);
	}
	fan_compare_free(&c);
}

static char *compare_text(const struct fan_compare *c)
{
	struct paper p;

	assert_int_equal(fan_compare_text(c, paper(&p), NULL), 0);
	return read_paper(&p);
}

static void the_text_of_one_vm_or_configuration_says_that_there_is_no_answer(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	char *text;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 11);
	compare(&c, &runs, &plain);
	text = compare_text(&c);
	assert_true(strncmp(text, "No answer: one configuration, and no two VMs", 44) == 0);
	free(text);
	fan_compare_free(&c);

	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10, 11);
	PUT(&runs, "on", "b", 10, 11);
	compare(&c, &runs, &plain);
	text = compare_text(&c);
	assert_true(strncmp(text, "on over off: there is nothing that both have.", 45) == 0);
	free(text);
	fan_compare_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_quotes_commas_and_quotes),
		cmocka_unit_test(csv_spreads_what_is_nested_and_leaves_out_lists),
		cmocka_unit_test(tex_escapes_its_own_characters),
		cmocka_unit_test(tex_has_minus_signs_and_no_options),
		cmocka_unit_test(a_comparison_comes_back_from_json),
		cmocka_unit_test(writers_tell_that_the_disk_is_full),
		cmocka_unit_test(the_text_of_one_vm_or_configuration_says_that_there_is_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
