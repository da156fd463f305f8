/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of the text report: period, windows, method, limits, and where the trace is from. */
#ifndef FAN_REPORT_TEXT_METHOD_H
#define FAN_REPORT_TEXT_METHOD_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

void fan_print_method(const struct fan_report *r, struct fan_print *p);

#endif
