// SPDX-License-Identifier: GPL-3.0-or-later
/* Welch's t on values and on logs. */
#include "analyze/stats/welch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/runs.h"

int fan_est_welch(const struct fan_samples *s, const struct fan_est_spec *spec, struct fan_est *ret)
{
	struct fan_est x, y;
	int r;

	r = fan_est_runs(s->x, s->nx, spec, &x);
	if (r == 0)
		r = fan_est_runs(s->y, s->ny, spec, &y);
	if (r == 0)
		r = fan_est_minus(&y, &x, spec, ret);
	return r;
}

/* Logs of x, NaN where x is missing. 1: there is a 0; -EINVAL: a value below 0. */
static int to_logs(const double *x, size_t n, double *ret)
{
	int has_zero = 0;

	for (size_t i = 0; i < n; i++) {
		if (x[i] < 0)
			return -EINVAL;
		if (x[i] == 0)
			has_zero = 1;
		ret[i] = log(x[i]);
	}
	return has_zero;
}

static int estimate_logs(const struct fan_samples *s, double *logs, const struct fan_est_spec *spec,
			 struct fan_est *ret)
{
	const struct fan_samples log_s = { logs, s->nx, logs + s->nx, s->ny };
	const int x = to_logs(s->x, s->nx, logs), y = to_logs(s->y, s->ny, logs + s->nx);

	if (x < 0 || y < 0)
		return -EINVAL;
	if (x || y) {
		fan_est_init(ret, spec->unit, spec->level, spec->m);
		ret->n = s->nx + s->ny;
		ret->runs = s->nx < s->ny ? s->nx : s->ny;
		ret->flags = FAN_EST_GAP_NONE_ZERO;
		return 0;
	}
	return fan_est_welch(&log_s, spec, ret);
}

int fan_est_welch_log(const struct fan_samples *s, const struct fan_est_spec *spec,
		      struct fan_est *ret)
{
	const struct fan_est_spec log_spec = { "log", spec->level, spec->m };
	double *logs;
	int r;

	if (!fan_est_spec_is_valid(spec))
		return -EINVAL;
	logs = calloc(s->nx + s->ny + 1, sizeof(*logs));
	if (!logs)
		return -ENOMEM;
	r = estimate_logs(s, logs, &log_spec, ret);
	free(logs);
	return r;
}
