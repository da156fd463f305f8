// SPDX-License-Identifier: GPL-3.0-or-later
/* Pairings of the siblings of a core: from their begin to what has come of them. */
#include <errno.h>

#include "analyze/model/isolation_parts.h"

/* The number of the pair of two siblings. */
static inline unsigned int pair_of(unsigned int a, unsigned int b)
{
	return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b;
}

static bool may_share(const struct fan_iso_span *a, const struct fan_iso_span *b,
		      enum fan_level level)
{
	if (!a->is_vcpu || !b->is_vcpu)
		return true;
	if (level == FAN_LEVEL_COOKIE)
		return !a->has_cookie || !b->has_cookie || a->cookie == b->cookie;
	return a->party == b->party;
}

static enum fan_worst_class class_of(const struct fan_iso_pairing *p, uint64_t now_ns,
				     uint64_t tolerance_ns)
{
	if (p->has_entered)
		return now_ns - p->entered_ns >= FAN_IPI_NS ? FAN_WORST_VIOLATION
							    : FAN_WORST_TRANSITION;
	return now_ns - p->begin_ns > tolerance_ns ? FAN_WORST_UNRESOLVED : FAN_WORST_TRANSITION;
}

/* Time before and after the entry, and when either began. */
static struct fan_iso_outcome outcome_of(enum fan_worst_class class, const uint64_t ns[2],
					 const uint64_t from_ns[2])
{
	struct fan_iso_outcome o = { .transition_ns = ns[0] + ns[1] };

	if (class == FAN_WORST_VIOLATION)
		o = (struct fan_iso_outcome){ ns[1], ns[0], 0, from_ns[1] };
	else if (class == FAN_WORST_UNRESOLVED)
		o = (struct fan_iso_outcome){ 0, 0, ns[0], from_ns[0] };
	return o;
}

/* The guests of a pair are no longer both inside; or they are in another part of the pairing. */
static void book_guests(struct fan_iso_pair *pair, uint64_t now_ns)
{
	const bool part = pair->pairings[FAN_LEVEL_VM].has_entered;

	if (pair->are_inside)
		pair->guest_ns[part] += now_ns - pair->inside_ns;
	pair->are_inside = false;
}

static void follow_guests(const struct fan_isolation *iso, struct fan_iso_core *core,
			  unsigned int k, uint64_t now_ns)
{
	struct fan_iso_pair *pair = &core->pairs[k];
	const struct fan_iso_pairing *p = &pair->pairings[FAN_LEVEL_VM];
	const bool are_inside = p->is_open &&
				fan_iso_sibling(iso, core, pair->sibling[0])->in_guest &&
				fan_iso_sibling(iso, core, pair->sibling[1])->in_guest;

	if (are_inside == pair->are_inside)
		return;
	book_guests(pair, now_ns);
	core->active[FAN_LEVEL_GUEST] &= ~(1ULL << k);
	if (!are_inside)
		return;
	core->active[FAN_LEVEL_GUEST] |= 1ULL << k;
	pair->are_inside = true;
	pair->inside_ns = now_ns;
	if (pair->guest_ns[p->has_entered] == 0)
		pair->guest_first[p->has_entered] = now_ns;
}

/* What of the pairing counts at the level of guests. */
static int end_guests(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int k,
		      enum fan_worst_class class, uint64_t now_ns)
{
	struct fan_iso_pair *pair = &core->pairs[k];
	const int32_t cpu[2] = { core->cpus[pair->sibling[0]], core->cpus[pair->sibling[1]] };
	struct fan_iso_outcome o;
	int r;

	book_guests(pair, now_ns);
	core->active[FAN_LEVEL_GUEST] &= ~(1ULL << k);
	r = fan_worst_decide(&core->worst[FAN_LEVEL_GUEST], now_ns, k, class);
	if (r < 0 || pair->guest_ns[0] + pair->guest_ns[1] == 0)
		return r;
	o = outcome_of(class, pair->guest_ns, pair->guest_first);
	return fan_iso_sum(&iso->sums[FAN_LEVEL_GUEST], &pair->pairings[FAN_LEVEL_VM], cpu, &o);
}

static int end_pairing(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int k,
		       enum fan_level level, uint64_t now_ns)
{
	struct fan_iso_pair *pair = &core->pairs[k];
	struct fan_iso_pairing *p = &pair->pairings[level];
	const enum fan_worst_class class = class_of(p, now_ns, iso->tolerance_ns);
	const int32_t cpu[2] = { core->cpus[pair->sibling[0]], core->cpus[pair->sibling[1]] };
	const uint64_t middle = p->has_entered ? p->entered_ns : now_ns;
	const uint64_t ns[2] = { middle - p->begin_ns, now_ns - middle };
	const uint64_t from[2] = { p->begin_ns, middle };
	const struct fan_iso_outcome o = outcome_of(class, ns, from);
	int r = 0;

	p->is_open = false;
	core->active[level] &= ~(1ULL << k);
	if (level == FAN_LEVEL_VM)
		r = end_guests(iso, core, k, class, now_ns);
	if (r == 0)
		r = fan_worst_decide(&core->worst[level], now_ns, k, class);
	if (r == 0)
		r = fan_iso_note_end(iso, core, p, level, class, now_ns);
	return r == 0 && now_ns > p->begin_ns ? fan_iso_sum(&iso->sums[level], p, cpu, &o) : r;
}

static void begin_pairing(const struct fan_isolation *iso, struct fan_iso_core *core,
			  unsigned int k, enum fan_level level, uint64_t now_ns)
{
	struct fan_iso_pair *pair = &core->pairs[k];
	const struct fan_iso_cpu *a = fan_iso_sibling(iso, core, pair->sibling[0]);
	const struct fan_iso_cpu *b = fan_iso_sibling(iso, core, pair->sibling[1]);

	pair->pairings[level] = (struct fan_iso_pairing){
		.is_open = true,
		.begin_ns = now_ns,
		.late = b->begin_ns < a->begin_ns,
		.party = { a->cur.party, b->cur.party },
		.thread = { a->cur.thread, b->cur.thread },
	};
	core->active[level] |= 1ULL << k;
	fan_iso_note_begin(iso, core, &pair->pairings[level], level);
	if (level != FAN_LEVEL_VM)
		return;
	pair->guest_ns[0] = pair->guest_ns[1] = 0;
	follow_guests(iso, core, k, now_ns);
}

/* has_switched: one of them runs another thread than before. */
static int review_pairing(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int k,
			  enum fan_level level, bool has_switched, uint64_t now_ns)
{
	const struct fan_iso_pair *pair = &core->pairs[k];
	const struct fan_iso_pairing *p = &pair->pairings[level];
	const struct fan_iso_span *a = &fan_iso_sibling(iso, core, pair->sibling[0])->cur;
	const struct fan_iso_span *b = &fan_iso_sibling(iso, core, pair->sibling[1])->cur;
	const bool is_pairing = !may_share(a, b, level);
	int r = 0;

	if (p->is_open &&
	    (!is_pairing || has_switched || p->party[0] != a->party || p->party[1] != b->party))
		r = end_pairing(iso, core, k, level, now_ns);
	if (r == 0 && is_pairing && !p->is_open)
		begin_pairing(iso, core, k, level, now_ns);
	return r;
}

int fan_iso_switch_pairs(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int sibling,
			 uint64_t now_ns)
{
	const bool has_switched = !fan_iso_sibling(iso, core, sibling)->cur.goes_on;
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		if (i == sibling)
			continue;
		r = review_pairing(iso, core, pair_of(i, sibling), FAN_LEVEL_VM, has_switched,
				   now_ns);
		if (r == 0)
			r = review_pairing(iso, core, pair_of(i, sibling), FAN_LEVEL_COOKIE,
					   has_switched, now_ns);
	}
	return r;
}

/* The first entry of the late one decides what was before it. */
static int enter_pairing(const struct fan_isolation *iso, struct fan_iso_core *core, unsigned int k,
			 enum fan_level level, unsigned int sibling, uint64_t now_ns)
{
	struct fan_iso_pair *pair = &core->pairs[k];
	struct fan_iso_pairing *p = &pair->pairings[level];
	int r = 0;

	if (!p->is_open || p->has_entered || pair->sibling[p->late] != sibling)
		return 0;
	if (level == FAN_LEVEL_VM) {
		book_guests(pair, now_ns);
		r = fan_worst_decide(&core->worst[FAN_LEVEL_GUEST], now_ns, k,
				     FAN_WORST_TRANSITION);
	}
	p->has_entered = true;
	p->entered_ns = now_ns;
	fan_iso_note_entry(iso, core, p, level);
	return r == 0 ? fan_worst_decide(&core->worst[level], now_ns, k, FAN_WORST_TRANSITION) : r;
}

int fan_iso_enter_pairs(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int sibling,
			uint64_t now_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		if (i == sibling)
			continue;
		r = enter_pairing(iso, core, pair_of(i, sibling), FAN_LEVEL_VM, sibling, now_ns);
		if (r == 0)
			r = enter_pairing(iso, core, pair_of(i, sibling), FAN_LEVEL_COOKIE, sibling,
					  now_ns);
	}
	fan_iso_follow_guests(iso, core, sibling, now_ns);
	return r;
}

void fan_iso_follow_guests(const struct fan_isolation *iso, struct fan_iso_core *core,
			   unsigned int sibling, uint64_t now_ns)
{
	for (unsigned int i = 0; i < core->n; i++)
		if (i != sibling)
			follow_guests(iso, core, pair_of(i, sibling), now_ns);
}

int fan_iso_end_pairs(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t now_ns)
{
	int r = 0;

	for (unsigned int k = 0; k < core->npairs; k++) {
		if (r == 0 && core->pairs[k].pairings[FAN_LEVEL_VM].is_open)
			r = end_pairing(iso, core, k, FAN_LEVEL_VM, now_ns);
		if (r == 0 && core->pairs[k].pairings[FAN_LEVEL_COOKIE].is_open)
			r = end_pairing(iso, core, k, FAN_LEVEL_COOKIE, now_ns);
	}
	return r;
}
