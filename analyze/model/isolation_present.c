// SPDX-License-Identifier: GPL-3.0-or-later
/* What siblings do at present: who runs there, and the marks of who goes into its guest. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/model/isolation_parts.h"

void fan_iso_book_beside(struct fan_isolation *iso)
{
	const uint64_t now = fan_iso_clip(iso, fan_machine_end(iso->machine));

	if (iso->idle_cores && iso->mixed_cores)
		iso->beside_ns += now - iso->beside_since;
	iso->beside_since = now;
}

/* True: it fills its queue. */
static inline bool put_mark(const struct fan_isolation *iso, struct fan_iso_cpu *c,
			    enum fan_iso_step step, uint64_t now_ns)
{
	struct fan_iso_core *core = c->core;

	if (!iso->has_begun || now_ns > iso->to_ns)
		return false;
	core->marks[core->nmarks++] = (struct fan_iso_mark){ now_ns, c, step };
	return core->nmarks >= core->marks_full;
}

/* 0 or -ENOMEM. */
static int push_mark(const struct fan_isolation *iso, struct fan_iso_cpu *c, enum fan_iso_step step,
		     uint64_t now_ns)
{
	return put_mark(iso, c, step, now_ns) ? fan_iso_grow_marks(c->core) : 0;
}

/* Marks are kept from now on: where each is now. */
static int push_present(const struct fan_isolation *iso, const struct fan_iso_core *core,
			uint64_t now_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = &core->siblings[i];

		if (c->is_vcpu)
			r = push_mark(iso, c, c->is_inside ? FAN_ISO_INSIDE : FAN_ISO_LEAVE,
				      now_ns);
	}
	return r;
}

static inline void set_mixed(struct fan_isolation *iso, struct fan_iso_core *core, bool is_mixed)
{
	if (is_mixed == core->is_mixed)
		return;
	if (iso->idle_cores)
		fan_iso_book_beside(iso);
	iso->mixed_cores += is_mixed ? 1 : -1U;
	core->is_mixed = is_mixed;
}

static void set_idle(struct fan_isolation *iso, struct fan_iso_core *core, bool is_idle)
{
	if (is_idle == core->is_idle)
		return;
	if (iso->mixed_cores)
		fan_iso_book_beside(iso);
	iso->idle_cores += is_idle ? 1 : -1U;
	core->is_idle = is_idle;
}

/* member: of one of them, or -1. */
static inline bool are_mixed(const struct fan_iso_core *core, int32_t member)
{
	for (unsigned int i = 0; i < core->n; i++) {
		const int32_t other = core->siblings[i].member;

		if (member < 0)
			member = other;
		else if (other >= 0 && other != member)
			return true;
	}
	return false;
}

/* Not only another thread of the same kind. */
static __attribute__((noinline)) void change_kind(struct fan_isolation *iso, struct fan_iso_cpu *c,
						  bool is_idle, bool is_vcpu)
{
	struct fan_iso_core *core = c->core;
	const bool kept = core->keeps_marks;

	core->idle += (unsigned int)is_idle - c->is_idle;
	core->vcpus += (unsigned int)is_vcpu - c->is_vcpu;
	c->is_idle = is_idle;
	c->is_vcpu = is_vcpu;
	set_idle(iso, core, core->idle == core->n);
	core->keeps_marks = core->is_swept && core->vcpus > 1;
	if (core->keeps_marks && !kept &&
	    push_present(iso, core, fan_machine_end(iso->machine)) < 0)
		iso->error = -ENOMEM;
}

/* This thread, or none, has the CPU. */
static inline __attribute__((always_inline)) void look(struct fan_isolation *iso,
						       struct fan_iso_cpu *c, int32_t thread)
{
	const bool is_idle = thread == FAN_CPU_IDLE;
	const struct fan_thread *th;
	bool is_vcpu = false;
	int32_t member = -1;

	if (thread >= 0) {
		th = fan_threads_at(iso->threads, (size_t)thread);
		is_vcpu = th->is_vcpu;
		if (is_vcpu || th->has_vcpu_name)
			member = fan_parties_of(iso->parties, th->account);
	}
	if (is_idle != c->is_idle || is_vcpu != c->is_vcpu)
		change_kind(iso, c, is_idle, is_vcpu);
	if (member == c->member)
		return;
	c->member = member;
	set_mixed(iso, c->core, are_mixed(c->core, member));
}

void fan_iso_look(struct fan_isolation *iso, struct fan_iso_cpu *c)
{
	look(iso, c, fan_machine_holder(iso->machine, c->number));
}

/* Who is in the guest is so from there on. */
static void begin(struct fan_isolation *iso)
{
	iso->has_begun = true;
	for (size_t k = 0; k < iso->ncores; k++) {
		iso->items[k]->epoch += iso->items[k]->is_swept;
		if (iso->items[k]->keeps_marks && push_present(iso, iso->items[k], iso->from_ns))
			iso->error = -ENOMEM;
	}
}

void fan_iso_catch_up(struct fan_isolation *iso, uint64_t now_ns)
{
	if (iso->ncores != iso->cores->n && fan_iso_add_cores(iso) < 0)
		iso->error = -ENOMEM;
	if (!iso->has_begun && now_ns >= iso->from_ns)
		begin(iso);
	iso->settled = iso->has_begun ? iso->ncores : SIZE_MAX;
	iso->is_under_way = iso->has_begun && iso->has_entries;
}

/* How much is known of who is who. */
static inline uint64_t known_of(const struct fan_isolation *iso)
{
	const int32_t *vcpus;

	return fan_threads_regrouped(iso->threads) + fan_parties_vcpus(iso->parties, &vcpus);
}

/* Lines may have told since of threads that have CPUs who they are. */
static __attribute__((noinline)) void look_again(struct fan_isolation *iso)
{
	iso->known = known_of(iso);
	for (size_t i = 0; i < iso->ncpus; i++)
		if (iso->cpus[i])
			fan_iso_look(iso, iso->cpus[i]);
}

/* A thread has left the CPU. Marks at the very end of its time, or of no time, are not entries. */
static inline void forget(struct fan_iso_cpu *c)
{
	struct fan_iso_mark *marks = c->core->marks;

	for (size_t i = c->core->nmarks; i-- > 0 && marks[i].at_ns >= c->end_ns;)
		if (marks[i].cpu == c)
			marks[i].step = FAN_ISO_LEAVE;
	c->is_inside = false;
	c->passed_ns = 0;
	c->epoch = 0;
}

void fan_isolation_see_cpu(struct fan_isolation *iso, int32_t cpu, int32_t thread)
{
	struct fan_iso_cpu *c;

	fan_iso_keep_up(iso, fan_machine_end(iso->machine));
	c = fan_iso_find_cpu(iso, cpu);
	/* only its queue has changed */
	if (!c || (thread == FAN_CPU_IDLE && c->is_idle))
		return;
	forget(c);
	look(iso, c, thread);
	if (known_of(iso) != iso->known)
		look_again(iso);
}

/* From the first kvm_entry on the begin of KVM_RUN stands for itself only. */
static __attribute__((noinline)) void note_entries(struct fan_isolation *iso)
{
	iso->has_entries = true;
	iso->is_under_way = iso->has_begun;
	for (size_t k = 0; k < iso->ncores; k++)
		for (size_t i = 0; i < iso->items[k]->nmarks; i++)
			iso->items[k]->marks[i].step = FAN_ISO_LEAVE;
	for (size_t i = 0; i < iso->ncpus; i++) {
		struct fan_iso_cpu *c = iso->cpus[i];

		if (!c)
			continue;
		c->is_inside = false;
		c->epoch = 0;
		c->passed_ns = 0;
	}
}

/* What an event tells of the guest: before any kvm_entry, and after the first. */
static const enum fan_iso_step step_of[2][FAN_VCPU_WHATS] = {
	{
		[FAN_VCPU_ENTRY] = FAN_ISO_ENTER,
		[FAN_VCPU_EXIT] = FAN_ISO_STAY,
		[FAN_VCPU_LOAD] = FAN_ISO_LOAD,
		[FAN_VCPU_USER] = FAN_ISO_LEAVE,
		[FAN_VCPU_UNLOAD] = FAN_ISO_LEAVE,
		[FAN_VCPU_OTHER] = FAN_ISO_STAY,
		[FAN_VCPU_WOKEN] = FAN_ISO_STAY,
	},
	{
		[FAN_VCPU_ENTRY] = FAN_ISO_ENTER,
		[FAN_VCPU_EXIT] = FAN_ISO_LEAVE,
		[FAN_VCPU_LOAD] = FAN_ISO_LEAVE,
		[FAN_VCPU_USER] = FAN_ISO_LEAVE,
		[FAN_VCPU_UNLOAD] = FAN_ISO_LEAVE,
		[FAN_VCPU_OTHER] = FAN_ISO_STAY,
		[FAN_VCPU_WOKEN] = FAN_ISO_STAY,
	},
};

/* Marks fill their queue: some may leave it. */
static __attribute__((noinline)) int make_room(struct fan_isolation *iso, struct fan_iso_core *core)
{
	int r = fan_iso_sweep_covered(iso, core, -1);

	if (r == 0 && 2 * core->nmarks > core->marks_full)
		r = fan_iso_grow_marks(core);
	return r < 0 ? r : iso->error;
}

/*
 * It enters its guest or leaves it. While no other sibling runs a vCPU thread nothing is shared.
 * But that one does may turn out later: then the first entry since each switch matters.
 */
static inline int take_step(struct fan_isolation *iso, struct fan_iso_cpu *c,
			    enum fan_iso_step step, uint64_t now_ns)
{
	struct fan_iso_core *core = c->core;
	const bool enters = step != FAN_ISO_LEAVE;
	const bool is_news = core->keeps_marks && enters != c->is_inside;

	c->is_inside = enters;
	if (!is_news && !(enters && c->epoch != core->epoch)) {
		if (enters)
			c->passed_ns = core->passed_ns = now_ns;
		return iso->error;
	}
	if (enters)
		c->epoch = core->epoch;
	return put_mark(iso, c, step, now_ns) ? make_room(iso, core) : iso->error;
}

/* Something may not be known yet. */
static __attribute__((noinline)) int take_early(struct fan_isolation *iso, int32_t cpu,
						enum fan_vcpu_what what, uint64_t now_ns)
{
	struct fan_iso_cpu *c;
	enum fan_iso_step step;

	fan_iso_keep_up(iso, now_ns);
	/* wherever it is made */
	if (what == FAN_VCPU_ENTRY && !iso->has_entries)
		note_entries(iso);
	c = fan_iso_find_cpu(iso, cpu);
	if (!c)
		return iso->error;
	if (!c->is_vcpu)
		fan_iso_look(iso, c);
	step = step_of[iso->has_entries][what];
	return c->is_vcpu && step != FAN_ISO_STAY ? take_step(iso, c, step, now_ns) : iso->error;
}

int fan_isolation_kvm(struct fan_isolation *iso, int32_t cpu, enum fan_vcpu_what what,
		      uint64_t now_ns)
{
	struct fan_iso_cpu *c = fan_iso_find_cpu(iso, cpu);
	const enum fan_iso_step step = step_of[1][what];

	if (!iso->is_under_way || !c || !c->is_vcpu)
		return take_early(iso, cpu, what, now_ns);
	return step == FAN_ISO_STAY ? iso->error : take_step(iso, c, step, now_ns);
}

int fan_iso_mark_passed(struct fan_isolation *iso, const struct fan_iso_core *core, uint64_t now_ns)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < core->n; i++) {
		struct fan_iso_cpu *c = &core->siblings[i];

		if (c->passed_ns != now_ns)
			continue;
		c->passed_ns = 0;
		r = push_mark(iso, c, iso->has_entries ? FAN_ISO_ENTER : FAN_ISO_LOAD, now_ns);
		if (r == 0 && !c->is_inside)
			r = push_mark(iso, c, FAN_ISO_LEAVE, now_ns);
	}
	return r;
}
