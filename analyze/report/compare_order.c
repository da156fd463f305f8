// SPDX-License-Identifier: GPL-3.0-or-later
/* What there is to compare: configurations, VMs, blocks, and the runs in order. */
#include "analyze/report/compare_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static size_t find(const char *const *names, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && !is_same(names[i], name))
		i++;
	return i;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t sort_unique(const char **names, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || strcmp(names[kept - 1], names[i]) != 0)
			names[kept++] = names[i];
	return kept;
}

/* Named ones keep the order of the command line; those of a label are by name. */
static int list_configs(struct fan_comparison *c, struct fcap_err *err)
{
	const char *wanted = c->options->baseline;
	size_t base;

	c->configs = calloc(c->nruns, sizeof(*c->configs));
	c->first = calloc(c->nruns + 1, sizeof(*c->first));
	if (!c->configs || !c->first)
		return -ENOMEM;
	for (size_t i = 0; i < c->nruns; i++)
		if (find(c->configs, c->nconfigs, c->runs[i].config) == c->nconfigs)
			c->configs[c->nconfigs++] = c->runs[i].config;
	if (c->options->by)
		c->nconfigs = sort_unique(c->configs, c->nconfigs);
	base = find(c->configs, c->nconfigs, wanted ? wanted : "off");
	if (base == c->nconfigs && wanted)
		return fcap_fail(err, EINVAL, "--baseline %s: no run is of this configuration",
				 wanted);
	if (base < c->nconfigs) {
		const char *name = c->configs[base];

		memmove(c->configs + 1, c->configs, base * sizeof(*c->configs));
		c->configs[0] = name;
	}
	return 0;
}

struct ranking {
	const char *const *configs;
	size_t n;
};

static int by_config(const void *a, const void *b, void *ctx)
{
	const struct fan_run *x = a, *y = b;
	const struct ranking *r = ctx;
	const size_t rank_x = find(r->configs, r->n, x->config);
	const size_t rank_y = find(r->configs, r->n, y->config);

	if (rank_x != rank_y)
		return rank_x < rank_y ? -1 : 1;
	if (x->start < y->start || x->start > y->start)
		return x->start < y->start ? -1 : 1;
	return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

/* The names survive: they are the runs', wherever these are. */
static void sort_runs(struct fan_comparison *c, struct fan_run *runs)
{
	struct ranking ranking = { c->configs, c->nconfigs };

	qsort_r(runs, c->nruns, sizeof(*runs), by_config, &ranking);
	for (size_t i = 0; i < c->nruns; i++)
		c->first[find(c->configs, c->nconfigs, runs[i].config) + 1]++;
	for (size_t k = 0; k < c->nconfigs; k++)
		c->first[k + 1] += c->first[k];
	c->has_order = true;
	for (size_t i = 0; i < c->nruns; i++)
		c->has_order &= !isnan(runs[i].start);
}

static int list_vms(struct fan_comparison *c)
{
	size_t all = 0;

	for (size_t i = 0; i < c->nruns; i++)
		all += c->runs[i].groups.n;
	c->vms = calloc(all + 1, sizeof(*c->vms));
	if (!c->vms)
		return -ENOMEM;
	for (size_t i = 0; i < c->nruns; i++) {
		const struct fan_run_group *g = c->runs[i].groups.items;

		for (size_t k = 0; k < c->runs[i].groups.n; k++)
			c->vms[c->nvms++] = g[k].name;
	}
	c->nvms = sort_unique(c->vms, c->nvms);
	c->units = calloc(c->nvms + 1, sizeof(*c->units));
	if (!c->units)
		return -ENOMEM;
	for (size_t v = 0; v < c->nvms; v++)
		for (size_t i = 0; i < c->nruns && !c->units[v]; i++) {
			const struct fan_run_group *g = fan_run_has(c, i, v);

			c->units[v] = g && !isnan(g->score) ? g->unit : NULL;
		}
	return 0;
}

static int list_blocks(struct fan_comparison *c, struct fcap_err *err)
{
	if (!c->options->paired)
		return 0;
	c->blocks = calloc(c->nruns, sizeof(*c->blocks));
	if (!c->blocks)
		return -ENOMEM;
	for (size_t i = 0; i < c->nruns; i++) {
		for (size_t k = 0; k < i; k++)
			if (is_same(c->runs[i].block, c->runs[k].block) &&
			    is_same(c->runs[i].config, c->runs[k].config))
				return fcap_fail(err, EINVAL,
						 "--paired %s: %s and %s are both of configuration "
						 "%s in block %s; one run of each is needed",
						 c->options->paired, c->runs[k].name,
						 c->runs[i].name, c->runs[i].config,
						 c->runs[i].block);
		c->blocks[c->nblocks++] = c->runs[i].block;
	}
	c->nblocks = sort_unique(c->blocks, c->nblocks);
	return 0;
}

static bool is_amount(double x)
{
	return isnan(x) || (x >= 0 && isfinite(x));
}

static bool is_percentage(double x)
{
	return isnan(x) || (x >= 0 && x <= 100);
}

/* Numbers that come from a file, or from somebody's table. */
static int check_run(const struct fan_run *run, const struct fan_compare_options *options,
		     struct fcap_err *err)
{
	const struct fan_run_group *g = run->groups.items;

	if (!run->config || (options->paired && !run->block))
		return fcap_fail(err, EINVAL, "%s: its %s is not known",
				 run->name ? run->name : "a run",
				 run->config ? "block" : "configuration");
	if (!is_percentage(run->forced_idle_pct) || !is_percentage(run->isolation.judged_pct))
		return fcap_fail(err, EINVAL,
				 "%s: its forced idle or isolation is not within 0 "
				 "and 100 %%",
				 run->name ? run->name : "a run");
	for (size_t i = 0; i < run->groups.n; i++)
		if (!is_amount(g[i].score) || !is_amount(g[i].cpus) || !is_amount(g[i].work) ||
		    !is_amount(g[i].share.value) || !is_amount(g[i].expected_pct) ||
		    !is_amount(g[i].forced_idle_pct) || isinf(g[i].deviation.value) ||
		    g[i].share.se < 0 || g[i].deviation.se < 0)
			return fcap_fail(err, EINVAL, "%s: a number of %s is below 0 or not finite",
					 run->name ? run->name : "a run", g[i].name);
	return 0;
}

int fan_comparison_make(struct fan_comparison *ret, struct fan_compare *tree,
			const struct fan_compare_options *options, struct fcap_err *err)
{
	struct fan_run *runs = tree->runs.items;
	int e = 0;

	*ret = (struct fan_comparison){
		.options = options, .tree = tree, .runs = runs, .nruns = tree->runs.n
	};
	if (ret->nruns == 0)
		return fcap_fail(err, EINVAL, "there is no run to compare");
	for (size_t i = 0; e == 0 && i < ret->nruns; i++)
		e = check_run(&runs[i], options, err);
	if (e == 0)
		e = list_configs(ret, err);
	if (e < 0)
		return e;
	sort_runs(ret, runs);
	e = list_vms(ret);
	return e < 0 ? e : list_blocks(ret, err);
}

void fan_comparison_free(struct fan_comparison *c)
{
	free(c->configs);
	free(c->first);
	free(c->vms);
	free(c->units);
	free(c->blocks);
	free(c->work);
}
