// SPDX-License-Identifier: GPL-3.0-or-later
/* per_cpu/cpuN/stats. */
#include "capture/cpu_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind the key, or "". */
static const char *value_of(const char *text, const char *key)
{
	const size_t len = strlen(key);

	/* at the beginning of a line: "overrun" ends "commit overrun" too */
	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, key, len) == 0)
			return p + len;
	}
	return "";
}

static uint64_t number_of(const char *text, const char *key)
{
	return strtoull(value_of(text, key), NULL, 10);
}

/* "5123.004567" */
static uint64_t stamp_of(const char *text, const char *key)
{
	unsigned long long s;
	unsigned int us;

	if (sscanf(value_of(text, key), "%llu.%6u", &s, &us) != 2)
		return 0;
	return (uint64_t)s * 1000000000 + (uint64_t)us * 1000;
}

struct cap_cpu_stats cap_cpu_stats_parse(const char *text)
{
	return (struct cap_cpu_stats){
		.overrun = number_of(text, "overrun: "),
		.commit_overrun = number_of(text, "commit overrun: "),
		.dropped = number_of(text, "dropped events: "),
		.read = number_of(text, "read events: "),
		.entries = number_of(text, "entries: "),
		.bytes = number_of(text, "bytes: "),
		.oldest_ns = stamp_of(text, "oldest event ts: "),
	};
}

int cap_cpu_stats_tell(const struct cap_cpu_stats *s, uint32_t cpu, struct cap_sink to)
{
	struct cap_emit e;

	if (cap_cpu_stats_lost(s) == 0)
		return 0;
	cap_emit_begin(&e, to, "lost");
	cap_emit_u64(&e, "cpu", cpu);
	cap_emit_identity(&e);
	cap_emit_u64(&e, "overrun", s->overrun);
	cap_emit_u64(&e, "dropped", s->dropped);
	cap_emit_u64(&e, "commit_overrun", s->commit_overrun);
	return cap_emit_end(&e);
}
