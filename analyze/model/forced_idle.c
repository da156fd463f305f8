// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Forced idle as it happens: of each core is kept what an instant of its present costs whom; when
 * something changes, the time since the last change is booked by that, and all is looked at anew.
 */
#include "analyze/model/forced_idle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/cgroup_path.h"
#include "analyze/model/room.h"

#define LOG_ROOM 256 /* bookings of a core that can be taken back: 8 KiB */

/* What an instant costs: a party; or none, of whom suffered has the CPUs of all parties. */
struct rate {
	int32_t party;		   /* -1: none */
	int32_t cpu;		   /* the last one whose queue its threads are in */
	uint32_t caused, suffered; /* CPUs; caused in 1/FAN_FORCED_PARTS */
};

struct booking {
	uint64_t t0_ns, t1_ns;
	int32_t party;
	uint32_t caused, suffered;
	uint32_t cpus; /* in the first booking of a stretch: see forced */
};

struct core_now {
	uint64_t since_ns;  /* it is as it is now since then; of no use where nothing is forced */
	struct rate *rates; /* n is 0 where nothing is forced */
	size_t nrates, room;
	uint32_t forced; /* CPUs, as bits, in the order of the core; of the first 32 */
	bool is_guess;	 /* by cookies that are not known */
	struct booking *log;
	size_t nlog;
	uint64_t caused; /* so far, by all */
};

struct tally {
	struct fan_forced_party sum;
	uint64_t sampled_from; /* caused when its counter was told first; UINT64_MAX: not told */
	uint64_t look;	       /* number of the last one that came upon it, */
	size_t place;	       /* and its place among the rates of that core */
};

struct fan_forced_idle {
	const struct fan_machine *machine;
	const struct fan_facts *facts;
	const struct fan_cores *cores_told;
	const struct fan_threads *threads;
	const struct fan_parties *parties;
	struct core_now *cores; /* as numbered in the cores */
	size_t ncores;
	struct tally *tallies; /* by party, after that of none */
	size_t ntallies, tallies_room;
	uint64_t look;	  /* number of the present one, from 1 on */
	bool *has_waited; /* by cgroup: one of its threads waited for an idle CPU */
	size_t ncgroups;
	uint64_t from_ns, to_ns;
	struct fan_timeline *timeline; /* NULL: nobody asks */
	bool is_bound;
	int error;
};

struct fan_forced_idle *fan_forced_idle_new(const struct fan_machine *machine,
					    const struct fan_threads *threads,
					    const struct fan_facts *facts,
					    const struct fan_cores *cores,
					    const struct fan_parties *parties)
{
	struct fan_forced_idle *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->machine = machine;
	f->facts = facts;
	f->cores_told = cores;
	f->threads = threads;
	f->parties = parties;
	f->to_ns = UINT64_MAX;
	return f;
}

void fan_forced_idle_free(struct fan_forced_idle *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->ncores; i++) {
		free(f->cores[i].rates);
		free(f->cores[i].log);
	}
	free(f->cores);
	free(f->tallies);
	free(f->has_waited);
	free(f);
}

void fan_forced_idle_clip(struct fan_forced_idle *f, uint64_t from_ns, uint64_t to_ns)
{
	f->from_ns = from_ns;
	f->to_ns = to_ns;
}

void fan_forced_idle_show(struct fan_forced_idle *f, struct fan_timeline *t)
{
	f->timeline = t;
}

/* A tally for each of the parties so far, and for that of none, -1. 0 or -ENOMEM. */
static inline int reach_tallies(struct fan_forced_idle *f)
{
	const size_t n = fan_parties_count(f->parties) + 1;
	void *items = f->tallies;

	if (n <= f->ntallies)
		return 0;
	if (fan_reserve(&items, f->ntallies, n - f->ntallies, &f->tallies_room,
			sizeof(*f->tallies)) < 0)
		return -ENOMEM;
	f->tallies = items;
	while (f->ntallies < n)
		f->tallies[f->ntallies++] = (struct tally){ .sampled_from = UINT64_MAX };
	return 0;
}

/* Room for a rate of each. 0 or -ENOMEM. */
static int reach_rates(const struct fan_forced_idle *f, struct core_now *c)
{
	void *items = c->rates;

	if (fan_reserve(&items, 0, f->ntallies, &c->room, sizeof(*c->rates)) < 0)
		return -ENOMEM;
	c->rates = items;
	return 0;
}

/* The rate of a party at the core that is looked at. */
static inline struct rate *rate_of(struct fan_forced_idle *f, struct core_now *c, int32_t party)
{
	struct tally *t = &f->tallies[party + 1];

	if (t->look != f->look) {
		t->look = f->look;
		t->place = c->nrates;
		c->rates[c->nrates++] = (struct rate){ .party = party, .cpu = -1 };
	}
	return &c->rates[t->place];
}

static int32_t party_of(const struct fan_forced_idle *f, int32_t thread)
{
	return fan_parties_of(f->parties, fan_threads_at(f->threads, (size_t)thread)->account);
}

/* Whether it was throttled meanwhile is known only at the end. */
static void note_cgroup(struct fan_forced_idle *f, int32_t account)
{
	const int32_t cgroup = fan_accounts_at(f->threads, (size_t)account)->place.cgroup;
	bool *grown;

	if (cgroup < 0)
		return;
	if ((size_t)cgroup >= f->ncgroups) {
		const size_t n = (size_t)cgroup + 16;

		grown = reallocarray(f->has_waited, n, sizeof(*grown));
		if (!grown) {
			f->error = -ENOMEM;
			return;
		}
		memset(grown + f->ncgroups, 0, (n - f->ncgroups) * sizeof(*grown));
		f->has_waited = grown;
		f->ncgroups = n;
	}
	f->has_waited[cgroup] = true;
}

/* Who is kept waiting by this CPU, which is forced to idle: each party once. */
static void look_at_queue(struct fan_forced_idle *f, struct core_now *c, int32_t cpu)
{
	struct fan_waiters queue = fan_machine_waiters(f->machine, cpu);
	const struct fan_thread *th;
	bool is_any = false;
	struct rate *rate;

	while ((th = fan_waiters_next(&queue))) {
		const int32_t party = fan_parties_of(f->parties, th->account);

		note_cgroup(f, th->account);
		rate = party < 0 ? NULL : rate_of(f, c, party);
		if (!rate || rate->cpu == cpu)
			continue;
		rate->cpu = cpu;
		rate->suffered++;
		is_any = true;
	}
	if (is_any)
		rate_of(f, c, -1)->suffered++;
}

/* So many CPUs are forced to idle by those that run, in equal parts. */
static void look_at_causes(struct fan_forced_idle *f, struct core_now *c,
			   const struct fan_core_now *now, uint32_t forced)
{
	uint32_t left = FAN_FORCED_PARTS, running = (uint32_t)now->core->seen->running;

	for (size_t i = 0; i < now->core->n; i++) {
		const int32_t thread = now->core->seen->siblings[i].thread;

		if (thread < 0)
			continue;
		rate_of(f, c, party_of(f, thread))->caused += forced * (left / running);
		left -= left / running--;
	}
}

/* Some of its CPUs are held idle. */
static void look(struct fan_forced_idle *f, struct core_now *c, const struct fan_core_now *now)
{
	const struct fan_core *core = now->core;
	uint32_t forced = 0;

	f->look++;
	c->forced = 0;
	c->is_guess = false;
	for (size_t i = 0; i < core->n; i++) {
		const struct fan_sibling *s = &core->seen->siblings[i];

		if (s->why == FAN_HELD_IDLE)
			continue;
		c->is_guess |= s->why == FAN_HELD_MAYBE;
		forced++;
		c->forced |= i < 32 ? 1U << i : 0;
		look_at_queue(f, c, core->cpus[i]);
	}
	look_at_causes(f, c, now, forced);
}

/* Room in the log for one more stretch of its present; false: it is too large for that. */
static bool reserve_log(struct core_now *c)
{
	size_t past = c->nlog / 2;

	if (c->nlog + c->nrates <= LOG_ROOM)
		return true;
	/* the bookings of one stretch go together */
	while (past > 0 && past < c->nlog && c->log[past].t0_ns == c->log[past - 1].t0_ns)
		past++;
	c->nlog -= past;
	memmove(c->log, c->log + past, c->nlog * sizeof(*c->log));
	if (c->nlog + c->nrates > LOG_ROOM)
		c->nlog = 0;
	return c->nrates <= LOG_ROOM;
}

static void add(struct fan_forced_idle *f, struct core_now *c, const struct booking *b)
{
	struct fan_forced_party *sum = &f->tallies[b->party + 1].sum;

	sum->caused += (b->t1_ns - b->t0_ns) * b->caused;
	sum->suffered_ns += (b->t1_ns - b->t0_ns) * b->suffered;
	c->caused += (b->t1_ns - b->t0_ns) * b->caused;
}

/* The CPUs of a booking were forced to idle from t0 on, or turn out not to have been. */
static void show(struct fan_forced_idle *f, const struct core_now *c, const struct booking *b,
		 uint64_t t0_ns, bool were_forced)
{
	const int32_t *cpus = f->cores_told->cores[c - f->cores].cpus;

	for (unsigned int i = 0; f->timeline && b->cpus >> i; i++) {
		if (!(b->cpus >> i & 1))
			continue;
		if (!were_forced)
			fan_timeline_unforce(f->timeline, cpus[i], t0_ns, b->t1_ns);
		else if (fan_timeline_force(f->timeline, cpus[i], t0_ns, b->t1_ns) < 0)
			f->error = -ENOMEM;
	}
}

/* The part of its present up to now that is analysed; false: none. */
static bool clip_present(const struct fan_forced_idle *f, const struct core_now *c, uint64_t now_ns,
			 struct booking *ret)
{
	ret->t0_ns = c->since_ns > f->from_ns ? c->since_ns : f->from_ns;
	ret->t1_ns = now_ns < f->to_ns ? now_ns : f->to_ns;
	return c->nrates && ret->t0_ns < ret->t1_ns;
}

/* Its present has lasted until now. */
static void book(struct fan_forced_idle *f, struct core_now *c, uint64_t now_ns)
{
	struct booking b;
	const bool is_any = clip_present(f, c, now_ns, &b);
	bool is_kept;

	c->since_ns = now_ns;
	if (!is_any)
		return;
	if (!c->log)
		c->log = calloc(LOG_ROOM, sizeof(*c->log));
	if (!c->log) {
		f->error = -ENOMEM;
		return;
	}
	f->is_bound |= c->is_guess;
	is_kept = reserve_log(c);
	for (size_t i = 0; i < c->nrates; i++) {
		b.party = c->rates[i].party;
		b.caused = c->rates[i].caused;
		b.suffered = c->rates[i].suffered;
		b.cpus = i == 0 ? c->forced : 0;
		add(f, c, &b);
		show(f, c, &b, b.t0_ns, true);
		if (is_kept)
			c->log[c->nlog++] = b;
	}
}

/* What was booked from then on was not so. */
static void take_back(struct fan_forced_idle *f, struct core_now *c, uint64_t from_ns)
{
	for (size_t i = c->nlog; i-- > 0 && c->log[i].t1_ns > from_ns;) {
		struct booking *b = &c->log[i];
		const uint64_t t0 = b->t0_ns > from_ns ? b->t0_ns : from_ns;
		struct fan_forced_party *sum = &f->tallies[b->party + 1].sum;

		sum->caused -= (b->t1_ns - t0) * b->caused;
		sum->suffered_ns -= (b->t1_ns - t0) * b->suffered;
		c->caused -= (b->t1_ns - t0) * b->caused;
		show(f, c, b, t0, false);
		if (t0 == b->t0_ns)
			c->nlog = i;
		else
			b->t1_ns = t0;
	}
}

/* Cores of all numbers so far. 0 or -ENOMEM. */
static int grow_cores(struct fan_forced_idle *f)
{
	const size_t n = f->cores_told->n;
	struct core_now *grown = reallocarray(f->cores, n, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	memset(grown + f->ncores, 0, (n - f->ncores) * sizeof(*grown));
	f->cores = grown;
	f->ncores = n;
	return 0;
}

void fan_forced_idle_see_cpu(struct fan_forced_idle *f, const struct fan_core_now *now)
{
	const size_t number = (size_t)(now->core - f->cores_told->cores);
	struct core_now *c;

	if (number >= f->ncores && grow_cores(f) < 0) {
		f->error = -ENOMEM;
		return;
	}
	c = &f->cores[number];
	if (c->nrates)
		book(f, c, fan_machine_end(f->machine));
	/* it is just found out that nobody knows what this CPU did */
	if (now->thread == FAN_CPU_UNKNOWN && !now->was_unknown)
		take_back(f, c, fan_machine_occupant(f->machine, now->cpu).since_ns);
	c->nrates = 0;
	if (!now->core->seen->held)
		return;
	if (reach_tallies(f) < 0 || reach_rates(f, c) < 0) {
		f->error = -ENOMEM;
		return;
	}
	c->since_ns = fan_machine_end(f->machine);
	look(f, c, now);
}

void fan_forced_idle_sample(struct fan_forced_idle *f, int32_t thread, uint64_t now_ns)
{
	const int32_t party = party_of(f, thread);
	struct tally *t;
	struct booking b;
	uint64_t caused;

	if (party < 0)
		return;
	if (reach_tallies(f) < 0) {
		f->error = -ENOMEM;
		return;
	}
	t = &f->tallies[party + 1];
	caused = t->sum.caused;
	for (size_t k = 0; k < f->ncores; k++) {
		const struct core_now *c = &f->cores[k];

		if (!clip_present(f, c, now_ns, &b))
			continue;
		for (size_t i = 0; i < c->nrates; i++)
			if (c->rates[i].party == party)
				caused += (b.t1_ns - b.t0_ns) * c->rates[i].caused;
	}
	if (t->sampled_from == UINT64_MAX)
		t->sampled_from = caused;
	t->sum.sampled = caused > t->sampled_from ? caused - t->sampled_from : 0;
}

/* Was a cgroup throttled of which threads waited for idle CPUs, or one above it? */
static bool may_be_throttled(const struct fan_forced_idle *f)
{
	const struct fan_facts *facts = f->facts;

	for (size_t top = 0; top < facts->ncgroups; top++) {
		const struct fan_cgroup *c = &facts->cgroups[top];

		if (c->throttled_first_ns < 0 || c->throttled_ns <= c->throttled_first_ns)
			continue;
		for (size_t i = 0; i < f->ncgroups && i < facts->ncgroups; i++)
			if (f->has_waited[i] &&
			    fan_cgroup_is_below(facts->cgroups[i].path, c->path))
				return true;
	}
	return false;
}

int fan_forced_idle_finish(struct fan_forced_idle *f, uint64_t end_ns)
{
	for (size_t i = 0; i < f->ncores; i++)
		book(f, &f->cores[i], end_ns);
	f->is_bound |= fan_forced_idle_ns(f) > 0 && may_be_throttled(f);
	return f->error;
}

uint64_t fan_forced_idle_core_ns(const struct fan_forced_idle *f, size_t core)
{
	return core < f->ncores ? f->cores[core].caused / FAN_FORCED_PARTS : 0;
}

uint64_t fan_forced_idle_ns(const struct fan_forced_idle *f)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < f->ncores; i++)
		sum += fan_forced_idle_core_ns(f, i);
	return sum;
}

struct fan_forced_party fan_forced_idle_party(const struct fan_forced_idle *f, int32_t party)
{
	return (size_t)party + 1 < f->ntallies ? f->tallies[party + 1].sum
					       : (struct fan_forced_party){ 0 };
}

uint64_t fan_forced_idle_caused_by_none(const struct fan_forced_idle *f)
{
	return fan_forced_idle_party(f, -1).caused;
}

uint64_t fan_forced_idle_suffered_ns(const struct fan_forced_idle *f)
{
	return fan_forced_idle_party(f, -1).suffered_ns;
}

bool fan_forced_idle_is_bound(const struct fan_forced_idle *f)
{
	return f->is_bound;
}
