// SPDX-License-Identifier: GPL-3.0-or-later
/* What held the CPU while a group waited: accounts folded into groups, and host threads by name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/assemble.h"

#define HOST_NAMES 5

/* Time that one holder had: another group, or by its name a process of none. */
struct part {
	int32_t group;	  /* -1: none */
	const char *comm; /* of a host process; else NULL */
	uint64_t ns;
};

struct parts {
	struct part *items;
	size_t n, room;
};

static int add_part(struct parts *p, struct part part)
{
	struct part *grown;

	if (p->n == p->room) {
		grown = reallocarray(p->items, p->room * 2 + 64, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		p->items = grown;
		p->room = p->room * 2 + 64;
	}
	p->items[p->n++] = part;
	return 0;
}

static int by_holder(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->comm ? strcmp(x->comm, y->comm) : 0;
}

static int by_size(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return x->ns == y->ns ? by_holder(a, b) : x->ns > y->ns ? -1 : 1;
}

/* One part a holder, the largest first. */
static void join_parts(struct parts *p)
{
	size_t n = 0;

	if (p->n == 0)
		return;
	qsort(p->items, p->n, sizeof(*p->items), by_holder);
	for (size_t i = 1; i < p->n; i++) {
		if (by_holder(&p->items[n], &p->items[i]) == 0)
			p->items[n].ns += p->items[i].ns;
		else
			p->items[++n] = p->items[i];
	}
	p->n = n + 1;
	qsort(p->items, p->n, sizeof(*p->items), by_size);
}

/* A holder's name is that of its process. */
static const char *name_of(const struct fan_assembly *a, int32_t holder)
{
	const struct fan_threads *t = a->m->threads;
	const int32_t proc = fan_procs_final(t, fan_accounts_at(t, (size_t)holder)->proc);

	return fan_threads_at(t, (size_t)fan_main_thread(a->m, proc))->comm;
}

/* What an account waited for, but for idle and unknown CPUs. */
static int take_holders(struct parts *p, struct fan_r_waited_for *w, const struct fan_assembly *a,
			size_t account)
{
	const struct fan_row *row = fan_blame_row(a->m->blame, account);
	const int32_t own = a->g->of_account[account];
	int r = 0;

	for (size_t i = 0; r == 0 && i < fan_row_slots(row); i++) {
		const struct fan_holding *h = &row->slots[i];
		const int32_t group = h->holder >= 0 ? a->g->of_account[h->holder] : -1;

		if (h->holder < 0 || h->ns == 0)
			continue;
		if (group == own)
			w->self_ns += (int64_t)h->ns;
		else
			r = add_part(p,
				     (struct part){ group, group < 0 ? name_of(a, h->holder) : NULL,
						    h->ns });
	}
	return r;
}

/* The rest of an account's row. Returns whether cookies would tell more about its forced idle. */
static bool take_rest(struct fan_r_waited_for *w, const struct fan_assembly *a, size_t account)
{
	const struct fan_row *row = fan_blame_row(a->m->blame, account);
	const bool counts = a->g->kind == FAN_GROUP_CGROUP || fan_model_tells_waits(a->m);

	w->idle_ns += (int64_t)row->other_ns[~FAN_HELD_IDLE];
	w->unknown_ns += (int64_t)row->other_ns[~FAN_HELD_UNKNOWN];
	w->unknown_ns += counts ? (int64_t)fan_blame_unwoken_ns(a->m->blame, account) : 0;
	w->forced_idle_ns += (int64_t)(row->other_ns[~FAN_HELD_FORCED] +
				       row->other_ns[~FAN_HELD_MAYBE]);
	w->throttled_or_contended_ns += (int64_t)row->throttled_ns;
	return row->other_ns[~FAN_HELD_MAYBE] > 0;
}

static int fill_amounts(struct fan_r_waited_for *w, const struct fan_assembly *a,
			const struct parts *p)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < p->n; i++) {
		const struct part *part = &p->items[i];
		struct fan_r_amount *to;

		if (part->ns == 0)
			continue;
		w->host_ns += part->group < 0 ? (int64_t)part->ns : 0;
		if (part->group < 0 && w->host.n == HOST_NAMES)
			continue;
		to = part->group < 0 ? fan_array_add(&w->host, &fan_comm_table)
				     : fan_array_add(&w->groups, &fan_amount_table);
		if (!to)
			return -ENOMEM;
		to->ns = (int64_t)part->ns;
		r = fan_str_set(&to->name,
				part->group < 0 ? part->comm : a->g->items[part->group].name);
	}
	return r;
}

/*
 * Rows follow a thread's place at the time, the sums of a group its threads as they are at the
 * end: where a group was asked for by cgroup and a thread has moved, the two differ.
 */
static void make_sums_agree(struct fan_r_waited_for *w, struct parts *p, int64_t wait_ns)
{
	int64_t *const rest[] = { &w->unknown_ns, &w->idle_ns, &w->self_ns, &w->forced_idle_ns,
				  &w->throttled_or_contended_ns };
	int64_t excess = -wait_ns;

	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		excess += *rest[i];
	for (size_t i = 0; i < p->n; i++)
		excess += (int64_t)p->items[i].ns;
	if (excess < 0)
		w->unknown_ns -= excess;
	for (size_t i = 0; excess > 0 && i < sizeof(rest) / sizeof(rest[0]); i++) {
		const int64_t part = *rest[i] < excess ? *rest[i] : excess;

		*rest[i] -= part;
		excess -= part;
	}
	for (size_t i = p->n; excess > 0 && i-- > 0;) {
		const int64_t ns = (int64_t)p->items[i].ns;

		p->items[i].ns -= (uint64_t)(ns < excess ? ns : excess);
		excess -= ns < excess ? ns : excess;
	}
}

int fan_assemble_waited_for(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	struct fan_r_waited_for *w = &g->waited_for;
	struct parts p = { 0 };
	bool is_bound = false;
	int r = 0;

	w->self_ns = w->host_ns = w->throttled_or_contended_ns = w->forced_idle_ns = 0;
	w->idle_ns = w->unknown_ns = 0;
	for (size_t i = 0; r == 0 && i < a->g->naccounts; i++) {
		if (a->g->of_account[i] != (int32_t)group || !fan_blame_row(a->m->blame, i))
			continue;
		r = take_holders(&p, w, a, i);
		is_bound |= take_rest(w, a, i);
	}
	join_parts(&p);
	make_sums_agree(w, &p, g->wait_ns);
	if (r == 0)
		r = fill_amounts(w, a, &p);
	if (r == 0 && is_bound)
		r = fan_strs_add(&g->flags, "upper_bound");
	free(p.items);
	return r;
}
