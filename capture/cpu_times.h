/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of /proc/stat that count the time of one CPU each. */
#ifndef CAP_CPU_TIMES_H
#define CAP_CPU_TIMES_H

#include <stdint.h>

enum { CAP_CPU_COLUMNS = 8, CAP_CPU_STEAL = 7 };

struct cap_cpu_times {
	unsigned int cpu; /* below FCAP_CPUS_MAX */
	unsigned int columns;
	/* user, nice, system, idle, iowait, irq, softirq, steal, in clock ticks; the guest times
	 * after them are inside user and nice. 0 beyond columns */
	uint64_t ticks[CAP_CPU_COLUMNS];
};

/*
 * Parses the line at text, up to its newline. 0; 1: another line (the sum over all CPUs, too);
 * -EINVAL: a CPU's, but not to be understood.
 */
int cap_cpu_times_parse(const char *text, struct cap_cpu_times *ret);

/* The beginning of the next line, or NULL. */
const char *cap_cpu_times_next(const char *text);

#endif
