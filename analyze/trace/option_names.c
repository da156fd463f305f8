// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/option_names.h"

#include <stddef.h>

const char *fan_option_name(uint16_t id)
{
	static const char *const names[] = {
		[1] = "DATE",
		[FAN_OPTION_CPUSTAT] = "CPUSTAT",
		[3] = "BUFFER",
		[4] = "TRACECLOCK",
		[5] = "UNAME",
		[6] = "HOOK",
		[7] = "OFFSET",
		[8] = "CPUCOUNT",
		[FAN_OPTION_VERSION] = "VERSION",
		[10] = "PROCMAPS",
		[11] = "TRACEID",
		[12] = "TIME_SHIFT",
		[13] = "GUEST",
		[14] = "TSC2NSEC",
		[22] = "BUFFER_TEXT",
	};

	return id < sizeof(names) / sizeof(names[0]) ? names[id] : NULL;
}
