/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Above all numbers: that the file is not whole. */
#ifndef FAN_REPORT_TEXT_CUT_H
#define FAN_REPORT_TEXT_CUT_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* A paragraph a sentence, which begins with a capital letter here; nothing where there is none. */
void fan_print_cut(const struct fan_strs *cut, struct fan_print *p);

#endif
