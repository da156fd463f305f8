/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ring buffers of all CPUs on their way into part files, and what the kernel counted. */
#ifndef CAP_BUFFERS_H
#define CAP_BUFFERS_H

#include "capture/drain.h"
#include "capture/emit.h"
#include "capture/parts.h"
#include "capture/session.h"
#include "capture/tracedat_write.h"

struct cap_buffers {
	uint32_t ncpu;
	/* the rest is known after the stop */
	struct cap_dat_cpu *pages; /* by CPU */
	char **stats;		   /* by CPU: per_cpu/cpuN/stats, or NULL */
	uint64_t events, lost, bytes;
	uint64_t
		enough; /* estimate of the bytes a CPU that would have kept all; 0: none was lost */

	struct cap_drain_cpu *cpu; /* private */
	struct cap_drain *drain;   /* private */
	uint64_t buffer_bytes;	   /* private */
	size_t page_size;	   /* private */
};

/*
 * Opens all buffers and begins to drain them into the parts "cpuN". conf: its cpu and ncpu are
 * filled in here. 0, or error.
 */
int cap_buffers_start(struct cap_buffers **ret, const struct cap_session *s,
		      struct cap_parts *parts, struct cap_drain_conf conf, struct fcap_err *err);

/* Of a recording without events: no buffer, and nothing in it. 0 or -ENOMEM. */
int cap_buffers_none(struct cap_buffers **ret, uint32_t ncpu);

/* Fetches the rest (tracing is off), reads the counts, writes a "lost" line for each CPU that
 * lost events. 0, or negative errno with a sentence; pages are what could be stored then. */
int cap_buffers_stop(struct cap_buffers *b, const struct cap_session *s, struct cap_sink to,
		     struct fcap_err *err);

/* While they are drained: what came so far, what was lost of it, and what still waits. */
struct cap_buffers_now {
	uint64_t events, bytes, lost;
	uint64_t fill_bytes; /* of the fullest one */
};

/* Asks the kernel; what cannot be told counts 0. NULL is no buffers. */
struct cap_buffers_now cap_buffers_look(const struct cap_buffers *b, const struct cap_session *s);

void cap_buffers_close(struct cap_buffers *b);

#endif
