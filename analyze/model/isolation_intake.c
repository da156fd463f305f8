// SPDX-License-Identifier: GPL-3.0-or-later
/* What comes in: cores, spans and marks; and what siblings do at present. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/model/isolation_parts.h"
#include "analyze/model/kthreads.h"
#include "fcap/vcpu_name.h"

static int grow_cpus(struct fan_isolation *iso, size_t n)
{
	struct fan_iso_cpu *grown;

	if (n <= iso->ncpus)
		return 0;
	grown = reallocarray(iso->cpus, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (size_t i = iso->ncpus; i < n; i++)
		grown[i] = (struct fan_iso_cpu){ .core = -1 };
	iso->cpus = grown;
	iso->ncpus = n;
	return 0;
}

/* Nothing is known of its siblings, from the begin of the analysed time on. */
static void begin_cpu(struct fan_isolation *iso, int32_t cpu, int32_t core, uint64_t begin_ns)
{
	iso->cpus[cpu] = (struct fan_iso_cpu){
		.core = core,
		.end_ns = begin_ns,
		.last = FAN_CPU_UNKNOWN,
		.thread = FAN_CPU_UNKNOWN,
		.party = -1,
		.cur = { .t1_ns = begin_ns, .thread = FAN_CPU_UNKNOWN, .party = -1 },
		.begin_ns = begin_ns,
	};
}

static int begin_core(struct fan_isolation *iso, struct fan_iso_core *core,
		      const struct fan_core *of)
{
	const uint64_t begin = fan_iso_clip(iso, fan_machine_start(iso->machine));
	unsigned int k = 0;

	*core = (struct fan_iso_core){ .cpus = of->cpus,
				       .n = (unsigned int)of->n,
				       .is_swept = of->n > 1 && of->n <= FAN_SIBLINGS_MAX,
				       .epoch = 1,
				       .sweep_at = FAN_ISO_BATCH,
				       .now = FAN_CORE_UNKNOWN,
				       .since_ns = begin };
	for (unsigned int i = 0; i < core->n; i++)
		begin_cpu(iso, core->cpus[i], (int32_t)(core - iso->items), begin);
	for (size_t i = 0; i < FAN_LEVELS; i++)
		core->worst[i].since_ns = begin;
	if (!core->is_swept)
		return 0;
	core->npairs = core->n * (core->n - 1) / 2;
	core->pairs = calloc(core->npairs, sizeof(*core->pairs));
	if (!core->pairs)
		return -ENOMEM;
	for (unsigned int b = 1; b < core->n; b++)
		for (unsigned int a = 0; a < b; a++, k++)
			core->pairs[k].sibling[0] = a, core->pairs[k].sibling[1] = b;
	return 0;
}

void fan_iso_book_beside(struct fan_isolation *iso)
{
	const uint64_t now = fan_iso_clip(iso, fan_machine_end(iso->machine));

	if (iso->idle_cores && iso->mixed_cores)
		iso->beside_ns += now - iso->beside_since;
	iso->beside_since = now;
}

/* Do siblings run vCPU threads of different parties? */
static bool is_mixed(const struct fan_isolation *iso, const struct fan_iso_core *core)
{
	int32_t party = -1;

	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		if (!c->is_member)
			continue;
		if (party >= 0 && c->party != party)
			return true;
		party = c->party;
	}
	return false;
}

static int push_mark(struct fan_isolation *iso, struct fan_iso_cpu *c, enum fan_iso_mark mark,
		     uint64_t now_ns)
{
	uint64_t *item;

	if (!iso->has_begun || now_ns > iso->to_ns)
		return 0;
	item = fan_fifo_push(&c->marks, sizeof(*item));
	if (!item)
		return -ENOMEM;
	*item = now_ns << FAN_ISO_MARK_BITS | mark;
	c->marked++;
	iso->items[c->core].queued++;
	return 0;
}

/* Marks are kept from now on: where each is now. */
static int push_present(struct fan_isolation *iso, const struct fan_iso_core *core, uint64_t now_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		if (c->is_vcpu)
			r = push_mark(iso, c, c->is_inside ? FAN_ISO_INSIDE : FAN_ISO_LEAVE,
				      now_ns);
	}
	return r;
}

static void review(struct fan_isolation *iso, struct fan_iso_core *core)
{
	const bool kept = core->keeps_marks, mixed = is_mixed(iso, core);
	unsigned int vcpus = 0, idle = 0;

	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		vcpus += c->is_vcpu;
		idle += c->thread == FAN_CPU_IDLE;
	}
	if (mixed != core->is_mixed || (idle == core->n) != core->is_idle) {
		fan_iso_book_beside(iso);
		iso->mixed_cores += (unsigned int)mixed - core->is_mixed;
		iso->idle_cores += (unsigned int)(idle == core->n) - core->is_idle;
		core->is_mixed = mixed;
		core->is_idle = idle == core->n;
	}
	core->keeps_marks = core->is_swept && vcpus > 1;
	if (core->keeps_marks && !kept &&
	    push_present(iso, core, fan_machine_end(iso->machine)) < 0)
		iso->error = -ENOMEM;
}

/* Looks at who has the CPU. */
static void look(struct fan_isolation *iso, int32_t cpu)
{
	struct fan_iso_cpu *c = &iso->cpus[cpu];
	const struct fan_thread *th;

	c->thread = fan_machine_occupant(iso->machine, cpu).thread;
	c->party = -1;
	c->is_vcpu = c->is_member = false;
	if (c->thread >= 0) {
		th = fan_threads_at(iso->threads, (size_t)c->thread);
		c->party = fan_parties_of(iso->parties, th->account);
		c->is_vcpu = th->is_vcpu;
		c->is_member = c->party >= 0 && (th->is_vcpu || fcap_vcpu_from_comm(th->comm) >= 0);
	}
	review(iso, &iso->items[c->core]);
}

int fan_iso_add_cores(struct fan_isolation *iso)
{
	const struct fan_cores *cores = iso->cores;
	const size_t first = iso->ncores;
	void *items = iso->items;
	int r = fan_reserve(&items, first, cores->n - first, &iso->room, sizeof(*iso->items));

	iso->items = items;
	if (r == 0)
		r = grow_cpus(iso, cores->ncpus);
	for (size_t k = first; r == 0 && k < cores->n; k++) {
		iso->ncores++;
		r = begin_core(iso, &iso->items[k], &cores->cores[k]);
	}
	for (size_t k = first; r == 0 && k < cores->n; k++)
		for (unsigned int i = 0; i < iso->items[k].n; i++)
			look(iso, iso->items[k].cpus[i]);
	return r;
}

/* A CPU of a core; NULL: of none that is known, or no memory. */
static inline struct fan_iso_cpu *find_cpu(struct fan_isolation *iso, int32_t cpu)
{
	if (!iso->cores->has_smt)
		return NULL;
	if (iso->ncores != iso->cores->n && fan_iso_add_cores(iso) < 0)
		iso->error = -ENOMEM;
	return iso->error || cpu < 0 || (size_t)cpu >= iso->ncpus || iso->cpus[cpu].core < 0
		       ? NULL
		       : &iso->cpus[cpu];
}

/* The analysed time begins: who is in the guest is so from there on. */
static __attribute__((noinline)) void begin(struct fan_isolation *iso)
{
	iso->has_begun = true;
	for (size_t k = 0; k < iso->ncores; k++) {
		iso->items[k].epoch++;
		if (iso->items[k].keeps_marks && push_present(iso, &iso->items[k], iso->from_ns))
			iso->error = -ENOMEM;
	}
}

static inline void pass_time(struct fan_isolation *iso, uint64_t now_ns)
{
	if (!iso->has_begun && now_ns >= iso->from_ns)
		begin(iso);
}

/* A thread has left the CPU. Marks that no span has come for are of one that took no time. */
static void forget(struct fan_isolation *iso, struct fan_iso_cpu *c)
{
	const uint32_t vain = c->marked - c->told;

	c->marks.n -= vain;
	c->marked -= vain;
	iso->items[c->core].queued -= vain;
	c->is_inside = false;
	c->passed_ns = 0;
	c->epoch = 0;
}

void fan_isolation_see_cpu(struct fan_isolation *iso, int32_t cpu)
{
	struct fan_iso_cpu *c = find_cpu(iso, cpu);

	/* only its queue has changed */
	if (!c || (c->thread == FAN_CPU_IDLE &&
		   fan_machine_occupant(iso->machine, cpu).thread == FAN_CPU_IDLE))
		return;
	pass_time(iso, fan_machine_end(iso->machine));
	forget(iso, c);
	look(iso, cpu);
}

/* What is known of a span's thread by now. */
static struct fan_iso_span describe(const struct fan_isolation *iso, const struct fan_span *span)
{
	struct fan_iso_span s = { .t1_ns = span->t1_ns, .thread = span->thread, .party = -1 };
	const struct fan_task_fact *task;
	const struct fan_thread *th;

	if (span->thread < 0) {
		s.kind = span->thread == FAN_CPU_IDLE ? FAN_ISO_IDLE : FAN_ISO_UNKNOWN;
		return s;
	}
	th = fan_threads_at(iso->threads, (size_t)span->thread);
	task = fan_facts_task(iso->facts, (size_t)span->thread);
	s.cookie = task->cookie;
	s.has_cookie = task->has_cookie;
	s.party = fan_parties_of(iso->parties, th->account);
	if (s.party < 0) {
		s.kind = fan_is_kthread(th, task) ? FAN_ISO_KERNEL : FAN_ISO_OTHER;
		return s;
	}
	s.kind = FAN_ISO_PARTY;
	s.is_vcpu = th->is_vcpu || fcap_vcpu_from_comm(th->comm) >= 0;
	return s;
}

static int push_span(struct fan_isolation *iso, struct fan_iso_cpu *c, struct fan_iso_span span)
{
	struct fan_iso_span *item = fan_fifo_push(&c->spans, sizeof(*item));

	if (!item)
		return -ENOMEM;
	*item = span;
	c->told = span.marks;
	c->end_ns = span.t1_ns;
	c->last = span.thread;
	iso->items[c->core].queued++;
	iso->items[c->core].epoch++;
	return 0;
}

/* A hole: marks there may be are of what comes behind it. */
static int push_unknown(struct fan_isolation *iso, struct fan_iso_cpu *c, uint64_t to_ns)
{
	return push_span(
		iso, c,
		(struct fan_iso_span){
			.t1_ns = to_ns, .thread = FAN_CPU_UNKNOWN, .party = -1, .marks = c->told });
}

/* What is covered already stays as it is; a hole is unknown. */
static int queue_span(struct fan_isolation *iso, const struct fan_span *span)
{
	struct fan_iso_cpu *c = &iso->cpus[span->cpu];
	struct fan_iso_span s;
	int r = 0;

	if (span->t1_ns <= c->end_ns)
		return 0;
	if (span->t0_ns > c->end_ns)
		r = push_unknown(iso, c, span->t0_ns);
	if (r < 0)
		return r;
	s = describe(iso, span);
	s.marks = c->marked;
	s.goes_on = span->thread == c->last &&
		    (span->begin == FAN_EDGE_CUT || span->t0_ns < c->end_ns);
	return push_span(iso, c, s);
}

/* Up to where all siblings are covered. */
static uint64_t covered_ns(const struct fan_isolation *iso, const struct fan_iso_core *core)
{
	uint64_t ns = UINT64_MAX;

	for (unsigned int i = 0; i < core->n; i++) {
		const uint64_t end = fan_iso_sibling(iso, core, i)->end_ns;

		ns = end < ns ? end : ns;
	}
	return ns;
}

/* What the siblings run is taken to have gone on up to now; but for that whose span just comes. */
static int grant(struct fan_isolation *iso, const struct fan_iso_core *core, int32_t but)
{
	const uint64_t now = fan_iso_clip(iso, fan_machine_end(iso->machine));
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		const int32_t cpu = core->cpus[i];
		const struct fan_occupant o = fan_machine_occupant(iso->machine, cpu);
		struct fan_span span = { o.since_ns, now,	    o.thread,	     cpu,
					 FAN_ST_RUN, FAN_EDGE_SEEN, FAN_EDGE_UNKNOWN };

		if (o.thread >= 0)
			span.begin = fan_threads_at(iso->threads, (size_t)o.thread)->begin;
		if (cpu != but)
			r = queue_span(iso, &span);
	}
	return r;
}

static bool is_full(const struct fan_isolation *iso, const struct fan_iso_core *core)
{
	for (unsigned int i = 0; i < core->n; i++) {
		const struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		if (c->spans.n > FAN_ISO_SPANS || c->marks.n > FAN_ISO_MARKS)
			return true;
	}
	return false;
}

static __attribute__((noinline)) int sweep(struct fan_isolation *iso, struct fan_iso_core *core,
					   int32_t teller)
{
	int r = fan_iso_sweep(iso, core, covered_ns(iso, core));

	if (r == 0 && is_full(iso, core)) {
		r = grant(iso, core, teller);
		if (r == 0)
			r = fan_iso_sweep(iso, core, covered_ns(iso, core));
	}
	core->sweep_at = core->queued + FAN_ISO_BATCH;
	return r;
}

/* Entries that were passed over at the very time of a switch come after it, as all others do. */
static __attribute__((noinline)) int mark_passed(struct fan_isolation *iso,
						 const struct fan_iso_core *core, uint64_t at_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		if (c->passed_ns != at_ns)
			continue;
		c->passed_ns = 0;
		r = push_mark(iso, c, iso->has_entries ? FAN_ISO_ENTER : FAN_ISO_LOAD, at_ns);
		if (r == 0 && !c->is_inside)
			r = push_mark(iso, c, FAN_ISO_LEAVE, at_ns);
	}
	return r;
}

int fan_isolation_take(struct fan_isolation *iso, const struct fan_span *span)
{
	const struct fan_iso_cpu *c = find_cpu(iso, span->cpu);
	const uint64_t now = fan_machine_end(iso->machine);
	struct fan_iso_core *core = c ? &iso->items[c->core] : NULL;
	int r = 0;

	if (!core || !core->is_swept)
		return iso->error;
	pass_time(iso, now);
	if (core->passed_ns == now && span->t1_ns == now)
		r = mark_passed(iso, core, now);
	if (r == 0)
		r = queue_span(iso, span);
	if (r == 0 && core->queued >= core->sweep_at)
		r = sweep(iso, core, span->cpu);
	return r < 0 ? r : iso->error;
}

/* From the first kvm_entry on the begin of KVM_RUN stands for itself only. */
static __attribute__((noinline)) void note_entries(struct fan_isolation *iso)
{
	iso->has_entries = true;
	for (size_t i = 0; i < iso->ncpus; i++) {
		struct fan_iso_cpu *c = &iso->cpus[i];

		c->is_inside = false;
		c->epoch = 0;
		for (size_t k = 0; k < c->marks.n; k++) {
			uint64_t *mark = fan_fifo_at(&c->marks, k, sizeof(*mark));

			*mark = (*mark >> FAN_ISO_MARK_BITS << FAN_ISO_MARK_BITS) | FAN_ISO_LEAVE;
		}
	}
}

/* What an event tells of the guest: a mark, or -1. */
static int mark_of(const struct fan_isolation *iso, enum fan_vcpu_what what)
{
	switch (what) {
	case FAN_VCPU_ENTRY:
		return FAN_ISO_ENTER;
	case FAN_VCPU_EXIT:
		return iso->has_entries ? FAN_ISO_LEAVE : -1;
	case FAN_VCPU_LOAD:
		return iso->has_entries ? FAN_ISO_LEAVE : FAN_ISO_LOAD;
	case FAN_VCPU_USER:
	case FAN_VCPU_UNLOAD:
		return FAN_ISO_LEAVE;
	case FAN_VCPU_OTHER:
	case FAN_VCPU_WOKEN:
	case FAN_VCPU_WHATS:
		break;
	}
	return -1;
}

/*
 * While no other sibling runs a vCPU thread nothing is shared. But that one does may turn out
 * later: then the first entry since each switch matters.
 */
static bool is_kept(const struct fan_iso_core *core, const struct fan_iso_cpu *c, bool enters)
{
	if (enters)
		return c->epoch != core->epoch || (core->keeps_marks && !c->is_inside);
	return core->keeps_marks && c->is_inside;
}

int fan_isolation_kvm(struct fan_isolation *iso, int32_t cpu, enum fan_vcpu_what what,
		      uint64_t now_ns)
{
	struct fan_iso_cpu *c = find_cpu(iso, cpu);
	struct fan_iso_core *core = c ? &iso->items[c->core] : NULL;
	int mark, r = 0;
	bool enters;

	if (!core || !core->is_swept)
		return iso->error;
	pass_time(iso, now_ns);
	if (!c->is_vcpu)
		look(iso, cpu);
	if (what == FAN_VCPU_ENTRY && !iso->has_entries)
		note_entries(iso);
	mark = mark_of(iso, what);
	if (!c->is_vcpu || mark < 0)
		return iso->error;
	enters = mark != FAN_ISO_LEAVE;
	if (is_kept(core, c, enters)) {
		c->epoch = enters ? core->epoch : c->epoch;
		r = push_mark(iso, c, (enum fan_iso_mark)mark, now_ns);
	} else if (enters) {
		c->passed_ns = core->passed_ns = now_ns;
	}
	c->is_inside = enters;
	if (r == 0 && core->queued >= core->sweep_at)
		r = sweep(iso, core, -1);
	return r < 0 ? r : iso->error;
}

int fan_iso_cover(struct fan_isolation *iso, const struct fan_iso_core *core, uint64_t end_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = fan_iso_sibling(iso, core, i);

		if (c->end_ns < end_ns)
			r = push_unknown(iso, c, end_ns);
	}
	return r;
}
