/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Isolation once more, for the property test: everything is kept by CPU and tick, and looked at
 * instant by instant and pair by pair, in no hurry.
 */
#ifndef TESTS_UNIT_ISOLATION_NAIVE_H
#define TESTS_UNIT_ISOLATION_NAIVE_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/model/isolation.h"
#include "tests/lib/seeded.h"

enum { CPUS = 19, TIDS = 16, VMS = 3, SEQUENCES = 3000, TICKS = 400, LONG = 12, LONG_TICKS = 6000 };
enum { MIXED = 100000 };
enum { TICK_NS = 10000, IPI_TICKS = FAN_IPI_NS / TICK_NS, START = 3 };
enum kind { UNKNOWN, IDLE, KERNEL, VM, USER };
/* as struct fan_mixing has them, the worst last */
enum worst { CLEAN, TRANSITION, UNRESOLVED, VIOLATION };

/* What a CPU does in one tick. */
struct doing {
	enum kind kind;
	int32_t thread, party;
	bool is_vcpu, has_cookie, is_covered;
	uint64_t cookie;
	uint32_t run; /* number of the occupancy */
};

/* The guest's door, of one occupancy. */
struct step {
	uint64_t tick;
	uint32_t run;
	bool enters;
};

struct cpu {
	struct doing doing[START + LONG_TICKS];
	bool is_inside[START + LONG_TICKS], enters[START + LONG_TICKS];
	uint32_t run_begin[START + LONG_TICKS]; /* tick in which the run of this tick began */
	struct step steps[9 * LONG_TICKS];
	size_t nsteps;
	uint64_t covered; /* ticks told */
	uint32_t run;
	int core;
};

struct sums {
	uint64_t co_run, violation, transition, unresolved, possible;
	uint64_t pairings, reentered, nunresolved, longest, length;
	struct fan_mixed_pair pairs[VMS][VMS];
	struct fan_mixed mixed[MIXED];
	size_t nmixed;
};

struct run {
	uint64_t seed, random, now; /* ticks */
	unsigned int sequence;
	uint64_t from, to, end, tolerance;
	size_t ncores, width, ticks;
	bool has_load, is_told_late, is_known, knows_all;
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_facts *facts;
	struct fan_cores *cores;
	struct fan_parties *parties;
	struct fan_isolation *iso;
	struct fan_timeline *timeline;
	enum fan_level shown; /* in it */
	struct fan_watch watch;
	struct cpu *cpus;
	uint64_t beside;
	struct sums *sums; /* by level */
	/* of one core, by level */
	uint8_t worst[FAN_LEVELS][START + LONG_TICKS];
};

static inline void law(const struct run *r, bool holds, const char *what)
{
	if (!holds)
		fail_msg("FCAP_TEST_SEED=%" PRIu64 ", sequence %u: %s", r->seed, r->sequence, what);
}

static inline void equal(const struct run *r, uint64_t got, uint64_t want, const char *what)
{
	if (got != want)
		fail_msg("FCAP_TEST_SEED=%" PRIu64 ", sequence %u: %s is %" PRIu64 ", not %" PRIu64,
			 r->seed, r->sequence, what, got, want);
}

/* Where each run began, and whether it is in its guest, tick by tick. */
static inline void settle_cpu(struct run *r, struct cpu *c)
{
	size_t k = 0;
	bool is_inside = false;

	for (uint64_t t = START; t < r->end; t++) {
		const struct doing *d = &c->doing[t];
		const bool is_new = t == r->from || d->run != c->doing[t - 1].run;

		c->run_begin[t] = is_new ? (uint32_t)t : c->run_begin[t - 1];
		if (t < r->from)
			continue;
		if (is_new)
			is_inside = false;
		for (; k < c->nsteps && (c->steps[k].run < d->run ||
					 (c->steps[k].run == d->run && c->steps[k].tick <= t));
		     k++) {
			if (c->steps[k].run != d->run)
				continue;
			is_inside = c->steps[k].enters;
			c->enters[t] |= c->steps[k].enters && c->steps[k].tick == t;
		}
		c->is_inside[t] = is_inside;
	}
}

static inline bool is_pairing(const struct doing *a, const struct doing *b, enum fan_level level)
{
	if (!a->is_vcpu || !b->is_vcpu)
		return false;
	if (level == FAN_LEVEL_COOKIE)
		return a->has_cookie && b->has_cookie && a->cookie != b->cookie;
	return a->party != b->party;
}

static inline void add_part(struct run *r, enum fan_level level, uint64_t t0, uint64_t t1,
			    enum worst worst)
{
	for (uint64_t t = t0; t < t1; t++)
		if (worst > r->worst[level][t])
			r->worst[level][t] = (uint8_t)worst;
}

static inline uint64_t length(struct run *r, enum fan_level level, const struct cpu *a,
			      const struct cpu *b, uint64_t t0, uint64_t t1, enum worst worst)
{
	uint64_t n = 0;

	for (uint64_t t = t0; t < t1; t++) {
		if (level == FAN_LEVEL_GUEST && (!a->is_inside[t] || !b->is_inside[t]))
			continue;
		add_part(r, level, t, t + 1, worst);
		n++;
	}
	return n;
}

/* ns: of the pairing, from t0 on. */
static inline void add_mixed(struct run *r, enum fan_level level, const struct cpu *late,
			     const struct cpu *other, uint64_t t0, uint64_t ns, bool is_unresolved)
{
	struct sums *s = &r->sums[level];

	while (level == FAN_LEVEL_GUEST && (!late->is_inside[t0] || !other->is_inside[t0]))
		t0++;
	law(r, s->nmixed < MIXED, "the test has too little room");
	s->mixed[s->nmixed++] = (struct fan_mixed){
		.ts_ns = t0 * TICK_NS,
		.ns = ns * TICK_NS,
		.cpu = { (int32_t)(late - r->cpus), (int32_t)(other - r->cpus) },
		.thread = { late->doing[t0].thread, other->doing[t0].thread },
		.is_unresolved = is_unresolved,
	};
}

static inline void add_pairing(struct run *r, enum fan_level level, const struct cpu *a,
			       const struct cpu *b, uint64_t t0, uint64_t t1)
{
	const struct cpu *late = a->run_begin[t0] <= b->run_begin[t0] ? a : b;
	const int32_t p = a->doing[t0].party, q = b->doing[t0].party;
	struct sums *s = &r->sums[level];
	struct fan_mixed_pair *pair = &s->pairs[p < q ? p : q][p < q ? q : p];
	uint64_t entry = t0, before, after;
	enum worst first = TRANSITION, second = TRANSITION;

	while (entry < t1 && !late->enters[entry])
		entry++;
	if (entry == t1 && t1 - t0 > r->tolerance)
		first = UNRESOLVED;
	if (t1 - entry >= IPI_TICKS)
		second = VIOLATION;
	before = length(r, level, a, b, t0, entry, first);
	after = length(r, level, a, b, entry, t1, second);
	if (before + after == 0)
		return;
	s->pairings++;
	pair->transition_ns += (first == TRANSITION ? before : 0) +
			       (second == TRANSITION ? after : 0);
	if (first == UNRESOLVED) {
		s->nunresolved++;
		add_mixed(r, level, late, late == a ? b : a, t0, before, true);
		pair->unresolved++;
		pair->unresolved_ns += before;
	}
	if (second == VIOLATION && after) {
		s->reentered++;
		add_mixed(r, level, late, late == a ? b : a, entry, after, false);
		s->length += after;
		s->longest = after > s->longest ? after : s->longest;
		pair->violations++;
		pair->violation_ns += after;
		pair->longest_ns = after > pair->longest_ns ? after : pair->longest_ns;
	}
}

static inline void settle_pair(struct run *r, const struct cpu *a, const struct cpu *b,
			       enum fan_level level)
{
	uint64_t t0 = r->from;

	while (t0 < r->end) {
		const struct doing *p = &a->doing[t0], *q = &b->doing[t0];
		uint64_t t1 = t0 + 1;

		if (!is_pairing(p, q, level)) {
			t0++;
			continue;
		}
		while (t1 < r->end && is_pairing(&a->doing[t1], &b->doing[t1], level) &&
		       a->doing[t1].run == p->run && b->doing[t1].run == q->run &&
		       a->doing[t1].party == p->party && b->doing[t1].party == q->party)
			t1++;
		add_pairing(r, level, a, b, t0, t1);
		t0 = t1;
	}
}

static inline enum fan_core_class class_at(const struct run *r, int core, uint64_t t,
					   int32_t *party)
{
	bool has[USER + 1] = { false }, is_mixed = false;

	*party = -1;
	for (int32_t c = 0; c < CPUS; c++) {
		const struct doing *d = &r->cpus[c].doing[t];

		if (r->cpus[c].core != core)
			continue;
		has[d->kind] = true;
		is_mixed |= d->kind == VM && *party >= 0 && d->party != *party;
		*party = d->kind == VM ? d->party : *party;
	}
	if (has[UNKNOWN])
		return FAN_CORE_UNKNOWN;
	if (is_mixed)
		return FAN_CORE_MIXED;
	if (has[VM])
		return has[USER] ? FAN_CORE_BESIDE : FAN_CORE_VM;
	if (has[USER])
		return FAN_CORE_OTHER;
	return has[KERNEL] ? FAN_CORE_KERNEL : FAN_CORE_IDLE;
}

static inline void check_core_time(struct run *r, int core)
{
	const struct fan_core_time *got = fan_isolation_core(r->iso, (size_t)core);
	uint64_t ns[FAN_CORE_CLASSES] = { 0 }, party_ns[VMS] = { 0 };
	int32_t party;

	for (uint64_t t = r->from; t < r->end; t++) {
		const enum fan_core_class class = class_at(r, core, t, &party);

		ns[class] += TICK_NS;
		if (class == FAN_CORE_VM)
			party_ns[party] += TICK_NS;
	}
	for (size_t i = 0; i < FAN_CORE_CLASSES; i++)
		equal(r, got->ns[i], ns[i], "the time of a class");
	for (size_t i = 0; i < VMS; i++)
		equal(r, i < got->nparties ? got->party_ns[i] : 0, party_ns[i],
		      "the time of a party");
}

/* What the core as a whole did at each instant. */
static inline void settle_ticks(struct run *r, int core, enum fan_level level)
{
	struct sums *s = &r->sums[level];

	for (uint64_t t = r->from; t < r->end; t++) {
		unsigned int members = 0, vcpus = 0, unknown = 0;

		for (int32_t k = 0; k < CPUS; k++) {
			const struct doing *d = &r->cpus[k].doing[t];

			if (r->cpus[k].core != core)
				continue;
			unknown += d->kind == UNKNOWN;
			vcpus += d->is_vcpu;
			members += d->is_vcpu && (level != FAN_LEVEL_COOKIE || d->has_cookie) &&
				   (level != FAN_LEVEL_GUEST || r->cpus[k].is_inside[t]);
		}
		s->co_run += members > 1;
		s->violation += r->worst[level][t] == VIOLATION;
		s->transition += r->worst[level][t] == TRANSITION;
		s->unresolved += r->worst[level][t] == UNRESOLVED;
		s->possible += vcpus && unknown && r->worst[level][t] < UNRESOLVED;
	}
}

static inline void check_pairs(const struct run *r, enum fan_level level)
{
	const struct fan_mixed_pair *got;
	const size_t n = fan_isolation_pairs(r->iso, level, &got);
	uint64_t met = 0;

	for (size_t i = 0; i < VMS; i++)
		for (size_t k = 0; k < VMS; k++)
			met += r->sums[level].pairs[i][k].transition_ns +
				       r->sums[level].pairs[i][k].unresolved_ns +
				       r->sums[level].pairs[i][k].violation_ns >
			       0;
	equal(r, n, met, "the number of pairs");
	for (size_t i = 0; i < n; i++) {
		const struct fan_mixed_pair *want = &r->sums[level].pairs[got[i].a][got[i].b];

		equal(r, got[i].violation_ns, want->violation_ns * TICK_NS, "violation of a pair");
		equal(r, got[i].transition_ns, want->transition_ns * TICK_NS,
		      "transition of a pair");
		equal(r, got[i].unresolved_ns, want->unresolved_ns * TICK_NS,
		      "unresolved of a pair");
		equal(r, got[i].violations, want->violations, "violations of a pair");
		equal(r, got[i].unresolved, want->unresolved, "unresolved pairings of a pair");
		equal(r, got[i].longest_ns, want->longest_ns * TICK_NS, "longest of a pair");
	}
}

static inline int by_time(const void *a, const void *b)
{
	const struct fan_mixed *p = a, *q = b;

	if (p->ts_ns != q->ts_ns)
		return p->ts_ns < q->ts_ns ? -1 : 1;
	return p->cpu[0] != q->cpu[0] ? p->cpu[0] - q->cpu[0] : p->cpu[1] - q->cpu[1];
}

static inline void check_first(const struct run *r, enum fan_level level)
{
	struct sums *s = &r->sums[level];
	const struct fan_mixed *got;
	const size_t n = fan_isolation_first(r->iso, level, &got);

	qsort(s->mixed, s->nmixed, sizeof(*s->mixed), by_time);
	equal(r, n, s->nmixed < FAN_FIRST_MIXED ? s->nmixed : FAN_FIRST_MIXED,
	      "the number of the first ones");
	for (size_t i = 0; i < n; i++) {
		const struct fan_mixed *want = &s->mixed[i];

		equal(r, got[i].ts_ns, want->ts_ns, "the time of one of the first");
		equal(r, got[i].ns, want->ns, "the length of one of the first");
		law(r, got[i].is_unresolved == want->is_unresolved, "one is of the wrong kind");
		law(r, memcmp(got[i].cpu, want->cpu, sizeof(want->cpu)) == 0,
		    "one is of other CPUs");
		law(r, memcmp(got[i].thread, want->thread, sizeof(want->thread)) == 0,
		    "one is of other threads");
	}
}

static inline void check_level(const struct run *r, enum fan_level level)
{
	const struct fan_mixing *got = fan_isolation_level(r->iso, level);
	const struct sums *s = &r->sums[level];
	equal(r, got->co_run_ns, s->co_run * TICK_NS, "co-run");
	equal(r, got->violation_ns, s->violation * TICK_NS, "violation");
	equal(r, got->transition_ns, s->transition * TICK_NS, "transition");
	equal(r, got->unresolved_ns, s->unresolved * TICK_NS, "unresolved");
	equal(r, got->possible_ns, s->possible * TICK_NS, "possible");
	equal(r, got->pairings, s->pairings, "number of pairings");
	equal(r, got->reentered, s->reentered, "number of violations");
	equal(r, got->unresolved, s->nunresolved, "number of unresolved pairings");
	equal(r, got->longest_ns, s->longest * TICK_NS, "the longest violation");
	equal(r, got->violations.n, s->reentered, "the histogram's number");
	equal(r, got->violations.sum, s->length * TICK_NS, "the histogram's sum");
	check_first(r, level);
	check_pairs(r, level);
}

/* Of a tick, what lies in bin number i. */
static inline uint64_t part_of_tick(const struct run *r, uint64_t t, size_t i)
{
	const uint64_t width = fan_timeline_bin_ns(r->timeline);
	const uint64_t begin = r->from * TICK_NS + i * width, end = begin + width;
	const uint64_t t0 = t * TICK_NS, t1 = t0 + TICK_NS;
	const uint64_t from = t0 > begin ? t0 : begin, to = t1 < end ? t1 : end;

	return from < to ? to - from : 0;
}

/* Each bin of the timeline holds what the ticks in it were. */
static inline void check_timeline(const struct run *r, int core)
{
	static const enum worst least[FAN_TIMELINE_ROWS] = { VIOLATION, UNRESOLVED };
	static uint64_t want[FAN_TIMELINE_BINS];

	for (int row = 0; row < FAN_TIMELINE_ROWS; row++) {
		const uint64_t *got = fan_timeline_shared(r->timeline, (size_t)core,
							  (enum fan_timeline_row)row);

		memset(want, 0, sizeof(want));
		for (uint64_t t = r->from; t < r->end; t++) {
			const uint64_t ns = (t - r->from) * TICK_NS;
			size_t i = (size_t)(ns / fan_timeline_bin_ns(r->timeline));

			for (uint64_t part; r->worst[r->shown][t] >= least[row] &&
					    (part = part_of_tick(r, t, i)) > 0;
			     i++)
				want[i] += part;
		}
		for (size_t i = 0; i < FAN_TIMELINE_BINS; i++)
			equal(r, got ? got[i] : 0, want[i], "a bin of the timeline");
	}
}

static inline void check_core(struct run *r, int core)
{
	for (int level = 0; level < FAN_LEVELS; level++) {
		memset(r->worst[level], CLEAN, START + r->ticks);
		for (int a = 0; a < CPUS; a++)
			for (int b = a + 1; r->cpus[a].core == core && b < CPUS; b++)
				if (r->cpus[b].core == core)
					settle_pair(r, &r->cpus[a], &r->cpus[b],
						    (enum fan_level)level);
		settle_ticks(r, core, (enum fan_level)level);
	}
	check_core_time(r, core);
	check_timeline(r, core);
}

static inline void check(struct run *r)
{
	for (size_t k = 0; k < CPUS; k++)
		settle_cpu(r, &r->cpus[k]);
	for (int core = 0; core < (int)r->ncores; core++)
		check_core(r, core);
	for (int level = 0; level < FAN_LEVELS; level++)
		check_level(r, (enum fan_level)level);
	if (!r->is_told_late)
		equal(r, fan_isolation_idle_beside_ns(r->iso), r->beside * TICK_NS, "idle beside");
}

#endif
