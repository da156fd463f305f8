// SPDX-License-Identifier: GPL-3.0-or-later
/* How often the waits of each group, and of each of its vCPUs, were how long. */
#include <errno.h>

#include "analyze/report/assemble_vcpu.h"

static int fill(struct fan_r_histogram *ret, const struct fan_hist *h)
{
	int e = 0;

	for (unsigned int i = 0; e == 0 && i < h->buckets; i++) {
		uint64_t upto_ns;
		const uint64_t count = fan_hist_bucket(h, i, &upto_ns);

		if (count == 0)
			continue;
		e = fan_ints_add(&ret->upto_ns, (int64_t)upto_ns);
		if (e == 0)
			e = fan_ints_add(&ret->count, (int64_t)count);
	}
	return e;
}

static int add_vcpu(struct fan_r_group_waits *g, const struct fan_thread *th,
		    const struct fan_r_thread *as)
{
	struct fan_r_vcpu_waits *v = fan_array_add(&g->vcpus, &fan_vcpu_waits_table);

	if (!v)
		return -ENOMEM;
	v->tid = as->tid;
	v->vcpu = as->vcpu;
	return fill(&v->waits, &th->waits);
}

/* The threads of a group of the report are the members, in their order. */
static int add_threads(struct fan_r_group_waits *ret, const struct fan_assembly *a,
		       const struct fan_r_group *from, size_t group)
{
	const size_t first = a->members->first[group], end = a->members->first[group + 1];
	const struct fan_r_thread *as = from->threads.items;
	struct fan_hist all = { 0 };
	int e = 0;

	for (size_t i = first; e == 0 && i < end && i - first < from->threads.n; i++) {
		const struct fan_thread *th = fan_threads_at(a->m->threads, a->members->thread[i]);

		if (from->vcpus > 0 && !th->is_vcpu)
			continue;
		e = fan_hist_merge(&all, &th->waits);
		if (e == 0 && th->is_vcpu && th->waits.n > 0)
			e = add_vcpu(ret, th, &as[i - first]);
	}
	if (e == 0)
		e = fill(&ret->waits, &all);
	fan_assemble_waits(&ret->wait, &all);
	fan_hist_free(&all);
	return e;
}

int fan_assemble_histograms(struct fan_report *r, const struct fan_assembly *a)
{
	const struct fan_r_group *g = r->groups.items;
	int e = 0;

	for (size_t i = 0; e == 0 && i < r->groups.n; i++) {
		struct fan_r_group_waits *to = fan_array_add(&r->histograms, &fan_waits_table);

		e = to ? fan_str_set(&to->name, g[i].name) : -ENOMEM;
		if (e == 0)
			e = add_threads(to, a, &g[i], (size_t)fan_groups_named(a->g, g[i].name));
	}
	return e;
}
