/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a long reading of a trace is, in one line on a terminal. */
#ifndef FAN_PROGRESS_H
#define FAN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/file.h"

/* What a line is made of. */
struct fan_progress_now {
	unsigned int reading; /* 1, 2...: the same file may be read again */
	uint64_t done, total; /* bytes of data of this reading; done <= total */
	uint64_t ns;	      /* since this reading began */
};

struct fan_progress {
	struct fan_progress_now now;
	uint64_t began_ns, shown_ns; /* CLOCK_MONOTONIC; 0: not yet */
	uint64_t reading_ns;	     /* when this reading began */
	bool is_shown;
};

/*
 * "reading: 42 %, 312 MB/s, 0:12 left", and "reading again: ..."; time and rate are those of this
 * reading, and left out as long as they cannot be told.
 */
void fan_progress_text(const struct fan_progress_now *now, char *ret, size_t size);

/*
 * Looks at the file from now on; shows nothing before a second has passed, and never where standard
 * error is no terminal. p must outlive all reading of the file.
 */
void fan_progress_begin(struct fan_progress *p, struct fan_file *file);

/* Takes back what is shown; also for one that is {0}. */
void fan_progress_end(struct fan_progress *p);

#endif
