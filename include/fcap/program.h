/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program calls itself: perf runs perf-NAME for "perf NAME". */
#ifndef FCAP_PROGRAM_H
#define FCAP_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FCAP_PROGRAM_MAX 64 /* bytes of a title with its NUL */

/* Was it run as "perf-NAME", in whatever folder? argv0 may be NULL. */
static inline bool fcap_is_perf_command(const char *argv0, const char *name)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	const char *base = slash ? slash + 1 : argv0;

	return base && strncmp(base, "perf-", 5) == 0 && strcmp(base + 5, name) == 0;
}

/* Writes "NAME VERB", or "perf NAME VERB" if it was run so; without a verb ("") no blank ends it.
 */
static inline void fcap_program_title(const char *argv0, const char *name, const char *verb,
				      char ret[static FCAP_PROGRAM_MAX])
{
	snprintf(ret, FCAP_PROGRAM_MAX, "%s%s%s%s",
		 fcap_is_perf_command(argv0, name) ? "perf " : "", name, *verb ? " " : "", verb);
}

#endif
