/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of cgroups, from the root of their hierarchy. */
#ifndef FAN_MODEL_CGROUP_PATH_H
#define FAN_MODEL_CGROUP_PATH_H

#include <stdbool.h>
#include <string.h>

/* Is this cgroup the top one, or below it? */
static inline bool fan_cgroup_is_below(const char *path, const char *top)
{
	const size_t len = strlen(top);

	return strcmp(top, "/") == 0 ||
	       (strncmp(path, top, len) == 0 && (path[len] == '\0' || path[len] == '/'));
}

#endif
