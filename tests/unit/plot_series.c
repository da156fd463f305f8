// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/: the figure of scores one after the other, also where there is little to draw. */
#include <errno.h>
#include <math.h>

#include "plot/figures.h"
#include "plot/set.h"
#include "tests/unit/plot_test.h"

static struct fplot_page page_of(const struct fan_compare *c)
{
	return (struct fplot_page){ .compare = c,
				    .formats = FPLOT_SVG,
				    .width_in = FPLOT_ONE_COLUMN_IN };
}

static struct fan_c_group *add_group(struct fan_compare *c, const char *config, const char *vm)
{
	struct fan_c_configuration *to = c->configurations.items;
	struct fan_c_group *g;

	if (c->configurations.n == 0 || strcmp(to[c->configurations.n - 1].label, config) != 0) {
		to = fan_array_add(&c->configurations, &fan_c_configuration_table);
		assert_non_null(to);
		to->label = own(config);
	} else {
		to += c->configurations.n - 1;
	}
	g = fan_array_add(&to->groups, &fan_c_group_table);
	assert_non_null(g);
	g->name = own(vm);
	return g;
}

/* A series of n shares in windows 1, 2, ... */
static void add_windows(struct fan_compare *c, const char *config, const char *vm,
			const double *share, size_t n)
{
	struct fan_c_windows *w = fan_array_add(&c->windows, &fan_c_windows_table);

	assert_non_null(w);
	w->config = own(config);
	w->vm = own(vm);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(fan_reals_add(&w->at, (double)(i + 1)), 0);
		assert_int_equal(fan_reals_add(&w->share, share[i]), 0);
	}
}

static void add_run(struct fan_compare *c, const char *config, double start, double score)
{
	struct fan_run *run = fan_array_add(&c->runs, &fan_run_table);
	struct fan_run_group *g;

	assert_non_null(run);
	run->config = own(config);
	run->name = own("r");
	run->start = start;
	g = fan_run_group(run, "vm");
	assert_non_null(g);
	g->score = score;
}

static void draw(const struct fan_compare *c, const char *dir)
{
	const struct fplot_page p = page_of(c);
	struct fcap_err err = { 0 };

	if (fplot_figure_check(&fplot_series, &p, &err) < 0 || fplot_series.draw(&p, dir, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_refused(const struct fan_compare *c, const char *why)
{
	const struct fplot_page p = page_of(c);
	struct fcap_err err = { 0 };

	assert_int_equal(fplot_figure_check(&fplot_series, &p, &err), -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" is not in \"%s\"", why, err.text);
}

static void assert_has(const char *dir, const char *name, const char *text)
{
	char *got = content(dir, name);

	if (!strstr(got, text))
		fail_msg("\"%s\" is not in:\n%s", text, got);
	free(got);
}

static void assert_has_not(const char *dir, const char *name, const char *text)
{
	char *got = content(dir, name);

	if (strstr(got, text))
		fail_msg("\"%s\" is in:\n%s", text, got);
	free(got);
}

/*
 * Windows 1 to 3, of the second no share. The interval stands 0.03 of the length of 2 behind: at
 * 3.06. The axis leaves 0.02 of 2.06 on both sides.
 */
static void windows_are_drawn_with_their_mean_and_what_was_due(void **state)
{
	static const double share[] = { 40, NAN, 60 };
	char *dir = tempdir_new();
	struct fan_compare c;
	struct fan_c_group *g;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	g = add_group(&c, "off", "vm");
	g->share.value = 50;
	g->share.lo = 45;
	g->share.hi = 55;
	g->share.level = 0.95;
	g->share.n = 3;
	g->expected_pct = 70;
	add_windows(&c, "off", "vm", share, 3);
	draw(&c, dir);
	assert_has(dir, "series.tsv",
		   "# window\tshare_pct\tconfig\tvm\n"
		   "1\t40.0000\toff\tvm\n2\tNaN\toff\tvm\n3\t60.0000\toff\tvm\n\n\n");
	assert_has(dir, "series-means.tsv",
		   "\n1\t3\t3.0600\t50.0000\t45.0000\t55.0000\t70.0000\t0.9500\t3\t-\toff\tvm\n");
	assert_has(dir, "series.gp", "\tset xrange [0.9588:3.1012]\n");
	/* from 40 to 70 in steps of 10 */
	assert_has(dir, "series.gp", "\tset yrange [40:70]\n\tset ytics 10 ");
	assert_has(dir, "series.gp", "title say('mean, interval')");
	assert_has(dir, "series.gp", "title say('expected')");
	fan_compare_free(&c);
	tempdir_remove(dir);
}

/* A share of 0, no mean, nothing due: a point on an axis from 0 up. */
static void one_window_of_one_vm_is_a_point(void **state)
{
	static const double share[] = { 0 };
	char *dir = tempdir_new();
	struct fan_compare c;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	add_group(&c, "off", "vm");
	add_windows(&c, "off", "vm", share, 1);
	draw(&c, dir);
	assert_has(dir, "series.tsv", "\tvm\n1\t0.0000\toff\tvm\n");
	assert_has(dir, "series.gp", "\tset yrange [0:0.2]\n");
	assert_has_not(dir, "series.gp", "title say('mean");
	assert_has_not(dir, "series.gp", "title say('expected')");
	fan_compare_free(&c);
	tempdir_remove(dir);
}

/* All are 100 %: the axis ends there, as no share is more. */
static void shares_of_100_end_the_axis(void **state)
{
	static const double share[] = { 100, 100 };
	char *dir = tempdir_new();
	struct fan_compare c;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	add_group(&c, "off", "vm")->share.value = 100;
	add_windows(&c, "off", "vm", share, 2);
	draw(&c, dir);
	assert_has(dir, "series.gp", "\tset yrange [80:100]\n");
	assert_has(dir, "series.gp", "title say('mean')");
	fan_compare_free(&c);
	tempdir_remove(dir);
}

/* Listed off, off, on, on, but made in the order off, on, on, off: places 1 and 4, 2 and 3. */
static void runs_stand_in_the_order_they_were_made_in(void **state)
{
	char *dir = tempdir_new();
	struct fan_compare c;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	add_group(&c, "off", "vm");
	add_group(&c, "on", "vm");
	add_run(&c, "off", 10, 100);
	add_run(&c, "off", 40, 101);
	add_run(&c, "on", 20, 90);
	add_run(&c, "on", 30, 91);
	draw(&c, dir);
	assert_has(dir, "series.tsv",
		   "# measured: score\n# place\tvalue\tconfig\tvm\trun\n"
		   "1\t100.0000\toff\tvm\tr\n4\t101.0000\toff\tvm\tr\n\n\n"
		   "2\t90.0000\ton\tvm\tr\n3\t91.0000\ton\tvm\tr\n");
	/* one VM: the configuration alone names a line */
	assert_has(dir, "series.gp", "title say('off'), ");
	fan_compare_free(&c);
	tempdir_remove(dir);
}

/* Of one run the order is not known: they stand as they are listed. */
static void runs_of_unknown_order_stand_as_listed(void **state)
{
	char *dir = tempdir_new();
	struct fan_compare c;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	add_group(&c, "off", "vm");
	add_run(&c, "off", 9, 100);
	add_run(&c, "off", NAN, 101);
	draw(&c, dir);
	assert_has(dir, "series.tsv", "\n1\t100.0000\toff\tvm\tr\n2\t101.0000\toff\tvm\tr\n");
	fan_compare_free(&c);
	tempdir_remove(dir);
}

static void of_many_lines_the_rest_is_counted(void **state)
{
	static const double share[] = { 10, 20 };
	char *dir = tempdir_new(), name[] = "a";
	struct fan_compare c;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	for (int i = 0; i < 10; i++, name[0]++) {
		add_group(&c, "off", name);
		add_windows(&c, "off", name, share, 2);
	}
	draw(&c, dir);
	assert_has(dir, "series.gp", "title say('2 more')");
	assert_has(dir, "series-means.tsv", "\n1\t2\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\t0\t-\toff\tj\n");
	fan_compare_free(&c);
	tempdir_remove(dir);
}

static void what_tells_no_value_is_refused(void **state)
{
	static const double share[] = { NAN, NAN };
	struct fan_compare c;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	add_group(&c, "off", "vm");
	assert_refused(&c, "no window and no run");
	add_windows(&c, "off", "vm", share, 2);
	assert_refused(&c, "no window and no run");
	((struct fan_c_windows *)c.windows.items)->at.n = 1;
	assert_refused(&c, "unequal length");
	fan_compare_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_drawn_with_their_mean_and_what_was_due),
		cmocka_unit_test(one_window_of_one_vm_is_a_point),
		cmocka_unit_test(shares_of_100_end_the_axis),
		cmocka_unit_test(runs_stand_in_the_order_they_were_made_in),
		cmocka_unit_test(runs_of_unknown_order_stand_as_listed),
		cmocka_unit_test(of_many_lines_the_rest_is_counted),
		cmocka_unit_test(what_tells_no_value_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
