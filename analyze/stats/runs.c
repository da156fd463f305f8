// SPDX-License-Identifier: GPL-3.0-or-later
/* Student's t over runs, on the natural and on the logit scale; differences of estimates. */
#include "analyze/stats/runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/describe.h"

static const char method_t[] = "t", method_logit[] = "t-logit", method_welch[] = "welch",
		  method_within[] = "satterthwaite";

size_t fan_drop_missing(const double *x, size_t n, double *ret)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			ret[kept++] = x[i];
	return kept;
}

/* Fills *e, whose flag "missing" is set already, from n values that are all there. */
static int estimate(const double *y, size_t n, struct fan_est *e)
{
	struct fan_describe d;
	const int r = fan_describe(y, n, &d);

	e->n = e->runs = n;
	if (r == -ENODATA)
		e->flags |= FAN_EST_NO_DATA;
	if (r < 0)
		return r == -ENODATA ? 0 : r;
	e->value = d.mean;
	if (n == 1) {
		e->flags |= FAN_EST_CI_NONE_ONE_RUN;
		return 0;
	}
	if (n < FAN_RUNS_OK)
		e->flags |= FAN_EST_FEW_RUNS;
	if (d.max == d.min) {
		e->flags |= FAN_EST_CI_NONE_CONSTANT;
		e->se = 0;
		return 0;
	}
	fan_est_interval(e, d.sd / sqrt((double)n), (double)(n - 1), method_t);
	return 0;
}

int fan_est_runs(const double *y, size_t n, const struct fan_est_spec *spec, struct fan_est *ret)
{
	struct fan_est e;
	double *kept;
	size_t count;
	int r;

	if (!fan_est_spec_is_valid(spec))
		return -EINVAL;
	kept = calloc(n ? n : 1, sizeof(*kept));
	if (!kept)
		return -ENOMEM;
	count = fan_drop_missing(y, n, kept);
	fan_est_init(&e, spec->unit, spec->level, spec->m);
	if (count < n)
		e.flags |= FAN_EST_MISSING;
	r = estimate(kept, count, &e);
	free(kept);
	if (r == 0)
		*ret = e;
	return r;
}

/* The share in percent of a logit; NaN stays. */
static double percent_of(double logit)
{
	return 100 / (1 + exp(-logit));
}

/* Logits of y, NaN where y is missing. The flags of the bounds met, or -EINVAL. */
static int to_logits(const double *y, size_t n, double *ret)
{
	int flags = 0;

	for (size_t i = 0; i < n; i++) {
		if (y[i] < 0 || y[i] > 100)
			return -EINVAL;
		if (y[i] == 0)
			flags |= FAN_EST_AT_BOUND_LO;
		else if (y[i] == 100)
			flags |= FAN_EST_AT_BOUND_HI;
		else
			ret[i] = log(y[i] / (100 - y[i]));
	}
	return flags;
}

int fan_est_runs_logit(const double *y, size_t n, const struct fan_est_spec *spec,
		       struct fan_est *ret)
{
	double *logits = calloc(n ? n : 1, sizeof(*logits));
	struct fan_est e;
	int at_bound, r;

	if (!logits)
		return -ENOMEM;
	fan_est_init(&e, spec->unit, spec->level, spec->m);
	at_bound = to_logits(y, n, logits);
	r = at_bound < 0 ? at_bound : fan_est_runs(logits, n, spec, &e);
	free(logits);
	if (r < 0)
		return r;
	if (at_bound) {
		const uint64_t runs = e.runs;

		fan_est_init(&e, spec->unit, spec->level, spec->m);
		e.n = e.runs = runs;
		e.flags = (uint32_t)at_bound;
	} else if (e.method) {
		e.method = method_logit;
		e.se = NAN;
	}
	e.value = percent_of(e.value);
	e.lo = percent_of(e.lo);
	e.hi = percent_of(e.hi);
	e.lo_adj = percent_of(e.lo_adj);
	e.hi_adj = percent_of(e.hi_adj);
	*ret = e;
	return 0;
}

/* Degrees of freedom of y + x by their shares of the variance: nothing over- or underflows. */
static double satterthwaite(const struct fan_est *y, const struct fan_est *x, double se)
{
	const double part_y = (y->se / se) * (y->se / se);
	const double part_x = (x->se / se) * (x->se / se);

	/* a constant side has no df of its own, and no part */
	return 1 / ((y->se > 0 ? part_y * part_y / y->df : 0) +
		    (x->se > 0 ? part_x * part_x / x->df : 0));
}

int fan_est_minus(const struct fan_est *y, const struct fan_est *x, const struct fan_est_spec *spec,
		  struct fan_est *ret)
{
	const double se = hypot(y->se, x->se);
	struct fan_est e;

	if (!fan_est_spec_is_valid(spec))
		return -EINVAL;
	fan_est_init(&e, spec->unit, spec->level, spec->m);
	e.value = y->value - x->value;
	e.n = y->n + x->n;
	e.runs = y->runs < x->runs ? y->runs : x->runs;
	e.flags = (y->flags | x->flags) & ~(uint32_t)(FAN_EST_OF_BOUNDS | FAN_EST_ONE_SIDED);
	if (se > 0 && !isnan(e.value)) {
		fan_est_interval(&e, se, satterthwaite(y, x, se),
				 e.runs > 0 ? method_welch : method_within);
		e.ess = fmin(y->ess, x->ess);
		if (y->se == 0 || x->se == 0) {
			e.flags &= ~(uint32_t)FAN_EST_CI_NONE_CONSTANT;
			e.flags |= FAN_EST_ONE_SIDE_CONSTANT;
		}
	} else if (se == 0) {
		e.se = 0;
	}
	*ret = e;
	return 0;
}
