/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time that was stolen from the recorded host itself, by its own counters ("host" lines, from
 * /proc/stat). A host whose counters add up to more than the time that passed has none to trust.
 */
#ifndef FAN_MODEL_HOST_H
#define FAN_MODEL_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fcap/marker.h"

/* Over the intervals between two lines of the same CPU, summed over the CPUs. */
struct fan_host_sum {
	size_t cpus; /* with at least one interval */
	uint64_t wall_ns, steal_ns;
	uint64_t columns_ns;  /* all columns of /proc/stat; of older lines the steal alone */
	uint64_t intervals;   /* between two lines of one CPU, those left out included */
	uint64_t backwards;   /* of them: a counter stepped back; left out */
	uint64_t jumps;	      /* of them: it rose by more than the time that passed; not left out */
	bool is_inconsistent; /* the columns of some CPU are over 1.05 x wall */
};

struct fan_host;

struct fan_host *fan_host_new(void); /* NULL: no memory */
void fan_host_free(struct fan_host *h);

/* Takes a host line; other kinds are passed over. 0; -EINVAL: malformed; -ENOMEM. */
int fan_host_take(struct fan_host *h, const struct fcap_marker *line, uint64_t ts_ns);

struct fan_host_sum fan_host_sum(const struct fan_host *h);

#endif
