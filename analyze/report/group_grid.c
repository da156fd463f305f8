// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/group_grid.h"

#include <math.h>

#include "analyze/report/words.h"

static void add_row(struct fan_grid *grid, const struct fan_r_group *g, bool vcpus)
{
	const struct fan_interval off = fan_interval_shown(&g->deviation);
	const int decimals = fan_interval_decimals(g->deviation.value, off);

	fan_grid_cell(grid, "%s", fan_or_dash(g->name));
	if (vcpus)
		fan_grid_cell(grid, "%s", fan_format_i64(g->vcpus).text);
	if (isnan(g->weight))
		fan_grid_cell(grid, "-");
	else
		fan_grid_cell(grid, "%.10g", g->weight);
	fan_grid_cell(grid, "%s", fan_format_real(g->share.value, decimals, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(g->expected_pct, decimals, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(g->deviation.value, decimals, true).text);
	fan_grid_mark(grid, fan_mark_of_points(g->deviation.value));
	fan_grid_cell(grid, "%s", fan_format_half(g->deviation.value, off).text);
	fan_grid_cell(grid, "%s%s", fan_or_dash(g->verdict.word),
		      g->verdict.indicative ? " *" : "");
	fan_grid_mark(grid, fan_mark_of_word(g->verdict.word));
}

void fan_grid_groups(const struct fan_report *r, struct fan_grid *grid)
{
	static const char *const head[] = {
		"weight", "share %", "due %", "off by", "+/-", "verdict"
	};
	const struct fan_r_group *g = r->groups.items;
	const bool vcpus = fan_has_vcpus(&r->groups);

	grid->columns = vcpus ? "lrrrrrrl" : "lrrrrrl";
	fan_grid_cell(grid, "name");
	if (vcpus)
		fan_grid_cell(grid, "vCPUs");
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		fan_grid_cell(grid, "%s", head[i]);
	for (size_t i = 0; i < r->groups.n; i++)
		add_row(grid, &g[i], vcpus);
}
