// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_counted.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/text.h"
#include "analyze/report/text_steal.h"
#include "analyze/report/words.h"

bool fan_is_counted(const struct fan_report *r)
{
	return r->source.basis && strcmp(r->source.basis, "counters") == 0;
}

/* "1 s", "100 ms": what was asked for is round. */
static struct fan_cell period(int64_t ns)
{
	struct fan_cell ret = fan_format_ns(ns);

	if (ns > 0 && ns % 1000000000 == 0)
		snprintf(ret.text, sizeof(ret.text), "%" PRId64 " s", ns / 1000000000);
	else if (ns > 0 && ns % 1000000 == 0)
		snprintf(ret.text, sizeof(ret.text), "%" PRId64 " ms", ns / 1000000);
	return ret;
}

void fan_print_basis(const struct fan_report *r, struct fan_print *p)
{
	fan_print_para(p, 0,
		       "From counters alone, every %s: no events were recorded, so that who waited "
		       "for whom is not known.",
		       period(r->source.sample_ns).text);
}

static bool guest_told(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (g[i].steal.guest_ns != FAN_NONE)
			return true;
	return false;
}

/* Of the time that the vCPUs wanted a CPU, what others took; of a process, all its threads. */
static double steal_pct(const struct fan_r_group *g)
{
	const int64_t run = g->vcpus > 0 ? g->vcpu_run_ns : g->run_ns;
	const double all = (double)run + (double)g->steal.counter_ns;

	return g->steal.counter_ns == FAN_NONE || all <= 0
		       ? NAN
		       : 100 * (double)g->steal.counter_ns / all;
}

static void add_time_row(struct fan_grid *grid, const struct fan_r_group *g, bool has_vms,
			 bool has_guest)
{
	fan_grid_cell(grid, "%s", fan_or_dash(g->name));
	fan_grid_cell(grid, "%s", fan_format_ns(g->run_ns).text);
	if (has_vms)
		fan_grid_cell(grid, "%s", fan_format_ns(g->vcpu_run_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(g->wait_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(g->steal.counter_ns).text);
	fan_grid_cell(grid, "%s", fan_format_real(steal_pct(g), 2, false).text);
	if (has_guest)
		fan_grid_cell(grid, "%s", fan_format_ns(g->steal.guest_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(g->unknown_ns).text);
}

static void print_remarks(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		fan_print_steal_remarks(&g[i], p);
}

void fan_print_counted(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	const bool has_vms = strcmp(fan_group_noun(&r->groups), "VMs") == 0;
	const bool has_guest = guest_told(&r->groups);
	char columns[] = "lrrrrrrr";
	struct fan_grid grid = { .columns = columns };

	columns[6 + has_vms + has_guest] = '\0';
	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Time by the kernel's counters: run on a CPU, wait for one, summed over "
		       "threads; steal: how long %s waited, and of the time they wanted to run; "
		       "unknown, at most: of threads that ended, or whose counter failed",
		       has_vms ? "vCPU threads" : "the threads");
	fan_grid_cell(&grid, "name");
	fan_grid_cell(&grid, "run");
	if (has_vms)
		fan_grid_cell(&grid, "by vCPUs");
	fan_grid_cell(&grid, "wait");
	fan_grid_cell(&grid, "steal");
	fan_grid_cell(&grid, "steal %%");
	if (has_guest)
		fan_grid_cell(&grid, "in guest");
	fan_grid_cell(&grid, "unknown");
	for (size_t i = 0; i < r->groups.n; i++)
		add_time_row(&grid, &g[i], has_vms, has_guest);
	fan_grid_print(&grid, p);
	print_remarks(&r->groups, p);
}

static void add_thread_row(struct fan_grid *grid, const struct fan_r_thread *t, bool has_vms)
{
	fan_grid_cell(grid, "%s", fan_format_i64(t->tid).text);
	fan_grid_cell(grid, "%s", fan_or_dash(t->name));
	if (has_vms)
		fan_grid_cell(grid, "%s", fan_format_i64(t->vcpu).text);
	fan_grid_cell(grid, "%s", fan_format_ns(t->run_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(t->wait_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(t->unknown_ns).text);
	fan_grid_cell(grid, "%s", fan_format_i64(t->arrivals).text);
}

static void print_threads(const struct fan_r_group *g, bool has_vms, struct fan_print *p)
{
	static const char *const head[] = { "run", "wait", "unknown", "arrivals" };
	const struct fan_r_thread *t = g->threads.items;
	const size_t shown = g->threads.n < FAN_TEXT_THREADS ? g->threads.n : FAN_TEXT_THREADS;
	struct fan_grid grid = { .columns = has_vms ? "rlrrrrr" : "rlrrrr" };

	if (g->threads.n == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 0, "Threads of %s (arrivals: times it got onto a CPU)",
		       fan_or_dash(g->name));
	fan_grid_cell(&grid, "tid");
	fan_grid_cell(&grid, "name");
	if (has_vms)
		fan_grid_cell(&grid, "vCPU");
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		fan_grid_cell(&grid, "%s", head[i]);
	for (size_t i = 0; i < shown; i++)
		add_thread_row(&grid, &t[i], has_vms);
	fan_grid_print(&grid, p);
	if (g->threads.n > shown)
		fan_print_para(p, 2, "and %zu more threads, all of them in the JSON report",
			       g->threads.n - shown);
}

void fan_print_counted_threads(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	const size_t shown = r->groups.n < FAN_TEXT_GROUPS ? r->groups.n : FAN_TEXT_GROUPS;

	for (size_t i = 0; i < shown; i++)
		print_threads(&g[i], strcmp(fan_group_noun(&r->groups), "VMs") == 0, p);
	if (r->groups.n > shown) {
		fan_print_blank(p);
		fan_print_para(p, 0, "The threads of %zu more groups are in the JSON report.",
			       r->groups.n - shown);
	}
}

void fan_print_counted_quality(const struct fan_r_quality *q, struct fan_print *p)
{
	fan_print_para(p, 2,
		       "  unknown in the windows of the shares, of vCPUs that ended and threads "
		       "whose counter failed: %s at most (%s %%)",
		       fan_format_ns(q->unknown_ns).text,
		       fan_format_real(q->unknown_pct, 3, false).text);
}
