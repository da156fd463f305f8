/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread moves whole pages from the ring buffers of all CPUs into files, unseen. */
#ifndef CAP_DRAIN_H
#define CAP_DRAIN_H

#include <stddef.h>
#include <stdint.h>

#include <tracefs.h>

#include "fcap/err.h"

/* Both stay the caller's, until the drain is freed. */
struct cap_drain_cpu {
	struct tracefs_cpu *src; /* nonblocking; NULL: this CPU has no buffer */
	int dst;
};

struct cap_drain;

/* buffer_bytes: of one CPU; the drain looks in more often when they fill. 0, or error. */
int cap_drain_start(struct cap_drain **ret, const struct cap_drain_cpu *cpu, size_t ncpu,
		    uint64_t buffer_bytes, struct fcap_err *err);

/*
 * Ends the thread and fetches the rest with the last, partly filled pages: tracing must be off.
 * 0, or the first error of the whole time with a sentence.
 */
int cap_drain_stop(struct cap_drain *d, struct fcap_err *err);

/* Bytes in the file of CPU i, whole pages; after the stop. */
uint64_t cap_drain_bytes(const struct cap_drain *d, size_t i);

/* Ends the thread if it still runs. */
void cap_drain_free(struct cap_drain *d);

#endif
