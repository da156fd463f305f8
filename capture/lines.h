/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts bytes that come in pieces into lines. */
#ifndef CAP_LINES_H
#define CAP_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "fcap/marker.h"

struct cap_lines {
	size_t len;
	bool skip; /* inside a line that is too long */
	char line[FCAP_MARKER_MAX];
};

/*
 * Takes one line without its newline, NUL-terminated, which it may change; there may be NULs
 * inside. NULL instead, once, for a line that is too long. 0, or negative errno.
 */
typedef int (*cap_line_fn)(void *ctx, char *line, size_t len);

/* Forgets the line that has begun. */
void cap_lines_reset(struct cap_lines *l);

/* 0, or fn's error, with which it ends. */
int cap_lines_feed(struct cap_lines *l, const char *data, size_t len, cap_line_fn fn, void *ctx);

#endif
