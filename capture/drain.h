/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A few threads move whole pages from the ring buffers of all CPUs into files, unseen. */
#ifndef CAP_DRAIN_H
#define CAP_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/usage.h"
#include "fcap/err.h"

/* Both stay the caller's, until the drain is freed. */
struct cap_drain_cpu {
	int src; /* nonblocking; -1: this CPU has no buffer */
	int dst;
};

/* Everything is borrowed until the drain is freed. */
struct cap_drain_conf {
	const struct cap_drain_cpu *cpu;
	size_t ncpu;
	size_t page_size;	 /* bytes of a page (sub-buffer) of the sources */
	uint64_t buffer_bytes;	 /* of one CPU: the drain looks in more often when they fill */
	unsigned int realtime;	 /* priority of SCHED_FIFO for the threads; 0: as the caller */
	struct cap_usage *usage; /* gets the CPUs they run on; may be NULL */
};

/* What became of one CPU's buffer. */
struct cap_drain_stat {
	uint64_t bytes; /* in its file, whole pages; after the stop */
	/* times between two drains at whose end it was full: the longest, and all */
	uint64_t longest_ns, full_ns;
};

struct cap_drain;

/* 0, or negative errno with a sentence, for example when real time is not permitted. */
int cap_drain_start(struct cap_drain **ret, const struct cap_drain_conf *conf,
		    struct fcap_err *err);

/*
 * Ends the threads and fetches the rest with the last, partly filled pages: tracing must be off.
 * 0, or the first error of the whole time with a sentence.
 */
int cap_drain_stop(struct cap_drain *d, struct fcap_err *err);

/* After the stop; borrowed until the drain is freed. */
const struct cap_drain_stat *cap_drain_stat(const struct cap_drain *d, size_t i);

/* False: the kernel's wake-ups at a watermark are of no use here, or there are none. */
bool cap_drain_is_woken(const struct cap_drain *d);

/* So many threads drain so many CPUs. */
size_t cap_drain_threads(size_t ncpu);

/* Ends the threads if they still run. */
void cap_drain_free(struct cap_drain *d);

#endif
