// SPDX-License-Identifier: GPL-3.0-or-later
/* The spans of the CPUs, until their siblings have got as far. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/model/isolation_parts.h"
#include "analyze/model/kthreads.h"

/* What is known of a span's thread by now. */
static inline void describe(const struct fan_isolation *iso, int32_t thread, struct fan_iso_span *s)
{
	const struct fan_thread *th;
	const struct fan_task_fact *task;

	s->thread = thread;
	s->party = -1;
	s->traits = thread == FAN_CPU_IDLE ? FAN_ISO_IDLE : FAN_ISO_UNKNOWN;
	if (thread < 0)
		return;
	th = fan_threads_at(iso->threads, (size_t)thread);
	task = fan_facts_task(iso->facts, (size_t)thread);
	s->cookie = task->cookie;
	s->party = fan_parties_of(iso->parties, th->account);
	if (s->party < 0) {
		s->traits = fan_is_kthread(th, task) ? FAN_ISO_KERNEL : FAN_ISO_OTHER;
		return;
	}
	s->traits = FAN_ISO_PARTY;
	if (th->is_vcpu || th->has_vcpu_name)
		s->traits |= FAN_ISO_VCPU | (task->has_cookie ? FAN_ISO_COOKIE : 0);
}

/* A span of this thread up to t1_ns. True: it fills its queue. */
static inline bool put_span(const struct fan_isolation *iso, struct fan_iso_cpu *c, int32_t thread,
			    uint64_t t1_ns, bool goes_on)
{
	struct fan_iso_span *s = &c->spans[c->nspans++];

	describe(iso, thread, s);
	s->t1_ns = c->end_ns = t1_ns;
	s->goes_on = goes_on;
	c->last = thread;
	c->core->epoch++;
	return c->nspans >= c->spans_full;
}

static int push_unknown(const struct fan_isolation *iso, struct fan_iso_cpu *c, uint64_t to_ns)
{
	return put_span(iso, c, FAN_CPU_UNKNOWN, to_ns, false) ? fan_iso_grow_spans(c) : 0;
}

/* What is covered already stays as it is: its time behind that. */
static inline bool put_rest(const struct fan_isolation *iso, struct fan_iso_cpu *c,
			    const struct fan_span *span)
{
	const bool goes_on = span->thread == c->last &&
			     (span->begin == FAN_EDGE_CUT || span->t0_ns < c->end_ns);

	return put_span(iso, c, span->thread, span->t1_ns, goes_on);
}

/* Up to where all siblings are covered. */
static uint64_t covered_ns(const struct fan_iso_core *core)
{
	uint64_t ns = UINT64_MAX;

	for (unsigned int i = 0; i < core->n; i++) {
		const uint64_t end = core->siblings[i].end_ns;

		ns = end < ns ? end : ns;
	}
	return ns;
}

/* What this CPU runs is taken to have gone on up to then. */
static int grant(struct fan_isolation *iso, struct fan_iso_cpu *c, struct fan_occupant o,
		 uint64_t to_ns)
{
	struct fan_span span = { o.since_ns, to_ns,	    o.thread,	      c->number,
				 FAN_ST_RUN, FAN_EDGE_SEEN, FAN_EDGE_UNKNOWN, false };

	if (to_ns <= o.since_ns)
		return 0;
	if (o.thread >= 0)
		span.begin = fan_threads_at(iso->threads, (size_t)o.thread)->begin;
	if (to_ns <= c->end_ns)
		return 0;
	if (o.since_ns > c->end_ns && push_unknown(iso, c, o.since_ns) < 0)
		return -ENOMEM;
	return put_rest(iso, c, &span) ? fan_iso_grow_spans(c) : 0;
}

/* Up to its own last event nothing can take back any more what a CPU runs. */
static int grant_told(struct fan_isolation *iso, const struct fan_iso_core *core)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = &core->siblings[i];
		const struct fan_occupant o = fan_machine_occupant(iso->machine, c->number);

		r = grant(iso, c, o, fan_iso_clip(iso, o.last_ns));
	}
	return r;
}

/* Up to now: those that are covered up to end_ns only; but for that whose span just comes. */
static int grant_silent(struct fan_isolation *iso, const struct fan_iso_core *core, uint64_t end_ns,
			int32_t but)
{
	const uint64_t now = fan_iso_clip(iso, fan_machine_end(iso->machine));
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = &core->siblings[i];

		if (c->number != but && c->end_ns == end_ns)
			r = grant(iso, c, fan_machine_occupant(iso->machine, c->number), now);
	}
	return r;
}

static bool is_full(const struct fan_iso_core *core)
{
	for (unsigned int i = 0; i < core->n; i++)
		if (core->siblings[i].nspans >= FAN_ISO_SPANS)
			return true;
	return core->nmarks >= FAN_ISO_MARKS;
}

static int sweep_covered(struct fan_isolation *iso, struct fan_iso_core *core)
{
	return fan_iso_sweep(iso, core, covered_ns(core));
}

/* Those that hold up the others, one after the other, while these have too much in their queues. */
static int pass_silent(struct fan_isolation *iso, struct fan_iso_core *core, int32_t teller)
{
	uint64_t before, end = covered_ns(core);
	int r;

	do {
		before = end;
		r = grant_silent(iso, core, end, teller);
		end = covered_ns(core);
		if (r == 0)
			r = fan_iso_sweep(iso, core, end);
	} while (r == 0 && end > before && is_full(core));
	return r;
}

int fan_iso_sweep_covered(struct fan_isolation *iso, struct fan_iso_core *core, int32_t teller)
{
	int r = sweep_covered(iso, core);

	if (r == 0 && is_full(core)) {
		r = grant_told(iso, core);
		if (r == 0)
			r = sweep_covered(iso, core);
	}
	if (r == 0 && is_full(core))
		r = pass_silent(iso, core, teller);
	return r;
}

/* Spans fill the CPU's queue: some may leave it. */
static __attribute__((noinline)) int make_room(struct fan_isolation *iso, struct fan_iso_cpu *c)
{
	int r = fan_iso_sweep_covered(iso, c->core, c->number);

	if (r == 0 && 2 * c->nspans > c->spans_full)
		r = fan_iso_grow_spans(c);
	return r < 0 ? r : iso->error;
}

/* A span behind a hole, which is unknown, or at whose end entries were passed over. */
static __attribute__((noinline)) int take_other(struct fan_isolation *iso, struct fan_iso_cpu *c,
						const struct fan_span *span, uint64_t now_ns)
{
	int r = 0;

	if (c->core->passed_ns == now_ns && span->t1_ns == now_ns)
		r = fan_iso_mark_passed(iso, c->core, now_ns);
	if (r == 0 && span->t0_ns > c->end_ns)
		r = push_unknown(iso, c, span->t0_ns);
	if (r < 0 || span->t1_ns <= c->end_ns)
		return r < 0 ? r : iso->error;
	return put_rest(iso, c, span) ? make_room(iso, c) : iso->error;
}

int fan_isolation_take(struct fan_isolation *iso, const struct fan_span *span)
{
	const uint64_t now = fan_machine_end(iso->machine);
	struct fan_iso_cpu *c;

	fan_iso_keep_up(iso, now);
	c = fan_iso_find_cpu(iso, span->cpu);
	if (!c || !c->core->is_swept)
		return iso->error;
	if (span->t0_ns > c->end_ns || c->core->passed_ns == now)
		return take_other(iso, c, span, now);
	if (span->t1_ns <= c->end_ns)
		return iso->error;
	return put_rest(iso, c, span) ? make_room(iso, c) : iso->error;
}

int fan_iso_cover(const struct fan_isolation *iso, const struct fan_iso_core *core, uint64_t end_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = &core->siblings[i];

		if (c->end_ns < end_ns)
			r = push_unknown(iso, c, end_ns);
	}
	return r;
}
