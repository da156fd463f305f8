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

static bool counts(const struct fan_iso_cpu *c, enum fan_level level)
{
	if (level == FAN_LEVEL_GUEST)
		return c->cur.is_vcpu && c->in_guest;
	return c->cur.is_vcpu && (level == FAN_LEVEL_VM || c->cur.has_cookie);
}

static void book_co_run(struct fan_iso_core *core, enum fan_level level, uint64_t now_ns)
{
	if (core->co_runs[level])
		core->co_run_ns[level] += now_ns - core->co_since[level];
	core->co_since[level] = now_ns;
}

/* Does a sibling run a vCPU thread while nobody knows what another one does? */
static bool is_possible(const struct fan_isolation *iso, const struct fan_iso_core *core)
{
	bool is_unknown = false, has_vcpu = false;

	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_span *s = &fan_iso_sibling(iso, core, i)->cur;

		is_unknown |= s->kind == FAN_ISO_UNKNOWN;
		has_vcpu |= s->is_vcpu;
	}
	return is_unknown && has_vcpu;
}

/* The levels, as the siblings are now. */
static int set_level(const struct fan_isolation *iso, struct fan_iso_core *core,
		     enum fan_level level, bool possible, uint64_t now_ns)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < core->n; i++)
		n += counts(fan_iso_sibling(iso, core, i), level);
	if ((n > 1) != core->co_runs[level]) {
		book_co_run(core, level, now_ns);
		core->co_runs[level] = n > 1;
	}
	return fan_worst_set(&core->worst[level], now_ns, core->active[level], possible);
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
	bool possible;
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
	core->now = classify(iso, core, &core->now_party);
	if (r == 0)
		r = fan_iso_switch_pairs(iso, core, sibling, now_ns);
	possible = is_possible(iso, core);
	for (unsigned int k = 0; r == 0 && k < FAN_LEVELS; k++)
		r = set_level(iso, core, (enum fan_level)k, possible, now_ns);
	return r;
}

static int take_mark(struct fan_isolation *iso, struct fan_iso_core *core, unsigned int sibling,
		     uint64_t now_ns)
{
	struct fan_iso_cpu *c = fan_iso_sibling(iso, core, sibling);
	const enum fan_iso_mark mark = pop_mark(core, c);
	const bool was_inside = c->in_guest;
	int r = 0;

	c->in_guest = mark != FAN_ISO_LEAVE;
	if (mark == FAN_ISO_ENTER || mark == FAN_ISO_LOAD)
		r = fan_iso_enter_pairs(iso, core, sibling, now_ns);
	else if (was_inside != c->in_guest)
		fan_iso_follow_guests(iso, core, sibling, now_ns);
	if (r < 0)
		return r;
	return set_level(iso, core, FAN_LEVEL_GUEST, core->worst[FAN_LEVEL_GUEST].is_possible,
			 now_ns);
}

/* What happens next on a core: a mark, or the end of a span. */
struct change {
	uint64_t at_ns;
	unsigned int sibling;
	bool is_mark;
};

/* Of things at one time switches are first: an entry at that time is after them. */
static struct change next_change(const struct fan_isolation *iso, const struct fan_iso_core *core)
{
	struct change next = { .at_ns = UINT64_MAX };

	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);
		struct change this = { c->cur.t1_ns, i, false };
		uint64_t mark;

		if (c->cur.marks != c->unmarked) {
			mark = *(const uint64_t *)fan_fifo_at(&c->marks, 0, sizeof(mark)) >>
			       FAN_ISO_MARK_BITS;
			this.is_mark = mark < this.at_ns;
			this.at_ns = this.is_mark ? mark : this.at_ns;
		}
		if (this.at_ns < next.at_ns ||
		    (this.at_ns == next.at_ns && this.is_mark < next.is_mark))
			next = this;
	}
	return next;
}

int fan_iso_sweep(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns)
{
	int r = 0;

	while (r == 0) {
		const struct change c = next_change(iso, core);

		if (c.at_ns >= end_ns)
			break;
		core->at_ns = c.at_ns > core->at_ns ? c.at_ns : core->at_ns;
		r = c.is_mark ? take_mark(iso, core, c.sibling, core->at_ns)
			      : take_span(iso, core, c.sibling, core->at_ns);
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
