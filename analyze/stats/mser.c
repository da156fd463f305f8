// SPDX-License-Identifier: GPL-3.0-or-later
/* MSER-5 from the newest batch backwards, by Welford's update: two passes would be quadratic. */
#include "analyze/stats/mser.h"

#include <errno.h>
#include <math.h>

#define BATCH	       5
#define KEPT_MIN       5  /* batches that are never cut */
#define DETERMINED_MIN 10 /* batches below which the cut says little */

static double batch_mean(const double *x, size_t batch)
{
	long double sum = 0;

	for (size_t i = 0; i < BATCH; i++)
		sum += x[batch * BATCH + i];
	return (double)(sum / BATCH);
}

int fan_mser5(const double *x, size_t n, struct fan_mser *ret)
{
	struct fan_mser m = { .batches = n / BATCH, .stat = INFINITY };
	long double mean = 0, squares = 0;

	if (m.batches < KEPT_MIN)
		return -ENODATA;
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return -EINVAL;
	for (size_t d = m.batches; d-- > 0;) {
		const long double kept = (long double)(m.batches - d);
		const long double step = batch_mean(x, d) - mean;

		mean += step / kept;
		squares += step * step * (kept - 1) / kept;
		if (m.batches - d < KEPT_MIN)
			continue;
		m.stat_0 = (double)(squares / (kept * kept));
		if (m.stat_0 <= m.stat) {
			m.stat = m.stat_0;
			m.cut = d;
		}
	}
	m.truncate = BATCH * m.cut;
	m.is_undetermined = m.batches < DETERMINED_MIN || m.cut > m.batches / 2;
	*ret = m;
	return 0;
}
