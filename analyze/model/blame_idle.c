// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Why a CPU idles while threads wait for it: their wake-up is under way, or core scheduling forces
 * it. What that rule (idle_reason.h) looks at is noted whenever it changes; the idle time itself is
 * cut later.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/blame_parts.h"

void fan_blame_forget_marks(struct fan_blame_cpu *cpu, uint64_t t_ns)
{
	size_t past = 0;

	while (past < cpu->nmarks && cpu->marks[past].at_ns <= t_ns)
		past++;
	if (past < 2)
		return;
	cpu->nmarks -= past - 1;
	memmove(cpu->marks, &cpu->marks[past - 1], cpu->nmarks * sizeof(*cpu->marks));
}

static void note(struct fan_blame *b, struct fan_blame_cpu *c, enum fan_holder why)
{
	const uint64_t now = fan_machine_end(b->machine);
	struct fan_idle_mark *grown;

	if (c->nmarks && c->marks[c->nmarks - 1].at_ns == now) {
		c->marks[c->nmarks - 1].why = why;
		return;
	}
	if (c->nmarks == c->marks_room) {
		grown = reallocarray(c->marks, c->nmarks * 2 + 4, sizeof(*grown));
		if (!grown) {
			b->error = -ENOMEM;
			return;
		}
		c->marks = grown;
		c->marks_room = c->nmarks * 2 + 4;
	}
	c->marks[c->nmarks++] = (struct fan_idle_mark){ now, why };
}

/* Of a CPU that stays idle while its core changes very often, the rest is unknown. */
static void review(struct fan_blame *b, struct fan_blame_cpu *c, enum fan_holder why)
{
	if (c->nmarks == FAN_MARKS_MAX)
		return;
	if (c->nmarks == FAN_MARKS_MAX - 1)
		why = FAN_HELD_UNKNOWN;
	if (why != (c->nmarks ? c->marks[c->nmarks - 1].why : FAN_HELD_IDLE))
		note(b, c, why);
}

void fan_blame_see_cpu(struct fan_blame *b, const struct fan_core_now *now)
{
	const struct fan_core *core = now->core;

	/* the last one has the highest number */
	if (!fan_blame_cpu(b, core->cpus[core->n - 1])) {
		b->error = -ENOMEM;
		return;
	}
	if (now->thread != FAN_CPU_IDLE)
		b->cpus[now->cpu].nmarks = 0;
	for (size_t i = 0; now->is_other && i < core->n; i++) {
		const struct fan_sibling *s = &core->seen->siblings[i];

		if (s->thread == FAN_CPU_IDLE)
			review(b, &b->cpus[core->cpus[i]], s->why);
	}
}
