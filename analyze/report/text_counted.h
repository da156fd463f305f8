/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the page that differ where run and wait come from counters alone. */
#ifndef FAN_REPORT_TEXT_COUNTED_H
#define FAN_REPORT_TEXT_COUNTED_H

#include <stdbool.h>

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

bool fan_is_counted(const struct fan_report *r);

/* "From counters alone, every 1 s": what the page is made of; before the answer. */
void fan_print_basis(const struct fan_report *r, struct fan_print *p);

/* Time and steal of the groups, and their threads. */
void fan_print_counted(const struct fan_report *r, struct fan_print *p);
void fan_print_counted_threads(const struct fan_report *r, struct fan_print *p);

/* What could not be known, in one line. */
void fan_print_counted_quality(const struct fan_r_quality *q, struct fan_print *p);

#endif
