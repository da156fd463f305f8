/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Capped weighted max-min division ("water filling"): what each competitor is entitled to.
 * One set of competitors on one set of CPUs: cgroup levels and disjoint CPU sets are the
 * caller's to walk.
 */
#ifndef FAN_STATS_WATERFILL_H
#define FAN_STATS_WATERFILL_H

#include <stddef.h>

/*
 * ret_alloc[i] = min(cap[i], L * weight[i]) with the one L for which they add up to
 * min(capacity, sum of caps); all three in one unit (CPUs, percent, ns). It is the weight
 * readjustment of Chandra et al., Surplus Fair Scheduling (OSDI 2000). Weights are finite and
 * above 0, caps 0 to INFINITY, capacity finite and at least 0, n may be 0.
 * 0; -EINVAL, and then ret_alloc is undefined.
 */
int fan_waterfill(const double *weight, const double *cap, size_t n, double capacity,
		  double *ret_alloc);

/*
 * What of capacity these allocations leave unused, in their unit: exactly 0 when it is used up
 * (up to rounding), above 0 when every cap binds and the load does not contend.
 */
double fan_waterfill_unused(const double *alloc, size_t n, double capacity);

#endif
