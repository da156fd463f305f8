// SPDX-License-Identifier: GPL-3.0-or-later
/* Fairness at every scale, and starvation, from the sums of the pass. */
#include "analyze/report/assemble.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/scale.h"

static const uint64_t tick_ns = FAN_TICK_NS;

/* By group, the party that stands for it; SIZE_MAX: none does. To be freed; NULL: no memory. */
static size_t *find_parties(const struct fan_assembly *a)
{
	const struct fan_demand *d = a->m->pulse->demand;
	size_t *ret = malloc((a->g->n + 1) * sizeof(*ret));

	for (size_t k = 0; ret && k < a->g->n; k++)
		ret[k] = SIZE_MAX;
	for (size_t i = 0; ret && i < d->nlisted; i++) {
		const int32_t k = a->g->of_account[d->listed[i]];
		const int32_t party = d->stakes[d->listed[i]].party;

		if (k >= 0 && party >= 0)
			ret[k] = (size_t)party;
	}
	return ret;
}

static int add_group_scale(struct fan_r_group *g, const struct fan_scale *s, size_t k)
{
	struct fan_r_scale *to = fan_array_add(&g->by_window, &fan_scale_table);

	if (!to)
		return -ENOMEM;
	to->window_ns = (int64_t)(fan_scale_ticks[k] * tick_ns);
	to->windows = (int64_t)s->windows;
	to->rms_pp = fan_scale_rms_pp(s);
	to->zero_windows = (int64_t)s->zero;
	to->vcpu_jain = fan_scale_mean(s->vcpu_jain, s->vcpu_windows);
	to->vcpu_zero_windows = (int64_t)s->vcpu_zero;
	return 0;
}

static int add_scale(struct fan_r_fairness *f, const struct fan_scale *s, size_t k)
{
	struct fan_r_fair_scale *to = fan_array_add(&f->by_window, &fan_fair_scale_table);

	if (!to)
		return -ENOMEM;
	to->window_ns = (int64_t)(fan_scale_ticks[k] * tick_ns);
	to->windows = (int64_t)s->windows;
	to->jain = fan_scale_mean(s->jain, s->windows);
	to->fair_pct = s->windows ? 100 * (double)s->fair / (double)s->windows : NAN;
	to->rms_pp = fan_scale_rms_pp(s);
	to->zero_windows = (int64_t)s->zero;
	if (f->horizon_ns == FAN_NONE && s->windows >= FAN_HORIZON_WINDOWS &&
	    s->fair * 100 >= s->windows * 95)
		f->horizon_ns = to->window_ns;
	return 0;
}

static int add_group_scales(struct fan_r_group *g, const struct fan_assembly *a, size_t party,
			    uint64_t ticks)
{
	int e = 0;

	for (size_t k = 0; e == 0 && k < FAN_SCALES && fan_scale_ticks[k] <= ticks; k++) {
		const struct fan_scale s = fan_scales_of(a->m->pulse->scales, party, k);

		e = add_group_scale(g, &s, k);
	}
	return e;
}

/* A scale longer than the trace has no windows: it is left out. */
static int add_scales(struct fan_report *r, const struct fan_assembly *a, const int32_t *order)
{
	const uint64_t ticks = (a->m->end_ns - a->m->start_ns) / tick_ns;
	struct fan_r_group *g = r->groups.items;
	size_t *party = find_parties(a);
	int e = party ? 0 : -ENOMEM;

	for (size_t k = 0; e == 0 && k < FAN_SCALES && fan_scale_ticks[k] <= ticks; k++) {
		const struct fan_scale all = fan_scales_all(a->m->pulse->scales, k);

		e = add_scale(&r->fairness, &all, k);
	}
	for (size_t i = 0; e == 0 && i < r->groups.n; i++)
		e = add_group_scales(&g[i], a, party[order[i]], ticks);
	free(party);
	return e;
}

static void add_starved(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	const struct fan_members *of = a->members;

	for (size_t i = of->first[group]; i < of->first[group + 1]; i++) {
		const struct fan_thread *th = fan_threads_at(a->m->threads, of->thread[i]);
		struct fan_r_thread *t = (struct fan_r_thread *)g->threads.items +
					 (i - of->first[group]);

		t->starved.tid = th->tid;
		t->starved.max_ns = (int64_t)th->max_wait_ns;
		if (th->max_wait_ns)
			t->starved.at_ns = (int64_t)(th->max_wait_at_ns - a->m->first_ns);
		if (g->starved.max_ns == FAN_NONE || t->starved.max_ns > g->starved.max_ns)
			g->starved = t->starved;
	}
}

int fan_assemble_scales(struct fan_report *r, const struct fan_assembly *a)
{
	struct fan_r_group *g = r->groups.items;
	int32_t *order = fan_group_order(r, a);
	int e = order ? 0 : -ENOMEM;

	for (size_t i = 0; e == 0 && i < r->groups.n; i++) {
		add_starved(&g[i], a, (size_t)order[i]);
		if (g[i].starved.max_ns > r->fairness.starvation_max_ns)
			r->fairness.starvation_max_ns = g[i].starved.max_ns;
	}
	if (e == 0 && a->is_by_demand)
		e = add_scales(r, a, order);
	free(order);
	return e;
}
