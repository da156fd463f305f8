/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many CPUs there are to work with. */
#ifndef FAN_TRACE_CPUS_H
#define FAN_TRACE_CPUS_H

struct fan_file;

/* Those that this process may run on, at least 1. */
unsigned int fan_cpus_allowed(void);

/* Of those the ones that it pays to read this file with: 1 if it is small. */
unsigned int fan_cpus_for(const struct fan_file *file);

#endif
