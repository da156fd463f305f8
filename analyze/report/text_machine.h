/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kind of machine it was, for the section on how the report was computed. */
#ifndef FAN_REPORT_TEXT_MACHINE_H
#define FAN_REPORT_TEXT_MACHINE_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* Nothing where nothing is told. */
void fan_print_machine(const struct fan_r_host *host, struct fan_print *p);

#endif
