// SPDX-License-Identifier: GPL-3.0-or-later
/* Exits from the guest, from accounts to groups. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/exit_reason.h"
#include "analyze/report/assemble_vcpu.h"

/* The sums of one group: exits of several accounts by reason. */
struct fold {
	struct fan_exit_sum *items;
	size_t n;
};

static struct fan_exit_sum *reach(struct fold *f, const struct fan_exit_sum *like)
{
	struct fan_exit_sum *grown;

	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].isa == like->isa && f->items[i].reason == like->reason)
			return &f->items[i];
	grown = reallocarray(f->items, f->n + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	f->items = grown;
	f->items[f->n] = (struct fan_exit_sum){ .isa = like->isa, .reason = like->reason };
	return &f->items[f->n++];
}

static int fold_account(struct fold *f, const struct fan_assembly *a, size_t account)
{
	size_t n;
	const struct fan_exit_sum *from = fan_exits_of(fan_machine_kvm(a->m->machine)->exits,
						       account, &n);

	for (size_t i = 0; i < n; i++) {
		struct fan_exit_sum *sum = reach(f, &from[i]);

		if (!sum || fan_hist_merge(&sum->ns, &from[i].ns) < 0)
			return -ENOMEM;
		sum->off_cpu_ns += from[i].off_cpu_ns;
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct fan_exit_sum *x = a, *y = b;

	if (x->ns.sum != y->ns.sum)
		return x->ns.sum > y->ns.sum ? -1 : 1;
	if (x->isa != y->isa)
		return x->isa < y->isa ? -1 : 1;
	return (x->reason > y->reason) - (x->reason < y->reason);
}

static int add_exit(struct fan_r_group *g, const struct fan_exit_sum *from, bool has_switches)
{
	struct fan_r_exit *e = fan_array_add(&g->exits, &fan_exit_table);

	if (!e)
		return -ENOMEM;
	e->count = (int64_t)from->ns.n;
	e->total_ns = (int64_t)from->ns.sum;
	if (has_switches)
		e->off_cpu_ns = (int64_t)from->off_cpu_ns;
	e->p50_ns = (int64_t)fan_hist_quantile(&from->ns, 500);
	e->p99_ns = (int64_t)fan_hist_quantile(&from->ns, 990);
	e->max_ns = (int64_t)from->ns.max;
	return fan_str_set(&e->reason, fan_exit_reason(&(struct fan_exit_number){ 0 }, from->isa,
						       from->reason));
}

int fan_assemble_exits(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	struct fold f = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < a->g->naccounts; i++)
		if (a->g->of_account[i] == (int32_t)group)
			r = fold_account(&f, a, i);
	if (r == 0 && f.n)
		qsort(f.items, f.n, sizeof(*f.items), by_time);
	for (size_t i = 0; r == 0 && i < f.n; i++)
		r = add_exit(g, &f.items[i], a->m->has_switches);
	for (size_t i = 0; i < f.n; i++)
		fan_hist_free(&f.items[i].ns);
	free(f.items);
	return r;
}
