// SPDX-License-Identifier: GPL-3.0-or-later
/* Sizes and places. */
#include "capture/tuning.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "capture/io.h"
#include "capture/plan.h"

/* 0 when unknown, which gives the smallest buffers. */
static uint64_t mem_available(int procfd)
{
	char text[4096];
	const char *p;
	uint64_t kb;

	if (cap_io_read_at(procfd, "meminfo", text, sizeof(text)) <= 0)
		return 0;
	p = strstr(text, "MemAvailable:");
	return p && sscanf(p, "MemAvailable: %" SCNu64, &kb) == 1 ? kb << 10 : 0;
}

uint64_t cap_tuning_buffer(const struct cap_tuning *t, int procfd, unsigned int ncpu)
{
	return t->buffer_bytes ? t->buffer_bytes
			       : cap_plan_buffer_bytes(mem_available(procfd), ncpu);
}

/* The kernel silently leaves out what it cannot give. */
static int check(const char *cpus, const struct fcap_cpuset *wanted, const cpu_set_t *set,
		 size_t size, struct fcap_err *err)
{
	for (unsigned int cpu = 0; cpu < FCAP_CPUS_MAX; cpu++)
		if (fcap_cpuset_has(wanted, cpu) && !CPU_ISSET_S(cpu, size, set))
			return fcap_fail(err, EINVAL,
					 "--recorder-cpus=%s: CPU %u is not online, or not "
					 "allowed here; give a list of others",
					 cpus, cpu);
	return 0;
}

int cap_tuning_place(const char *cpus, struct fcap_err *err)
{
	const size_t size = CPU_ALLOC_SIZE(FCAP_CPUS_MAX);
	struct fcap_cpuset wanted;
	cpu_set_t *set;
	int r;

	if (fcap_cpulist_parse(cpus, &wanted) < 0 || fcap_cpuset_count(&wanted) == 0)
		return fcap_fail(err, EINVAL, "--recorder-cpus=%s: give a list such as 0-1,8",
				 cpus);
	set = CPU_ALLOC(FCAP_CPUS_MAX);
	if (!set)
		return fcap_fail(err, ENOMEM, "out of memory");
	CPU_ZERO_S(size, set);
	for (unsigned int cpu = 0; cpu < FCAP_CPUS_MAX; cpu++)
		if (fcap_cpuset_has(&wanted, cpu))
			CPU_SET_S(cpu, size, set);
	/* EINVAL: it can give none of them, which shows below */
	if ((sched_setaffinity(0, size, set) < 0 && errno != EINVAL) ||
	    sched_getaffinity(0, size, set) < 0)
		r = fcap_fail(err, errno, "--recorder-cpus=%s: %s", cpus, strerror(errno));
	else
		r = check(cpus, &wanted, set, size, err);
	CPU_FREE(set);
	return r;
}
