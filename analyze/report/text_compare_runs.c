// SPDX-License-Identifier: GPL-3.0-or-later
/* The values of every run. */
#include "analyze/report/text_compare_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/amount.h"
#include "analyze/report/compare_grids.h"
#include "analyze/report/table.h"
#include "analyze/report/text_compare.h"
#include "analyze/report/words.h"

size_t fan_common_folder(const struct fan_array *runs)
{
	const struct fan_run *run = runs->items;
	size_t ret = 0;

	for (size_t at = 0; runs->n > 0 && run[0].name && run[0].name[at]; at++) {
		for (size_t i = 1; i < runs->n; i++)
			if (!run[i].name || run[i].name[at] != run[0].name[at])
				return ret;
		if (run[0].name[at] == '/')
			ret = at + 1;
	}
	return ret;
}

static void add_run(struct fan_grid *grid, const struct fan_run *run, size_t folder,
		    const struct fan_run_group *g)
{
	fan_grid_cell(grid, "%s", fan_or_dash(run->config));
	fan_grid_cell(grid, "%s", run->name ? run->name + folder : "-");
	fan_grid_cell(grid, "%s", g->name);
	if (isnan(g->score))
		fan_grid_cell(grid, "-");
	else
		fan_grid_cell(grid, "%.6g", g->score);
	fan_grid_cell(grid, "%s", fan_format_real(g->cpus, 3, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(g->share.value, 2, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(g->deviation.value, 2, true).text);
}

void fan_print_compare_runs(const struct fan_compare *c, struct fan_print *p)
{
	static const char *const head[] = { "config", "run",	 "name",  "score",
					    "CPUs",   "share %", "off by" };
	const struct fan_run *run = c->runs.items;
	struct fan_grid grid = { .columns = "lllrrrr" };
	const size_t folder = fan_common_folder(&c->runs);
	size_t rows = 0, hidden = 0;

	fan_print_blank(p);
	fan_print_para(p, 0, "Runs%s%.*s", folder ? " in " : "", (int)folder,
		       folder ? run[0].name : "");
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		fan_grid_cell(&grid, "%s", head[i]);
	for (size_t i = 0; i < c->runs.n; i++) {
		const struct fan_run_group *g = run[i].groups.items;

		for (size_t k = 0; k < run[i].groups.n; k++)
			if (rows++ < FAN_TEXT_RUNS)
				add_run(&grid, &run[i], folder, &g[k]);
			else
				hidden++;
	}
	fan_grid_print(&grid, p);
	if (hidden)
		fan_print_para(p, 2, "  and %zu more rows, all of them in the JSON", hidden);
}

#define VALUES_SHOWN 20 /* of one VM in one configuration; the rest is counted */
#define LINES_SHOWN  12 /* VMs and configurations: of more there is no room */

/* "off vm1: 5011 4987 5021", in the order of the runs */
static void print_values_of(const struct fan_compare *c, const char *config, const char *vm,
			    bool is_score, struct fan_print *p)
{
	const struct fan_run *run = c->runs.items;
	struct fan_strs values = { 0 };
	char *text, more[40] = "";
	size_t n = 0;

	for (size_t i = 0; i < c->runs.n; i++) {
		const struct fan_run_group *g = run[i].groups.items;

		for (size_t k = 0; strcmp(run[i].config, config) == 0 && k < run[i].groups.n; k++) {
			const double value = is_score ? g[k].score : g[k].cpus;

			if (strcmp(g[k].name, vm) != 0 || n++ >= VALUES_SHOWN)
				continue;
			if (fan_strs_add(&values, "%s",
					 fan_format_amount(value, value, fan_decimals_of(value, 4))
						 .text) < 0)
				p->r = -ENOMEM;
		}
	}
	if (n > VALUES_SHOWN)
		snprintf(more, sizeof(more), " and %zu more", n - VALUES_SHOWN);
	text = fan_join(&values, " ");
	if (!text)
		p->r = -ENOMEM;
	else
		fan_print_para(p, 4, "  %s %s: %s%s", config, vm, text, more);
	free(text);
	fan_strs_free(&values);
}

void fan_print_compare_values(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *of = c->configurations.items;
	const bool is_score = fan_has_scores(c);
	size_t lines = 0;

	for (size_t k = 0; k < c->configurations.n; k++)
		lines += of[k].groups.n;
	fan_print_blank(p);
	if (lines > LINES_SHOWN) {
		fan_print_para(p, 0, "Runs: too many VMs for this page; --all has their values");
		return;
	}
	fan_print_para(p, 0, "Runs: %s of each VM, in their order",
		       is_score ? "throughput" : "CPU time");
	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *g = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++)
			print_values_of(c, of[k].label, g[i].name, is_score, p);
	}
}
