// SPDX-License-Identifier: GPL-3.0-or-later
/* What is due to those who want to run: small schedules, each worked out by hand. */
#include "tests/unit/demanded.h"

#include <string.h>

static void who_sleeps_is_due_nothing(void **state)
{
	struct tb *tb = two_vms(1024, 1024);
	struct fan_model *m;

	(void)state;
	take_turns(tb);
	m = model_by_demand(tb, 1, NULL);
	/* a alone 0-4 and 16-20, half of 4-16; by weights alone it would be 10 and 10 */
	assert_due(m, 100, 4 + 6 + 4);
	assert_due(m, 200, 6);
	assert_int_equal(m->pulse->demand->contended_ns, 12 * MODELLED_MS);
	fan_model_free(m);
	tb = two_vms(100, 900);
	take_turns(tb);
	assert_dues(tb, 1, (const double[]){ 4 + 1.2 + 4, 10.8 }, 2);
}

/* A VM's cgroup and how many of its threads want to run. */
struct want {
	int weight, threads;
};

static struct fan_model *all_want(int cpus, const struct want *vms, int n, const char *more)
{
	struct tb *tb = tb_new(cpus, 6, TB_PLAIN);
	char keys[96];

	add_cpus(tb, cpus);
	for (int v = 0; v < n; v++) {
		const int tgid = 100 * (v + 1);

		tb_marker(tb, MODELLED_BASE, "fcap: cg path=/%d parent=/ scale=shares weight=%d %s",
			  tgid, vms[v].weight, v == 0 ? more : "");
		snprintf(keys, sizeof(keys), "cgroup=/%d", tgid);
		for (int i = 0; i < vms[v].threads; i++) {
			const struct tb_task t = { tgid + 1 + i, "CPU 0/KVM", 0 };

			add_vcpu(tb, t.tid, tgid, keys);
			tb_wakeup(tb, at_ms(0, 0), t, 0);
		}
	}
	tb_wakeup(tb, at_ms(0, 10), (struct tb_task){ 99, "late", 0 }, 0);
	return model_by_demand(tb, (unsigned int)cpus, NULL);
}

/* The table of domain notes on capped max-min: CPUs, weights and threads; CPUs each is due. */
static void caps_are_the_threads_that_want_to_run(void **state)
{
	static const struct {
		int cpus, n;
		struct want vms[3];
		double due[3];
	} rows[] = {
		{ 4, 2, { { 128, 4 }, { 1152, 4 } }, { 0.4, 3.6 } },
		{ 4, 2, { { 128, 4 }, { 1152, 2 } }, { 2, 2 } },
		{ 4, 2, { { 800, 1 }, { 200, 4 } }, { 1, 3 } },
		{ 8, 2, { { 1024, 8 }, { 1024, 8 } }, { 4, 4 } },
		{ 2, 2, { { 100, 1 }, { 900, 1 } }, { 1, 1 } },
		{ 8, 3, { { 100, 1 }, { 100, 8 }, { 200, 8 } }, { 1, 7.0 / 3, 14.0 / 3 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fan_model *m = all_want(rows[i].cpus, rows[i].vms, rows[i].n, "");

		for (int v = 0; v < rows[i].n; v++)
			assert_due(m, 100 * (v + 1), 10 * rows[i].due[v]);
		fan_model_free(m);
	}
}

static void a_quota_is_a_cap(void **state)
{
	const struct want vms[] = { { 1024, 2 }, { 1024, 2 } };
	struct fan_model *m = all_want(1, vms, 2, "quota=30000 period=100000");

	(void)state;
	/* 0.3 CPU where half of one would be its part; the other has the rest */
	assert_due(m, 100, 3);
	assert_due(m, 200, 7);
	fan_model_free(m);
}

static void a_weight_holds_from_its_line_on(void **state)
{
	struct tb *tb = two_vms(1024, 1024);

	(void)state;
	add_cgroup(tb, 7, "/b", "weight=3072");
	take_turns(tb);
	/* 4-7 half each, 7-16 one and three quarters */
	assert_dues(tb, 1, (const double[]){ 4 + 1.5 + 9.0 / 4 + 4, 1.5 + 9.0 * 3 / 4 }, 2);
}

static void a_quota_that_is_lifted_is_none(void **state)
{
	struct tb *tb = two_vms(1024, 1024);

	(void)state;
	add_cgroup(tb, 0, "/b", "quota=20000 period=100000");
	add_cgroup(tb, 8, "/b", "quota=max period=100000");
	take_turns(tb);
	/* 4-8: 0.8 and 0.2; 8-16: half each */
	assert_dues(tb, 1, (const double[]){ 4 + 3.2 + 4 + 4, 0.8 + 4 }, 2);
}

static void cpusets_that_do_not_touch_are_filled_alone(void **state)
{
	struct tb *tb = tb_new(8, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 8);
	for (int v = 1; v <= 3; v++) {
		tb_marker(tb, MODELLED_BASE, "fcap: cg path=/%d parent=/ scale=shares weight=1024",
			  v * 100);
		for (int i = 1; i <= 4; i++) {
			char keys[64];

			snprintf(keys, sizeof(keys), "cgroup=/%d cpus=%s", v * 100,
				 v == 3 ? "4-7" : "0-3");
			add_vcpu(tb, v * 100 + i, v * 100, keys);
			tb_wakeup(tb, at_ms(0, 0), (struct tb_task){ v * 100 + i, "v", 0 }, 0);
		}
	}
	tb_wakeup(tb, at_ms(0, 10), (struct tb_task){ 99, "late", 0 }, 0);
	assert_dues(tb, 8, (const double[]){ 20, 20, 40 }, 3);
}

/* Four threads in a cgroup of CPUs 0-1; from 4 ms on it has 0-3. */
static struct fan_model *wider_cpuset(const char *cpus)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	char keys[64];

	add_cpus(tb, 4);
	add_cgroup(tb, 0, "/a", "parent=/ weight=1024 cpuset=0-1");
	snprintf(keys, sizeof(keys), "cgroup=/a %s", cpus);
	for (int i = 1; i <= 4; i++) {
		add_vcpu(tb, 100 + i, 100, keys);
		tb_wakeup(tb, at_ms(0, 0), (struct tb_task){ 100 + i, "v", 0 }, 0);
	}
	add_cgroup(tb, 4, "/a", "cpuset=0-3");
	tb_wakeup(tb, at_ms(0, 10), (struct tb_task){ 99, "late", 0 }, 0);
	return model_by_demand(tb, 4, NULL);
}

static void a_cpuset_that_changes_takes_its_threads_along(void **state)
{
	struct fan_model *m = wider_cpuset("cpus=0-1");

	(void)state;
	assert_due(m, 100, 4 * 2 + 6 * 4);
	fan_model_free(m);
	/* nothing told of the threads: the set of their cgroup */
	m = wider_cpuset("");
	assert_due(m, 100, 4 * 2 + 6 * 4);
	fan_model_free(m);
	/* pinned by hand to one of the two: stays there */
	m = wider_cpuset("cpus=1");
	assert_due(m, 100, 10);
	fan_model_free(m);
}

/* Four threads in a cgroup of these CPUs. */
static struct tb *four_in(const char *cpus)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	char keys[64];

	add_cpus(tb, 4);
	snprintf(keys, sizeof(keys), "parent=/ weight=1024 cpuset=%s", cpus);
	add_cgroup(tb, 0, "/a", keys);
	for (int i = 1; i <= 4; i++) {
		add_vcpu(tb, 100 + i, 100, "cgroup=/a");
		tb_wakeup(tb, at_ms(0, 0), (struct tb_task){ 100 + i, "v", 0 }, 0);
	}
	tb_wakeup(tb, at_ms(0, 10), (struct tb_task){ 99, "late", 0 }, 0);
	return tb;
}

static void what_is_kept_of_one_model_does_not_count_for_the_next(void **state)
{
	struct fan_entitle_rule rule = { .cpus = 4 };
	struct fan_model *m = model_by_rule(four_in("0-1"), &rule, NULL);

	(void)state;
	assert_due(m, 100, 20);
	fan_model_free(m);
	m = model_by_rule(four_in("1-3"), &rule, NULL);
	assert_due(m, 100, 30);
	fan_model_free(m);
	fan_entitle_drop(&rule);
}

/*
 * 100 and 200 want two CPUs each and may use 0-1; until 4 ms 300 wants one of 1-2. At first three
 * have three, then two have two: of CPU 2, which only a sleeper may use, nobody has anything.
 */
static void a_cpuset_of_a_sleeper_adds_no_cpus(void **state)
{
	struct tb *tb = tb_new(3, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 3);
	for (int v = 1; v <= 3; v++) {
		tb_marker(tb, MODELLED_BASE, "fcap: cg path=/%d parent=/ scale=shares weight=1024",
			  v * 100);
		for (int i = 1; i <= (v < 3 ? 2 : 1); i++) {
			char keys[64];

			snprintf(keys, sizeof(keys), "cgroup=/%d cpus=%s", v * 100,
				 v < 3 ? "0-1" : "1-2");
			add_vcpu(tb, v * 100 + i, v * 100, keys);
		}
	}
	tb_switch(tb, at_ms(2, 0), tb_idle, TB_R, (struct tb_task){ 301, "v", 0 });
	for (int i = 0; i < 4; i++)
		tb_wakeup(tb, at_ms(0, 0), (struct tb_task){ 101 + i / 2 * 100 + i % 2, "v", 0 },
			  0);
	tb_switch(tb, at_ms(2, 4), (struct tb_task){ 301, "v", 0 }, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(0, 10), (struct tb_task){ 99, "late", 0 }, 0);
	assert_dues(tb, 3, (const double[]){ 10, 10, 4 }, 3);
}

/* Beside /b, as heavy: in the root 1 to 1; from 4 ms on under /p, which weighs three times that. */
static void a_cgroup_competes_under_the_parent_told_last(void **state)
{
	struct tb *tb = two_vms(1024, 1024);

	(void)state;
	add_cgroup(tb, 0, "/p", "parent=/ weight=3072");
	tb_wakeup(tb, at_ms(0, 0), a0, 0);
	tb_wakeup(tb, at_ms(0, 0), b0, 0);
	add_cgroup(tb, 4, "/a", "parent=/p");
	tb_wakeup(tb, at_ms(0, 10), (struct tb_task){ 99, "late", 0 }, 0);
	assert_dues(tb, 1, (const double[]){ 2 + 6 * 0.75, 2 + 6 * 0.25 }, 2);
}

/* /s weighs as much as /c; in /s, a and b are 1 to 3. All three want one CPU for 12 ms. */
static void a_parent_shares_out_what_it_has(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	add_cpus(tb, 1);
	add_cgroup(tb, 0, "/s", "parent=/ weight=500");
	add_cgroup(tb, 0, "/s/a", "parent=/s weight=100");
	add_cgroup(tb, 0, "/s/b", "parent=/s weight=300");
	add_cgroup(tb, 0, "/c", "parent=/ weight=500");
	add_vcpu(tb, 101, 100, "cgroup=/s/a");
	add_vcpu(tb, 201, 200, "cgroup=/s/b");
	add_vcpu(tb, 301, 300, "cgroup=/c");
	for (int tid = 101; tid <= 301; tid += 100)
		tb_wakeup(tb, at_ms(0, 0), (struct tb_task){ tid, "v", 0 }, 0);
	/* b falls asleep at 8: a has all of its parent's then */
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, b0);
	tb_switch(tb, at_ms(0, 8), b0, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(0, 12), (struct tb_task){ 99, "late", 0 }, 0);
	assert_dues(tb, 1, (const double[]){ 8.0 / 8 + 4.0 / 2, 8.0 * 3 / 8, 12.0 / 2 }, 3);
}

static void the_cgroup_that_a_thread_is_in_counts(void **state)
{
	struct tb *tb = two_vms(1024, 3072);

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, a0.tid), b0, 0);
	/* b moves in with a: from then on they are equals under /a */
	tb_cgroup_attach(tb, tb_by(0, MODELLED_BASE + 8 * MODELLED_MS, a0.tid), b0, "/a");
	tb_switch(tb, at_ms(0, 12), a0, TB_S, tb_idle);
	assert_dues(tb, 1, (const double[]){ 8.0 / 4 + 4.0 / 2, 8.0 * 3 / 4 + 4.0 / 2 }, 2);
}

/* Nice values come from the switches where no line tells: 5 weighs 335, 0 weighs 1024. */
static void a_priority_that_shows_late_counts_from_then_on(void **state)
{
	const struct tb_task nice = { 201, "CPU 0/KVM", 125 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, a0.tid), nice, 0);
	tb_switch(tb, at_ms(0, 4), a0, TB_R, nice);
	tb_switch(tb, at_ms(0, 10), nice, TB_S, tb_idle);
	m = model_by_demand(tb, 1, NULL);
	assert_near((double)m->pulse->demand->stakes[0].due_ns,
		    (2 + 6 * 1024.0 / 1359) * MODELLED_MS, DUE_NEAR);
	assert_near((double)m->pulse->demand->stakes[1].due_ns,
		    (2 + 6 * 335.0 / 1359) * MODELLED_MS, DUE_NEAR);
	fan_model_free(m);
}

/* Two CPUs; b waits for CPU 0, where a runs, while CPU 1 idles 3-10. */
static void idle_cpus_while_somebody_waits_are_lost(void **state)
{
	const struct tb_task host = { 9, "host", 0 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	add_cpus(tb, 2);
	add_vcpu(tb, 101, 100, "cgroup=/ cpus=0");
	add_vcpu(tb, 201, 200, "cgroup=/ cpus=0");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, a0.tid), b0, 0);
	tb_switch(tb, at_ms(1, 1), tb_idle, TB_R, host);
	tb_switch(tb, at_ms(1, 3), host, TB_S, tb_idle);
	tb_wakeup(tb, at_ms(1, 10), host, 1);
	tb_switch(tb, at_ms(1, 10), tb_idle, TB_R, host);
	tb_switch(tb, at_ms(0, 12), a0, TB_S, b0);
	m = model_by_demand(tb, 2, NULL);
	/* not 0-1: nothing had been seen of CPU 1 yet */
	assert_int_equal(m->pulse->demand->idle_waiting_ns, 7 * MODELLED_MS);
	assert_due(m, 100, 6);
	assert_due(m, 200, 6);
	fan_model_free(m);
}

static void only_the_stretch_that_was_asked_for_is_due(void **state)
{
	const struct fan_model_options part = { .from_ns = 2 * MODELLED_MS + 500000,
						.to_ns = 11 * MODELLED_MS };
	struct tb *tb = two_vms(1024, 1024);
	struct fan_model *m;

	(void)state;
	take_turns(tb);
	m = model_by_demand(tb, 1, &part);
	/* a alone 2.5-4, both 4-11 */
	assert_due(m, 100, 1.5 + 3.5);
	assert_due(m, 200, 3.5);
	fan_model_free(m);
}

static void no_allocator_is_no_due(void **state)
{
	struct tb *tb = two_vms(1, 1);
	struct fan_model *m;

	(void)state;
	take_turns(tb);
	m = model_of(tb);
	assert_null(m->pulse);
	assert_due(m, 100, 0);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_sleeps_is_due_nothing),
		cmocka_unit_test(caps_are_the_threads_that_want_to_run),
		cmocka_unit_test(a_quota_is_a_cap),
		cmocka_unit_test(a_weight_holds_from_its_line_on),
		cmocka_unit_test(a_quota_that_is_lifted_is_none),
		cmocka_unit_test(cpusets_that_do_not_touch_are_filled_alone),
		cmocka_unit_test(a_cpuset_that_changes_takes_its_threads_along),
		cmocka_unit_test(what_is_kept_of_one_model_does_not_count_for_the_next),
		cmocka_unit_test(a_cpuset_of_a_sleeper_adds_no_cpus),
		cmocka_unit_test(a_cgroup_competes_under_the_parent_told_last),
		cmocka_unit_test(a_parent_shares_out_what_it_has),
		cmocka_unit_test(the_cgroup_that_a_thread_is_in_counts),
		cmocka_unit_test(a_priority_that_shows_late_counts_from_then_on),
		cmocka_unit_test(idle_cpus_while_somebody_waits_are_lost),
		cmocka_unit_test(only_the_stretch_that_was_asked_for_is_due),
		cmocka_unit_test(no_allocator_is_no_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
