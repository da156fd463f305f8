// SPDX-License-Identifier: GPL-3.0-or-later
/* Student's t tests of an estimate against zero and against a margin. */
#include "analyze/stats/tost.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

double fan_p_zero(const struct fan_est *est)
{
	if (!(est->se > 0 && est->df > 0))
		return NAN;
	return 2 * gsl_cdf_tdist_Q(fabs(est->value) / est->se, est->df);
}

double fan_p_equivalent(const struct fan_est *est, double margin)
{
	if (!(est->se > 0 && est->df > 0))
		return NAN;
	return fmax(gsl_cdf_tdist_Q((est->value + margin) / est->se, est->df),
		    gsl_cdf_tdist_P((est->value - margin) / est->se, est->df));
}
