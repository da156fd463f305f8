/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes a series of numbers; says nothing about how sure its mean is (see pwewc.h). */
#ifndef FAN_STATS_DESCRIBE_H
#define FAN_STATS_DESCRIBE_H

#include <stddef.h>

/* In the unit of the series unless stated. NaN: does not exist for this series. */
struct fan_describe {
	size_t n;
	double mean, min, max;
	double sd;			 /* divisor n - 1; NaN when n == 1 */
	double median, q1, q3, p05, p95; /* quantiles of type 7 (as R's default) */
	double mad;			 /* median |x - median|, times 1.4826: comparable with sd */
	double skew; /* g1 = m3 / m2^1.5, moments with divisor n; no unit; NaN when constant */
	double lag1; /* sum d_t d_(t+1) / sum d_t^2 (NIST StRD); no unit; NaN when constant */
	size_t tukey_mild, tukey_severe; /* values beyond 1.5 to 3, and 3, IQR from the quartiles */
};

/* The part of it that needs no order, as above. */
struct fan_moments {
	size_t n;
	double mean, min, max, sd, lag1;
};

/* 0; -ENODATA when n == 0; -EINVAL when a value is not finite; of the first also -ENOMEM. */
int fan_describe(const double *x, size_t n, struct fan_describe *ret);
int fan_moments(const double *x, size_t n, struct fan_moments *ret);

/* The median, of type 7 as above, of n values, one at least, that are finite. 0 or -ENOMEM. */
int fan_median(const double *x, size_t n, double *ret);

#endif
