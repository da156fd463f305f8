/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel counted for one CPU's ring buffer (per_cpu/cpuN/stats). */
#ifndef CAP_CPU_STATS_H
#define CAP_CPU_STATS_H

#include <stdint.h>

#include "capture/emit.h"

struct cap_cpu_stats {
	uint64_t overrun;	 /* events overwritten before they were read */
	uint64_t commit_overrun; /* events lost to nesting interrupts on a full buffer */
	uint64_t dropped;	 /* events refused by a full buffer */
	uint64_t read;		 /* events read */
	uint64_t entries, bytes; /* that are in the buffer now */
	uint64_t oldest_ns;	 /* stamp of the oldest of them, cut at the us; 0: not told */
};

/* A line that is missing counts 0. */
struct cap_cpu_stats cap_cpu_stats_parse(const char *text);

static inline uint64_t cap_cpu_stats_lost(const struct cap_cpu_stats *s)
{
	return s->overrun + s->commit_overrun + s->dropped;
}

/* A "lost" line, if the CPU lost any. 0, or negative errno. */
int cap_cpu_stats_tell(const struct cap_cpu_stats *s, uint32_t cpu, struct cap_sink to);

#endif
