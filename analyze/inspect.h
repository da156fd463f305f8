/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks through a whole file and says what is in it; takes no event apart but the markers. */
#ifndef FAN_INSPECT_H
#define FAN_INSPECT_H

#include "analyze/report/info.h"
#include "analyze/trace/file.h"
#include "fcap/err.h"

struct fan_inspect_options {
	bool is_truncated;
	void (*begin)(void *ctx, struct fan_file *file);
	void *ctx;
};

/*
 * Fills *ret but for its tool.command, which is the caller's to set; fan_info_free() it also
 * after a failure. 0 or negative errno: damaged files fail as they do for a report, and
 * is_truncated as with its option --truncated. begin, which may be NULL, gets the file before its
 * records are read.
 */
int fan_inspect(struct fan_info *ret, const char *path, const struct fan_inspect_options *options,
		struct fcap_err *err);

#endif
