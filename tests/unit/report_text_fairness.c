// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text_fairness.c: fairness by window, lag and lost capacity as a person reads them.
 */
#include "analyze/report/text_fairness.h"
#include "tests/unit/report_sample.h"
#include "tests/unit/paper.h"

#define MS 1000000LL

static void assert_prints(const struct fan_report *r, const char *want)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page) };

	fan_print_scales(r, &p);
	assert_int_equal(p.r, 0);
	assert_paper(&page, want);
}

static void add_scale(struct fan_report *r, int64_t window_ns, double jain, int64_t zero)
{
	struct fan_r_fair_scale *s = fan_array_add(&r->fairness.by_window, &fan_fair_scale_table);

	assert_non_null(s);
	s->window_ns = window_ns;
	s->windows = 30 * S / window_ns;
	s->jain = jain;
	s->fair_pct = jain > 0.95 ? 97.25 : 12;
	s->rms_pp = 100 * (1 - jain);
	s->zero_windows = zero;
}

static const char table[] =
	"\n"
	"Fairness by length of window, where two VMs or more were due CPU time: Jain's\n"
	"index (mean) of what each got over what it was due; fair: windows whose index is\n"
	"0.95 or more; off by: share minus due, root mean square in points; got none:\n"
	"times that one was due time and did not run at all\n"
	"windows of  number  index  fair %  off by  got none\n"
	"      1 ms   30000  0.713    12.0   28.70       812\n"
	"       1 s      30  0.987    97.2    1.30         0\n";

static void lengths_are_shown_by_powers_of_ten(void **state)
{
	struct fan_report r;
	char want[1200];

	(void)state;
	sample_make(&r);
	add_scale(&r, MS, 0.713, 812);
	add_scale(&r, 5 * MS, 0.8, 90);
	add_scale(&r, S, 0.987, 0);
	r.fairness.horizon_ns = 500 * MS;
	snprintf(want, sizeof(want), "%s%s", table,
		 "  fairness horizon: 500 ms, the shortest window of which 95 % are fair\n");
	assert_prints(&r, want);
	r.fairness.horizon_ns = FAN_NONE;
	snprintf(want, sizeof(want), "%s%s", table,
		 "  fairness horizon: none, up to 1 s there is no length of which 95 % of the\n"
		 "  windows are fair\n");
	assert_prints(&r, want);
	fan_report_free(&r);
}

static void lag_stands_with_its_sign_and_time(void **state)
{
	struct fan_r_group *g;
	struct fan_report r;

	(void)state;
	sample_make(&r);
	g = r.groups.items;
	g[0].lag_ns = (struct fan_r_lag){ -1500 * MS, -2 * S, 12 * S };
	g[1].lag_ns = (struct fan_r_lag){ 0, 750 * MS, 4 * S };
	g[1].starved = (struct fan_r_starved){ 83 * MS, 3 * S, 801 };
	g[0].starved = (struct fan_r_starved){ 5 * MS, 1 * S, 901 };
	r.host.idle_while_waiting_ns = 42 * MS;
	assert_prints(
		&r, "\n"
		    "Lag: CPU time due so far minus CPU time got (+: it is owed time, -: it had "
		    "more\n"
		    "than its due)\n"
		    "name  at the end    largest  reached at\n"
		    "vm2     -1.500 s   -2.000 s     12.00 s\n"
		    "vm1          0 s  +750.0 ms     4.000 s\n"
		    "  capacity lost: 42.00 ms of CPU time idled while as many threads of the VMs\n"
		    "  waited; that is no unfairness between them, but time that none of them got\n"
		    "  longest wait for a CPU: 83.00 ms, by thread 801 of vm1, from 3.000 s on\n");
	r.host.idle_while_waiting_ns = 0;
	g[0].lag_ns = g[1].lag_ns = (struct fan_r_lag){ FAN_NONE, FAN_NONE, FAN_NONE };
	assert_prints(&r, "  no CPU idled while a thread of the VMs waited for one\n");
	fan_report_free(&r);
}

static void what_the_report_does_not_have_is_not_printed(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	assert_prints(&r, "");
	/* windows in which nobody competed are nothing to show */
	add_scale(&r, MS, NAN, 0);
	((struct fan_r_fair_scale *)r.fairness.by_window.items)->windows = 0;
	assert_prints(&r, "");
	fan_report_free(&r);
}

static void many_groups_are_cut_short(void **state)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page) };
	struct fan_report r;
	char *got;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	for (int i = 0; i < 30; i++) {
		struct fan_r_group *g = fan_array_add(&r.groups, &fan_group_table);

		assert_non_null(g);
		g->name = own("one");
		g->lag_ns = (struct fan_r_lag){ 0, 0, 0 };
	}
	fan_print_scales(&r, &p);
	got = read_paper(&page);
	assert_non_null(strstr(got, "more groups: see the JSON report"));
	free(got);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_are_shown_by_powers_of_ten),
		cmocka_unit_test(lag_stands_with_its_sign_and_time),
		cmocka_unit_test(what_the_report_does_not_have_is_not_printed),
		cmocka_unit_test(many_groups_are_cut_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
