/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A section of the text report: who waited for whom. */
#ifndef FAN_REPORT_TEXT_WAITS_H
#define FAN_REPORT_TEXT_WAITS_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* The table of waits by what held the CPU, and the host's threads; nothing where nobody waited. */
void fan_print_waits(const struct fan_report *r, struct fan_print *p);

#endif
