// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables behind the page: scores, shares, and gaps by name. */
#include "analyze/report/text_compare_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/compare_grids.h"
#include "analyze/report/table.h"
#include "analyze/report/text_compare.h"
#include "analyze/report/words.h"

static void print_scores(const struct fan_compare *c, struct fan_print *p)
{
	struct fan_grid grid = { 0 };

	fan_print_blank(p);
	fan_print_para(p, 0, "Scores: mean over runs; CPUs: CPU seconds a second");
	fan_grid_scores(c, &grid);
	fan_grid_print(&grid, p);
}

static void print_share_remarks(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *of = c->configurations.items;
	struct fan_remarks remarks = { 0 };

	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *g = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++) {
			char *label;

			if (asprintf(&label, "%s %s", of[k].label, g[i].name) < 0)
				label = NULL;
			fan_remarks_add(&remarks, label, &g[i].deviation, &g[i].verdict, p);
		}
	}
	fan_remarks_print(&remarks, SIZE_MAX, p);
}

static void print_jain(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++)
		if (!isnan(of[k].jain.value))
			fan_print_para(p, 4, "  %s: Jain's index %s [%s, %s]", of[k].label,
				       fan_format_real(of[k].jain.value, 4, false).text,
				       fan_format_real(of[k].jain.lo, 4, false).text,
				       fan_format_real(of[k].jain.hi, 4, false).text);
}

/* Where the spread of the runs comes from: only then is it known what to do about it. */
static void print_spread(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *g = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++) {
			const struct fan_c_spread *s = &g[i].spread;

			if (isnan(s->between_part))
				continue;
			fan_print_para(p, 4,
				       "  %s %s: shares spread by %s points from run to run, %.0f "
				       "%% of the variance between the runs; %s",
				       of[k].label, g[i].name,
				       fan_format_real(sqrt(s->total), 2, false).text,
				       100 * s->between_part,
				       s->between > s->within ? "more runs help, not longer ones"
							      : "longer runs help");
		}
	}
}

static void print_shares(const struct fan_compare *c, struct fan_print *p)
{
	struct fan_grid grid = { 0 };

	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Shares of all VMs' CPU time: mean over runs; off by: share minus due, in "
		       "points");
	fan_grid_shares(c, &grid);
	fan_grid_print(&grid, p);
	print_share_remarks(c, p);
	print_jain(c, p);
	print_spread(c, p);
}

void fan_print_compare_levels(const struct fan_compare *c, struct fan_print *p)
{
	if (fan_has_scores(c))
		print_scores(c, p);
	if (fan_has_times(c))
		print_shares(c, p);
}

/* "welch" of the first that has one; n of an estimate is its runs, or windows of one run each. */
static const char *method_of(const struct fan_compare *c, size_t from, size_t to)
{
	const struct fan_c_gap *g = c->gaps.items;

	for (size_t i = from; i < to; i++)
		if (g[i].est.method)
			return g[i].est.method;
	return "no interval";
}

/* "Change of the CPU time, on over off (cpu_time_change: welch, adjusted)" */
static void print_gap_title(const struct fan_compare *c, size_t from, size_t to,
			    struct fan_print *p)
{
	const struct fan_c_gap *g = (const struct fan_c_gap *)c->gaps.items + from;
	const bool is_one_treatment = c->configurations.n == 2 && !g->config;
	const bool is_cpu_time = g->of && strcmp(g->of, "cpu_time") == 0;

	fan_print_blank(p);
	fan_print_para(p, 0, "%s%s%s%s%s (%s%s%s: %s%s)", fan_gap_title(g->name),
		       is_one_treatment ? ", " : "", is_one_treatment ? g->a : "",
		       is_one_treatment ? " over " : "", is_one_treatment ? g->b : "", g->name,
		       g->of ? " of " : "",
		       is_cpu_time ? "CPU time"
		       : g->of	   ? g->of
				   : "",
		       method_of(c, from, to), g->est.m > 1 ? ", adjusted" : "");
}

/* Of the gaps between VMs: what they look like where there is none, and the largest. */
static void print_between(const struct fan_compare *c, size_t from, size_t to, struct fan_print *p)
{
	const struct fan_c_gap *g = c->gaps.items;
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t i = from; i < to && c->configurations.n * of[0].groups.n <= 8; i++)
		if (!isnan(g[i].noise_floor))
			fan_print_para(
				p, 4,
				"  %s: an unsigned gap shows %s %% on average where there is "
				"none%s%s",
				fan_or_dash(g[i].config),
				fan_format_real(g[i].noise_floor, 2, false).text,
				isnan(g[i].correlation) ? "" : "; correlation over runs ",
				isnan(g[i].correlation)
					? ""
					: fan_format_real(g[i].correlation, 2, true).text);
	for (size_t k = 0; k < c->configurations.n; k++)
		if (!isnan(of[k].largest_gap.value))
			fan_print_para(p, 4, "  %s: the largest gap is %s %s, picked after looking",
				       of[k].label, fan_change_value(&of[k].largest_gap).text,
				       fan_change_interval(&of[k].largest_gap).text);
}

static size_t print_gap_table(const struct fan_compare *c, size_t from, struct fan_print *p)
{
	const struct fan_c_gap *g = c->gaps.items;
	struct fan_remarks remarks = { 0 };
	struct fan_grid grid = { 0 };
	const size_t to = fan_grid_gaps(c, from, &grid);

	print_gap_title(c, from, to, p);
	fan_grid_print(&grid, p);
	for (size_t i = from; i < to; i++)
		fan_remarks_add(&remarks, fan_gap_label(c, &g[i]), &g[i].est, &g[i].verdict, p);
	fan_remarks_print(&remarks, SIZE_MAX, p);
	if (g[from].config)
		print_between(c, from, to, p);
	return to;
}

void fan_print_compare_gaps(const struct fan_compare *c, struct fan_print *p)
{
	for (size_t i = 0; i < c->gaps.n;)
		i = print_gap_table(c, i, p);
}
