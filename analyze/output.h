/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results into files that the user named. For cmd_*.c only. */
#ifndef FAN_OUTPUT_H
#define FAN_OUTPUT_H

#include "analyze/report/tree.h"
#include "fcap/err.h"

/*
 * Writes a struct of this table as JSON. A file is written beside its final name first: when it
 * is there it is complete. What is there and no regular file (a pipe, a device) is written to
 * and stays what it is. 0 or negative errno.
 */
int fan_output_json(const void *item, const struct fan_table *table, const char *path,
		    struct fcap_err *err);

#endif
