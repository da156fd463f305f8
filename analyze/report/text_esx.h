/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of VMs and vCPUs went, under the names that users of esxtop read. */
#ifndef FAN_REPORT_TEXT_ESX_H
#define FAN_REPORT_TEXT_ESX_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/*
 * A row for each group and each of its vCPUs, in percent of the analysed period (without silence):
 * a vCPU's row adds up to 100, a group's to 100 for each of its threads, as far as they lived all
 * the time and nothing is unknown. Below it, what each name stands for.
 */
void fan_print_esx(const struct fan_report *r, struct fan_print *p);

#endif
