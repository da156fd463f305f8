// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What changed from the baseline to one other configuration, on a page: each quantity with both of
 * its sides. Chooses, rounds and aligns; computes nothing.
 */
#include "analyze/report/text_compare_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/amount.h"
#include "analyze/report/compare_grids.h"
#include "analyze/report/words.h"
#include "analyze/stats/planning.h"

#define VMS_SHOWN     6 /* of one quantity: those that changed most; the rest is counted */
#define PAIRS_SHOWN   3
#define REMARKS_NAMED 4
#define LABEL_LONGEST 10 /* of a configuration above its column */

enum kind {
	KIND_AMOUNT,
	KIND_POINTS,
	KIND_PERCENT,
	KIND_GAP,
};

/* A quantity of the page. */
struct section {
	const char *names[2]; /* of its gaps: either; NULL: one name */
	const char *title;
	const char *noun; /* in remarks, before "of vm1" */
	bool has_unit;	  /* that of the measure goes behind the title */
	enum kind kind;
	size_t group, total; /* estimates in fan_c_group and fan_c_total; 0: none there */
};

#define IN_GROUP(member) offsetof(struct fan_c_group, member)
#define IN_TOTAL(member) offsetof(struct fan_c_total, member)

static const struct section sections[] = {
	{ .names = { "coresched_change", "config_change" },
	  .title = "Throughput",
	  .noun = "throughput",
	  .has_unit = true,
	  .kind = KIND_AMOUNT,
	  .group = IN_GROUP(mean),
	  .total = IN_TOTAL(mean) },
	{ .names = { "cpu_time_change" },
	  .title = "CPU time: CPU seconds a second",
	  .noun = "CPU time",
	  .kind = KIND_AMOUNT,
	  .group = IN_GROUP(cpus),
	  .total = IN_TOTAL(cpus) },
	{ .names = { "efficiency_change" },
	  .title = "Efficiency: throughput by CPU time",
	  .noun = "efficiency",
	  .kind = KIND_AMOUNT,
	  .group = IN_GROUP(efficiency),
	  .total = IN_TOTAL(efficiency) },
	{ .names = { "deviation_change_pp" },
	  .title = "Fairness: share minus due, in points",
	  .noun = "fairness",
	  .kind = KIND_POINTS,
	  .group = IN_GROUP(deviation) },
	{ .names = { "gap_change_ratio" },
	  .title = "Gap between VMs",
	  .noun = "gap",
	  .has_unit = true,
	  .kind = KIND_GAP },
	{ .names = { "forced_idle_change" },
	  .title = "Forced idle: % of the time a VM wanted; total: % of all CPU time",
	  .noun = "forced idle",
	  .kind = KIND_PERCENT,
	  .group = IN_GROUP(forced_idle),
	  .total = IN_TOTAL(forced_idle) },
};

struct page {
	const struct fan_compare *c;
	const struct fan_c_configuration *base, *other;
	struct fan_grid grid;
	struct fan_remarks remarks;
	int64_t more; /* runs, at most, where a row is inconclusive */
};

static bool is_of(const struct section *s, const struct fan_c_gap *g)
{
	return strcmp(g->name, s->names[0]) == 0 ||
	       (s->names[1] && strcmp(g->name, s->names[1]) == 0);
}

static bool is_total(const struct fan_c_gap *g)
{
	return strcmp(fan_or_dash(g->per), "total") == 0;
}

static const struct fan_c_group *group_of(const struct fan_c_configuration *of, const char *name)
{
	const struct fan_c_group *g = of->groups.items;

	for (size_t i = 0; i < of->groups.n; i++)
		if (strcmp(g[i].name, fan_or_dash(name)) == 0)
			return &g[i];
	return NULL;
}

/* The gap of "A over B" in one configuration. */
static const struct fan_est *between(const struct page *page, const struct fan_c_configuration *of,
				     const char *per)
{
	const struct fan_c_gap *g = page->c->gaps.items;

	for (size_t i = 0; i < page->c->gaps.n; i++) {
		const size_t len = strlen(g[i].a);

		if (g[i].config && strcmp(g[i].config, of->label) == 0 &&
		    strncmp(per, g[i].a, len) == 0 && strncmp(per + len, " over ", 6) == 0 &&
		    strcmp(per + len + 6, g[i].b) == 0)
			return &g[i].est;
	}
	return NULL;
}

/* One side of a change; NULL: it has none. */
static const struct fan_est *side(const struct page *page, const struct fan_c_configuration *of,
				  const struct section *s, const struct fan_c_gap *g)
{
	const struct fan_c_group *group;

	if (s->kind == KIND_GAP)
		return between(page, of, g->per);
	if (is_total(g))
		return s->total ? (const void *)((const char *)&of->total + s->total) : NULL;
	group = group_of(of, g->per);
	return group ? (const void *)((const char *)group + s->group) : NULL;
}

/* In as many decimals as its change has, where both are in points. */
static struct fan_cell format_side(const struct fan_est *est, enum kind kind,
				   const struct fan_est *change)
{
	const int decimals = fan_interval_decimals(change->value, fan_interval_shown(change));

	if (!est)
		return (struct fan_cell){ "-" };
	if (kind == KIND_GAP)
		return fan_change_value(est);
	if (kind == KIND_AMOUNT)
		return fan_format_amount(est->value, est->value, fan_decimals_of(est->value, 4));
	return fan_format_real(est->value, decimals, kind == KIND_POINTS);
}

/* n of a change where nothing is missing: runs of both sides, or pairs of them. */
static bool has_usual_n(const struct page *page, const struct fan_c_gap *g)
{
	const int64_t fewer = page->base->runs < page->other->runs ? page->base->runs
								   : page->other->runs;
	const int64_t usual = page->c->paired ? fewer : page->base->runs + page->other->runs;

	return isnan(g->est.value) || (int64_t)g->est.n == usual;
}

static void add_remark(struct page *page, const struct section *s, const struct fan_c_gap *g,
		       struct fan_print *p)
{
	char *label;

	if (asprintf(&label, "%s of %s", s->noun, fan_or_dash(g->per)) < 0)
		label = NULL;
	fan_remarks_add(&page->remarks, label, &g->est, &g->verdict, p);
	if (g->verdict.word && strcmp(g->verdict.word, "inconclusive") == 0 &&
	    g->runs_more != FAN_NONE && !(g->runs_more <= page->more))
		page->more = g->runs_more;
}

static void add_row(struct page *page, const struct section *s, const struct fan_c_gap *g,
		    struct fan_print *p)
{
	const struct fan_est *base = side(page, page->base, s, g);
	const struct fan_est *other = side(page, page->other, s, g);
	char n[40] = "";

	if (!has_usual_n(page, g))
		snprintf(n, sizeof(n), " (n %" PRIu64 ")", g->est.n);
	fan_grid_cell(&page->grid, "  %s%s", fan_or_dash(g->per), n);
	fan_grid_cell(&page->grid, "%s", format_side(base, s->kind, &g->est).text);
	fan_grid_cell(&page->grid, "%s", format_side(other, s->kind, &g->est).text);
	fan_grid_cell(&page->grid, "%s", fan_change_value(&g->est).text);
	fan_grid_cell(&page->grid, "%s", fan_change_interval(&g->est).text);
	fan_grid_cell(&page->grid, "%s%s", fan_or_dash(g->verdict.word),
		      g->verdict.indicative ? " *" : "");
	fan_grid_mark(&page->grid, fan_mark_of_word(g->verdict.word));
	add_remark(page, s, g, p);
}

/* A title is a row with but its first cell. */
static void add_title(struct page *page, const char *title, const char *unit)
{
	fan_grid_cell(&page->grid, "%s%s%s", title, *unit ? ": " : "", unit);
	for (size_t i = 1; i < strlen(page->grid.columns); i++)
		fan_grid_cell(&page->grid, "%s", "");
}

/* Of all rows; "" if they have not one, or the title says it. */
struct unit {
	char text[64];
};

static struct unit unit_of(const struct section *s, const struct fan_c_gap *const *rows, size_t n)
{
	struct unit ret = { "" };

	for (size_t i = 0; i < n; i++)
		if (!s->has_unit || !rows[i]->of || strcmp(rows[i]->of, rows[0]->of) != 0)
			return ret;
	if (strcmp(rows[0]->of, "cpu_time") == 0)
		snprintf(ret.text, sizeof(ret.text), "CPU time");
	else
		snprintf(ret.text, sizeof(ret.text), "%.50s%s", rows[0]->of,
			 strcmp(rows[0]->of, "score") == 0 ? "" : " a second");
	return ret;
}

/* Leaves out what changed least until no more than limit are left, but never the total. */
static size_t keep_largest(const struct fan_c_gap **rows, size_t n, size_t limit)
{
	while (n > limit) {
		size_t least = n;

		for (size_t i = 0; i < n; i++)
			if (!is_total(rows[i]) && (least == n || !(fabs(rows[i]->est.value) >=
								   fabs(rows[least]->est.value))))
				least = i;
		memmove(&rows[least], &rows[least + 1], (n - least - 1) * sizeof(*rows));
		n--;
	}
	return n;
}

static void add_section(struct page *page, const struct section *s, const struct fan_c_gap **rows,
			struct fan_print *p)
{
	const struct fan_c_gap *g = page->c->gaps.items;
	size_t all = 0, n;
	char more[64];

	for (size_t i = 0; i < page->c->gaps.n; i++)
		if (!g[i].config && is_of(s, &g[i]) && strcmp(g[i].a, page->other->label) == 0)
			rows[all++] = &g[i];
	if (all == 0) {
		/* of a recording one expects it */
		if (s->kind == KIND_PERCENT && fan_has_times(page->c))
			add_title(page, "Forced idle", "not known of both sides");
		return;
	}
	n = keep_largest(rows, all, s->kind == KIND_GAP ? PAIRS_SHOWN : VMS_SHOWN + 1);
	add_title(page, s->title, unit_of(s, (const struct fan_c_gap *const *)rows, n).text);
	for (size_t i = 0; i < n; i++)
		add_row(page, s, rows[i], p);
	if (all > n) {
		snprintf(more, sizeof(more), "  and %zu that changed less", all - n);
		add_title(page, more, "");
	}
}

static void add_head(struct page *page)
{
	const char *base = page->base->label, *other = page->other->label;

	page->grid.columns = "lrrrrl";
	fan_grid_cell(&page->grid, "%s", "");
	fan_grid_cell(&page->grid, "%s", strlen(base) > LABEL_LONGEST ? "before" : base);
	fan_grid_cell(&page->grid, "%s", strlen(other) > LABEL_LONGEST ? "after" : other);
	fan_grid_cell(&page->grid, "change");
	fan_grid_cell(&page->grid, "interval");
	fan_grid_cell(&page->grid, "verdict");
}

static void print_more(const struct page *page, struct fan_print *p)
{
	if (page->more > FAN_PLAN_MAX)
		fan_print_para(
			p, 2, "to see a change of the margin where inconclusive: more than %d runs",
			FAN_PLAN_MAX);
	else if (page->more > 0)
		fan_print_para(p, 2,
			       "to see a change of the margin where inconclusive: %" PRId64
			       " more runs of each, at most",
			       page->more);
}

/* "Jain's index: off 1.0000 [0.9999, 1.0000], on 0.9976 [0.9964, 0.9985]" */
static void print_jain(const struct page *page, struct fan_print *p)
{
	const struct fan_c_configuration *const sides[] = { page->base, page->other };
	struct fan_strs parts = { 0 };
	char *text;

	for (size_t i = 0; i < 2; i++) {
		const struct fan_est *jain = &sides[i]->jain;
		char in[72] = "";

		if (isnan(jain->value))
			continue;
		if (!isnan(jain->lo))
			snprintf(in, sizeof(in), " [%s, %s]",
				 fan_format_real(jain->lo, 4, false).text,
				 fan_format_real(jain->hi, 4, false).text);
		if (fan_strs_add(&parts, "%s %s%s", sides[i]->label,
				 fan_format_real(jain->value, 4, false).text, in) < 0)
			p->r = -ENOMEM;
	}
	text = fan_join(&parts, ", ");
	if (!text)
		p->r = -ENOMEM;
	else if (parts.n)
		fan_print_para(p, 2, "Jain's index: %s", text);
	free(text);
	fan_strs_free(&parts);
}

static void print_treatment(const struct fan_compare *c, size_t treatment, struct fan_print *p)
{
	const struct fan_c_configuration *of = c->configurations.items;
	struct page page = { .c = c, .base = &of[0], .other = &of[treatment], .more = FAN_NONE };
	const struct fan_c_gap **rows = calloc(c->gaps.n + 1, sizeof(*rows));

	if (!rows) {
		p->r = -ENOMEM;
		return;
	}
	add_head(&page);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		add_section(&page, &sections[i], rows, p);
	free(rows);
	fan_print_blank(p);
	fan_print_para(p, 0,
		       "%s over %s, %" PRId64 " and %" PRId64
		       " runs; below 0 is a loss, but of forced idle above 0 is",
		       page.other->label, page.base->label, page.other->runs, page.base->runs);
	fan_print_sections(&page.grid, p);
	print_jain(&page, p);
	print_more(&page, p);
	fan_remarks_print(&page.remarks, REMARKS_NAMED, p);
}

void fan_print_compare_changes(const struct fan_compare *c, struct fan_print *p)
{
	for (size_t k = 1; k < c->configurations.n; k++)
		print_treatment(c, k, p);
}
