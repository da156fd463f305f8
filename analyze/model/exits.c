// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/exits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { REASONS_MAX = 255, HINTS = 64 };

/* The reasons of one account. There are few, so that a list will do; hints make it short. */
struct table {
	struct fan_exit_sum *items;
	size_t n;
	uint8_t hint[HINTS]; /* index of the one found last, by the low bits of the reason */
};

struct fan_exits {
	struct table *of_account;
	size_t n;
};

struct fan_exits *fan_exits_new(void)
{
	return calloc(1, sizeof(struct fan_exits));
}

void fan_exits_free(struct fan_exits *e)
{
	if (!e)
		return;
	for (size_t a = 0; a < e->n; a++) {
		for (size_t i = 0; i < e->of_account[a].n; i++)
			fan_hist_free(&e->of_account[a].items[i].ns);
		free(e->of_account[a].items);
	}
	free(e->of_account);
	free(e);
}

/* Room for this account. 0 or -ENOMEM. */
static __attribute__((noinline)) int grow(struct fan_exits *e, size_t account)
{
	const size_t n = (account | 15) + 1;
	struct table *grown = reallocarray(e->of_account, n, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	memset(grown + e->n, 0, (n - e->n) * sizeof(*grown));
	e->of_account = grown;
	e->n = n;
	return 0;
}

static size_t find(const struct table *t, enum fan_isa isa, uint32_t reason)
{
	size_t i = 0;

	while (i < t->n && (t->items[i].isa != isa || t->items[i].reason != reason))
		i++;
	return i;
}

/* A damaged file must not make millions of reasons: what is too many goes into one. */
static size_t find_or_other(const struct table *t, enum fan_isa isa, uint32_t reason)
{
	const size_t i = find(t, isa, reason);

	return i < t->n || t->n < REASONS_MAX - 1 ? i : find(t, FAN_ISA_NONE, FAN_EXIT_OTHER);
}

/* NULL: no memory. */
static __attribute__((noinline)) struct fan_exit_sum *reach(struct table *t, enum fan_isa isa,
							    uint32_t reason)
{
	struct fan_exit_sum *grown;
	const size_t i = find_or_other(t, isa, reason);

	if (i == t->n) {
		grown = reallocarray(t->items, t->n + 1, sizeof(*grown));
		if (!grown)
			return NULL;
		t->items = grown;
		t->items[t->n] = (struct fan_exit_sum){ .isa = isa, .reason = reason };
		if (t->n == REASONS_MAX - 1)
			t->items[t->n] = (struct fan_exit_sum){ .reason = FAN_EXIT_OTHER };
		t->n++;
	}
	t->hint[reason % HINTS] = (uint8_t)i;
	return &t->items[i];
}

/* Nearly always it is where the hint says. */
static inline struct fan_exit_sum *sum_of(struct table *t, enum fan_isa isa, uint32_t reason)
{
	const size_t i = t->hint[reason % HINTS];

	if (i < t->n && t->items[i].isa == isa && t->items[i].reason == reason)
		return &t->items[i];
	return reach(t, isa, reason);
}

int fan_exits_add(struct fan_exits *e, const struct fan_exit *exit)
{
	const size_t account = (size_t)exit->account;
	struct fan_exit_sum *sum;

	if (account >= e->n && grow(e, account) < 0)
		return -ENOMEM;
	sum = sum_of(&e->of_account[account], exit->isa, exit->reason);
	if (!sum || fan_hist_add(&sum->ns, exit->ns) < 0)
		return -ENOMEM;
	sum->off_cpu_ns += exit->off_cpu_ns;
	return 0;
}

const struct fan_exit_sum *fan_exits_of(const struct fan_exits *e, size_t account, size_t *ret_n)
{
	*ret_n = account < e->n ? e->of_account[account].n : 0;
	return *ret_n ? e->of_account[account].items : NULL;
}
