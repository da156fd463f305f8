/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When to look into the trace buffers again, and how large they should have been. Pure. */
#ifndef CAP_PACE_H
#define CAP_PACE_H

#include <stdint.h>

#define CAP_PACE_MIN_NS 1000000ULL

/*
 * Time until the next round, in ns: until the CPU that filled fastest will have filled an eighth
 * of its buffer, at most twice the last time and within CAP_PACE_MIN_NS..max_ns. most: the bytes
 * that one CPU had after the elapsed time.
 */
uint64_t cap_pace_next(uint64_t most, uint64_t elapsed_ns, uint64_t last_ns, uint64_t buffer_bytes,
		       uint64_t max_ns);

/* What one CPU's buffer went through. */
struct cap_loss {
	uint64_t buffer_bytes;
	uint64_t bytes, read; /* stored, and the events therein */
	uint64_t lost;	      /* events */
	/* times between two drains at whose end it was full: the longest, and all */
	uint64_t longest_ns, full_ns;
};

/*
 * Bytes of buffer that would have kept it all, an estimate: the buffer, and room for four times of
 * what was lost in the longest time without a drain, if losses were spread evenly over such times
 * and lost events were as long as the others; never for more than all that was lost:
 *   buffer + min(lost * (bytes / read) * longest / full * 4, lost * (bytes / read)),
 * rounded up to a power of two. Four, as floods come in bursts, and the longest time of another run
 * is another one. Without any such time all losses count as one. 0: nothing was lost.
 */
uint64_t cap_pace_enough(const struct cap_loss *l);

#endif
