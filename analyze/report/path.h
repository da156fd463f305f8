/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One number of a result tree by its path, as in its JSON: groups[vm1].deviation.value,
 * groups[0].share.lo, quality.lost, series.groups[vm1].lag_ns[12]. Driven by the field tables
 * alone.
 */
#ifndef FAN_REPORT_PATH_H
#define FAN_REPORT_PATH_H

#include <stddef.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/* Bytes of the path that text begins with: up to a blank, <, >, = or ! outside of brackets. */
size_t fan_path_length(const char *text);

/*
 * Follows path from item, a struct of this table. In brackets an item of a list is chosen by its
 * first text (the name, of those that have one), else by its number from 0. A bool is 1 or 0.
 * item NULL: only whether the tables know the path; what is in brackets is not looked up.
 * 0: *ret is the number, NaN for what does not exist (null, or chosen from an empty list), and for
 * item NULL; -EINVAL: no path to a number; -ENOENT: the list does not have this item, or has
 * several of the name; -ENOMEM. With a sentence in err.
 */
int fan_path_value(const char *path, const struct fan_table *table, const void *item, double *ret,
		   struct fcap_err *err);

#endif
