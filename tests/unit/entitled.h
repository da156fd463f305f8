/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of entitlement: a host of cgroups and VMs that is told by marker lines. */
#ifndef TESTS_UNIT_ENTITLED_H
#define TESTS_UNIT_ENTITLED_H

#include "tests/unit/modelled.h"

#include <stdio.h>
#include <string.h>

#include "analyze/stats/entitle.h"

#define EXACT 1e-9

struct host {
	struct tb *tb;
	struct fan_model *m;
	struct fan_groups *g;
	struct fan_entitlement e;
};

static inline struct host host_with(unsigned int cpus)
{
	struct host h = { .tb = tb_new((int)cpus, 6, TB_PLAIN) };

	for (unsigned int i = 0; i < cpus; i++)
		tb_marker(h.tb, MODELLED_BASE, "fcap: cpu id=%u", i);
	tb_switch(h.tb, at_ms(0, 1), tb_idle, TB_R, (struct tb_task){ 5, "host", 0 });
	tb_switch(h.tb, at_ms(0, 2), (struct tb_task){ 5, "host", 0 }, TB_S, tb_idle);
	return h;
}

static inline void add_cgroup(struct host *h, const char *path, const char *keys)
{
	tb_marker(h->tb, MODELLED_BASE, "fcap: cg path=%s %s", path, keys);
}

/* A thread of the VM; keys go to its task line. Its number within the VM: id. */
static inline void add_vcpu(struct host *h, int tgid, int id, const char *keys)
{
	tb_marker(h->tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=%d id=%d", tgid + 1 + id, tgid, id);
	tb_marker(h->tb, MODELLED_BASE, "fcap: task tid=%d tgid=%d %s", tgid + 1 + id, tgid, keys);
}

static inline void add_vm(struct host *h, int tgid, int vcpus, const char *keys)
{
	for (int i = 0; i < vcpus; i++)
		add_vcpu(h, tgid, i, keys);
}

static inline void entitle(struct host *h, unsigned int cpus, enum fan_group_kind kind)
{
	const struct fan_group_options wanted = { .kind = kind };

	h->m = model_of(h->tb);
	assert_int_equal(fan_groups_make(&h->g, h->m, &wanted, NULL), 0);
	assert_int_equal(fan_entitle(h->m, h->g, cpus, NULL, &h->e), 0);
}

static inline void done(struct host *h)
{
	fan_entitlement_free(&h->e);
	fan_groups_free(h->g);
	fan_model_free(h->m);
}

static inline const struct fan_entitled *of(const struct host *h, int tgid)
{
	for (size_t i = 0; i < h->g->n; i++)
		if (h->g->items[i].tgid == tgid)
			return &h->e.groups[i];
	fail_msg("no group of tgid %d", tgid);
	return NULL;
}

static inline void assert_cpus(const struct host *h, int tgid, double cpus)
{
	assert_near(of(h, tgid)->cpus, cpus, EXACT);
}

#endif
