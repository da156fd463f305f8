// SPDX-License-Identifier: GPL-3.0-or-later
/* Pairings of the siblings of a core: from their begin to what has come of them. */
#include <errno.h>

#include "analyze/model/isolation_parts.h"

/* May two siblings that run these not share a core? */
static inline bool are_apart(const struct fan_iso_span *a, const struct fan_iso_span *b,
			     enum fan_level level)
{
	const unsigned int both = a->traits & b->traits;

	if (level == FAN_LEVEL_COOKIE)
		return both & FAN_ISO_COOKIE && a->cookie != b->cookie;
	return both & FAN_ISO_VCPU && a->party != b->party;
}

static enum fan_worst_class class_of(const struct fan_iso_pairing *p, uint64_t now_ns,
				     uint64_t tolerance_ns)
{
	if (p->has_entered)
		return now_ns - p->entered_ns >= FAN_IPI_NS ? FAN_WORST_VIOLATION
							    : FAN_WORST_TRANSITION;
	return now_ns - p->begin_ns > tolerance_ns ? FAN_WORST_UNRESOLVED : FAN_WORST_TRANSITION;
}

/* ns, from_ns: the time before and after the entry, and when either began. 0 or -ENOMEM. */
static inline int sum(struct fan_iso_sums *s, const struct fan_iso_pair *pair,
		      const struct fan_iso_pairing *p, enum fan_worst_class class,
		      const uint64_t ns[2], const uint64_t from_ns[2])
{
	struct fan_iso_outcome o = { 0 };

	/* the guests can have been together before the entry only */
	if (class == FAN_WORST_TRANSITION || ns[class == FAN_WORST_VIOLATION] == 0)
		return fan_iso_sum_transition(s, p, ns[0] + ns[1]);
	if (class == FAN_WORST_VIOLATION)
		o = (struct fan_iso_outcome){ ns[1], ns[0], 0, from_ns[1] };
	else
		o = (struct fan_iso_outcome){ 0, 0, ns[0], from_ns[0] };
	return fan_iso_sum(s, pair, p, &o);
}

static inline struct fan_iso_core *core_of(const struct fan_iso_pair *pair)
{
	return pair->cpu[0]->core;
}

static inline void set_active(const struct fan_iso_pair *pair, enum fan_level level, bool is_active)
{
	struct fan_iso_core *core = core_of(pair);

	if (is_active)
		core->active[level] |= pair->bit;
	else
		core->active[level] &= ~pair->bit;
}

/* The guests of a pair are no longer both inside; or they are in another part of the pairing. */
static void book_guests(struct fan_iso_pair *pair, uint64_t now_ns)
{
	const bool part = pair->pairings[FAN_LEVEL_VM].has_entered;

	if (pair->are_inside)
		pair->guest_ns[part] += now_ns - pair->inside_ns;
	pair->are_inside = false;
}

static void follow_guests(struct fan_iso_pair *pair, uint64_t now_ns)
{
	const struct fan_iso_pairing *p = &pair->pairings[FAN_LEVEL_VM];
	const bool are_inside = p->is_open && pair->cpu[0]->in_guest && pair->cpu[1]->in_guest;

	if (are_inside == pair->are_inside)
		return;
	book_guests(pair, now_ns);
	set_active(pair, FAN_LEVEL_GUEST, are_inside);
	if (!are_inside)
		return;
	pair->are_inside = pair->were_inside = true;
	pair->inside_ns = now_ns;
	if (pair->guest_ns[p->has_entered] == 0)
		pair->guest_first[p->has_entered] = now_ns;
}

/* What of the pairing counts at the level of guests. */
static __attribute__((noinline)) int end_guests(struct fan_isolation *iso,
						struct fan_iso_pair *pair,
						enum fan_worst_class class, uint64_t now_ns)
{
	struct fan_worst *worst = &core_of(pair)->worst[FAN_LEVEL_GUEST];
	int r;

	book_guests(pair, now_ns);
	set_active(pair, FAN_LEVEL_GUEST, false);
	r = fan_worst_decide(worst, now_ns, pair->bit, class);
	if (r < 0 || pair->guest_ns[0] + pair->guest_ns[1] == 0)
		return r;
	return sum(&iso->sums[FAN_LEVEL_GUEST], pair, &pair->pairings[FAN_LEVEL_VM], class,
		   pair->guest_ns, pair->guest_first);
}

/* What is not a transition as a whole. */
static __attribute__((noinline)) int judge(struct fan_isolation *iso, struct fan_iso_pair *pair,
					   enum fan_level level, enum fan_worst_class class,
					   uint64_t now_ns)
{
	const struct fan_iso_pairing *p = &pair->pairings[level];
	const uint64_t middle = p->has_entered ? p->entered_ns : now_ns;
	const uint64_t ns[2] = { middle - p->begin_ns, now_ns - middle };
	const uint64_t from[2] = { p->begin_ns, middle };
	const int r = fan_iso_note_end(iso, core_of(pair), p, level, class, now_ns);

	return r == 0 ? sum(&iso->sums[level], pair, p, class, ns, from) : r;
}

static inline int end_pairing(struct fan_isolation *iso, struct fan_iso_pair *pair,
			      enum fan_level level, uint64_t now_ns)
{
	struct fan_iso_pairing *p = &pair->pairings[level];
	const enum fan_worst_class class = class_of(p, now_ns, iso->tolerance_ns);
	int r = 0;

	p->is_open = false;
	set_active(pair, level, false);
	if (level == FAN_LEVEL_VM && pair->were_inside)
		r = end_guests(iso, pair, class, now_ns);
	if (r == 0)
		r = fan_worst_decide(&core_of(pair)->worst[level], now_ns, pair->bit, class);
	if (r < 0 || now_ns == p->begin_ns)
		return r;
	return class == FAN_WORST_TRANSITION
		       ? fan_iso_sum_transition(&iso->sums[level], p, now_ns - p->begin_ns)
		       : judge(iso, pair, level, class, now_ns);
}

static void begin_pairing(const struct fan_isolation *iso, struct fan_iso_pair *pair,
			  enum fan_level level, uint64_t now_ns)
{
	const struct fan_iso_cpu *a = pair->cpu[0], *b = pair->cpu[1];
	struct fan_iso_pairing *p = &pair->pairings[level];

	p->is_open = true;
	p->has_entered = false;
	p->begin_ns = now_ns;
	p->late = b->begin_ns < a->begin_ns;
	p->party[0] = a->cur.party;
	p->party[1] = b->cur.party;
	p->thread[0] = a->cur.thread;
	p->thread[1] = b->cur.thread;
	set_active(pair, level, true);
	fan_iso_note_begin(iso, core_of(pair), p, level);
	if (level != FAN_LEVEL_VM)
		return;
	pair->guest_ns[0] = pair->guest_ns[1] = 0;
	pair->were_inside = false;
	if (a->in_guest && b->in_guest)
		follow_guests(pair, now_ns);
}

/* has_switched: one of them runs another thread than before. */
static inline int review_pairing(struct fan_isolation *iso, struct fan_iso_pair *pair,
				 enum fan_level level, bool has_switched, uint64_t now_ns)
{
	const struct fan_iso_pairing *p = &pair->pairings[level];
	const struct fan_iso_span *a = &pair->cpu[0]->cur, *b = &pair->cpu[1]->cur;
	const bool is_pairing = are_apart(a, b, level);
	int r = 0;

	if (p->is_open &&
	    (!is_pairing || has_switched || p->party[0] != a->party || p->party[1] != b->party))
		r = end_pairing(iso, pair, level, now_ns);
	if (r == 0 && is_pairing && !p->is_open)
		begin_pairing(iso, pair, level, now_ns);
	return r;
}

int fan_iso_switch_pairs(struct fan_isolation *iso, const struct fan_iso_cpu *c, bool has_vcpus,
			 bool has_cookies, uint64_t now_ns)
{
	const bool has_switched = !c->cur.goes_on;
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < c->npairs; i++) {
		struct fan_iso_pair *pair = c->pairs[i];

		if (has_vcpus)
			r = review_pairing(iso, pair, FAN_LEVEL_VM, has_switched, now_ns);
		if (r == 0 && has_cookies)
			r = review_pairing(iso, pair, FAN_LEVEL_COOKIE, has_switched, now_ns);
	}
	return r;
}

/* The first entry of the late one decides what was before it. */
static int enter_pairing(const struct fan_isolation *iso, struct fan_iso_pair *pair,
			 enum fan_level level, const struct fan_iso_cpu *c, uint64_t now_ns)
{
	struct fan_iso_core *core = core_of(pair);
	struct fan_iso_pairing *p = &pair->pairings[level];
	int r = 0;

	if (!p->is_open || p->has_entered || pair->cpu[p->late] != c)
		return 0;
	if (level == FAN_LEVEL_VM) {
		book_guests(pair, now_ns);
		r = fan_worst_decide(&core->worst[FAN_LEVEL_GUEST], now_ns, pair->bit,
				     FAN_WORST_TRANSITION);
	}
	p->has_entered = true;
	p->entered_ns = now_ns;
	fan_iso_note_entry(iso, core, p, level);
	return r == 0 ? fan_worst_decide(&core->worst[level], now_ns, pair->bit,
					 FAN_WORST_TRANSITION)
		      : r;
}

int fan_iso_enter_pairs(struct fan_isolation *iso, const struct fan_iso_cpu *c, uint64_t now_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < c->npairs; i++) {
		r = enter_pairing(iso, c->pairs[i], FAN_LEVEL_VM, c, now_ns);
		if (r == 0)
			r = enter_pairing(iso, c->pairs[i], FAN_LEVEL_COOKIE, c, now_ns);
	}
	fan_iso_follow_guests(c, now_ns);
	return r;
}

void fan_iso_follow_guests(const struct fan_iso_cpu *c, uint64_t now_ns)
{
	for (unsigned int i = 0; i < c->npairs; i++)
		follow_guests(c->pairs[i], now_ns);
}

int fan_iso_end_pairs(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t now_ns)
{
	int r = 0;

	for (unsigned int k = 0; k < core->npairs; k++) {
		if (r == 0 && core->pairs[k].pairings[FAN_LEVEL_VM].is_open)
			r = end_pairing(iso, &core->pairs[k], FAN_LEVEL_VM, now_ns);
		if (r == 0 && core->pairs[k].pairings[FAN_LEVEL_COOKIE].is_open)
			r = end_pairing(iso, &core->pairs[k], FAN_LEVEL_COOKIE, now_ns);
	}
	return r;
}
