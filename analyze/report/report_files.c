// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/report_files.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/report/csv.h"
#include "analyze/report/group_grid.h"
#include "analyze/report/tex.h"
#include "analyze/report/text_audit.h"
#include "analyze/report/words.h"

/* "core_sched=on; rig=desk", to be freed; NULL: no memory. */
static char *labels_of(const struct fan_report *r)
{
	const struct fan_pair *label = r->source.labels.items;
	struct fan_strs parts = { 0 };
	char *ret = NULL;
	int e = 0;

	for (size_t i = 0; e == 0 && i < r->source.labels.n; i++)
		e = fan_strs_add(&parts, "%s=%s", label[i].key, label[i].value);
	if (e == 0)
		ret = fan_join(&parts, "; ");
	fan_strs_free(&parts);
	return ret;
}

/* Where the numbers are from stands in every row: tables of many runs can be put together. */
static int put_csv(const struct fan_report *r, const struct fan_array *items,
		   const struct fan_table *table, FILE *f, struct fcap_err *err)
{
	char *labels = labels_of(r);
	const struct fan_csv_constant origin[] = {
		{ "source.file", r->source.file },   { "source.kernel", r->source.kernel },
		{ "source.labels", labels },	     { "tool.version", r->tool.version },
		{ "tool.command", r->tool.command }, { "quality.verdict", r->quality.verdict },
	};
	const int e = labels ? fan_csv_of(origin, sizeof(origin) / sizeof(origin[0]), items, table,
					  f, err)
			     : fcap_fail(err, ENOMEM, "out of memory");

	free(labels);
	return e;
}

int fan_report_csv(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	return put_csv(r, &r->groups, &fan_group_table, f, err);
}

int fan_audit_csv(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	return put_csv(r, &r->isolation.levels, &fan_mixing_table, f, err);
}

/* Where the numbers are from. */
static void put_origin(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_pair *label = r->source.labels.items;

	fan_tex_comment(p, "by %s %s: %s", fan_or_dash(r->tool.name), fan_or_dash(r->tool.version),
			fan_or_dash(r->tool.command));
	fan_tex_comment(p, "trace %s, kernel %s, clock %s", fan_or_dash(r->source.file),
			fan_or_dash(r->source.kernel), fan_or_dash(r->source.clock));
	if (r->source.command)
		fan_tex_comment(p, "of %s", r->source.command);
	for (size_t i = 0; i < r->source.labels.n; i++)
		fan_tex_comment(p, "label %s=%s", label[i].key, label[i].value);
	fan_tex_comment(p, "host %s CPUs, SMT %s, CPU %s", fan_format_i64(r->source.cpus).text,
			fan_or_dash(r->host.smt), fan_or_dash(r->host.cpu_model));
	if (r->quality.verdict)
		fan_tex_comment(p, "quality %s", r->quality.verdict);
}

/* What share and interval are of; of the first group that has an interval. */
static void put_method(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	size_t i = 0;

	if (r->period.windows != FAN_NONE)
		fan_tex_comment(p, "%s windows of %s from %s to %s",
				fan_format_i64(r->period.windows).text,
				fan_format_ns(r->period.window_ns).text,
				fan_format_ns(r->period.overlap.from_ns).text,
				fan_format_ns(r->period.overlap.to_ns).text);
	while (i < r->groups.n && !g[i].deviation.method)
		i++;
	if (i < r->groups.n)
		fan_tex_comment(p,
				"+/-: half of the %g %% interval, method %s, for %u comparisons; "
				"margin %g points; * is indicative",
				100 * g[i].deviation.level, g[i].deviation.method, g[i].deviation.m,
				g[i].verdict.margin);
}

int fan_report_tex(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	struct fan_print p = { .f = f };
	struct fan_grid grid = { 0 };

	errno = 0;
	put_origin(r, &p);
	put_method(r, &p);
	fan_tex_comment(&p, "needs \\usepackage{booktabs}");
	fan_grid_groups(r, &grid);
	fan_tex_grid(&grid, "Shares of CPU time, in percent; off by: share minus due, in points",
		     &p);
	return fan_print_finish(&p, err);
}

int fan_audit_tex(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	const struct fan_array *pairs = &r->isolation.pairs;
	struct fan_print p = { .f = f };
	struct fan_grid grid = { 0 };

	errno = 0;
	put_origin(r, &p);
	fan_tex_comment(&p, "%s", fan_or_dash(r->isolation.sentence));
	fan_tex_comment(&p, "needs \\usepackage{booktabs}");
	/* what is not known has no table: an empty one could be taken for "none" */
	if (r->isolation.judged.co_run_ns != FAN_NONE) {
		fan_grid_levels(&r->isolation.levels, &grid);
		fan_tex_grid(&grid, "vCPUs on one core, in core time", &p);
	}
	if (pairs->n > 0) {
		grid = (struct fan_grid){ 0 };
		fan_grid_pairs(pairs, pairs->n, &grid);
		fan_tex_grid(&grid, "Who shared with whom, summed over pairs of CPUs", &p);
	}
	return fan_print_finish(&p, err);
}
