// SPDX-License-Identifier: GPL-3.0-or-later
/* From a table of windows to the tree of a comparison: series, what was due, configurations. */
#include "analyze/report/score_windows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int fan_score_baseline(const struct fan_score_table *t, const char *wanted, int32_t *ret,
		       struct fcap_err *err)
{
	const char *name = wanted ? wanted : "off";

	for (size_t i = 0; i < t->configs.n; i++)
		if (strcmp(t->configs.items[i], name) == 0) {
			*ret = (int32_t)i;
			return 0;
		}
	if (wanted)
		return fcap_fail(err, EINVAL, "--baseline %s: no configuration has this name",
				 wanted);
	*ret = t->rows[0].config;
	return 0;
}

/* All series of a table, and the configurations that they belong to. */
struct collection {
	const struct fan_score_table *table;
	const struct fan_score_options *options;
	struct fan_score_series *series;
	struct fan_score_config *configs;
	size_t nseries, nconfigs;
};

static void free_collection(struct collection *c)
{
	for (size_t i = 0; c->series && i < c->nseries; i++) {
		free(c->series[i].part);
		free(c->series[i].total);
		free(c->series[i].share);
	}
	free(c->series);
	free(c->configs);
}

/* The number that was given for this VM, else that for all; NaN: neither. */
static double given_for(const struct fan_score_given *list, size_t n, const char *vm)
{
	double ret = NAN;

	for (size_t i = 0; i < n; i++)
		if (list[i].name && strcmp(list[i].name, vm) == 0)
			return list[i].value;
		else if (!list[i].name)
			ret = list[i].value;
	return ret;
}

static int make_series(struct fan_score_series *s, const struct fan_score_row *rows, size_t n,
		       const struct collection *c)
{
	const bool is_share = c->table->kind == FAN_SCORES_SHARES;
	double due = 0;

	s->config = fan_score_name(&c->table->configs, rows->config);
	s->vm = fan_score_name(&c->table->vms, rows->vm);
	s->rows = rows;
	s->part = calloc(n, sizeof(*s->part));
	s->total = calloc(n, sizeof(*s->total));
	s->share = calloc(n, sizeof(*s->share));
	if (!s->part || !s->total || !s->share)
		return -ENOMEM;
	s->n = n;
	for (size_t i = 0; i < n; i++) {
		s->total[i] = is_share ? rows[i].total : 0; /* of work: when all are there */
		s->part[i] = is_share ? rows[i].value / 100 * rows[i].total : rows[i].value;
		due += rows[i].expected_pct;
	}
	s->expected_pct = 100 * given_for(c->options->expected, c->options->nexpected, s->vm);
	if (isnan(s->expected_pct))
		s->expected_pct = due / (double)n; /* NaN where a row does not tell it */
	return 0;
}

static int collect(struct collection *c)
{
	const struct fan_score_table *t = c->table;
	struct fan_score_config *config = NULL;
	size_t k = 0;
	int r = 0;

	for (size_t i = 0; i < t->n; i += fan_scores_series(t, i))
		c->nseries++;
	c->series = calloc(c->nseries ? c->nseries : 1, sizeof(*c->series));
	c->configs = calloc(t->configs.n + 1, sizeof(*c->configs));
	if (!c->series || !c->configs)
		return -ENOMEM;
	for (size_t i = 0, n; r == 0 && i < t->n; i += n) {
		n = fan_scores_series(t, i);
		if (!config || config->index != t->rows[i].config) {
			config = &c->configs[c->nconfigs++];
			config->index = t->rows[i].config;
			config->label = fan_score_name(&t->configs, config->index);
			config->series = &c->series[k];
		}
		config->n++;
		r = make_series(&c->series[k++], &t->rows[i], n, c);
	}
	return r;
}

/* The work of a window is that of all VMs of the configuration. */
static void add_totals(struct fan_score_config *c)
{
	for (size_t w = 0; w < c->series->n; w++) {
		double total = 0;

		for (size_t k = 0; k < c->n; k++)
			total += c->series[k].part[w];
		for (size_t k = 0; k < c->n; k++)
			c->series[k].total[w] = total;
	}
}

static void set_shares(struct fan_score_series *s, const struct fan_score_row *rows, bool is_share)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->total[i] > 0)
			s->share[s->nshare++] = is_share ? rows[i].value
							 : 100 * s->part[i] / s->total[i];
}

static int weigh(struct fan_score_config *c, const struct fan_score_options *o,
		 struct fcap_err *err)
{
	double sum = 0;

	for (size_t k = 0; k < c->n; k++)
		sum += given_for(o->weights, o->nweights, c->series[k].vm);
	for (size_t k = 0; k < c->n; k++) {
		const double w = given_for(o->weights, o->nweights, c->series[k].vm);

		if (isnan(w))
			return fcap_fail(err, EINVAL, "--weight: %s has none; give one for each VM",
					 c->series[k].vm);
		c->series[k].expected_pct = 100 * w / sum;
	}
	return 0;
}

static int check_names(const struct fan_score_table *t, const char *option,
		       const struct fan_score_given *list, size_t n, struct fcap_err *err)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (list[i].name && k < t->vms.n && strcmp(t->vms.items[k], list[i].name) != 0)
			k++;
		if (list[i].name && k == t->vms.n)
			return fcap_fail(err, EINVAL, "%s %s=...: no VM has this name", option,
					 list[i].name);
	}
	return 0;
}

static int complete(struct collection *c, struct fcap_err *err)
{
	const bool is_share = c->table->kind == FAN_SCORES_SHARES;
	const struct fan_score_options *o = c->options;
	const struct fan_score_row *rows = c->table->rows;
	int r = check_names(c->table, "--expected", o->expected, o->nexpected, err);

	if (r == 0)
		r = check_names(c->table, "--weight", o->weights, o->nweights, err);
	if (r == 0 && is_share && o->nweights)
		r = fcap_fail(err, EINVAL,
			      "--weight is for windows of work; what share was due is said with "
			      "--expected");
	for (size_t i = 0; r == 0 && !is_share && i < c->nconfigs; i++) {
		add_totals(&c->configs[i]);
		if (o->nweights)
			r = weigh(&c->configs[i], o, err);
	}
	for (size_t i = 0; r == 0 && i < c->nseries; i++) {
		set_shares(&c->series[i], rows, is_share);
		rows += c->series[i].n;
	}
	return r;
}

static int add_run(struct fan_compare *ret, const struct fan_c_configuration *from)
{
	const struct fan_c_group *g = from->groups.items;
	struct fan_run *run = fan_array_add(&ret->runs, &fan_run_table);
	int r = run ? fan_str_set(&run->config, from->label) : -ENOMEM;

	if (r == 0)
		r = fan_str_set(&run->name, from->label);
	for (size_t i = 0; r == 0 && i < from->groups.n; i++) {
		struct fan_run_group *to = fan_run_group(run, g[i].name);

		if (!to)
			return -ENOMEM;
		to->work = g[i].total;
		to->share = g[i].share;
		to->share_window_mean_pct = g[i].share_window_mean.value;
		to->expected_pct = g[i].expected_pct;
		to->deviation = g[i].deviation;
	}
	return r;
}

static int add_config(struct fan_compare *ret, const struct fan_score_config *c,
		      const struct collection *of)
{
	struct fan_c_configuration *to = fan_array_add(&ret->configurations,
						       &fan_c_configuration_table);
	int r = to ? 0 : -ENOMEM;

	if (r == 0)
		r = fan_str_set(&to->label, *c->label ? c->label : FAN_SCORE_NO_CONFIG);
	for (size_t i = 0; r == 0 && i < c->n; i++) {
		struct fan_c_group *g = fan_array_add(&to->groups, &fan_c_group_table);
		struct fan_c_windows *w = fan_array_add(&ret->windows, &fan_c_windows_table);

		r = g && w ? fan_score_assemble_series(g, w, &c->series[i], (unsigned int)c->n,
						       of->options)
			   : -ENOMEM;
	}
	if (r < 0)
		return r;
	to->runs = 1;
	r = fan_score_jain(to, c, of->table->kind, of->options->level);
	if (r == 0 && of->table->kind == FAN_SCORES_WORK)
		r = fan_score_between(ret, c, of->options);
	return r < 0 ? r : add_run(ret, to);
}

static int add_configs(struct fan_compare *ret, const struct collection *c, struct fcap_err *err)
{
	int32_t baseline = -1;
	int r = fan_score_baseline(c->table, c->options->baseline, &baseline, err);

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; r == 0 && i < c->nconfigs; i++)
			if ((c->configs[i].index == baseline) == (pass == 0))
				r = add_config(ret, &c->configs[i], c);
	return r;
}

static int add_notes(struct fan_compare *ret, const struct fan_score_table *t)
{
	int r = fan_strs_add(&ret->notes,
			     "one run%s: windows are looks at the same run and do not replace more "
			     "runs",
			     ret->configurations.n > 1 ? " each" : "");

	if (r == 0 && t->notes & FAN_SCORES_WHOLE_PERCENT)
		r = fan_strs_add(
			&ret->notes,
			"shares are whole percents; the benchmark of 2015 cuts fractions "
			"off (a printed 85 is 85.00 to 85.99), which makes its shares about "
			"half a point too low; they are taken as printed");
	if (r == 0 && t->notes & FAN_SCORES_NO_TOTAL)
		r = fan_strs_add(&ret->notes, "shares without totals: each window counts alike");
	if (r == 0 && t->notes & FAN_SCORES_CLAMPED)
		r = fan_strs_add(&ret->notes,
				 "shares beyond 0 or 100 by rounding are taken as 0 and 100");
	if (r == 0 && t->notes & FAN_SCORES_MISSING)
		r = fan_strs_add(&ret->notes, "up to 5 %% of the numbered windows are missing");
	if (r == 0 && t->notes & FAN_SCORES_DUE_TOLD)
		r = fan_strs_add(
			&ret->notes,
			"what was due, where --expected does not say it, is what the lines "
			"tell, as rounded there");
	return r;
}

int fan_score_assemble_windows(struct fan_compare *ret, const struct fan_score_table *t,
			       const struct fan_score_options *options, struct fcap_err *err)
{
	struct collection c = { .table = t, .options = options };
	int r = collect(&c);

	if (r == 0)
		r = complete(&c, err);
	if (r == 0)
		r = add_configs(ret, &c, err);
	if (r == 0)
		r = fan_score_changes(ret, options);
	if (r == 0)
		r = add_notes(ret, t);
	free_collection(&c);
	if (r == -ENOMEM)
		return fcap_fail(err, ENOMEM, "out of memory");
	return r;
}
