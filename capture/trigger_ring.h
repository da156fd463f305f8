/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's ring buffers of all CPUs, which nobody drains: old events are overwritten by new
 * ones, until somebody wants what is in them.
 */
#ifndef CAP_TRIGGER_RING_H
#define CAP_TRIGGER_RING_H

#include <stdbool.h>

#include "capture/cpu_stats.h"
#include "capture/marks.h"
#include "capture/parts.h"
#include "capture/session.h"
#include "capture/tracedat_write.h"
#include "fcap/err.h"

struct cap_ring;

/* How far the rings go back. */
struct cap_ring_reach {
	uint64_t from_ns; /* from here on no event of any CPU is missing */
	bool has_overrun; /* for room; else they have all since they were switched on */
};

/*
 * One CPU more, by its counts and by those at the time when its ring was empty. Stamps are cut at
 * the us, so that from_ns is up to 1 us late.
 */
void cap_ring_reach_add(struct cap_ring_reach *r, const struct cap_cpu_stats *then,
			const struct cap_cpu_stats *now);

/* Session and layout are borrowed until the close. 0, or negative errno with a sentence. */
int cap_ring_open(struct cap_ring **ret, struct cap_session *s, const struct cap_marks_layout *at,
		  struct fcap_err *err);

uint32_t cap_ring_ncpu(const struct cap_ring *r);

/* Switches tracing on, with empty rings. */
int cap_ring_on(struct cap_ring *r, struct fcap_err *err);

/* Switches it off, and looks. */
int cap_ring_off(struct cap_ring *r, struct cap_ring_reach *ret, struct fcap_err *err);

/* "lost" lines for the CPUs that lost events, but for room. After cap_ring_off(). */
int cap_ring_tell_lost(const struct cap_ring *r, struct cap_sink to);

/* What came of it. */
struct cap_ring_saved {
	struct cap_dat_cpu *pages; /* by CPU: files of their own, the caller's; -1: none */
	uint64_t events, bytes;
};

/*
 * Moves the events from from_ns on into the parts "cpuN", and drops all older ones: the rings are
 * empty then. 0, or negative errno with a sentence; ret is to be cleared in both cases.
 */
int cap_ring_save(struct cap_ring *r, uint64_t from_ns, struct cap_parts *parts,
		  struct cap_ring_saved *ret, struct fcap_err *err);
void cap_ring_saved_clear(struct cap_ring_saved *s, uint32_t ncpu);

void cap_ring_close(struct cap_ring *r);

#endif
