/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steal time as counted inside the guests and told by "guest" lines: cumulative, one counter a
 * virtual CPU, in steps of the guest's own resolution. Only for comparison beside the waits of
 * the trace; an interval in which a counter steps back or rises by more than the time that
 * passed is left out and counted.
 */
#ifndef FAN_MODEL_GUEST_STEAL_H
#define FAN_MODEL_GUEST_STEAL_H

#include <stddef.h>
#include <stdint.h>

#include "fcap/marker.h"

/* Over all virtual CPUs of a VM. */
struct fan_guest_sum {
	uint64_t ns;		/* rise of the counters in the intervals that are not left out */
	uint64_t resolution_ns; /* the coarsest that was told; 0: none was */
	uint64_t intervals;	/* between two lines of one virtual CPU, those left out included */
	uint64_t backwards;	/* of them: the counter stepped back; left out */
	uint64_t jumps;		/* of them: it rose by more than the time that passed; left out */
};

struct fan_guests;

struct fan_guests *fan_guests_new(void); /* NULL: no memory */
void fan_guests_free(struct fan_guests *g);

/*
 * Takes a guest line, stamped ts_ns; other kinds are passed over, and lines of a guest whose
 * kernel counts no steal. 0; -EINVAL: malformed; -ENOMEM.
 */
int fan_guests_take(struct fan_guests *g, const struct fcap_marker *line, uint64_t ts_ns);

/* The sums of the VM with this name; all 0 if it told nothing. */
struct fan_guest_sum fan_guests_of(const struct fan_guests *g, const char *vm);

/* The same of one virtual CPU of it. */
struct fan_guest_sum fan_guests_of_vcpu(const struct fan_guests *g, const char *vm, uint64_t vcpu);

#endif
