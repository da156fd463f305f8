/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of "who waited for whom": two VMs, "one" with two vCPUs and "two" with one, and
 * what a group waited for as one value to compare. Times are in us.
 */
#ifndef TESTS_UNIT_BLAMED_H
#define TESTS_UNIT_BLAMED_H

#include "tests/unit/assembled.h"

#define US 1000ULL

static const struct tb_task a = { 101, "CPU 0/KVM", 0 }, a2 = { 102, "CPU 1/KVM", 0 };
static const struct tb_task b = { 201, "CPU 0/KVM", 0 };
static const struct tb_task host = { 31, "kworker/0:1", 0 };

/* On the time of a thread that runs there. */
static inline struct tb_at by_us(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * US, cur.tid);
}

/* A trace that tells the VMs. */
static inline struct tb *two_vms(int cpus)
{
	struct tb *tb = tb_new(cpus, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=100 name=one");
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=200 name=two");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=102 tgid=100 id=1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	return tb;
}

/* In us, so that a test that names them all is short. */
struct waits {
	uint64_t other, self, host, throttled, forced, idle, unknown;
};

static inline int64_t amount(const struct fan_array *amounts, const char *name)
{
	const struct fan_r_amount *item = amounts->items;

	for (size_t i = 0; i < amounts->n; i++)
		if (strcmp(item[i].name, name) == 0)
			return item[i].ns;
	return 0;
}

/* All that a group waited for, and that this adds up to its wait. */
static inline void assert_waits(const struct fan_report *r, const char *name, struct waits want)
{
	const struct fan_r_group *g = group(r, name);
	const struct fan_r_waited_for *w = &g->waited_for;
	const struct fan_r_amount *amounts = w->groups.items;
	int64_t others = 0;

	for (size_t i = 0; i < w->groups.n; i++)
		others += amounts[i].ns;
	assert_int_equal(others + w->self_ns + w->host_ns + w->throttled_or_contended_ns +
				 w->forced_idle_ns + w->idle_ns + w->unknown_ns,
			 g->wait_ns);
	assert_int_equal(others, want.other * US);
	assert_int_equal(w->self_ns, want.self * US);
	assert_int_equal(w->host_ns, want.host * US);
	assert_int_equal(w->throttled_or_contended_ns, want.throttled * US);
	assert_int_equal(w->forced_idle_ns, want.forced * US);
	assert_int_equal(w->idle_ns, want.idle * US);
	assert_int_equal(w->unknown_ns, want.unknown * US);
}

#endif
