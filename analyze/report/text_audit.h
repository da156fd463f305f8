/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of an audit as text for a person at a terminal of 80 columns. */
#ifndef FAN_REPORT_TEXT_AUDIT_H
#define FAN_REPORT_TEXT_AUDIT_H

#include <stdio.h>

#include "analyze/report/table.h"
#include "analyze/report/tree.h"
#include "fcap/err.h"

/*
 * Writes whether VMs shared cores, then the tables behind that, and flushes f, which stays the
 * caller's. Rules of layout, result and errors are those of fan_report_text().
 */
int fan_audit_text(const struct fan_report *r, FILE *f, struct fcap_err *err);

/* The same with colour, as far as style has it. */
int fan_audit_text_styled(const struct fan_report *r, struct fan_style style, FILE *f,
			  struct fcap_err *err);

/* Its tables, each into an empty grid, whose r tells of errors: levels, and the first n pairs. */
void fan_grid_levels(const struct fan_array *levels, struct fan_grid *g);
void fan_grid_pairs(const struct fan_array *pairs, size_t n, struct fan_grid *g);

#endif
