// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/progress.h"

#include <inttypes.h>
#include <stdio.h>

/* "0:12", "1:02:03" */
static void put_time(char *ret, size_t size, uint64_t seconds)
{
	if (seconds >= 3600)
		snprintf(ret, size, "%" PRIu64 ":%02u:%02u", seconds / 3600,
			 (unsigned int)(seconds / 60 % 60), (unsigned int)(seconds % 60));
	else
		snprintf(ret, size, "%u:%02u", (unsigned int)(seconds / 60),
			 (unsigned int)(seconds % 60));
}

void fan_progress_text(const struct fan_progress_now *now, char *ret, size_t size)
{
	const char *what = now->reading > 1 ? "reading again" : "reading";
	const double s = (double)now->ns / 1e9, done = (double)now->done;
	const double rate = s > 0 ? done / s / 1e6 : 0;
	char left[32];

	if (now->total == 0 || now->done == 0 || now->ns == 0) {
		snprintf(ret, size, "%s", what);
		return;
	}
	/* rounded up: it is over when nothing is left */
	put_time(left, sizeof(left), (uint64_t)(s * ((double)now->total - done) / done + 0.999));
	snprintf(ret, size, "%s: %u %%, %.*f MB/s, %s left", what,
		 (unsigned int)(100 * done / (double)now->total), rate < 10 ? 1 : 0, rate, left);
}
