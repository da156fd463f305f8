// SPDX-License-Identifier: GPL-3.0-or-later
/* Windows of one run a configuration, and summaries, as text. */
#include "analyze/report/score_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/amount.h"
#include "analyze/report/print.h"
#include "analyze/report/score_text_parts.h"
#include "analyze/report/table.h"
#include "analyze/report/text_compare.h"
#include "analyze/report/text_compare_answer.h"
#include "analyze/report/text_compare_parts.h"
#include "analyze/report/words.h"

static void add_head(struct fan_grid *grid, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fan_grid_cell(grid, "%s", cells[i]);
}

/* "off: VM1", the name alone where there is one configuration; to be freed. NULL: no memory. */
static char *name_row(const struct fan_compare *c, const struct fan_c_configuration *config,
		      const struct fan_c_group *g)
{
	const char *label = fan_score_label(c, config);
	char *ret;

	if (asprintf(&ret, "%s%s%s", label ? label : "", label ? ": " : "", fan_or_dash(g->name)) <
	    0)
		return NULL;
	return ret;
}

static void add_name(struct fan_grid *grid, char *name)
{
	if (name)
		fan_grid_cell(grid, "%s", name);
	else
		grid->r = -ENOMEM;
	free(name);
}

static void add_share_row(struct fan_grid *grid, char *name, const struct fan_c_group *g)
{
	const int d = fan_score_decimals(&g->share);
	const double off = g->deviation.value;
	const struct fan_interval in = { g->deviation.lo, g->deviation.hi };

	add_name(grid, name);
	fan_grid_cell(grid, "%s", fan_format_real(g->share.value, d, false).text);
	fan_grid_cell(grid, "%s", fan_score_span(&g->share, d, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(g->expected_pct, 1, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(off, d, true).text);
	fan_grid_mark(grid, fan_mark_of_points(off));
	fan_grid_cell(grid, "%s", fan_format_real(fan_longer_half(off, in), d, false).text);
	fan_grid_cell(grid, "%s%s", fan_or_dash(g->verdict.word),
		      g->verdict.indicative ? " *" : "");
	fan_grid_mark(grid, fan_mark_of_word(g->verdict.word));
}

static void print_shares(const struct fan_compare *c, struct fan_print *p)
{
	static const char *const head[] = { "",	      "share %", "interval", "due %",
					    "off by", "+/-",	 "verdict" };
	const struct fan_c_configuration *config = c->configurations.items;
	struct fan_grid grid = { .columns = "lrrrrrl" };

	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Shares of the work of all windows together; off by: share minus due, in "
		       "points; interval and +/-: %g %%, within the run",
		       100 * c->level);
	add_head(&grid, head, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_c_group *g = config[i].groups.items;

		for (size_t k = 0; k < config[i].groups.n; k++)
			add_share_row(&grid, name_row(c, &config[i], &g[k]), &g[k]);
	}
	/* a label that leaves no room for the rest stands on a line of its own */
	fan_print_sections(&grid, p);
}

/* "off: vm1 over vm2", "on over off: vm1", "on over off"; likewise. */
static char *name_gap(const struct fan_c_gap *gap)
{
	const char *per = gap->per && !strstr(gap->per, " over ") ? gap->per : NULL;
	char *ret;

	if (asprintf(&ret, "%s%s%s over %s%s%s", gap->config ? gap->config : "",
		     gap->config ? ": " : "", fan_or_dash(gap->a), fan_or_dash(gap->b),
		     per ? ": " : "", per ? per : "") < 0)
		return NULL;
	return ret;
}

/* Why words are indicative, or missing. */
static void print_reasons(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;
	const struct fan_c_gap *gap = c->gaps.items;
	struct fan_remarks remarks = { 0 };

	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_c_group *g = config[i].groups.items;

		for (size_t k = 0; k < config[i].groups.n; k++)
			fan_remarks_add(&remarks, name_row(c, &config[i], &g[k]), &g[k].share,
					&g[k].verdict, p);
	}
	for (size_t i = 0; i < c->gaps.n && i < FAN_SCORE_ANSWERS; i++)
		fan_remarks_add(&remarks, name_gap(&gap[i]), &gap[i].est, &gap[i].verdict, p);
	fan_remarks_print(&remarks, FAN_SCORE_ANSWERS, p);
}

/* One part of n got all: 1/n. A share inside a VM stands against the rest. */
static double least_jain(const struct fan_c_configuration *config)
{
	return 1.0 / (double)(fan_score_is_inside(config) ? 2 : config->groups.n);
}

static void print_jain(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;

	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_est *e = &config[i].jain;
		const char *label = fan_score_label(c, &config[i]);

		/* near 1 the first digits say nothing */
		const int decimals = e->value > 0.99 ? 5 : 3;

		if (!isnan(e->value))
			fan_print_para(p, 2,
				       "%s%sJain's index %.*f%s (1: each got the same part of its "
				       "due; %.3g: one got all)",
				       label ? label : "", label ? ": " : "", decimals, e->value,
				       fan_score_brackets(e, decimals, false).text,
				       least_jain(&config[i]));
	}
}

/* A series with the configuration and group that it is of; the trees are made in one order. */
struct series {
	const struct fan_c_windows *windows;
	const struct fan_c_configuration *config;
	const struct fan_c_group *group;
};

static struct series series_at(const struct fan_compare *c, size_t i)
{
	struct series ret = { (const struct fan_c_windows *)c->windows.items + i,
			      c->configurations.items, NULL };

	for (; i >= ret.config->groups.n; ret.config++)
		i -= ret.config->groups.n;
	ret.group = (const struct fan_c_group *)ret.config->groups.items + i;
	return ret;
}

static void add_windows_row(struct fan_grid *grid, const struct fan_compare *c,
			    const struct series *s)
{
	const struct fan_c_windows *w = s->windows;

	add_name(grid, name_row(c, s->config, s->group));
	fan_grid_cell(grid, "%s", fan_format_i64(w->n).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->min, 1, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->median, 1, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->max, 1, false).text);
	fan_grid_cell(grid, "%s", fan_format_i64(w->zero_windows).text);
	fan_grid_cell(grid, "%s", fan_format_i64(w->unequal_windows).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->r1, 2, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->ess, 1, false).text);
	fan_grid_cell(grid, "%s", fan_format_real(w->shift, 1, false).text);
}

static void print_windows(const struct fan_compare *c, struct fan_print *p)
{
	static const char *const head[] = { "",	    "windows", "lowest", "median", "highest",
					    "zero", "uneven",  "r1",	 "ESS",	   "G" };
	struct fan_grid grid = { .columns = "lrrrrrrrrr" };

	fan_print_blank(p);
	fan_print_para(p, 0, "Windows: the share in each, %%");
	add_head(&grid, head, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < c->windows.n; i++) {
		const struct series s = series_at(c, i);

		add_windows_row(&grid, c, &s);
	}
	fan_print_sections(&grid, p);
	fan_print_para(p, 2,
		       "zero: with a share of 0; uneven: with less than half or more than "
		       "one and a half times the median work, so hardly of equal length");
	fan_print_para(p, 2,
		       "r1: how alike neighbours are (1: the same; 0: not at all; below 0: "
		       "opposed); ESS: so many independent windows would tell as much");
	fan_print_para(p, 2,
		       "G: the level shifted within the run if it is above 40.1 (with fewer "
		       "than 120 windows, above 68.6)");
}

/* What else there is to say of a series. */
static void print_looks(const struct fan_compare *c, const struct series *s, struct fan_print *p)
{
	const struct fan_c_windows *w = s->windows;
	const struct fan_est *mean = &s->group->share_window_mean, *naive = &w->independent;
	const int decimals = fan_score_decimals(mean);
	const double ratio = (mean->hi - mean->lo) / (naive->hi - naive->lo);
	char *name = name_row(c, s->config, s->group), work[64] = "";

	if (!name) {
		p->r = -ENOMEM;
		return;
	}
	/* shares without totals count 1 each */
	if (fan_score_is_inside(s->config) && w->total != (double)w->n)
		snprintf(work, sizeof(work), "%.10g of work in all; ", w->total);
	fan_print_para(p, 2,
		       "%s: %soutliers: %" PRId64 " mild, %" PRId64
		       " severe; mean of the windows, each counting alike: %s %%%s",
		       name, work, w->outliers_mild, w->outliers_severe,
		       fan_format_real(mean->value, decimals, false).text,
		       fan_score_brackets(mean, decimals, false).text);
	if (w->warmup_windows > 0)
		fan_print_para(p, 2,
			       "%s: MSER-5 would leave out the first %" PRId64
			       " windows as warm-up, which makes the share %.4g %%",
			       name, w->warmup_windows, w->share_without_warmup);
	if (ratio > 1)
		fan_print_para(p, 2,
			       "%s: windows taken as independent would give%s for this mean, %.1f "
			       "times too narrow",
			       name, fan_score_brackets(naive, 2, false).text, ratio);
	free(name);
}

static void print_second(const struct fan_c_gap *gap, struct fan_print *p)
{
	const struct fan_est *e = &gap->second;
	char *name;

	if (isnan(e->value))
		return;
	name = name_gap(gap);
	if (name)
		fan_print_para(p, 2, "%s, by these means: %s points%s", name,
			       fan_format_real(e->value, 1, true).text,
			       fan_score_brackets(e, 1, true).text);
	else
		p->r = -ENOMEM;
	free(name);
}

static void print_all_looks(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_gap *gap = c->gaps.items;

	for (size_t i = 0; i < c->windows.n; i++) {
		const struct series s = series_at(c, i);

		print_looks(c, &s, p);
	}
	for (size_t i = 0; i < c->gaps.n && i < FAN_SCORE_ANSWERS; i++)
		print_second(&gap[i], p);
}

static void print_notes(const char *head, const struct fan_compare *c, struct fan_print *p)
{
	fan_print_blank(p);
	fan_print_para(p, 0, "%s", head);
	for (size_t i = 0; i < c->notes.n; i++)
		fan_print_para(p, 4, "  - %s", c->notes.items[i]);
}

static void print_method(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_group *g = series_at(c, 0).group;

	fan_print_blank(p);
	fan_print_para(p, 0, "How it was computed");
	if (g->share.method)
		fan_print_para(p, 11,
			       "  interval %s on the residuals of the ratio of sums, df = %.3g "
			       "(%s); changes: both errors together, Satterthwaite",
			       g->share.method, g->share.df, fan_or_dash(g->name));
	fan_print_para(p, 11, "  margin   %g points", c->margin);
	fan_print_para(p, 11, "  by       %s %s: %s", fan_or_dash(c->tool.name),
		       fan_or_dash(c->tool.version), fan_or_dash(c->tool.command));
}

static bool is_of_runs(const struct fan_compare *c)
{
	return c->windows.n == 0 && c->configurations.n > 0;
}

void fan_print_scores_answer(const struct fan_compare *c, struct fan_print *p)
{
	if (is_of_runs(c))
		fan_print_compare_answer(c, p);
	else if (c->windows.n == 0)
		fan_score_summary_answer(c, p);
	else
		fan_score_windows_answer(c, p);
}

int fan_scores_text(const struct fan_compare *c, bool all, struct fan_style style, FILE *f,
		    struct fcap_err *err)
{
	struct fan_print p = { .f = f, .style = style };

	if (is_of_runs(c)) /* a comparison like any other */
		return fan_compare_text_styled(c, all, style, f, err);
	errno = 0;
	fan_print_scores_answer(c, &p);
	if (c->windows.n == 0) {
		print_notes("What can be said, and what is needed", c, &p);
		return fan_print_finish(&p, err);
	}
	print_shares(c, &p);
	print_reasons(c, &p);
	print_jain(c, &p);
	print_windows(c, &p);
	print_all_looks(c, &p);
	print_notes("Notes", c, &p);
	print_method(c, &p);
	return fan_print_finish(&p, err);
}
