/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of things that have paths, found by path in a time that does not grow with them. */
#ifndef FAN_MODEL_PATH_INDEX_H
#define FAN_MODEL_PATH_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct fan_path_slot {
	const char *path; /* NULL: free */
	uint64_t hash;
	int32_t number;
};

/* All zero is an empty one. */
struct fan_path_index {
	struct fan_path_slot *slots;
	size_t room; /* a power of two, never full; or 0 */
	size_t n;
};

/* The number of this path, or -1. */
int32_t fan_path_find(const struct fan_path_index *x, const char *path);

/* Adds a path that is not in it; the text stays the caller's, and where it is. 0 or -ENOMEM. */
int fan_path_add(struct fan_path_index *x, const char *path, int32_t number);

void fan_path_clear(struct fan_path_index *x);

#endif
