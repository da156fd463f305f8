/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What prev_state of sched_switch means in this file, by the event's own print format. */
#ifndef FAN_TRACE_RUN_STATE_H
#define FAN_TRACE_RUN_STATE_H

#include <stdint.h>

struct tep_event;

/*
 * Bits of prev_state that mean "not runnable": those below the constant that guards the "+"
 * (preempted) mark of the print format. All bits if the format has no such mark, as in kernels
 * before 3.0, where only 0 is runnable.
 */
uint64_t fan_run_state_mask(const struct tep_event *sched_switch);

#endif
