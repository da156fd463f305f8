/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FAN_REPORT_TEXT_STEAL_H
#define FAN_REPORT_TEXT_STEAL_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* The steal section of a text report, with an empty line before it. */
void fan_print_steal(const struct fan_report *r, struct fan_print *p);

#endif
