/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of forced idle: VM one (a, a2) has cookie 1, two (b, b2) 2, three (c) 3. Times are
 * in us.
 */
#ifndef TESTS_UNIT_FORCED_H
#define TESTS_UNIT_FORCED_H

#include "tests/unit/blamed.h"

#define PARTS(us, of) ((us)*US * FAN_FORCED_PARTS / (of))

static const struct tb_task b2 = { 202, "CPU 1/KVM", 0 }, c = { 301, "CPU 0/KVM", 0 };
static const struct tb_task user = { 41, "browser", 0 }; /* of no VM, with cookie 9 */

static const struct fan_report_options options = { .level = 0.95, .margin = 3, .command = "x" };

/* A core of all CPUs, numbered alike. */
static inline struct tb *vms_on(int cpus, const char *siblings)
{
	struct tb *tb = two_vms(cpus);

	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=202 tgid=200 id=1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=301 tgid=300 id=0");
	for (int i = 0; i < cpus; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d core=0 siblings=%s", i, siblings);
	return tb;
}

static inline struct tb *with_cookies(struct tb *tb)
{
	static const int tids[] = { 101, 102, 201, 202, 301 };

	for (size_t i = 0; i < sizeof(tids) / sizeof(tids[0]); i++)
		tb_marker(tb, MODELLED_BASE, "fcap: task tid=%d tgid=%d cookie=0x%d", tids[i],
			  tids[i] / 100 * 100, tids[i] / 100);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=41 tgid=41 cookie=0x9");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=31 tgid=31 cookie=0x0");
	return tb;
}

static inline struct tb *core_of(int cpus)
{
	char siblings[16];

	snprintf(siblings, sizeof(siblings), "0-%d", cpus - 1);
	return with_cookies(vms_on(cpus, siblings));
}

static inline struct fan_model *forced_between(struct tb *tb, uint64_t from_us, uint64_t to_us)
{
	const struct fan_model_options period = { .from_ns = from_us * US, .to_ns = to_us * US };
	struct fan_file *file = file_of(tb);
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };

	if (fan_report_read(&m, file, &period, &options, &err) < 0)
		fail_msg("%s", err.text);
	assert_non_null(m->forced_idle);
	fan_file_close(file);
	return m;
}

static inline struct fan_model *forced_of(struct tb *tb)
{
	return forced_between(tb, 0, 0);
}

/* What the VM of this thread caused, in PARTS, and suffered. */
static inline void assert_vm(const struct fan_model *m, struct tb_task task, uint64_t caused,
			     uint64_t suffered_us)
{
	const int32_t thread = fan_threads_find(m->threads, task.tid);
	const struct fan_thread *th = fan_threads_at(m->threads, (size_t)thread);
	const int32_t party = fan_parties_of(m->pulse->parties, th->account);
	const struct fan_forced_party p = fan_forced_idle_party(m->forced_idle, party);

	assert_true(party >= 0);
	assert_int_equal(p.caused, caused);
	assert_int_equal(p.suffered_ns, suffered_us * US);
}

/* What there was of it, and what of that threads of no VM caused, in PARTS. */
static inline void assert_forced(const struct fan_model *m, uint64_t us, uint64_t by_none)
{
	assert_int_equal(fan_forced_idle_ns(m->forced_idle), us * US);
	assert_int_equal(fan_forced_idle_caused_by_none(m->forced_idle), by_none);
}

/* CPU 0: a runs 0-10 and 30-100, idle in between. CPU 1: b runs 0-20. */
static inline struct tb *idle_beside(struct tb *tb)
{
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_us(0, 10), a, TB_R, tb_idle);
	tb_switch(tb, at_us(1, 20), b, TB_S, tb_idle);
	tb_switch(tb, at_us(0, 30), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	return tb;
}

#endif
