// SPDX-License-Identifier: GPL-3.0-or-later
/* Forced idle in the report: by group, and what the kernel's own counter says. Times are in us. */
#include "tests/unit/forced.h"

#include <stdio.h>

#include "tests/unit/text_of.h"

#define MS 1000ULL /* in us */

static const struct fan_r_forced_group *forced_group(const struct fan_report *r, const char *name)
{
	const struct fan_r_forced_group *g = r->isolation.forced_idle.groups.items;

	for (size_t i = 0; i < r->isolation.forced_idle.groups.n; i++)
		if (strcmp(g[i].name, name) == 0)
			return &g[i];
	fail_msg("no group %s", name);
	return NULL;
}

static void assert_group(const struct fan_report *r, const char *name, uint64_t caused_ns,
			 uint64_t suffered_ns)
{
	assert_int_equal(forced_group(r, name)->caused_ns, caused_ns);
	assert_int_equal(forced_group(r, name)->suffered_ns, suffered_ns);
}

/* On CPUs 1 to 3 run b, c and kworker; a waits for CPU 0 from 10 to 30. */
static void groups_are_named_and_their_parts_add_up(void **state)
{
	struct tb *tb = core_of(4);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=300 name=three");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(2, 0), tb_idle, TB_R, c);
	tb_switch(tb, at_us(3, 0), tb_idle, TB_R, host);
	tb_wakeup(tb, by_us(1, 1, b), b2, 1);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(0, 30), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_us(1, 100), b, TB_S, tb_idle);
	tb_switch(tb, at_us(2, 100), c, TB_S, tb_idle);
	r = report_of(tb);
	/* 20000 ns in thirds: 6666, and 6668 that kworker and rounding leave */
	assert_int_equal(r.isolation.forced_idle.groups.n, 3);
	assert_group(&r, "one", 0, 20000);
	assert_group(&r, "two", 6666, 0);
	assert_group(&r, "three", 6666, 0);
	assert_int_equal(r.isolation.forced_idle.total_ns, 20000);
	assert_int_equal(r.isolation.forced_idle.caused_ns, 2 * 6666);
	assert_int_equal(r.isolation.forced_idle.suffered_ns, 20000);
	assert_false(r.isolation.forced_idle.upper_bound);
	fan_report_free(&r);
}

/* As idle_beside(), and somebody is woken at the very end: the trace tells waits from sleeps. */
static struct tb *idle_beside_somebody(struct tb *tb)
{
	idle_beside(tb);
	tb_wakeup(tb, at_us(0, 100), host, 0);
	return tb;
}

/* The groups are cgroups, known only after a first pass: a in /x, a2 and b in /y. */
static void groups_of_other_kinds_have_theirs_too(void **state)
{
	struct tb *tb = core_of(2);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/x parent=/ weight=100");
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/y parent=/ weight=100");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/x");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=102 tgid=100 cgroup=/y");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cgroup=/y");
	idle_beside_somebody(tb);
	r = report_as(tb, FAN_GROUP_CGROUP);
	assert_int_equal(r.isolation.forced_idle.groups.n, 2);
	assert_group(&r, "x", 0, 10000);
	assert_group(&r, "y", 10000, 0);
	fan_report_free(&r);
}

static void assert_nothing(struct tb *tb)
{
	struct fan_report r = report_of(tb);
	const struct fan_r_forced_idle *f = &r.isolation.forced_idle;

	assert_true(f->total_ns == FAN_NONE && f->caused_ns == FAN_NONE);
	assert_true(f->suffered_ns == FAN_NONE && !f->counter && f->groups.n == 0);
	fan_report_free(&r);
}

static void where_it_cannot_be_it_is_nothing_and_not_0(void **state)
{
	struct tb *tb;

	(void)state;
	/* no topology; no wake-ups */
	assert_nothing(idle_beside_somebody(with_cookies(two_vms(2))));
	assert_nothing(idle_beside(core_of(2)));
	/* no SMT */
	tb = two_vms(2);
	for (int cpu = 0; cpu < 2; cpu++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d siblings=%d", cpu, cpu);
	assert_nothing(idle_beside_somebody(with_cookies(tb)));
}

/*
 * a waits for CPU 0 from 0 to 100 ms while b runs on CPU 1: 100 ms caused by two. The recorder
 * samples b's counter at 0 and 90 ms, and a's; NULL: not. begin is more of the begin line.
 */
static struct tb *counted(const char *begin, const char *counter_a, const char *counter_b)
{
	struct tb *tb = core_of(2);
	const uint64_t end = MODELLED_BASE + 90 * MS * US;

	if (begin)
		tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 %s", begin);
	if (counter_b)
		tb_marker(tb, MODELLED_BASE,
			  "fcap: steal tid=201 run=0 delay=0 n=0 forceidle=1000");
	if (counter_a)
		tb_marker(tb, MODELLED_BASE, "fcap: steal tid=101 run=0 delay=0 n=0 forceidle=0");
	if (counter_b)
		tb_marker(tb, end, "fcap: steal tid=201 run=9 delay=9 n=1 forceidle=%s", counter_b);
	if (counter_a)
		tb_marker(tb, end, "fcap: steal tid=101 run=9 delay=9 n=1 forceidle=%s", counter_a);
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 0), a, TB_R, tb_idle);
	tb_wakeup(tb, by_us(1, 40 * MS, b), b2, 1);
	tb_switch(tb, at_us(0, 100 * MS), tb_idle, TB_R, a);
	return tb;
}

static void assert_counter(struct tb *tb, const char *word, int64_t counter_of_two_ns)
{
	struct fan_report r = report_of(tb);

	assert_int_equal(r.isolation.forced_idle.total_ns, 100 * MS * US);
	assert_string_equal(r.isolation.forced_idle.counter, word);
	assert_int_equal(forced_group(&r, "two")->caused_ns, 100 * MS * US);
	assert_true(forced_group(&r, "two")->counter_ns == counter_of_two_ns);
	fan_report_free(&r);
}

static void the_counter_is_compared_between_its_samples(void **state)
{
	(void)state;
	/* the trace has 90 ms between the two: 80 to 100 agree, not 79 or 101 */
	assert_counter(counted(NULL, "0", "90001000"), "agrees", 90000000);
	assert_counter(counted(NULL, "0", "80001000"), "agrees", 80000000);
	assert_counter(counted(NULL, "0", "100001000"), "agrees", 100000000);
	assert_counter(counted(NULL, "0", "79001000"), "differs", 79000000);
	assert_counter(counted(NULL, "0", "101001000"), "differs", 101000000);
	/* what another one caused does not make up for it */
	assert_counter(counted(NULL, "40000000", "50001000"), "differs", 50000000);
	assert_counter(counted(NULL, "10000000", "90001000"), "agrees", 90000000);
	assert_counter(counted(NULL, "10000001", "90001000"), "differs", 90000000);
	assert_counter(counted(NULL, NULL, "90001000"), "agrees", 90000000);
}

static void zeros_beside_forced_idle_are_no_count(void **state)
{
	(void)state;
	assert_counter(counted(NULL, "0", "1000"), "not counting", FAN_NONE);
	assert_counter(counted("schedstats=0", "0", "1000"), "not counting", FAN_NONE);
	/* schedstats may have been switched on later */
	assert_counter(counted("schedstats=0", "0", "90001000"), "agrees", 90000000);
	assert_counter(counted("schedstats=0", NULL, NULL), "not told", FAN_NONE);
	assert_counter(counted(NULL, NULL, NULL), "not told", FAN_NONE);
}

/* Nothing was forced, but was it counted? */
static void zeros_beside_none_agree_unless_schedstats_are_off(void **state)
{
	static const char *const words[] = { "not counting", "agrees", "agrees" };

	(void)state;
	for (int schedstats = 0; schedstats < 3; schedstats++) {
		struct tb *tb = core_of(2);
		struct fan_report r;

		if (schedstats < 2)
			tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 schedstats=%d", schedstats);
		tb_marker(tb, MODELLED_BASE, "fcap: steal tid=201 run=0 delay=0 n=0 forceidle=0");
		idle_beside_somebody(tb);
		r = report_of(tb);
		assert_string_equal(r.isolation.forced_idle.counter, words[schedstats]);
		fan_report_free(&r);
	}
}

/* Cookies are not told: 90 ms is a bound, which the counter may be below, but not above. */
static void beside_a_bound_less_is_no_difference(void **state)
{
	static const char *const counters[] = { "50001000", "101001000" };
	static const char *const words[] = { "agrees", "differs" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tb *tb = vms_on(2, "0-1");
		struct fan_report r;

		tb_marker(tb, MODELLED_BASE,
			  "fcap: steal tid=201 run=0 delay=0 n=0 forceidle=1000");
		tb_marker(tb, MODELLED_BASE + 90 * MS * US,
			  "fcap: steal tid=201 run=9 delay=9 n=1 forceidle=%s", counters[i]);
		tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
		tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
		tb_switch(tb, at_us(0, 0), a, TB_R, tb_idle);
		tb_wakeup(tb, by_us(1, 40 * MS, b), b2, 1);
		tb_switch(tb, at_us(0, 100 * MS), tb_idle, TB_R, a);
		r = report_of(tb);
		assert_true(r.isolation.forced_idle.upper_bound);
		assert_string_equal(r.isolation.forced_idle.counter, words[i]);
		fan_report_free(&r);
	}
}

static void a_part_of_the_trace_is_not_compared(void **state)
{
	const struct fan_model_options part = { .from_ns = 10 * MS * US };
	struct fan_report r = report_with(counted(NULL, "0", "90001000"), &options, &part);

	(void)state;
	assert_int_equal(forced_group(&r, "two")->caused_ns, 90 * MS * US);
	assert_true(forced_group(&r, "two")->counter_ns == FAN_NONE);
	assert_string_equal(r.isolation.forced_idle.counter, "not told");
	fan_report_free(&r);
}

/*
 * The kernel counts by thread: what b caused of the 90 ms in /y and what in /z it does not tell.
 * Of processes, and where nobody moves, it can be compared.
 */
static void counters_of_threads_that_moved_are_not_those_of_cgroups(void **state)
{
	static const char *const later[] = { "/z", "/y" };
	static const char *const words[] = { "moved", "agrees" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fan_report r;
		struct tb *tb = counted(NULL, "0", "90001000");

		tb_marker(tb, MODELLED_BASE + 90 * MS * US, "fcap: task tid=101 cgroup=/x");
		tb_marker(tb, MODELLED_BASE + 90 * MS * US, "fcap: task tid=201 cgroup=/y");
		tb_marker(tb, MODELLED_BASE + 91 * MS * US, "fcap: task tid=201 cgroup=%s",
			  later[i]);
		r = report_as(tb, FAN_GROUP_CGROUP);
		assert_string_equal(r.isolation.forced_idle.counter, words[i]);
		assert_int_equal(r.isolation.forced_idle.total_ns, 100 * MS * US);
		assert_true(forced_group(&r, "y")->counter_ns == (i ? 90000000 : FAN_NONE));
		fan_report_free(&r);
		tb = counted(NULL, "0", "90001000");
		tb_marker(tb, MODELLED_BASE + 90 * MS * US, "fcap: task tid=201 cgroup=/y");
		tb_marker(tb, MODELLED_BASE + 91 * MS * US, "fcap: task tid=201 cgroup=%s",
			  later[i]);
		r = report_of(tb);
		assert_string_equal(r.isolation.forced_idle.counter, "agrees");
		fan_report_free(&r);
	}
}

/* Processes in cgroups, no VM: who shares a core is nobody's question, what was forced is. */
static void what_was_forced_on_cgroups_of_processes_stands_in_the_text(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_report r;
	char *text;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	for (int i = 0; i < 2; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d core=0 siblings=0-1", i);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 comm=p cgroup=/x cookie=0x1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 comm=q cgroup=/y cookie=0x2");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, (struct tb_task){ 101, "p", 0 });
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, (struct tb_task){ 201, "q", 0 });
	tb_switch(tb, at_us(0, 10), (struct tb_task){ 101, "p", 0 }, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 20), (struct tb_task){ 201, "q", 0 }, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 30), tb_idle, TB_R, (struct tb_task){ 101, "p", 0 });
	tb_wakeup(tb, at_us(1, 40), (struct tb_task){ 201, "q", 0 }, 1);
	r = report_as(tb, FAN_GROUP_CGROUP);
	assert_int_equal(r.isolation.forced_idle.total_ns, 10000);
	assert_group(&r, "y", 10000, 0);
	text = text_of(&r);
	assert_non_null(strstr(text, "Forced idle: CPUs idled"));
	assert_non_null(strstr(text, "10.00 us"));
	free(text);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_are_named_and_their_parts_add_up),
		cmocka_unit_test(groups_of_other_kinds_have_theirs_too),
		cmocka_unit_test(where_it_cannot_be_it_is_nothing_and_not_0),
		cmocka_unit_test(the_counter_is_compared_between_its_samples),
		cmocka_unit_test(zeros_beside_forced_idle_are_no_count),
		cmocka_unit_test(zeros_beside_none_agree_unless_schedstats_are_off),
		cmocka_unit_test(beside_a_bound_less_is_no_difference),
		cmocka_unit_test(a_part_of_the_trace_is_not_compared),
		cmocka_unit_test(what_was_forced_on_cgroups_of_processes_stands_in_the_text),
		cmocka_unit_test(counters_of_threads_that_moved_are_not_those_of_cgroups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
