/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why an idle CPU is idle while threads wait for it: core scheduling forces it to, or their wake-up
 * is under way. Those who ask do so whenever a core changes, which is often and mostly of no
 * interest to them: see struct fan_core_now.
 */
#ifndef FAN_MODEL_IDLE_REASON_H
#define FAN_MODEL_IDLE_REASON_H

#include "analyze/model/blame_row.h"
#include "analyze/model/cores.h"
#include "analyze/model/facts.h"
#include "analyze/model/machine.h"

/* What is looked at; all borrowed. */
struct fan_idle_view {
	const struct fan_machine *machine;
	const struct fan_facts *facts;
	const struct fan_cores *cores;
};

/*
 * A CPU and its core at the time of the last event: who has it, and how many CPUs of the core are
 * idle, and run threads.
 */
struct fan_core_now {
	const struct fan_core *core;
	int32_t cpu, thread;
	size_t place; /* of the CPU in the core */
	size_t idle, running;
};
struct fan_core_now fan_core_now(const struct fan_machine *machine, const struct fan_core *core,
				 int32_t cpu);

/*
 * Why this CPU, which idles, is idle at the time of the last event:
 *
 *  FAN_HELD_FORCED  a sibling runs a thread with a cookie that is not 0, and no thread in the
 *                   CPU's queue has that cookie. A thread that the recorder could not ask counts
 *                   as one with cookie 0
 *  FAN_HELD_MAYBE   no cookie was told yet; threads wait, and a sibling runs
 *  FAN_HELD_IDLE    neither
 */
enum fan_holder fan_idle_reason(const struct fan_idle_view *v, int32_t cpu);

#endif
