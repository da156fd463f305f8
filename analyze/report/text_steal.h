/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FAN_REPORT_TEXT_STEAL_H
#define FAN_REPORT_TEXT_STEAL_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* The steal section of a text report, with an empty line before it. */
void fan_print_steal(const struct fan_report *r, struct fan_print *p);

/*
 * In how many intervals counters of this group could not be used and why; nothing where there are
 * none. What the guest's steps are, if it counted.
 */
void fan_print_steal_remarks(const struct fan_r_group *g, struct fan_print *p);

#endif
