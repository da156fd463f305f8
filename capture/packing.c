// SPDX-License-Identifier: GPL-3.0-or-later
/* Level, threads and sizes of compression. */
#include "capture/packing.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/amount.h"
#include "fcap/num.h"

int cap_packing_parse(const char *level, struct cap_packing *ret, struct fcap_err *err)
{
	uint64_t v = CAP_PACKING_LEVEL;

	if (level && fcap_parse_u64(level, 1, CAP_PACKING_LEVEL_MAX, &v) < 0)
		return fcap_fail(err, EINVAL, "--compress=%.40s: give a level from 1 to %d", level,
				 CAP_PACKING_LEVEL_MAX);
	ret->level = (int)v;
	return 0;
}

unsigned int cap_packing_threads(const struct cap_packing *p)
{
	cpu_set_t allowed;
	long n;

	if (p->threads)
		return p->threads;
	/* fails where there are more CPUs than the set has room for */
	n = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed)
								 : sysconf(_SC_NPROCESSORS_ONLN);
	if (n < 1)
		return 1;
	return n < CAP_PACKING_THREADS_MAX ? (unsigned int)n : CAP_PACKING_THREADS_MAX;
}

void cap_packing_tell(uint64_t bytes, char *ret, size_t size)
{
	char text[32];

	cap_print_bytes(bytes, text, sizeof(text));
	ret[0] = '\0';
	if (bytes)
		snprintf(ret, size, " compressed to %s", text);
}
