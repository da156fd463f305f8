// SPDX-License-Identifier: GPL-3.0-or-later
/* The figure "timeline": its table to the letter, what of its script depends on what is there. */
#include <errno.h>

#include "plot/set.h"
#include "tests/unit/plot_test.h"

#define MS 1000000LL

/* Bins of 10 ms, the last one of 5: the period ends there. */
static struct fan_report report(size_t bins)
{
	struct fan_report r;

	fan_tree_init(&r, &fan_report_table);
	r.period.start_ns = 0;
	r.period.end_ns = (int64_t)bins * 10 * MS - 5 * MS;
	r.occupancy.bin_ns = 10 * MS;
	r.occupancy.left_out = 0;
	for (size_t i = 0; i < bins; i++)
		assert_int_equal(fan_ints_add(&r.occupancy.t_ns, (int64_t)i * 10 * MS), 0);
	return r;
}

static void add_group(struct fan_report *r, const char *name)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);

	assert_non_null(g);
	g->name = own(name);
}

static struct fan_r_lane *add_lane(struct fan_report *r, int64_t cpu, int64_t core)
{
	struct fan_r_lane *lane = fan_array_add(&r->occupancy.cpus, &fan_lane_table);

	assert_non_null(lane);
	lane->cpu = cpu;
	lane->core = core;
	return lane;
}

/* In ms, until a negative one. */
static void fill(struct fan_ints *list, const int *ms)
{
	for (; *ms >= 0; ms++)
		assert_int_equal(fan_ints_add(list, *ms * MS), 0);
}

static void run(struct fan_r_lane *lane, const char *name, const int *ms)
{
	struct fan_r_bins *g = fan_array_add(&lane->groups, &fan_bins_table);

	assert_non_null(g);
	g->name = own(name);
	fill(&g->ns, ms);
}

/* A core of CPUs 0 and 4. */
static void add_core(struct fan_report *r)
{
	struct fan_r_shared_core *core = fan_array_add(&r->occupancy.cores, &fan_shared_table);

	assert_non_null(core);
	assert_int_equal(fan_ints_add(&core->cpus, 0), 0);
	assert_int_equal(fan_ints_add(&core->cpus, 4), 0);
	r->occupancy.level = own("vm");
}

static struct fplot_page page_of(const struct fan_report *r)
{
	return (struct fplot_page){ .report = r, .formats = FPLOT_SVG, .width_in = 3.4 };
}

static void assert_refused(const struct fan_report *r, const char *why)
{
	const struct fplot_page p = page_of(r);
	struct fcap_err err = { 0 };

	assert_int_equal(fplot_timeline.check(&p, &err), -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" is not in \"%s\"", why, err.text);
}

static char *draw(struct fan_report *r, const char *dir, const char *file)
{
	const struct fplot_page p = page_of(r);
	struct fcap_err err = { 0 };

	if (fplot_timeline.check(&p, &err) < 0 || fplot_timeline.draw(&p, dir, &err) < 0)
		fail_msg("%s", err.text);
	fan_report_free(r);
	return content(dir, file);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void assert_has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" is in:\n%s", part, text);
}

/* What follows the comments. */
static const char *rows_of(const char *table)
{
	while (*table == '#')
		table = strchr(table, '\n') + 1;
	return table;
}

/*
 * CPU 0: two bins of a, one of which 2.5 is idle by force, the last one b's; CPU 4: all b's. In the
 * second bin the core was shared against the rule for 4 ms of 10. Lanes are 1 high; between the
 * two is 0.06, a strip of 0.3, and 0.06.
 */
static void equal_bins_are_one_row(void **state)
{
	struct fan_report r = report(4);
	char *dir = tempdir_new(), *table;
	struct fan_r_shared_core *core;
	struct fan_r_lane *lane;

	(void)state;
	add_group(&r, "a");
	add_group(&r, "b");
	add_core(&r);
	core = r.occupancy.cores.items;
	fill(&core->violation_ns, (const int[]){ 0, 4, 0, 0, -1 });
	lane = add_lane(&r, 0, 0);
	run(lane, "a", (const int[]){ 10, 10, 7, 0, -1 });
	run(lane, "b", (const int[]){ 0, 0, 0, 5, -1 });
	fill(&lane->forced_idle_ns, (const int[]){ 0, 0, 3, 0, -1 });
	lane = add_lane(&r, 4, 0);
	run(lane, "b", (const int[]){ 10, 10, 10, 5, -1 });
	table = draw(&r, dir, "timeline.tsv");
	assert_has(table, "# y\tstrip_y\tcpu\tfrom_s\tto_s\tpct:a\tpct:b\tother_pct\tunknown_pct\t"
			  "forced_idle_pct\tidle_pct\tviolation_pct\tunresolved_pct\n");
	assert_string_equal(rows_of(table),
			    "1.00\t1.36\t0\t0.000000\t0.010000\t100\t0\t0\t0\t0\t0\t0\t0\n"
			    "1.00\t1.36\t0\t0.010000\t0.020000\t100\t0\t0\t0\t0\t0\t40\t0\n"
			    "1.00\t1.36\t0\t0.020000\t0.030000\t70\t0\t0\t0\t30\t0\t0\t0\n"
			    "1.00\t1.36\t0\t0.030000\t0.035000\t0\t100\t0\t0\t0\t0\t0\t0\n"
			    "2.42\tNaN\t4\t0.000000\t0.010000\t0\t100\t0\t0\t0\t0\t0\t0\n"
			    "2.42\tNaN\t4\t0.010000\t0.020000\t0\t100\t0\t0\t0\t0\t40\t0\n"
			    "2.42\tNaN\t4\t0.020000\t0.035000\t0\t100\t0\t0\t0\t0\t0\t0\n");
	free(table);
	tempdir_remove(dir);
}

static void the_legend_has_what_occurs(void **state)
{
	struct fan_report r = report(2);
	char *dir = tempdir_new(), *script;
	struct fan_r_lane *lane;

	(void)state;
	add_group(&r, "a");
	add_core(&r);
	lane = add_lane(&r, 0, 0);
	run(lane, "a", (const int[]){ 10, 2, -1 });
	fill(&lane->forced_idle_ns, (const int[]){ 0, 3, -1 });
	r.isolation.forced_idle.upper_bound = true;
	script = draw(&r, dir, "timeline.gp");
	assert_has(script, "title say('a')");
	assert_has(script, "title say('forced idle, at most')\n");
	assert_has(script, "hatching");
	assert_has(script, "set xlabel say('time (ms)')");
	assert_has(script, "set xrange [0:15]");
	assert_has_not(script, "say('host')");
	assert_has_not(script, "say('violation')");
	assert_has_not(script, "say('unknown')");
	free(script);
	tempdir_remove(dir);
}

/* One CPU, no core, no group, one bin, and nothing known of it. */
static void the_least_there_can_be_is_drawn(void **state)
{
	struct fan_report r = report(1);
	char *dir = tempdir_new(), *script;

	(void)state;
	fill(&add_lane(&r, 7, FAN_NONE)->unknown_ns, (const int[]){ 5, -1 });
	script = draw(&r, dir, "timeline.gp");
	assert_has(script, "set ytics ('7' 0.50)");
	assert_has(script, "title say('unknown')\n");
	assert_has_not(script, "hatching");
	free(script);
	tempdir_remove(dir);
}

static void cpus_that_are_left_out_are_counted(void **state)
{
	struct fan_report r = report(1);
	char *dir = tempdir_new(), *script;

	(void)state;
	fill(&add_lane(&r, 7, FAN_NONE)->idle_ns, (const int[]){ 5, -1 });
	r.occupancy.left_out = 63;
	script = draw(&r, dir, "timeline.gp");
	assert_has(script, "set ylabel say('CPU, 1 of 64')");
	free(script);
	tempdir_remove(dir);
}

/* Of eight groups six have a colour of their own. */
static void of_many_groups_the_smallest_are_one(void **state)
{
	struct fan_report r = report(1);
	char *dir = tempdir_new(), *script;
	struct fan_r_lane *lane;
	char name[] = "a";

	(void)state;
	lane = add_lane(&r, 0, FAN_NONE);
	for (; *name <= 'h'; ++*name) {
		add_group(&r, name);
		run(lane, name, (const int[]){ *name < 'f' ? 1 : 0, -1 });
	}
	run(lane, "g", (const int[]){ 0, -1 });
	script = draw(&r, dir, "timeline.gp");
	assert_has(script, "title say('f')");
	assert_has_not(script, "title say('g')");
	assert_has(script, "title say('other groups')\n");
	assert_has(script, "any(12,13)");
	free(script);
	tempdir_remove(dir);
}

static void lists_that_do_not_fit_are_refused(void **state)
{
	struct fan_report r = report(2);
	struct fan_r_lane *lane;

	(void)state;
	assert_refused(&r, "who had which CPU when");
	lane = add_lane(&r, 0, FAN_NONE);
	assert_refused(&r, "do not fit together");
	fill(&lane->idle_ns, (const int[]){ 10, -1 });
	assert_refused(&r, "do not fit together");
	fill(&lane->idle_ns, (const int[]){ 5, -1 });
	lane->core = 1;
	assert_refused(&r, "do not fit together");
	lane->core = FAN_NONE;
	r.period.end_ns = 10 * MS;
	assert_refused(&r, "do not fit together");
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_bins_are_one_row),
		cmocka_unit_test(the_legend_has_what_occurs),
		cmocka_unit_test(the_least_there_can_be_is_drawn),
		cmocka_unit_test(cpus_that_are_left_out_are_counted),
		cmocka_unit_test(of_many_groups_the_smallest_are_one),
		cmocka_unit_test(lists_that_do_not_fit_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
