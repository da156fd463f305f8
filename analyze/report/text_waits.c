// SPDX-License-Identifier: GPL-3.0-or-later
/* Who waited for whom, in percent of each group's wait. */
#include "analyze/report/text_waits.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/words.h"

#define NAME_TOLD_PCT 0.1
#define HOST_TOLD     0.01 /* of a group's wait: below, the host's threads are not named */
#define GAP	      2	   /* blanks between two columns */
#define COLUMNS	      16

/* What the CPU was held by, as offsets into struct fan_r_waited_for. */
static const struct rest {
	const char *head;
	size_t offset;
	const char *words;
} rest[] = {
	{ "itself", offsetof(struct fan_r_waited_for, self_ns), "other threads of the same group" },
	{ "host", offsetof(struct fan_r_waited_for, host_ns), "threads of no group" },
	{ "throttled", offsetof(struct fan_r_waited_for, throttled_or_contended_ns),
	  "while a quota stopped its cgroup, up to the kernel's counter" },
	{ "forced", offsetof(struct fan_r_waited_for, forced_idle_ns),
	  "nobody ran: core scheduling kept the core for others" },
	{ "idle", offsetof(struct fan_r_waited_for, idle_ns),
	  "nobody ran: waking up, or moving to another CPU" },
	{ "unknown", offsetof(struct fan_r_waited_for, unknown_ns), "lost from view" },
};
enum { RESTS = sizeof(rest) / sizeof(rest[0]) };

static int64_t rest_ns(const struct fan_r_group *g, size_t i)
{
	return *(const int64_t *)((const char *)&g->waited_for + rest[i].offset);
}

/* What a group waited for another one; 0 if it is not in the list. */
static int64_t group_ns(const struct fan_r_group *g, const char *name)
{
	const struct fan_r_amount *amounts = g->waited_for.groups.items;

	for (size_t i = 0; i < g->waited_for.groups.n; i++)
		if (strcmp(amounts[i].name, name) == 0)
			return amounts[i].ns;
	return 0;
}

static bool is_told(const struct fan_r_group *g)
{
	return g->name && g->wait_ns > 0 && g->waited_for.self_ns != FAN_NONE;
}

/* The columns of the table: groups that fit, the sum of the others, and the rest. */
struct layout {
	const char *groups[COLUMNS];
	size_t ngroups;
	bool has_others;
	bool has_rest[RESTS];
	size_t nrests;
};

static bool somebody_waited_for(const struct fan_array *groups, const char *name)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (group_ns(&g[i], name) > 0)
			return true;
	return false;
}

static size_t width_of(const char *head)
{
	const size_t len = strlen(head), least = strlen("100.0");

	return GAP + (len > least ? len : least);
}

/* Columns of zeros are left out. Groups come in the order of the report while there is room. */
static struct layout lay_out(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;
	struct layout ret = { .ngroups = 0 };
	size_t used = 0;

	for (size_t i = 0; i < groups->n; i++)
		used = strlen(fan_or_dash(g[i].name)) > used ? strlen(fan_or_dash(g[i].name))
							     : used;
	used += GAP + strlen("99.99 ms") + width_of("others");
	for (size_t k = 0; k < RESTS; k++) {
		for (size_t i = 0; i < groups->n; i++)
			ret.has_rest[k] |= rest_ns(&g[i], k) > 0;
		ret.nrests += ret.has_rest[k];
		used += ret.has_rest[k] ? width_of(rest[k].head) : 0;
	}
	for (size_t i = 0; i < groups->n && !ret.has_others; i++) {
		if (!g[i].name || !somebody_waited_for(groups, g[i].name))
			continue;
		used += width_of(g[i].name);
		if (used > FAN_PRINT_WIDTH || ret.ngroups == COLUMNS)
			ret.has_others = true;
		else
			ret.groups[ret.ngroups++] = g[i].name;
	}
	return ret;
}

static void add_head(struct fan_grid *grid, const struct layout *l)
{
	fan_grid_cell(grid, "name");
	fan_grid_cell(grid, "wait");
	for (size_t i = 0; i < l->ngroups; i++)
		fan_grid_cell(grid, "%s", l->groups[i]);
	if (l->has_others)
		fan_grid_cell(grid, l->ngroups ? "others" : "groups");
	for (size_t k = 0; k < RESTS; k++)
		if (l->has_rest[k])
			fan_grid_cell(grid, "%s", rest[k].head);
}

static void add_part(struct fan_grid *grid, int64_t ns, int64_t wait_ns)
{
	fan_grid_cell(grid, "%s",
		      ns == 0 ? "0"
			      : fan_format_real(100 * (double)ns / (double)wait_ns, 1, false).text);
}

static void add_row(struct fan_grid *grid, const struct layout *l, const struct fan_r_group *g)
{
	const struct fan_r_amount *amounts = g->waited_for.groups.items;
	int64_t others = 0;

	fan_grid_cell(grid, "%s", g->name);
	fan_grid_cell(grid, "%s", fan_format_ns(g->wait_ns).text);
	for (size_t i = 0; i < g->waited_for.groups.n; i++)
		others += amounts[i].ns;
	for (size_t i = 0; i < l->ngroups; i++) {
		const int64_t ns = group_ns(g, l->groups[i]);

		if (strcmp(l->groups[i], g->name) == 0)
			fan_grid_cell(grid, "-");
		else
			add_part(grid, ns, g->wait_ns);
		others -= ns;
	}
	if (l->has_others)
		add_part(grid, others, g->wait_ns);
	for (size_t k = 0; k < RESTS; k++)
		if (l->has_rest[k])
			add_part(grid, rest_ns(g, k), g->wait_ns);
}

static void print_words(const struct layout *l, struct fan_print *p)
{
	for (size_t k = 0; k < RESTS; k++)
		if (l->has_rest[k])
			fan_print_para(p, 4, "  %s: %s", rest[k].head, rest[k].words);
}

/* Names of the host's threads where they matter. */
static void print_host(const struct fan_r_group *g, struct fan_print *p)
{
	const struct fan_r_amount *host = g->waited_for.host.items;
	struct fan_strs names = { 0 };
	char *joined = NULL;
	int r = 0;

	if (!((double)g->waited_for.host_ns > HOST_TOLD * (double)g->wait_ns))
		return;
	for (size_t i = 0; r == 0 && i < g->waited_for.host.n; i++) {
		const double pct = 100 * (double)host[i].ns / (double)g->wait_ns;

		if (pct >= NAME_TOLD_PCT)
			r = fan_strs_add(&names, "%s %s %%", host[i].name,
					 fan_format_real(pct, 1, false).text);
	}
	joined = r == 0 ? fan_join(&names, ", ") : NULL;
	if (joined)
		fan_print_para(p, 4, "  host threads that %s waited for: %s", g->name, joined);
	else
		p->r = p->r < 0 ? p->r : -ENOMEM;
	fan_strs_free(&names);
	free(joined);
}

void fan_print_waits(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	const struct layout l = lay_out(&r->groups);
	char columns[COLUMNS + RESTS + 4] = "lr";
	struct fan_grid grid = { .columns = columns };
	bool has_waits = false;

	for (size_t i = 0; i < r->groups.n; i++)
		has_waits |= is_told(&g[i]);
	if (!has_waits)
		return;
	memset(columns + 2, 'r', l.ngroups + l.has_others + l.nrests);
	fan_print_blank(p);
	fan_print_para(
		p, 0,
		"Who waited for whom: columns had the CPU while rows waited, in %% of each wait");
	add_head(&grid, &l);
	for (size_t i = 0; i < r->groups.n; i++)
		if (is_told(&g[i]))
			add_row(&grid, &l, &g[i]);
	fan_grid_print(&grid, p);
	print_words(&l, p);
	for (size_t i = 0; i < r->groups.n; i++)
		if (is_told(&g[i]))
			print_host(&g[i], p);
}
