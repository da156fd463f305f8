/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests that hand every span of a machine to the blame, as the model does. */
#ifndef TESTS_UNIT_BLAME_ANY_H
#define TESTS_UNIT_BLAME_ANY_H

#include <stddef.h>

#include "analyze/model/blame.h"

/* th: NULL where no thread has the CPU. */
static inline int blame_any(struct fan_blame *b, const struct fan_span *span,
			    const struct fan_thread *th)
{
	if (!th)
		return fan_blame_take_cpu(b, span);
	if (span->state == FAN_ST_RUN)
		return fan_blame_take_run(b, span, th);
	return span->state == FAN_ST_WAIT ? fan_blame_take_wait(b, span, th) : 0;
}

#endif
