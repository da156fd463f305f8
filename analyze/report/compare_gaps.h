/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single gaps of a comparison; for compare_*.c. All return 0, -ENOMEM or -EINVAL. */
#ifndef FAN_REPORT_COMPARE_GAPS_H
#define FAN_REPORT_COMPARE_GAPS_H

#include "analyze/report/compare_parts.h"

/* As in struct fan_c_gap; NULL where it has none. */
struct fan_gap_id {
	const char *name, *a, *b, *config, *per, *of;
};

/* Appends a gap; est, p, verdict and runs_needed are fan_compare_judge()'s. NULL: no memory. */
struct fan_c_gap *fan_gap_add(struct fan_comparison *c, const struct fan_gap_id *id,
			      const struct fan_gap_work *work);

/* One quantity of a VM, or the total of all, in a treatment against the baseline. */
struct fan_change {
	const char *name;
	size_t treatment, vm;
	enum fan_quantity q;
};

/* Appends it, if both sides have it. */
int fan_gap_change(struct fan_comparison *c, const struct fan_change *ch);

/* Appends VM a over VM b in one configuration. */
int fan_gap_between(struct fan_comparison *c, size_t config, size_t a, size_t b);

/* Appends by what the gap of VM a over VM b changed: its ratio, and in points. */
int fan_gap_of_gaps(struct fan_comparison *c, size_t treatment, size_t a, size_t b);

/* mean(y) - mean(x) over runs, or over blocks. */
int fan_gap_estimate(const struct fan_comparison *c, const struct fan_sides *s, const char *unit,
		     struct fan_est *ret);

/* Flags what the order of the runs can have done, where it is known. */
int fan_gap_doubts(const struct fan_comparison *c, size_t treatment, const struct fan_sides *s,
		   struct fan_est *est);

/* Rank test, and Hodges and Lehmann's shift, of independent runs. */
int fan_gap_ranks(struct fan_c_gap *gap, const struct fan_comparison *c, const struct fan_sides *s);
int fan_gap_shift(struct fan_c_gap *gap, const struct fan_comparison *c, const struct fan_sides *s,
		  const char *unit);

#endif
