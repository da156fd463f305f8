// SPDX-License-Identifier: GPL-3.0-or-later
/* What a report cannot say where only the command's threads were recorded. */
#include <math.h>

#include "analyze/report/assemble.h"

int fan_assemble_scope(struct fan_report *r)
{
	static const char reason[] = "scope command: events of other threads were not recorded";
	struct fan_r_group *g = r->groups.items;
	int e = fan_strs_add(&r->flags, "scope_command");

	if (e == 0)
		e = fan_strs_add(&r->quality.notes,
				 "%s; run and wait of the command's own are complete, but whom "
				 "they waited for, lag, forced idle, isolation and gaps are not "
				 "known",
				 reason);
	/* lost time of ours cannot be told from that of others */
	for (size_t i = 0; i < r->groups.n && r->quality.lost != 0; i++)
		g[i].share_bounds.lo = g[i].share_bounds.hi = NAN;
	if (e == 0) {
		r->isolation.applicable = false;
		e = fan_str_set(&r->isolation.reason, reason);
	}
	return e;
}
