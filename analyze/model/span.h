/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stretch of time in which a thread (or a CPU) was in one state. */
#ifndef FAN_MODEL_SPAN_H
#define FAN_MODEL_SPAN_H

#include <stdint.h>

#include "analyze/model/threads.h"

#define FAN_CPU_IDLE	(-1) /* "thread" of a span: the CPU was idle */
#define FAN_CPU_UNKNOWN (-2) /* the CPU ran something that the trace does not show */

struct fan_span {
	uint64_t t0_ns, t1_ns; /* t0 < t1 */
	int32_t thread;	       /* index, or FAN_CPU_IDLE, FAN_CPU_UNKNOWN */
	int32_t cpu;	       /* of RUN, idle and unknown CPU; queue of WAIT; -1 unknown */
	enum fan_state state;  /* RUN for idle; UNKNOWN for an unknown CPU */
	enum fan_edge begin, end;
};

/*
 * Called for every span as soon as it has ended, the spans of one CPU and those of one thread in
 * the order of time; < 0 stops the model with that error.
 */
typedef int (*fan_span_fn)(void *ctx, const struct fan_span *span);

/*
 * Called when a thread that counts to this account begins (+1) or ceases (-1) to be runnable, at
 * the time of the event that tells; < 0 as above. What later events tell of the past (a gap) is
 * not taken back.
 */
typedef int (*fan_runnable_fn)(void *ctx, int32_t account, int change);

/* Called when the occupant of a CPU has changed, or the queue of an idle one. */
typedef void (*fan_cpu_fn)(void *ctx, int32_t cpu);

#endif
