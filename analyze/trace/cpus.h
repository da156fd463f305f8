/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many CPUs there are to work with. */
#ifndef FAN_TRACE_CPUS_H
#define FAN_TRACE_CPUS_H

/* Those that this process may run on, at least 1. */
unsigned int fan_cpus_allowed(void);

#endif
