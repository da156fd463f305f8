// SPDX-License-Identifier: GPL-3.0-or-later
/* Comparison to LaTeX: the same tables as in the text. */
#include <errno.h>

#include "analyze/report/compare_grids.h"
#include "analyze/report/tex.h"
#include "analyze/report/text_compare.h"
#include "analyze/report/words.h"

static void print_gaps(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_gap *g = c->gaps.items;

	for (size_t i = 0, next; i < c->gaps.n; i = next) {
		struct fan_grid grid = { 0 };

		next = fan_grid_gaps(c, i, &grid);
		fan_tex_comment(p, "%s: family of %u, method %s", g[i].name, g[i].est.m,
				fan_or_dash(g[i].est.method));
		fan_tex_grid(&grid,
			     c->windows.n > 0 ? fan_gap_title_of_windows(g[i].name)
					      : fan_gap_title(g[i].name),
			     p);
	}
}

int fan_compare_tex(const struct fan_compare *c, FILE *f, struct fcap_err *err)
{
	struct fan_print p = { .f = f };

	errno = 0;
	fan_tex_comment(&p, "by %s %s: %s", fan_or_dash(c->tool.name), fan_or_dash(c->tool.version),
			fan_or_dash(c->tool.command));
	fan_tex_comment(&p, "needs \\usepackage{booktabs}; level %g, margin %g; * is indicative",
			c->level, c->margin);
	if (fan_has_scores(c)) {
		struct fan_grid grid = { 0 };

		fan_grid_scores(c, &grid);
		fan_tex_grid(&grid, "Scores", &p);
	}
	if (fan_has_times(c)) {
		struct fan_grid grid = { 0 };

		fan_grid_shares(c, &grid);
		fan_tex_grid(&grid,
			     c->windows.n > 0 ? "Shares of the work, in percent"
					      : "Shares of CPU time, in percent",
			     &p);
	}
	if (fan_has_isolation(c)) {
		struct fan_grid grid = { 0 };

		fan_grid_isolation(c, &grid);
		fan_tex_grid(&grid, "Isolation: runs by verdict, and percent of the time together",
			     &p);
	}
	print_gaps(c, &p);
	return fan_print_finish(&p, err);
}
