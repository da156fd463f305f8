// SPDX-License-Identifier: GPL-3.0-or-later
/* Result tree to text: the answer, then groups, time, threads, steal, quality. */
#include "analyze/report/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/group_grid.h"
#include "analyze/report/print.h"
#include "analyze/report/table.h"
#include "analyze/report/text_counted.h"
#include "analyze/report/text_cut.h"
#include "analyze/report/text_esx.h"
#include "analyze/report/text_fairness.h"
#include "analyze/report/text_isolation.h"
#include "analyze/report/text_method.h"
#include "analyze/report/text_spark.h"
#include "analyze/report/text_steal.h"
#include "analyze/report/text_vcpu.h"
#include "analyze/report/text_waits.h"
#include "analyze/report/text_work.h"
#include "analyze/report/words.h"

static void add_cells(struct fan_grid *grid, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fan_grid_cell(grid, "%s", cells[i]);
}

static void add_ns(struct fan_grid *grid, int64_t ns)
{
	fan_grid_cell(grid, "%s", fan_format_ns(ns).text);
}

static void add_i64(struct fan_grid *grid, int64_t v)
{
	fan_grid_cell(grid, "%s", fan_format_i64(v).text);
}

/* What must be known to read the numbers of g. 0, or -ENOMEM. */
static int collect_remarks(const struct fan_r_group *g, struct fan_strs *parts)
{
	const bool has_interval = !isnan(g->share.lo) && !isnan(g->share.hi);
	char *weak = fan_est_words(g->share.flags | g->deviation.flags);
	char *reasons = fan_join(&g->verdict.reasons, ", ");
	const char *head = !g->verdict.word	   ? "no verdict"
			   : g->verdict.indicative ? "* indicative"
						   : "verdict";
	int r = weak && reasons ? 0 : -ENOMEM;

	if (r == 0 && !has_interval) {
		const bool same = !g->verdict.word && strcmp(weak, reasons) == 0;

		r = fan_strs_add(parts, "no interval%s%s%s", same ? ", so no verdict" : "",
				 *weak ? ": " : "", weak);
		head = same ? NULL : head;
	}
	if (r == 0 && head && (!g->verdict.word || g->verdict.indicative || *reasons))
		r = fan_strs_add(parts, "%s%s%s", head, *reasons ? ": " : "", reasons);
	if (r == 0 && has_interval && *weak && !*reasons)
		r = fan_strs_add(parts, "%s", weak);
	for (size_t i = 0; r == 0 && i < g->flags.n; i++)
		r = fan_strs_add(parts, "%s", fan_flag_words(g->flags.items[i]));
	free(weak);
	free(reasons);
	return r;
}

/* Appends the remarks on g as one string, "" if there are none. 0, or -ENOMEM. */
static int add_remark(const struct fan_r_group *g, struct fan_strs *remarks)
{
	struct fan_strs parts = { 0 };
	int r = collect_remarks(g, &parts);
	char *text = r == 0 ? fan_join(&parts, "; ") : NULL;

	if (r == 0)
		r = text ? fan_strs_add(remarks, "%s", text) : -ENOMEM;
	fan_strs_free(&parts);
	free(text);
	return r;
}

/* One line for the groups that share remark i with the first of them; "all:" if all do. */
static int print_remark(const struct fan_r_group *g, const struct fan_strs *remarks, size_t i,
			struct fan_print *p)
{
	struct fan_strs names = { 0 };
	char *joined = NULL;
	int r = 0;

	for (size_t k = i; r == 0 && k < remarks->n; k++)
		if (strcmp(remarks->items[k], remarks->items[i]) == 0)
			r = fan_strs_add(&names, "%s", fan_or_dash(g[k].name));
	if (r == 0)
		joined = fan_join(&names, ", ");
	if (joined)
		fan_print_para(p, 2, "%s: %s",
			       names.n > 1 && names.n == remarks->n ? "all" : joined,
			       remarks->items[i]);
	else
		r = -ENOMEM;
	fan_strs_free(&names);
	free(joined);
	return r;
}

static void print_remarks(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;
	struct fan_strs remarks = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < groups->n; i++)
		r = add_remark(&g[i], &remarks);
	for (size_t i = 0; r == 0 && i < groups->n; i++) {
		size_t first = 0;

		while (strcmp(remarks.items[first], remarks.items[i]) != 0)
			first++;
		if (first == i && *remarks.items[i])
			r = print_remark(g, &remarks, i, p);
	}
	if (r < 0 && p->r == 0)
		p->r = r;
	fan_strs_free(&remarks);
}

/* Bounds that print the same say nothing. */
static void print_bounds(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++) {
		const struct fan_cell lo = fan_format_real(g[i].share_bounds.lo, 2, false);
		const struct fan_cell hi = fan_format_real(g[i].share_bounds.hi, 2, false);

		if (strcmp(lo.text, hi.text) != 0)
			fan_print_para(p, 2,
				       "%s: share from %s to %s %% with all unknown time against "
				       "and for it",
				       fan_or_dash(g[i].name), lo.text, hi.text);
	}
}

static void print_groups(const struct fan_report *r, struct fan_print *p)
{
	struct fan_grid grid = { 0 };

	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Groups: share of all groups' CPU time; off by: share minus due, in points");
	fan_grid_groups(r, &grid);
	fan_grid_print(&grid, p);
	print_remarks(&r->groups, p);
	print_bounds(&r->groups, p);
}

/* Which kinds of time some group has, of those that are rare: columns of zeros are left out. */
struct rare {
	bool vcpus, halted, unsplit, unknown;
};

/* Wait or sleep; the rest of what is not split is in the time of the vCPUs. */
static int64_t unsplit_off_cpu(int64_t all, int64_t run)
{
	return all == FAN_NONE || run == FAN_NONE ? all : all - run;
}

static void print_time_head(struct rare rare, struct fan_print *p)
{
	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Time: run on a CPU, wait for one, %sblocked (asleep)%s%s; summed over "
		       "threads",
		       rare.halted ? "halted (asleep, the VM had nothing to do), " : "",
		       rare.unsplit ? ", unsplit (wait or blocked)" : "",
		       rare.unknown ? ", unknown (lost from view)" : "");
}

static void print_time(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	struct rare rare = { .vcpus = fan_has_vcpus(&r->groups) };
	char columns[] = "lrrrrrrr";
	struct fan_grid grid = { .columns = columns };

	for (size_t i = 0; i < r->groups.n; i++) {
		rare.halted |= g[i].halted_ns > 0;
		rare.unsplit |= unsplit_off_cpu(g[i].unsplit_ns, g[i].unsplit_run_ns) > 0;
		rare.unknown |= g[i].unknown_ns > 0;
	}
	print_time_head(rare, p);
	columns[4 + rare.vcpus + rare.halted + rare.unsplit + rare.unknown] = '\0';
	add_cells(&grid, (const char *const[]){ "name", "run" }, 2);
	if (rare.vcpus)
		fan_grid_cell(&grid, "by vCPUs");
	fan_grid_cell(&grid, "wait");
	if (rare.halted)
		fan_grid_cell(&grid, "halted");
	fan_grid_cell(&grid, "blocked");
	if (rare.unsplit)
		fan_grid_cell(&grid, "unsplit");
	if (rare.unknown)
		fan_grid_cell(&grid, "unknown");
	for (size_t i = 0; i < r->groups.n; i++) {
		fan_grid_cell(&grid, "%s", fan_or_dash(g[i].name));
		add_ns(&grid, g[i].run_ns);
		if (rare.vcpus)
			add_ns(&grid, g[i].vcpu_run_ns);
		add_ns(&grid, g[i].wait_ns);
		if (rare.halted)
			add_ns(&grid, g[i].halted_ns);
		add_ns(&grid, g[i].blocked_ns);
		if (rare.unsplit)
			add_ns(&grid, unsplit_off_cpu(g[i].unsplit_ns, g[i].unsplit_run_ns));
		if (rare.unknown)
			add_ns(&grid, g[i].unknown_ns);
	}
	fan_grid_print(&grid, p);
}

static void add_thread_row(struct fan_grid *grid, const struct fan_r_thread *t, struct rare rare)
{
	add_i64(grid, t->tid);
	fan_grid_cell(grid, "%s", fan_or_dash(t->name));
	if (rare.vcpus)
		add_i64(grid, t->vcpu);
	add_ns(grid, t->run_ns);
	add_ns(grid, t->wait_ns);
	if (rare.halted)
		add_ns(grid, t->halted_ns);
	add_ns(grid, t->blocked_ns);
	if (rare.unknown)
		add_ns(grid, t->unknown_ns);
	add_i64(grid, t->arrivals);
}

static void print_threads(const struct fan_r_group *g, bool vcpus, struct fan_print *p)
{
	const struct fan_r_thread *t = g->threads.items;
	const size_t shown = g->threads.n < FAN_TEXT_THREADS ? g->threads.n : FAN_TEXT_THREADS;
	/* a row of 80 columns has no room for both of these */
	const bool has_unknown = g->unknown_ns > 0, has_halted = g->halted_ns > 0;
	const struct rare rare = { .vcpus = vcpus,
				   .halted = has_halted && !has_unknown,
				   .unknown = has_unknown };
	char columns[] = "rlrrrrrr";
	struct fan_grid grid = { .columns = columns };
	bool has_unsplit = false;

	if (g->threads.n == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 0, "Threads of %s (arrivals: times it got onto a CPU)",
		       fan_or_dash(g->name));
	columns[6 + rare.vcpus + rare.halted + rare.unknown] = '\0';
	add_cells(&grid, (const char *const[]){ "tid", "name" }, 2);
	if (rare.vcpus)
		fan_grid_cell(&grid, "vCPU");
	add_cells(&grid, (const char *const[]){ "run", "wait" }, 2);
	if (rare.halted)
		fan_grid_cell(&grid, "halted");
	fan_grid_cell(&grid, "blocked");
	if (rare.unknown)
		fan_grid_cell(&grid, "unknown");
	fan_grid_cell(&grid, "arrivals");
	for (size_t i = 0; i < shown; i++) {
		add_thread_row(&grid, &t[i], rare);
		has_unsplit |= unsplit_off_cpu(t[i].unsplit_ns, t[i].unsplit_run_ns) > 0;
	}
	fan_grid_print(&grid, p);
	if (g->threads.n > shown)
		fan_print_para(p, 2, "and %zu more threads, all of them in the JSON report",
			       g->threads.n - shown);
	if (has_unsplit)
		fan_print_para(p, 2, "unsplit time of single threads is in the JSON report");
	if (has_halted && has_unknown)
		fan_print_para(p, 2, "halted time of single threads is in the JSON report");
}

static void print_all_threads(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;
	const size_t shown = groups->n < FAN_TEXT_GROUPS ? groups->n : FAN_TEXT_GROUPS;

	for (size_t i = 0; i < shown; i++)
		print_threads(&g[i], fan_has_vcpus(groups), p);
	if (groups->n > shown) {
		fan_print_blank(p);
		fan_print_para(p, 0, "The threads of %zu more groups are in the JSON report.",
			       groups->n - shown);
	}
}

static void print_counts(const struct fan_r_quality *q, struct fan_print *p)
{
	fan_print_para(p, 2, "  %s events, lost: %s, gaps: %s, conflicts: %s",
		       fan_format_i64(q->events).text,
		       q->lost == FAN_NONE ? "an unknown number" : fan_format_i64(q->lost).text,
		       fan_format_i64(q->gaps).text, fan_format_i64(q->conflicts).text);
	if (q->unknown_ns != FAN_NONE)
		fan_print_para(p, 2, "  CPU time that no thread could be given: %s (%s %%)",
			       fan_format_ns(q->unknown_ns).text,
			       fan_format_real(q->unknown_pct, 3, false).text);
}

static void print_quality(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_quality *q = &r->quality;

	fan_print_blank(p);
	fan_print_para(p, 0, "Quality: %s",
		       !q->verdict				? "-"
		       : strcmp(q->verdict, "cannot_tell") == 0 ? "the trace cannot tell"
								: q->verdict);
	if (fan_is_counted(r))
		fan_print_counted_quality(q, p);
	else
		print_counts(q, p);
	for (size_t i = 0; i < q->notes.n; i++)
		fan_print_para(p, 4, "  - %s", q->notes.items[i]);
}

/* Time, steal, exits and threads as events told them. */
static void print_followed(const struct fan_report *r, bool has_run, struct fan_print *p)
{
	if (has_run)
		print_time(r, p);
	fan_print_vcpu_time(r, p);
	if (has_run)
		fan_print_steal(r, p);
	fan_print_exits(r, p);
	if (has_run)
		print_all_threads(&r->groups, p);
}

/* And as counters did. */
static void print_counted(const struct fan_report *r, struct fan_print *p)
{
	fan_print_counted(r, p);
	fan_print_counted_threads(r, p);
}

int fan_report_text(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	return fan_report_text_styled(r, (struct fan_style){ 0 }, f, err);
}

int fan_report_text_styled(const struct fan_report *r, struct fan_style style, FILE *f,
			   struct fcap_err *err)
{
	const bool has_run = fan_tells_run(&r->groups), is_counted = fan_is_counted(r);
	struct fan_print p = { .f = f, .style = style };

	errno = 0;
	fan_print_cut(&r->quality.cut, &p);
	if (is_counted)
		fan_print_basis(r, &p);
	fan_print_answer(r, &p);
	if (has_run) {
		print_groups(r, &p);
		fan_print_spark(r, &p);
		fan_print_fairness(r, &p);
		fan_print_waits(r, &p);
		fan_print_isolation(r, &p);
		fan_print_scales(r, &p);
		fan_print_work(r, &p);
	}
	if (style.names == FAN_NAMES_ESX && has_run)
		fan_print_esx(r, &p);
	if (is_counted)
		print_counted(r, &p);
	else
		print_followed(r, has_run, &p);
	print_quality(r, &p);
	fan_print_method(r, &p);
	return fan_print_finish(&p, err);
}
