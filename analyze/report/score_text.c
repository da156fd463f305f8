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
#include "analyze/report/score_windows.h"
#include "analyze/report/table.h"
#include "analyze/report/text_compare.h"
#include "analyze/report/text_compare_answer.h"
#include "analyze/report/text_compare_parts.h"
#include "analyze/report/words.h"

#define ANSWERS 6 /* series that the answer names; the table has all */

struct ends {
	char text[72];
};

/* Two decimals of a share tell as much as the input, which has rarely more. */
static int share_decimals(const struct fan_est *e)
{
	const int d = fan_interval_decimals(e->value, (struct fan_interval){ e->lo, e->hi });

	return d > 2 ? d : 2;
}

/* "81.10 to 89.53", "-" without an interval. Ends of a share outside 0 .. 100 are cut, for print
 * alone. */
static struct ends format_interval(const struct fan_est *e, int decimals, bool signs)
{
	const bool cut_lo = e->flags & FAN_EST_CI_CLIPPED_LO;
	const bool cut_hi = e->flags & FAN_EST_CI_CLIPPED_HI;
	struct ends ret = { "-" };

	if (!isnan(e->lo) && !isnan(e->hi))
		snprintf(ret.text, sizeof(ret.text), "%s to %s",
			 fan_format_real(cut_lo ? 0 : e->lo, decimals, signs).text,
			 fan_format_real(cut_hi ? 100 : e->hi, decimals, signs).text);
	return ret;
}

/* The name of a configuration where there are several; NULL: there is but one. */
static const char *label_of(const struct fan_compare *c, const struct fan_c_configuration *config)
{
	return c->configurations.n > 1 ? fan_or_dash(config->label) : NULL;
}

/* What a word says with its margin. */
static void format_word(const struct fan_verdict_text *v, const char *unit, char *ret, size_t size)
{
	static const struct {
		const char *word, *before, *after;
	} list[] = {
		{ "unfair", "unfair by more than", "" },
		{ "fair", "fair within", "" },
		{ "off", "off by a detectable amount, margin", "" },
		{ "material", "material, beyond a margin of", "" },
		{ "equivalent", "equivalent within", "" },
		{ "different", "different, whether by more is open at a margin of", "" },
		{ "inconclusive", "inconclusive at a margin of", "" },
	};

	snprintf(ret, size, "no verdict");
	for (size_t i = 0; v->word && i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(v->word, list[i].word) == 0)
			snprintf(ret, size, "%s %g %s%s", list[i].before, v->margin, unit,
				 v->indicative ? " (indicative)" : "");
}

static void print_share_answer(const char *config, const struct fan_c_group *g, struct fan_print *p)
{
	const int decimals = share_decimals(&g->share);
	char words[120], due[80] = "";

	format_word(&g->verdict, "points", words, sizeof(words));
	if (!isnan(g->expected_pct))
		snprintf(due, sizeof(due), " where %.*f %% was due", decimals, g->expected_pct);
	fan_print_strong(p, words, fan_mark_of_word(g->verdict.word));
	fan_print_para(p, 0, "%s%s%s got %s %%%s: %s.", fan_or_dash(g->name), config ? " in " : "",
		       config ? config : "", fan_format_real(g->share.value, decimals, false).text,
		       due, words);
}

/* "on over off, VM2 over VM1: the share changes by -57.0 points ..." */
static void print_gap_answer(const struct fan_c_gap *gap, struct fan_print *p)
{
	const bool is_change = strcmp(gap->name, "share_change_pp") == 0;
	const struct fan_interval in = { gap->est.lo, gap->est.hi };
	const int d = fan_interval_decimals(gap->est.value, in), decimals = d > 1 ? d : 1;
	const char *unit = is_change ? "points" : "%";
	char words[120];

	format_word(&gap->verdict, unit, words, sizeof(words));
	fan_print_strong(p, words, fan_mark_of_word(gap->verdict.word));
	fan_print_para(p, 0, "%s over %s%s%s%s: %s %s%s%s%s: %s.", fan_or_dash(gap->a),
		       fan_or_dash(gap->b), gap->config || gap->per ? " (" : "",
		       gap->config ? gap->config
		       : gap->per  ? gap->per
				   : "",
		       gap->config || gap->per ? ")" : "",
		       is_change ? "the share changes by" : "a gap of",
		       fan_format_real(gap->est.value, decimals, true).text,
		       is_change ? " points [" : " % [",
		       format_interval(&gap->est, decimals, true).text, "]", words);
}

static void print_answer(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;
	const struct fan_c_gap *gap = c->gaps.items;
	size_t shown = 0, all = 0;

	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_c_group *g = config[i].groups.items;

		for (size_t k = 0; k < config[i].groups.n; k++, all++)
			if (shown < ANSWERS) {
				print_share_answer(label_of(c, &config[i]), &g[k], p);
				shown++;
			}
	}
	if (all > shown)
		fan_print_para(p, 0, "And %zu more, below.", all - shown);
	for (size_t i = 0; i < c->gaps.n && i < ANSWERS; i++)
		print_gap_answer(&gap[i], p);
	if (c->gaps.n > ANSWERS)
		fan_print_para(p, 0, "And %zu more gaps, in the JSON.", c->gaps.n - ANSWERS);
}

static void add_head(struct fan_grid *grid, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fan_grid_cell(grid, "%s", cells[i]);
}

static void add_share_row(struct fan_grid *grid, const char *config, const struct fan_c_group *g)
{
	const int d = share_decimals(&g->share);
	const double off = g->deviation.value;
	const struct fan_interval in = { g->deviation.lo, g->deviation.hi };

	fan_grid_cell(grid, "%s%s%s", config ? config : "", config ? ": " : "",
		      fan_or_dash(g->name));
	fan_grid_cell(grid, "%s", fan_format_real(g->share.value, d, false).text);
	fan_grid_cell(grid, "%s", format_interval(&g->share, d, false).text);
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
		       "Shares: sum over sum of all windows; off by: share minus due, in points; "
		       "%g %% intervals within the run",
		       100 * c->level);
	add_head(&grid, head, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_c_group *g = config[i].groups.items;

		for (size_t k = 0; k < config[i].groups.n; k++)
			add_share_row(&grid, label_of(c, &config[i]), &g[k]);
	}
	/* a label that leaves no room for the rest stands on a line of its own */
	fan_print_sections(&grid, p);
}

static void print_reasons(const char *what, const struct fan_verdict_text *v, struct fan_print *p)
{
	char *reasons = fan_join(&v->reasons, ", ");

	if (!reasons)
		p->r = -ENOMEM;
	else if (*reasons)
		fan_print_para(p, 2, "%s: %s%s", what,
			       !v->word	       ? "no verdict: "
			       : v->indicative ? "* indicative: "
					       : "",
			       reasons);
	free(reasons);
}

static void print_all_reasons(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;
	const struct fan_c_gap *gap = c->gaps.items;
	char what[256];

	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_c_group *g = config[i].groups.items;

		for (size_t k = 0; k < config[i].groups.n; k++) {
			snprintf(what, sizeof(what), "%.120s%s%.100s", fan_or_dash(g[k].name),
				 label_of(c, &config[i]) ? " in " : "",
				 label_of(c, &config[i]) ? config[i].label : "");
			print_reasons(what, &g[k].verdict, p);
		}
	}
	for (size_t i = 0; i < c->gaps.n && i < ANSWERS; i++) {
		snprintf(what, sizeof(what), "%.120s over %.120s", fan_or_dash(gap[i].a),
			 fan_or_dash(gap[i].b));
		print_reasons(what, &gap[i].verdict, p);
	}
}

static void print_jain(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;

	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_est *e = &config[i].jain;

		/* near 1 the first digits say nothing */
		const int decimals = e->value > 0.99 ? 5 : 3;

		if (!isnan(e->value))
			fan_print_para(p, 2, "Jain's index%s%s, each over its due: %.*f [%s]",
				       label_of(c, &config[i]) ? " of " : "",
				       label_of(c, &config[i]) ? config[i].label : "", decimals,
				       e->value, format_interval(e, decimals, false).text);
	}
}

/* The group of a series; the trees are made in one order. */
static const struct fan_c_group *group_of(const struct fan_compare *c, size_t series)
{
	const struct fan_c_configuration *config = c->configurations.items;

	for (size_t i = 0; i < c->configurations.n; i++) {
		if (series < config[i].groups.n)
			return (const struct fan_c_group *)config[i].groups.items + series;
		series -= config[i].groups.n;
	}
	return NULL;
}

static void print_windows(const struct fan_compare *c, struct fan_print *p)
{
	static const char *const head[] = { "name", "windows", "mean %", "interval", "r1",
					    "ESS",  "zero",    "uneven", "shift G" };
	const struct fan_c_windows *w = c->windows.items;
	struct fan_grid grid = { .columns = "lrrrrrrrr" };

	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Windows: mean of their shares, however long they are; r1: likeness of "
		       "neighbours; ESS: what they are worth as independent ones; uneven: total "
		       "beyond 0.5 to 1.5 of the median; G: above 40.1 a shift, of fewer than 120 "
		       "windows above 68.6");
	add_head(&grid, head, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < c->windows.n; i++) {
		const struct fan_c_group *g = group_of(c, i);
		const struct fan_est *mean = &g->share_window_mean;
		const int d = share_decimals(mean);

		fan_grid_cell(&grid, "%s", fan_or_dash(w[i].vm));
		fan_grid_cell(&grid, "%s", fan_format_i64(w[i].n).text);
		fan_grid_cell(&grid, "%s", fan_format_real(mean->value, d, false).text);
		fan_grid_cell(&grid, "%s", format_interval(mean, d, false).text);
		fan_grid_cell(&grid, "%s", fan_format_real(w[i].r1, 2, false).text);
		fan_grid_cell(&grid, "%s", fan_format_real(w[i].ess, 1, false).text);
		fan_grid_cell(&grid, "%s", fan_format_i64(w[i].zero_windows).text);
		fan_grid_cell(&grid, "%s", fan_format_i64(w[i].unequal_windows).text);
		fan_grid_cell(&grid, "%s", fan_format_real(w[i].shift, 1, false).text);
	}
	fan_print_sections(&grid, p);
}

/* What else there is to say of a series. */
static void print_looks(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_windows *w = c->windows.items;

	for (size_t i = 0; i < c->windows.n; i++) {
		const struct fan_est *mean = &group_of(c, i)->share_window_mean;
		const struct fan_est *naive = &w[i].independent;
		const double ratio = (mean->hi - mean->lo) / (naive->hi - naive->lo);

		fan_print_para(p, 2,
			       "%s: %.4g to %.4g %%, median %.4g; outliers: %" PRId64
			       " mild, %" PRId64 " severe",
			       fan_or_dash(w[i].vm), w[i].min, w[i].max, w[i].median,
			       w[i].outliers_mild, w[i].outliers_severe);
		if (w[i].warmup_windows > 0)
			fan_print_para(p, 2,
				       "%s: MSER-5 would leave out the first %" PRId64
				       " windows as warm-up, which makes the share %.4g %%",
				       fan_or_dash(w[i].vm), w[i].warmup_windows,
				       w[i].share_without_warmup);
		if (ratio > 1)
			fan_print_para(p, 2,
				       "%s: windows taken as independent would give %s for the "
				       "mean, %.1f times too narrow",
				       fan_or_dash(w[i].vm), format_interval(naive, 2, false).text,
				       ratio);
	}
}

static void print_second(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_gap *gap = c->gaps.items;

	for (size_t i = 0; i < c->gaps.n && i < ANSWERS; i++) {
		const struct fan_est *e = &gap[i].second;

		if (!isnan(e->value))
			fan_print_para(p, 2, "%s over %s by these means: %s points [%s]", gap[i].a,
				       gap[i].b, fan_format_real(e->value, 1, true).text,
				       format_interval(e, 1, true).text);
	}
}

static void print_notes(const char *head, const struct fan_compare *c, struct fan_print *p)
{
	fan_print_blank(p);
	fan_print_para(p, 0, "%s", head);
	for (size_t i = 0; i < c->notes.n; i++)
		fan_print_para(p, 4, "  - %s", c->notes.items[i]);
}

static void print_summary_answer(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_gap *gap = c->gaps.items;

	fan_print_para(p, 0, "No interval possible: summary only.");
	for (size_t i = 0; i < c->gaps.n; i++)
		fan_print_para(p, 4, "%s%s%sa gap of %g %%, without the runs behind it",
			       p->is_raw ? "- " : "  ", gap[i].config ? gap[i].config : "",
			       gap[i].config ? ": " : "", gap[i].est.value);
}

static void print_method(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_group *g = group_of(c, 0);

	fan_print_blank(p);
	fan_print_para(p, 0, "How it was computed");
	if (g && g->share.method)
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
		print_summary_answer(c, p);
	else
		print_answer(c, p);
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
	print_all_reasons(c, &p);
	print_jain(c, &p);
	print_windows(c, &p);
	print_second(c, &p);
	print_looks(c, &p);
	print_notes("Notes", c, &p);
	print_method(c, &p);
	return fan_print_finish(&p, err);
}
