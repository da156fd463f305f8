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

/* A span of this thread up to t1_ns. 0 or -ENOMEM. */
static inline int push_span(const struct fan_isolation *iso, struct fan_iso_cpu *c, int32_t thread,
			    uint64_t t1_ns, bool goes_on)
{
	struct fan_iso_span *s = fan_fifo_push(&c->spans, sizeof(*s));

	if (!s)
		return -ENOMEM;
	describe(iso, thread, s);
	s->t1_ns = c->end_ns = t1_ns;
	s->goes_on = goes_on;
	c->last = thread;
	c->core->queued++;
	c->core->epoch++;
	return 0;
}

static __attribute__((noinline)) int push_unknown(const struct fan_isolation *iso,
						  struct fan_iso_cpu *c, uint64_t to_ns)
{
	return push_span(iso, c, FAN_CPU_UNKNOWN, to_ns, false);
}

/* What is covered already stays as it is; a hole is unknown. */
static inline __attribute__((always_inline)) int queue_span(const struct fan_isolation *iso,
							    struct fan_iso_cpu *c,
							    const struct fan_span *span)
{
	bool goes_on;

	if (span->t1_ns <= c->end_ns)
		return 0;
	if (span->t0_ns > c->end_ns && push_unknown(iso, c, span->t0_ns) < 0)
		return -ENOMEM;
	goes_on = span->thread == c->last &&
		  (span->begin == FAN_EDGE_CUT || span->t0_ns < c->end_ns);
	return push_span(iso, c, span->thread, span->t1_ns, goes_on);
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
	struct fan_span span = { o.since_ns, to_ns,	    o.thread,	     c->number,
				 FAN_ST_RUN, FAN_EDGE_SEEN, FAN_EDGE_UNKNOWN };

	if (to_ns <= o.since_ns)
		return 0;
	if (o.thread >= 0)
		span.begin = fan_threads_at(iso->threads, (size_t)o.thread)->begin;
	return queue_span(iso, c, &span);
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
		if (core->siblings[i].spans.n > FAN_ISO_SPANS)
			return true;
	return core->marks.n > FAN_ISO_MARKS;
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
	core->sweep_at = core->queued + FAN_ISO_BATCH;
	return r;
}

int fan_isolation_take(struct fan_isolation *iso, const struct fan_span *span)
{
	const uint64_t now = fan_machine_end(iso->machine);
	struct fan_iso_cpu *c;
	struct fan_iso_core *core;
	int r = 0;

	fan_iso_keep_up(iso, now);
	c = fan_iso_find_cpu(iso, span->cpu);
	if (!c || !c->core->is_swept)
		return iso->error;
	core = c->core;
	if (core->passed_ns == now && span->t1_ns == now)
		r = fan_iso_mark_passed(iso, core, now);
	if (r == 0)
		r = queue_span(iso, c, span);
	if (r == 0 && core->queued >= core->sweep_at)
		r = fan_iso_sweep_covered(iso, core, span->cpu);
	return r < 0 ? r : iso->error;
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
