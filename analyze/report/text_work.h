/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of the text report: how even the parts are, and what work and scores were reported. */
#ifndef FAN_REPORT_TEXT_WORK_H
#define FAN_REPORT_TEXT_WORK_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* Jain's index and the worst pair; nothing for fewer than two groups or without an index. */
void fan_print_fairness(const struct fan_report *r, struct fan_print *p);

/* Tables of work and scores; nothing where none was reported. */
void fan_print_work(const struct fan_report *r, struct fan_print *p);

#endif
