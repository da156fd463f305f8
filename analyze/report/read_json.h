/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON back into a result tree, driven by the field tables alone: fan_tree_json() reversed. */
#ifndef FAN_REPORT_READ_JSON_H
#define FAN_REPORT_READ_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

#define FAN_JSON_MAX (256U << 20) /* bytes of a file; more is refused */

/*
 * Fills *item, a struct of this table, from the one JSON object that f holds; what the object does
 * not have stays "does not exist", and keys that the table does not know are skipped. schema is
 * what the object's key "schema" must say. Estimates have no ess and no runs, which JSON does not
 * carry. fan_tree_free() it also after a failure. 0; -ENOMEM; the error of a read; -EINVAL: no
 * JSON, another schema, a value of the wrong type (err names its path), a unit, method or flag
 * of an estimate that this version does not know, over FAN_JSON_MAX bytes.
 */
int fan_tree_read(void *item, const struct fan_table *table, const char *schema, FILE *f,
		  struct fcap_err *err);

/* True if the first byte of f other than blanks is a brace; at most blanks before it are read. */
bool fan_is_json(FILE *f);

#endif
