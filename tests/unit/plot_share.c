// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/share: the tables and the script of small reports made by hand. */
#include <errno.h>
#include <math.h>

#include "plot/figure.h"
#include "plot/set.h"
#include "tests/unit/plot_test.h"

#define MS 1000000LL

/* A group with its curve: share and expectation of each of n windows. */
static void add(struct fan_report *r, const char *name, const double *share, size_t n,
		double expected)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);
	struct fan_r_curve *c = fan_array_add(&r->series.groups, &fan_curve_table);

	assert_non_null(g);
	assert_non_null(c);
	g->name = own(name);
	g->expected_pct = expected;
	c->name = own(name);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(fan_reals_add(&c->share, share[i]), 0);
		assert_int_equal(fan_reals_add(&c->expected, expected), 0);
	}
}

static void frame(struct fan_report *r, size_t windows)
{
	fan_tree_init(r, &fan_report_table);
	r->tool.version = own("0.1");
	r->tool.command = own("fanalyze plot 'a b\n`c`\\");
	r->source.file = own("a b");
	r->period.expected_method = own("static");
	r->period.entity_rule = own("cgroup");
	r->quality.verdict = own("ok");
	r->series.window_ns = 100 * MS;
	for (size_t i = 0; i < windows; i++)
		assert_int_equal(fan_ints_add(&r->series.t_ns, 1000 * MS + (int64_t)i * 100 * MS),
				 0);
}

/* Three windows of two groups; nobody ran in the second. */
static void make_small(struct fan_report *r)
{
	const double a[] = { 70, NAN, 61.25 }, b[] = { 30, NAN, 38.75 };
	struct fan_r_group *g;

	frame(r, 3);
	add(r, "it's \"a\"\\\t", a, 3, 60);
	add(r, "#b\xC3\xA9", b, 3, 40);
	g = r->groups.items;
	g[0].share =
		(struct fan_est){ 65.625,   1, 62.5, 68.75,	      NAN, NAN, 2, 0.95, "percent",
				  "pw-ewc", 2, 8,    FAN_EST_ONE_RUN, 2,   0 };
	g[1].share.value = 34.375;
	g[1].share.n = 2;
	g[1].share.level = 0.95;
	g[1].share.flags = FAN_EST_ONE_RUN | FAN_EST_CI_NONE_SHORT;
}

static void draw(const struct fan_report *r, const char *dir)
{
	struct fcap_err err = { 0 };
	const struct fplot_page p = { .report = r,
				      .formats = FPLOT_ALL,
				      .width_in = FPLOT_ONE_COLUMN_IN };

	if (fplot_share.check(&p, &err) < 0 || fplot_share.draw(&p, dir, &err) < 0)
		fail_msg("%s", err.text);
}

/* Every table begins with where it comes from; make_small() tells that much. */
#define ORIGIN                                                  \
	"#\n"                                                   \
	"# command:  fanalyze plot 'a b\\x0A\\x60c\\x60\\x5C\n" \
	"# version:  0.1\n"                                     \
	"# trace:    a b\n"                                     \
	"# expected: static\n"                                  \
	"# weights:  cgroup\n"                                  \
	"# quality:  ok\n"

#define HEAD_LINES 8

static void a_row_a_window_and_a_gap_where_nobody_ran(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;

	(void)state;
	make_small(&r);
	draw(&r, dir);
	assert_content(
		dir, "share.tsv",
		"# Share of the CPU over time, what was due, and the interval of the run\n" ORIGIN
		"# t_s\tshare_pct:it's \\x22a\\x22\\x5C\\x09"
		"\texpected_pct:it's \\x22a\\x22\\x5C\\x09"
		"\tshare_pct:\\x23b\xC3\xA9\texpected_pct:\\x23b\xC3\xA9\n"
		"1.000000\t70.0000\t60.0000\t30.0000\t40.0000\n"
		"1.100000\tNaN\t60.0000\tNaN\t40.0000\n"
		"1.200000\t61.2500\t60.0000\t38.7500\t40.0000\n");
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void a_row_a_group_with_its_interval(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;

	(void)state;
	make_small(&r);
	draw(&r, dir);
	assert_content(dir, "share-groups.tsv",
		       "# Share of the CPU over time, what was due, and the interval of the run: "
		       "groups\n" ORIGIN
		       "# name\texpected_pct\tshare_pct\tlo_pct\thi_pct\tlevel\tn\tmethod\n"
		       "it's \\x22a\\x22\\x5C\\x09\t60.0000\t65.6250\t62.5000\t68.7500\t0.95\t2"
		       "\tpw-ewc\n"
		       "\\x23b\xC3\xA9\t40.0000\t34.3750\tNaN\tNaN\t0.95\t2\t-\n");
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void the_script_is_the_expected_text(void **state)
{
	const char *data = getenv("FCAP_TEST_DATA");
	char *dir = tempdir_new(), *want;
	struct fan_report r;

	(void)state;
	make_small(&r);
	draw(&r, dir);
	want = content(data ? data : "tests/data", "plot/share.gp");
	assert_content(dir, "share.gp", want);
	free(want);
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* The fields of one line (from 0) of a file, from one column (from 0) on. */
static void assert_row(const char *text, size_t line, size_t column, const char *want)
{
	for (line += HEAD_LINES; line; line--)
		text = strchr(text, '\n') + 1;
	for (; column; column--)
		text = strchr(text, '\t') + 1;
	if (strncmp(text, want, strlen(want)) != 0)
		fail_msg("\"%.60s\" does not begin with \"%s\"", text, want);
}

/*
 * 150 windows: a fiftieth is 3. Shares are 0, 1, 2, ... but window 10 has none: means are
 * (0 + 1) / 2 at the first, (7 + 8 + 9) / 3 = 8, (8 + 9) / 2 at 9, none at 10,
 * (11 + 12) / 2 at 11, (148 + 149) / 2 at the last.
 */
static void the_mean_is_of_the_windows_around_that_are_there(void **state)
{
	char *dir = tempdir_new(), *text;
	double share[150];
	struct fan_report r;

	(void)state;
	for (size_t i = 0; i < 150; i++)
		share[i] = i == 10 ? NAN : (double)i;
	frame(&r, 150);
	add(&r, "vm", share, 150, 50);
	draw(&r, dir);
	text = content(dir, "share.tsv");
	assert_row(text, 0, 0, "# t_s\tshare_pct:vm\texpected_pct:vm\tmean_of_3_pct:vm\n");
	assert_row(text, 1, 1, "0.0000\t50.0000\t0.5000\n");
	assert_row(text, 9, 1, "8.0000\t50.0000\t8.0000\n");
	assert_row(text, 10, 1, "9.0000\t50.0000\t8.5000\n");
	assert_row(text, 11, 1, "NaN\t50.0000\tNaN\n");
	assert_row(text, 12, 1, "11.0000\t50.0000\t11.5000\n");
	assert_row(text, 150, 1, "149.0000\t50.0000\t148.5000\n");
	free(text);
	text = content(dir, "share.gp");
	assert_non_null(strstr(text, "\nheavy(i) = share(i) + 2\n"));
	assert_non_null(strstr(text, "title 'mean of 3 windows'"));
	free(text);
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void of_ten_groups_eight_are_drawn_and_all_are_in_the_table(void **state)
{
	const double share[] = { 10, 10 };
	char *dir = tempdir_new(), *text, name[] = "vm0";
	struct fan_report r;

	(void)state;
	frame(&r, 2);
	for (; name[2] <= '9'; name[2]++)
		add(&r, name, share, 2, 10);
	draw(&r, dir);
	text = content(dir, "share.gp");
	assert_non_null(strstr(text, "\ngroups = 8\n"));
	assert_non_null(strstr(text, "\nname[8] = 'vm7'; colour[8] = 0x808080; mark[8] = 3\n"));
	assert_null(strstr(text, "name[9]"));
	assert_non_null(strstr(text, "title '2 more not drawn'\n"));
	/* the comment tells of all, also of those that the figure leaves out */
	assert_non_null(strstr(text, "\n#   vm9: unknown, expected 10.00 %; no interval, n=0\n"));
	free(text);
	text = content(dir, "share.tsv");
	assert_row(text, 0, 19, "share_pct:vm9\texpected_pct:vm9\n");
	assert_row(text, 2, 19, "10.0000\t10.0000\n");
	free(text);
	text = content(dir, "share-groups.tsv");
	assert_row(text, 10, 0, "vm9\t10.0000\tNaN\tNaN\tNaN\t");
	free(text);
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* Shares 41 .. 52 and 48 .. 59, expected 50: whole tens with a point to spare are 40 .. 60. */
static void the_axis_is_as_high_as_what_it_shows(void **state)
{
	const double a[] = { 41, 52 }, b[] = { 59, 48 }, all[] = { 0, 100 };
	char *dir = tempdir_new(), *text;
	struct fan_report r;

	(void)state;
	frame(&r, 2);
	add(&r, "a", a, 2, 50);
	add(&r, "b", b, 2, 50);
	draw(&r, dir);
	text = content(dir, "share.gp");
	assert_non_null(strstr(text, "\nset yrange [40:60]\n"));
	free(text);
	add(&r, "c", all, 2, 50);
	draw(&r, dir);
	text = content(dir, "share.gp");
	assert_non_null(strstr(text, "\nset yrange [0:100]\n"));
	free(text);
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void assert_refused(const struct fan_report *r, const char *why)
{
	struct fcap_err err = { 0 };
	const struct fplot_page p = { .report = r };

	assert_int_equal(fplot_share.check(&p, &err), -EINVAL);
	assert_int_equal(err.code, EINVAL);
	assert_non_null(strstr(err.text, why));
}

static void a_report_with_nothing_to_draw_is_refused(void **state)
{
	const double share[] = { 10, 10 };
	struct fan_report r;

	(void)state;
	frame(&r, 2);
	assert_refused(&r, "no group");
	add(&r, "vm", share, 2, 10);
	assert_int_equal(fplot_share.check(&(struct fplot_page){ .report = &r }, NULL), 0);
	add(&r, "short", share, 1, 10);
	assert_refused(&r, "unequal length");
	fan_report_free(&r);
	frame(&r, 0);
	add(&r, "vm", share, 0, 10);
	assert_refused(&r, "not one whole window");
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_a_window_and_a_gap_where_nobody_ran),
		cmocka_unit_test(a_row_a_group_with_its_interval),
		cmocka_unit_test(the_script_is_the_expected_text),
		cmocka_unit_test(the_mean_is_of_the_windows_around_that_are_there),
		cmocka_unit_test(of_ten_groups_eight_are_drawn_and_all_are_in_the_table),
		cmocka_unit_test(the_axis_is_as_high_as_what_it_shows),
		cmocka_unit_test(a_report_with_nothing_to_draw_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
