/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that gets its name when it is complete. */
#ifndef FAN_PENDING_H
#define FAN_PENDING_H

#include <stdbool.h>
#include <stdio.h>

struct fan_pending {
	FILE *f;	  /* to write to */
	const char *path; /* borrowed */
	char *beside;	  /* its name before it is renamed: beside the other one, owned */
	bool is_named;	  /* it has that name */
};

/*
 * Where the file system can, it has no name at all while it is written, so that nothing is left of
 * it if the program is killed. 0 or negative errno; to be closed only after 0.
 */
int fan_pending_open(struct fan_pending *ret, const char *path);

/*
 * Gives it its name, in place of a file that has it; keep false: drops it. 0 or negative errno,
 * then nothing of it is left.
 */
int fan_pending_close(struct fan_pending *p, bool keep);

#endif
