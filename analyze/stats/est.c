// SPDX-License-Identifier: GPL-3.0-or-later
/* Estimates: empty ones, their intervals, and the tokens of their flags. */
#include "analyze/stats/est.h"

#include <math.h>

#include "analyze/stats/gsl.h"

void fan_est_init(struct fan_est *ret, const char *unit, double level, unsigned int m)
{
	*ret = (struct fan_est){
		.value = NAN,
		.se = NAN,
		.lo = NAN,
		.hi = NAN,
		.lo_adj = NAN,
		.hi_adj = NAN,
		.m = m,
		.level = level,
		.unit = unit,
		.df = NAN,
		.ess = NAN,
	};
}

void fan_est_interval(struct fan_est *est, double se, double df, const char *method)
{
	double half = fan_tq(est->level, df) * se;

	est->se = se;
	est->df = df;
	est->method = method;
	est->lo = est->value - half;
	est->hi = est->value + half;
	if (est->m > 1) {
		half = fan_tq(1 - (1 - est->level) / est->m, df) * se;
		est->lo_adj = est->value - half;
		est->hi_adj = est->value + half;
	}
}

bool fan_est_spec_is_valid(const struct fan_est_spec *spec)
{
	return spec->level > 0 && spec->level < 1 && spec->m > 0;
}

void fan_est_note_percent(struct fan_est *est)
{
	if (est->lo < 0 || est->lo_adj < 0)
		est->flags |= FAN_EST_CI_CLIPPED_LO;
	if (est->hi > 100 || est->hi_adj > 100)
		est->flags |= FAN_EST_CI_CLIPPED_HI;
	if (est->value == 0)
		est->flags |= FAN_EST_AT_BOUND_LO;
	if (est->value == 100)
		est->flags |= FAN_EST_AT_BOUND_HI;
}

const char *fan_est_flag_name(uint32_t bit)
{
	static const char *const name[FAN_EST_FLAGS] = {
		"ci_none:n<20",
		"ci_none:zero_variance",
		"approximate",
		"one_run",
		"nonstationary",
		"level_shift",
		"slow_drift",
		"methods_disagree",
		"irregular_windows",
		"undefined:no_work",
		"no_data",
		"unequal_windows",
		"zero_total_windows",
		"ci_none:one_run",
		"few_runs",
		"ci_clipped:0",
		"ci_clipped:100",
		"at_bound:0",
		"at_bound:100",
		"zero_variance_one_side",
		"gap_none:zero_score",
		"missing",
		"ratio_ci:exclusive",
		"ratio_ci:unbounded",
		"one_sided",
		"ci_none:tail",
		"selected_max",
		"trivial:k=1",
		"starved",
		"confounded_with_time",
		"drift_over_runs",
	};

	for (unsigned int i = 0; i < FAN_EST_FLAGS; i++)
		if (bit == 1U << i)
			return name[i];
	return NULL;
}
