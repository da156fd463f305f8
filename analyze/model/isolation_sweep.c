// SPDX-License-Identifier: GPL-3.0-or-later
/* A core from one change to the next: what it does, and who shares it. */
#include <errno.h>
#include <string.h>

#include "analyze/model/isolation_parts.h"

/* What some siblings run makes of the core; party: of one of them, or -1. */
static inline enum fan_core_class class_of(unsigned int some, int32_t party, bool are_mixed)
{
	if (some & FAN_ISO_UNKNOWN)
		return FAN_CORE_UNKNOWN;
	if (are_mixed)
		return FAN_CORE_MIXED;
	if (some & FAN_ISO_OTHER)
		return party >= 0 ? FAN_CORE_BESIDE : FAN_CORE_OTHER;
	if (party >= 0)
		return FAN_CORE_VM;
	return some & FAN_ISO_KERNEL ? FAN_CORE_KERNEL : FAN_CORE_IDLE;
}

/* What the core does from now on. */
static inline void look(struct fan_iso_core *core)
{
	unsigned int some = 0, two = 0;
	bool are_mixed = false;
	int32_t party = -1;

	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_span *s = &core->siblings[i].cur;

		two |= some & s->traits;
		some |= s->traits;
		if (!(s->traits & FAN_ISO_PARTY))
			continue;
		are_mixed |= party >= 0 && party != s->party;
		party = s->party;
	}
	core->some = some;
	core->two = two;
	core->now = class_of(some, party, are_mixed);
	core->now_party = party;
}

static int reach_party(struct fan_iso_core *core, size_t party)
{
	struct fan_core_time *t = &core->time;
	void *items = t->party_ns;

	if (party < t->nparties)
		return 0;
	if (fan_reserve(&items, t->nparties, party + 1 - t->nparties, &core->party_room,
			sizeof(*t->party_ns)) < 0)
		return -ENOMEM;
	t->party_ns = items;
	memset(&t->party_ns[t->nparties], 0, (party + 1 - t->nparties) * sizeof(*t->party_ns));
	t->nparties = party + 1;
	return 0;
}

static int book_party(struct fan_iso_core *core, uint64_t ns)
{
	if (reach_party(core, (size_t)core->now_party) < 0)
		return -ENOMEM;
	core->time.party_ns[core->now_party] += ns;
	return 0;
}

static inline int book_class(struct fan_iso_core *core, uint64_t now_ns)
{
	const uint64_t ns = now_ns - core->since_ns;

	core->since_ns = now_ns;
	core->time.ns[core->now] += ns;
	return ns && core->now == FAN_CORE_VM ? book_party(core, ns) : 0;
}

static void book_co_run(struct fan_iso_core *core, unsigned int level, uint64_t now_ns)
{
	if (core->co_runs >> level & 1)
		core->co_run_ns[level] += now_ns - core->co_since[level];
	core->co_since[level] = now_ns;
}

/* From now on at these levels, as bits. */
static void change_co_runs(struct fan_iso_core *core, unsigned int levels, uint64_t now_ns)
{
	for (unsigned int k = 0; k < FAN_LEVELS; k++)
		if ((core->co_runs ^ levels) >> k & 1)
			book_co_run(core, k, now_ns);
	core->co_runs = levels;
}

static int tell_worst(struct fan_iso_core *core, bool is_possible, uint64_t now_ns)
{
	int r = 0;

	for (unsigned int k = 0; r == 0 && k < FAN_LEVELS; k++)
		r = fan_worst_set(&core->worst[k], now_ns, core->active[k], is_possible);
	return r;
}

static inline bool is_told(const struct fan_iso_core *core, enum fan_level level)
{
	return core->worst[level].active == core->active[level];
}

/* After a span: all levels. */
static inline int set_levels(struct fan_iso_core *core, uint64_t now_ns)
{
	const bool is_possible = core->some & FAN_ISO_VCPU && core->some & FAN_ISO_UNKNOWN;
	const unsigned int levels = (core->two & FAN_ISO_VCPU ? 1U << FAN_LEVEL_VM : 0) |
				    (core->guests > 1 ? 1U << FAN_LEVEL_GUEST : 0) |
				    (core->two & FAN_ISO_COOKIE ? 1U << FAN_LEVEL_COOKIE : 0);

	if (levels != core->co_runs)
		change_co_runs(core, levels, now_ns);
	if (is_told(core, FAN_LEVEL_VM) && is_told(core, FAN_LEVEL_GUEST) &&
	    is_told(core, FAN_LEVEL_COOKIE) && is_possible == core->worst[0].is_possible)
		return 0;
	return tell_worst(core, is_possible, now_ns);
}

/* After a mark: that of guests. */
static inline int set_guests(struct fan_iso_core *core, uint64_t now_ns)
{
	const bool co_run = core->co_runs >> FAN_LEVEL_GUEST & 1;
	struct fan_worst *w = &core->worst[FAN_LEVEL_GUEST];

	if (co_run != (core->guests > 1)) {
		book_co_run(core, FAN_LEVEL_GUEST, now_ns);
		core->co_runs ^= 1U << FAN_LEVEL_GUEST;
	}
	return fan_worst_set(w, now_ns, core->active[FAN_LEVEL_GUEST], w->is_possible);
}

/* What comes next on a CPU whose span or marks have changed. */
static inline void find_next(struct fan_iso_cpu *c)
{
	const uint64_t mark = c->cur.marks == c->unmarked ? UINT64_MAX
							  : *(const uint64_t *)fan_fifo_at(
								    &c->marks, 0, sizeof(mark)) >>
								    FAN_ISO_MARK_BITS;

	c->next_is_mark = mark < c->cur.t1_ns;
	c->next_ns = c->next_is_mark ? mark : c->cur.t1_ns;
}

static enum fan_iso_mark pop_mark(struct fan_iso_core *core, struct fan_iso_cpu *c)
{
	const uint64_t *mark = fan_fifo_at(&c->marks, 0, sizeof(*mark));
	const uint64_t kind = *mark & ((1U << FAN_ISO_MARK_BITS) - 1);

	fan_fifo_pop(&c->marks);
	c->unmarked++;
	core->queued--;
	return (enum fan_iso_mark)kind;
}

static inline bool is_guest(const struct fan_iso_cpu *c)
{
	return c->in_guest && c->cur.traits & FAN_ISO_VCPU;
}

/* Another span of this CPU begins: of another thread, or what is known of its thread changes. */
static inline void next_span(struct fan_iso_core *core, struct fan_iso_cpu *c, uint64_t now_ns)
{
	const uint32_t marks = c->cur.marks;

	core->guests -= is_guest(c);
	c->cur = *(const struct fan_iso_span *)fan_fifo_at(&c->spans, 0, sizeof(c->cur));
	fan_fifo_pop(&c->spans);
	core->queued--;
	if (!c->cur.goes_on) {
		c->begin_ns = now_ns;
		c->in_guest = false;
		/* at the end of a thread's time: what takes none does not count */
		while (c->unmarked != marks)
			pop_mark(core, c);
	}
	core->guests += is_guest(c);
	find_next(c);
}

static inline int take_span(struct fan_isolation *iso, struct fan_iso_core *core,
			    struct fan_iso_cpu *c, uint64_t now_ns)
{
	const unsigned int traits = c->cur.traits;
	const int32_t party = c->cur.party;
	bool has_vcpus, has_cookies;
	int r = 0;

	next_span(core, c, now_ns);
	if (c->cur.traits != traits || c->cur.party != party) {
		r = book_class(core, now_ns);
		look(core);
	}
	/* at these levels pairings may begin or end */
	has_vcpus = core->two & FAN_ISO_VCPU || core->active[FAN_LEVEL_VM];
	has_cookies = core->two & FAN_ISO_COOKIE || core->active[FAN_LEVEL_COOKIE];
	if (r == 0 && (has_vcpus || has_cookies))
		r = fan_iso_switch_pairs(iso, c, has_vcpus, has_cookies, now_ns);
	return r == 0 ? set_levels(core, now_ns) : r;
}

static inline int take_mark(struct fan_isolation *iso, struct fan_iso_core *core,
			    struct fan_iso_cpu *c, uint64_t now_ns)
{
	const enum fan_iso_mark mark = pop_mark(core, c);
	const bool was_inside = c->in_guest;
	int r = 0;

	find_next(c);
	c->in_guest = mark != FAN_ISO_LEAVE;
	if (core->active[FAN_LEVEL_VM] | core->active[FAN_LEVEL_COOKIE]) {
		if (mark == FAN_ISO_ENTER || mark == FAN_ISO_LOAD)
			r = fan_iso_enter_pairs(iso, c, now_ns);
		else if (was_inside != c->in_guest)
			fan_iso_follow_guests(c, now_ns);
	}
	if (r < 0 || was_inside == c->in_guest || !(c->cur.traits & FAN_ISO_VCPU))
		return r;
	core->guests += c->in_guest ? 1 : -1U;
	return set_guests(core, now_ns);
}

/*
 * The sibling on which something happens next. Of things at one time switches are first: an entry
 * at that time is after them.
 */
static inline struct fan_iso_cpu *next_sibling(const struct fan_iso_core *core)
{
	struct fan_iso_cpu *next = &core->siblings[0];

	for (unsigned int i = 1; i < core->n; i++) {
		struct fan_iso_cpu *c = &core->siblings[i];

		if (c->next_ns < next->next_ns ||
		    (c->next_ns == next->next_ns && c->next_is_mark < next->next_is_mark))
			next = c;
	}
	return next;
}

int fan_iso_sweep(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns)
{
	struct fan_iso_cpu *c = next_sibling(core);
	int r = 0;

	while (r == 0 && c->next_ns < end_ns) {
		core->at_ns = c->next_ns > core->at_ns ? c->next_ns : core->at_ns;
		r = c->next_is_mark ? take_mark(iso, core, c, core->at_ns)
				    : take_span(iso, core, c, core->at_ns);
		c = next_sibling(core);
	}
	return r;
}

static void add_core(struct fan_iso_sums *s, const struct fan_worst *w, uint64_t co_run_ns)
{
	s->all.co_run_ns += co_run_ns;
	s->all.violation_ns += w->ns[FAN_WORST_VIOLATION];
	s->all.unresolved_ns += w->ns[FAN_WORST_UNRESOLVED];
	s->all.transition_ns += w->ns[FAN_WORST_TRANSITION];
	s->all.possible_ns += w->possible_ns;
}

int fan_iso_close(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns)
{
	int r = fan_iso_sweep(iso, core, end_ns);

	if (r == 0)
		r = book_class(core, end_ns);
	if (r == 0)
		r = fan_iso_end_pairs(iso, core, end_ns);
	for (unsigned int k = 0; r == 0 && k < FAN_LEVELS; k++) {
		r = fan_worst_set(&core->worst[k], end_ns, 0, false);
		book_co_run(core, k, end_ns);
		add_core(&iso->sums[k], &core->worst[k], core->co_run_ns[k]);
	}
	return r;
}
