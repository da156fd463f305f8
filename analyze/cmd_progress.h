/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows on a terminal how far a long reading of a trace is. */
#ifndef FAN_CMD_PROGRESS_H
#define FAN_CMD_PROGRESS_H

#include <stdbool.h>

#include "analyze/progress.h"
#include "analyze/trace/file.h"

struct fan_progress {
	struct fan_progress_now now;
	uint64_t began_ns, shown_ns; /* CLOCK_MONOTONIC; 0: not yet */
	uint64_t reading_ns;	     /* when this reading began */
	bool is_shown;
};

/*
 * Looks at the file from now on; shows nothing before a second has passed, and never where standard
 * error is no terminal. p must outlive all reading of the file.
 */
void fan_progress_begin(struct fan_progress *p, struct fan_file *file);

/* Takes back what is shown; also for one that is {0}. */
void fan_progress_end(struct fan_progress *p);

#endif
