// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text_waits.c: who waited for whom, as a person reads it. */
#include "analyze/report/text_waits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/tree.h"
#include "tests/unit/paper.h"

#define MS 1000000LL
#define HEADING \
	"\n"    \
	"Who waited for whom: columns had the CPU while rows waited, in % of each wait\n"

static char *own(const char *s)
{
	char *ret = strdup(s);

	assert_non_null(ret);
	return ret;
}

/* A group that waited for 100 ms, of which nothing is said yet. */
static struct fan_r_group *add_group(struct fan_report *r, const char *name)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);
	struct fan_r_waited_for *w = &g->waited_for;

	assert_non_null(g);
	g->name = own(name);
	g->wait_ns = 100 * MS;
	w->self_ns = w->host_ns = w->throttled_or_contended_ns = 0;
	w->forced_idle_ns = w->idle_ns = w->unknown_ns = 0;
	return g;
}

static void add_amount(struct fan_array *to, const struct fan_table *table, const char *name,
		       int64_t ns)
{
	struct fan_r_amount *amount = fan_array_add(to, table);

	assert_non_null(amount);
	amount->name = own(name);
	amount->ns = ns;
}

static void assert_prints(struct fan_report *r, const char *want)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page) };

	fan_print_waits(r, &p);
	assert_int_equal(p.r, 0);
	assert_paper(&page, want);
	fan_report_free(r);
}

static void columns_of_zeros_are_left_out(void **state)
{
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	g = add_group(&r, "vm1");
	add_amount(&g->waited_for.groups, &fan_amount_table, "vm2", 60 * MS);
	g->waited_for.self_ns = 37 * MS;
	g->waited_for.idle_ns = 3 * MS;
	g = add_group(&r, "vm2");
	add_amount(&g->waited_for.groups, &fan_amount_table, "vm1", 99900000);
	g->waited_for.idle_ns = 100000;
	assert_prints(&r, HEADING "name      wait   vm1   vm2  itself  idle\n"
				  "vm1   100.0 ms     -  60.0    37.0   3.0\n"
				  "vm2   100.0 ms  99.9     -       0   0.1\n"
				  "  itself: other threads of the same group\n"
				  "  idle: nobody ran: waking up, or moving to another CPU\n");
}

static void the_host_is_named_where_it_matters(void **state)
{
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	g = add_group(&r, "vm1");
	g->waited_for.host_ns = 6 * MS;
	g->waited_for.idle_ns = 94 * MS;
	add_amount(&g->waited_for.host, &fan_comm_table, "kworker/0:1", 4 * MS);
	add_amount(&g->waited_for.host, &fan_comm_table, "ksoftirqd/0", 2 * MS);
	/* 1 % is not more than 1 % */
	g = add_group(&r, "vm2");
	g->waited_for.host_ns = MS;
	g->waited_for.idle_ns = 99 * MS;
	add_amount(&g->waited_for.host, &fan_comm_table, "kworker/1:1", MS);
	assert_prints(&r, HEADING
		      "name      wait  host  idle\n"
		      "vm1   100.0 ms   6.0  94.0\n"
		      "vm2   100.0 ms   1.0  99.0\n"
		      "  host: threads of no group\n"
		      "  idle: nobody ran: waking up, or moving to another CPU\n"
		      "  host threads that vm1 waited for: kworker/0:1 4.0 %, ksoftirqd/0 2.0 "
		      "%\n");
}

/* The table has 80 columns at most: of five long names one fits, the others are one column. */
static void groups_that_do_not_fit_are_summed(void **state)
{
	static const char *const names[] = { "webserver-blue-1", "webserver-blue-2",
					     "webserver-blue-3", "webserver-blue-4" };
	struct fan_report r;
	struct fan_r_group *g;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	for (size_t i = 0; i < 4; i++) {
		g = add_group(&r, names[i]);
		for (size_t k = 0; k < 4; k++)
			if (k != i)
				add_amount(&g->waited_for.groups, &fan_amount_table, names[k],
					   (int64_t)(10 + k) * MS);
		g->waited_for.throttled_or_contended_ns = 50 * MS;
		g->waited_for.forced_idle_ns = 10 * MS;
		g->waited_for.unknown_ns = 4 * MS;
	}
	/* others of the first: 11 + 12 + 13; of the second: 12 + 13; ... */
	assert_prints(&r, HEADING
		      "name                  wait  webserver-blue-1  others  throttled  forced  "
		      "unknown\n"
		      "webserver-blue-1  100.0 ms                 -    36.0       50.0    10.0  "
		      "    4.0\n"
		      "webserver-blue-2  100.0 ms              10.0    25.0       50.0    10.0  "
		      "    4.0\n"
		      "webserver-blue-3  100.0 ms              10.0    24.0       50.0    10.0  "
		      "    4.0\n"
		      "webserver-blue-4  100.0 ms              10.0    23.0       50.0    10.0  "
		      "    4.0\n"
		      "  throttled: while a quota stopped its cgroup, up to the kernel's counter\n"
		      "  forced: nobody ran: core scheduling kept the core for others\n"
		      "  unknown: lost from view\n");
}

static void nothing_is_said_where_nobody_waited_or_nothing_is_told(void **state)
{
	struct fan_report r;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	add_group(&r, "vm1")->wait_ns = 0;
	add_group(&r, "vm2")->waited_for.self_ns = FAN_NONE;
	assert_prints(&r, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_of_zeros_are_left_out),
		cmocka_unit_test(the_host_is_named_where_it_matters),
		cmocka_unit_test(groups_that_do_not_fit_are_summed),
		cmocka_unit_test(nothing_is_said_where_nobody_waited_or_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
