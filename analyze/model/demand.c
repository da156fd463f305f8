// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/demand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "analyze/model/stakes.h"
#include "analyze/model/wide.h"

#define ASKED_FREE 4096 /* allotments that are asked for before anybody minds */
#define ASKED_PART 32	/* and one for so many changes */

struct fan_demand *fan_demand_new(const struct fan_model *m, const struct fan_allocator *allocator,
				  struct fan_parties *parties)
{
	struct fan_demand *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->m = m;
	d->allocator = *allocator;
	d->parties = parties;
	d->to = UINT64_MAX;
	return d;
}

static void drop_cache(struct fan_demand *d)
{
	fan_configurations_drop(&d->met);
	d->current = NULL;
}

void fan_demand_free(struct fan_demand *d)
{
	if (!d)
		return;
	fan_configurations_free(&d->met);
	free(d->scratch);
	free(d->stand_ins);
	free(d->cpus);
	free(d->stakes);
	free(d->listed);
	free(d->active);
	free(d);
}

void fan_demand_clip(struct fan_demand *d, uint64_t from_ns, uint64_t to_ns)
{
	d->since = d->idle_since = d->tick = from_ns;
	d->to = to_ns;
}

void fan_demand_close(struct fan_demand *d, uint64_t to_ns)
{
	d->to = to_ns;
}

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

static bool is_too_much(const struct fan_demand *d)
{
	return fan_configurations_are_many(&d->met) ||
	       d->asked > d->changes / ASKED_PART + ASKED_FREE;
}

/* A new configuration, of those that are runnable now. */
static int make(struct fan_demand *d)
{
	const ssize_t n = list_runnable(d);
	const int r = n < 0 ? -ENOMEM : ask(d, (size_t)n);

	if (r < 0)
		return r;
	d->current = fan_configurations_add(&d->met, d->key, (size_t)n);
	if (!d->current)
		return -ENOMEM;
	d->is_crowded = is_too_much(d);
	d->current->is_contended = r == 1;
	for (size_t i = 0; i < (size_t)n; i++)
		d->current->shares[i] = (struct fan_allotment){ d->scratch[i].account, d->cpus[i] };
	return 0;
}

static int look_up(struct fan_demand *d)
{
	if (d->met.room == 0 && fan_configurations_reach(&d->met) < 0)
		return -ENOMEM;
	d->current = fan_configurations_find(&d->met, d->key);
	return d->current ? 0 : make(d);
}

/* What the configurations lasted becomes due. */
static void fold_configurations(struct fan_demand *d)
{
	for (size_t i = 0; i < d->met.ntouched; i++) {
		struct fan_configuration *c = &d->met.items[d->met.touched[i]];

		for (size_t k = 0; k < c->n; k++)
			credit(&d->stakes[c->shares[k].account], c->ns, c->shares[k].cpus);
		d->contended_ns += c->is_contended ? c->ns : 0;
		c->ns = 0;
	}
	d->met.ntouched = 0;
}

/* From now_ns on each tick is one configuration. */
static void begin_averaging(struct fan_demand *d, uint64_t now_ns)
{
	fold_configurations(d);
	drop_cache(d);
	d->is_averaged = true;
	d->is_crowded = false;
	d->tick = now_ns;
	for (size_t i = 0; i < d->nlisted; i++) {
		d->stakes[d->listed[i]].area = d->stakes[d->listed[i]].present = 0;
		d->stakes[d->listed[i]].counted = now_ns;
	}
}

static inline void settle_idle(struct fan_demand *d, uint64_t now_ns)
{
	const uint64_t now = now_ns < d->to ? now_ns : d->to;
	const uint64_t both = d->idle < d->waiting ? d->idle : d->waiting;

	if (now <= d->idle_since)
		return;
	d->idle_waiting_ns += both * (now - d->idle_since);
	d->idle_since = now;
}

static int find_parties(struct fan_demand *d)
{
	int r = fan_parties_review(d->parties);

	d->is_stale = false;
	d->reviews++;
	for (size_t i = 0; r == 0 && i < d->nstakes; i++)
		if (d->stakes[i].is_met)
			r = fan_stake_enter(d, (int32_t)i, fan_parties_of(d->parties, (int32_t)i));
	return r;
}

/* Up to now_ns, later than before, everything was as it is now. */
static inline int settle_later(struct fan_demand *d, uint64_t now_ns)
{
	int r = 0;

	if (d->is_stale)
		r = find_parties(d);
	if (r == 0 && !d->is_averaged && !d->current)
		r = look_up(d);
	if (r < 0)
		return r;
	if (!d->is_averaged)
		fan_configuration_lasts(&d->met, d->current, now_ns - d->since);
	d->since = now_ns;
	if (d->is_crowded)
		begin_averaging(d, now_ns);
	return 0;
}

static inline int settle(struct fan_demand *d, uint64_t now_ns)
{
	const uint64_t now = now_ns < d->to ? now_ns : d->to;

	return now > d->since ? settle_later(d, now) : 0;
}

/* Averaged: the account had as many runnable threads as now up to since. */
static void settle_area(const struct fan_demand *d, struct fan_stake *s)
{
	if (s->counted >= d->since)
		return;
	s->area += s->runnable * (d->since - s->counted);
	s->present += s->runnable ? d->since - s->counted : 0;
	s->counted = d->since;
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

		settle_area(d, s);
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

/* Averaged: the time since the last tick is one configuration of mean numbers. */
static int fold_average(struct fan_demand *d)
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

int fan_demand_fold(struct fan_demand *d, uint64_t now_ns)
{
	const int r = fan_demand_settle(d, now_ns);

	if (r < 0)
		return r;
	if (d->is_averaged)
		return fold_average(d);
	fold_configurations(d);
	return 0;
}

int fan_demand_forget(struct fan_demand *d, uint64_t now_ns)
{
	const int r = fan_demand_fold(d, now_ns);

	drop_cache(d);
	return r;
}

int fan_demand_settle(struct fan_demand *d, uint64_t now_ns)
{
	const int r = settle(d, now_ns);

	settle_idle(d, now_ns);
	return r;
}

void fan_demand_review(struct fan_demand *d)
{
	d->is_stale = true;
}

void fan_demand_rest(struct fan_demand *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nactive; i++) {
		struct fan_stake *s = &d->stakes[d->active[i]];

		s->is_active = s->party >= 0 && s->runnable > 0;
		if (s->is_active)
			d->active[n++] = d->active[i];
	}
	d->nactive = n;
}

int fan_demand_vcpu(void *ctx, uint64_t now_ns, int32_t thread)
{
	struct fan_demand *d = ctx;
	int r = fan_parties_note(d->parties, thread);

	/* who is of which party is found when time has passed; up to now the old ones hold */
	if (r > 0) {
		r = fan_demand_settle(d, now_ns);
		d->is_stale = true;
	}
	return r;
}

int fan_demand_idle(void *ctx, uint64_t now_ns, int change)
{
	struct fan_demand *d = ctx;
	const int r = d->is_stale ? settle(d, now_ns) : 0;

	if (d->idle)
		settle_idle(d, now_ns);
	else if (now_ns > d->idle_since)
		d->idle_since = now_ns < d->to ? now_ns : d->to;
	d->idle += (uint32_t)change;
	return r;
}

/* A thread of an account that nobody has met before. */
static int meet(struct fan_demand *d, int32_t account)
{
	int r = fan_stake_reach(d, account);

	if (r < 0)
		return r;
	r = fan_stake_enter(d, account, fan_parties_of(d->parties, account));
	/* there is no time before this that it could have missed */
	d->stakes[account].is_met = true;
	d->stakes[account].since_ns = 0;
	return r;
}

/* While it is not known who is of a party: rare. */
static int change_stale(struct fan_demand *d, uint64_t now_ns, struct fan_stake *s, int runnable,
			int waiting)
{
	const int r = fan_demand_settle(d, now_ns);

	if (d->is_averaged)
		settle_area(d, s);
	s->runnable += (uint32_t)runnable;
	s->waiting += (uint32_t)waiting;
	if (s->party < 0)
		return r;
	d->runnable += (uint32_t)runnable;
	d->waiting += (uint32_t)waiting;
	d->key += (uint64_t)runnable * s->key;
	d->current = NULL;
	return r < 0 ? r : fan_stake_wake(d, (int32_t)(s - d->stakes));
}

/* While no CPU idles, nothing is lost and nothing has to be kept up. */
static inline void change_waiting(struct fan_demand *d, uint64_t now_ns, struct fan_stake *s,
				  int waiting)
{
	if (d->idle)
		settle_idle(d, now_ns);
	s->waiting += (uint32_t)waiting;
	d->waiting += (uint32_t)waiting;
}

static int change_runnable(struct fan_demand *d, uint64_t now_ns, struct fan_stake *s, int runnable)
{
	const int r = settle(d, now_ns);

	if (d->is_averaged)
		settle_area(d, s);
	s->runnable += (uint32_t)runnable;
	d->runnable += (uint32_t)runnable;
	d->key += (uint64_t)runnable * s->key;
	d->current = NULL;
	d->changes++;
	return r < 0 || s->is_active ? r : fan_stake_wake(d, (int32_t)(s - d->stakes));
}

int fan_demand_runnable(void *ctx, uint64_t now_ns, int32_t account, int runnable, int waiting)
{
	struct fan_demand *d = ctx;
	struct fan_stake *s;
	int r = 0;

	if ((size_t)account >= d->nstakes || !d->stakes[account].is_met)
		r = meet(d, account);
	if (r < 0)
		return r;
	s = &d->stakes[account];
	if (d->is_stale)
		return change_stale(d, now_ns, s, runnable, waiting);
	if (s->party < 0) {
		s->runnable += (uint32_t)runnable;
		s->waiting += (uint32_t)waiting;
		return 0;
	}
	change_waiting(d, now_ns, s, waiting);
	return runnable ? change_runnable(d, now_ns, s, runnable) : fan_demand_forget(d, now_ns);
}

int fan_demand_waiting(void *ctx, uint64_t now_ns, int32_t account, int waiting)
{
	struct fan_demand *d = ctx;
	struct fan_stake *s = &d->stakes[account];

	/* a thread that runs or waits has been met before */
	if (d->is_stale)
		return change_stale(d, now_ns, s, 0, waiting);
	if (s->party >= 0)
		change_waiting(d, now_ns, s, waiting);
	else
		s->waiting += (uint32_t)waiting;
	return 0;
}
