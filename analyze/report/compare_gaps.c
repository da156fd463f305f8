// SPDX-License-Identifier: GPL-3.0-or-later
/* Gaps between VMs, and changes of one quantity from the baseline to a treatment. */
#include "analyze/report/compare_gaps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/fieller.h"
#include "analyze/stats/hodges.h"
#include "analyze/stats/order.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/ranks.h"
#include "analyze/stats/rate.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/welch.h"

struct fan_c_gap *fan_gap_add(struct fan_comparison *c, const struct fan_gap_id *id,
			      const struct fan_gap_work *work)
{
	struct fan_gap_work *grown = reallocarray(c->work, c->nwork + 1, sizeof(*grown));
	struct fan_c_gap *gap;

	if (!grown)
		return NULL;
	c->work = grown;
	gap = fan_array_add(&c->tree->gaps, &fan_c_gap_table);
	if (!gap || fan_str_set(&gap->name, id->name) < 0 || fan_str_set(&gap->a, id->a) < 0 ||
	    fan_str_set(&gap->b, id->b) < 0 || fan_str_set(&gap->config, id->config) < 0 ||
	    fan_str_set(&gap->per, id->per) < 0 || fan_str_set(&gap->of, id->of) < 0)
		return NULL;
	c->work[c->nwork++] = *work;
	return gap;
}

static const char *quantity_name(const struct fan_comparison *c, enum fan_quantity q, size_t vm)
{
	return q == FAN_Q_CPUS ? "cpu_time" : c->units[vm == FAN_TOTAL ? 0 : vm];
}

int fan_gap_doubts(const struct fan_comparison *c, size_t treatment, const struct fan_sides *s,
		   struct fan_est *est)
{
	const size_t nx = fan_runs_of(c, 0), ny = fan_runs_of(c, treatment);
	bool drifts_x = false, drifts_y = false;
	double *start;
	int e;

	if (c->nblocks || !c->has_order)
		return 0;
	start = calloc(nx + ny + 1, sizeof(*start));
	if (!start)
		return -ENOMEM;
	for (size_t i = 0; i < nx; i++)
		start[i] = c->runs[c->first[0] + i].start;
	for (size_t i = 0; i < ny; i++)
		start[nx + i] = c->runs[c->first[treatment] + i].start;
	if (fan_is_confounded(start, nx, start + nx, ny))
		est->flags |= FAN_EST_CONFOUNDED;
	free(start);
	e = fan_column_drifts(c, 0, s->x, &drifts_x);
	if (e == 0)
		e = fan_column_drifts(c, treatment, s->y, &drifts_y);
	if (drifts_x || drifts_y)
		est->flags |= FAN_EST_DRIFT_OVER_RUNS;
	return e;
}

int fan_gap_estimate(const struct fan_comparison *c, const struct fan_sides *s, const char *unit,
		     struct fan_est *ret)
{
	const struct fan_est_spec spec = { unit, c->options->level, 1 };
	const struct fan_paired pairs = { s->y, s->x, s->nx };
	const struct fan_samples samples = { s->x, s->nx, s->y, s->ny };

	return c->nblocks ? fan_est_paired(&pairs, &spec, ret)
			  : fan_est_welch(&samples, &spec, ret);
}

static int estimate_log(const struct fan_comparison *c, const struct fan_sides *s,
			struct fan_est *ret)
{
	const struct fan_est_spec spec = { "log", c->options->level, 1 };
	const struct fan_paired pairs = { s->y, s->x, s->nx };
	const struct fan_samples samples = { s->x, s->nx, s->y, s->ny };

	return c->nblocks ? fan_est_paired_log(&pairs, &spec, ret)
			  : fan_est_welch_log(&samples, &spec, ret);
}

/* The ratio of means beside the log form. */
static int add_ratio(struct fan_c_gap *gap, const struct fan_comparison *c,
		     const struct fan_sides *s, bool is_paired)
{
	const struct fan_est_spec spec = { "ratio", c->options->level, 1 };
	const struct fan_paired pairs = { s->y, s->x, s->nx };
	const struct fan_samples samples = { s->x, s->nx, s->y, s->ny };
	struct fan_fieller f;
	const int e = is_paired ? fan_fieller_paired(&pairs, &spec, &f)
				: fan_fieller(&samples, &spec, &f);

	if (e == 0)
		gap->second = f.est;
	return e;
}

int fan_gap_ranks(struct fan_c_gap *gap, const struct fan_comparison *c, const struct fan_sides *s)
{
	const struct fan_est_spec spec = { NULL, c->options->level, 1 };
	const struct fan_samples samples = { s->x, s->nx, s->y, s->ny };
	struct fan_ranks ranks;
	int e;

	if (c->nblocks)
		return 0;
	e = fan_rank_test(&samples, &spec, &ranks);
	if (e == 0) {
		gap->p_rank = ranks.p;
		gap->p_min = ranks.p_min;
	}
	return e;
}

int fan_gap_shift(struct fan_c_gap *gap, const struct fan_comparison *c, const struct fan_sides *s,
		  const char *unit)
{
	const struct fan_est_spec spec = { unit, c->options->level, 1 };
	const struct fan_samples samples = { s->x, s->nx, s->y, s->ny };

	return c->nblocks ? 0 : fan_est_hodges(&samples, &spec, &gap->second);
}

/* Of a ratio: treatment over baseline, on the log scale. */
static int add_ratio_change(struct fan_comparison *c, const struct fan_change *ch,
			    const struct fan_sides *s)
{
	const struct fan_gap_id id = {
		.name = ch->name,
		.a = c->configs[ch->treatment],
		.b = c->configs[0],
		.per = ch->vm == FAN_TOTAL ? "total" : c->vms[ch->vm],
		.of = ch->q == FAN_Q_SCORE ? quantity_name(c, ch->q, ch->vm) : NULL,
	};
	struct fan_gap_work work = { .is_log = true, .is_paired = c->nblocks };
	struct fan_c_gap *gap;
	int e = estimate_log(c, s, &work.est);

	if (e == 0)
		e = fan_gap_doubts(c, ch->treatment, s, &work.est);
	if (e < 0)
		return e;
	gap = fan_gap_add(c, &id, &work);
	if (!gap)
		return -ENOMEM;
	e = add_ratio(gap, c, s, c->nblocks);
	return e < 0 ? e : fan_gap_ranks(gap, c, s);
}

/* One run a side: the difference of what each says of itself. */
static bool is_within_runs(const struct fan_comparison *c, size_t treatment)
{
	return !c->nblocks && fan_runs_of(c, 0) == 1 && fan_runs_of(c, treatment) == 1;
}

static int estimate_within(const struct fan_comparison *c, const struct fan_change *ch,
			   struct fan_est *ret)
{
	const struct fan_est_spec spec = { "points", c->options->level, 1 };
	const struct fan_run_group *x = fan_run_has(c, c->first[0], ch->vm);
	const struct fan_run_group *y = fan_run_has(c, c->first[ch->treatment], ch->vm);
	struct fan_est of_x, of_y;

	of_x = fan_within_run(ch->q == FAN_Q_SHARE ? &x->share : &x->deviation, spec.level, 1);
	of_y = fan_within_run(ch->q == FAN_Q_SHARE ? &y->share : &y->deviation, spec.level, 1);
	return fan_est_minus(&of_y, &of_x, &spec, ret);
}

/* What the points are of, where the name of the change does not say it. */
static const char *whole_of(const struct fan_change *ch)
{
	if (ch->q != FAN_Q_FORCED_IDLE)
		return NULL;
	return ch->vm == FAN_TOTAL ? "cpu_time_of_host" : "time_wanted";
}

/* Of percentages: a difference in points. */
static int add_point_change(struct fan_comparison *c, const struct fan_change *ch,
			    const struct fan_sides *s)
{
	const struct fan_gap_id id = {
		.name = ch->name,
		.a = c->configs[ch->treatment],
		.b = c->configs[0],
		.per = ch->vm == FAN_TOTAL ? "total" : c->vms[ch->vm],
		.of = whole_of(ch),
	};
	struct fan_gap_work work = { .is_paired = c->nblocks };
	const bool is_within = ch->q != FAN_Q_FORCED_IDLE && is_within_runs(c, ch->treatment);
	struct fan_c_gap *gap;
	int e = is_within ? estimate_within(c, ch, &work.est)
			  : fan_gap_estimate(c, s, "points", &work.est);

	if (e == 0)
		e = fan_gap_doubts(c, ch->treatment, s, &work.est);
	if (e < 0)
		return e;
	gap = fan_gap_add(c, &id, &work);
	if (!gap)
		return -ENOMEM;
	e = fan_gap_shift(gap, c, s, "points");
	return e < 0 ? e : fan_gap_ranks(gap, c, s);
}

int fan_gap_change(struct fan_comparison *c, const struct fan_change *ch)
{
	const bool is_ratio = ch->q == FAN_Q_SCORE || ch->q == FAN_Q_CPUS ||
			      ch->q == FAN_Q_EFFICIENCY;
	struct fan_sides s;
	int e;

	/* a VM that one side has not got cannot change; a note says so */
	if (!fan_has_value(c, 0, ch->vm, ch->q) || !fan_has_value(c, ch->treatment, ch->vm, ch->q))
		return 0;
	e = fan_sides_make(&s, c, ch->treatment);
	if (e == 0) {
		fan_sides_fill(&s, c, ch->treatment, ch->vm, ch->q);
		e = is_ratio ? add_ratio_change(c, ch, &s) : add_point_change(c, ch, &s);
	}
	fan_sides_free(&s);
	return e;
}

/* Values of two VMs in the runs of one configuration, to room for all runs twice. */
static int estimate_between(struct fan_comparison *c, const struct fan_gap_id *id,
			    const struct fan_sides *s)
{
	const struct fan_paired pairs = { s->y, s->x, s->nx };
	const struct fan_est_spec spec = { "log", c->options->level, 1 };
	struct fan_gap_work work = { .is_log = true, .is_paired = true };
	struct fan_est percent;
	struct fan_c_gap *gap;
	int e = fan_est_paired_log(&pairs, &spec, &work.est);

	if (e < 0)
		return e;
	gap = fan_gap_add(c, id, &work);
	if (!gap)
		return -ENOMEM;
	fan_est_percent(&work.est, &percent);
	gap->noise_floor = fan_unsigned_floor(&percent);
	e = fan_log_correlation(&pairs, &gap->correlation);
	return e < 0 ? e : add_ratio(gap, c, s, true);
}

int fan_gap_between(struct fan_comparison *c, size_t config, size_t a, size_t b)
{
	const enum fan_quantity q = fan_pair_quantity(c, a, b);
	const size_t runs = fan_runs_of(c, config);
	const struct fan_gap_id id = { .name = "between_vm",
				       .a = c->vms[a],
				       .b = c->vms[b],
				       .config = c->configs[config],
				       .of = quantity_name(c, q, a) };
	struct fan_sides s = { .nx = runs, .ny = runs };
	int e = -ENOMEM;

	if (!fan_has_value(c, config, a, q) || !fan_has_value(c, config, b, q))
		return 0;
	s.x = calloc(runs, sizeof(*s.x));
	s.y = calloc(runs, sizeof(*s.y));
	if (s.x && s.y) {
		fan_column(c, config, a, q, s.y);
		fan_column(c, config, b, q, s.x);
		e = estimate_between(c, &id, &s);
	}
	fan_sides_free(&s);
	return e;
}
