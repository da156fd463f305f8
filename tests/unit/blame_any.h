/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests that hand every span and change of a machine to the blame, as the model does. */
#ifndef TESTS_UNIT_BLAME_ANY_H
#define TESTS_UNIT_BLAME_ANY_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/model/blame.h"
#include "analyze/model/cores.h"

/* th: NULL where no thread has the CPU. */
static inline int blame_any(struct fan_blame *b, const struct fan_span *span,
			    const struct fan_thread *th)
{
	if (!th)
		return fan_blame_take_cpu(b, span);
	if (span->state == FAN_ST_RUN)
		return fan_blame_take_run(b, th, span->t0_ns, span->t1_ns);
	if (span->state != FAN_ST_WAIT)
		return 0;
	return fan_blame_take_wait(b, th, span->t0_ns, span->t1_ns, span->begin);
}

/* What has changed of a CPU's core. False: it has no siblings, or nothing that matters has. */
static inline bool look_at_core(const struct fan_idle_view *view, const struct fan_cores *cores,
				int32_t cpu, int32_t thread, struct fan_core_now *ret)
{
	const struct fan_core *core = fan_core_of(cores, cpu);

	if (!core || core->n < 2 || fan_core_hands_over(core, thread))
		return false;
	*ret = fan_core_look(view, core, cpu, thread);
	return true;
}

#endif
