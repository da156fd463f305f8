// SPDX-License-Identifier: GPL-3.0-or-later
/* What the recorded host lost to its own hypervisor, if it is itself a guest. */
#include <inttypes.h>

#include "analyze/report/assemble.h"

#define STEAL_WORTH_A_NOTE 1.0 /* % */

int fan_assemble_host_steal(struct fan_report *r, const struct fan_assembly *a)
{
	const struct fan_host_sum s = fan_host_sum(a->m->host);
	struct fan_strs *notes = &r->quality.notes;
	int e = 0;

	if (s.backwards)
		e = fan_strs_add(notes,
				 "host counters that stepped back (%" PRIu64 "): those intervals "
				 "are not in the host's steal",
				 s.backwards);
	if (e < 0 || s.wall_ns == 0)
		return e;
	if (s.is_inconsistent) {
		e = fan_strs_add(notes,
				 "host steal inconsistent: the columns of /proc/stat add up to "
				 "%.2f times the time that passed; no percentage is given",
				 (double)s.columns_ns / (double)s.wall_ns);
		return e < 0 ? e : fan_strs_add(&r->flags, "host_steal_inconsistent");
	}
	r->host.steal_pct = 100 * (double)s.steal_ns / (double)s.wall_ns;
	if (r->host.steal_pct > STEAL_WORTH_A_NOTE)
		e = fan_strs_add(notes,
				 "%.1f %% of the host's CPU time was stolen from the host itself: "
				 "run time contains time in which nothing ran",
				 r->host.steal_pct);
	return e;
}
