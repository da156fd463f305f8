/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of what is due: a model that asked for allotments, and what came out. */
#ifndef TESTS_UNIT_DEMANDED_H
#define TESTS_UNIT_DEMANDED_H

#include "analyze/stats/entitle.h"
#include "tests/unit/modelled.h"

/* options may be NULL; its allocator is replaced. */
static inline struct fan_model *model_by_rule(struct tb *tb, struct fan_entitle_rule *rule,
					      const struct fan_model_options *options)
{
	struct fan_model_options o = options ? *options : (struct fan_model_options){ 0 };
	struct fan_file *file = file_of(tb);
	struct fcap_err err = { 0 };
	struct fan_model *m = NULL;

	o.allocator = (struct fan_allocator){ fan_entitle_members, fan_entitle_drop, rule };
	if (fan_model_read(&m, file, &o, &err) < 0)
		fail_msg("%s", err.text);
	fan_file_close(file);
	return m;
}

static inline struct fan_model *model_by_demand(struct tb *tb, unsigned int cpus,
						const struct fan_model_options *options)
{
	struct fan_entitle_rule rule = { .cpus = cpus };
	struct fan_model *m = model_by_rule(tb, &rule, options);

	fan_entitle_drop(&rule);
	return m;
}

/* What was due in all, to threads of this thread group. */
static inline double due_of(const struct fan_model *m, int32_t tgid)
{
	double ns = 0;

	for (size_t i = 0; i < fan_accounts_count(m->threads); i++) {
		const int32_t proc = fan_accounts_at(m->threads, i)->proc;

		if (fan_procs_at(m->threads, (size_t)fan_procs_final(m->threads, proc))->tgid ==
		    tgid)
			ns += (double)fan_series_sum(m->series, fan_model_row((int32_t)i), 0,
						     UINT64_MAX)
				      .due_ns;
	}
	return ns;
}

#define DUE_NEAR 100 /* ns: allotments are cut to 2^-32 CPU */

__attribute__((unused)) static const struct tb_task a0 = { 101, "CPU 0/KVM", 0 },
						    b0 = { 201, "CPU 0/KVM", 0 };

static inline void add_cgroup(struct tb *tb, uint64_t ms, const char *path, const char *keys)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS, "fcap: cg path=%s scale=shares %s", path,
		  keys);
}

static inline void add_vcpu(struct tb *tb, int tid, int tgid, const char *keys)
{
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=%d id=%d", tid, tgid, tid - tgid - 1);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=%d tgid=%d %s", tid, tgid, keys);
}

static inline void add_cpus(struct tb *tb, int cpus)
{
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono cpu_hierarchy=1");
	for (int i = 0; i < cpus; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d", i);
}

/* One CPU; VMs 100 in /a and 200 in /b, a thread each. */
static inline struct tb *two_vms(int weight_a, int weight_b)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	add_cpus(tb, 1);
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/a parent=/ scale=shares weight=%d", weight_a);
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/b parent=/ scale=shares weight=%d", weight_b);
	add_vcpu(tb, 101, 100, "cgroup=/a");
	add_vcpu(tb, 201, 200, "cgroup=/b");
	return tb;
}

/*
 * ms  0: a runs, b sleeps; 4: b is woken, waits; 10: b runs, a waits; 16: b sleeps, a runs;
 * 20: a sleeps. a wants 0-20, b wants 4-16.
 */
static inline void take_turns(struct tb *tb)
{
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a0);
	tb_wakeup(tb, tb_by(0, MODELLED_BASE + 4 * MODELLED_MS, a0.tid), b0, 0);
	tb_switch(tb, at_ms(0, 10), a0, TB_R, b0);
	tb_switch(tb, at_ms(0, 16), b0, TB_S, a0);
	tb_switch(tb, at_ms(0, 20), a0, TB_S, tb_idle);
}

static inline void assert_due(const struct fan_model *m, int32_t tgid, double ms)
{
	assert_near(due_of(m, tgid), ms * MODELLED_MS, DUE_NEAR);
}

/* What is due in all to the VMs 100, 200, ... on so many CPUs; frees tb. */
static inline void assert_dues(struct tb *tb, unsigned int cpus, const double *ms, int n)
{
	struct fan_model *m = model_by_demand(tb, cpus, NULL);

	for (int v = 0; v < n; v++)
		assert_due(m, 100 * (v + 1), ms[v]);
	fan_model_free(m);
}

#endif
