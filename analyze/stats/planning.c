// SPDX-License-Identifier: GPL-3.0-or-later
/* Power of the t test and the runs that it asks for. */
#include "analyze/stats/planning.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>

#include "analyze/stats/gsl.h"

#define INTERVALS 400
#define ABSOLUTE  1e-13
#define RELATIVE  1e-12
#define REST	  1e-15 /* of the distribution of the variance is left out */

struct power {
	double ncp, df, critical;
};

static double power_at(double w, void *params)
{
	const struct power *p = params;
	const double t = p->critical * sqrt(w / p->df);

	return (gsl_cdf_ugaussian_P(p->ncp - t) + gsl_cdf_ugaussian_P(-p->ncp - t)) *
	       gsl_ran_chisq_pdf(w, p->df);
}

/* Between the quantiles of w: the bulk of it may be narrow, and must not be missed. */
static double integrate(struct power *p, gsl_integration_workspace *space)
{
	const double at[] = { 0, gsl_cdf_chisq_Pinv(0.01, p->df), gsl_cdf_chisq_Pinv(0.5, p->df),
			      gsl_cdf_chisq_Pinv(0.99, p->df), gsl_cdf_chisq_Qinv(REST, p->df) };
	gsl_function f = { power_at, p };
	double sum = 0;

	for (size_t i = 0; i + 1 < sizeof(at) / sizeof(at[0]); i++) {
		double part, error;
		const int r = gsl_integration_qags(&f, at[i], at[i + 1], ABSOLUTE, RELATIVE,
						   INTERVALS, space, &part, &error);

		/* rounding stops it where the last digits cannot be had */
		if (r != GSL_SUCCESS && r != GSL_EROUND)
			return NAN;
		sum += part;
	}
	return sum;
}

double fan_power_t(double ncp, double df, double level)
{
	struct power p = { ncp, df, fan_tq(level, df) };
	gsl_integration_workspace *space;
	double ret;

	if (isnan(p.critical) || !(ncp >= 0))
		return NAN;
	space = gsl_integration_workspace_alloc(INTERVALS);
	if (!space)
		return NAN;
	ret = integrate(&p, space);
	gsl_integration_workspace_free(space);
	return ret;
}

static double equivalence_power(double ratio, double n, double level)
{
	const double df = 2 * n - 2;

	return 2 * gsl_cdf_tdist_P(ratio * sqrt(n / 2) - fan_tq(2 * level - 1, df), df) - 1;
}

static bool is_enough(const struct fan_plan_spec *s, double n)
{
	const double ratio = s->delta / s->sd;

	switch (s->plan) {
	case FAN_PLAN_TWO:
		return fan_power_t(ratio * sqrt(n / 2), 2 * n - 2, s->level) >= s->power;
	case FAN_PLAN_PAIRED:
		return fan_power_t(ratio * sqrt(n), n - 1, s->level) >= s->power;
	case FAN_PLAN_EQUIVALENT:
		return equivalence_power(ratio, n, s->level) >= s->power;
	case FAN_PLAN_HALF_WIDTH:
		return fan_tq(s->level, n - 1) * s->sd / sqrt(n) <= s->delta;
	}
	return false;
}

size_t fan_runs_needed(const struct fan_plan_spec *spec)
{
	size_t below = 1, enough = 2;

	if (!(spec->delta > 0 && isfinite(spec->delta) && spec->sd > 0 && isfinite(spec->sd) &&
	      spec->level > 0.5 && spec->level < 1 && spec->power > 0 && spec->power < 1))
		return 0;
	/* all four get better with every run: double, then halve */
	while (enough <= FAN_PLAN_MAX && !is_enough(spec, (double)enough)) {
		below = enough;
		enough *= 2;
	}
	if (enough > FAN_PLAN_MAX)
		enough = FAN_PLAN_MAX + 1;
	while (enough - below > 1) {
		const size_t middle = below + (enough - below) / 2;

		if (is_enough(spec, (double)middle))
			enough = middle;
		else
			below = middle;
	}
	return enough;
}

double fan_sd_of_runs(const struct fan_est *est)
{
	const double runs = (double)est->runs, others = (double)est->n - runs;

	if (est->runs == 0)
		return NAN;
	return est->se / sqrt(1 / runs + (others > 0 ? 1 / others : 0));
}

double fan_sd_upper(double sd, size_t n, double confidence)
{
	const double df = (double)n - 1;

	if (n < 2 || !(confidence > 0 && confidence < 1))
		return NAN;
	return sd * sqrt(df / gsl_cdf_chisq_Pinv(1 - confidence, df));
}
