// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/clock.h"

#include <errno.h>
#include <string.h>

#include "analyze/trace/file_parts.h"

int fan_clock_check(const struct fan_file *file, struct fcap_err *err)
{
	const char *clock = file->buffers[0].clock;

	if (!clock)
		return 0;
	if (strcmp(clock, "counter") == 0 || strcmp(clock, "uptime") == 0)
		return fcap_fail(err, EINVAL,
				 "its clock is \"%s\", which is no measure of time; record with "
				 "the clock mono",
				 clock);
	if (strcmp(clock, "x86-tsc") != 0 && strcmp(clock, "ppc-tb") != 0)
		return 0;
	for (size_t i = 0; i < file->noptions; i++)
		if (file->options[i].id == FAN_OPT_TSC2NSEC && file->options[i].data.size >= 16)
			return 0;
	return fcap_fail(err, EINVAL,
			 "its clock is \"%s\" and the file has no factor that turns its ticks into "
			 "time; record with the clock mono",
			 clock);
}
