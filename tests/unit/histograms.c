// SPDX-License-Identifier: GPL-3.0-or-later
/* From waits in a trace to the histograms of the report, and through JSON. */
#include "tests/unit/assembled.h"

#include <stdio.h>

#include "analyze/report/json.h"
#include "analyze/report/read_json.h"

static const struct tb_task helper = { 102, "worker", 0 };

/* Woken at us, on the CPU wait_ns later, asleep from 100 us on. */
static void wait_once(struct tb *tb, struct tb_task who, uint64_t us, uint64_t wait_ns)
{
	tb_wakeup(tb, at_us(0, us), who, 0);
	tb_switch(tb, tb_at(0, MODELLED_BASE + us * 1000 + wait_ns), tb_idle, TB_R, who);
	tb_switch(tb, at_us(0, us + 100), who, TB_S, tb_idle);
}

/*
 * The vCPU of small waits 20 ns twice and 1000 ns once, which is in [992, 1024) and the longest;
 * a thread of its VM waits 5000 ns, which does not count. The vCPU of large is always on CPU 1.
 */
static struct fan_report report_of_waits(void)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tell_vms(tb, 2, 1024, 1024);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=102 tgid=100 cgroup=/small");
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, large);
	wait_once(tb, small, 1000, 20);
	wait_once(tb, helper, 2000, 5000);
	wait_once(tb, small, 3000, 1000);
	wait_once(tb, small, 4000, 20);
	tb_switch(tb, at_us(1, 30000), large, TB_S, tb_idle);
	tell_end(tb);
	return report_of(tb);
}

static const struct fan_r_group_waits *waits_of(const struct fan_report *r, const char *name)
{
	const struct fan_r_group_waits *w = r->histograms.items;

	for (size_t i = 0; i < r->histograms.n; i++)
		if (strcmp(w[i].name, name) == 0)
			return &w[i];
	fail_msg("no histogram of %s", name);
	return NULL;
}

static void assert_histogram(const struct fan_r_histogram *h)
{
	assert_int_equal(h->upto_ns.n, 2);
	assert_int_equal(h->count.n, 2);
	assert_int_equal(h->upto_ns.items[0], 20);
	assert_int_equal(h->count.items[0], 2);
	assert_int_equal(h->upto_ns.items[1], 1000);
	assert_int_equal(h->count.items[1], 1);
}

static void assert_waits(const struct fan_report *r)
{
	const struct fan_r_group_waits *w = waits_of(r, "small");
	const struct fan_r_vcpu_waits *v = w->vcpus.items;

	assert_histogram(&w->waits);
	assert_int_equal(w->wait.p50_ns, 20);
	assert_int_equal(w->wait.max_ns, 1000);
	assert_int_equal(w->vcpus.n, 1);
	assert_int_equal(v->tid, 101);
	assert_int_equal(v->vcpu, 0);
	assert_histogram(&v->waits);
	w = waits_of(r, "large");
	assert_int_equal(w->waits.count.n, 0);
	assert_int_equal(w->vcpus.n, 0);
	assert_true(w->wait.max_ns == FAN_NONE);
}

static void the_waits_of_vcpus_are_counted_by_their_length(void **state)
{
	struct fan_report r = report_of_waits();

	(void)state;
	assert_waits(&r);
	fan_report_free(&r);
}

static void they_come_back_from_json(void **state)
{
	struct fan_report r = report_of_waits(), again;
	struct fcap_err err = { 0 };
	FILE *f = tmpfile();

	(void)state;
	assert_non_null(f);
	assert_int_equal(fan_tree_json(&r, &fan_report_table, f, &err), 0);
	rewind(f);
	if (fan_tree_read(&again, &fan_report_table, "fcap-report/1", f, &err) < 0)
		fail_msg("%s", err.text);
	assert_waits(&again);
	fclose(f);
	fan_report_free(&r);
	fan_report_free(&again);
}

/* Of a process both threads count: 20 ns of one and 5000 ns of the other. */
static void of_a_group_without_vcpus_all_threads_count(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	static const struct tb_task a = { 101, "one", 0 }, b = { 102, "two", 0 };
	const struct fan_r_group_waits *w;
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono cmd=./run");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=102 tgid=100");
	wait_once(tb, a, 1000, 20);
	wait_once(tb, b, 2000, 5000);
	tell_end(tb);
	r = report_as(tb, FAN_GROUP_PROCESS);
	assert_int_equal(r.histograms.n, 1);
	w = r.histograms.items;
	assert_int_equal(w->waits.upto_ns.n, 2);
	assert_int_equal(w->waits.upto_ns.items[0], 20);
	assert_int_equal(w->waits.upto_ns.items[1], 5000);
	assert_int_equal(w->vcpus.n, 0);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_waits_of_vcpus_are_counted_by_their_length),
		cmocka_unit_test(they_come_back_from_json),
		cmocka_unit_test(of_a_group_without_vcpus_all_threads_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
