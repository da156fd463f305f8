/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Share of one run and its deviation from what was expected: ratios of sums over windows, with
 * within-run intervals. Several runs are not combined here.
 */
#ifndef FAN_STATS_SHARE_H
#define FAN_STATS_SHARE_H

#include <stddef.h>

#include "analyze/stats/est.h"

/* Two aligned series, in time order; not owned. A window without any work has total 0. */
struct fan_windows {
	const double *part;  /* of the group, in any unit (ns of CPU time, loops, ...) */
	const double *total; /* of all groups, in the same unit for a share; >= 0 */
	size_t n;
};

struct fan_window_check {
	size_t zero_total; /* windows whose total is 0 */
	size_t unequal;	   /* windows whose total is outside 0.5 .. 1.5 x the median total */
	double mean_ratio; /* unweighted mean of part/total where total > 0; NaN if nowhere */
};

/* 0; -ENODATA when n == 0; -EINVAL: a value not finite, a total below 0; -ENOMEM. */
int fan_check_windows(const struct fan_windows *w, struct fan_window_check *ret);

/*
 * The linearised residuals of the ratio of sums R = scale sum(part)/sum(total):
 *   z_w = (scale part_w - R total_w)/mean(total),
 * whose long-run variance is that of R (first-order Taylor, as for ratio estimators in survey
 * sampling: Cochran, Sampling Techniques). They are exactly 0 where rounding alone is left.
 * The sum of totals is above 0; ret_z has room for w->n.
 */
void fan_ratio_residuals(const struct fan_windows *w, double scale, double *ret_ratio,
			 double *ret_z);

struct fan_ratio_spec {
	double scale;	  /* above 0 */
	const char *unit; /* of the estimate, a static string */
	double level;	  /* of its interval, 0 < level < 1 */
	unsigned int m;	  /* size of the family it belongs to */
};

/*
 * scale sum(part)/sum(total) with PW-EWC on the residuals, parts of any sign; flags and errors
 * as fan_est_share(), which says what it adds.
 */
int fan_est_ratio(const struct fan_windows *w, const struct fan_ratio_spec *spec,
		  struct fan_est *ret);

/*
 * Share in percent, 100 sum(part)/sum(total), with PW-EWC on the residuals (method "pw-ewc"),
 * at level, and adjusted for a family of m. The flag one_run is always set. All totals 0, and
 * n == 0, are estimates without a value (undefined:no_work, no_data), not errors.
 * irregular_windows: the unweighted mean of window shares is more than half a half-width off.
 * Ends outside 0 .. 100 are told and kept, fan_est_note_percent().
 * 0; -EINVAL: a value not finite or below 0, a part above its total (by more than 0.05 points
 * of share: rounded input), level outside (0, 1), m == 0; -ENOMEM.
 */
int fan_est_share(const struct fan_windows *w, double level, unsigned int m, struct fan_est *ret);

/*
 * Deviation in points from one expectation for the whole run, in percent; an unknown one (NaN)
 * gives a deviation without a value.
 */
void fan_est_deviation(const struct fan_est *share, double expected_pct, struct fan_est *ret);

/*
 * Deviation in points from an expectation that changes from window to window:
 * 100 sum(part - expected_part)/sum(total). expected_part is what the group was entitled to in
 * each window, in the unit of part and out of that window's total. Otherwise as fan_est_share().
 */
int fan_est_deviation_windows(const struct fan_windows *w, const double *expected_part,
			      double level, unsigned int m, struct fan_est *ret);

/*
 * Deviation in points from what was due, in time of its own: the difference of two ratios of
 * sums, 100 sum(part)/sum(total) - 100 sum(due part)/sum(due total), by the difference of their
 * residuals, so that an expectation that swings with the share widens nothing. due is aligned
 * with w; rounding is by how much its parts may be off, in its unit. What w says of itself is
 * checked and flagged as by fan_est_share(). No due total above 0: no value, undefined:no_work.
 */
int fan_est_deviation_due(const struct fan_windows *w, const struct fan_windows *due,
			  double rounding, const struct fan_ratio_spec *spec, struct fan_est *ret);

#endif
