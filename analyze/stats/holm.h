/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several tests in one report: p-values by Holm, or, to explore, by Benjamini and Hochberg.
 * Intervals take Bonferroni (est.h).
 */
#ifndef FAN_STATS_HOLM_H
#define FAN_STATS_HOLM_H

#include <stddef.h>

/*
 * Holm (1979): in ascending order p_(i) becomes max over j <= i of min(1, (m - j + 1) p_(j)), i and
 * j from 1; m counts the tests that have a p. NaN, a test that does not exist, stays NaN. ret_adj
 * may be p itself. 0; -EINVAL: a p outside 0 .. 1; -ENOMEM.
 */
int fan_holm(const double *p, size_t n, double *ret_adj);

/*
 * Benjamini & Hochberg (1995), for more than 20 tests that explore: p_(i) becomes the min over
 * j >= i of min(1, m/j p_(j)). It bounds the part of false findings, not the chance of any.
 * Otherwise as above.
 */
int fan_benjamini_hochberg(const double *p, size_t n, double *ret_adj);

#endif
