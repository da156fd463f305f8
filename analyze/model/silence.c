// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/silence.h"

#include <stddef.h>
#include <string.h>

#define OTHERS_NS 5000000000ULL /* in files of others, whose host may rest for long */
#define SAMPLES	  5

uint64_t fan_silence_limit(uint64_t sample_ns, bool clock_counts_suspend)
{
	if (sample_ns == 0)
		return clock_counts_suspend ? OTHERS_NS : UINT64_MAX;
	return SAMPLES * sample_ns > FAN_SILENCE_NS ? SAMPLES * sample_ns : FAN_SILENCE_NS;
}

bool fan_clock_counts_suspend(const char *clock)
{
	static const char *const clocks[] = { "boot", "tai", "x86-tsc", "tsc2nsec" };

	for (size_t i = 0; clock && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (strcmp(clocks[i], clock) == 0)
			return true;
	return false;
}
