/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who wants to see single spans, exits and lines pass by while a trace is read, instead of the sums
 * that remain of them. Nothing is kept for him.
 */
#ifndef FAN_MODEL_OBSERVER_H
#define FAN_MODEL_OBSERVER_H

#include <stdint.h>

#include "analyze/model/exits.h"
#include "analyze/model/span.h"
#include "analyze/model/threads.h"
#include "fcap/marker.h"

struct fan_model;

/*
 * Any of them may be NULL; < 0 stops the model with that error. What is handed over is valid until
 * the call returns, threads are as known by then. Spans, exits and stretches in the guest are
 * clipped to what is analysed as sums are, or left out.
 */
struct fan_observer {
	fan_span_fn span;
	/* an exit is over that began at from_ns */
	int (*exit)(void *ctx, const struct fan_exit *exit, const struct fan_thread *th,
		    uint64_t from_ns);
	/* the thread has been in its guest, on a CPU, from t0 to t1; before the span that it is in
	 */
	int (*guest)(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns);
	/* a good line, of any time; m as far as it has got */
	int (*line)(void *ctx, const struct fan_model *m, const struct fcap_marker *line,
		    uint64_t ts_ns);
	void *ctx;
};

#endif
