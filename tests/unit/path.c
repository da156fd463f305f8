// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/path.c, condition.c: numbers of a result by their path. */
#include "tests/unit/report_sample.h"

#include <errno.h>

#include "analyze/report/compare_tree.h"
#include "analyze/report/condition.h"
#include "analyze/report/path.h"

/* vm2 and vm1 of report_sample.h, with two windows, a wait of vm1 and two kinds of exits. */
static void make(struct fan_report *r)
{
	struct fan_r_group *g;
	struct fan_r_curve *c;
	struct fan_r_amount *amount;
	struct fan_r_exit *e;

	sample_make(r);
	g = (struct fan_r_group *)r->groups.items + 1;
	amount = fan_array_add(&g->waited_for.groups, &fan_amount_table);
	assert_non_null(amount);
	amount->name = own("vm2");
	amount->ns = 4321;
	for (int i = 0; i < 2; i++) {
		e = fan_array_add(&g->exits, &fan_exit_table);
		assert_non_null(e);
		e->reason = own("HLT");
		e->count = 7 + i;
	}
	c = fan_array_add(&r->series.groups, &fan_curve_table);
	assert_non_null(c);
	c->name = own("vm2");
	assert_int_equal(fan_reals_add(&c->share, 91.5), 0);
	assert_int_equal(fan_reals_add(&c->share, NAN), 0);
	assert_int_equal(fan_ints_add(&c->lag_ns, -12), 0);
	r->isolation.applicable = true;
	r->isolation.judged.violation_pct = 1.25;
}

static void assert_value(const struct fan_report *r, const char *path, double want)
{
	struct fcap_err err = { 0 };
	double got = -1;

	assert_int_equal(fan_path_value(path, &fan_report_table, NULL, &got, &err), 0);
	assert_true(isnan(got));
	if (fan_path_value(path, &fan_report_table, r, &got, &err) < 0)
		fail_msg("%s: %s", path, err.text);
	if (isnan(want) ? !isnan(got) : got != want)
		fail_msg("%s: %.17g instead of %.17g", path, got, want);
}

static void a_path_leads_to_every_kind_of_number(void **state)
{
	struct fan_report r;

	(void)state;
	make(&r);
	assert_value(&r, "quality.gaps", 2);
	assert_value(&r, "quality.unknown_pct", 0.1);
	assert_value(&r, "period.overlap.to_ns", 29.5e9);
	assert_value(&r, "groups[vm2].share.value", 90.8123);
	assert_value(&r, "groups[0].share.lo", 90.3923);
	assert_value(&r, "groups[vm2].deviation.hi_adj", 1.2923);
	assert_value(&r, "groups[vm2].deviation.m", 2);
	assert_value(&r, "groups[vm2].deviation.n", 285);
	assert_value(&r, "groups[vm2].deviation.df", 8);
	assert_value(&r, "groups[vm2].verdict.margin", 3);
	assert_value(&r, "groups[vm2].verdict.indicative", 1);
	assert_value(&r, "groups[vm2].threads[CPU 0/KVM].run_ns", 27e9);
	assert_value(&r, "groups[1].threads[0].tid", 801);
	assert_value(&r, "groups[vm1].waited_for.groups[vm2]", 4321);
	assert_value(&r, "groups[vm1].exits[1].count", 8);
	assert_value(&r, "series.groups[vm2].share[0]", 91.5);
	assert_value(&r, "series.groups[vm2].lag_ns[0]", -12);
	assert_value(&r, "host.cores[1][0]", 1);
	assert_value(&r, "host.cores[1][1]", 3);
	assert_value(&r, "isolation.applicable", 1);
	assert_value(&r, "isolation.violation_pct", 1.25);
	fan_report_free(&r);
}

static void what_does_not_exist_has_no_value(void **state)
{
	struct fan_report r;

	(void)state;
	make(&r);
	assert_value(&r, "groups[vm1].tgid", NAN);
	assert_value(&r, "groups[vm1].share.lo", NAN);
	assert_value(&r, "groups[vm1].verdict.margin", NAN);
	assert_value(&r, "fairness.jain.value", NAN);
	assert_value(&r, "series.groups[vm2].share[1]", NAN);
	/* lists that are empty: nothing is called so, and nothing else either */
	assert_value(&r, "work[vm1].rate.value", NAN);
	assert_value(&r, "groups[vm2].waited_for.groups[vm1]", NAN);
	assert_value(&r, "series.groups[vm2].wait_ns[3]", NAN);
	assert_value(&r, "isolation.cores[0].cpus[0]", NAN);
	fan_report_free(&r);
}

/* A name goes before a number. */
static void a_group_may_be_called_by_a_number(void **state)
{
	struct fan_report r;

	(void)state;
	make(&r);
	free(((struct fan_r_group *)r.groups.items + 1)->name);
	((struct fan_r_group *)r.groups.items + 1)->name = own("0");
	assert_value(&r, "groups[0].share.value", 9.1877);
	assert_value(&r, "groups[1].share.value", 9.1877);
	fan_report_free(&r);
}

static void assert_fails(const struct fan_report *r, const char *path, int code, const char *words)
{
	struct fcap_err err = { 0 };
	double got;

	assert_int_equal(fan_path_value(path, &fan_report_table, r, &got, &err), -code);
	if (!strstr(err.text, words))
		fail_msg("%s: \"%s\" instead of \"%s\"", path, err.text, words);
	/* whether the tables know it is asked before there is a result */
	assert_int_equal(fan_path_value(path, &fan_report_table, NULL, &got, &err),
			 code == EINVAL ? -EINVAL : 0);
}

static void a_path_that_the_tables_do_not_know_is_told_with_the_nearest_field(void **state)
{
	struct fan_report r;

	(void)state;
	make(&r);
	assert_fails(&r, "group[0].share.value", EINVAL, "no \"group\"; did you mean \"groups\"?");
	assert_fails(&r, "groups[0].devation.value", EINVAL,
		     "no \"devation\" in groups[0]; did you mean \"deviation\"?");
	assert_fails(&r, "groups[vm1].share.low", EINVAL,
		     "no \"low\" in groups[vm1].share; did you mean \"lo\"?");
	assert_fails(&r, "groups[vm1].verdict.margins", EINVAL, "did you mean \"margin\"?");
	assert_fails(&r, "quality.losts", EINVAL,
		     "no \"losts\" in quality; did you mean \"lost\"?");
	assert_fails(&r, "groups[0].share", EINVAL, "did you mean \"groups[0].share.value\"?");
	fan_report_free(&r);
}

static void a_path_to_no_number_is_refused(void **state)
{
	static const char *const paths[] = {
		"",
		"groups",
		"groups[0]",
		"groups.vm1.tgid",
		"groups[0].name",
		"groups[0].flags",
		"groups[].tgid",
		"groups[0.tgid",
		"groups[0]tgid",
		"quality..lost",
		"quality.lost.x",
		"quality.lost[0]",
		"quality.lost.",
		"quality",
		"quality[0].lost",
		"groups[0].share.unit",
		"source.labels[rig]",
		"host.cores[0]",
		".quality.lost",
		"groups[0].verdict.word",
		"groups[0].share.value.x",
	};
	struct fcap_err err = { 0 };
	struct fan_report r;
	double got;

	(void)state;
	make(&r);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		err.text[0] = '\0';
		if (fan_path_value(paths[i], &fan_report_table, &r, &got, &err) != -EINVAL)
			fail_msg("%s is taken", paths[i]);
		assert_true(*err.text);
	}
	fan_report_free(&r);
}

static void what_a_list_does_not_have_is_told_with_what_it_has(void **state)
{
	struct fan_report r;

	(void)state;
	make(&r);
	assert_fails(&r, "groups[vm3].tgid", ENOENT, "there is no \"vm3\" in groups, but vm2, vm1");
	assert_fails(&r, "groups[2].tgid", ENOENT, "there is no \"2\" in groups, but vm2, vm1");
	assert_fails(&r, "groups[-1].tgid", ENOENT, "there is no \"-1\" in groups");
	assert_fails(&r, "groups[0].threads[x].tid", ENOENT,
		     "CPU 0/KVM, w\\xFF\\x1B[31m\\xC3\\xA9");
	assert_fails(&r, "series.groups[vm2].share[2]", ENOENT,
		     "there is no 2 in series.groups[vm2].share, which has 2, from 0 on");
	assert_fails(&r, "host.cores[0][2]", ENOENT, "host.cores[0], which has 2");
	assert_fails(&r, "groups[vm1].exits[HLT].count", ENOENT,
		     "2 in groups[vm1].exits are called \"HLT\": choose one by its number");
	fan_report_free(&r);
}

static int holds(const struct fan_report *r, const char *text, double *value)
{
	struct fan_condition c;
	struct fcap_err err = { 0 };
	int ret;

	if (fan_condition_parse(&c, text, &fan_report_table, &err) < 0)
		fail_msg("%s: %s", text, err.text);
	ret = fan_condition_holds(&c, &fan_report_table, r, value, &err);
	fan_condition_free(&c);
	return ret;
}

static void conditions_hold_or_do_not(void **state)
{
	/* quality.gaps is 2 */
	static const struct {
		const char *text;
		int want;
	} list[] = {
		{ "quality.gaps < 2", 0 },    { "quality.gaps < 3", 1 },
		{ "quality.gaps <= 2", 1 },   { "quality.gaps <= 1", 0 },
		{ "quality.gaps > 2", 0 },    { "quality.gaps > 1", 1 },
		{ "quality.gaps >= 2", 1 },   { "quality.gaps >= 3", 0 },
		{ "quality.gaps == 2", 1 },   { "quality.gaps == 1", 0 },
		{ "quality.gaps != 2", 0 },   { "quality.gaps != 1", 1 },
		{ "quality.gaps>1.99e0", 1 }, { " quality.gaps\t> -1", 1 },
	};
	struct fan_report r;
	double value;

	(void)state;
	make(&r);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		if (holds(&r, list[i].text, &value) != list[i].want)
			fail_msg("%s", list[i].text);
		assert_true(value == 2);
	}
	assert_int_equal(holds(&r, "fairness.jain.value < 0.9", &value), -ENODATA);
	assert_int_equal(holds(&r, "groups[vm3].run_ns < 9", &value), -ENOENT);
	fan_report_free(&r);
}

/* What stands in brackets may hold whatever a name may, but for the bracket that ends it. */
static void names_in_brackets_may_look_like_conditions(void **state)
{
	struct fan_report r;
	double value;

	(void)state;
	make(&r);
	free(((struct fan_r_group *)r.groups.items)->name);
	((struct fan_r_group *)r.groups.items)->name = own("a <= b.c[x != 1");
	assert_int_equal(holds(&r, "groups[a <= b.c[x != 1].tgid==900", &value), 1);
	assert_true(value == 900);
	fan_report_free(&r);
}

static void what_is_no_condition_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"quality.lost",
		"quality.lost >",
		"> 3",
		"quality.lost = 3",
		"quality.lost => 3",
		"quality.lost > 3 x",
		"quality.lost > nan",
		"quality.lost > x",
		"quality.lost > 1e999",
		"quality.lost >> 3",
		"quality.lot > 3",
		"max(quality.lost) > 3",
		"quality lost > 3",
		"3 > quality.lost",
		"quality.lost <> 3",
	};
	struct fan_condition c;
	struct fcap_err err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (fan_condition_parse(&c, texts[i], &fan_report_table, &err) != -EINVAL)
			fail_msg("%s is taken", texts[i]);
}

static void a_comparison_has_paths_too(void **state)
{
	struct fan_compare c;
	struct fan_c_configuration *config;
	struct fan_c_group *g;
	double got;

	(void)state;
	fan_tree_init(&c, &fan_compare_table);
	config = fan_array_add(&c.configurations, &fan_c_configuration_table);
	assert_non_null(config);
	config->label = own("off");
	g = fan_array_add(&config->groups, &fan_c_group_table);
	assert_non_null(g);
	g->name = own("vm1");
	g->deviation.value = -2.5;
	assert_int_equal(fan_path_value("configurations[off].groups[vm1].deviation.value",
					&fan_compare_table, &c, &got, NULL),
			 0);
	assert_true(got == -2.5);
	fan_compare_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_leads_to_every_kind_of_number),
		cmocka_unit_test(what_does_not_exist_has_no_value),
		cmocka_unit_test(a_group_may_be_called_by_a_number),
		cmocka_unit_test(a_path_that_the_tables_do_not_know_is_told_with_the_nearest_field),
		cmocka_unit_test(a_path_to_no_number_is_refused),
		cmocka_unit_test(what_a_list_does_not_have_is_told_with_what_it_has),
		cmocka_unit_test(conditions_hold_or_do_not),
		cmocka_unit_test(names_in_brackets_may_look_like_conditions),
		cmocka_unit_test(what_is_no_condition_is_refused),
		cmocka_unit_test(a_comparison_has_paths_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
