// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/idle_reason.h"

/* Of a thread that the recorder could not ask: none, as kernel threads have. */
static uint64_t cookie_of(const struct fan_idle_view *v, int32_t thread)
{
	const struct fan_task_fact *task = fan_facts_task(v->facts, (size_t)thread);

	return task->has_cookie ? task->cookie : 0;
}

static bool has_waiter(const struct fan_idle_view *v, int32_t cpu)
{
	struct fan_waiters queue = fan_machine_waiters(v->machine, cpu);

	return fan_waiters_next(&queue) != NULL;
}

/* Do threads wait for this CPU, none of which may run beside that thread? */
static bool excludes(const struct fan_idle_view *v, int32_t thread, int32_t cpu)
{
	const uint64_t cookie = cookie_of(v, thread);
	struct fan_waiters queue = fan_machine_waiters(v->machine, cpu);
	const struct fan_thread *th;
	bool is_any = false;

	while (cookie && (th = fan_waiters_next(&queue))) {
		if (cookie_of(v, th->index) == cookie)
			return false;
		is_any = true;
	}
	return is_any;
}

/* This one idles, and some sibling runs a thread. */
static enum fan_holder reason_of(const struct fan_idle_view *v, const struct fan_core *core,
				 int32_t cpu)
{
	if (!v->facts->has_cookies)
		return has_waiter(v, cpu) ? FAN_HELD_MAYBE : FAN_HELD_IDLE;
	for (size_t i = 0; i < core->n; i++)
		if (core->seen->siblings[i].thread >= 0 &&
		    excludes(v, core->seen->siblings[i].thread, cpu))
			return FAN_HELD_FORCED;
	return FAN_HELD_IDLE;
}

static void count(struct fan_core_seen *seen, int32_t thread, size_t cpus)
{
	if (thread >= 0)
		seen->running += cpus;
	else if (thread == FAN_CPU_IDLE)
		seen->idle += cpus;
}

/* From now on every change is told. */
static __attribute__((noinline)) void look_at_all(const struct fan_idle_view *v,
						  const struct fan_core *core)
{
	struct fan_core_seen *seen = core->seen;

	seen->is_new = false;
	for (size_t i = 0; i < core->n; i++) {
		seen->siblings[i].thread = fan_machine_holder(v->machine, core->cpus[i]);
		seen->siblings[i].why = FAN_HELD_IDLE;
		count(seen, seen->siblings[i].thread, 1);
	}
}

/* Those who run may have taken over from others since. */
static void look_at_threads(const struct fan_idle_view *v, const struct fan_core *core)
{
	for (size_t i = 0; i < core->n; i++) {
		struct fan_sibling *s = &core->seen->siblings[i];

		if (s->thread >= 0)
			s->thread = fan_machine_holder(v->machine, core->cpus[i]);
	}
}

/* Why each sibling is held idle, if it is. True if that is new of any. */
static bool review(const struct fan_idle_view *v, const struct fan_core *core)
{
	struct fan_core_seen *seen = core->seen;
	bool is_other = false;

	look_at_threads(v, core);
	seen->held = 0;
	for (size_t i = 0; i < core->n; i++) {
		struct fan_sibling *s = &seen->siblings[i];
		const bool may_be = s->thread == FAN_CPU_IDLE && seen->running;
		const enum fan_holder why = may_be ? reason_of(v, core, core->cpus[i])
						   : FAN_HELD_IDLE;

		is_other |= why != s->why;
		seen->held += why != FAN_HELD_IDLE;
		s->why = why;
	}
	return is_other;
}

/* What this CPU, which is one of the core's, was. */
static struct fan_sibling *sibling_of(const struct fan_core *core, int32_t cpu)
{
	size_t i = 0;

	while (core->cpus[i] != cpu)
		i++;
	return &core->seen->siblings[i];
}

struct fan_core_now fan_core_look(const struct fan_idle_view *v, const struct fan_core *core,
				  int32_t cpu, int32_t thread)
{
	struct fan_sibling *is = sibling_of(core, cpu);
	bool is_other = false;
	int32_t was;

	if (core->seen->is_new)
		look_at_all(v, core);
	was = is->thread;
	is->thread = thread;
	count(core->seen, was, -(size_t)1);
	count(core->seen, thread, 1);
	if (core->seen->held || (core->seen->idle && core->seen->running))
		is_other = review(v, core);
	return (struct fan_core_now){ core, cpu, thread, was == FAN_CPU_UNKNOWN, is_other };
}
