// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/compare_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/report/csv.h"
#include "analyze/report/field.h"

struct row {
	char *name, *a, *b, *config, *per, *of;
	struct fan_est est;
	double p, p_adj;
	struct fan_verdict_text verdict;
	int64_t runs_needed, runs_more;
};

static const struct fan_field row_fields[] = {
	FIELD(row, name, NULL, "The quantity, or the name of the gap."),
	FIELD(row, a, NULL, "Of a gap: a over b."),
	FIELD(row, b, NULL, "Of a gap: a over b."),
	FIELD(row, config, NULL, "Configuration; empty of changes, which are of a and b."),
	FIELD(row, per, NULL, "VM, total, or a pair of VMs."),
	FIELD(row, of, NULL, "What was measured."),
	FIELD(row, est, NULL, "The number."),
	FIELD(row, p, NULL, "p of no gap."),
	FIELD(row, p_adj, NULL, "The same over its family."),
	FIELD(row, verdict, NULL, "On it."),
	FIELD(row, runs_needed, NULL, "Runs of each configuration, in all."),
	FIELD(row, runs_more, NULL, "Of these, still to be made."),
};
static const struct fan_table row_table = TABLE(row, row_fields, "rows");

/* An empty row of this name; NULL: no memory. */
static struct row *add_row(struct fan_array *rows, const char *name, const char *config,
			   const char *per)
{
	struct row *row = fan_array_add(rows, &row_table);

	if (!row || fan_str_set(&row->name, name) < 0 || fan_str_set(&row->config, config) < 0 ||
	    fan_str_set(&row->per, per) < 0)
		return NULL;
	return row;
}

static int copy_verdict(struct fan_verdict_text *to, const struct fan_verdict_text *from)
{
	int e = 0;

	*to = (struct fan_verdict_text){ from->word, from->indicative, from->margin, { 0 } };
	for (size_t i = 0; e == 0 && i < from->reasons.n; i++)
		e = fan_strs_add(&to->reasons, "%s", from->reasons.items[i]);
	return e;
}

struct cell {
	const char *name;
	const struct fan_est *est;
	const char *of;
};

/* A row for each of n estimates; *ret is the last. */
static int add_cells(struct fan_array *rows, const char *config, const char *per,
		     const struct cell *list, size_t n, struct row **ret)
{
	for (size_t i = 0; i < n; i++) {
		*ret = add_row(rows, list[i].name, config, per);
		if (!*ret || fan_str_set(&(*ret)->of, list[i].of) < 0)
			return -ENOMEM;
		(*ret)->est = *list[i].est;
	}
	return 0;
}

static int add_group(struct fan_array *rows, const char *config, const struct fan_c_group *g)
{
	const struct cell list[] = {
		{ "mean", &g->mean, g->unit },
		{ "cpus", &g->cpus, NULL },
		{ "efficiency", &g->efficiency, g->unit },
		{ "share", &g->share, NULL },
		{ "share_window_mean", &g->share_window_mean, NULL },
		{ "forced_idle", &g->forced_idle, "time_wanted" },
		{ "deviation", &g->deviation, NULL },
	};
	struct row *row;
	const int e = add_cells(rows, config, g->name, list, LENGTH(list), &row);

	/* the verdict is on the deviation, the last */
	return e < 0 ? e : copy_verdict(&row->verdict, &g->verdict);
}

static int add_whole(struct fan_array *rows, const struct fan_c_configuration *c)
{
	const struct fan_c_total *t = &c->total;
	const struct cell list[] = {
		{ "mean", &t->mean, t->unit },
		{ "cpus", &t->cpus, NULL },
		{ "efficiency", &t->efficiency, t->unit },
		{ "forced_idle", &t->forced_idle, "cpu_time_of_host" },
		{ "isolation", &c->isolation.judged_pct, c->isolation.level },
	};
	struct row *row;
	const int e = add_cells(rows, c->label, "total", list, LENGTH(list), &row);

	if (e == 0)
		row->verdict.word = c->isolation.word; /* outlives the rows */
	return e;
}

static int add_configuration(struct fan_array *rows, const struct fan_c_configuration *c)
{
	const struct fan_c_group *g = c->groups.items;
	struct row *row = add_row(rows, "jain", c->label, NULL);
	int e;

	if (!row)
		return -ENOMEM;
	row->est = c->jain;
	if (!isnan(c->largest_gap.value)) {
		row = add_row(rows, "largest_gap", c->label, NULL);
		if (!row)
			return -ENOMEM;
		row->est = c->largest_gap;
	}
	e = add_whole(rows, c);
	for (size_t i = 0; e == 0 && i < c->groups.n; i++)
		e = add_group(rows, c->label, &g[i]);
	return e;
}

static int add_gap(struct fan_array *rows, const struct fan_c_gap *g)
{
	struct row *row = add_row(rows, g->name, g->config, g->per);

	if (!row || fan_str_set(&row->a, g->a) < 0 || fan_str_set(&row->b, g->b) < 0 ||
	    fan_str_set(&row->of, g->of) < 0)
		return -ENOMEM;
	row->est = g->est;
	row->p = g->p;
	row->p_adj = g->p_adj;
	row->runs_needed = g->runs_needed;
	row->runs_more = g->runs_more;
	return copy_verdict(&row->verdict, &g->verdict);
}

int fan_compare_csv(const struct fan_compare *c, FILE *f, struct fcap_err *err)
{
	const struct fan_c_configuration *config = c->configurations.items;
	const struct fan_c_gap *gap = c->gaps.items;
	struct fan_array rows = { 0 };
	int e = 0;

	for (size_t i = 0; e == 0 && i < c->configurations.n; i++)
		e = add_configuration(&rows, &config[i]);
	for (size_t i = 0; e == 0 && i < c->gaps.n; i++)
		e = add_gap(&rows, &gap[i]);
	e = e < 0 ? fcap_fail(err, ENOMEM, "out of memory") : fan_csv(&rows, &row_table, f, err);
	for (size_t i = 0; i < rows.n; i++)
		fan_tree_free((struct row *)rows.items + i, &row_table);
	free(rows.items);
	return e;
}
