// SPDX-License-Identifier: GPL-3.0-or-later
/* A core from one change to the next: what it does, and who shares it. */
#include <errno.h>
#include <string.h>

#include "analyze/model/isolation_parts.h"

/* What the siblings run makes of the core; party: of FAN_CORE_VM, else -1. */
static enum fan_core_class classify(const struct fan_isolation *iso,
				    const struct fan_iso_core *core, int32_t *party)
{
	unsigned int kinds = 0;
	bool are_mixed = false;

	*party = -1;
	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_span *s = &fan_iso_sibling(iso, core, i)->cur;

		kinds |= 1U << s->kind;
		if (s->kind != FAN_ISO_PARTY)
			continue;
		are_mixed |= *party >= 0 && *party != s->party;
		*party = s->party;
	}
	if (kinds & 1U << FAN_ISO_UNKNOWN)
		return FAN_CORE_UNKNOWN;
	if (are_mixed)
		return FAN_CORE_MIXED;
	if (kinds & 1U << FAN_ISO_OTHER)
		return *party >= 0 ? FAN_CORE_BESIDE : FAN_CORE_OTHER;
	if (*party >= 0)
		return FAN_CORE_VM;
	return kinds & 1U << FAN_ISO_KERNEL ? FAN_CORE_KERNEL : FAN_CORE_IDLE;
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

static int book_class(struct fan_iso_core *core, uint64_t now_ns)
{
	const uint64_t ns = now_ns - core->since_ns;

	core->since_ns = now_ns;
	if (ns == 0)
		return 0;
	core->time.ns[core->now] += ns;
	if (core->now != FAN_CORE_VM)
		return 0;
	if (reach_party(core, (size_t)core->now_party) < 0)
		return -ENOMEM;
	core->time.party_ns[core->now_party] += ns;
	return 0;
}

static void book_co_run(struct fan_iso_core *core, enum fan_level level, uint64_t now_ns)
{
	if (core->co_runs[level])
		core->co_run_ns[level] += now_ns - core->co_since[level];
	core->co_since[level] = now_ns;
}

static inline void set_co_run(struct fan_iso_core *core, enum fan_level level, bool co_runs,
			      uint64_t now_ns)
{
	if (core->co_runs[level] == co_runs)
		return;
	book_co_run(core, level, now_ns);
	core->co_runs[level] = co_runs;
}

/* After a span: all levels. */
static int set_levels(const struct fan_isolation *iso, struct fan_iso_core *core, uint64_t now_ns)
{
	unsigned int vcpus = 0, guests = 0, cookies = 0, unknown = 0;
	int r = 0;

	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		vcpus += c->cur.is_vcpu;
		guests += c->cur.is_vcpu && c->in_guest;
		cookies += c->cur.is_vcpu && c->cur.has_cookie;
		unknown += c->cur.kind == FAN_ISO_UNKNOWN;
	}
	core->guests = guests;
	set_co_run(core, FAN_LEVEL_VM, vcpus > 1, now_ns);
	set_co_run(core, FAN_LEVEL_GUEST, guests > 1, now_ns);
	set_co_run(core, FAN_LEVEL_COOKIE, cookies > 1, now_ns);
	for (unsigned int k = 0; r == 0 && k < FAN_LEVELS; k++)
		r = fan_worst_set(&core->worst[k], now_ns, core->active[k], vcpus && unknown);
	return r;
}

/* After a mark: that of guests. */
static inline int set_guests(struct fan_iso_core *core, uint64_t now_ns)
{
	struct fan_worst *w = &core->worst[FAN_LEVEL_GUEST];

	set_co_run(core, FAN_LEVEL_GUEST, core->guests > 1, now_ns);
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

static int take_span(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int sibling,
		     uint64_t now_ns)
{
	struct fan_iso_cpu *c = fan_iso_sibling(iso, core, sibling);
	const uint32_t marks = c->cur.marks;
	int r = book_class(core, now_ns);

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
	find_next(c);
	core->now = classify(iso, core, &core->now_party);
	if (r == 0)
		r = fan_iso_switch_pairs(iso, core, sibling, now_ns);
	if (r == 0)
		r = set_levels(iso, core, now_ns);
	return r;
}

static int take_mark(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int sibling,
		     uint64_t now_ns)
{
	struct fan_iso_cpu *c = fan_iso_sibling(iso, core, sibling);
	const enum fan_iso_mark mark = pop_mark(core, c);
	const bool was_inside = c->in_guest;
	int r = 0;

	find_next(c);
	c->in_guest = mark != FAN_ISO_LEAVE;
	if (core->active[FAN_LEVEL_VM] | core->active[FAN_LEVEL_COOKIE]) {
		if (mark == FAN_ISO_ENTER || mark == FAN_ISO_LOAD)
			r = fan_iso_enter_pairs(iso, core, sibling, now_ns);
		else if (was_inside != c->in_guest)
			fan_iso_follow_guests(iso, core, sibling, now_ns);
	}
	if (r < 0 || was_inside == c->in_guest || !c->cur.is_vcpu)
		return r;
	core->guests += c->in_guest ? 1 : -1U;
	return set_guests(core, now_ns);
}

/*
 * The sibling on which something happens next. Of things at one time switches are first: an entry
 * at that time is after them.
 */
static inline unsigned int next_sibling(const struct fan_isolation *iso,
					const struct fan_iso_core *core)
{
	const struct fan_iso_cpu *next = fan_iso_sibling(iso, core, 0);
	unsigned int ret = 0;

	for (unsigned int i = 1; i < core->n; i++) {
		const struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		if (c->next_ns > next->next_ns ||
		    (c->next_ns == next->next_ns && c->next_is_mark >= next->next_is_mark))
			continue;
		next = c;
		ret = i;
	}
	return ret;
}

int fan_iso_sweep(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns)
{
	int r = 0;

	while (r == 0) {
		const unsigned int i = next_sibling(iso, core);
		const struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		if (c->next_ns >= end_ns)
			break;
		core->at_ns = c->next_ns > core->at_ns ? c->next_ns : core->at_ns;
		r = c->next_is_mark ? take_mark(iso, core, i, core->at_ns)
				    : take_span(iso, core, i, core->at_ns);
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
		book_co_run(core, (enum fan_level)k, end_ns);
		add_core(&iso->sums[k], &core->worst[k], core->co_run_ns[k]);
	}
	return r;
}
