// SPDX-License-Identifier: GPL-3.0-or-later
/* The last sentences. */
#include "capture/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/amount.h"
#include "capture/packing.h"

static double per_second(uint64_t n, uint64_t ns)
{
	return ns ? (double)n * 1e9 / (double)ns : 0;
}

void cap_summary_count(double n, char *ret, size_t size)
{
	if (n >= 999950)
		snprintf(ret, size, "%.1f M", n / 1e6);
	else if (n >= 999.5)
		snprintf(ret, size, "%.1f k", n / 1e3);
	else
		snprintf(ret, size, "%.0f", n);
}

/* As --buffer-size takes it: "4MiB". */
static void print_size(uint64_t bytes, char *ret, size_t size)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB" };
	size_t i = 0;

	for (; i < 3 && bytes % 1024 == 0; i++)
		bytes /= 1024;
	snprintf(ret, size, "%" PRIu64 "%s", bytes, unit[i]);
}

void cap_summary_text(const struct cap_summary *s, char *ret, size_t size)
{
	char rate[32], lost[32] = "none", packed[64], bytes[32];

	cap_summary_count(per_second(s->events, s->traced_ns), rate, sizeof(rate));
	if (s->lost)
		snprintf(lost, sizeof(lost), "%" PRIu64 " events", s->lost);
	cap_packing_tell(s->packed_bytes, packed, sizeof(packed));
	cap_print_bytes(s->bytes, bytes, sizeof(bytes));
	if (s->counters_alone) {
		snprintf(ret, size,
			 "wrote %s: counters alone, %s%s; fcap itself used %.2f s of CPU "
			 "time on CPU%s %s",
			 s->file, bytes, packed, (double)s->cpu_ns / 1e9,
			 strpbrk(s->cpus, "-,") ? "s" : "", s->cpus);
		return;
	}
	snprintf(ret, size,
		 "wrote %s: %" PRIu64 " events (%s/s), %s (%.1f MB/s)%s, lost %s; fcap itself used "
		 "%.2f s of CPU time on CPU%s %s",
		 s->file, s->events, rate, bytes, per_second(s->bytes, s->traced_ns) / 1e6, packed,
		 lost, (double)s->cpu_ns / 1e9, strpbrk(s->cpus, "-,") ? "s" : "", s->cpus);
}

int cap_summary_advice(const struct cap_summary *s, char *ret, size_t size)
{
	char had[32], enough[32];

	if (s->lost == 0 || s->enough == 0)
		return 0;
	print_size(s->buffer_bytes, had, sizeof(had));
	print_size(s->enough, enough, sizeof(enough));
	return snprintf(ret, size,
			"buffers of %s a CPU did not hold what came between two drains: "
			"--buffer-size=%s would probably have (an estimate from the lost events, "
			"their usual size and the longest such time); or drain sooner, with "
			"--realtime",
			had, enough);
}
