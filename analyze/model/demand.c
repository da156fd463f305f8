// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/demand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/due.h"
#include "analyze/model/model.h"
#include "analyze/model/stakes.h"

#define ASKED_FREE 4096 /* allotments that are asked for before anybody minds */
#define ASKED_PART 32	/* and one for so many changes */

/* Kept out of what happens at each event, which is shorter without it. */
#define SELDOM __attribute__((noinline))

struct fan_demand *fan_demand_new(const struct fan_model *m, const struct fan_allocator *allocator,
				  struct fan_parties *parties)
{
	struct fan_demand *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	allocator->drop(allocator->ctx);
	d->m = m;
	d->allocator = *allocator;
	d->parties = parties;
	d->to = UINT64_MAX;
	if (fan_configurations_init(&d->met) < 0) {
		fan_demand_free(d);
		return NULL;
	}
	return d;
}

static void drop_outcomes(struct fan_demand *d)
{
	fan_configurations_drop(&d->met);
	d->outcome = NULL;
}

void fan_demand_free(struct fan_demand *d)
{
	if (!d)
		return;
	fan_configurations_free(&d->met);
	free(d->scratch);
	free(d->stand_ins);
	free(d->cpus);
	free(d->shares);
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

static bool is_too_much(const struct fan_demand *d)
{
	return fan_configurations_are_many(&d->met) ||
	       d->asked > d->changes / ASKED_PART + ASKED_FREE;
}

static int look_up(struct fan_demand *d)
{
	d->outcome = fan_configurations_find(&d->met, d->key);
	return d->outcome ? 0 : fan_due_ask(d);
}

/* From now_ns on each tick is one configuration. */
static void begin_averaging(struct fan_demand *d, uint64_t now_ns)
{
	fan_due_fold(d);
	drop_outcomes(d);
	d->is_averaged = true;
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

/* Who is of a party and does not run waits. */
static void recount_waiting(struct fan_demand *d)
{
	const struct fan_machine *machine = d->m->machine;

	d->waiting = d->runnable;
	for (size_t i = 0; i < fan_machine_cpus(machine); i++) {
		const int32_t thread = fan_machine_running(machine, i);
		const size_t account =
			thread < 0 ? d->nstakes
				   : (size_t)fan_threads_at(d->m->threads, (size_t)thread)->account;

		if (account < d->nstakes && d->stakes[account].party >= 0)
			d->waiting--;
	}
}

static int find_parties(struct fan_demand *d)
{
	int r = fan_parties_review(d->parties);

	d->troubles &= ~(unsigned int)FAN_DEMAND_STALE;
	d->reviews++;
	for (size_t i = 0; r == 0 && i < d->nstakes; i++)
		if (d->stakes[i].is_met)
			r = fan_stake_enter(d, (int32_t)i, fan_parties_of(d->parties, (int32_t)i));
	recount_waiting(d);
	return r;
}

/* Up to now_ns the outcome is known, as ever. */
static inline void last(struct fan_demand *d, uint64_t now_ns)
{
	fan_outcome_lasts(&d->met, d->outcome, now_ns - d->since);
	d->since = now_ns;
}

/* Up to now_ns everything was as it is now. */
static int settle(struct fan_demand *d, uint64_t now_ns)
{
	const uint64_t now = now_ns < d->to ? now_ns : d->to;
	int r = 0;

	if (now <= d->since)
		return 0;
	if (d->troubles & FAN_DEMAND_STALE)
		r = find_parties(d);
	if (r == 0 && d->is_averaged) {
		d->since = now;
		return 0;
	}
	if (r == 0 && !d->outcome)
		r = look_up(d);
	if (r < 0)
		return r;
	last(d, now);
	if (is_too_much(d))
		begin_averaging(d, now);
	return 0;
}

int fan_demand_fold(struct fan_demand *d, uint64_t now_ns)
{
	const int r = fan_demand_settle(d, now_ns);

	if (r < 0)
		return r;
	if (d->is_averaged)
		return fan_due_average(d);
	fan_due_fold(d);
	return 0;
}

int fan_demand_forget(struct fan_demand *d, uint64_t now_ns)
{
	const int r = fan_demand_fold(d, now_ns);

	drop_outcomes(d);
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
	d->troubles |= FAN_DEMAND_STALE;
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
		d->troubles |= FAN_DEMAND_STALE;
	}
	return r;
}

int fan_demand_idle(void *ctx, uint64_t now_ns, int change)
{
	struct fan_demand *d = ctx;
	const int r = d->troubles & FAN_DEMAND_STALE ? settle(d, now_ns) : 0;

	if (!d->idle)
		recount_waiting(d);
	settle_idle(d, now_ns);
	d->idle += (uint32_t)change;
	d->troubles &= ~(unsigned int)FAN_DEMAND_IDLE;
	d->troubles |= d->idle ? FAN_DEMAND_IDLE : 0;
	return r;
}

/* So many threads more of a party. */
static inline void count(struct fan_demand *d, struct fan_stake *s, int runnable, int waiting)
{
	s->runnable += (uint32_t)runnable;
	d->runnable += (uint32_t)runnable;
	d->waiting += (uint32_t)waiting;
	d->key += (uint64_t)runnable * s->key;
	d->outcome = fan_configurations_find(&d->met, d->key);
}

/* A thread of an account that nobody has met before: there is no time before that it missed. */
static SELDOM int change_unmet(struct fan_demand *d, uint64_t now_ns, int32_t account, int runnable,
			       int waiting)
{
	int r = fan_stake_reach(d, account);

	if (r < 0)
		return r;
	r = fan_stake_enter(d, account, fan_parties_of(d->parties, account));
	d->stakes[account].is_met = true;
	d->stakes[account].since_ns = 0;
	return r < 0 ? r : fan_demand_runnable(d, now_ns, account, runnable, waiting);
}

/* While it is not known who is of a party. */
static SELDOM int change_stale(struct fan_demand *d, uint64_t now_ns, int32_t account, int runnable,
			       int waiting)
{
	const int r = fan_demand_settle(d, now_ns);

	if (d->is_averaged)
		fan_due_settle_area(d, &d->stakes[account]);
	if (d->stakes[account].party < 0) {
		d->stakes[account].runnable += (uint32_t)runnable;
		return r;
	}
	fan_stake_wake(d, account);
	count(d, &d->stakes[account], runnable, waiting);
	return r;
}

/* Averaged: outcomes do not matter. */
static SELDOM int change_averaged(struct fan_demand *d, uint64_t now_ns, int32_t account,
				  int runnable, int waiting)
{
	struct fan_stake *s = &d->stakes[account];

	if (now_ns > d->since)
		d->since = now_ns;
	fan_due_settle_area(d, s);
	if (d->idle)
		settle_idle(d, now_ns);
	s->runnable += (uint32_t)runnable;
	d->runnable += (uint32_t)runnable;
	d->waiting += (uint32_t)waiting;
	fan_stake_wake(d, account);
	return 0;
}

/* The outcome so far is not known. */
static SELDOM int change_unknown(struct fan_demand *d, uint64_t now_ns, int32_t account,
				 int runnable, int waiting)
{
	const int r = settle(d, now_ns);

	return r < 0 ? r : fan_demand_runnable(d, now_ns, account, runnable, waiting);
}

static SELDOM int change_weight(struct fan_demand *d, uint64_t now_ns)
{
	return fan_demand_forget(d, now_ns);
}

int fan_demand_runnable(void *ctx, uint64_t now_ns, int32_t account, int runnable, int waiting)
{
	struct fan_demand *d = ctx;
	const uint64_t now = now_ns < d->to ? now_ns : d->to;
	struct fan_stake *s;

	if ((size_t)account >= d->nstakes || !d->stakes[account].is_met)
		return change_unmet(d, now, account, runnable, waiting);
	s = &d->stakes[account];
	if (d->troubles & FAN_DEMAND_STALE)
		return change_stale(d, now, account, runnable, waiting);
	if (s->party < 0) {
		s->runnable += (uint32_t)runnable;
		return 0;
	}
	if (!runnable)
		return change_weight(d, now);
	if (d->is_averaged)
		return change_averaged(d, now, account, runnable, waiting);
	fan_stake_wake(d, account);
	if (now > d->since) {
		if (!d->outcome)
			return change_unknown(d, now, account, runnable, waiting);
		last(d, now);
	}
	if (d->troubles & FAN_DEMAND_IDLE)
		settle_idle(d, now);
	count(d, s, runnable, waiting);
	d->changes++;
	return 0;
}

/* As long as no CPU idles nothing is lost, and this is not told. */
int fan_demand_waiting(void *ctx, uint64_t now_ns, int32_t account, int waiting)
{
	struct fan_demand *d = ctx;

	/* a thread that runs or waits has been met before */
	if (d->troubles & FAN_DEMAND_STALE)
		return change_stale(d, now_ns, account, 0, waiting);
	settle_idle(d, now_ns);
	d->waiting += d->stakes[account].party >= 0 ? (uint32_t)waiting : 0;
	return 0;
}
