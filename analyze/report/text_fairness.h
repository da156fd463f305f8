/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Section of the text report: fairness by window length, starvation, lag, capacity lost. */
#ifndef FAN_REPORT_TEXT_FAIRNESS_H
#define FAN_REPORT_TEXT_FAIRNESS_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* Nothing for what the report does not have. */
void fan_print_scales(const struct fan_report *r, struct fan_print *p);

#endif
