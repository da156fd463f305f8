// SPDX-License-Identifier: GPL-3.0-or-later
/* What the user can choose: groups of other kinds, VMs by selector, weights, stretches of time. */
#include "tests/unit/assembled.h"

static const struct tb_task a = { 11, "hog", 0 }, b = { 21, "hog", 0 }, c = { 31, "mouse", 0 };

/*
 * One CPU, 100 ms: a runs 0-40, b 40-70, c 70-80, a 80-100. a is moved from /x to /y at 60, while
 * it waits; b is in /y, c in /z.
 */
static struct tb *three_tasks(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono cpu_hierarchy=1");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/x parent=/ weight=1024 scale=shares");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/y parent=/ weight=1024 scale=shares");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/z parent=/ weight=2048 scale=shares");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=11 tgid=11 comm=hog cgroup=/x");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=21 tgid=21 comm=hog cgroup=/y");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=31 tgid=31 comm=mouse cgroup=/z");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(0, 40), a, TB_R, b);
	tb_cgroup_attach(tb, tb_by(0, MODELLED_BASE + 60 * MODELLED_MS, b.tid), a, "/y");
	tb_switch(tb, at_ms(0, 70), b, TB_R, c);
	tb_switch(tb, at_ms(0, 80), c, TB_S, a);
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	return tb;
}

static struct fan_report_options defaults(enum fan_group_kind kind)
{
	return (struct fan_report_options){
		.groups = { .kind = kind }, .overlap = { .all = true }, .level = 0.95, .margin = 3
	};
}

static struct fan_vm_request request(const char *name, const char *selector)
{
	struct fan_vm_request r = { .name = name };

	assert_int_equal(fcap_selector_parse(selector, &r.selector), 0);
	return r;
}

static void cgroups_get_the_time_of_the_moment(void **state)
{
	const struct fan_report_options o = defaults(FAN_GROUP_CGROUP);
	struct fan_report r = report_with(three_tasks(), &o, NULL);

	(void)state;
	assert_int_equal(r.groups.n, 3);
	/* a: 40 ms in /x, then 20 waiting; in /y it waits 20 more and runs 20 */
	assert_int_equal(group(&r, "x")->run_ns, 40 * MODELLED_MS);
	assert_int_equal(group(&r, "x")->wait_ns, 20 * MODELLED_MS);
	assert_int_equal(group(&r, "y")->run_ns, (30 + 20) * MODELLED_MS);
	assert_int_equal(group(&r, "z")->run_ns, 10 * MODELLED_MS);
	assert_near(group(&r, "y")->share.value, 50, 1e-9);
	assert_string_equal(group(&r, "y")->kind, "cgroup");
	fan_report_free(&r);
}

static void a_move_in_another_hierarchy_changes_nothing(void **state)
{
	const struct fan_report_options o = defaults(FAN_GROUP_CGROUP);
	struct tb *tb = three_tasks();
	struct fan_report r;

	(void)state;
	/* another number than the builder's events have */
	tb_marker(tb, MODELLED_BASE + 1, "fcap: begin v=1 clock=mono cpu_hierarchy=9");
	r = report_with(tb, &o, NULL);
	assert_int_equal(group(&r, "x")->run_ns, 60 * MODELLED_MS);
	assert_int_equal(group(&r, "y")->run_ns, 30 * MODELLED_MS);
	fan_report_free(&r);
}

static void without_cgroups_their_report_says_why_it_is_empty(void **state)
{
	const struct fan_report_options o = defaults(FAN_GROUP_CGROUP);
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(0, 40), a, TB_S, tb_idle);
	r = report_with(tb, &o, NULL);
	assert_int_equal(r.groups.n, 0);
	assert_true(has(&r.quality.notes, "no thread is known to be in a cgroup"));
	fan_report_free(&r);
}

static void names_of_main_threads_make_groups(void **state)
{
	const struct fan_report_options o = defaults(FAN_GROUP_COMM);
	struct fan_report r = report_with(three_tasks(), &o, NULL);

	(void)state;
	assert_int_equal(r.groups.n, 2);
	assert_int_equal(group(&r, "hog")->run_ns, 90 * MODELLED_MS);
	assert_int_equal(group(&r, "hog")->threads.n, 2);
	assert_int_equal(group(&r, "mouse")->run_ns, 10 * MODELLED_MS);
	fan_report_free(&r);
}

static void selectors_make_the_groups_and_no_others(void **state)
{
	struct fan_vm_request vms[] = { request("first", "tgid:11"), request("rest", "comm:m*") };
	struct fan_report_options o = defaults(FAN_GROUP_VM);
	struct fan_report r;

	(void)state;
	o.groups.vms = vms;
	o.groups.nvms = 2;
	r = report_with(three_tasks(), &o, NULL);
	assert_int_equal(r.groups.n, 2);
	assert_near(group(&r, "first")->share.value, 100 * 60.0 / 70, 1e-9);
	assert_string_equal(group(&r, "first")->kind, "selected");
	fan_report_free(&r);
}

static void tids_are_kept_apart_from_their_process(void **state)
{
	static const int32_t apart[] = { 12 };
	const struct tb_task other = { 12, "hog", 0 };
	const struct fan_model_options period = { .apart = apart, .napart = 1 };
	struct fan_vm_request vms[] = { request("one", "tids:12"), request("two", "tgid:11") };
	struct fan_report_options o = defaults(FAN_GROUP_VM);
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=11 tgid=11 comm=hog cgroup=/x");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=12 tgid=11 comm=hog cgroup=/x");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(0, 40), a, TB_R, other);
	tb_switch(tb, at_ms(0, 100), other, TB_S, tb_idle);
	o.groups.vms = vms;
	o.groups.nvms = 2;
	r = report_with(tb, &o, &period);
	assert_near(group(&r, "one")->share.value, 60, 1e-9);
	assert_near(group(&r, "two")->share.value, 40, 1e-9);
	fan_report_free(&r);
}

static void cgroup_selectors_take_what_lies_below(void **state)
{
	struct fan_vm_request vms[] = { request("y", "cgroup:/y") };
	struct fan_report_options o = defaults(FAN_GROUP_VM);
	struct fan_report r;

	(void)state;
	o.groups.vms = vms;
	o.groups.nvms = 1;
	r = report_with(three_tasks(), &o, NULL);
	assert_near(r.series.groups.n, 1, 0);
	assert_int_equal(group(&r, "y")->threads.n, 2);
	fan_report_free(&r);
}

static int failure(const struct fan_report_options *o, const struct fan_model_options *period,
		   struct fcap_err *err)
{
	struct fan_file *file = file_of(three_tasks());
	struct fan_model *m = NULL;
	struct fan_report r = { 0 };
	int e = fan_report_read(&m, file, period, o, err);

	if (e == 0)
		e = fan_report_assemble(&r, file, m, o, err);
	if (m)
		fan_report_free(&r);
	fan_model_free(m);
	fan_file_close(file);
	return e;
}

static void a_name_that_matches_nothing_is_an_error(void **state)
{
	struct fan_vm_request vms[] = { request("v", "tgid:99") };
	const struct fan_given_weight weights[] = { { "nobody", 5 } };
	struct fan_report_options o = defaults(FAN_GROUP_VM);
	struct fcap_err err = { 0 };

	(void)state;
	o.groups.vms = vms;
	o.groups.nvms = 1;
	assert_int_equal(failure(&o, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--vm v"));
	o = defaults(FAN_GROUP_COMM);
	o.weights = weights;
	o.nweights = 1;
	assert_int_equal(failure(&o, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--weight nobody"));
}

static void a_vm_of_which_others_took_all_is_an_error(void **state)
{
	struct fan_vm_request vms[] = { request("v", "comm:hog"), request("w", "tgid:11") };
	struct fan_report_options o = defaults(FAN_GROUP_VM);
	struct fcap_err err = { 0 };

	(void)state;
	o.groups.vms = vms;
	o.groups.nvms = 2;
	assert_int_equal(failure(&o, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--vm w: all that it means is in an earlier --vm"));
}

static void given_weights_go_before_all_others(void **state)
{
	const struct fan_given_weight weights[] = { { "hog", 300 }, { "mouse", 100 } };
	struct fan_report_options o = defaults(FAN_GROUP_COMM);
	struct fan_report r;

	(void)state;
	o.weights = weights;
	o.nweights = 2;
	r = report_with(three_tasks(), &o, NULL);
	/* mouse weighs 1 of 4 and wants the CPU for 10 of 100 ms only */
	assert_near(group(&r, "mouse")->expected_pct, 2.5, 1e-6);
	assert_near(group(&r, "hog")->weight, 300, 0);
	assert_string_equal(r.period.entity_rule, "given with --weight");
	fan_report_free(&r);
}

static void only_the_stretch_that_was_asked_for_counts(void **state)
{
	const struct fan_model_options period = { .from_ns = 30 * MODELLED_MS,
						  .to_ns = 90 * MODELLED_MS };
	const struct fan_report_options o = defaults(FAN_GROUP_COMM);
	struct fan_report r = report_with(three_tasks(), &o, &period);

	(void)state;
	/* a: 30-40 and 80-90, b: 40-70, c: 70-80 */
	assert_int_equal(group(&r, "hog")->run_ns, 50 * MODELLED_MS);
	/* a waits 40-80, b 70-90 */
	assert_int_equal(group(&r, "hog")->wait_ns, 60 * MODELLED_MS);
	assert_int_equal(group(&r, "mouse")->run_ns, 10 * MODELLED_MS);
	assert_int_equal(r.period.start_ns, 30 * MODELLED_MS);
	assert_int_equal(r.period.end_ns, 90 * MODELLED_MS);
	assert_int_equal(r.period.windows, 6);
	assert_int_equal(r.series.t_ns.items[0], 30 * MODELLED_MS);
	fan_report_free(&r);
}

static void a_stretch_behind_the_end_is_refused(void **state)
{
	const struct fan_model_options period = { .from_ns = 200 * MODELLED_MS };
	const struct fan_report_options o = defaults(FAN_GROUP_COMM);
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(failure(&o, &period, &err), -EINVAL);
	assert_non_null(strstr(err.text, "0.100 s long"));
}

static void windows_and_warmup_are_the_users(void **state)
{
	struct fan_report_options o = defaults(FAN_GROUP_COMM);
	struct fcap_err err = { 0 };
	struct fan_report r;

	(void)state;
	o.overlap.window_ns = 20 * MODELLED_MS;
	o.overlap.warmup_ns = 40 * MODELLED_MS;
	r = report_with(three_tasks(), &o, NULL);
	assert_int_equal(r.period.window_ns, 20 * MODELLED_MS);
	assert_int_equal(r.period.windows, 3);
	assert_int_equal(r.period.warmup_ns, 40 * MODELLED_MS);
	/* 40-100: hog 50, mouse 10 */
	assert_near(group(&r, "mouse")->share.value, 100 * 10.0 / 60, 1e-9);
	fan_report_free(&r);
	o.overlap.window_ns = 15 * MODELLED_MS;
	assert_int_equal(failure(&o, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--window"));
	o.overlap.window_ns = 0;
	o.overlap.warmup_ns = 100 * MODELLED_MS;
	assert_int_equal(failure(&o, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--warmup"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cgroups_get_the_time_of_the_moment),
		cmocka_unit_test(a_move_in_another_hierarchy_changes_nothing),
		cmocka_unit_test(without_cgroups_their_report_says_why_it_is_empty),
		cmocka_unit_test(names_of_main_threads_make_groups),
		cmocka_unit_test(selectors_make_the_groups_and_no_others),
		cmocka_unit_test(tids_are_kept_apart_from_their_process),
		cmocka_unit_test(cgroup_selectors_take_what_lies_below),
		cmocka_unit_test(a_name_that_matches_nothing_is_an_error),
		cmocka_unit_test(a_vm_of_which_others_took_all_is_an_error),
		cmocka_unit_test(given_weights_go_before_all_others),
		cmocka_unit_test(only_the_stretch_that_was_asked_for_counts),
		cmocka_unit_test(a_stretch_behind_the_end_is_refused),
		cmocka_unit_test(windows_and_warmup_are_the_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
