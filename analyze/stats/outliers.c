// SPDX-License-Identifier: GPL-3.0-or-later
/* Tukey's fences and the modified z-score. */
#include "analyze/stats/outliers.h"

#include <math.h>

#include "analyze/stats/describe.h"

#define FAR 3.5

enum fan_fence fan_beyond_fence(double x, double q1, double q3)
{
	const double iqr = q3 - q1, beyond = fmax(q1 - x, x - q3);

	return beyond > 3 * iqr	    ? FAN_FENCE_SEVERE
	       : beyond > 1.5 * iqr ? FAN_FENCE_MILD
				    : FAN_FENCE_INSIDE;
}

int fan_find_outliers(const double *x, size_t n, struct fan_outlier *ret_list,
		      struct fan_outliers *ret)
{
	struct fan_outliers o = { 0 };
	struct fan_describe d;
	long double sum = 0;
	const int r = fan_describe(x, n, &d);

	if (r < 0)
		return r;
	o.mad_zero = d.mad == 0;
	for (size_t i = 0; i < n; i++) {
		struct fan_outlier v = { .at = i, .value = x[i] };

		/* without any spread the fences lie on the median, and all else beyond */
		if (!o.mad_zero || d.q3 > d.q1)
			v.fence = fan_beyond_fence(x[i], d.q1, d.q3);
		v.is_far = !o.mad_zero && fabs(x[i] - d.median) > FAR * d.mad;
		o.mild += v.fence == FAN_FENCE_MILD;
		o.severe += v.fence == FAN_FENCE_SEVERE;
		o.far += v.is_far;
		if (v.fence != FAN_FENCE_SEVERE)
			sum += x[i];
		if (v.fence != FAN_FENCE_INSIDE || v.is_far)
			ret_list[o.n++] = v;
	}
	o.mean_without_severe = o.severe < n ? (double)(sum / (long double)(n - o.severe)) : NAN;
	*ret = o;
	return 0;
}
