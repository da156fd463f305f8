/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report and an audit are as CSV and as tables for LaTeX. */
#ifndef FAN_REPORT_REPORT_FILES_H
#define FAN_REPORT_REPORT_FILES_H

#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/*
 * Each flushes f, which stays the caller's. 0; -ENOMEM; or the error of the write, with a sentence.
 * As csv.h and tex.h have it. Where the numbers are from is told in columns of every row, and in
 * comments of LaTeX.
 */

/* A row a group, with every number of it that is not a list; and the table of the text. */
int fan_report_csv(const struct fan_report *r, FILE *f, struct fcap_err *err);
int fan_report_tex(const struct fan_report *r, FILE *f, struct fcap_err *err);

/* A row for each of vm, guest, cookie, empty cells where it is not known; and that table and pairs.
 */
int fan_audit_csv(const struct fan_report *r, FILE *f, struct fcap_err *err);
int fan_audit_tex(const struct fan_report *r, FILE *f, struct fcap_err *err);

#endif
