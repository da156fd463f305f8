// SPDX-License-Identifier: GPL-3.0-or-later
/* Columns of numbers out of the runs of a comparison. */
#include "analyze/report/compare_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/order.h"

const struct fan_run_group *fan_run_has(const struct fan_comparison *c, size_t run, size_t vm)
{
	const struct fan_run_group *g = c->runs[run].groups.items;

	for (size_t i = 0; i < c->runs[run].groups.n; i++)
		if (strcmp(g[i].name, c->vms[vm]) == 0)
			return &g[i];
	return NULL;
}

static double score_of(const struct fan_comparison *c, const struct fan_run_group *g, size_t vm)
{
	return g->unit && c->units[vm] && strcmp(g->unit, c->units[vm]) == 0 ? g->score : NAN;
}

static double ratio(double work, double cpus)
{
	return cpus > 0 ? work / cpus : NAN;
}

static double one_value(const struct fan_comparison *c, size_t run, size_t vm, enum fan_quantity q)
{
	const struct fan_run_group *g = fan_run_has(c, run, vm);

	if (!g)
		return NAN;
	switch (q) {
	case FAN_Q_SCORE:
		return score_of(c, g, vm);
	case FAN_Q_CPUS:
		return g->cpus;
	case FAN_Q_EFFICIENCY:
		return ratio(score_of(c, g, vm), g->cpus);
	case FAN_Q_SHARE:
		return g->share.value;
	case FAN_Q_WINDOW_MEAN:
		return g->share_window_mean_pct;
	case FAN_Q_EXPECTED:
		return g->expected_pct;
	case FAN_Q_DEVIATION:
		return g->deviation.value;
	case FAN_Q_FORCED_IDLE:
		return g->forced_idle_pct;
	case FAN_Q_JUDGED:
		return NAN;
	}
	return NAN;
}

double fan_value_of(const struct fan_comparison *c, size_t run, size_t vm, enum fan_quantity q)
{
	double sum = 0;

	if (vm != FAN_TOTAL)
		return one_value(c, run, vm, q);
	if (q == FAN_Q_EFFICIENCY)
		return ratio(fan_value_of(c, run, vm, FAN_Q_SCORE),
			     fan_value_of(c, run, vm, FAN_Q_CPUS));
	if (q == FAN_Q_JUDGED)
		return c->runs[run].isolation.judged_pct;
	/* no sum: CPU time of the host, not of the time that VMs wanted */
	if (q == FAN_Q_FORCED_IDLE)
		return c->runs[run].forced_idle_pct;
	/* a run that lacks a VM has no total */
	for (size_t v = 0; v < c->nvms; v++)
		sum += one_value(c, run, v, q);
	return sum;
}

size_t fan_runs_of(const struct fan_comparison *c, size_t config)
{
	return c->first[config + 1] - c->first[config];
}

void fan_column(const struct fan_comparison *c, size_t config, size_t vm, enum fan_quantity q,
		double *ret)
{
	for (size_t i = c->first[config]; i < c->first[config + 1]; i++)
		ret[i - c->first[config]] = fan_value_of(c, i, vm, q);
}

bool fan_has_value(const struct fan_comparison *c, size_t config, size_t vm, enum fan_quantity q)
{
	for (size_t i = c->first[config]; i < c->first[config + 1]; i++)
		if (!isnan(fan_value_of(c, i, vm, q)))
			return true;
	return false;
}

int fan_sides_make(struct fan_sides *ret, const struct fan_comparison *c, size_t treatment)
{
	ret->nx = c->nblocks ? c->nblocks : fan_runs_of(c, 0);
	ret->ny = c->nblocks ? c->nblocks : fan_runs_of(c, treatment);
	ret->x = calloc(ret->nx + 1, sizeof(*ret->x));
	ret->y = calloc(ret->ny + 1, sizeof(*ret->y));
	if (!ret->x || !ret->y)
		return -ENOMEM;
	for (size_t i = 0; i < ret->nx; i++)
		ret->x[i] = NAN;
	for (size_t i = 0; i < ret->ny; i++)
		ret->y[i] = NAN;
	return 0;
}

void fan_sides_free(struct fan_sides *s)
{
	free(s->x);
	free(s->y);
}

/* Where a run's value goes: to its block, or to its place among the runs. */
static size_t slot(const struct fan_comparison *c, size_t config, size_t run)
{
	size_t b = 0;

	if (c->nblocks == 0)
		return run - c->first[config];
	while (strcmp(c->blocks[b], c->runs[run].block) != 0)
		b++;
	return b;
}

void fan_sides_fill(const struct fan_sides *s, const struct fan_comparison *c, size_t treatment,
		    size_t vm, enum fan_quantity q)
{
	for (size_t i = c->first[0]; i < c->first[1]; i++)
		s->x[slot(c, 0, i)] = fan_value_of(c, i, vm, q);
	for (size_t i = c->first[treatment]; i < c->first[treatment + 1]; i++)
		s->y[slot(c, treatment, i)] = fan_value_of(c, i, vm, q);
}

static bool log_ratios(const struct fan_comparison *c, size_t config, const size_t vms[2],
		       enum fan_quantity q, double *ret)
{
	for (size_t i = c->first[config]; i < c->first[config + 1]; i++) {
		const double a = fan_value_of(c, i, vms[0], q);
		const double b = fan_value_of(c, i, vms[1], q);

		if (isnan(a) || isnan(b))
			continue;
		if (a == 0 || b == 0)
			return false;
		ret[slot(c, config, i)] = log(a / b);
	}
	return true;
}

bool fan_sides_log_ratios(const struct fan_sides *s, const struct fan_comparison *c,
			  size_t treatment, size_t a, size_t b, enum fan_quantity q)
{
	const size_t vms[2] = { a, b };

	return log_ratios(c, 0, vms, q, s->x) && log_ratios(c, treatment, vms, q, s->y);
}

enum fan_quantity fan_pair_quantity(const struct fan_comparison *c, size_t a, size_t b)
{
	return c->units[a] && c->units[b] && strcmp(c->units[a], c->units[b]) == 0 ? FAN_Q_SCORE
										   : FAN_Q_CPUS;
}

bool fan_has_one_unit(const struct fan_comparison *c)
{
	for (size_t v = 0; v < c->nvms; v++)
		if (!c->units[v] || strcmp(c->units[v], c->units[0]) != 0)
			return false;
	return true;
}

struct fan_est fan_within_run(const struct fan_est *est, double level, unsigned int m)
{
	struct fan_est ret = *est;

	ret.level = level;
	ret.m = m;
	ret.lo = ret.hi = ret.lo_adj = ret.hi_adj = NAN;
	if (est->method && est->se > 0 && est->df > 0)
		fan_est_interval(&ret, est->se, est->df, est->method);
	ret.flags |= FAN_EST_ONE_RUN;
	return ret;
}

int fan_column_drifts(const struct fan_comparison *c, size_t config, const double *values,
		      bool *ret)
{
	const size_t runs = fan_runs_of(c, config);
	double *start = calloc(2 * runs + 1, sizeof(*start)), *kept;
	struct fan_order order = { .drifts = false };
	size_t n = 0;
	int e = 0;

	if (!start)
		return -ENOMEM;
	kept = start + runs;
	for (size_t i = 0; i < runs && c->has_order; i++) {
		if (isnan(values[i]))
			continue;
		start[n] = c->runs[c->first[config] + i].start;
		kept[n++] = values[i];
	}
	e = fan_test_order(start, kept, n, &order);
	free(start);
	*ret = order.drifts;
	return e;
}
