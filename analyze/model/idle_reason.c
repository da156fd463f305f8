// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/idle_reason.h"

struct fan_core_now fan_core_now(const struct fan_machine *machine, const struct fan_core *core,
				 int32_t cpu)
{
	struct fan_core_now now = { .core = core, .cpu = cpu };

	for (size_t i = 0; i < core->n; i++) {
		const int32_t thread = fan_machine_holder(machine, core->cpus[i]);

		now.idle += thread == FAN_CPU_IDLE;
		now.running += thread >= 0;
		if (core->cpus[i] != cpu)
			continue;
		now.thread = thread;
		now.place = i;
	}
	return now;
}

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

/* May nobody who waits for this CPU run beside that thread? */
static bool excludes(const struct fan_idle_view *v, int32_t thread, int32_t cpu)
{
	const uint64_t cookie = cookie_of(v, thread);
	size_t place = 0;
	int32_t i;

	while (cookie && (i = fan_machine_next_waiter(v->machine, cpu, &place)) >= 0)
		if (cookie_of(v, i) == cookie)
			return false;
	return cookie != 0;
}

enum fan_holder fan_idle_reason(const struct fan_idle_view *v, int32_t cpu)
{
	const struct fan_core *core = fan_core_of(v->cores, cpu);

	if (!core || core->n < 2 || !has_waiter(v, cpu))
		return FAN_HELD_IDLE;
	for (size_t i = 0; i < core->n; i++) {
		const int32_t thread = fan_machine_holder(v->machine, core->cpus[i]);

		if (thread < 0 || core->cpus[i] == cpu)
			continue;
		if (!v->facts->has_cookies)
			return FAN_HELD_MAYBE;
		if (excludes(v, thread, cpu))
			return FAN_HELD_FORCED;
	}
	return FAN_HELD_IDLE;
}
