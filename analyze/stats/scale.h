/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sums of model/scales.h come to. */
#ifndef FAN_STATS_SCALE_H
#define FAN_STATS_SCALE_H

#include "analyze/model/scales.h"

/* sqrt(mean of squares) of share minus due share, in points; NaN: there was no window. */
double fan_scale_rms_pp(const struct fan_scale *s);

/* Mean over n windows of indices that add up to sum; NaN: n is 0. */
double fan_scale_mean(uint64_t sum, uint64_t n);

#endif
