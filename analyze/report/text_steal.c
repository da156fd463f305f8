// SPDX-License-Identifier: GPL-3.0-or-later
/* How long the groups waited, beside the counters of kernel and guests. */
#include "analyze/report/text_steal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/words.h"

/* Says once what each closure word in the table means. */
static void print_closures(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++) {
		const char *word = g[i].steal.closure;
		size_t k = 0;

		while (word && k < i && !(g[k].steal.closure && !strcmp(g[k].steal.closure, word)))
			k++;
		if (word && k == i)
			fan_print_para(p, 2, "%s", fan_closure_words(word));
	}
}

static void add_steal_row(struct fan_grid *grid, const struct fan_r_group *g, bool has_guest)
{
	const struct fan_r_steal *s = &g->steal;

	fan_grid_cell(grid, "%s", fan_or_dash(g->name));
	fan_grid_cell(grid, "%s", fan_format_ns(s->trace_ns).text);
	if (has_guest)
		fan_grid_cell(grid, "%s", fan_format_ns(s->guest_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(s->compared_trace_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(s->compared_counter_ns).text);
	fan_grid_cell(grid, "%s", fan_format_real(s->residual_pct, 3, true).text);
	if (s->comparable_intervals == FAN_NONE)
		fan_grid_cell(grid, "-");
	else
		fan_grid_cell(grid, "%" PRId64 " of %s", s->comparable_intervals,
			      fan_format_i64(s->intervals).text);
	fan_grid_cell(grid, "%s", fan_or_dash(s->closure));
}

static bool has_counter(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (g[i].steal.closure && strcmp(g[i].steal.closure, "none") != 0)
			return true;
	return false;
}

static bool guest_told(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (g[i].steal.guest_ns != FAN_NONE)
			return true;
	return false;
}

/* Intervals of one kind of counter; FAN_NONE: it was not told. */
struct left_out {
	const char *whose;
	int64_t intervals, excluded, backwards, jumped;
};

static void print_left_out(const char *name, const struct left_out *l, struct fan_print *p)
{
	char back[64] = "", jumped[64] = "";

	if (l->excluded <= 0)
		return;
	if (l->backwards > 0)
		snprintf(back, sizeof(back), " stepped back (%" PRId64 ")", l->backwards);
	if (l->jumped > 0)
		snprintf(jumped, sizeof(jumped), "%s jumped (%" PRId64 ")",
			 l->backwards > 0 ? " or" : "", l->jumped);
	fan_print_para(p, 2, "%s: %" PRId64 " of %s intervals are left out, in which %s%s%s",
		       fan_or_dash(name), l->excluded, fan_format_i64(l->intervals).text, l->whose,
		       back, jumped);
}

void fan_print_steal_remarks(const struct fan_r_group *g, struct fan_print *p)
{
	const struct fan_r_steal *s = &g->steal;

	print_left_out(g->name,
		       &(struct left_out){ "the kernel's counter", s->intervals,
					   s->excluded_intervals, s->backwards_intervals,
					   s->jumped_intervals },
		       p);
	print_left_out(g->name,
		       &(struct left_out){ "the guest's own count", s->guest_intervals,
					   s->guest_excluded_intervals,
					   s->guest_backwards_intervals,
					   s->guest_jumped_intervals },
		       p);
	if (s->guest_ns != FAN_NONE)
		fan_print_para(p, 2, "%s: its own count (in guest) comes in steps of %s a vCPU",
			       fan_or_dash(g->name), fan_format_ns(s->guest_resolution_ns).text);
}

static bool is_open(const struct fan_r_steal *s)
{
	return s->closure && strcmp(s->closure, "open") == 0;
}

/* Adds the vCPUs whose waits and counter disagree. 0 or -ENOMEM. */
static int list_open(struct fan_strs *list, const struct fan_r_group *g)
{
	const struct fan_r_thread *t = g->threads.items;
	int r = 0;

	for (size_t i = 0; r == 0 && i < g->threads.n; i++) {
		if (!is_open(&t[i].steal))
			continue;
		if (t[i].vcpu != FAN_NONE)
			r = fan_strs_add(list, "vCPU %" PRId64, t[i].vcpu);
		else
			r = fan_strs_add(list, "thread %" PRId64, t[i].tid);
	}
	return r;
}

/* What one vCPU is off by may be little in all of them together. */
static void print_open_vcpus(const struct fan_r_group *g, struct fan_print *p)
{
	struct fan_strs list = { 0 };
	char *names = NULL;

	if (is_open(&g->steal))
		return;
	if (list_open(&list, g) < 0 || !(names = fan_join(&list, ", ")))
		p->r = p->r < 0 ? p->r : -ENOMEM;
	else if (list.n)
		fan_print_para(p, 2, "%s: the waits of %s alone and the kernel's counter disagree",
			       fan_or_dash(g->name), names);
	free(names);
	fan_strs_free(&list);
}

/* Nothing to compare with but what guests may have counted. */
static void print_without_counter(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;

	fan_print_para(p, 0, "Steal: how long %s waited",
		       strcmp(fan_group_noun(&r->groups), "VMs") ? "the threads" : "vCPU threads");
	for (size_t i = 0; i < r->groups.n; i++) {
		const bool has_guest = g[i].steal.guest_ns != FAN_NONE;

		fan_print_para(p, 2, "  %s: %s%s%s", fan_or_dash(g[i].name),
			       fan_format_ns(g[i].steal.trace_ns).text,
			       has_guest ? ", in the guest " : "",
			       has_guest ? fan_format_ns(g[i].steal.guest_ns).text : "");
	}
	print_closures(&r->groups, p);
	for (size_t i = 0; i < r->groups.n; i++)
		fan_print_steal_remarks(&g[i], p);
}

void fan_print_steal(const struct fan_report *r, struct fan_print *p)
{
	static const char *const head[] = { "compared", "counter", "residual %", "intervals",
					    "closure" };
	const struct fan_r_group *g = r->groups.items;
	const bool has_guest = guest_told(&r->groups);
	struct fan_grid grid = { .columns = has_guest ? "lrrrrrrl" : "lrrrrrl" };

	fan_print_blank(p);
	if (!has_counter(&r->groups)) {
		print_without_counter(r, p);
		return;
	}
	fan_print_para(p, 0,
		       "Steal: how long %s waited; compared: that part of it for which the "
		       "kernel's counter can be compared",
		       strcmp(fan_group_noun(&r->groups), "VMs") ? "the threads" : "vCPU threads");
	fan_grid_cell(&grid, "name");
	fan_grid_cell(&grid, "waited");
	if (has_guest)
		fan_grid_cell(&grid, "in guest");
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		fan_grid_cell(&grid, "%s", head[i]);
	for (size_t i = 0; i < r->groups.n; i++)
		add_steal_row(&grid, &g[i], has_guest);
	fan_grid_print(&grid, p);
	print_closures(&r->groups, p);
	for (size_t i = 0; i < r->groups.n; i++) {
		fan_print_steal_remarks(&g[i], p);
		print_open_vcpus(&g[i], p);
	}
}
