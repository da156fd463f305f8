/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the trace agree with the kernel? Waits summed from events against run_delay of schedstat,
 * between two samples of a thread. An interval counts only if no gap or loss touched the thread
 * and the trace saw exactly the arrivals that the kernel counted.
 */
#ifndef FAN_MODEL_CLOSURE_H
#define FAN_MODEL_CLOSURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/threads.h"
#include "fcap/marker.h"

struct fan_closure_sum {
	uint64_t intervals, comparable;
	uint64_t backwards;	 /* intervals in which a counter stepped back */
	uint64_t jumps;		 /* intervals in which it rose by more than the time that passed */
	uint64_t counter_all_ns; /* rise of run_delay in all intervals but those two kinds */
	/* over the comparable intervals */
	uint64_t trace_ns, counter_ns, arrivals;
};

/* What the counters of a thread rose by from one sample to the next. */
struct fan_rise {
	uint64_t t0_ns, t1_ns;
	uint64_t run_ns, delay_ns, arrivals;
	bool is_known; /* else a counter stepped back or jumped: the rise means nothing */
	bool is_first; /* the counters as the first sample told them; t0_ns is 0 */
};

struct fan_closure;

struct fan_closure *fan_closure_new(void); /* NULL: no memory */
void fan_closure_free(struct fan_closure *c);

/*
 * Takes a steal line of the thread with this index, stamped ts_ns. 0, -EINVAL: malformed, -ENOMEM.
 * An interval in which a counter stepped back or jumped is not used. run_delay takes up a wait when
 * it ends, so that it may rise by the time since the last arrival.
 */
int fan_closure_take(struct fan_closure *c, const struct fan_threads *threads, size_t thread,
		     const struct fcap_marker *line, uint64_t ts_ns);

/* The sums of one thread; zeros if it was never sampled. */
struct fan_closure_sum fan_closure_of(const struct fan_closure *c, size_t thread);

/* What the last line about this thread told; NULL without any. */
const struct fan_rise *fan_closure_last(const struct fan_closure *c, size_t thread);

/* No thread can run or wait for longer than the time that passed, but for late samples. */
bool fan_rise_is_possible(const struct fan_rise *rise);

/* Adds b to *a. */
void fan_closure_add(struct fan_closure_sum *a, const struct fan_closure_sum *b);

/* The rule: |trace - counter| <= max(0.2 % of counter, 10 us x arrivals). */
int fan_closure_holds(const struct fan_closure_sum *s);

#endif
