// SPDX-License-Identifier: GPL-3.0-or-later
/* Traces in which only some threads are followed: who is, and what others look like. */
#include "analyze/model/occupancy.h"

void fan_machine_scope(struct fan_machine *m, int32_t root)
{
	struct fan_thread *th = fan_machine_thread(m, root);

	m->is_scoped = true;
	if (th)
		th->is_own = true;
}

bool fan_machine_is_scoped(const struct fan_machine *m)
{
	return m->is_scoped;
}

void fan_machine_adopt(struct fan_machine *m, int32_t tid)
{
	struct fan_thread *th = fan_machine_thread(m, tid);

	if (!th || th->is_own)
		return;
	th->is_own = true;
	if (!m->has_started || th->state == FAN_ST_UNSEEN || th->state == FAN_ST_DEAD)
		return;
	fan_set_state(m, th, FAN_ST_UNKNOWN, FAN_EDGE_UNKNOWN);
	th->breaks++;
}

bool fan_is_in_scope(const struct fan_machine *m, int32_t tid)
{
	const int32_t i = fan_threads_find(m->threads, tid);

	return i >= 0 && fan_threads_at(m->threads, (size_t)i)->is_own;
}

void fan_leave_to_others(struct fan_machine *m, struct fan_cpu_now *cpu)
{
	if (!cpu->is_started) {
		cpu->is_started = true;
		cpu->since = m->start;
		cpu->begin = FAN_EDGE_UNKNOWN;
		fan_set_current(m, cpu, FAN_CPU_UNKNOWN);
	} else if (cpu->cur >= 0) {
		/* one of ours went unseen: events were lost */
		m->counts.gaps++;
		fan_lose_current(m, cpu);
	}
	cpu->last = m->now;
}
