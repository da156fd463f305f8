/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which CPUs are hardware threads (siblings) of one core: as the trace's cpu lines tell, or the
 * user. A CPU belongs to one core at most: the first line that names it decides.
 */
#ifndef FAN_MODEL_CORES_H
#define FAN_MODEL_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/blame_row.h"
#include "fcap/cpulist.h"
#include "fcap/marker.h"

/* What a CPU was when its core was last looked at: for idle_reason.h. */
struct fan_sibling {
	int32_t thread;	     /* who had it, FAN_CPU_IDLE or FAN_CPU_UNKNOWN */
	enum fan_holder why; /* it is held idle; FAN_HELD_IDLE: it is not */
};

/*
 * So many CPUs of the core are idle, or run threads; and so many of the idle are held so. By the
 * order of the CPUs.
 */
struct fan_core_seen {
	size_t idle, running, held;
	bool is_new; /* nobody has looked yet */
	struct fan_sibling siblings[];
};

struct fan_core {
	int32_t *cpus; /* ascending, at least one */
	size_t n;
	struct fan_core_seen *seen;
};

struct fan_cores {
	struct fan_core *cores; /* in the order in which they were told */
	size_t n;
	int32_t *of_cpu; /* index of its core, or -1 */
	size_t ncpus;
	bool has_smt;	/* some core has siblings */
	bool are_given; /* by the user: lines do not count */
	/*
	 * The CPUs of each core as all lines together tell: one that comes on is listed from then
	 * on, but was a sibling before.
	 */
	struct fcap_cpuset *told;
	size_t ntold;
	unsigned int changes;	/* of told */
	size_t room, told_room; /* for cores.c */
};

/* given, borrowed for the call: the CPUs of each core, as the user knows them. NULL: no memory. */
struct fan_cores *fan_cores_new(const struct fcap_cpuset *given, size_t ngiven);
void fan_cores_free(struct fan_cores *c);

/* Takes a cpu line; other kinds are passed over, and what cannot be read too. 0 or -ENOMEM. */
int fan_cores_take(struct fan_cores *c, const struct fcap_marker *line);

/* The core of a CPU of any number, or NULL: nobody told. Valid until the next line. */
static inline const struct fan_core *fan_core_of(const struct fan_cores *c, int32_t cpu)
{
	return cpu < 0 || (size_t)cpu >= c->ncpus || c->of_cpu[cpu] < 0 ? NULL
									: &c->cores[c->of_cpu[cpu]];
}

#endif
