/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the options of a trace.dat, for people. */
#ifndef FAN_TRACE_OPTION_NAMES_H
#define FAN_TRACE_OPTION_NAMES_H

#include <stdint.h>

/* ids of options whose text is of interest to people */
enum { FAN_OPTION_CPUSTAT = 2, FAN_OPTION_VERSION = 9 };

/* As trace.dat(5) calls it; NULL: not a known one. */
const char *fan_option_name(uint16_t id);

#endif
