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
	size_t place = 0;

	return fan_machine_next_waiter(v->machine, cpu, &place) >= 0;
}

/* Do threads wait for this CPU, none of which may run beside that thread? */
static bool excludes(const struct fan_idle_view *v, int32_t thread, int32_t cpu)
{
	const uint64_t cookie = cookie_of(v, thread);
	bool is_any = false;
	size_t place = 0;
	int32_t i;

	while (cookie && (i = fan_machine_next_waiter(v->machine, cpu, &place)) >= 0) {
		if (cookie_of(v, i) == cookie)
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
		count(seen, seen->siblings[i].thread, 1);
	}
}

struct fan_core_now fan_core_look(const struct fan_idle_view *v, const struct fan_core *core,
				  int32_t cpu, int32_t thread)
{
	struct fan_sibling *is = fan_core_sibling(core, cpu);
	int32_t was;

	if (core->seen->is_new)
		look_at_all(v, core);
	was = is->thread;
	is->thread = thread;
	count(core->seen, was, -(size_t)1);
	count(core->seen, thread, 1);
	for (size_t i = 0; fan_core_has_both(core) && i < core->n; i++)
		if (core->seen->siblings[i].thread == FAN_CPU_IDLE)
			core->seen->siblings[i].why = reason_of(v, core, core->cpus[i]);
	return (struct fan_core_now){ core, cpu, was, is };
}
