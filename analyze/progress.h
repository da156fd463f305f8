/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a long reading of a trace is, in one line on a terminal. */
#ifndef FAN_PROGRESS_H
#define FAN_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* What a line is made of. */
struct fan_progress_now {
	unsigned int reading; /* 1, 2...: the same file may be read again */
	uint64_t done, total; /* bytes of data of this reading; done <= total */
	uint64_t ns;	      /* since this reading began */
};

/*
 * "reading: 42 %, 312 MB/s, 0:12 left", and "reading again: ..."; time and rate are those of this
 * reading, and left out as long as they cannot be told.
 */
void fan_progress_text(const struct fan_progress_now *now, char *ret, size_t size);

#endif
