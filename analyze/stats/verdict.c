// SPDX-License-Identifier: GPL-3.0-or-later
/* Verdicts on a deviation from the expected share. */
#include "analyze/stats/verdict.h"

#include <errno.h>
#include <math.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/pwewc.h"

static const struct {
	uint32_t flag; /* enum fan_est_flag that means the same; 0: from the numbers */
	const char *text;
} reason[FAN_REASONS] = {
	{ FAN_EST_NO_DATA, "no windows" },
	{ FAN_EST_UNDEFINED, "no work at all" },
	{ FAN_EST_CI_NONE_SHORT, "fewer than 20 windows" },
	{ FAN_EST_NONSTATIONARY, "nonstationary" },
	{ FAN_EST_CI_NONE_CONSTANT, "zero variance" },
	{ FAN_EST_ONE_RUN, "one run" },
	{ 0, "fewer than 120 windows" },
	{ 0, "effective sample size below 10" },
	{ FAN_EST_LEVEL_SHIFT, "a level shift within the run" },
	{ FAN_EST_SLOW_DRIFT, "a slow drift within the run" },
	{ FAN_EST_METHODS_DISAGREE, "batch means give another interval" },
	{ FAN_EST_IRREGULAR_WINDOWS, "unequal windows move the estimate" },
	{ FAN_EST_UNEQUAL_WINDOWS, "windows of unequal work" },
	{ FAN_EST_ZERO_TOTAL_WINDOWS, "windows without any work" },
};

const char *fan_reason_text(uint32_t bit)
{
	for (unsigned int i = 0; i < FAN_REASONS; i++)
		if (bit == 1U << i)
			return reason[i].text;
	return NULL;
}

static uint32_t reasons_of(const struct fan_est *dev)
{
	/* n counts windows only in an estimate from one run */
	const bool is_windows = dev->flags & FAN_EST_ONE_RUN;
	uint32_t bits = 0;

	for (unsigned int i = 0; i < FAN_REASONS; i++)
		if (dev->flags & reason[i].flag)
			bits |= 1U << i;
	if (is_windows && dev->n >= FAN_PWEWC_MIN && dev->n < FAN_PWEWC_OK)
		bits |= FAN_REASON_FEW_WINDOWS;
	if (dev->ess < FAN_PWEWC_ESS)
		bits |= FAN_REASON_LOW_ESS;
	if (dev->se == 0)
		bits |= FAN_REASON_ZERO_VARIANCE;
	return bits;
}

static const char *word_of(const struct fan_est *dev, double margin)
{
	const double alpha = 1 - dev->level;
	const double lo = dev->m > 1 ? dev->lo_adj : dev->lo;
	const double hi = dev->m > 1 ? dev->hi_adj : dev->hi;
	const double half = fan_tq(1 - 2 * alpha / dev->m, dev->df) * dev->se;

	if (lo > margin || hi < -margin)
		return "unfair";
	if (dev->value - half >= -margin && dev->value + half <= margin)
		return "fair";
	return lo > 0 || hi < 0 ? "off" : "inconclusive";
}

int fan_judge(const struct fan_est *dev, double margin, struct fan_verdict *ret)
{
	struct fan_verdict v = { .margin = margin };

	if (!(margin >= 0 && isfinite(margin)) || !(dev->level > 0.5 && dev->level < 1) ||
	    dev->m == 0)
		return -EINVAL;
	v.reasons = reasons_of(dev);
	if (!isnan(dev->value) && dev->se == 0)
		v.word = "inconclusive";
	else if (!isnan(dev->lo) && !(v.reasons & FAN_REASON_NONSTATIONARY))
		v.word = word_of(dev, margin);
	v.indicative = v.word && dev->flags & (FAN_EST_ONE_RUN | FAN_EST_APPROXIMATE);
	*ret = v;
	return 0;
}
