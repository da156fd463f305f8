/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The word for a deviation or a gap against its margin, and the reasons to doubt it. */
#ifndef FAN_STATS_VERDICT_H
#define FAN_STATS_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/stats/est.h"

/* What weakens a verdict, or why there is none; in the order of print. */
enum fan_reason {
	FAN_REASON_NO_DATA = 1 << 0, /* this and the next three: no verdict */
	FAN_REASON_NO_WORK = 1 << 1,
	FAN_REASON_TOO_SHORT = 1 << 2,
	FAN_REASON_NONSTATIONARY = 1 << 3,
	FAN_REASON_ZERO_VARIANCE = 1 << 4, /* inconclusive, whatever the value */
	FAN_REASON_ONE_RUN = 1 << 5,
	FAN_REASON_FEW_WINDOWS = 1 << 6,
	FAN_REASON_LOW_ESS = 1 << 7,
	FAN_REASON_LEVEL_SHIFT = 1 << 8,
	FAN_REASON_SLOW_DRIFT = 1 << 9,
	FAN_REASON_METHODS_DISAGREE = 1 << 10,
	FAN_REASON_IRREGULAR_WINDOWS = 1 << 11,
	FAN_REASON_UNEQUAL_WINDOWS = 1 << 12,
	FAN_REASON_ZERO_TOTAL_WINDOWS = 1 << 13,
	FAN_REASON_CI_NONE_ONE_RUN = 1 << 14, /* this and the next: no verdict */
	FAN_REASON_ZERO_SCORE = 1 << 15,
	FAN_REASON_TWO_RUNS = 1 << 16,
	FAN_REASON_FEW_RUNS = 1 << 17,
	FAN_REASON_CONFOUNDED = 1 << 18,
	FAN_REASON_DRIFT_OVER_RUNS = 1 << 19,
	FAN_REASON_ONE_SIDE_CONSTANT = 1 << 20,
	FAN_REASON_MISSING = 1 << 21,
};

#define FAN_REASONS 22 /* bits in use */

struct fan_verdict {
	const char *word; /* static; NULL: no verdict */
	bool indicative;  /* the word holds for these runs and these doubts only */
	double margin;	  /* in the unit of the estimate */
	uint32_t reasons; /* enum fan_reason */
};

/*
 * Judges a deviation from what was expected (points) against [-margin, margin], with
 * alpha = 1 - level and m of *dev:
 *   unfair: the 1 - alpha/m interval is entirely outside; else
 *   fair: two one-sided tests at alpha/m, that is, the 1 - 2 alpha/m interval is inside; else
 *   off: the 1 - alpha/m interval excludes 0; else inconclusive.
 * Schuirmann (1987) for the two one-sided tests; Bonferroni over the family. A zero se is
 * inconclusive; no interval or a nonstationary run is no verdict.
 * 0; -EINVAL: margin negative or not finite, level outside (0.5, 1), m == 0.
 */
int fan_judge(const struct fan_est *dev, double margin, struct fan_verdict *ret);

/*
 * Judges a difference of configurations, of VMs or of gaps against [-margin, margin] in its own
 * unit: points for shares, logs for scores, where 3 % is log(1.03). The rules are those above; the
 * words are "material", "equivalent", "different" and "inconclusive". Two runs a side, runs that
 * drift or configurations measured one after the other make a word indicative.
 */
int fan_judge_gap(const struct fan_est *gap, double margin, struct fan_verdict *ret);

/* The plain words for one bit of enum fan_reason, a static string; NULL: no such reason. */
const char *fan_reason_text(uint32_t bit);

#endif
