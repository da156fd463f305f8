// SPDX-License-Identifier: GPL-3.0-or-later
/* Who waits for which CPU, and who has it; and what the machine tells of its present. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/model/occupancy.h"

/* Takes those off the list who have gone elsewhere, or are there twice; those who wait stay. */
static void tidy(struct fan_machine *m, struct fan_cpu_now *cpu)
{
	const int32_t number = cpu->number;
	size_t n = 0;

	for (size_t i = 0; i < cpu->nlisted; i++) {
		struct fan_thread *th = fan_threads_at(m->threads, (size_t)cpu->listed[i]);

		if (th->listed_cpu != number)
			continue;
		th->listed_cpu = -1;
		if (fan_waits_for(th, number))
			cpu->listed[n++] = cpu->listed[i];
	}
	cpu->nlisted = (uint32_t)n;
	while (n > 0)
		fan_threads_at(m->threads, (size_t)cpu->listed[--n])->listed_cpu = number;
}

/* Room for one more on the list; lists do not grow for the sake of those who have gone. */
static int make_room(struct fan_machine *m, struct fan_cpu_now *cpu)
{
	const size_t room = (size_t)cpu->listed_room * 2 + 16;
	int32_t *grown;

	if (cpu->nlisted < cpu->listed_room)
		return 0;
	tidy(m, cpu);
	if (cpu->nlisted < cpu->listed_room / 2)
		return 0;
	grown = reallocarray(cpu->listed, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	cpu->listed = grown;
	cpu->listed_room = (uint32_t)room;
	return 0;
}

void fan_list_waiter(struct fan_machine *m, struct fan_thread *th)
{
	struct fan_cpu_now *cpu;

	if (th->cpu < 0 || (size_t)th->cpu >= m->ncpus)
		return;
	cpu = &m->cpus[th->cpu];
	if (make_room(m, cpu) < 0) {
		fan_note_error(m, -ENOMEM);
		return;
	}
	th->listed_cpu = th->cpu;
	cpu->listed[cpu->nlisted++] = th->index;
}

void fan_list_waiters(struct fan_machine *m, size_t first_cpu)
{
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		struct fan_thread *th = fan_threads_at(m->threads, i);

		if (th->state == FAN_ST_WAIT && th->cpu >= (int32_t)first_cpu)
			fan_list_waiter(m, th);
	}
}

bool fan_machine_tells_waits(const struct fan_machine *m)
{
	return m->counts.wakeups > 0 || m->waits_from_waking;
}

int32_t fan_machine_holder(const struct fan_machine *m, int32_t cpu)
{
	/* below 0 is above all, as a size */
	return (size_t)cpu >= m->ncpus || !m->cpus[cpu].is_started ? FAN_CPU_UNKNOWN
								   : m->cpus[cpu].cur;
}

struct fan_occupant fan_machine_occupant(const struct fan_machine *m, int32_t cpu)
{
	const struct fan_cpu_now *c;

	if (cpu < 0 || (size_t)cpu >= m->ncpus || !m->cpus[cpu].is_started)
		return (struct fan_occupant){ FAN_CPU_UNKNOWN, 0, 0 };
	c = &m->cpus[cpu];
	return (struct fan_occupant){ c->cur,
				      c->cur >= 0
					      ? fan_threads_at(m->threads, (size_t)c->cur)->since_ns
					      : c->since,
				      c->last };
}

struct fan_waiters fan_machine_waiters(const struct fan_machine *m, int32_t cpu)
{
	const struct fan_cpu_now *c = (size_t)cpu < m->ncpus ? &m->cpus[cpu] : NULL;

	if (!c || c->nlisted == 0)
		return (struct fan_waiters){ m->threads, NULL, NULL, cpu };
	return (struct fan_waiters){ m->threads, c->listed, c->listed + c->nlisted, cpu };
}

void fan_machine_cut_wait(struct fan_machine *m, int32_t thread, uint64_t t_ns)
{
	struct fan_thread *th = fan_threads_at(m->threads, (size_t)thread);

	if (th->state == FAN_ST_WAIT)
		fan_book(m, th, t_ns < m->now ? t_ns : m->now, FAN_EDGE_CUT);
}
