/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FAN_REPORT_TEXT_COMPARE_ANSWER_H
#define FAN_REPORT_TEXT_COMPARE_ANSWER_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/print.h"

/* What was found, in a sentence for each treatment. */
void fan_print_compare_answer(const struct fan_compare *c, struct fan_print *p);

#endif
