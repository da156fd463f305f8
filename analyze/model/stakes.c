// SPDX-License-Identifier: GPL-3.0-or-later
/* Which accounts take part in the contest, and for whom. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/stakes.h"
#include "analyze/model/model.h"

/* Steele, Lea and Flood's SplitMix64: keys that add up to different sums. */
static uint64_t mix(uint64_t x)
{
	uint64_t z = (x + 1) * 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

int fan_stake_reach(struct fan_demand *d, int32_t account)
{
	const size_t n = ((size_t)account | 63) + 1;
	struct fan_stake *grown;
	int32_t *active;

	if ((size_t)account < d->nstakes)
		return 0;
	active = reallocarray(d->active, n, sizeof(*active));
	if (!active)
		return -ENOMEM;
	d->active = active;
	grown = reallocarray(d->stakes, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (size_t i = d->nstakes; i < n; i++)
		grown[i] = (struct fan_stake){ .party = -1, .next = -1 };
	d->stakes = grown;
	d->nstakes = n;
	return 0;
}

/* The room of a list is a power of two. */
static int append(int32_t **list, size_t *n, int32_t account)
{
	int32_t *grown;

	if ((*n & (*n - 1)) == 0) {
		grown = reallocarray(*list, *n ? 2 * *n : 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		*list = grown;
	}
	(*list)[(*n)++] = account;
	return 0;
}

/* Finds who stands in for this account, which has a party; itself if there is nobody yet. */
static int find_stand_in(struct fan_demand *d, int32_t account)
{
	struct fan_stake *s = &d->stakes[account];
	const struct fan_threads *threads = d->m->threads;
	const struct fan_place place = fan_accounts_at(threads, (size_t)account)->place;
	const size_t n = ((size_t)s->party | 15) + 1;
	int32_t i;

	if ((size_t)s->party >= d->nstand_ins) {
		int32_t *grown = reallocarray(d->stand_ins, n, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		memset(grown + d->nstand_ins, 0xff, (n - d->nstand_ins) * sizeof(*grown));
		d->stand_ins = grown;
		d->nstand_ins = n;
	}
	for (i = d->stand_ins[s->party]; i >= 0; i = d->stakes[i].next)
		if (fan_place_equal(&fan_accounts_at(threads, (size_t)i)->place, &place))
			break;
	s->stand_in = i >= 0 ? i : account;
	s->key = mix((uint64_t)s->stand_in);
	if (i < 0) {
		s->next = d->stand_ins[s->party];
		d->stand_ins[s->party] = account;
	}
	return 0;
}

int fan_stake_enter(struct fan_demand *d, int32_t account, int32_t party)
{
	struct fan_stake *s = &d->stakes[account];
	const int sign = (party >= 0) - (s->party >= 0);

	s->party = party;
	if (sign == 0)
		return 0;
	if (sign > 0 && find_stand_in(d, account) < 0)
		return -ENOMEM;
	d->runnable += (uint32_t)sign * s->runnable;
	d->key += (uint64_t)sign * s->runnable * s->key;
	d->outcome = NULL;
	s->counted = s->since_ns = d->since;
	s->run_before = fan_series_run_ns(d->m->series, fan_model_row(account));
	if (sign > 0 && s->runnable)
		fan_stake_wake(d, account);
	if (s->is_listed)
		return 0;
	s->is_listed = true;
	return append(&d->listed, &d->nlisted, account);
}
