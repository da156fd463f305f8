// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/text.h"
#include "analyze/report/text_vcpu.h"
#include "analyze/report/words.h"

enum { EXITS_SHOWN = 10, NAME_SHOWN = 20 }; /* a row of 80 columns has no room for longer names */

static void add_ns(struct fan_grid *grid, int64_t ns)
{
	fan_grid_cell(grid, "%s", fan_format_ns(ns).text);
}

static void add_row(struct fan_grid *grid, const struct fan_r_exit *e, bool off_cpu)
{
	const char *reason = fan_or_dash(e->reason);
	const bool is_long = strlen(reason) > NAME_SHOWN;

	fan_grid_cell(grid, "%.*s%s", is_long ? NAME_SHOWN - 2 : NAME_SHOWN, reason,
		      is_long ? ".." : "");
	fan_grid_cell(grid, "%s", fan_format_i64(e->count).text);
	add_ns(grid, e->total_ns);
	if (off_cpu)
		add_ns(grid, e->off_cpu_ns);
	add_ns(grid, e->p50_ns);
	add_ns(grid, e->p99_ns);
	add_ns(grid, e->max_ns);
}

static void print_group(const struct fan_r_group *g, struct fan_print *p)
{
	static const char *const head[] = { "reason", "count", "total", "off CPU",
					    "p50",    "p99",   "max" };
	const struct fan_r_exit *e = g->exits.items;
	const size_t shown = g->exits.n < EXITS_SHOWN ? g->exits.n : EXITS_SHOWN;
	const bool off_cpu = e[0].off_cpu_ns != FAN_NONE;
	struct fan_grid grid = { .columns = off_cpu ? "lrrrrrr" : "lrrrrr" };

	fan_print_blank(p);
	fan_print_para(p, 0, "Exits of %s: from leaving the guest to entering it again%s",
		       fan_or_dash(g->name),
		       off_cpu ? "; off CPU: of that, asleep or waiting" : "");
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		if (off_cpu || i != 3)
			fan_grid_cell(&grid, "%s", head[i]);
	for (size_t i = 0; i < shown; i++)
		add_row(&grid, &e[i], off_cpu);
	fan_grid_print(&grid, p);
	if (g->exits.n > shown)
		fan_print_para(p, 2, "and %zu more reasons, all of them in the JSON report",
			       g->exits.n - shown);
}

void fan_print_exits(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < r->groups.n; i++) {
		if (g[i].exits.n == 0)
			continue;
		if (shown < FAN_TEXT_GROUPS) {
			print_group(&g[i], p);
			shown++;
		} else {
			left++;
		}
	}
	if (left > 0) {
		fan_print_blank(p);
		fan_print_para(p, 0, "The exits of %zu more groups are in the JSON report.", left);
	}
}
