// SPDX-License-Identifier: GPL-3.0-or-later
/* Isolation and forced idle, as reports and audits both tell them. */
#include "analyze/report/text_isolation.h"

#include <math.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/text.h"
#include "analyze/report/words.h"

static bool has_word(const struct fan_r_isolation *iso, const char *word)
{
	return iso->verdict.word && strcmp(iso->verdict.word, word) == 0;
}

bool fan_isolation_is_aside(const struct fan_report *r)
{
	if (!r->isolation.sentence)
		return false;
	return has_word(&r->isolation, "not_applicable") || !fan_has_vcpus(&r->groups);
}

static struct fan_cell pct(double v)
{
	return fan_format_real(v, 2, false);
}

/* Overlap by chance beside all that was measured, whatever it counts as. */
static void print_chance(const struct fan_r_isolation *iso, struct fan_print *p)
{
	const struct fan_r_mixing *m = &iso->judged;
	const double all = (double)(m->violation_ns + m->transition_ns + m->unresolved_ns);
	const double expected = isnan(iso->expected_apart_pct) ? iso->expected_pct
							       : iso->expected_apart_pct;

	if (!isnan(expected))
		fan_print_para(p, 2,
			       "  Transitions included it was %s %%; by chance it would be %s %%.",
			       pct(100 * all / (double)m->co_run_ns).text,
			       fan_format_real(expected, 1, false).text);
}

void fan_print_isolation_figures(const struct fan_r_isolation *iso, const char *noun,
				 struct fan_print *p)
{
	const struct fan_r_mixing *m = &iso->judged;
	const char *level = m->level ? m->level : "";

	if (m->co_run_ns == FAN_NONE)
		return;
	if (m->co_run_ns == 0) {
		fan_print_para(p, 2, "  No two vCPUs were on one core at the same time.");
		return;
	}
	fan_print_para(p, 2,
		       "  Two vCPUs%s were on one core for %s, of different %s for %s %% of "
		       "that; above %g %% is objected to.",
		       strcmp(level, "guest") == 0    ? ", both in their guests,"
		       : strcmp(level, "cookie") == 0 ? " with known cookies"
						      : "",
		       fan_format_ns(m->co_run_ns).text,
		       strcmp(level, "cookie") == 0 ? "cookies" : noun, pct(m->judged_pct).text,
		       iso->max_violation_pct);
	print_chance(iso, p);
}

static const char *counter_words(const char *counter)
{
	static const char *const words[][2] = {
		{ "agrees", "the kernel's own counter agrees" },
		{ "differs", "the kernel's own counter differs" },
		{ "not counting",
		  "the kernel's own counter was not counting (schedstats are off)" },
		{ "not told", "the trace does not tell the kernel's own counter" },
		{ "moved", "the kernel's own counter is by thread, and threads moved between "
			   "the groups" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(counter, words[i][0]) == 0)
			return words[i][1];
	return counter;
}

static void add_forced_row(struct fan_grid *grid, const struct fan_r_forced_group *g, bool counted)
{
	fan_grid_cell(grid, "%s", fan_or_dash(g->name));
	fan_grid_cell(grid, "%s", fan_format_ns(g->caused_ns).text);
	fan_grid_cell(grid, "%s", fan_format_ns(g->suffered_ns).text);
	if (counted)
		fan_grid_cell(grid, "%s", fan_format_ns(g->counter_ns).text);
}

static void print_forced_groups(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_forced_group *g = groups->items;
	const size_t shown = groups->n < FAN_TEXT_GROUPS ? groups->n : FAN_TEXT_GROUPS;
	struct fan_grid grid = { .columns = "lrr" };
	bool counted = false;

	for (size_t i = 0; i < groups->n; i++)
		counted |= g[i].counter_ns != FAN_NONE;
	if (groups->n == 0)
		return;
	if (counted)
		grid.columns = "lrrr";
	fan_grid_cell(&grid, "name");
	fan_grid_cell(&grid, "caused");
	fan_grid_cell(&grid, "suffered");
	if (counted)
		fan_grid_cell(&grid, "as the kernel counted");
	for (size_t i = 0; i < shown; i++)
		add_forced_row(&grid, &g[i], counted);
	fan_grid_print(&grid, p);
	if (groups->n > shown)
		fan_print_para(p, 2, "  %zu more groups: see the JSON report", groups->n - shown);
}

void fan_print_forced_idle(const struct fan_r_forced_idle *f, struct fan_print *p)
{
	if (f->total_ns == FAN_NONE || f->total_ns == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Forced idle: CPUs idled for the sake of a sibling while threads waited: "
		       "%s%s of CPU time%s",
		       f->upper_bound ? "up to " : "", fan_format_ns(f->total_ns).text,
		       f->upper_bound ? " (not all cookies are known: some of it may be the "
					"latency of wake-ups)"
				      : "");
	print_forced_groups(&f->groups, p);
	fan_print_para(p, 4,
		       "  caused: its threads ran beside the idle CPU; suffered: its threads "
		       "waited for it");
	if (f->counter)
		fan_print_para(p, 4, "  %s", counter_words(f->counter));
}

void fan_print_isolation(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_isolation *iso = &r->isolation;

	if (!iso->sentence)
		return;
	/* also threads that are no vCPUs can have cookies */
	if (fan_isolation_is_aside(r)) {
		fan_print_forced_idle(&iso->forced_idle, p);
		return;
	}
	fan_print_blank(p);
	fan_print_strong(p, iso->sentence, fan_mark_of_word(iso->verdict.word));
	fan_print_para(p, 2, "Isolation: %s.", iso->sentence);
	fan_print_isolation_figures(iso, fan_group_noun(&r->groups), p);
	fan_print_forced_idle(&iso->forced_idle, p);
}
