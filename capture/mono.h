/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of all our stamps: that of the events, "mono". */
#ifndef CAP_MONO_H
#define CAP_MONO_H

#include <stdint.h>
#include <time.h>

static inline uint64_t cap_mono_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

#endif
