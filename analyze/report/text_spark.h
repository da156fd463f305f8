/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FAN_REPORT_TEXT_SPARK_H
#define FAN_REPORT_TEXT_SPARK_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* The share of each group over time, a line each; nothing where there is nothing to draw. */
void fan_print_spark(const struct fan_report *r, struct fan_print *p);

#endif
