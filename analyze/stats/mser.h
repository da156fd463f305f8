/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of the beginning of a series looks like a transient. It is told, never cut. */
#ifndef FAN_STATS_MSER_H
#define FAN_STATS_MSER_H

#include <stdbool.h>
#include <stddef.h>

struct fan_mser {
	size_t batches;	 /* of 5 values; up to 4 newest values are in none */
	size_t cut;	 /* batches to leave out at the beginning */
	size_t truncate; /* the same in values */
	double stat;	 /* at that cut (square of the series' unit) */
	double stat_0;	 /* without a cut */
	/* too short (fewer than 10 batches), or the smallest stat is beyond the middle */
	bool is_undetermined;
};

/*
 * MSER-5 (White 1997, Simulation 69; Spratt 1998): over means Z_j of 5, the cut d that minimises
 *   stat(d) = sum_(j > d) (Z_j - mean)^2/(k - d)^2,  d = 0 .. k - 5,
 * the smallest d of equals. 0; -ENODATA: fewer than 25 values; -EINVAL: a value not finite.
 */
int fan_mser5(const double *x, size_t n, struct fan_mser *ret);

#endif
