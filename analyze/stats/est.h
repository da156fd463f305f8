/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One estimated number with everything a reader needs to believe it. NaN means "does not
 * exist"; a flag then says why. Plain values: copy freely.
 */
#ifndef FAN_STATS_EST_H
#define FAN_STATS_EST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a number is missing or weak. Names for print: fan_est_flag_name(). */
enum fan_est_flag {
	FAN_EST_CI_NONE_SHORT = 1 << 0,	   /* fewer than 20 windows */
	FAN_EST_CI_NONE_CONSTANT = 1 << 1, /* zero variance: max == min */
	FAN_EST_APPROXIMATE = 1 << 2,	   /* tier "approximate" of the method */
	FAN_EST_ONE_RUN = 1 << 3,	   /* within-run interval of a single run */
	FAN_EST_NONSTATIONARY = 1 << 4,	   /* phi clipped at 0.97: no verdict */
	FAN_EST_LEVEL_SHIFT = 1 << 5,
	FAN_EST_SLOW_DRIFT = 1 << 6,
	FAN_EST_METHODS_DISAGREE = 1 << 7,    /* batch means differ by more than 0.6..1.7 */
	FAN_EST_IRREGULAR_WINDOWS = 1 << 8,   /* unequal windows move the estimate */
	FAN_EST_UNDEFINED = 1 << 9,	      /* no work at all: no value */
	FAN_EST_NO_DATA = 1 << 10,	      /* not a single window: no value */
	FAN_EST_UNEQUAL_WINDOWS = 1 << 11,    /* a total outside 0.5..1.5 x median: a note */
	FAN_EST_ZERO_TOTAL_WINDOWS = 1 << 12, /* in the sums, not in the window means: a note */
	FAN_EST_CI_NONE_ONE_RUN = 1 << 13,    /* one run tells nothing of other runs */
	FAN_EST_FEW_RUNS = 1 << 14,	      /* 2 to 4 runs (of the smaller side) */
	FAN_EST_CI_CLIPPED_LO = 1 << 15,      /* a share's lower end is below 0: cut it for print */
	FAN_EST_CI_CLIPPED_HI = 1 << 16,      /* its upper end is above 100 */
	FAN_EST_AT_BOUND_LO = 1 << 17,	      /* a share of exactly 0 */
	FAN_EST_AT_BOUND_HI = 1 << 18,	      /* a share of exactly 100 */
	FAN_EST_ONE_SIDE_CONSTANT = 1 << 19,  /* the spread of a difference is that of one side */
	FAN_EST_GAP_NONE_ZERO = 1 << 20,      /* a score of 0 has no logarithm: no value */
	FAN_EST_MISSING = 1 << 21,	      /* values or runs that were missing are left out */
	FAN_EST_RATIO_EXCLUSIVE = 1 << 22,    /* the denominator is not distinguishable from 0: */
	FAN_EST_RATIO_UNBOUNDED = 1 << 23,    /* all ratios but a gap; any ratio at all */
	FAN_EST_ONE_SIDED = 1 << 24,	      /* none or all: one end is the bound itself */
	FAN_EST_CI_NONE_TAIL = 1 << 25,	      /* too few windows for so extreme a quantile */
	FAN_EST_SELECTED_MAX = 1 << 26,	      /* the largest of several, picked after looking */
	FAN_EST_TRIVIAL = 1 << 27,	      /* a single group cannot be treated unfairly */
	FAN_EST_STARVED = 1 << 28,	      /* a group got nothing at all */
	FAN_EST_CONFOUNDED = 1 << 29,	      /* all runs of one side came before the other's */
	FAN_EST_DRIFT_OVER_RUNS = 1 << 30,    /* the value follows the order of the runs */
};

#define FAN_EST_FLAGS 31 /* bits in use: 1 << 0 to 1 << (FAN_EST_FLAGS - 1) */

/* What says something of one share alone, not of a difference that is made of it. */
#define FAN_EST_OF_BOUNDS \
	(FAN_EST_CI_CLIPPED_LO | FAN_EST_CI_CLIPPED_HI | FAN_EST_AT_BOUND_LO | FAN_EST_AT_BOUND_HI)

#define FAN_RUNS_OK 5 /* runs below which there are few */

struct fan_est {
	double value, se, lo, hi; /* lo, hi: unadjusted, at level */
	double lo_adj, hi_adj;	  /* Bonferroni over the family of m; NaN when m == 1 */
	unsigned int m;
	double level;	    /* 0 < level < 1 */
	const char *unit;   /* static string */
	const char *method; /* static string; NULL without an interval */
	uint64_t n;	    /* windows (or runs) used */
	double df;
	uint32_t flags; /* enum fan_est_flag */
	double ess;	/* effective sample size, at most n; NaN without an interval */
	uint64_t runs;	/* of the smaller side; 0: from the windows of one run */
};

/* What an estimate is to carry. */
struct fan_est_spec {
	const char *unit; /* static string; NULL: none */
	double level;	  /* of its interval, 0 < level < 1 */
	unsigned int m;	  /* size of the family it belongs to, from 1 */
};

/* An estimate without a value yet: every number NaN, n 0, no flags. unit is a static string. */
void fan_est_init(struct fan_est *ret, const char *unit, double level, unsigned int m);

/*
 * Sets se, df and Student's t intervals around est->value: at est->level, and at
 * 1 - (1 - level)/m when m > 1 (Bonferroni). method is a static string.
 */
void fan_est_interval(struct fan_est *est, double se, double df, const char *method);

/* True if level and m are within their ranges. */
bool fan_est_spec_is_valid(const struct fan_est_spec *spec);

/*
 * For a share or a fraction in percent of 0 to 100: flags the ends that lie outside, and a value
 * at 0 or 100. The numbers stay uncut.
 */
void fan_est_note_percent(struct fan_est *est);

/* The token of one bit of enum fan_est_flag ("one_run"), a static string; NULL: no such flag. */
const char *fan_est_flag_name(uint32_t bit);

#endif
