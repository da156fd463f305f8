// SPDX-License-Identifier: GPL-3.0-or-later
/* The sections of the page of one run. */
#include <string.h>

#include "plot/html_parts.h"
#include "plot/html_text.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

#define ROWS_MOST    200 /* of one table */
#define FOLDS_MOST   50	 /* groups that have tables of their own */
#define COLUMNS_MOST 8	 /* groups or threads side by side */

/* A table of the groups. */
static void put_columns(struct fplot_out *o, const struct fplot_page *p,
			const struct fplot_column *columns, size_t n, const char *caption)
{
	const struct fplot_table t = { .fields = &fan_group_table,
				       .items = &p->report->groups,
				       .caption = caption,
				       .columns = columns,
				       .ncolumns = n,
				       .most = ROWS_MOST };

	fplot_html_table(o, &t);
}

static void put_shares(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "name" },
		{ .path = "vcpus", .head = "vCPUs", .shown = FPLOT_RARE },
		{ .path = "weight", .head = "weight" },
		{ .head = "share, and due |", .put = fplot_html_bar },
		{ .path = "share", .head = "share %", .shown = FPLOT_POINT },
		{ .path = "expected_pct", .head = "due %" },
		{ .path = "deviation", .head = "off by", .shown = FPLOT_POINT },
		{ .path = "deviation", .head = "interval", .shown = FPLOT_INTERVAL },
		{ .path = "verdict", .head = "verdict" },
	};

	fplot_html_remarks(o, &p->report->groups);
	put_columns(o, p, columns, LENGTH(columns), NULL);
}

static void put_time(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "name" },
		{ .path = "run_ns", .head = "run" },
		{ .path = "vcpu_run_ns", .head = "by vCPUs", .shown = FPLOT_RARE },
		{ .path = "guest_ns", .head = "in guest", .shown = FPLOT_RARE },
		{ .path = "host_ns", .head = "host kernel", .shown = FPLOT_RARE },
		{ .path = "poll_ns", .head = "halt polling", .shown = FPLOT_RARE },
		{ .path = "vmm_ns", .head = "VMM", .shown = FPLOT_RARE },
		{ .path = "in_kvm_run_ns", .head = "in KVM_RUN", .shown = FPLOT_RARE },
		{ .path = "wait_ns", .head = "wait" },
		{ .path = "halted_ns", .head = "halted", .shown = FPLOT_RARE },
		{ .path = "blocked_ns", .head = "blocked" },
		{ .path = "unsplit_ns", .head = "unsplit", .shown = FPLOT_RARE },
		{ .path = "unknown_ns", .head = "unknown", .shown = FPLOT_RARE },
	};

	put_columns(o, p, columns, LENGTH(columns), NULL);
}

static bool has_waited(const void *item, const void *arg)
{
	const struct fan_r_group *g = item;

	(void)arg;
	return g->wait_ns > 0 && g->waited_for.self_ns != FAN_NONE;
}

static void put_waits(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "name" },
		{ .path = "wait_ns", .head = "waited" },
		{ .path = "waited_for.groups", .shown = FPLOT_PART },
		{ .path = "waited_for.self_ns", .head = "itself", .shown = FPLOT_PART },
		{ .path = "waited_for.host_ns", .head = "host", .shown = FPLOT_PART },
		{ .path = "waited_for.throttled_or_contended_ns",
		  .head = "throttled",
		  .shown = FPLOT_PART },
		{ .path = "waited_for.forced_idle_ns", .head = "forced idle", .shown = FPLOT_PART },
		{ .path = "waited_for.idle_ns", .head = "idle", .shown = FPLOT_PART },
		{ .path = "waited_for.unknown_ns", .head = "unknown", .shown = FPLOT_PART },
	};
	const struct fplot_table t = { .fields = &fan_group_table,
				       .items = &p->report->groups,
				       .caption = "What had the CPU while each waited, in % of its "
						  "wait",
				       .columns = columns,
				       .ncolumns = LENGTH(columns),
				       .is_in = has_waited,
				       .most = ROWS_MOST };

	fplot_html_table(o, &t);
}

/* Something that each group has several of. */
struct several {
	const char *title;
	size_t offset; /* of a struct fan_array in struct fan_r_group */
	const struct fan_table *fields;
	const struct fplot_column *columns; /* NULL: all */
	size_t ncolumns;
};

static const struct fan_array *array_of(const struct fan_r_group *g, const struct several *s)
{
	return (const void *)((const char *)g + s->offset);
}

/* A part folded up for each group that has any; the first explains the columns. */
static void put_folds(struct fplot_out *o, const struct fplot_page *p, const struct several *s)
{
	const struct fan_array *groups = &p->report->groups;
	const struct fan_r_group *g = groups->items;
	size_t all = 0;

	for (size_t i = 0; i < groups->n; i++) {
		const struct fplot_table t = { .fields = s->fields,
					       .items = array_of(&g[i], s),
					       .columns = s->columns,
					       .ncolumns = s->ncolumns,
					       .is_explained = all == 0,
					       .most = ROWS_MOST };

		if (t.items->n == 0 || all++ >= FOLDS_MOST)
			continue;
		fplot_html_fold(o, s->title, g[i].name);
		fplot_html_table(o, &t);
		fplot_html_unfold(o);
	}
	if (all > FOLDS_MOST)
		fprintf(o->f, "<p class=\"foot\">%zu more groups: see the report as JSON.</p>\n",
			all - FOLDS_MOST);
}

static void put_hosts(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct several hosts = { .title = "Host threads that held a CPU meanwhile:",
					      .offset = offsetof(struct fan_r_group,
								 waited_for.host),
					      .fields = &fan_comm_table };

	put_folds(o, p, &hosts);
}

static void put_fairness(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column lag[] = {
		{ .path = "name" },
		{ .path = "lag_ns.final", .head = "lag at the end" },
		{ .path = "lag_ns.max", .head = "largest lag" },
		{ .path = "lag_ns.max_at", .head = "reached at" },
		{ .path = "starved.max_ns", .head = "longest wait" },
		{ .path = "starved.at_ns", .head = "from" },
		{ .path = "starved.tid", .head = "by thread" },
	};

	fplot_html_struct(o, fplot_sub_table(&fan_report_table, "fairness"), &p->report->fairness);
	put_columns(o, p, lag, LENGTH(lag),
		    "Lag: CPU time due so far minus CPU time got; above 0, time is owed");
}

static void put_more_fairness(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct several scales = { .title = "Windows of each length:",
					       .offset = offsetof(struct fan_r_group, by_window),
					       .fields = &fan_scale_table };

	fplot_html_array(o, &fan_fair_scale_table, &p->report->fairness.by_window,
			 "All groups, in windows of each length");
	put_folds(o, p, &scales);
}

/* Each closure that some group has, in words. */
static void put_closures(struct fplot_out *o, const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;
	const char *before = "<ul class=\"notes\">\n";

	for (size_t i = 0; i < groups->n; i++) {
		const char *word = g[i].steal.closure;
		size_t k = 0;

		while (word && k < i &&
		       !(g[k].steal.closure && strcmp(g[k].steal.closure, word) == 0))
			k++;
		if (!word || k < i)
			continue;
		fprintf(o->f, "%s<li>", before);
		fplot_html_text(o->f, o->words->of_closure(word));
		fputs("</li>\n", o->f);
		before = "";
	}
	fputs(*before ? "" : "</ul>\n", o->f);
}

static bool has_steal(const void *item, const void *arg)
{
	const struct fan_r_steal *s = &((const struct fan_r_group *)item)->steal;

	(void)arg;
	return s->trace_ns != FAN_NONE || s->counter_ns != FAN_NONE || s->guest_ns != FAN_NONE;
}

static void put_steal(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "name" },
		{ .path = "steal.trace_ns", .head = "waited" },
		{ .path = "steal.guest_ns", .head = "counted in guest" },
		{ .path = "steal.counter_ns", .head = "by the counter", .shown = FPLOT_RARE },
		{ .path = "steal.compared_trace_ns", .head = "compared" },
		{ .path = "steal.compared_counter_ns", .head = "beside the counter" },
		{ .path = "steal.residual_pct", .head = "residual %" },
		{ .path = "steal.comparable_intervals",
		  .head = "intervals compared",
		  .shown = FPLOT_RARE },
		{ .path = "steal.intervals", .head = "of all", .shown = FPLOT_RARE },
		{ .path = "steal.excluded_intervals", .head = "excluded", .shown = FPLOT_RARE },
		{ .path = "steal.guest_excluded_intervals",
		  .head = "excluded in guest",
		  .shown = FPLOT_RARE },
		{ .path = "steal.closure", .head = "closure" },
	};

	const struct fplot_table t = { .fields = &fan_group_table,
				       .items = &p->report->groups,
				       .columns = columns,
				       .ncolumns = LENGTH(columns),
				       .is_in = has_steal,
				       .most = ROWS_MOST };

	put_closures(o, &p->report->groups);
	fplot_html_table(o, &t);
}

static void put_work(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fan_r_work *w = p->report->work.items;
	const char *before = "<ul class=\"notes\">\n";

	for (size_t i = 0; i < p->report->work.n; i++)
		for (size_t k = 0; k < w[i].flags.n; k++) {
			fprintf(o->f, "%s<li>", before);
			fplot_html_text(o->f, w[i].vm);
			fputs(": ", o->f);
			fplot_html_text(o->f, o->words->of_flag(w[i].flags.items[k]));
			fputs("</li>\n", o->f);
			before = "";
		}
	fputs(*before ? "" : "</ul>\n", o->f);
	fplot_html_array(o, &fan_work_table, &p->report->work, NULL);
	fplot_html_array(o, &fan_score_table, &p->report->scores, "Scores");
}

static void put_exits(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct several exits = { .title = "Exits of",
					      .offset = offsetof(struct fan_r_group, exits),
					      .fields = &fan_exit_table };

	put_folds(o, p, &exits);
}

static void put_threads(struct fplot_out *o, const struct fplot_page *p)
{
	static const struct fplot_column columns[] = {
		{ .path = "tid" },
		{ .path = "name" },
		{ .path = "vcpu", .head = "vCPU" },
		{ .path = "run_ns", .head = "run" },
		{ .path = "wait_ns", .head = "wait" },
		{ .path = "halted_ns", .head = "halted", .shown = FPLOT_RARE },
		{ .path = "blocked_ns", .head = "blocked" },
		{ .path = "unsplit_ns", .head = "unsplit", .shown = FPLOT_RARE },
		{ .path = "unknown_ns", .head = "unknown", .shown = FPLOT_RARE },
		{ .path = "arrivals" },
		{ .path = "migrations", .shown = FPLOT_RARE },
		{ .path = "wait.p50", .head = "wait p50" },
		{ .path = "wait.p99", .head = "p99" },
		{ .path = "wait.max", .head = "longest" },
		{ .path = "cookie", .shown = FPLOT_RARE },
	};
	static const struct several threads = { .title = "Threads of",
						.offset = offsetof(struct fan_r_group, threads),
						.fields = &fan_thread_table,
						.columns = columns,
						.ncolumns = LENGTH(columns) };

	put_folds(o, p, &threads);
}

/* Of every field, what nobody thought of putting anywhere above, too. */
static void put_numbers(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fan_array *groups = &p->report->groups;
	const struct fan_r_group *g = groups->items;

	if (groups->n == 0)
		return;
	fplot_html_fold(o, "All numbers of each group", NULL);
	fplot_html_fields(o, &fan_group_table, groups, COLUMNS_MOST);
	fplot_html_unfold(o);
	for (size_t i = 0; i < groups->n && i < COLUMNS_MOST; i++) {
		if (g[i].threads.n == 0)
			continue;
		fplot_html_fold(o, "All numbers of the threads of", g[i].name);
		fplot_html_fields(o, &fan_thread_table, &g[i].threads, COLUMNS_MOST);
		fplot_html_unfold(o);
	}
}

static void put_quality(struct fplot_out *o, const struct fplot_page *p)
{
	fplot_html_struct(o, fplot_sub_table(&fan_report_table, "quality"), &p->report->quality);
}

static void put_policies(struct fplot_out *o, const struct fplot_page *p)
{
	if (p->report->quality.policies.n == 0)
		return;
	fplot_html_fold(o, "Events that contradict each other, and what is done about them", NULL);
	fplot_html_array(o, &fan_conflict_table, &p->report->quality.policies, NULL);
	fplot_html_unfold(o);
}

static void put_method(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fan_report *r = p->report;
	const struct {
		const char *title, *field;
		const void *item;
	} parts[] = {
		{ "Time that was analysed", "period", &r->period },
		{ "Recording", "source", &r->source },
		{ "Host", "host", &r->host },
		{ "Analysis", "tool", &r->tool },
	};

	for (size_t i = 0; i < LENGTH(parts); i++) {
		fprintf(o->f, "<h3>%s</h3>\n", parts[i].title);
		fplot_html_struct(o, fplot_sub_table(&fan_report_table, parts[i].field),
				  parts[i].item);
	}
}

static const struct fplot_section sections[] = {
	{ "shares", "Shares",
	  "Share of all groups' CPU time, what each was due, and share minus due in points with "
	  "its interval.",
	  "share", put_shares, NULL },
	{ "time", "Where the time went",
	  "Summed over threads: run on a CPU, wait for one, halted (the guest had nothing to do), "
	  "blocked (asleep otherwise).",
	  "time", put_time, NULL },
	{ "waits", "Who waited for whom", NULL, "waited,waits,latency", put_waits, put_hosts },
	{ "fairness", "Fairness over time", NULL, "lag,fairness", put_fairness, put_more_fairness },
	{ "isolation", "Isolation and cores", NULL, "cores,timeline", fplot_html_isolation,
	  fplot_html_isolation_more },
	{ "steal", "Steal",
	  "How long threads waited, and the part of it that can be compared with the kernel's own "
	  "counter.",
	  NULL, put_steal, NULL },
	{ "work", "Work", NULL, NULL, put_work, NULL },
	{ "exits", "Exits from the guests", NULL, NULL, put_exits, NULL },
	{ "threads", "Threads", NULL, NULL, put_threads, NULL },
	{ "numbers", "All numbers", NULL, NULL, put_numbers, NULL },
	{ "quality", "Quality of the trace", NULL, NULL, put_quality, put_policies },
	{ "method", "How it was computed", NULL, NULL, put_method, NULL },
};
const struct fplot_sections fplot_report_sections = { sections, LENGTH(sections) };
