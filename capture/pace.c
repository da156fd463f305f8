// SPDX-License-Identifier: GPL-3.0-or-later
/* Arithmetic of the draining. */
#include "capture/pace.h"

#define EVENT_BYTES 64 /* of a sched_switch with its header: where nothing was stored */
#define MARGIN	    4

__extension__ typedef unsigned __int128 wide;

uint64_t cap_pace_next(uint64_t most, uint64_t elapsed_ns, uint64_t last_ns, uint64_t buffer_bytes,
		       uint64_t max_ns)
{
	uint64_t ns = last_ns * 2;

	if (most) {
		const wide fill = (wide)elapsed_ns * (buffer_bytes / 8) / most;

		ns = fill < ns ? (uint64_t)fill : ns;
	}
	if (ns > max_ns)
		return max_ns;
	return ns < CAP_PACE_MIN_NS ? CAP_PACE_MIN_NS : ns;
}

uint64_t cap_pace_enough(const struct cap_loss *l)
{
	wide missing, worst, bytes = 1;

	if (l->lost == 0)
		return 0;
	missing = l->read ? (wide)l->lost * l->bytes / l->read : (wide)l->lost * EVENT_BYTES;
	worst = l->full_ns ? missing * l->longest_ns / l->full_ns * MARGIN : missing;
	if (worst > missing)
		worst = missing;
	while (bytes < l->buffer_bytes + worst && bytes < (wide)1 << 62)
		bytes *= 2;
	return (uint64_t)bytes;
}
