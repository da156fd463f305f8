/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On which CPUs the recorder's threads were seen; any thread may note that. */
#ifndef CAP_USAGE_H
#define CAP_USAGE_H

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "fcap/cpulist.h"

struct cap_usage {
	_Atomic uint64_t bits[FCAP_CPUS_MAX / 64];
};

/* The calling thread runs here now. NULL: nobody asks. */
static inline void cap_usage_note(struct cap_usage *u)
{
	const int cpu = u ? sched_getcpu() : -1;

	if (cpu >= 0 && cpu < FCAP_CPUS_MAX)
		atomic_fetch_or_explicit(&u->bits[cpu / 64], 1ULL << (cpu % 64),
					 memory_order_relaxed);
}

/* The noted CPUs as a list, "0-1,8", cut where it does not fit. */
void cap_usage_list(const struct cap_usage *u, char *ret, size_t size);

/* CPU time of this process so far, in ns. */
uint64_t cap_usage_cpu_ns(void);

#endif
