/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GSL's set-up, and the quantiles that every module here needs. */
#ifndef FAN_STATS_GSL_H
#define FAN_STATS_GSL_H

/*
 * Switches off GSL's error handler, which would abort the program: its functions then return
 * NaN or an error code. main() calls this once, before any other function of analyze/stats/.
 */
void fan_stats_init(void);

/*
 * Two-sided critical value of Student's t: the quantile at (1 + level)/2 with df degrees of
 * freedom, which need not be whole. NaN unless 0 < level < 1 and df > 0.
 */
double fan_tq(double level, double df);

/* The same of the normal distribution. NaN unless 0 < level < 1. */
double fan_zq(double level);

#endif
