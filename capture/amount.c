// SPDX-License-Identifier: GPL-3.0-or-later
#include "capture/amount.h"

#include <inttypes.h>
#include <stdio.h>

void cap_print_bytes(uint64_t bytes, char *ret, size_t size)
{
	if (bytes >= 100000)
		snprintf(ret, size, "%.1f MB", (double)bytes / 1e6);
	else if (bytes >= 1000)
		snprintf(ret, size, "%.1f kB", (double)bytes / 1e3);
	else
		snprintf(ret, size, "%" PRIu64 " B", bytes);
}
