// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Violations as a timeline shows them. An instant of a core counts once, and which of its pairings
 * are violations is known only when they end. So of every moment that a pairing may later count
 * from is kept how much of the time before it counts, as far as is known; what becomes known is
 * added to it.
 */
#include "analyze/model/isolation_parts.h"

void fan_isolation_show(struct fan_isolation *iso, struct fan_timeline *t, enum fan_level level)
{
	iso->timeline = t;
	iso->shown = level;
}

static bool is_shown(const struct fan_isolation *iso, enum fan_level level)
{
	return iso->timeline && iso->shown == level;
}

void fan_iso_note_begin(const struct fan_isolation *iso, const struct fan_iso_core *core,
			struct fan_iso_pairing *p, enum fan_level level)
{
	if (is_shown(iso, level))
		p->begin_covered = fan_timeline_covered(iso->timeline, core->number,
							FAN_TIMELINE_JUDGED);
}

void fan_iso_note_entry(const struct fan_isolation *iso, const struct fan_iso_core *core,
			struct fan_iso_pairing *p, enum fan_level level)
{
	for (int row = 0; is_shown(iso, level) && row < FAN_TIMELINE_ROWS; row++)
		p->entered_covered[row] = fan_timeline_covered(iso->timeline, core->number,
							       (enum fan_timeline_row)row);
}

/* From t0 on all is covered, before it what before_ns says: so is what is before at_ns. */
static void update(uint64_t *covered, uint64_t at_ns, uint64_t t0_ns, uint64_t before_ns)
{
	if (at_ns > t0_ns)
		*covered = before_ns + (at_ns - t0_ns);
}

static int cover(const struct fan_isolation *iso, const struct fan_iso_core *core,
		 enum fan_timeline_row row, uint64_t t0_ns, uint64_t t1_ns, uint64_t before_ns)
{
	for (unsigned int k = 0; k < core->npairs; k++) {
		struct fan_iso_pairing *p = &core->pairs[k].pairings[iso->shown];

		if (!p->is_open)
			continue;
		if (row == FAN_TIMELINE_JUDGED)
			update(&p->begin_covered, p->begin_ns, t0_ns, before_ns);
		if (p->has_entered)
			update(&p->entered_covered[row], p->entered_ns, t0_ns, before_ns);
	}
	return fan_timeline_cover(iso->timeline, core->number, row, t0_ns, t1_ns, before_ns);
}

int fan_iso_note_end(const struct fan_isolation *iso, const struct fan_iso_core *core,
		     const struct fan_iso_pairing *p, enum fan_level level,
		     enum fan_worst_class class, uint64_t now_ns)
{
	int r = 0;

	if (!is_shown(iso, level))
		return 0;
	if (class == FAN_WORST_UNRESOLVED)
		return cover(iso, core, FAN_TIMELINE_JUDGED, p->begin_ns, now_ns, p->begin_covered);
	if (class != FAN_WORST_VIOLATION)
		return 0;
	for (int row = 0; r == 0 && row < FAN_TIMELINE_ROWS; row++)
		r = cover(iso, core, (enum fan_timeline_row)row, p->entered_ns, now_ns,
			  p->entered_covered[row]);
	return r;
}
