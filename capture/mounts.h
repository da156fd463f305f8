/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of /proc/PID/mountinfo, proc(5), and the comma-separated lists that they hold. */
#ifndef CAP_MOUNTS_H
#define CAP_MOUNTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct cap_mount {
	char root[PATH_MAX];  /* the part of the file system that is mounted: "/" nearly always */
	char point[PATH_MAX]; /* where */
	char options[256];    /* of this mount: "rw,relatime" */
	char type[32];
	char super[512]; /* options of the file system */
};

/* Parses one line, which may end with a newline. False: not such a line. */
bool cap_mount_parse(const char *line, struct cap_mount *ret);

/* True if the comma-separated list of len bytes has this word. */
bool cap_list_has(const char *list, size_t len, const char *word);

#endif
