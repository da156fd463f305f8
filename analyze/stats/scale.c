// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/stats/scale.h"

#include <math.h>

double fan_scale_rms_pp(const struct fan_scale *s)
{
	return s->squared ? 100 * sqrt((double)s->squares / (double)s->squared) / FAN_SCALE_ONE
			  : NAN;
}

double fan_scale_mean(uint64_t sum, uint64_t n)
{
	return n ? (double)sum / (double)n / FAN_SCALE_ONE : NAN;
}
