/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PW-EWC: the interval of the mean of one autocorrelated series (the windows of one run).
 * It speaks about this run's long-run mean only, never about other runs.
 */
#ifndef FAN_STATS_PWEWC_H
#define FAN_STATS_PWEWC_H

#include <stddef.h>
#include <stdint.h>

#define FAN_PWEWC_MIN	20   /* values below which there is no interval */
#define FAN_PWEWC_OK	120  /* values below which the interval is approximate */
#define FAN_PWEWC_ESS	10.0 /* effective sample size below which it is approximate */
#define FAN_PWEWC_DRIFT 61   /* values below which slow drift is not tested */

/* x is in the unit of the series. NaN: does not exist; flags says why. */
struct fan_pwewc {
	size_t n;
	double mean;
	double s2;	   /* sample variance, divisor n - 1 (x squared); NaN when n == 1 */
	double r1, phi;	   /* lag-1 correlation as found, and as used */
	double nu;	   /* degrees of freedom */
	double lrv;	   /* long-run variance (x squared) */
	double se;	   /* of the mean (x); 0 for a constant series */
	double ess;	   /* s2/se^2: can exceed n */
	double tau;	   /* lrv/s2, the integrated autocorrelation time in windows */
	double half;	   /* half-width of the interval at level (x) */
	double batch_half; /* the same by 10 batch means, as a second opinion (x) */
	double shift_stat; /* fan_level_shift() */
	size_t shift_at;
	double drift_f, drift_p; /* slow drift: F(4, 12) and its p; NaN below 61 values */
	uint32_t flags;		 /* enum fan_est_flag: tier and warnings */
};

/*
 * AR(1)-prewhitened equal-weighted cosine estimate of the long-run variance. With d_t = x_t - m:
 *   r1 = sum d_t d_(t+1) / sum d_t^2;  phi = (n r1 + 1)/(n - 4), within [0, 0.97]
 *   e_t = d_(t+1) - phi d_t, t = 1..N, N = n - 1;  nu = max(2, min(8, floor(0.4 N^(2/3))))
 *   L_j = sqrt(2/N) sum_t e_t cos(pi j (t - 1/2)/N), j = 1..nu
 *   lrv = mean(L_j^2)/(1 - phi)^2;  se = sqrt(lrv/n);  half = t(nu) se
 * EWC and the rule for nu: Lazarus, Lewis, Stock & Watson (2018, JBES 36). Prewhitening and the
 * limit of 8 are this project's, chosen by simulation. Slow drift: mean(L_1..4^2) over
 * mean(L_5..16^2) against F(4, 12). Warnings: level_shift above 40.1 (5 %), below 120 values
 * above 68.6 (1 %); slow_drift at p < 0.01; methods_disagree, from 120 values on, when half is
 * outside 0.6 .. 1.7 times batch_half.
 * 0; -ENODATA when n == 0; -EINVAL when a value is not finite or level outside (0, 1); -ENOMEM.
 */
int fan_pwewc(const double *x, size_t n, double level, struct fan_pwewc *ret);

#endif
