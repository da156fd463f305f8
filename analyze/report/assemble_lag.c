// SPDX-License-Identifier: GPL-3.0-or-later
/* What was due and not got: lag of the groups, caps that bind, capacity that was lost. */
#include "analyze/report/assemble.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fan_is_by_demand(const struct fan_model *m, const struct fan_matrix *x)
{
	const struct fan_counts *c = fan_machine_counts(m->machine);
	double due = 0;

	/* somebody slept and was never seen to be woken: nobody knows since when he wanted a CPU */
	/* nor is it known what others, who were not recorded, were due */
	if (!m->pulse || m->facts->is_scoped ||
	    (c->wakeups == 0 && c->wakings == 0 && c->stale > 0))
		return false;
	for (size_t w = 0; w < x->windows; w++)
		due += x->due_total[w];
	return due > 0 && (m->kinds & (1U << FAN_EV_WAKEUP | 1U << FAN_EV_WAKING));
}

bool fan_is_contended(const struct fan_model *m, const struct fan_matrix *x,
		      const struct fan_entitlement *e)
{
	if (!fan_is_by_demand(m, x))
		return e->is_contended;
	return m->pulse->demand->contended_ns >= (m->end_ns - m->start_ns) / 100;
}

/* Adds what the account was due and got to the groups' windows, from when it was a party on. */
static void add_account(int64_t *sums, const struct fan_assembly *a, size_t account, uint64_t n)
{
	const struct fan_stake *s = &a->m->pulse->demand->stakes[account];
	const uint64_t base = fan_series_width_ns(a->m->series);
	const uint64_t late = s->since_ns > a->m->start_ns ? s->since_ns - a->m->start_ns : 0;

	for (uint64_t w = (late + base - 1) / base; w < n; w++) {
		const struct fan_cell c = fan_series_sum(a->m->series,
							 fan_model_row((int32_t)account), w, 1);

		sums[w] += (int64_t)c.due_ns - (int64_t)c.run_ns;
	}
}

static void add_lag(struct fan_r_lag *lag, const struct fan_assembly *a, const int64_t *sums,
		    uint64_t n)
{
	const uint64_t base = fan_series_width_ns(a->m->series);
	const uint64_t start = a->m->start_ns - a->m->first_ns, end = a->m->end_ns - a->m->first_ns;
	int64_t sum = 0;

	lag->max_ns = 0;
	lag->max_at_ns = (int64_t)start;
	for (uint64_t w = 0; w < n; w++) {
		const uint64_t at = start + (w + 1) * base;

		sum += sums[w];
		if (llabs(sum) <= llabs(lag->max_ns))
			continue;
		lag->max_ns = sum;
		lag->max_at_ns = (int64_t)(at < end ? at : end);
	}
	lag->final_ns = sum;
}

/* The accounts of each group that were ever of a party, as lists. */
struct lists {
	int32_t *first, *next; /* by group; by account. -1: none */
};

static int make_lists(struct lists *l, const struct fan_assembly *a)
{
	const struct fan_demand *d = a->m->pulse->demand;

	l->first = malloc((a->g->n + 1) * sizeof(*l->first));
	l->next = malloc((d->nstakes + 1) * sizeof(*l->next));
	if (!l->first || !l->next)
		return -ENOMEM;
	for (size_t k = 0; k < a->g->n; k++)
		l->first[k] = -1;
	for (size_t i = 0; i < d->nlisted; i++) {
		const int32_t account = d->listed[i], k = a->g->of_account[account];

		if (k < 0 || d->stakes[account].party < 0)
			continue;
		l->next[account] = l->first[k];
		l->first[k] = account;
	}
	return 0;
}

static int add_lags(struct fan_report *r, const struct fan_assembly *a, const int32_t *order)
{
	const uint64_t base = fan_series_width_ns(a->m->series);
	const uint64_t n = (a->m->end_ns - a->m->start_ns + base - 1) / base;
	int64_t *sums = calloc(n + 1, sizeof(*sums));
	struct fan_r_group *g = r->groups.items;
	struct lists l = { 0 };
	int e = sums ? make_lists(&l, a) : -ENOMEM;

	for (size_t i = 0; e == 0 && i < r->groups.n; i++) {
		memset(sums, 0, n * sizeof(*sums));
		for (int32_t c = l.first[order[i]]; c >= 0; c = l.next[c])
			add_account(sums, a, (size_t)c, n);
		add_lag(&g[i].lag_ns, a, sums, n);
	}
	free(sums);
	free(l.first);
	free(l.next);
	return e;
}

/* "vcpus, quota": the caps without which the group would be entitled to more. */
static int add_caps(struct fan_r_group *g, const struct fan_assembly *a, int32_t k)
{
	static const char *const words[] = { "vcpus", "cpuset", "quota" };
	const unsigned int caps = a->entitled->groups[k].caps;
	char text[32] = "";
	size_t at = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (caps & 1U << i)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", at ? ", " : "",
					       words[i]);
	return at ? fan_str_set(&g->capped_by, text) : 0;
}

int32_t *fan_group_order(const struct fan_report *r, const struct fan_assembly *a)
{
	const struct fan_r_group *g = r->groups.items;
	int32_t *ret = malloc((r->groups.n + 1) * sizeof(*ret));

	for (size_t i = 0; ret && i < r->groups.n; i++)
		ret[i] = fan_groups_named(a->g, g[i].name);
	return ret;
}

int fan_assemble_lag(struct fan_report *r, const struct fan_assembly *a)
{
	struct fan_r_group *g = r->groups.items;
	int32_t *order = fan_group_order(r, a);
	int e = order ? 0 : -ENOMEM;

	for (size_t i = 0; e == 0 && i < r->groups.n; i++)
		if (a->g->items[order[i]].life_ns)
			e = add_caps(&g[i], a, order[i]);
	if (e == 0 && a->is_by_demand) {
		const struct fan_demand *d = a->m->pulse->demand;

		r->host.idle_while_waiting_ns = (int64_t)d->idle_waiting_ns;
		e = add_lags(r, a, order);
		if (e == 0 && d->averaged_ns)
			e = fan_strs_add(&r->flags, "demand_averaged");
	}
	free(order);
	return e;
}
