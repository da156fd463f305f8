/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stretch of time in which a thread (or a CPU) was in one state. */
#ifndef FAN_MODEL_SPAN_H
#define FAN_MODEL_SPAN_H

#include <stdbool.h>
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
	bool is_clipped; /* the state began before t0, where what is booked begins */
};

/*
 * Called for every span as soon as it has ended, the spans of one CPU and those of one thread in
 * the order of time; th is its thread, NULL where the span is of a CPU that no thread has. < 0
 * stops the model with that error.
 */
typedef int (*fan_span_fn)(void *ctx, const struct fan_span *span, const struct fan_thread *th);

/*
 * The same of a thread that ran, or that waited, from t0 to t1 on (or for) the CPU th->cpu; for who
 * does not ask how well the end is known.
 */
typedef int (*fan_stay_fn)(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
			   enum fan_edge begin);

/*
 * Who is told, at the time of the event that shows it, how many threads want the CPU; each
 * returns < 0 as above. What later events tell of the past (a gap) is not taken back.
 */
struct fan_watch {
	/* of this account, so many threads more or less are runnable, and wait; both 0: the
	 * priority of one of them has changed, and no line told its nice value */
	int (*runnable)(void *ctx, uint64_t now_ns, int32_t account, int runnable, int waiting);
	/* so many threads more or less wait, and as many less or more run: twice a switch, and so
	 * told only while *asks_waiting is not 0 */
	int (*waiting)(void *ctx, uint64_t now_ns, int32_t account, int waiting);
	/* so many CPUs more or less are idle */
	int (*idle)(void *ctx, uint64_t now_ns, int change);
	/* this thread turns out to be a vCPU, or has got the name of a vCPU or of a vhost */
	int (*vcpu)(void *ctx, uint64_t now_ns, int32_t thread);
	void *ctx;
	const unsigned int *asks_waiting; /* NULL: always 0 */
};

/*
 * Called when the occupant of a CPU has changed, to this thread (index, FAN_CPU_IDLE or
 * FAN_CPU_UNKNOWN), or the queue of an idle one.
 */
typedef void (*fan_cpu_fn)(void *ctx, int32_t cpu, int32_t thread);

/*
 * Called when the thread of a CPU has made this kvm event, at this time. < 0 stops the model with
 * that error.
 */
typedef int (*fan_kvm_fn)(void *ctx, int32_t cpu, enum fan_vcpu_what what, uint64_t now_ns);

#endif
