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
};

/* A CPU that has changed, and its core, of which some CPU idles, or did before, or is unknown. */
struct fan_core_now {
	const struct fan_core *core;
	int32_t cpu;
	int32_t thread;	  /* its own now: index, FAN_CPU_IDLE or FAN_CPU_UNKNOWN */
	bool was_unknown; /* it, before */
	bool is_other;	  /* some CPU of the core is held idle for another reason than before */
};

/*
 * A thread gets one of the CPUs while all of the core run threads: it takes over from another one,
 * and nobody is forced to idle, neither before nor after. If not, the core is to be looked at.
 */
static inline bool fan_core_hands_over(const struct fan_core *core, int32_t thread)
{
	return thread >= 0 && core->seen->running == core->n;
}

/*
 * This CPU of the core has changed its occupant, to thread; or it idles, and its queue has changed.
 * To be told of all such changes, but for those above. Why a CPU is idle:
 *
 *  FAN_HELD_FORCED  a sibling runs a thread with a cookie that is not 0, and no thread in the
 *                   CPU's queue has that cookie. A thread that the recorder could not ask counts
 *                   as one with cookie 0
 *  FAN_HELD_MAYBE   no cookie was told yet; threads wait, and a sibling runs
 *  FAN_HELD_IDLE    neither
 */
struct fan_core_now fan_core_look(const struct fan_idle_view *v, const struct fan_core *core,
				  int32_t cpu, int32_t thread);

#endif
