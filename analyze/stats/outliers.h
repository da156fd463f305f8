/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values far from the others, by two rules. They are told, never dropped: often they are the
 * finding. */
#ifndef FAN_STATS_OUTLIERS_H
#define FAN_STATS_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

enum fan_fence { FAN_FENCE_INSIDE, FAN_FENCE_MILD, FAN_FENCE_SEVERE };

/* Tukey's fences (1977): beyond 1.5 (mild) or 3 (severe) q3 - q1 from the nearer quartile. */
enum fan_fence fan_beyond_fence(double x, double q1, double q3);

struct fan_outlier {
	size_t at; /* position in the series */
	double value;
	enum fan_fence fence;
	bool is_far; /* |x - median|/MAD > 3.5, MAD times 1.4826 (Iglewicz & Hoaglin 1993) */
};

struct fan_outliers {
	size_t n, mild, severe, far; /* n: in the list, each once */
	bool mad_zero;		     /* over half of the values are equal: the fences alone speak */
	double mean_without_severe;  /* in the unit of the series; NaN when all are severe */
};

/*
 * Writes the outliers of a series to ret_list (room for n) in their order. Quartiles of type 7. MAD
 * 0: mad_zero, fences alone; MAD and q3 - q1 both 0: none. 0; -ENODATA when n == 0; -EINVAL: a
 * value not finite; -ENOMEM.
 */
int fan_find_outliers(const double *x, size_t n, struct fan_outlier *ret_list,
		      struct fan_outliers *ret);

#endif
