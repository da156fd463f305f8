/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as one rectangle: a row an estimate, for CSV. */
#ifndef FAN_REPORT_COMPARE_ROWS_H
#define FAN_REPORT_COMPARE_ROWS_H

#include <stdio.h>

#include "analyze/report/compare_tree.h"
#include "fcap/err.h"

/*
 * Writes every estimate of the configurations (jain, largest_gap, those of all VMs together with
 * the isolation, those of each VM) and every gap as CSV; see csv.h. 0; -ENOMEM; or the error of the
 * write.
 */
int fan_compare_csv(const struct fan_compare *c, FILE *f, struct fcap_err *err);

#endif
