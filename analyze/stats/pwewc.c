// SPDX-License-Identifier: GPL-3.0-or-later
/* The within-run interval, its tier and the checks that can lower the tier. */
#include "analyze/stats/pwewc.h"

#include <errno.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "analyze/stats/checks.h"
#include "analyze/stats/describe.h"
#include "analyze/stats/est.h"
#include "analyze/stats/gsl.h"

#define PHI_MAX	     0.97
#define NU_MIN	     2
#define NU_MAX	     8
#define DRIFT_SLOW   4	/* cosines that a slow drift raises ... */
#define DRIFT_ALL    16 /* ... against the rest of these; at least NU_MAX */
#define DRIFT_WARN_P 0.01
#define BATCHES	     10
#define RATIO_MIN    0.6 /* of our half-width over that of batch means */
#define RATIO_MAX    1.7
#define SHIFT_WARN_5 40.1 /* critical values of the shift statistic: 5 % and 1 % */
#define SHIFT_WARN_1 68.6

/* The prewhitened series e_t as a view: e_t = (x_(t+1) - mean) - phi (x_t - mean). */
struct residuals {
	const double *x;
	size_t n; /* of x: there are n - 1 residuals */
	double mean, phi;
};

static double cosine_square(const struct residuals *r, unsigned int j)
{
	const double count = (double)(r->n - 1);
	long double sum = 0;

	for (size_t t = 1; t < r->n; t++) {
		const double e = (r->x[t] - r->mean) - r->phi * (r->x[t - 1] - r->mean);

		sum += e * cos(M_PI * j * ((double)t - 0.5) / count);
	}
	return (double)(2 / (long double)count * sum * sum);
}

/* Of L_1^2 .. , those that are known. */
struct squares {
	double of[DRIFT_ALL];
	unsigned int n;
};

/* Mean of L_j^2 over j = from .. to, DRIFT_ALL at most. */
static double cosine_mean(const struct residuals *r, struct squares *l, unsigned int from,
			  unsigned int to)
{
	double sum = 0;

	for (; l->n < to; l->n++)
		l->of[l->n] = cosine_square(r, l->n + 1);
	for (unsigned int j = from; j <= to; j++)
		sum += l->of[j - 1];
	return sum / (to - from + 1);
}

static unsigned int degrees_of_freedom(size_t n)
{
	const double nu = floor(0.4 * pow((double)(n - 1), 2.0 / 3.0));

	return (unsigned int)fmax(NU_MIN, fmin(NU_MAX, nu));
}

static void test_drift(const struct residuals *r, struct squares *l, struct fan_pwewc *p)
{
	if (p->n < FAN_PWEWC_DRIFT)
		return;
	p->drift_f = cosine_mean(r, l, 1, DRIFT_SLOW) /
		     cosine_mean(r, l, DRIFT_SLOW + 1, DRIFT_ALL);
	p->drift_p = gsl_cdf_fdist_Q(p->drift_f, DRIFT_SLOW, DRIFT_ALL - DRIFT_SLOW);
	if (p->drift_p < DRIFT_WARN_P)
		p->flags |= FAN_EST_SLOW_DRIFT;
}

static int test_shift(const double *x, struct fan_pwewc *p)
{
	struct fan_shift shift;
	const int r = fan_level_shift(x, p->n, &shift);

	if (r < 0)
		return r;
	p->shift_stat = shift.stat;
	p->shift_at = shift.at;
	/* a short series raises false alarms more easily: the sharper level there */
	if (shift.stat > (p->n >= FAN_PWEWC_OK ? SHIFT_WARN_5 : SHIFT_WARN_1))
		p->flags |= FAN_EST_LEVEL_SHIFT;
	return 0;
}

static int compare_batches(const double *x, double level, struct fan_pwewc *p)
{
	struct fan_batches b;
	const int r = fan_batch_means(x, p->n, BATCHES, &b);

	if (r < 0)
		return r;
	p->batch_half = fan_tq(level, b.df) * b.se;
	/* batches of a short run are too short to be independent: their interval is the wrong one
	 */
	if (p->n < FAN_PWEWC_OK)
		return 0;
	if (p->half < RATIO_MIN * p->batch_half || p->half > RATIO_MAX * p->batch_half)
		p->flags |= FAN_EST_METHODS_DISAGREE;
	return 0;
}

static void estimate(const double *x, double level, struct fan_pwewc *p)
{
	const double n = (double)p->n;
	const double phi = (n * p->r1 + 1) / (n - 4);
	struct residuals r = { .x = x, .n = p->n, .mean = p->mean };
	struct squares l = { .n = 0 };

	p->phi = r.phi = fmax(0, fmin(phi, PHI_MAX));
	if (phi >= PHI_MAX)
		p->flags |= FAN_EST_NONSTATIONARY;
	p->nu = degrees_of_freedom(p->n);
	p->lrv = cosine_mean(&r, &l, 1, (unsigned int)p->nu) / ((1 - r.phi) * (1 - r.phi));
	p->se = sqrt(p->lrv / n);
	p->half = fan_tq(level, p->nu) * p->se;
	p->ess = p->s2 / (p->se * p->se);
	p->tau = p->lrv / p->s2;
	test_drift(&r, &l, p);
}

static void set_tier(struct fan_pwewc *p)
{
	const uint32_t warnings = FAN_EST_NONSTATIONARY | FAN_EST_LEVEL_SHIFT | FAN_EST_SLOW_DRIFT |
				  FAN_EST_METHODS_DISAGREE;

	if (p->n < FAN_PWEWC_OK || p->ess < FAN_PWEWC_ESS || p->flags & warnings)
		p->flags |= FAN_EST_APPROXIMATE;
}

static void begin(const struct fan_moments *d, struct fan_pwewc *p)
{
	*p = (struct fan_pwewc){
		.n = d->n,
		.mean = d->mean,
		.s2 = d->sd * d->sd,
		.r1 = d->lag1,
		.phi = NAN,
		.nu = NAN,
		.lrv = NAN,
		.se = NAN,
		.ess = NAN,
		.tau = NAN,
		.half = NAN,
		.batch_half = NAN,
		.shift_stat = NAN,
		.drift_f = NAN,
		.drift_p = NAN,
	};
}

int fan_pwewc(const double *x, size_t n, double level, struct fan_pwewc *ret)
{
	struct fan_moments d;
	struct fan_pwewc p;
	int r;

	if (!(level > 0 && level < 1))
		return -EINVAL;
	r = fan_moments(x, n, &d);
	if (r < 0)
		return r;
	begin(&d, &p);
	if (n < FAN_PWEWC_MIN) {
		p.flags = FAN_EST_CI_NONE_SHORT;
	} else if (d.max == d.min) {
		p.flags = FAN_EST_CI_NONE_CONSTANT;
		p.se = 0;
	} else {
		estimate(x, level, &p);
		r = test_shift(x, &p);
		if (r == 0)
			r = compare_batches(x, level, &p);
		if (r < 0)
			return r;
		set_tier(&p);
	}
	*ret = p;
	return 0;
}
