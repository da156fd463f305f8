// SPDX-License-Identifier: GPL-3.0-or-later
/* Comparison to text: the answer, then scores, shares, gaps, runs, notes. */
#include "analyze/report/text_compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/compare_grids.h"
#include "analyze/report/table.h"
#include "analyze/report/text_compare_answer.h"
#include "analyze/report/words.h"

/* What must be known to read one row, "" if nothing, to be freed; NULL: no memory. */
static char *remark_of(const struct fan_est *est, const struct fan_verdict_text *v)
{
	char *flags = fan_est_words(est->flags), *reasons = fan_join(&v->reasons, ", ");
	const char *head = v->indicative ? "* indicative" : v->word ? "" : "no verdict";
	char *ret = NULL;
	int r = -1;

	/* the reasons of a verdict repeat the flags */
	if (flags && reasons)
		r = asprintf(&ret, "%s%s%s", head, *head && (*reasons || *flags) ? ": " : "",
			     *reasons ? reasons : flags);
	free(flags);
	free(reasons);
	return r < 0 ? NULL : ret;
}

/* One line for all labels that share a remark. Both lists are emptied. */
static void print_remarks(struct fan_strs *labels, struct fan_strs *remarks, struct fan_print *p)
{
	for (size_t i = 0; p->r == 0 && i < remarks->n; i++) {
		struct fan_strs who = { 0 };
		size_t first = 0;
		char *joined;

		while (strcmp(remarks->items[first], remarks->items[i]) != 0)
			first++;
		if (first < i || !*remarks->items[i])
			continue;
		for (size_t k = i; k < remarks->n; k++)
			if (strcmp(remarks->items[k], remarks->items[i]) == 0 &&
			    fan_strs_add(&who, "%s", labels->items[k]) < 0)
				p->r = -ENOMEM;
		joined = fan_join(&who, ", ");
		if (!joined)
			p->r = -ENOMEM;
		fan_print_para(p, 2, "%s: %s", who.n > 1 && who.n == remarks->n ? "all" : joined,
			       remarks->items[i]);
		fan_strs_free(&who);
		free(joined);
	}
	fan_strs_free(labels);
	fan_strs_free(remarks);
}

/* Takes label and remark, which may be NULL: no memory. */
static void add_remark(struct fan_strs *labels, struct fan_strs *remarks, char *label, char *remark,
		       struct fan_print *p)
{
	if (!label || !remark || fan_strs_add(labels, "%s", label) < 0 ||
	    fan_strs_add(remarks, "%s", remark) < 0)
		p->r = p->r < 0 ? p->r : -ENOMEM;
	free(label);
	free(remark);
}

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
	struct fan_strs labels = { 0 }, remarks = { 0 };

	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *g = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++) {
			char *label;

			if (asprintf(&label, "%s %s", of[k].label, g[i].name) < 0)
				label = NULL;
			add_remark(&labels, &remarks, label,
				   remark_of(&g[i].deviation, &g[i].verdict), p);
		}
	}
	print_remarks(&labels, &remarks, p);
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
	const char *of = fan_or_dash(g->of);

	fan_print_blank(p);
	fan_print_para(p, 0, "%s%s%s%s%s%s%s (%s: %s%s)", fan_gap_title(g->name),
		       g->of ? ", by " : "",
		       !g->of			     ? ""
		       : strcmp(of, "cpu_time") == 0 ? "CPU time"
						     : of,
		       is_one_treatment ? ", " : "", is_one_treatment ? g->a : "",
		       is_one_treatment ? " over " : "", is_one_treatment ? g->b : "", g->name,
		       method_of(c, from, to), g->est.m > 1 ? ", adjusted" : "");
}

static size_t print_gap_table(const struct fan_compare *c, size_t from, struct fan_print *p)
{
	const struct fan_c_gap *g = c->gaps.items;
	struct fan_strs labels = { 0 }, remarks = { 0 };
	struct fan_grid grid = { 0 };
	const size_t to = fan_grid_gaps(c, from, &grid);

	print_gap_title(c, from, to, p);
	fan_grid_print(&grid, p);
	for (size_t i = from; i < to; i++)
		add_remark(&labels, &remarks, fan_gap_label(c, &g[i]),
			   remark_of(&g[i].est, &g[i].verdict), p);
	print_remarks(&labels, &remarks, p);
	return to;
}

/* Length of the folder that all runs have in common, with its slash. */
static size_t common_folder(const struct fan_array *runs)
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

static void print_runs(const struct fan_compare *c, struct fan_print *p)
{
	static const char *const head[] = { "config", "run",	 "name",  "score",
					    "CPUs",   "share %", "off by" };
	const struct fan_run *run = c->runs.items;
	struct fan_grid grid = { .columns = "lllrrrr" };
	const size_t folder = common_folder(&c->runs);
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

static void print_notes(const struct fan_compare *c, struct fan_print *p)
{
	if (c->notes.n == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 0, "Notes");
	for (size_t i = 0; i < c->notes.n; i++)
		fan_print_para(p, 4, "  - %s", c->notes.items[i]);
}

static void print_method(const struct fan_compare *c, struct fan_print *p)
{
	fan_print_blank(p);
	fan_print_para(p, 0, "How it was computed");
	fan_print_para(p, 11,
		       "  level    %g %%; the run is the unit: intervals are of Student's t over "
		       "%s, on logs where percent are shown",
		       100 * c->level, c->paired ? "blocks (paired)" : "runs (two sides: Welch)");
	fan_print_para(p, 11,
		       "  adjusted all gaps of one name are a family: intervals and verdicts by "
		       "Bonferroni, p by Holm");
	fan_print_para(p, 11, "  margin   %g %% of scores and CPU time, %g points of shares",
		       c->margin, c->margin);
	fan_print_para(p, 11,
		       "  runs     more runs: still to be made of each configuration to see a gap "
		       "of the margin with 80 %% power; n: runs of both sides, or windows where "
		       "each side is one run");
	if (c->by)
		fan_print_para(p, 11, "  label    configurations by %s", c->by);
	if (c->paired)
		fan_print_para(p, 11, "  blocks   by %s", c->paired);
	if (c->tool.name)
		fan_print_para(p, 11, "  by       %s %s: %s", c->tool.name,
			       fan_or_dash(c->tool.version), fan_or_dash(c->tool.command));
}

int fan_compare_text(const struct fan_compare *c, FILE *f, struct fcap_err *err)
{
	struct fan_print p = { .f = f };

	errno = 0;
	fan_print_compare_answer(c, &p);
	if (fan_has_scores(c))
		print_scores(c, &p);
	if (fan_has_times(c))
		print_shares(c, &p);
	for (size_t i = 0; i < c->gaps.n;)
		i = print_gap_table(c, i, &p);
	print_runs(c, &p);
	print_notes(c, &p);
	print_method(c, &p);
	return fan_print_finish(&p, err);
}
