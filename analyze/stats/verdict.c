// SPDX-License-Identifier: GPL-3.0-or-later
/* Verdicts on a deviation from the expected share, and on a gap. */
#include "analyze/stats/verdict.h"

#include <errno.h>
#include <math.h>

#include "analyze/stats/pwewc.h"
#include "analyze/stats/tost.h"

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
	{ FAN_EST_CI_NONE_ONE_RUN, "one run a side" },
	{ FAN_EST_GAP_NONE_ZERO, "a score of 0" },
	{ 0, "two runs a side" },
	{ FAN_EST_FEW_RUNS, "fewer than 5 runs" },
	{ FAN_EST_CONFOUNDED, "one side ran before the other" },
	{ FAN_EST_DRIFT_OVER_RUNS, "a drift over the runs" },
	{ FAN_EST_ONE_SIDE_CONSTANT, "zero variance on one side" },
	{ FAN_EST_MISSING, "runs without a value" },
};

/* In the order of the rules. */
struct words {
	const char *outside, *inside, *nonzero, *none;
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
	if (dev->runs == 2)
		bits |= FAN_REASON_TWO_RUNS;
	if (dev->ess < FAN_PWEWC_ESS)
		bits |= FAN_REASON_LOW_ESS;
	if (dev->se == 0)
		bits |= FAN_REASON_ZERO_VARIANCE;
	return bits;
}

static const char *word_of(const struct fan_est *dev, double margin, const struct words *words)
{
	const double lo = dev->m > 1 ? dev->lo_adj : dev->lo;
	const double hi = dev->m > 1 ? dev->hi_adj : dev->hi;

	if (lo > margin || hi < -margin)
		return words->outside;
	if (fan_p_equivalent(dev, margin) <= (1 - dev->level) / dev->m)
		return words->inside;
	return lo > 0 || hi < 0 ? words->nonzero : words->none;
}

static int judge(const struct fan_est *dev, double margin, const struct words *words,
		 struct fan_verdict *ret)
{
	const uint32_t doubts = FAN_EST_ONE_RUN | FAN_EST_APPROXIMATE | FAN_EST_CONFOUNDED |
				FAN_EST_DRIFT_OVER_RUNS;
	struct fan_verdict v = { .margin = margin };

	if (!(margin >= 0 && isfinite(margin)) || !(dev->level > 0.5 && dev->level < 1) ||
	    dev->m == 0)
		return -EINVAL;
	v.reasons = reasons_of(dev);
	if (!isnan(dev->value) && dev->se == 0)
		v.word = words->none;
	else if (!isnan(dev->lo) && !(v.reasons & FAN_REASON_NONSTATIONARY))
		v.word = word_of(dev, margin, words);
	v.indicative = v.word && (dev->flags & doubts || dev->runs == 2);
	*ret = v;
	return 0;
}

int fan_judge(const struct fan_est *dev, double margin, struct fan_verdict *ret)
{
	static const struct words words = { "unfair", "fair", "off", "inconclusive" };

	return judge(dev, margin, &words, ret);
}

int fan_judge_gap(const struct fan_est *gap, double margin, struct fan_verdict *ret)
{
	static const struct words words = { "material", "equivalent", "different", "inconclusive" };

	return judge(gap, margin, &words, ret);
}
