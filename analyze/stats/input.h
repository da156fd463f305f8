/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares as somebody else measured them: what is wrong with a series before it is analysed. */
#ifndef FAN_STATS_INPUT_H
#define FAN_STATS_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#define FAN_INPUT_SLACK	   0.05 /* points that rounding may add to a share */
#define FAN_INPUT_MISSING  0.05 /* of all values: more break the autocorrelation */
#define FAN_INPUT_DISTINCT 5	/* different values below which the resolution is too coarse */

struct fan_input {
	size_t n;		/* values that are there */
	size_t missing;		/* values that are not: flag "missing" */
	size_t clamped;		/* of 0 or 100 that were beyond by rounding */
	size_t at_low, at_high; /* at 0 and at 100, the clamped among them */
	size_t distinct;	/* different values */
};

/*
 * Copies shares in percent, NaN where one is missing, without the missing ones to ret_x and the
 * positions of these to ret_missing_at; both have room for n. Values within FAN_INPUT_SLACK beyond
 * 0 or 100 become these. n == 0 is an empty series.
 * 0; -EINVAL: a value infinite; -ERANGE: one further outside 0 .. 100; -ENODATA: more than 5 % are
 * missing; -ENOMEM.
 */
int fan_filter_shares(const double *x, size_t n, double *ret_x, size_t *ret_missing_at,
		      struct fan_input *ret);

#endif
