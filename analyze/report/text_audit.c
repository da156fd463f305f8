// SPDX-License-Identifier: GPL-3.0-or-later
/* The page of an audit: the answer, levels, pairs, the first ones, lengths, cores. */
#include "analyze/report/text_audit.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/text_cut.h"
#include "analyze/report/text_isolation.h"
#include "analyze/report/words.h"

#define STEPS_A_ROW 10

static void add_ns(struct fan_grid *grid, int64_t ns)
{
	fan_grid_cell(grid, "%s", fan_format_ns(ns).text);
}

static void add_i64(struct fan_grid *grid, int64_t v)
{
	fan_grid_cell(grid, "%s", fan_format_i64(v).text);
}

static void add_head(struct fan_grid *grid, const char *const *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fan_grid_cell(grid, "%s", cells[i]);
}

static void print_answer(const struct fan_report *r, struct fan_print *p)
{
	char *s = strdup(r->isolation.sentence ? r->isolation.sentence : "cannot tell");

	if (!s) {
		p->r = -ENOMEM;
		return;
	}
	*s = (char)toupper((unsigned char)*s);
	fan_print_strong(p, s, fan_mark_of_word(r->isolation.verdict.word));
	fan_print_para(p, 0, "%s.", s);
	free(s);
	fan_print_isolation_figures(&r->isolation, fan_group_noun(&r->groups), p);
	for (size_t i = 0; i < r->isolation.notes.n; i++)
		fan_print_para(p, 2, "- %s", r->isolation.notes.items[i]);
}

/* --- levels --- */

static void add_level(struct fan_grid *grid, const struct fan_r_mixing *m)
{
	fan_grid_cell(grid, "%s", m->level);
	add_ns(grid, m->co_run_ns);
	add_ns(grid, m->violation_ns);
	add_i64(grid, m->count);
	add_ns(grid, m->longest_ns);
	add_ns(grid, m->unresolved_ns);
	add_ns(grid, m->transition_ns);
	fan_grid_cell(grid, "%s", fan_format_real(m->judged_pct, 2, false).text);
}

/* What the levels mean, of those that are shown. */
static void print_level_words(const struct fan_array *levels, const char *noun, struct fan_print *p)
{
	const struct fan_r_mixing *m = levels->items;

	for (size_t i = 0; i < levels->n; i++) {
		if (!m[i].level || m[i].co_run_ns == FAN_NONE)
			continue;
		if (strcmp(m[i].level, "vm") == 0)
			fan_print_para(p, 4, "  vm: vCPUs of different %s", noun);
		else if (strcmp(m[i].level, "guest") == 0)
			fan_print_para(p, 4, "  guest: the same, while both were in their guests");
		else
			fan_print_para(p, 4, "  cookie: vCPUs with different cookies");
	}
}

void fan_grid_levels(const struct fan_array *levels, struct fan_grid *grid)
{
	static const char *const head[] = { "between", "co-run",     "violation",  "number",
					    "longest", "unresolved", "transition", "%" };
	const struct fan_r_mixing *m = levels->items;

	grid->columns = "lrrrrrrr";
	add_head(grid, head, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < levels->n; i++)
		if (m[i].level && m[i].co_run_ns != FAN_NONE)
			add_level(grid, &m[i]);
}

static void print_levels(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_isolation *iso = &r->isolation;
	struct fan_grid grid = { 0 };

	fan_print_blank(p);
	fan_print_para(p, 0, "vCPUs on one core, in core time");
	fan_grid_levels(&iso->levels, &grid);
	fan_grid_print(&grid, p);
	print_level_words(&iso->levels, fan_group_noun(&r->groups), p);
	fan_print_para(p, 4, "  co-run: two siblings or more ran vCPUs, whoever's");
	fan_print_para(p, 4,
		       "  violation: one CPU of two had switched, and after that the other one "
		       "entered its guest again");
	fan_print_para(p, 4,
		       "  transition: up to that moment, or until the other CPU switched too");
	fan_print_para(p, 4, "  unresolved: the other CPU did neither for longer than %s",
		       fan_format_ns(iso->tolerance_ns).text);
	fan_print_para(p, 4, "  %%: violation and unresolved, of co-run");
}

/* --- pairs and lengths --- */

void fan_grid_pairs(const struct fan_array *pairs, size_t shown, struct fan_grid *grid)
{
	static const char *const head[] = { "one",     "other",	     "violation", "number",
					    "longest", "unresolved", "transition" };
	const struct fan_r_mixed_pair *pair = pairs->items;

	grid->columns = "llrrrrr";
	add_head(grid, head, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < shown; i++) {
		fan_grid_cell(grid, "%s", fan_or_dash(pair[i].a));
		fan_grid_cell(grid, "%s", fan_or_dash(pair[i].b));
		add_ns(grid, pair[i].total_ns);
		add_i64(grid, pair[i].count);
		add_ns(grid, pair[i].longest_ns);
		add_ns(grid, pair[i].unresolved_ns);
		add_ns(grid, pair[i].transition_ns);
	}
}

static void print_pairs(const struct fan_array *pairs, struct fan_print *p)
{
	const size_t shown = pairs->n < FAN_TEXT_PAIRS ? pairs->n : FAN_TEXT_PAIRS;
	struct fan_grid grid = { 0 };

	if (pairs->n == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 0, "Who shared with whom, summed over pairs of CPUs");
	fan_grid_pairs(pairs, shown, &grid);
	fan_grid_print(&grid, p);
	if (pairs->n > shown)
		fan_print_para(p, 2, "  %zu more pairs: see the JSON report", pairs->n - shown);
}

/* "50 us": lengths of steps are round. */
static struct fan_cell step(int64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	struct fan_cell ret;
	size_t u = 0;

	for (; u < 3 && ns % 1000 == 0; u++)
		ns /= 1000;
	snprintf(ret.text, sizeof(ret.text), "%" PRId64 " %s", ns, units[u]);
	return ret;
}

/* Lying down: the steps in one row, the numbers under them. */
static void print_steps(const struct fan_r_bucket *b, size_t n, struct fan_print *p)
{
	char columns[STEPS_A_ROW + 1] = "";
	struct fan_grid grid = { .columns = columns };

	memset(columns, 'r', n);
	for (size_t i = 0; i < n; i++)
		fan_grid_cell(&grid, "%s", step(b[i].from_ns).text);
	for (size_t i = 0; i < n; i++)
		add_i64(&grid, b[i].count);
	fan_grid_print(&grid, p);
}

static void print_lengths(const struct fan_array *histogram, struct fan_print *p)
{
	const struct fan_r_bucket *b = histogram->items;

	if (histogram->n == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 0, "Violations by length: so long or longer, and shorter than the next");
	for (size_t i = 0; i < histogram->n; i += STEPS_A_ROW)
		print_steps(b + i, histogram->n - i < STEPS_A_ROW ? histogram->n - i : STEPS_A_ROW,
			    p);
}

/* --- the first ones --- */

/* The group that a thread is of; "" where that is not known. */
static const char *group_of(const struct fan_array *groups, int64_t tid)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++) {
		const struct fan_r_thread *t = g[i].threads.items;

		for (size_t k = 0; k < g[i].threads.n; k++)
			if (t[k].tid == tid)
				return fan_or_dash(g[i].name);
	}
	return "";
}

/* As trace-cmd report prints stamps: rounded to microseconds. */
static struct fan_cell stamp(const struct fan_report *r, int64_t ts_ns)
{
	const int64_t us = (r->source.first_ns + ts_ns + 500) / 1000;
	struct fan_cell ret;

	snprintf(ret.text, sizeof(ret.text), "%" PRId64 ".%06" PRId64, us / 1000000, us % 1000000);
	return ret;
}

/* For a shell; NULL: no memory. */
static char *quote(const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./+:,=@%";
	char *ret = NULL;
	size_t size;
	FILE *f;

	if (*s && strspn(s, plain) == strlen(s))
		return strdup(s);
	f = open_memstream(&ret, &size);
	if (!f)
		return NULL;
	fputc('\'', f);
	for (; *s; s++)
		fputs(*s == '\'' ? "'\\''" : (char[]){ *s, '\0' }, f);
	fputc('\'', f);
	if (fclose(f) == EOF) {
		free(ret);
		return NULL;
	}
	return ret;
}

/* A line that is to be copied: not broken at blanks, whatever the name of the file. */
static void print_command(const struct fan_report *r, const struct fan_r_mixed *m,
			  struct fan_print *p)
{
	struct fan_grid grid = { .columns = "l" };
	char *file = quote(fan_or_dash(r->source.file));

	if (!file) {
		p->r = p->r < 0 ? p->r : -ENOMEM;
		return;
	}
	fan_grid_cell(&grid, "  trace-cmd report --cpu %" PRId64 ",%" PRId64 " %s |",
		      m->cpu_a < m->cpu_b ? m->cpu_a : m->cpu_b,
		      m->cpu_a < m->cpu_b ? m->cpu_b : m->cpu_a, file);
	fan_grid_cell(&grid, "    grep -F -C 10 -m 1 ' %s:'", stamp(r, m->ts_ns).text);
	fan_grid_print(&grid, p);
	free(file);
}

static void add_first(struct fan_grid *grid, const struct fan_report *r,
		      const struct fan_r_mixed *m, bool is_marked)
{
	fan_grid_cell(grid, "%s", stamp(r, m->ts_ns).text);
	add_ns(grid, m->ns);
	if (is_marked)
		fan_grid_cell(grid, "%s", strcmp(m->kind, "unresolved") == 0 ? "*" : "");
	add_i64(grid, m->cpu_a);
	add_i64(grid, m->tid_a);
	fan_grid_cell(grid, "%s", group_of(&r->groups, m->tid_a));
	add_i64(grid, m->cpu_b);
	add_i64(grid, m->tid_b);
	fan_grid_cell(grid, "%s", group_of(&r->groups, m->tid_b));
}

static void print_first(const struct fan_report *r, struct fan_print *p)
{
	static const char *const head[] = { "late CPU", "thread", "of", "CPU", "thread", "of" };
	const struct fan_r_mixed *m = r->isolation.first.items;
	const size_t n = r->isolation.first.n;
	struct fan_grid grid = { .columns = "rrrrlrrl" };
	bool is_marked = false;
	int64_t all;

	for (size_t i = 0; i < n; i++)
		is_marked |= strcmp(m[i].kind, "unresolved") == 0;
	if (n == 0)
		return;
	all = r->isolation.judged.count + r->isolation.judged.unresolved;
	if (is_marked)
		grid.columns = "rrlrrlrrl";
	fan_print_blank(p);
	fan_print_para(p, 0,
		       "%s %zu of %" PRId64 ", with the stamps of trace-cmd report; late CPU: the "
		       "one that had not switched%s",
		       (int64_t)n < all ? "The first" : "All", n, all,
		       is_marked ? "; *: unresolved" : "");
	add_head(&grid, (const char *const[]){ "stamp", "lasted" }, 2);
	if (is_marked)
		fan_grid_cell(&grid, "%s", "");
	add_head(&grid, head, sizeof(head) / sizeof(head[0]));
	for (size_t i = 0; i < n; i++)
		add_first(&grid, r, &m[i], is_marked);
	fan_grid_print(&grid, p);
	fan_print_para(p, 0, "Events around the first one:");
	print_command(r, &m[0], p);
}

static void print_source(const struct fan_report *r, struct fan_print *p)
{
	fan_print_blank(p);
	fan_print_para(p, 10, "trace     %s, kernel %s, clock %s", fan_or_dash(r->source.file),
		       fan_or_dash(r->source.kernel), fan_or_dash(r->source.clock));
	fan_print_para(p, 10, "period    %s to %s", fan_format_ns(r->period.start_ns).text,
		       fan_format_ns(r->period.end_ns).text);
	fan_print_para(p, 10, "cookies   %s", fan_or_dash(r->isolation.cookies));
	if (r->quality.verdict && strcmp(r->quality.verdict, "ok") != 0)
		fan_print_para(p, 10, "quality   %s: see fanalyze report", r->quality.verdict);
	if (r->tool.name)
		fan_print_para(p, 10, "by        %s %s: %s", r->tool.name,
			       fan_or_dash(r->tool.version), fan_or_dash(r->tool.command));
}

int fan_audit_text(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	return fan_audit_text_styled(r, (struct fan_style){ 0 }, f, err);
}

int fan_audit_text_styled(const struct fan_report *r, struct fan_style style, FILE *f,
			  struct fcap_err *err)
{
	struct fan_print p = { .f = f, .style = style };

	errno = 0;
	fan_print_cut(&r->quality.cut, &p);
	print_answer(r, &p);
	if (r->isolation.judged.co_run_ns != FAN_NONE) {
		print_levels(r, &p);
		print_pairs(&r->isolation.pairs, &p);
		print_lengths(&r->isolation.histogram, &p);
		print_first(r, &p);
		fan_print_cores(r, &p);
	}
	fan_print_forced_idle(&r->isolation.forced_idle, &p);
	print_source(r, &p);
	return fan_print_finish(&p, err);
}
