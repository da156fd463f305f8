// SPDX-License-Identifier: GPL-3.0-or-later
/* What each core did, in percent of its time. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/text_isolation.h"
#include "analyze/report/words.h"

#define CORE_COLUMNS	24
#define SHOWN_PER_MILLE 0.5

static const char forced_head[] = "forced idle";

/* What a core did, as offsets into struct fan_r_core; before the groups and behind them. */
static const struct column {
	const char *head;
	size_t offset;
	const char *words;
} columns[] = {
	{ "idle", offsetof(struct fan_r_core, idle_ns), NULL },
	{ "kernel", offsetof(struct fan_r_core, kernel_ns), "kernel threads, or idle" },
	{ "mixed", offsetof(struct fan_r_core, mixed_ns), "threads of two groups or more" },
	{ "beside", offsetof(struct fan_r_core, beside_ns),
	  "threads of one group, and programs of the host" },
	{ "host", offsetof(struct fan_r_core, other_ns), "programs of the host" },
	{ "unknown", offsetof(struct fan_r_core, unknown_ns),
	  "what one of the CPUs ran is not known" },
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), BEFORE_GROUPS = 2 };

static int64_t column_ns(const struct fan_r_core *c, size_t i)
{
	return *(const int64_t *)((const char *)c + columns[i].offset);
}

static int64_t group_ns(const struct fan_r_core *c, const char *name)
{
	const struct fan_r_amount *a = c->vms.items;

	for (size_t i = 0; i < c->vms.n; i++)
		if (strcmp(a[i].name, name) == 0)
			return a[i].ns;
	return 0;
}

static int64_t groups_ns(const struct fan_r_core *c)
{
	const struct fan_r_amount *a = c->vms.items;
	int64_t ret = 0;

	for (size_t i = 0; i < c->vms.n; i++)
		ret += a[i].ns;
	return ret;
}

static int64_t wall_ns(const struct fan_r_core *c)
{
	int64_t ret = groups_ns(c);

	for (size_t i = 0; i < COLUMNS; i++)
		ret += column_ns(c, i);
	return ret;
}

/* What would be 0.0 everywhere has no column. */
static bool is_shown(int64_t ns, int64_t wall)
{
	return 1000 * (double)ns >= SHOWN_PER_MILLE * (double)wall && ns > 0;
}

/* The columns: zeros are left out, and groups that do not fit are summed. */
struct layout {
	const char *groups[CORE_COLUMNS];
	size_t ngroups;
	bool has_others, has[COLUMNS], has_forced;
	char letters[CORE_COLUMNS + COLUMNS + 4];
};

static size_t width_of(const char *head)
{
	return 2 + (strlen(head) > 5 ? strlen(head) : 5);
}

/* Puts groups into the rest of the width, in the order of the report. Do all of them fit? */
static bool place_groups(struct layout *l, const struct fan_report *r, size_t used)
{
	const struct fan_r_group *g = r->groups.items;
	const struct fan_r_core *c = r->isolation.cores.items;

	l->ngroups = 0;
	for (size_t i = 0; i < r->groups.n; i++) {
		bool has_time = false;

		for (size_t k = 0; g[i].name && k < r->isolation.cores.n; k++)
			has_time |= is_shown(group_ns(&c[k], g[i].name), wall_ns(&c[k]));
		if (!has_time)
			continue;
		used += width_of(g[i].name);
		if (used > FAN_PRINT_WIDTH || l->ngroups == CORE_COLUMNS)
			return false;
		l->groups[l->ngroups++] = g[i].name;
	}
	return true;
}

/* Of the list of CPUs of a core. */
static size_t list_width(const struct fan_ints *cpus)
{
	size_t ret = 0;

	for (size_t i = 0; i < cpus->n; i++)
		ret += strlen(fan_format_i64(cpus->items[i]).text) + (i > 0);
	return ret;
}

/* Which columns there are, and what they and the CPUs take of the width. */
static size_t find_columns(struct layout *l, const struct fan_report *r)
{
	const struct fan_r_core *c = r->isolation.cores.items;
	size_t cpus = strlen("CPUs"), used = 0;

	for (size_t k = 0; k < r->isolation.cores.n; k++) {
		for (size_t i = 0; i < COLUMNS; i++)
			l->has[i] |= is_shown(column_ns(&c[k], i), wall_ns(&c[k]));
		l->has_forced |= c[k].forced_idle_ns > 0;
		l->has_others |= is_shown(group_ns(&c[k], "other"), wall_ns(&c[k]));
		cpus = list_width(&c[k].cpus) > cpus ? list_width(&c[k].cpus) : cpus;
	}
	for (size_t i = 0; i < COLUMNS; i++)
		used += l->has[i] ? width_of(columns[i].head) : 0;
	return used + cpus + (l->has_forced ? width_of(forced_head) : 0);
}

static void lay_out(struct layout *l, const struct fan_report *r)
{
	size_t used, n = 1;

	*l = (struct layout){ 0 };
	used = find_columns(l, r);
	if (l->has_others || !place_groups(l, r, used)) {
		l->has_others = true;
		place_groups(l, r, used + width_of("others"));
	}
	n += l->ngroups + l->has_others + l->has_forced;
	for (size_t i = 0; i < COLUMNS; i++)
		n += l->has[i];
	memset(l->letters, 'r', n);
	l->letters[0] = 'l';
}

static void add_cpus(struct fan_grid *grid, const struct fan_ints *cpus, struct fan_print *p)
{
	struct fan_strs names = { 0 };
	char *joined;
	int r = 0;

	for (size_t i = 0; r == 0 && i < cpus->n; i++)
		r = fan_strs_add(&names, "%" PRId64, cpus->items[i]);
	joined = r == 0 ? fan_join(&names, ",") : NULL;
	fan_grid_cell(grid, "%s", joined ? joined : "-");
	if (!joined && p->r == 0)
		p->r = -ENOMEM;
	fan_strs_free(&names);
	free(joined);
}

static void add_part(struct fan_grid *grid, int64_t ns, int64_t wall)
{
	fan_grid_cell(grid, "%s",
		      ns == 0 || wall <= 0
			      ? "0"
			      : fan_format_real(100 * (double)ns / (double)wall, 1, false).text);
}

static void add_parts(struct fan_grid *grid, const struct layout *l, const struct fan_r_core *c,
		      size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (!l->has[i])
			continue;
		if (c)
			add_part(grid, column_ns(c, i), wall_ns(c));
		else
			fan_grid_cell(grid, "%s", columns[i].head);
	}
}

static void add_head(struct fan_grid *grid, const struct layout *l)
{
	fan_grid_cell(grid, "CPUs");
	add_parts(grid, l, NULL, 0, BEFORE_GROUPS);
	for (size_t i = 0; i < l->ngroups; i++)
		fan_grid_cell(grid, "%s", l->groups[i]);
	if (l->has_others)
		fan_grid_cell(grid, l->ngroups ? "others" : "groups");
	add_parts(grid, l, NULL, BEFORE_GROUPS, COLUMNS);
	if (l->has_forced)
		fan_grid_cell(grid, "%s", forced_head);
}

static void print_words(const struct layout *l, struct fan_print *p)
{
	if (l->ngroups || l->has_others)
		fan_print_para(
			p, 4, "  name of a group: its threads, beside kernel threads or idle CPUs");
	for (size_t i = 0; i < COLUMNS; i++)
		if (l->has[i] && columns[i].words)
			fan_print_para(p, 4, "  %s: %s", columns[i].head, columns[i].words);
	if (l->has_forced)
		fan_print_para(p, 4, "  forced idle: CPU time of its CPUs");
}

static void add_core(struct fan_grid *grid, const struct layout *l, const struct fan_r_core *c,
		     struct fan_print *p)
{
	int64_t others = groups_ns(c);

	add_cpus(grid, &c->cpus, p);
	add_parts(grid, l, c, 0, BEFORE_GROUPS);
	for (size_t i = 0; i < l->ngroups; i++) {
		add_part(grid, group_ns(c, l->groups[i]), wall_ns(c));
		others -= group_ns(c, l->groups[i]);
	}
	if (l->has_others)
		add_part(grid, others, wall_ns(c));
	add_parts(grid, l, c, BEFORE_GROUPS, COLUMNS);
	if (l->has_forced)
		fan_grid_cell(grid, "%s", fan_format_ns(c->forced_idle_ns).text);
}

void fan_print_cores(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_array *cores = &r->isolation.cores;
	const struct fan_r_core *c = cores->items;
	const size_t shown = cores->n < FAN_TEXT_CORES ? cores->n : FAN_TEXT_CORES;
	struct layout l;
	struct fan_grid grid;

	if (cores->n == 0)
		return;
	lay_out(&l, r);
	grid = (struct fan_grid){ .columns = l.letters };
	fan_print_blank(p);
	fan_print_para(p, 0, "What each core did, in %% of its time");
	add_head(&grid, &l);
	for (size_t i = 0; i < shown; i++)
		add_core(&grid, &l, &c[i], p);
	fan_grid_print(&grid, p);
	if (cores->n > shown)
		fan_print_para(p, 2, "  %zu more cores: see the JSON report", cores->n - shown);
	print_words(&l, p);
}
