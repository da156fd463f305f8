// SPDX-License-Identifier: GPL-3.0-or-later
/* Woodruff's interval for a quantile. */
#include "analyze/stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/pwewc.h"

#define TAIL 0.1

static double at(const double *sorted, size_t n, double p)
{
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n, fmax(0, fmin(p, 1)));
}

static void add_interval(const double *sorted, size_t n, double p, const struct fan_pwewc *w,
			 struct fan_est *e)
{
	double half = w->half;

	e->lo = at(sorted, n, p - half);
	e->hi = at(sorted, n, p + half);
	e->df = w->nu;
	e->ess = fmin(w->ess, (double)n);
	e->method = "woodruff";
	if (e->m > 1) {
		half = fan_tq(1 - (1 - e->level) / e->m, w->nu) * w->se;
		e->lo_adj = at(sorted, n, p - half);
		e->hi_adj = at(sorted, n, p + half);
	}
}

/* sorted and is_below are work space for n > 0 values each. */
static int estimate(const double *x, double p, double *sorted, double *is_below,
		    struct fan_quantile *q)
{
	const size_t n = q->est.n;
	const bool is_tail = p < TAIL || p > 1 - TAIL;
	struct fan_pwewc w;
	int r;

	memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	q->est.value = at(sorted, n, p);
	for (size_t i = 0; i < n; i++)
		is_below[i] = x[i] <= q->est.value;
	r = fan_pwewc(is_below, n, q->est.level, &w);
	if (r < 0)
		return r;
	q->est.flags |= w.flags;
	q->p_se = w.se;
	if (is_tail && n < FAN_TAIL_MIN)
		q->est.flags |= FAN_EST_CI_NONE_TAIL;
	else if (is_tail && n < FAN_TAIL_OK)
		q->est.flags |= FAN_EST_APPROXIMATE;
	if (!(q->est.flags &
	      (FAN_EST_CI_NONE_SHORT | FAN_EST_CI_NONE_CONSTANT | FAN_EST_CI_NONE_TAIL)))
		add_interval(sorted, n, p, &w, &q->est);
	return 0;
}

int fan_est_quantile(const double *x, size_t n, double p, const struct fan_est_spec *spec,
		     struct fan_quantile *ret)
{
	struct fan_quantile q = { .p_se = NAN };
	double *work;
	int r = 0;

	if (!fan_est_spec_is_valid(spec) || !(p > 0 && p < 1))
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return -EINVAL;
	fan_est_init(&q.est, spec->unit, spec->level, spec->m);
	q.est.n = n;
	q.est.flags = FAN_EST_ONE_RUN;
	work = calloc(2 * n + 1, sizeof(*work));
	if (!work)
		return -ENOMEM;
	if (n == 0)
		q.est.flags |= FAN_EST_NO_DATA;
	else
		r = estimate(x, p, work, work + n, &q);
	free(work);
	if (r == 0)
		*ret = q;
	return r;
}
