// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/: the figure of how long waits were, also where there is little to draw. */
#include <errno.h>
#include <math.h>

#include "plot/figures.h"
#include "plot/set.h"
#include "tests/unit/plot_test.h"

#define MS 1000000LL

static struct fplot_page page_of(const struct fan_report *r)
{
	return (struct fplot_page){ .report = r,
				    .formats = FPLOT_SVG,
				    .width_in = FPLOT_ONE_COLUMN_IN };
}

static struct fan_r_group_waits *add(struct fan_report *r, const char *name)
{
	struct fan_r_group_waits *w = fan_array_add(&r->histograms, &fan_waits_table);
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);

	assert_non_null(w);
	assert_non_null(g);
	w->name = own(name);
	g->name = own(name);
	return w;
}

static void put(struct fan_r_histogram *h, int64_t upto_ns, int64_t count)
{
	assert_int_equal(fan_ints_add(&h->upto_ns, upto_ns), 0);
	assert_int_equal(fan_ints_add(&h->count, count), 0);
}

static struct fan_r_vcpu_waits *add_vcpu(struct fan_r_group_waits *w, int64_t tid, int64_t vcpu)
{
	struct fan_r_vcpu_waits *v = fan_array_add(&w->vcpus, &fan_vcpu_waits_table);

	assert_non_null(v);
	v->tid = tid;
	v->vcpu = vcpu;
	return v;
}

static void draw(const struct fan_report *r, const char *dir)
{
	const struct fplot_page p = page_of(r);
	struct fcap_err err = { 0 };

	if (fplot_figure_check(&fplot_latency, &p, &err) < 0 ||
	    fplot_latency.draw(&p, dir, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_has(const char *dir, const char *name, const char *text)
{
	char *got = content(dir, name);

	if (!strstr(got, text))
		fail_msg("\"%s\" is not in:\n%s", text, got);
	free(got);
}

static void assert_refused(const struct fan_report *r, const char *why)
{
	const struct fplot_page p = page_of(r);
	struct fcap_err err = { 0 };

	assert_int_equal(fplot_figure_check(&fplot_latency, &p, &err), -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" is not in \"%s\"", why, err.text);
}

/* Two waits up to 1 ms, one of 4 ms: 0, 66.7, 100 %; the vCPU has its own row and percentiles. */
static void a_curve_is_the_sum_of_what_is_no_longer(void **state)
{
	char *dir = tempdir_new();
	struct fan_r_thread *t;
	struct fan_report r;
	struct fan_r_group_waits *w;
	struct fan_r_vcpu_waits *v;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	w = add(&r, "vm");
	put(&w->waits, MS, 2);
	put(&w->waits, 4 * MS, 1);
	w->wait = (struct fan_r_quantiles){ MS, 4 * MS, 4 * MS, 4 * MS };
	v = add_vcpu(w, 7, 0);
	put(&v->waits, MS, 2);
	put(&v->waits, 4 * MS, 1);
	t = fan_array_add(&((struct fan_r_group *)r.groups.items)->threads, &fan_thread_table);
	assert_non_null(t);
	t->tid = 7;
	t->wait = (struct fan_r_quantiles){ MS, 2 * MS, 3 * MS, 4 * MS };
	draw(&r, dir);
	assert_has(dir, "latency.tsv",
		   "\ttid\n"
		   "1.000000\t0\t0.000000\tvm\t0\t7\n"
		   "1.000000\t2\t66.666667\tvm\t0\t7\n"
		   "4.000000\t1\t100.000000\tvm\t0\t7\n"
		   "\n\n"
		   "1.000000\t0\t0.000000\tvm\tNaN\tNaN\n");
	assert_has(dir, "latency-percentiles.tsv",
		   "\n-1\t1.000000\t2.000000\t3.000000\t4.000000\t3\tvm\t0\t7\n"
		   "0\t1.000000\t4.000000\t4.000000\t4.000000\t3\tvm\tNaN\tNaN\n");
	/* the one vCPU is the same curve as the group, which is block 1 */
	assert_has(dir, "latency.gp", "\tplot \\\n\t\t'latency.tsv' index 1 using ");
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* 3 ms: a decade around it, from 3/sqrt(10) to 3*sqrt(10), in which 1, 2 and 5 ms are. */
static void one_wait_has_an_axis(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	put(&add(&r, "vm")->waits, 3 * MS, 1);
	draw(&r, dir);
	assert_has(dir, "latency.gp",
		   "\tset xrange [0.9487:9.487]\n"
		   "\tset xtics ('1 '.'ms' 1, '2 '.'ms' 2, '5 '.'ms' 5) ");
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* They are at the left end of an axis around 1 ns. */
static void waits_of_0_are_drawn(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	put(&add(&r, "vm")->waits, 0, 5);
	draw(&r, dir);
	assert_has(dir, "latency.gp", "\tset xtics ('0.5 '.'ns' 5e-07, '1 '.'ns' 1e-06");
	assert_has(dir, "latency.tsv", "\n0.000000\t5\t100.000000\tvm\t");
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void who_never_waited_is_named_without_a_curve(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	add(&r, "calm");
	assert_refused(&r, "no thread of a group waited");
	put(&add(&r, "vm")->waits, MS, 1);
	draw(&r, dir);
	assert_has(dir, "latency.gp", "title say('calm').say(': none'), ");
	assert_has(dir, "latency.gp", "lc rgb 0xD55E00 lw 1.5 notitle, ");
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* Nine groups: the ninth is in the tables, has no colour, and is counted. */
static void of_many_groups_the_rest_is_counted(void **state)
{
	char *dir = tempdir_new(), name[] = "a";
	struct fan_report r;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	for (int i = 0; i < 9; i++, name[0]++)
		put(&add(&r, name)->waits, MS, 1);
	draw(&r, dir);
	assert_has(dir, "latency-percentiles.tsv", "\n7\tNaN\tNaN\tNaN\tNaN\t1\th\tNaN\tNaN\n-1\t");
	assert_has(dir, "latency.gp", "title say('1 more')");
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void damaged_histograms_are_refused(void **state)
{
	struct fan_report r;
	struct fan_r_group_waits *w;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	w = add(&r, "vm");
	put(&w->waits, MS, 1);
	put(&w->waits, MS, 1);
	assert_refused(&r, "histogram of vm is damaged");
	w->waits.upto_ns.items[1] = 2 * MS;
	w->waits.count.items[1] = 0;
	assert_refused(&r, "histogram of vm is damaged");
	w->waits.count.n = 1;
	assert_refused(&r, "histogram of vm is damaged");
	fan_report_free(&r);
}

static void a_report_without_histograms_says_so(void **state)
{
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	g = fan_array_add(&r.groups, &fan_group_table);
	assert_non_null(g);
	assert_refused(&r, "does not tell how long waits were");
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_curve_is_the_sum_of_what_is_no_longer),
		cmocka_unit_test(one_wait_has_an_axis),
		cmocka_unit_test(waits_of_0_are_drawn),
		cmocka_unit_test(who_never_waited_is_named_without_a_curve),
		cmocka_unit_test(of_many_groups_the_rest_is_counted),
		cmocka_unit_test(damaged_histograms_are_refused),
		cmocka_unit_test(a_report_without_histograms_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
