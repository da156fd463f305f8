// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/cpus.h"

#include <sched.h>
#include <unistd.h>

#include "analyze/trace/file.h"

/* Below so many bytes of pages all is read before a thread has begun. */
#define WORTH_A_THREAD (256U << 10)

unsigned int fan_cpus_allowed(void)
{
	cpu_set_t allowed;
	long n;

	/* it fails where the kernel knows more CPUs than the set has room for */
	n = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed)
								 : sysconf(_SC_NPROCESSORS_ONLN);
	return n > 1 ? (unsigned int)n : 1;
}

unsigned int fan_cpus_for(const struct fan_file *file)
{
	return file->in_pages < WORTH_A_THREAD ? 1 : fan_cpus_allowed();
}
