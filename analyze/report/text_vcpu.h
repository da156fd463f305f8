/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of the text report: what vCPUs did with their time on a CPU, and their exits. */
#ifndef FAN_REPORT_TEXT_VCPU_H
#define FAN_REPORT_TEXT_VCPU_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* The parts of the vCPUs' run time by group; nothing where no event tells them. */
void fan_print_vcpu_time(const struct fan_report *r, struct fan_print *p);

/* The ten reasons of each group's exits that took most time; nothing without exits. */
void fan_print_exits(const struct fan_report *r, struct fan_print *p);

#endif
