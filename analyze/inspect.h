/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks through a whole file and says what is in it; takes no event apart but the markers. */
#ifndef FAN_INSPECT_H
#define FAN_INSPECT_H

#include "analyze/report/info.h"
#include "fcap/err.h"

/*
 * Fills *ret but for its tool.command, which is the caller's to set; fan_info_free() it also
 * after a failure. 0 or negative errno: damaged files fail as they do for a report, and
 * is_truncated as with its option --truncated.
 */
int fan_inspect(struct fan_info *ret, const char *path, bool is_truncated, struct fcap_err *err);

#endif
