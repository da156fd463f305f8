/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each CPU ran over time, in at most FAN_TIMELINE_BINS bins of equal length: integers, exact
 * to the nanosecond. The bins begin at 1 us and double where the trace goes on, or where more
 * accounts ran than there is room for, so that memory does not grow with the length of a trace.
 * Time is booked by account; labels are folded on at the end.
 *
 * Beside that, forced idle by CPU, and by core the time that it was shared by what must not.
 */
#ifndef FAN_MODEL_TIMELINE_H
#define FAN_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAN_TIMELINE_BINS 400

/* Who had the CPU in a bin, and how long; cells of a CPU are in the order of bins. */
struct fan_timeline_cell {
	int32_t key; /* account, or FAN_CPU_IDLE */
	uint32_t bin;
	uint64_t ns;
};

enum fan_timeline_row {
	FAN_TIMELINE_VIOLATION, /* see isolation.h */
	FAN_TIMELINE_JUDGED,	/* that, or unresolved */
	FAN_TIMELINE_ROWS
};

struct fan_timeline;

struct fan_timeline *fan_timeline_new(void); /* NULL: no memory */
void fan_timeline_free(struct fan_timeline *t);

/* Bin 0 begins here. Before anything else; no time that is booked may be earlier. */
void fan_timeline_start(struct fan_timeline *t, uint64_t start_ns);

/* The CPU was with this account, or FAN_CPU_IDLE, in [t0, t1). 0 or -ENOMEM. */
int fan_timeline_add(struct fan_timeline *t, int32_t cpu, int32_t key, uint64_t t0_ns,
		     uint64_t t1_ns);

/* Of its idle time [t0, t1) was forced. 0 or -ENOMEM. */
int fan_timeline_force(struct fan_timeline *t, int32_t cpu, uint64_t t0_ns, uint64_t t1_ns);
/* Takes back what was told so. */
void fan_timeline_unforce(struct fan_timeline *t, int32_t cpu, uint64_t t0_ns, uint64_t t1_ns);

/*
 * The core was so in [t0, t1), of which parts may have been told before, but nothing behind t1.
 * before_ns is how much of it was so before t0: fan_timeline_covered() at t0, and of what is told
 * since then what is earlier than t0. 0 or -ENOMEM.
 */
int fan_timeline_cover(struct fan_timeline *t, size_t core, enum fan_timeline_row row,
		       uint64_t t0_ns, uint64_t t1_ns, uint64_t before_ns);
/* How long the core was so, as far as is told. */
uint64_t fan_timeline_covered(const struct fan_timeline *t, size_t core, enum fan_timeline_row row);

/* --- to be read --- */

/*
 * The begin of the first bin, the length of all as it is now, and how many of them it takes up to
 * end_ns, the last one maybe in part.
 */
uint64_t fan_timeline_start_ns(const struct fan_timeline *t);
uint64_t fan_timeline_bin_ns(const struct fan_timeline *t);
size_t fan_timeline_bins(const struct fan_timeline *t, uint64_t end_ns);

/* CPUs are below; cells of one of them, NULL and 0: nothing was told of it. */
size_t fan_timeline_cpus(const struct fan_timeline *t);
const struct fan_timeline_cell *fan_timeline_cells(const struct fan_timeline *t, int32_t cpu,
						   size_t *ret_n);

/* FAN_TIMELINE_BINS numbers; NULL: all are 0. */
const uint64_t *fan_timeline_forced(const struct fan_timeline *t, int32_t cpu);
const uint64_t *fan_timeline_shared(const struct fan_timeline *t, size_t core,
				    enum fan_timeline_row row);

#endif
