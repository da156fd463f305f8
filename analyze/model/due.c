// SPDX-License-Identifier: GPL-3.0-or-later
/* What is allotted, and how it becomes due. */
#include "analyze/model/due.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "analyze/model/wide.h"

/* Adds ns x cpus to what the account is due, to the last 2^-32 ns. */
static void credit(struct fan_stake *s, uint64_t ns, uint64_t cpus)
{
	const fan_u128 sum = (fan_u128)ns * cpus + s->rest;

	s->due_ns += (uint64_t)(sum >> 32);
	s->rest = (uint32_t)sum;
}

static int reach_scratch(struct fan_demand *d, size_t n)
{
	struct fan_member *members;
	struct fan_allotment *shares;
	uint64_t *cpus;

	if (n <= d->scratch_room)
		return 0;
	members = reallocarray(d->scratch, 2 * n, sizeof(*members));
	if (!members)
		return -ENOMEM;
	d->scratch = members;
	cpus = reallocarray(d->cpus, 2 * n, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	d->cpus = cpus;
	shares = reallocarray(d->shares, 2 * n, sizeof(*shares));
	if (!shares)
		return -ENOMEM;
	d->shares = shares;
	d->scratch_room = 2 * n;
	return 0;
}

/* Has the members in the scratch allotted what they are due. 1: contended; 0; negative errno. */
static int ask(struct fan_demand *d, size_t n)
{
	d->asked++;
	memset(d->cpus, 0, n * sizeof(*d->cpus));
	return n == 0 ? 0 : d->allocator.allocate(d->allocator.ctx, d->m, d->scratch, n, d->cpus);
}

/* Puts the accounts of parties that have runnable threads into the scratch: how many; -ENOMEM. */
static ssize_t list_runnable(struct fan_demand *d)
{
	size_t n = 0;

	if (reach_scratch(d, d->nactive + 1) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < d->nactive; i++) {
		const struct fan_stake *s = &d->stakes[d->active[i]];

		if (s->party >= 0)
			d->stakes[s->stand_in].sum += s->runnable;
	}
	for (size_t i = 0; i < d->nactive; i++) {
		const int32_t in = d->stakes[d->active[i]].stand_in;
		struct fan_stake *s = &d->stakes[in];

		if (s->sum)
			d->scratch[n++] = (struct fan_member){ in, s->party,
							       s->sum * FAN_DEMAND_ONE,
							       FAN_DEMAND_ONE };
		s->sum = 0;
	}
	return (ssize_t)n;
}

int fan_due_ask(struct fan_demand *d)
{
	const ssize_t n = list_runnable(d);
	const int r = n < 0 ? -ENOMEM : ask(d, (size_t)n);

	if (r < 0)
		return r;
	for (size_t i = 0; i < (size_t)n; i++)
		d->shares[i] = (struct fan_allotment){ d->scratch[i].account, d->cpus[i] };
	d->outcome = fan_configurations_add(&d->met, d->key,
					    &(struct fan_outcome){ .shares = d->shares,
								   .n = (uint32_t)n,
								   .is_contended = r == 1 });
	return d->outcome ? 0 : -ENOMEM;
}

void fan_due_fold(struct fan_demand *d)
{
	for (size_t i = 0; i < d->met.ntouched; i++) {
		struct fan_outcome *o = d->met.touched[i];

		for (size_t k = 0; k < o->n; k++)
			credit(&d->stakes[o->shares[k].account], o->ns, o->shares[k].cpus);
		d->contended_ns += o->is_contended ? o->ns : 0;
		o->ns = 0;
	}
	d->met.ntouched = 0;
}

/* A part of width, in units of 1/FAN_DEMAND_ONE. */
static uint32_t part_of(uint64_t part, uint64_t width)
{
	return (uint32_t)((fan_u128)part * FAN_DEMAND_ONE / width);
}

/* Averaged: puts means of the time since the last tick into the scratch: how many. */
static size_t list_means(struct fan_demand *d, uint64_t width)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nactive; i++)
		d->stakes[d->stakes[d->active[i]].stand_in].absent = FAN_DEMAND_ONE;
	for (size_t i = 0; i < d->nactive; i++) {
		struct fan_stake *s = &d->stakes[d->active[i]], *in;

		fan_due_settle_area(d, s);
		in = s->party < 0 ? NULL : &d->stakes[s->stand_in];
		if (in && s->area) {
			const uint64_t absent = FAN_DEMAND_ONE - part_of(s->present, width);

			in->sum += part_of(s->area, width);
			/* as if they came and went on their own */
			in->absent = (uint32_t)(in->absent * absent / FAN_DEMAND_ONE);
		}
		s->area = s->present = 0;
	}
	for (size_t i = 0; i < d->nactive; i++) {
		const int32_t in = d->stakes[d->active[i]].stand_in;
		struct fan_stake *s = &d->stakes[in];

		if (s->sum && s->absent < FAN_DEMAND_ONE)
			d->scratch[n++] = (struct fan_member){ in, s->party, s->sum,
							       FAN_DEMAND_ONE - s->absent };
		s->sum = 0;
	}
	return n;
}

int fan_due_average(struct fan_demand *d)
{
	const uint64_t width = d->since - d->tick;
	size_t n;
	int r;

	if (width == 0)
		return 0;
	if (reach_scratch(d, d->nactive + 1) < 0)
		return -ENOMEM;
	n = list_means(d, width);
	r = ask(d, n);
	for (size_t i = 0; r >= 0 && i < n; i++)
		credit(&d->stakes[d->scratch[i].account], width, d->cpus[i]);
	d->contended_ns += r == 1 ? width : 0;
	d->averaged_ns += width;
	d->tick = d->since;
	return r < 0 ? r : 0;
}
