// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text_work.c: fairness, work and scores as a person reads them. */
#include "analyze/report/text_work.h"
#include "tests/unit/report_sample.h"
#include "tests/unit/paper.h"

typedef void (*section_fn)(const struct fan_report *r, struct fan_print *p);

/* Prints the section and compares it with what it must be. */
static void assert_prints(section_fn print, const struct fan_report *r, const char *want)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page) };

	print(r, &p);
	assert_int_equal(p.r, 0);
	assert_paper(&page, want);
}

static struct fan_est est(double value, double half)
{
	struct fan_est e;

	fan_est_init(&e, NULL, 0.95, 1);
	e.value = value;
	e.lo = value - half;
	e.hi = value + half;
	e.flags = FAN_EST_ONE_RUN;
	e.method = isnan(half) ? NULL : "pw-ewc";
	return e;
}

static void set_pair(struct fan_report *r, double value, double half)
{
	r->fairness.worst_pair.a = own("vm2");
	r->fairness.worst_pair.b = own("vm1");
	r->fairness.worst_pair.ratio = est(value, half);
}

static void fairness_names_the_index_and_the_pair(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	r.fairness.jain = est(0.99712, 0.00123);
	set_pair(&r, 1.0412, 0.0345);
	assert_prints(fan_print_fairness, &r,
		      "\n"
		      "Fairness: how even the groups' parts are, each over what it was due\n"
		      "  Jain's index 0.9971 [0.9959, 0.9983] (1: even; 0.5: one got all)\n"
		      "  vm2 got 1.041 times what vm1 got, measured by what each was due [1.007, "
		      "1.076]\n");
	fan_report_free(&r);
}

static void without_an_interval_the_reason_stands_there(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	r.fairness.jain = est(0.99712, NAN);
	r.fairness.jain.flags |= FAN_EST_CI_NONE_SHORT;
	set_pair(&r, 1.0412, NAN);
	assert_prints(
		fan_print_fairness, &r,
		"\n"
		"Fairness: how even the groups' parts are, each over what it was due\n"
		"  Jain's index 0.9971, no interval: fewer than 20 windows (1: even; 0.5: one got\n"
		"    all)\n"
		"  vm2 got 1.04 times what vm1 got, measured by what each was due\n");
	fan_report_free(&r);
}

static void three_groups_have_an_adjusted_pair_and_the_starved_are_named(void **state)
{
	struct fan_r_group *g;
	struct fan_report r;

	(void)state;
	sample_make(&r);
	g = fan_array_add(&r.groups, &fan_group_table);
	assert_non_null(g);
	g->name = own("vm3");
	g->share.value = 0;
	g->expected_pct = 10;
	r.fairness.jain = est(0.5, NAN);
	set_pair(&r, 2, 0.1);
	r.fairness.worst_pair.ratio.lo_adj = 1.75;
	r.fairness.worst_pair.ratio.hi_adj = 2.25;
	assert_prints(
		fan_print_fairness, &r,
		"\n"
		"Fairness: how even the groups' parts are, each over what it was due\n"
		"  Jain's index 0.5000, no interval: more than two groups of one run (1: even;\n"
		"    0.33: one got all)\n"
		"  vm2 got 2.00 times what vm1 got, measured by what each was due [1.75, 2.25],\n"
		"    adjusted for all pairs\n"
		"  got nothing of what was due: vm3\n");
	fan_report_free(&r);
}

static void no_index_is_told_only_with_its_reason(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	assert_prints(fan_print_fairness, &r, "");
	r.fairness.jain = est(NAN, NAN);
	r.fairness.jain.flags |= FAN_EST_UNDEFINED;
	assert_prints(fan_print_fairness, &r,
		      "\n"
		      "Fairness: how even the groups' parts are, each over what it was due\n"
		      "  Jain's index does not exist: no work at all\n");
	fan_report_free(&r);
}

static struct fan_r_work *add_work(struct fan_report *r, const char *vm, const char *unit)
{
	struct fan_r_work *w = fan_array_add(&r->work, &fan_work_table);

	assert_non_null(w);
	w->vm = own(vm);
	w->unit = unit ? own(unit) : NULL;
	fan_est_init(&w->rate, "per_second", 0.95, 1);
	fan_est_init(&w->efficiency, "per_cpu_second", 0.95, 1);
	return w;
}

static void amounts_are_rounded_by_their_intervals(void **state)
{
	struct fan_report r;
	struct fan_r_work *w;

	(void)state;
	sample_make(&r);
	w = add_work(&r, "vm1", "loops");
	w->total = 29729.4;
	w->share_pct = 25.004;
	w->cpu_share_pct = 24.5;
	w->rate = est(2972.94, 123.4);
	w->efficiency = est(0.04321, 0.00098);
	w = add_work(&r, "vm2", "loops");
	w->total = 4.2e9;
	w->share_pct = 74.996;
	w->cpu_share_pct = 75.5;
	w->rate = est(123456789, 2345678);
	w->efficiency = est(987654321098, 34567890123);
	assert_prints(
		fan_print_work, &r,
		"\n"
		"Work, as reported, in the windows of the shares; work % and CPU %: of all that\n"
		"reported that unit\n"
		"name  unit    total  work %  CPU %   per s   +/-  per CPU s      +/-\n"
		"vm1   loops   29730   25.00  24.50    2970   120    0.04321  0.00098\n"
		"vm2   loops  4.200G   75.00  75.50  123.5M  2.3M       988G      35G\n");
	fan_report_free(&r);
}

static void what_is_missing_in_work_is_told_by_name(void **state)
{
	struct fan_report r;
	struct fan_r_work *w;

	(void)state;
	sample_make(&r);
	w = add_work(&r, "vm1", NULL);
	w->total = 12;
	w->rate = est(1.2345678, NAN);
	w->rate.flags |= FAN_EST_CI_NONE_SHORT;
	assert_int_equal(fan_strs_add(&w->flags, "no_such_group"), 0);
	w = add_work(&r, "vm2", NULL);
	w->total = 0;
	assert_int_equal(fan_strs_add(&w->flags, "not_placed_in_time"), 0);
	assert_prints(
		fan_print_work, &r,
		"\n"
		"Work, as reported, in the windows of the shares; work % and CPU %: of all that\n"
		"reported that unit\n"
		"name  unit  total  work %  CPU %  per s  +/-  per CPU s  +/-\n"
		"vm1   -     12.00       -      -  1.235    -          -    -\n"
		"vm2   -         0       -      -      -    -          -    -\n"
		"  vm1: no interval: fewer than 20 lines; no group has this name, so no CPU time\n"
		"    belongs to it\n"
		"  vm2: when it was done is not known: the total is of the whole recording\n");
	fan_report_free(&r);
}

static void scores_are_listed(void **state)
{
	static const double value[] = { 2981, 3004.5 };
	struct fan_report r;

	(void)state;
	sample_make(&r);
	assert_prints(fan_print_work, &r, "");
	for (size_t i = 0; i < 2; i++) {
		struct fan_r_score *s = fan_array_add(&r.scores, &fan_score_table);

		assert_non_null(s);
		s->vm = own("vm1");
		s->value = value[i];
	}
	assert_prints(fan_print_work, &r,
		      "\n"
		      "Scores: ratings as they were reported; they do not add up\n"
		      "name   score\n"
		      "vm1     2981\n"
		      "vm1   3004.5\n");
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fairness_names_the_index_and_the_pair),
		cmocka_unit_test(without_an_interval_the_reason_stands_there),
		cmocka_unit_test(three_groups_have_an_adjusted_pair_and_the_starved_are_named),
		cmocka_unit_test(no_index_is_told_only_with_its_reason),
		cmocka_unit_test(amounts_are_rounded_by_their_intervals),
		cmocka_unit_test(what_is_missing_in_work_is_told_by_name),
		cmocka_unit_test(scores_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
