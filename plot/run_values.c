// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/run_values.h"

#include <math.h>
#include <string.h>

#include "plot/page.h"

#define LARGE 1e5 /* from here on with k, M, G */

const char *fplot_runs_unit(const struct fan_compare *c)
{
	const struct fan_run *run = c->runs.items;
	const char *ret = NULL;

	for (size_t i = 0; i < c->runs.n; i++) {
		const struct fan_run_group *g = run[i].groups.items;

		for (size_t k = 0; k < run[i].groups.n; k++) {
			const char *unit = g[k].unit ? g[k].unit : "score";

			if (!isfinite(g[k].score))
				continue;
			if (ret && strcmp(ret, unit) != 0)
				return NULL;
			ret = unit;
		}
	}
	return ret;
}

double fplot_run_value(const struct fan_run *run, const char *vm, const char *unit)
{
	const struct fan_run_group *g = run->groups.items;

	for (size_t i = 0; i < run->groups.n; i++)
		if (g[i].name && strcmp(g[i].name, vm) == 0)
			return unit ? g[i].score : g[i].cpus;
	return NAN;
}

bool fplot_is_run_of(const struct fan_run *run, const struct fan_c_configuration *config)
{
	return run->config && config->label && strcmp(run->config, config->label) == 0;
}

const struct fan_c_group *fplot_config_group(const struct fan_c_configuration *config,
					     const char *vm)
{
	const struct fan_c_group *g = config->groups.items;

	for (size_t i = 0; i < config->groups.n; i++)
		if (g[i].name && strcmp(g[i].name, vm) == 0)
			return &g[i];
	return NULL;
}

const struct fan_est *fplot_config_mean(const struct fan_c_configuration *config, const char *vm,
					const char *unit)
{
	const struct fan_c_group *g = fplot_config_group(config, vm);

	if (!g)
		return NULL;
	return unit ? &g->mean : &g->cpus;
}

void fplot_put_value_axis(FILE *f, const char *unit, double hi)
{
	if (hi >= LARGE) /* letters that gnuplot does not reckon with */
		fputs("\tset format y '%.0s%c'\n\tset lmargin 9\n", f);
	fputs("\tset ylabel ", f);
	if (unit)
		fplot_put_label(f, unit);
	else
		fputs("say('CPU time (CPUs)')", f);
	if (unit && strcmp(unit, "score") != 0)
		fputs(".' per second'", f);
	fprintf(f, " offset %s,0\n", hi >= LARGE ? "-0.7" : "side");
}

void fplot_put_measured(FILE *f, const char *unit)
{
	fputs("# measured: ", f);
	fplot_put_text(f, unit ? unit : "CPU time, in CPUs", "\\`");
	fputc('\n', f);
}
