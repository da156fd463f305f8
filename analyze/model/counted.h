/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files without events: run and wait time of the sampled threads from what the kernel's own
 * counters (steal lines) rose by between two samples, spread evenly over the time between them.
 * A thread that is told of only after the first samples was born since then, so that its first
 * counters are all it did. What a thread did after its last sample is not known.
 */
#ifndef FAN_MODEL_COUNTED_H
#define FAN_MODEL_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/series.h"
#include "analyze/model/threads.h"

struct fan_counted;
struct fan_model;

struct fan_counted_sum {
	uint64_t samples;	   /* intervals between two samples of a thread that were used */
	uint64_t excluded;	   /* others: a counter stepped back or jumped */
	uint64_t resolution_ns;	   /* the time between two samples */
	uint64_t start_ns, end_ns; /* first and last sample */
	uint64_t run_ns;	   /* of all threads */
	uint64_t excluded_ns;	   /* length of those intervals */
	uint64_t ended;		   /* threads that ended between two samples */
	uint64_t ended_ns;	   /* for which nothing is known of them, at most */
	uint64_t vcpu_ended_ns;	   /* of that: of vCPU threads */
};

struct fan_counted *fan_counted_new(void); /* NULL: no memory */
void fan_counted_free(struct fan_counted *c);

/*
 * Takes note of a "task" or "steal" line about a thread, of which the model's closure and facts
 * know. 0 or -ENOMEM.
 */
int fan_counted_take(const struct fan_model *m, size_t thread, bool is_steal, uint64_t ts_ns);

/*
 * Once, at the end of the pass. Where no event tells who ran or was in a guest, and some thread was
 * sampled twice: sets is_counted and counts, the period, the sums, lives, first and last runs of
 * threads, and puts in place of the series one whose windows are no shorter than the time between
 * two samples. 0 or -ENOMEM.
 */
int fan_counted_conclude(struct fan_model *m);

#endif
