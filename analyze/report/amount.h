/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts of work and scores, of any size, in tables. */
#ifndef FAN_REPORT_AMOUNT_H
#define FAN_REPORT_AMOUNT_H

#include "analyze/report/print.h"
#include "analyze/report/table.h"
#include "analyze/stats/est.h"

/* Decimals that show so many significant digits of x; negative: left of the point. */
int fan_decimals_of(double x, int digits);

/* x, or the end of min to max that it lies beyond. */
int fan_clamp(int x, int min, int max);

/* From the value to the farther end of its interval; NaN without one. */
double fan_longer_half(double value, struct fan_interval in);

/* v rounded to so many decimals; from 100000 on (by size) with a prefix, as 1.2M. "-" for NaN. */
struct fan_cell fan_format_amount(double v, double size, int decimals);

/* Two cells: the value, and half of its interval in the same notation; four digits without one. */
void fan_grid_est(struct fan_grid *grid, const struct fan_est *e);

#endif
