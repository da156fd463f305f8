/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of isolation in the report: traces of two VMs on cores with siblings. */
#ifndef TESTS_UNIT_AUDITED_H
#define TESTS_UNIT_AUDITED_H

#include "tests/unit/assembled.h"

#include "analyze/report/assemble_isolation.h"

static const struct tb_task a = { 101, "CPU 0/KVM", 0 }, b = { 201, "CPU 0/KVM", 0 };
static const struct tb_task host = { 900, "make", 0 };

static const struct fan_report_options defaults = { .level = 0.95,
						    .margin = 3,
						    .isolation = { .max_violation_pct = 1 },
						    .command = "fanalyze audit x" };

static inline struct fan_report audited_with(struct tb *tb, enum fan_level between,
					     uint64_t tolerance_ns)
{
	const struct fan_model_options model = { .tolerance_ns = tolerance_ns };
	struct fan_report_options options = defaults;

	options.isolation.between = between;
	return report_with(tb, &options, &model);
}

static inline struct fan_report audited(struct tb *tb)
{
	return audited_with(tb, FAN_LEVEL_VM, 0);
}

/* Cores of so many CPUs each, and two VMs, green and blue, of so many vCPUs. */
static inline void tell(struct tb *tb, int cpus, int siblings, int greens, int blues)
{
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	for (int i = 0; i < cpus; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d core=%d siblings=%d-%d", i,
			  i / siblings, i / siblings * siblings,
			  i / siblings * siblings + siblings - 1);
	for (int i = 0; i < greens; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=100 id=%d", 101 + i, i);
	for (int i = 0; i < blues; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=200 id=%d", 201 + i, i);
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=100 name=green");
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=200 name=blue");
}

static inline void tell_cookies(struct tb *tb, uint64_t green, uint64_t blue)
{
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=0x%llx",
		  (unsigned long long)green);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=0x%llx",
		  (unsigned long long)blue);
}

/*
 * One core, in ms:
 *	CPU 0	0 a 60 idle
 *	CPU 1	0 host 10 b 31 idle 40 b 100
 * At 11 a enters its guest. So a pairing of 21 ms from 10 on, in which CPU 0 is late and enters
 * again after 1 ms: transition 1, violation 20. And one of 20 ms from 40 to 60 without an entry:
 * unresolved. a runs for 60 ms, b for 81. The core: 10 a beside the host, 21 mixed, 9 a alone,
 * 20 mixed, 40 b alone.
 */
static inline struct tb *two_pairings(void)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_ms(1, 10), host, TB_S, b);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 11 * MODELLED_MS, a.tid), 0);
	tb_switch(tb, at_ms(1, 31), b, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 40), tb_idle, TB_R, b);
	tb_switch(tb, at_ms(0, 60), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), b, TB_S, tb_idle);
	tell(tb, 2, 2, 1, 1);
	return tb;
}

#endif
