// SPDX-License-Identifier: GPL-3.0-or-later
/* Isolation and forced idle on the page of one run. */
#include "plot/html_parts.h"
#include "plot/html_text.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

#define ROWS_MOST 200

static void put_cores(struct fplot_out *o, const struct fan_array *cores)
{
	static const struct fplot_column columns[] = {
		{ .path = "cpus", .head = "CPUs" },
		{ .path = "idle_ns", .head = "idle", .shown = FPLOT_PART },
		{ .path = "kernel_ns", .head = "kernel", .shown = FPLOT_PART },
		{ .path = "vms", .shown = FPLOT_PART },
		{ .path = "mixed_ns", .head = "mixed", .shown = FPLOT_PART },
		{ .path = "beside_ns", .head = "beside the host", .shown = FPLOT_PART },
		{ .path = "other_ns", .head = "host", .shown = FPLOT_PART },
		{ .path = "unknown_ns", .head = "unknown", .shown = FPLOT_PART },
		{ .path = "forced_idle_ns", .head = "forced idle", .shown = FPLOT_RARE },
	};
	const struct fplot_table t = { .fields = &fan_core_table,
				       .items = cores,
				       .caption =
					       "What each core did, in % of its time; forced idle "
					       "is CPU time",
				       .columns = columns,
				       .ncolumns = LENGTH(columns),
				       .most = ROWS_MOST };

	fplot_html_table(o, &t);
}

void fplot_html_isolation(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column forced[] = {
		{ .path = "name" },
		{ .path = "caused_ns", .head = "caused" },
		{ .path = "suffered_ns", .head = "suffered" },
		{ .path = "counter_ns", .head = "as the kernel counted" },
	};
	const struct fan_r_isolation *iso = &p->report->isolation;
	const struct fplot_table t = { .fields = &fan_forced_table,
				       .items = &iso->forced_idle.groups,
				       .caption = "Forced idle: CPU time that core scheduling kept "
						  "idle while threads waited",
				       .columns = forced,
				       .ncolumns = LENGTH(forced),
				       .most = ROWS_MOST };

	if (iso->sentence) {
		fputs("<p class=\"say\">", o->f);
		fplot_html_verdict(o->f, &iso->verdict);
		fputc(' ', o->f);
		fplot_html_text(o->f, iso->sentence);
		fputs(".</p>\n", o->f);
	}
	fplot_html_items(o, &iso->notes);
	put_cores(o, &iso->cores);
	if (iso->forced_idle.total_ns > 0)
		fplot_html_table(o, &t);
}

void fplot_html_isolation_more(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fan_r_isolation *iso = &p->report->isolation;

	if (!iso->sentence)
		return;
	fplot_html_array(o, &fan_mixed_pair_table, &iso->pairs,
			 "Pairs of groups that shared cores");
	fplot_html_fold(o, "All numbers of isolation", NULL);
	fplot_html_struct(o, &fan_isolation_table, iso);
	fplot_html_array(o, &fan_mixing_table, &iso->levels, "By level of isolation");
	fplot_html_array(o, &fan_bucket_table, &iso->histogram, "Violations by length");
	fplot_html_array(o, &fan_mixed_table, &iso->first, "The first of them");
	fplot_html_unfold(o);
}
