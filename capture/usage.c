// SPDX-License-Identifier: GPL-3.0-or-later
/* Where and how long the recorder ran. */
#include "capture/usage.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>

static bool has(const struct cap_usage *u, unsigned int cpu)
{
	return cpu < FCAP_CPUS_MAX && (u->bits[cpu / 64] >> (cpu % 64) & 1);
}

void cap_usage_list(const struct cap_usage *u, char *ret, size_t size)
{
	size_t len = 0;

	ret[0] = '\0';
	for (unsigned int cpu = 0; cpu < FCAP_CPUS_MAX && len < size; cpu++) {
		const unsigned int first = cpu;
		const char *comma = len ? "," : "";

		if (!has(u, cpu))
			continue;
		while (has(u, cpu + 1))
			cpu++;
		if (cpu == first)
			len += (size_t)snprintf(ret + len, size - len, "%s%u", comma, cpu);
		else
			len += (size_t)snprintf(ret + len, size - len, "%s%u-%u", comma, first,
						cpu);
	}
}

static uint64_t ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_usec * 1000U;
}

uint64_t cap_usage_cpu_ns(void)
{
	struct rusage use;

	if (getrusage(RUSAGE_SELF, &use) < 0)
		return 0;
	return ns_of(use.ru_utime) + ns_of(use.ru_stime);
}
