/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result tree as JSON, driven by the field tables alone. */
#ifndef FAN_REPORT_JSON_H
#define FAN_REPORT_JSON_H

#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/*
 * Writes a struct of this table as one JSON object and flushes f, which stays the caller's. Keys
 * come in the order of the tables, reals have 17 significant digits, what does not exist is
 * null, and each byte that is not UTF-8 becomes U+FFFD; the text itself is ASCII, so that no
 * name can drive a terminal. 0; -ENOMEM; or the error of the write, with a sentence in err.
 */
int fan_tree_json(const void *item, const struct fan_table *table, FILE *f, struct fcap_err *err);

#endif
