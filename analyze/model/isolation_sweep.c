// SPDX-License-Identifier: GPL-3.0-or-later
/* A core from one change to the next: what it does, and who shares it. */
#include <errno.h>
#include <string.h>

#include "analyze/model/isolation_parts.h"
#include "analyze/model/room.h"

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

/* Room for the time of this party. 0 or -ENOMEM. */
static __attribute__((noinline)) int reach_party(struct fan_iso_core *core, size_t party)
{
	struct fan_core_time *t = &core->time;
	const size_t more = party + 1 - t->nparties;
	void *items = t->party_ns;

	if (fan_reserve(&items, t->nparties, more, &core->party_room, sizeof(*t->party_ns)) < 0)
		return -ENOMEM;
	t->party_ns = items;
	memset(&t->party_ns[t->nparties], 0, more * sizeof(*t->party_ns));
	t->nparties += more;
	return 0;
}

static inline int book_class(struct fan_iso_core *core, uint64_t now_ns)
{
	struct fan_core_time *t = &core->time;
	const uint64_t ns = now_ns - core->since_ns;
	const size_t party = (size_t)core->now_party;

	core->since_ns = now_ns;
	t->ns[core->now] += ns;
	if (core->now != FAN_CORE_VM || ns == 0)
		return 0;
	if (party >= t->nparties && reach_party(core, party) < 0)
		return -ENOMEM;
	t->party_ns[party] += ns;
	return 0;
}

/* At this level siblings run vCPU threads together from now on, or do not. */
static inline void set_co_run(struct fan_iso_core *core, enum fan_level level, bool is_on,
			      uint64_t now_ns)
{
	if (core->co_runs[level] == is_on)
		return;
	core->co_runs[level] = is_on;
	core->co_run_ns[level] += is_on ? 0 - now_ns : now_ns;
}

/* What the core does from now on. */
static inline void look(struct fan_iso_core *core, uint64_t now_ns)
{
	const unsigned int half_known = FAN_ISO_VCPU | FAN_ISO_UNKNOWN;
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
	core->now = class_of(some, party, are_mixed);
	core->now_party = party;
	core->is_possible = (some & half_known) == half_known;
	if (two == core->two)
		return;
	core->two = two;
	set_co_run(core, FAN_LEVEL_VM, two & FAN_ISO_VCPU, now_ns);
	set_co_run(core, FAN_LEVEL_COOKIE, two & FAN_ISO_COOKIE, now_ns);
}

static inline int tell_worst(struct fan_iso_core *core, uint64_t now_ns)
{
	int r = 0;

	for (unsigned int k = 0; r == 0 && k < FAN_LEVELS; k++)
		r = fan_worst_set(&core->worst[k], now_ns, core->active[k], core->is_possible);
	return r;
}

static inline bool is_guest(const struct fan_iso_cpu *c)
{
	return c->in_guest && c->cur.traits & FAN_ISO_VCPU;
}

/* Another span of this CPU begins: of another thread, or what is known of its thread changes. */
static inline void next_span(struct fan_iso_core *core, struct fan_iso_cpu *c, uint64_t now_ns)
{
	const bool was_guest = is_guest(c);

	c->cur = *c->span++;
	if (!c->cur.goes_on) {
		c->begin_ns = now_ns;
		c->in_guest = false;
	}
	if (is_guest(c) == was_guest)
		return;
	core->guests += was_guest ? -1U : 1;
	set_co_run(core, FAN_LEVEL_GUEST, core->guests > 1, now_ns);
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
		look(core, now_ns);
	}
	/* at these levels pairings may begin or end */
	has_vcpus = core->two & FAN_ISO_VCPU || core->active[FAN_LEVEL_VM];
	has_cookies = core->two & FAN_ISO_COOKIE || core->active[FAN_LEVEL_COOKIE];
	if (!has_vcpus && !has_cookies && core->is_possible == core->worst[0].is_possible)
		return r;
	if (r == 0)
		r = fan_iso_switch_pairs(iso, c, has_vcpus, has_cookies, now_ns);
	return r == 0 ? tell_worst(core, now_ns) : r;
}

/* While pairings go on. */
static __attribute__((noinline)) int take_paired(struct fan_isolation *iso,
						 struct fan_iso_core *core,
						 const struct fan_iso_mark *mark, bool is_other)
{
	struct fan_worst *guests = &core->worst[FAN_LEVEL_GUEST];
	int r = 0;

	if (mark->step == FAN_ISO_ENTER || mark->step == FAN_ISO_LOAD)
		r = fan_iso_enter_pairs(iso, mark->cpu, mark->at_ns);
	else if (is_other)
		fan_iso_follow_guests(mark->cpu, mark->at_ns);
	return r == 0 ? fan_worst_set(guests, mark->at_ns, core->active[FAN_LEVEL_GUEST],
				      guests->is_possible)
		      : r;
}

static inline int take_mark(struct fan_isolation *iso, struct fan_iso_core *core,
			    const struct fan_iso_mark *mark)
{
	struct fan_iso_cpu *c = mark->cpu;
	const bool is_inside = mark->step != FAN_ISO_LEAVE, is_other = is_inside != c->in_guest;

	c->in_guest = is_inside;
	if (is_other && c->cur.traits & FAN_ISO_VCPU) {
		core->guests += is_inside ? 1 : -1U;
		set_co_run(core, FAN_LEVEL_GUEST, core->guests > 1, mark->at_ns);
	}
	return core->active[FAN_LEVEL_VM] | core->active[FAN_LEVEL_COOKIE]
		       ? take_paired(iso, core, mark, is_other)
		       : 0;
}

/* Up to end_ns, at which siblings may switch. */
static int take_marks(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns)
{
	struct fan_iso_mark *mark = core->mark;
	int r = 0;

	for (; r == 0 && mark->at_ns < end_ns; mark++)
		r = take_mark(iso, core, mark);
	core->mark = mark;
	return r;
}

/* The first of each queue is next; behind the last mark is one of the end of all time. */
static void begin_queues(struct fan_iso_core *core)
{
	core->mark = core->marks;
	core->marks[core->nmarks].at_ns = UINT64_MAX;
	for (unsigned int i = 0; i < core->n; i++)
		core->siblings[i].span = core->siblings[i].spans;
}

/* What was taken leaves them. */
static void end_queues(struct fan_iso_core *core)
{
	core->nmarks -= (size_t)(core->mark - core->marks);
	memmove(core->marks, core->mark, core->nmarks * sizeof(*core->mark));
	for (unsigned int i = 0; i < core->n; i++) {
		struct fan_iso_cpu *c = &core->siblings[i];

		c->nspans -= (size_t)(c->span - c->spans);
		memmove(c->spans, c->span, c->nspans * sizeof(*c->span));
	}
}

/* The sibling that switches next. */
static inline struct fan_iso_cpu *next_sibling(const struct fan_iso_core *core)
{
	struct fan_iso_cpu *next = &core->siblings[0];

	for (unsigned int i = 1; i < core->n; i++)
		if (core->siblings[i].cur.t1_ns < next->cur.t1_ns)
			next = &core->siblings[i];
	return next;
}

int fan_iso_sweep(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns)
{
	struct fan_iso_cpu *c = next_sibling(core);
	int r = 0;

	begin_queues(core);
	while (r == 0 && c->cur.t1_ns < end_ns) {
		const uint64_t now = c->cur.t1_ns;

		if (core->mark->at_ns < now)
			r = take_marks(iso, core, now);
		if (r == 0)
			r = take_span(iso, core, c, now);
		c = next_sibling(core);
	}
	if (r == 0)
		r = take_marks(iso, core, end_ns);
	end_queues(core);
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
		set_co_run(core, k, false, end_ns);
		add_core(&iso->sums[k], &core->worst[k], core->co_run_ns[k]);
	}
	return r;
}
