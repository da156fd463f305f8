// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/: the set of figures; what each draws of small reports, and of what it draws nothing. */
#include <errno.h>
#include <math.h>

#include "plot/figures.h"
#include "plot/set.h"
#include "tests/unit/plot_test.h"

#define MS 1000000LL
#define S  1000000000LL

static struct fplot_page page_of(const struct fan_report *r)
{
	return (struct fplot_page){ .report = r,
				    .formats = FPLOT_SVG,
				    .width_in = FPLOT_ONE_COLUMN_IN };
}

/* What has no time at all: 0, which add() below makes of all that a test does not set. */
static struct fan_r_group *add(struct fan_report *r, const char *name)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);

	assert_non_null(g);
	g->name = own(name);
	g->run_ns = g->wait_ns = 0;
	return g;
}

static struct fan_r_thread *add_thread(struct fan_r_group *g, int64_t tid, int64_t vcpu)
{
	struct fan_r_thread *t = fan_array_add(&g->threads, &fan_thread_table);

	assert_non_null(t);
	t->tid = tid;
	t->vcpu = vcpu;
	return t;
}

static void wait_for(struct fan_r_group *g, const char *name, int64_t ns)
{
	struct fan_r_amount *a = fan_array_add(&g->waited_for.groups, &fan_amount_table);

	assert_non_null(a);
	a->name = own(name);
	a->ns = ns;
}

static void draw(const struct fplot_figure *figure, const struct fan_report *r, const char *dir)
{
	const struct fplot_page p = page_of(r);
	struct fcap_err err = { 0 };

	if (fplot_figure_check(figure, &p, &err) < 0 || figure->draw(&p, dir, &err) < 0)
		fail_msg("%s", err.text);
}

static void assert_has(const char *dir, const char *name, const char *text)
{
	char *got = content(dir, name);

	if (!strstr(got, text))
		fail_msg("\"%s\" is not in:\n%s", text, got);
	free(got);
}

static void assert_refused(const struct fplot_figure *figure, const struct fan_report *r,
			   const char *why)
{
	const struct fplot_page p = page_of(r);
	struct fcap_err err = { 0 };

	assert_int_equal(fplot_figure_check(figure, &p, &err), -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" is not in \"%s\"", why, err.text);
}

static void lists_of_figures_are_read(void **state)
{
	unsigned int bits = 77;

	(void)state;
	/* share is number 0, lag 1, waits 7 */
	assert_int_equal(fplot_figures_parse("lag,share,lag", &bits), 0);
	assert_int_equal(bits, 3);
	assert_int_equal(fplot_figures_parse("waits", &bits), 0);
	assert_int_equal(bits, 128);
	assert_int_equal(fplot_figures_parse("", &bits), -EINVAL);
	assert_int_equal(fplot_figures_parse("lag,", &bits), -EINVAL);
	assert_int_equal(fplot_figures_parse("wait", &bits), -EINVAL);
	assert_int_equal(bits, 128);
}

static void widths_are_columns_or_millimetres(void **state)
{
	double in = 1;

	(void)state;
	assert_int_equal(fplot_width_parse("2col", &in), 0);
	assert_true(in == 7.0);
	assert_int_equal(fplot_width_parse("127", &in), 0); /* 5 inches of 25.4 mm */
	assert_true(in == 5.0);
	assert_int_equal(fplot_width_parse("59.9", &in), -EINVAL);
	assert_int_equal(fplot_width_parse("501", &in), -EINVAL);
	assert_int_equal(fplot_width_parse("nan", &in), -EINVAL);
	assert_int_equal(fplot_width_parse("1 col", &in), -EINVAL);
	assert_true(in == 5.0);
}

static void steps_are_1_2_or_5_times_a_power_of_ten(void **state)
{
	(void)state;
	/* a third of 30 is 10; of 7 is 2.3; of 0.4 is 0.13; of 170 is 56.7 */
	assert_float_equal(fplot_step(30), 10, 1e-9);
	assert_float_equal(fplot_step(7), 2, 1e-9);
	assert_float_equal(fplot_step(0.4), 0.1, 1e-9);
	assert_float_equal(fplot_step(170), 50, 1e-9);
}

static void nothing_is_drawn_of_an_empty_report(void **state)
{
	const struct fplot_figure *figure;
	struct fan_report r;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	for (size_t i = 0; (figure = fplot_figure_at(i)); i++)
		assert_refused(figure, &r, " ");
	assert_refused(&fplot_gaps, &r, "fanalyze compare");
	fan_report_free(&r);
}

static void nothing_of_runs_is_drawn_of_an_empty_comparison(void **state)
{
	struct fan_compare c;
	const struct fplot_page p = { .compare = &c };
	const struct fplot_figure *figure;
	struct fcap_err err = { 0 };

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	for (size_t i = 0; (figure = fplot_figure_at(i)); i++)
		assert_int_equal(fplot_figure_check(figure, &p, &err), -EINVAL);
	assert_int_equal(fplot_figure_check(&fplot_lag, &p, &err), -EINVAL);
	assert_non_null(strstr(err.text, "a trace or a report"));
	fan_compare_free(&c);
}

/* One group that is owed nothing in the one window there is: a line at 0 in an axis around it. */
static void a_lag_of_0_in_one_window_is_a_line_at_0(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;
	struct fan_r_curve *c;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	r.series.window_ns = 100 * MS;
	assert_int_equal(fan_ints_add(&r.series.t_ns, 2 * S), 0);
	c = fan_array_add(&r.series.groups, &fan_curve_table);
	assert_non_null(c);
	c->name = own("vm");
	assert_refused(&fplot_lag, &r, "lag of vm");
	assert_int_equal(fan_ints_add(&c->lag_ns, 0), 0);
	draw(&fplot_lag, &r, dir);
	assert_has(dir, "lag.tsv", "# end_of_window_s\tlag_ms:vm\n2.100000\t0.000\n");
	assert_has(dir, "lag.gp", "\tset xrange [2.000000:2.100000]\n\tset yrange [-1:1]\n");
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* A lag of 12 s is 12000 ms in the table, and seconds in the figure. */
static void a_large_lag_is_in_seconds(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;
	struct fan_r_curve *c;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	r.series.window_ns = S;
	assert_int_equal(fan_ints_add(&r.series.t_ns, 0), 0);
	c = fan_array_add(&r.series.groups, &fan_curve_table);
	assert_non_null(c);
	c->name = own("vm");
	assert_int_equal(fan_ints_add(&c->lag_ns, -12 * S), 0);
	draw(&fplot_lag, &r, dir);
	assert_has(dir, "lag.tsv", "1.000000\t-12000.000\n");
	assert_has(dir, "lag.gp", "using 1:($2/1000) ");
	assert_has(dir, "lag.gp", "say('CPU time owed (s)')");
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void one_group_alone_has_no_fairness(void **state)
{
	struct fan_report r;
	struct fan_r_fair_scale *s;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	add(&r, "vm");
	s = fan_array_add(&r.fairness.by_window, &fan_fair_scale_table);
	assert_non_null(s);
	s->window_ns = MS;
	s->windows = 0;
	assert_refused(&fplot_fairness, &r, "two groups");
	fan_report_free(&r);
}

/* Nobody is off by anything: an axis from 0 to 1, not one without a range. */
static void perfect_fairness_has_an_axis(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;
	struct fan_r_fair_scale *s;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	s = fan_array_add(&r.fairness.by_window, &fan_fair_scale_table);
	assert_non_null(s);
	s->window_ns = 2500000;
	s->windows = 8;
	s->jain = 1;
	s->fair_pct = 100;
	s->rms_pp = 0;
	s->zero_windows = 0;
	draw(&fplot_fairness, &r, dir);
	assert_has(dir, "fairness.tsv", "2.5\t8\t1.000000\t100.0000\t0.0000\t0\n");
	assert_has(dir, "fairness.gp", "set yrange [0:1]\n\tset ytics 1\n");
	fan_report_free(&r);
	tempdir_remove(dir);
}

/*
 * 10 s on a CPU, of which 6 s in the guest and 1 s in the kernel for it: 3 s are left. 4 s of
 * waiting: 1.5 s for b, 0.5 s for itself, 0.25 s for the host, 1 s unknown; 0.75 s are left. The
 * other thread sleeps all the time, which is not in the bar of a VM.
 */
static void the_parts_of_a_bar_add_up_to_run_and_wait(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	g = add(&r, "a");
	g->run_ns = 10 * S;
	g->guest_ns = 6 * S;
	g->host_ns = S;
	g->wait_ns = 4 * S;
	wait_for(g, "b", 1500 * MS);
	g->waited_for.self_ns = 500 * MS;
	g->waited_for.host_ns = 250 * MS;
	g->waited_for.unknown_ns = S;
	add_thread(g, 1, 0)->halted_ns = 2 * S;
	add_thread(g, 2, FAN_NONE)->blocked_ns = 100 * S;
	draw(&fplot_time, &r, dir);
	assert_has(dir, "time.tsv",
		   "\na\t6.000000\t1.000000\tNaN\tNaN\tNaN\t3.000000"
		   "\t1.500000\t0.500000\t0.250000\tNaN\tNaN\tNaN\t1.000000\t0.750000"
		   "\t2.000000\tNaN\tNaN\n");
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* Of 4 s a waited 3 s for b and 1 s for itself, which is on the diagonal. */
static void who_waited_for_itself_is_on_the_diagonal(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;
	struct fan_r_group *a;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	add(&r, "a");
	add(&r, "b");
	assert_refused(&fplot_waited, &r, "no group waited");
	a = r.groups.items;
	a->wait_ns = 4 * S;
	a->waited_for.self_ns = S;
	wait_for(a, "b", 3 * S);
	draw(&fplot_waited, &r, dir);
	/* nobody waited for the host: -1, not drawn; b did not wait: no row */
	assert_has(dir, "waited.tsv",
		   "0\t0\t25.0000\t1.000000\ta\ta\n"
		   "1\t0\t75.0000\t3.000000\ta\tb\n"
		   "-1\t0\t0.0000\t0.000000\ta\thost\n");
	assert_has(dir, "waited.gp", "\tset xrange [-0.5:1.5]\n");
	assert_has(dir, "waited.gp", "\tset yrange [0.5:-0.5]\n");
	fan_report_free(&r);
	tempdir_remove(dir);
}

static void who_never_waited_has_no_waits(void **state)
{
	struct fan_report r;
	struct fan_r_thread *t;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	t = add_thread(add(&r, "vm"), 1, 0);
	assert_refused(&fplot_waits, &r, "no thread of a group waited");
	t->wait = (struct fan_r_quantiles){ 0, 0, 0, 0 };
	assert_refused(&fplot_waits, &r, "no thread of a group waited");
	fan_report_free(&r);
}

/* The vCPU, not the thread beside it; its median of 0 is in the table. */
static void waits_are_those_of_the_vcpus(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;
	struct fan_r_group *g;
	struct fan_r_thread *t;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	g = add(&r, "vm");
	t = add_thread(g, 7, 0);
	t->wait = (struct fan_r_quantiles){ 0, 2 * MS, 4 * MS, 8 * MS };
	t->arrivals = 5;
	add_thread(g, 8, FAN_NONE)->wait = (struct fan_r_quantiles){ MS, MS, MS, MS };
	draw(&fplot_waits, &r, dir);
	assert_has(dir, "waits.tsv",
		   "\tthread\n0\t0.000000\t2.000000\t4.000000\t8.000000\t5\tvm\t7\t0\t-\n");
	assert_has(dir, "waits.gp", "set ytics (say('vm').' 0' 0) ");
	fan_report_free(&r);
	tempdir_remove(dir);
}

/* 1 s of wall time of two CPUs: 0.6 s a alone, 0.1 s shared, 0.3 s idle; 0.5 s of 2 forced. */
static void a_core_is_drawn_in_percent_of_its_time(void **state)
{
	char *dir = tempdir_new();
	struct fan_report r;
	struct fan_r_core *c;
	struct fan_r_amount *a;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	add(&r, "a");
	c = fan_array_add(&r.isolation.cores, &fan_core_table);
	assert_non_null(c);
	assert_int_equal(fan_ints_add(&c->cpus, 0), 0);
	assert_int_equal(fan_ints_add(&c->cpus, 4), 0);
	a = fan_array_add(&c->vms, &fan_amount_table);
	assert_non_null(a);
	a->name = own("a");
	a->ns = 600 * MS;
	c->mixed_ns = 100 * MS;
	c->idle_ns = 300 * MS;
	c->kernel_ns = c->beside_ns = c->other_ns = c->unknown_ns = 0;
	c->forced_idle_ns = 500 * MS;
	draw(&fplot_cores, &r, dir);
	assert_has(dir, "cores.tsv",
		   "\n0,4\t25.0000\t30.0000\t0.0000\t0.0000\t0.0000\t10.0000\t0.0000\t60.0000\n");
	assert_has(dir, "cores.gp", "\tset ytics ('0,4' 0) ");
	fan_report_free(&r);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_figures_are_read),
		cmocka_unit_test(widths_are_columns_or_millimetres),
		cmocka_unit_test(steps_are_1_2_or_5_times_a_power_of_ten),
		cmocka_unit_test(nothing_is_drawn_of_an_empty_report),
		cmocka_unit_test(nothing_of_runs_is_drawn_of_an_empty_comparison),
		cmocka_unit_test(a_lag_of_0_in_one_window_is_a_line_at_0),
		cmocka_unit_test(a_large_lag_is_in_seconds),
		cmocka_unit_test(one_group_alone_has_no_fairness),
		cmocka_unit_test(perfect_fairness_has_an_axis),
		cmocka_unit_test(the_parts_of_a_bar_add_up_to_run_and_wait),
		cmocka_unit_test(who_waited_for_itself_is_on_the_diagonal),
		cmocka_unit_test(who_never_waited_has_no_waits),
		cmocka_unit_test(waits_are_those_of_the_vcpus),
		cmocka_unit_test(a_core_is_drawn_in_percent_of_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
