// SPDX-License-Identifier: GPL-3.0-or-later
/* per_cpu/cpuN/stats. */
#include "capture/cpu_stats.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number_of(const char *text, const char *key)
{
	const size_t len = strlen(key);

	/* at the beginning of a line: "overrun" ends "commit overrun" too */
	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, key, len) == 0)
			return strtoull(p + len, NULL, 10);
	}
	return 0;
}

struct cap_cpu_stats cap_cpu_stats_parse(const char *text)
{
	return (struct cap_cpu_stats){
		.overrun = number_of(text, "overrun: "),
		.commit_overrun = number_of(text, "commit overrun: "),
		.dropped = number_of(text, "dropped events: "),
		.read = number_of(text, "read events: "),
	};
}
