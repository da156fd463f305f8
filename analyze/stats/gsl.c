// SPDX-License-Identifier: GPL-3.0-or-later
/* GSL's set-up and the quantiles of Student's t and of the normal distribution. */
#include "analyze/stats/gsl.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

void fan_stats_init(void)
{
	gsl_set_error_handler_off();
}

double fan_tq(double level, double df)
{
	if (!(level > 0 && level < 1 && df > 0))
		return NAN;
	/* by the upper tail: 1 - level keeps its digits where (1 + level)/2 would lose them */
	return gsl_cdf_tdist_Qinv((1 - level) / 2, df);
}

double fan_zq(double level)
{
	if (!(level > 0 && level < 1))
		return NAN;
	return gsl_cdf_ugaussian_Qinv((1 - level) / 2);
}
