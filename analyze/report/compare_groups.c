// SPDX-License-Identifier: GPL-3.0-or-later
/* Each VM in each configuration, over its runs. */
#include "analyze/report/compare_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/jain_runs.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/varcomp.h"
#include "analyze/stats/verdict.h"

/* Mean over the runs of a configuration, with the flag of a drift over them. */
static int estimate(const struct fan_comparison *c, size_t config, const double *values,
		    const struct fan_est_spec *spec, struct fan_est *ret)
{
	bool drifts = false;
	int e = fan_est_runs(values, fan_runs_of(c, config), spec, ret);

	if (e == 0)
		e = fan_column_drifts(c, config, values, &drifts);
	if (drifts)
		ret->flags |= FAN_EST_DRIFT_OVER_RUNS;
	return e;
}

int fan_column_mean(const struct fan_comparison *c, size_t config, size_t vm, enum fan_quantity q,
		    const struct fan_est_spec *spec, struct fan_est *ret)
{
	double *values = calloc(fan_runs_of(c, config) + 1, sizeof(*values));
	int e = -ENOMEM;

	if (values) {
		fan_column(c, config, vm, q, values);
		e = estimate(c, config, values, spec, ret);
	}
	free(values);
	return e;
}

/* The VM's numbers in the only run of its configuration; NULL where there are more. */
static const struct fan_run_group *only_run(const struct fan_comparison *c, size_t config,
					    size_t vm)
{
	return fan_runs_of(c, config) == 1 ? fan_run_has(c, c->first[config], vm) : NULL;
}

static int add_means(struct fan_c_group *to, const struct fan_comparison *c, size_t config,
		     size_t vm)
{
	const bool is_rating = c->units[vm] && strcmp(c->units[vm], "score") == 0;
	const struct {
		enum fan_quantity q;
		struct fan_est *est;
		const char *unit;
	} means[] = {
		{ FAN_Q_SCORE, &to->mean, is_rating ? "score" : "per_second" },
		{ FAN_Q_CPUS, &to->cpus, "cpus" },
		{ FAN_Q_EFFICIENCY, &to->efficiency, "per_cpu_second" },
		{ FAN_Q_SHARE, &to->share, "percent" },
		{ FAN_Q_WINDOW_MEAN, &to->share_window_mean, "percent" },
		{ FAN_Q_FORCED_IDLE, &to->forced_idle, "percent" },
	};
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(means) / sizeof(means[0]); i++) {
		const struct fan_est_spec spec = { means[i].unit, c->options->level, 1 };

		e = fan_column_mean(c, config, vm, means[i].q, &spec, means[i].est);
	}
	if (only_run(c, config, vm))
		to->share = fan_within_run(&only_run(c, config, vm)->share, c->options->level, 1);
	fan_est_note_percent(&to->share);
	fan_est_note_percent(&to->forced_idle);
	return e;
}

/* How many deviations are judged in this report: the family. */
static unsigned int count_deviations(const struct fan_comparison *c)
{
	unsigned int ret = 0;

	for (size_t k = 0; k < c->nconfigs; k++)
		for (size_t v = 0; v < c->nvms; v++)
			ret += fan_has_value(c, k, v, FAN_Q_DEVIATION);
	return ret > 0 ? ret : 1;
}

/* In how many of its runs something stood against any verdict on fairness. */
static size_t count_runs(const struct fan_comparison *c, size_t config, const char *doubt)
{
	size_t ret = 0;

	for (size_t i = c->first[config]; i < c->first[config + 1]; i++) {
		const struct fan_strs *doubts = &c->runs[i].doubts;

		for (size_t k = 0; k < doubts->n; k++)
			ret += strcmp(doubts->items[k], doubt) == 0;
	}
	return ret;
}

/* Reasons that the estimate does not know of: they are those of the report of one run. */
static int add_own_reasons(struct fan_verdict_text *v, const struct fan_comparison *c,
			   size_t config)
{
	static const struct {
		const char *doubt, *reason;
		bool is_fatal;
	} list[] = {
		{ "not_contended", "not contended", true },
		{ "no_overlap", "the groups never all ran at the same time", true },
		{ "weights_assumed", "weights are assumed", false },
	};
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(list) / sizeof(list[0]); i++) {
		if (count_runs(c, config, list[i].doubt) == 0)
			continue;
		e = fan_strs_add(&v->reasons, "%s", list[i].reason);
		v->indicative = true;
		if (list[i].is_fatal)
			v->word = NULL;
	}
	v->indicative &= v->word != NULL;
	return e;
}

static int add_deviation(struct fan_c_group *to, const struct fan_comparison *c, size_t config,
			 size_t vm, double *values)
{
	const struct fan_est_spec spec = { "points", c->options->level, count_deviations(c) };
	struct fan_verdict v = { .margin = NAN };
	int e;

	fan_column(c, config, vm, FAN_Q_EXPECTED, values);
	e = fan_est_runs(values, fan_runs_of(c, config), &spec, &to->deviation);
	to->expected_pct = to->deviation.value;
	fan_column(c, config, vm, FAN_Q_DEVIATION, values);
	if (e == 0)
		e = estimate(c, config, values, &spec, &to->deviation);
	if (only_run(c, config, vm))
		to->deviation = fan_within_run(&only_run(c, config, vm)->deviation, spec.level,
					       spec.m);
	to->verdict.margin = c->options->margin;
	if (e == 0)
		e = fan_judge(&to->deviation, c->options->margin, &v);
	if (e < 0 || isnan(to->deviation.value))
		return e;
	to->verdict.word = v.word;
	to->verdict.indicative = v.indicative;
	for (uint32_t bit = 1; e == 0 && fan_reason_text(bit); bit <<= 1)
		if (v.reasons & bit)
			e = fan_strs_add(&to->verdict.reasons, "%s", fan_reason_text(bit));
	return e < 0 ? e : add_own_reasons(&to->verdict, c, config);
}

/* Only where every run has both a share and its standard error. */
static int add_spread(struct fan_c_group *to, const struct fan_comparison *c, size_t config,
		      size_t vm, double *values)
{
	const size_t runs = fan_runs_of(c, config);
	struct fan_varcomp v;
	double *se = values + runs;
	int e;

	fan_column(c, config, vm, FAN_Q_SHARE, values);
	for (size_t i = 0; i < runs; i++) {
		const struct fan_run_group *g = fan_run_has(c, c->first[config] + i, vm);

		se[i] = g ? g->share.se : NAN;
		if (isnan(se[i]) || isnan(values[i]))
			return 0;
	}
	e = fan_varcomp(values, se, runs, &v);
	if (e == 0)
		to->spread = (struct fan_c_spread){ v.total, v.within, v.between, v.share };
	return e == -ENODATA ? 0 : e;
}

static void add_total(struct fan_c_group *to, const struct fan_comparison *c, size_t config,
		      size_t vm)
{
	double total = 0;

	to->n = 0;
	for (size_t i = c->first[config]; i < c->first[config + 1]; i++) {
		const struct fan_run_group *g = fan_run_has(c, i, vm);

		to->n += g != NULL;
		if (g)
			total += g->work;
	}
	to->total = total;
}

static int add_group(struct fan_c_configuration *to, const struct fan_comparison *c, size_t config,
		     size_t vm, double *values)
{
	struct fan_c_group *g = fan_array_add(&to->groups, &fan_c_group_table);
	int e;

	if (!g)
		return -ENOMEM;
	add_total(g, c, config, vm);
	e = fan_str_set(&g->name, c->vms[vm]);
	if (e == 0)
		e = fan_str_set(&g->unit, c->units[vm]);
	if (e == 0)
		e = add_means(g, c, config, vm);
	if (e == 0)
		e = add_deviation(g, c, config, vm, values);
	return e < 0 ? e : add_spread(g, c, config, vm, values);
}

/* Over the VMs that are in any of its runs; what was due has to be known of all of them. */
static int add_jain(struct fan_c_configuration *to, const struct fan_comparison *c, size_t config)
{
	const size_t runs = fan_runs_of(c, config);
	double *x = calloc(runs * c->nvms + 1, sizeof(*x));
	size_t k = 0;
	int e = 0;

	if (!x)
		return -ENOMEM;
	for (size_t v = 0; v < c->nvms; v++)
		k += fan_has_value(c, config, v, FAN_Q_SHARE);
	for (size_t i = 0; i < runs; i++)
		for (size_t v = 0, at = 0; v < c->nvms; v++) {
			const size_t run = c->first[config] + i;
			const double due = fan_value_of(c, run, v, FAN_Q_EXPECTED);

			if (!fan_has_value(c, config, v, FAN_Q_SHARE))
				continue;
			x[i * k + at++] = due > 0 ? fan_value_of(c, run, v, FAN_Q_SHARE) / due
						  : NAN;
		}
	if (runs == 1 && !isnan(c->runs[c->first[config]].jain.value))
		to->jain = c->runs[c->first[config]].jain;
	else if (k > 0)
		e = fan_est_jain_runs(&(struct fan_allocations){ x, runs, k }, c->options->level,
				      &to->jain);
	free(x);
	return e;
}

static int add_configuration(struct fan_comparison *c, size_t config)
{
	struct fan_c_configuration *to = fan_array_add(&c->tree->configurations,
						       &fan_c_configuration_table);
	double *values = calloc(2 * fan_runs_of(c, config) + 1, sizeof(*values));
	int e = to && values ? 0 : -ENOMEM;

	if (e == 0) {
		to->runs = (int64_t)fan_runs_of(c, config);
		e = fan_str_set(&to->label, c->configs[config]);
	}
	for (size_t v = 0; e == 0 && v < c->nvms; v++)
		for (size_t i = c->first[config]; i < c->first[config + 1]; i++) {
			if (!fan_run_has(c, i, v))
				continue;
			e = add_group(to, c, config, v, values);
			break;
		}
	free(values);
	return e < 0 ? e : add_jain(to, c, config);
}

int fan_compare_groups(struct fan_comparison *c)
{
	int e = 0;

	for (size_t k = 0; e == 0 && k < c->nconfigs; k++)
		e = add_configuration(c, k);
	return e;
}
