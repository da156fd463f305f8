// SPDX-License-Identifier: GPL-3.0-or-later
/* The sections of the page of a comparison. */
#include <string.h>

#include "plot/html_parts.h"
#include "plot/html_text.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

#define ROWS_MOST  500 /* of one table */
#define FOLDS_MOST 100 /* runs that have a table of their own */

/* Scores are of no cores. */
static bool tells_isolation(const void *item, const void *arg)
{
	const struct fan_c_isolation *iso = &((const struct fan_c_configuration *)item)->isolation;

	(void)arg;
	return iso->word || iso->reason;
}

static void put_isolation(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "label" },
		{ .path = "runs" },
		{ .path = "isolation.word", .head = "judged as" },
		{ .path = "isolation.level", .head = "level" },
		{ .path = "isolation.judged_pct", .head = "objected to, % of co-run time" },
		{ .path = "isolation.worst_pct", .head = "worst run" },
		{ .path = "isolation.isolated", .head = "isolated", .shown = FPLOT_RARE },
		{ .path = "isolation.shared", .head = "shared", .shown = FPLOT_RARE },
		{ .path = "isolation.untested", .head = "untested", .shown = FPLOT_RARE },
		{ .path = "isolation.cannot_tell", .head = "cannot tell", .shown = FPLOT_RARE },
		{ .path = "isolation.not_applicable",
		  .head = "not applicable",
		  .shown = FPLOT_RARE },
		{ .path = "isolation.not_told", .head = "not told", .shown = FPLOT_RARE },
		{ .path = "isolation.reason", .head = "reason" },
	};
	const struct fplot_table t = { .fields = &fan_c_configuration_table,
				       .items = &p->compare->configurations,
				       .columns = columns,
				       .ncolumns = LENGTH(columns),
				       .is_in = tells_isolation,
				       .most = ROWS_MOST };

	fplot_html_table(o, &t);
}

static bool is_of_name(const void *item, const void *arg)
{
	const struct fan_c_gap *g = item;

	return g->name && strcmp(g->name, arg) == 0;
}

static bool is_first_of_name(const struct fan_array *gaps, size_t i)
{
	const struct fan_c_gap *g = gaps->items;

	for (size_t k = 0; k < i; k++)
		if (is_of_name(&g[k], g[i].name))
			return false;
	return true;
}

/* In words, and by the name that the other forms and the table of all numbers have. */
static void put_name(struct fplot_out *o, const char *name)
{
	fputs("<h3>", o->f);
	fplot_html_text(o->f, o->words->of_gap(name));
	fputs(" <code>", o->f);
	fplot_html_text(o->f, name);
	fputs("</code></h3>\n", o->f);
}

static void put_measure(FILE *f, const void *item)
{
	const struct fan_c_gap *g = item;

	fplot_html_text(f, g->of && strcmp(g->of, "cpu_time") == 0 ? "CPU time" : g->of);
}

static void put_sides(FILE *f, const void *item)
{
	const struct fan_c_gap *g = item;

	fplot_html_text(f, g->a);
	fputs(" over ", f);
	fplot_html_text(f, g->b);
}

static void put_gaps(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "per", .head = "of" },
		{ .path = "config" },
		{ .head = "compared", .put = put_sides },
		{ .path = "of", .head = "measured", .put = put_measure },
		{ .path = "est", .head = "change", .shown = FPLOT_POINT },
		{ .path = "est", .head = "interval", .shown = FPLOT_INTERVAL },
		{ .path = "p" },
		{ .path = "p_adj", .head = "p adjusted" },
		{ .path = "verdict" },
		{ .path = "runs_more", .head = "more runs", .shown = FPLOT_RARE },
	};
	const struct fan_c_gap *g = p->compare->gaps.items;
	struct fplot_table t = { .fields = &fan_c_gap_table,
				 .items = &p->compare->gaps,
				 .columns = columns,
				 .ncolumns = LENGTH(columns),
				 .is_in = is_of_name,
				 .most = ROWS_MOST };

	for (size_t i = 0; i < p->compare->gaps.n; i++) {
		if (!g[i].name || !is_first_of_name(&p->compare->gaps, i))
			continue;
		t.arg = g[i].name;
		put_name(o, g[i].name);
		fplot_html_table(o, &t);
	}
}

static void put_all_gaps(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fplot_table t = { .fields = &fan_c_gap_table,
				       .items = &p->compare->gaps,
				       .is_explained = true,
				       .most = ROWS_MOST };

	if (p->compare->gaps.n == 0)
		return;
	fplot_html_fold(o, "All numbers of each change", NULL);
	fplot_html_table(o, &t);
	fplot_html_unfold(o);
}

static void put_configurations(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "label" }, { .path = "runs" },	{ .path = "total" },
		{ .path = "jain" },  { .path = "largest_gap" },
	};
	const struct fan_c_configuration *c = p->compare->configurations.items;
	const struct fplot_table totals = { .fields = &fan_c_configuration_table,
					    .items = &p->compare->configurations,
					    .columns = columns,
					    .ncolumns = LENGTH(columns) };

	fplot_html_table(o, &totals);
	for (size_t i = 0; i < p->compare->configurations.n; i++) {
		const struct fplot_table t = { .fields = &fan_c_group_table,
					       .items = &c[i].groups,
					       .caption = c[i].label,
					       .is_explained = i == 0,
					       .most = ROWS_MOST };

		fplot_html_table(o, &t);
	}
}

static void put_runs(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fplot_table t = { .fields = &fan_run_table,
				       .items = &p->compare->runs,
				       .is_explained = true,
				       .most = ROWS_MOST };

	fplot_html_table(o, &t);
}

static void put_run_groups(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fan_run *run = p->compare->runs.items;

	for (size_t i = 0; i < p->compare->runs.n && i < FOLDS_MOST; i++) {
		const struct fplot_table t = { .fields = &fan_run_group_table,
					       .items = &run[i].groups,
					       .is_explained = i == 0,
					       .most = ROWS_MOST };

		fplot_html_fold(o, "Run", run[i].name);
		fplot_html_table(o, &t);
		fplot_html_unfold(o);
	}
}

static void put_windows(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fplot_table t = { .fields = &fan_c_windows_table,
				       .items = &p->compare->windows,
				       .is_explained = true,
				       .most = ROWS_MOST };

	fplot_html_table(o, &t);
}

static void put_method(struct fplot_out *o, const struct fplot_page *p)
{
	fplot_html_struct(o, &fan_compare_table, p->compare);
}

static const struct fplot_section sections[] = {
	{ "isolation", "Isolation", "Whether VMs shared cores in the runs of each configuration.",
	  NULL, put_isolation, NULL },
	{ "gaps", "Gaps and changes",
	  "Treatment over baseline: below 0 is a loss. Gaps between VMs are within one "
	  "configuration.",
	  "gaps", put_gaps, put_all_gaps },
	{ "configurations", "Configurations",
	  "Means over the runs, or over the windows of one, with their intervals.", NULL,
	  put_configurations, NULL },
	{ "windows", "Windows", "What each series of windows looks like, beside its share.", NULL,
	  put_windows, NULL },
	{ "runs", "Runs", NULL, "runs,series", put_runs, put_run_groups },
	{ "method", "How it was computed", NULL, NULL, put_method, NULL },
};
const struct fplot_sections fplot_compare_sections = { sections, LENGTH(sections) };
