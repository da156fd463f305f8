// SPDX-License-Identifier: GPL-3.0-or-later
/* When to show what. */
#include "capture/progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "capture/summary.h"

bool cap_progress_is_due(const struct cap_progress *p, uint64_t at_ns)
{
	return p->show && at_ns >= p->due_ns;
}

int cap_progress_wait_ms(const struct cap_progress *p, uint64_t at_ns, int max_ms)
{
	const uint64_t left_ms = p->due_ns > at_ns ? (p->due_ns - at_ns + 999999) / 1000000 : 0;

	return p->show && left_ms < (uint64_t)max_ms ? (int)left_ms : max_ms;
}

void cap_progress_tell(struct cap_progress *p, const struct cap_progress_now *now)
{
	char text[200];

	cap_progress_text(&p->last, now, text, sizeof(text));
	p->show(text);
	p->is_shown = true;
	p->last = *now;
	p->due_ns = now->at_ns + CAP_PROGRESS_NS;
}

void cap_progress_hide(struct cap_progress *p)
{
	if (p->is_shown)
		p->show("");
	p->is_shown = false;
}

void cap_progress_end(struct cap_progress *p)
{
	cap_progress_hide(p);
	p->show = NULL;
}

/* "1:02", "1:00:02" */
static int print_elapsed(uint64_t at_ns, char *ret, size_t size)
{
	const uint64_t s = at_ns / 1000000000;

	if (s >= 3600)
		return snprintf(ret, size, "%" PRIu64 ":%02u:%02u", s / 3600,
				(unsigned int)(s / 60 % 60), (unsigned int)(s % 60));
	return snprintf(ret, size, "%u:%02u", (unsigned int)(s / 60), (unsigned int)(s % 60));
}

/* What was added per second; a count that fell (a CPU went off with its own) added nothing. */
static double per_second(uint64_t last, uint64_t now, uint64_t ns)
{
	return now > last && ns ? (double)(now - last) * 1e9 / (double)ns : 0;
}

void cap_progress_text(const struct cap_progress_now *last, const struct cap_progress_now *now,
		       char *ret, size_t size)
{
	const uint64_t ns = now->at_ns > last->at_ns ? now->at_ns - last->at_ns : 0;
	char elapsed[32], events[32], lost[40] = "none", fill[48] = "";

	print_elapsed(now->at_ns, elapsed, sizeof(elapsed));
	if (now->waits_for_limits) {
		snprintf(ret, size, "%s  watching %zu VM%s  %zu file%s saved", elapsed, now->vms,
			 now->vms == 1 ? "" : "s", now->files, now->files == 1 ? "" : "s");
		return;
	}
	cap_summary_count(per_second(last->events, now->events, ns), events, sizeof(events));
	if (now->lost)
		snprintf(lost, sizeof(lost), "%" PRIu64 " events", now->lost);
	if (now->buffer_bytes)
		snprintf(fill, sizeof(fill), "  fullest buffer %.0f %%",
			 100.0 * (double)now->fill_bytes / (double)now->buffer_bytes);
	snprintf(ret, size, "%s  %s events/s  %.1f MB/s  lost %s%s  %zu VM%s", elapsed, events,
		 per_second(last->bytes, now->bytes, ns) / 1e6, lost, fill, now->vms,
		 now->vms == 1 ? "" : "s");
}
