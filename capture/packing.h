/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a trace file is compressed: what --compress says, and what is said of it in the end. */
#ifndef CAP_PACKING_H
#define CAP_PACKING_H

#include <stddef.h>
#include <stdint.h>

#include "fcap/err.h"

enum { CAP_PACKING_LEVEL = 3, CAP_PACKING_LEVEL_MAX = 19, CAP_PACKING_THREADS_MAX = 8 };

/* For the tables of options of the verbs that write a file. */
#define CAP_PACKING_HELP                                                                        \
	"Compress FILE with zstd at this LEVEL, 1 (fastest) to 19 (smallest; 3): version 7 of " \
	"the format"

struct cap_packing {
	int level;	      /* of zstd, 1 to 19; 0: not compressed */
	unsigned int threads; /* that compress; 0: one for each CPU we may use, at most 8 */
};

/*
 * Takes the LEVEL of --compress, NULL for the default. 0, or -EINVAL with a sentence and *ret as it
 * was.
 */
int cap_packing_parse(const char *level, struct cap_packing *ret, struct fcap_err *err);

/* The number of threads to work with, at least 1. */
unsigned int cap_packing_threads(const struct cap_packing *p);

/* Goes behind the size of what was recorded: " compressed to 3.4 MB", or "" if bytes is 0. */
void cap_packing_tell(uint64_t bytes, char *ret, size_t size);

#endif
