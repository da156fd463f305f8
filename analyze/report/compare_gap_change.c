// SPDX-License-Identifier: GPL-3.0-or-later
/* By what the gap between two VMs changed from one configuration to another. */
#include "analyze/report/compare_gaps.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/stats/runs.h"

static const char method_welch[] = "welch-delta", method_paired[] = "paired-delta";

static int add_in_logs(struct fan_comparison *c, const struct fan_gap_id *id, size_t treatment,
		       const struct fan_sides *d)
{
	struct fan_gap_work work = { .is_log = true, .is_paired = c->nblocks };
	struct fan_c_gap *gap;
	int e = fan_gap_estimate(c, d, "log", &work.est);

	if (e == 0)
		e = fan_gap_doubts(c, treatment, d, &work.est);
	if (e < 0)
		return e;
	gap = fan_gap_add(c, id, &work);
	if (!gap)
		return -ENOMEM;
	e = fan_gap_shift(gap, c, d, "log");
	return e < 0 ? e : fan_gap_ranks(gap, c, d);
}

/* Mean of the values that are there in both of n pairs, or (other NULL) at all. */
static double mean_of(const double *x, const double *other, size_t n)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]) || (other && isnan(other[i])))
			continue;
		sum += x[i];
		count++;
	}
	return count ? sum / (double)count : NAN;
}

/*
 * Log ratios to percent, linearised at their mean m (first-order Taylor): their mean is
 * 100 (exp(m) - 1) and their spread that of the delta method.
 */
static void linearise(const double *d, size_t n, double m, double *ret)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = 100 * (expm1(m) + exp(m) * (d[i] - m));
}

static int add_in_points(struct fan_comparison *c, const struct fan_gap_id *id, size_t treatment,
			 const struct fan_sides *d)
{
	const bool is_paired = c->nblocks;
	const double m_x = mean_of(d->x, is_paired ? d->y : NULL, d->nx);
	const double m_y = mean_of(d->y, is_paired ? d->x : NULL, d->ny);
	struct fan_gap_work work = { .is_paired = is_paired };
	struct fan_sides points;
	int e = fan_sides_make(&points, c, treatment);

	if (e == 0) {
		linearise(d->x, d->nx, m_x, points.x);
		linearise(d->y, d->ny, m_y, points.y);
		e = fan_gap_estimate(c, &points, "points", &work.est);
	}
	fan_sides_free(&points);
	if (work.est.method)
		work.est.method = is_paired ? method_paired : method_welch;
	if (e == 0)
		e = fan_gap_doubts(c, treatment, d, &work.est);
	if (e < 0)
		return e;
	return fan_gap_add(c, id, &work) ? 0 : -ENOMEM;
}

/* A score of 0 in a run: nothing can be said of the gap. */
static int add_without(struct fan_comparison *c, const struct fan_gap_id *id, bool is_log)
{
	struct fan_gap_work work = { .is_log = is_log, .is_paired = c->nblocks };

	fan_est_init(&work.est, is_log ? "log" : "points", c->options->level, 1);
	work.est.flags = FAN_EST_GAP_NONE_ZERO;
	return fan_gap_add(c, id, &work) ? 0 : -ENOMEM;
}

static int add_both(struct fan_comparison *c, struct fan_gap_id *id, size_t treatment, size_t a,
		    size_t b)
{
	const enum fan_quantity q = fan_pair_quantity(c, a, b);
	struct fan_sides d;
	bool is_whole;
	int e = fan_sides_make(&d, c, treatment);

	id->of = q == FAN_Q_CPUS ? "cpu_time" : c->units[a];
	if (e == 0) {
		is_whole = fan_sides_log_ratios(&d, c, treatment, a, b, q);
		id->name = "gap_change_ratio";
		e = is_whole ? add_in_logs(c, id, treatment, &d) : add_without(c, id, true);
		id->name = "gap_change_pp";
		if (e == 0)
			e = is_whole ? add_in_points(c, id, treatment, &d)
				     : add_without(c, id, false);
	}
	fan_sides_free(&d);
	return e;
}

/* Both VMs are in a run of each configuration. */
static bool is_comparable(const struct fan_comparison *c, size_t treatment, size_t a, size_t b)
{
	const enum fan_quantity q = fan_pair_quantity(c, a, b);

	return fan_has_value(c, 0, a, q) && fan_has_value(c, 0, b, q) &&
	       fan_has_value(c, treatment, a, q) && fan_has_value(c, treatment, b, q);
}

int fan_gap_of_gaps(struct fan_comparison *c, size_t treatment, size_t a, size_t b)
{
	struct fan_gap_id id = { .a = c->configs[treatment], .b = c->configs[0] };
	char *per;
	int e;

	if (!is_comparable(c, treatment, a, b))
		return 0;
	if (asprintf(&per, "%s over %s", c->vms[a], c->vms[b]) < 0)
		return -ENOMEM;
	id.per = per;
	e = add_both(c, &id, treatment, a, b);
	free(per);
	return e;
}
