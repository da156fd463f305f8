// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_work.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/amount.h"
#include "analyze/report/table.h"
#include "analyze/report/words.h"

/* What a reader of the text need not hear of each number; the JSON report has it. */
#define SILENT (FAN_EST_ONE_RUN | FAN_EST_UNEQUAL_WINDOWS | FAN_EST_ZERO_TOTAL_WINDOWS)

/* The interval in brackets with a blank before it; "" without one. */
static struct fan_cell bracket(struct fan_interval in, int decimals)
{
	struct fan_cell ret = { "" };

	if (!isnan(in.lo) && !isnan(in.hi))
		snprintf(ret.text, sizeof(ret.text), " [%.*f, %.*f]", decimals, in.lo, decimals,
			 in.hi);
	return ret;
}

static void print_jain(const struct fan_r_fairness *f, size_t groups, struct fan_print *p)
{
	const struct fan_est *j = &f->jain;
	const struct fan_interval in = fan_interval_shown(j);
	const int decimals = isnan(in.lo)
				     ? 4
				     : fan_clamp(fan_decimals_of(fan_longer_half(j->value, in), 2),
						 2, 6);
	char *why = fan_est_words(j->flags & ~(uint32_t)SILENT);

	if (!why)
		p->r = -ENOMEM;
	else if (isnan(j->value))
		fan_print_para(p, 4, "  Jain's index does not exist: %s", why);
	else
		fan_print_para(p, 4, "  Jain's index %.*f%s%s%s (1: even; %.2g: one got all)",
			       decimals, j->value, bracket(in, decimals).text,
			       isnan(in.lo) ? ", no interval: " : "",
			       !isnan(in.lo) ? ""
			       : groups > 2  ? "more than two groups of one run"
					     : why,
			       1 / (double)groups);
	free(why);
}

static void print_pair(const struct fan_r_pair *pair, struct fan_print *p)
{
	const struct fan_interval in = fan_interval_shown(&pair->ratio);
	const int decimals =
		isnan(in.lo) ? 2
			     : fan_clamp(fan_decimals_of(fan_longer_half(pair->ratio.value, in), 2),
					 0, 4);

	if (!pair->a || !pair->b || isnan(pair->ratio.value))
		return;
	fan_print_para(p, 4, "  %s got %.*f times what %s got, measured by what each was due%s%s",
		       pair->a, decimals, pair->ratio.value, pair->b, bracket(in, decimals).text,
		       !isnan(pair->ratio.lo_adj) ? ", adjusted for all pairs" : "");
}

static void print_starved(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;
	struct fan_strs names = { 0 };
	char *joined = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < groups->n; i++)
		if (g[i].share.value == 0 && g[i].expected_pct > 0)
			r = fan_strs_add(&names, "%s", fan_or_dash(g[i].name));
	if (r == 0)
		joined = fan_join(&names, ", ");
	if (!joined)
		p->r = -ENOMEM;
	else if (names.n)
		fan_print_para(p, 4, "  got nothing of what was due: %s", joined);
	free(joined);
	fan_strs_free(&names);
}

void fan_print_fairness(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_est *jain = &r->fairness.jain;

	if (p->r < 0 || r->groups.n < 2 || (isnan(jain->value) && jain->flags == 0))
		return;
	fan_print_blank(p);
	fan_print_para(p, 0, "Fairness: how even the groups' parts are, each over what it was due");
	print_jain(&r->fairness, r->groups.n, p);
	print_pair(&r->fairness.worst_pair, p);
	print_starved(&r->groups, p);
}

static void add_work_row(struct fan_grid *grid, const struct fan_r_work *w)
{
	fan_grid_cell(grid, "%s", fan_or_dash(w->vm));
	fan_grid_cell(grid, "%s", fan_or_dash(w->unit));
	fan_grid_cell(grid, "%s",
		      fan_format_amount(w->total, w->total, fan_decimals_of(w->total, 4)).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->share_pct, 2, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->cpu_share_pct, 2, false).text);
	fan_grid_est(grid, &w->rate);
	fan_grid_est(grid, &w->efficiency);
}

static bool lacks_interval(const struct fan_est *e)
{
	return !isnan(e->value) && !e->method;
}

/* What must be known to read the row, as one string to be freed; NULL: no memory. */
static char *remark_on(const struct fan_r_work *w)
{
	const uint32_t flags = (w->rate.flags | w->efficiency.flags) & ~(uint32_t)SILENT;
	const bool is_short = flags & FAN_EST_CI_NONE_SHORT;
	char *weak = fan_est_words(flags & ~(uint32_t)FAN_EST_CI_NONE_SHORT), *ret = NULL;
	struct fan_strs parts = { 0 };
	int r = weak ? 0 : -ENOMEM;

	if (r == 0 && is_short && (lacks_interval(&w->rate) || lacks_interval(&w->efficiency)))
		r = fan_strs_add(&parts, "no interval: fewer than 20 lines");
	if (r == 0 && *weak)
		r = fan_strs_add(&parts, "%s", weak);
	for (size_t i = 0; r == 0 && i < w->flags.n; i++)
		r = fan_strs_add(&parts, "%s", fan_flag_words(w->flags.items[i]));
	if (r == 0)
		ret = fan_join(&parts, "; ");
	fan_strs_free(&parts);
	free(weak);
	return ret;
}

static void print_remarks(const struct fan_array *work, struct fan_print *p)
{
	const struct fan_r_work *w = work->items;
	struct fan_strs remarks = { 0 };
	bool is_one = work->n > 1;
	int r = 0;

	for (size_t i = 0; r == 0 && i < work->n; i++) {
		char *text = remark_on(&w[i]);

		r = text ? fan_strs_add(&remarks, "%s", text) : -ENOMEM;
		free(text);
		is_one = is_one && r == 0 && strcmp(remarks.items[i], remarks.items[0]) == 0;
	}
	for (size_t i = 0; r == 0 && i < (is_one ? 1 : remarks.n); i++)
		if (*remarks.items[i])
			fan_print_para(p, 4, "  %s: %s", is_one ? "all" : fan_or_dash(w[i].vm),
				       remarks.items[i]);
	if (r < 0)
		p->r = r;
	fan_strs_free(&remarks);
}

static void print_scores(const struct fan_array *scores, struct fan_print *p)
{
	const struct fan_r_score *s = scores->items;
	struct fan_grid grid = { .columns = "lr" };

	fan_print_blank(p);
	fan_print_para(p, 0, "Scores: ratings as they were reported; they do not add up");
	fan_grid_cell(&grid, "name");
	fan_grid_cell(&grid, "score");
	for (size_t i = 0; i < scores->n; i++) {
		fan_grid_cell(&grid, "%s", fan_or_dash(s[i].vm));
		fan_grid_cell(&grid, "%.10g", s[i].value);
	}
	fan_grid_print(&grid, p);
}

void fan_print_work(const struct fan_report *r, struct fan_print *p)
{
	static const char *const head[] = { "name",  "unit", "total",	  "work %", "CPU %",
					    "per s", "+/-",  "per CPU s", "+/-" };
	const struct fan_r_work *w = r->work.items;
	struct fan_grid grid = { .columns = "llrrrrrrr" };

	if (r->work.n > 0) {
		fan_print_blank(p);
		fan_print_para(p, 0,
			       "Work, as reported, in the windows of the shares; work %% and "
			       "CPU %%: of all that reported that unit");
		for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
			fan_grid_cell(&grid, "%s", head[i]);
		for (size_t i = 0; i < r->work.n; i++)
			add_work_row(&grid, &w[i]);
		fan_grid_print(&grid, p);
		print_remarks(&r->work, p);
	}
	if (r->scores.n > 0)
		print_scores(&r->scores, p);
}
