// SPDX-License-Identifier: GPL-3.0-or-later
/* Gaps without runs. */
#include "analyze/report/score_summary.h"

#include <errno.h>
#include <math.h>

#include "analyze/stats/paired.h"
#include "analyze/stats/planning.h"

/* The log gap of two equal VMs in one run, as noise makes it. */
static struct fan_est noise(double level)
{
	const double sd = sqrt(2) * log1p(FAN_SUMMARY_NOISE / 100);
	struct fan_est e;

	fan_est_init(&e, "log", level, 1);
	e.value = 0;
	/* the spread is assumed, not estimated: as good as normal */
	fan_est_interval(&e, sd, 1e9, "normal");
	return e;
}

/* Runs of each configuration to see this change of the log gap. */
static int64_t needed(double change, double level)
{
	const struct fan_plan_spec spec = {
		.plan = FAN_PLAN_TWO,
		.delta = fabs(change),
		.sd = noise(level).se,
		.level = level,
		.power = 0.8,
	};

	return (int64_t)fan_runs_needed(&spec);
}

static int add_gap(struct fan_compare *ret, const struct fan_score_table *t,
		   const struct fan_score_row *row)
{
	const struct fan_est chance = noise(ret->level);
	struct fan_c_gap *gap = fan_array_add(&ret->gaps, &fan_c_gap_table);
	int r = gap ? fan_str_set(&gap->name, "between_vm") : -ENOMEM;

	/* which of them was ahead nobody said */
	if (r == 0)
		r = fan_str_set(&gap->a, "one VM");
	if (r == 0)
		r = fan_str_set(&gap->b, "the other");
	if (r == 0 && row->config >= 0)
		r = fan_str_set(&gap->config, fan_score_name(&t->configs, row->config));
	if (r < 0)
		return r;
	fan_est_init(&gap->est, "percent", ret->level, 1);
	gap->est.value = row->value;
	gap->noise_floor = 100 * expm1(fan_unsigned_floor(&chance));
	gap->verdict.margin = ret->margin;
	gap->runs_needed = needed(log1p(ret->margin / 100), ret->level);
	return fan_strs_add(&gap->verdict.reasons,
			    "ci_none:summary_only: one number without the runs behind it");
}

static int note_chance(struct fan_compare *ret)
{
	const struct fan_est chance = noise(ret->level);
	const double most = 100 * expm1(chance.hi);
	const struct fan_c_gap *gap = ret->gaps.items;
	int r = fan_strs_add(
		&ret->notes,
		"if scores vary by %g %% from run to run (an assumption), one run of "
		"two equal VMs shows a gap of %.1f %% on average and one above %.1f %% "
		"in %.3g %% of the cases",
		FAN_SUMMARY_NOISE, 100 * expm1(fan_unsigned_floor(&chance)), most,
		100 * (1 - ret->level));

	for (size_t i = 0; r == 0 && i < ret->gaps.n; i++)
		r = fan_strs_add(&ret->notes, "%s%s%g %% %s", gap[i].config ? gap[i].config : "",
				 gap[i].config ? ": " : "", gap[i].est.value,
				 fabs(gap[i].est.value) <= most
					 ? "can come from nothing, if it is of one run"
					 : "is more than such noise makes in one run");
	return r;
}

static int note_needs(struct fan_compare *ret)
{
	const struct fan_c_gap *gap = ret->gaps.items;
	int r = fan_strs_add(&ret->notes,
			     "needed: the score of each VM in each run (a table with run, config, "
			     "vm, score), from runs in the order ABBA");

	if (r == 0 && ret->gaps.n == 2 && gap[0].est.value > -100 && gap[1].est.value > -100 &&
	    gap[0].est.value != gap[1].est.value) {
		const double change = log1p(gap[1].est.value / 100) - log1p(gap[0].est.value / 100);
		const int64_t runs = needed(change, ret->level);

		r = fan_strs_add(
			&ret->notes,
			"with that noise a change from %g %% to %g %% takes %s%lld runs of "
			"each configuration to be seen (fewer than %d give no firm verdict)",
			gap[0].est.value, gap[1].est.value, runs > FAN_PLAN_MAX ? "more than " : "",
			(long long)(runs > FAN_PLAN_MAX ? FAN_PLAN_MAX : runs), FAN_RUNS_OK);
	}
	if (r == 0 && ret->gaps.n > 0 && ret->margin > 0)
		r = fan_strs_add(&ret->notes, "a change of the margin, %g %%, takes %s%lld",
				 ret->margin, gap->runs_needed > FAN_PLAN_MAX ? "more than " : "",
				 (long long)(gap->runs_needed > FAN_PLAN_MAX ? FAN_PLAN_MAX
									     : gap->runs_needed));
	return r;
}

int fan_score_assemble_summary(struct fan_compare *ret, const struct fan_score_table *t,
			       const struct fan_score_options *options, struct fcap_err *err)
{
	int32_t baseline;
	int r;

	if (options->nexpected || options->nweights)
		return fcap_fail(err, EINVAL, "%s is for windows; these files hold a summary",
				 options->nexpected ? "--expected" : "--weight");
	r = fan_score_baseline(t, options->baseline, &baseline, err);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; r == 0 && i < t->n; i++)
			if ((t->rows[i].config == baseline) == (pass == 0))
				r = add_gap(ret, t, &t->rows[i]);
	if (r == 0)
		r = note_chance(ret);
	if (r == 0)
		r = note_needs(ret);
	return r == -ENOMEM ? fcap_fail(err, ENOMEM, "out of memory") : r;
}
