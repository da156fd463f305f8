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
		if (core->siblings[i].thread >= 0 && excludes(v, core->siblings[i].thread, cpu))
			return FAN_HELD_FORCED;
	return FAN_HELD_IDLE;
}

struct fan_core_now fan_core_look(const struct fan_idle_view *v, const struct fan_core *core,
				  int32_t cpu)
{
	struct fan_core_now now = { .core = core, .cpu = cpu };

	for (size_t i = 0; i < core->n; i++) {
		const int32_t thread = fan_machine_holder(v->machine, core->cpus[i]);

		if (core->cpus[i] == cpu) {
			now.was = core->siblings[i].thread;
			now.thread = thread;
		}
		core->siblings[i].thread = thread;
		now.idle += thread == FAN_CPU_IDLE;
		now.running += thread >= 0;
	}
	for (size_t i = 0; now.idle && now.running && i < core->n; i++)
		if (core->siblings[i].thread == FAN_CPU_IDLE)
			core->siblings[i].why = reason_of(v, core, core->cpus[i]);
	return now;
}
