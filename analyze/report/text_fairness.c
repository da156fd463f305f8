// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_fairness.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/text.h"
#include "analyze/report/words.h"

/* "1 ms", "10 s": lengths of windows are round. */
static struct fan_cell length(int64_t ns)
{
	struct fan_cell ret;

	if (ns % 1000000000 == 0)
		snprintf(ret.text, sizeof(ret.text), "%" PRId64 " s", ns / 1000000000);
	else
		snprintf(ret.text, sizeof(ret.text), "%" PRId64 " ms", ns / 1000000);
	return ret;
}

/* Every length is in the JSON report; here one a power of ten. */
static bool is_shown(int64_t window_ns)
{
	while (window_ns >= 10)
		window_ns /= 10;
	return window_ns == 1;
}

static void print_table(const struct fan_r_fairness *f, const char *noun, struct fan_print *p)
{
	static const char *const head[] = { "windows of", "number", "index",
					    "fair %",	  "off by", "got none" };
	const struct fan_r_fair_scale *s = f->by_window.items;
	struct fan_grid grid = { .columns = "rrrrrr" };

	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Fairness by length of window, where two %s or more were due CPU time: "
		       "Jain's index (mean) of what each got over what it was due; fair: windows "
		       "whose index is 0.95 or more; off by: share minus due, root mean square in "
		       "points; got none: times that one was due time and did not run at all",
		       noun);
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		fan_grid_cell(&grid, "%s", head[i]);
	for (size_t i = 0; i < f->by_window.n; i++) {
		if (!is_shown(s[i].window_ns))
			continue;
		fan_grid_cell(&grid, "%s", length(s[i].window_ns).text);
		fan_grid_cell(&grid, "%s", fan_format_i64(s[i].windows).text);
		fan_grid_cell(&grid, "%s", fan_format_real(s[i].jain, 3, false).text);
		fan_grid_cell(&grid, "%s", fan_format_real(s[i].fair_pct, 1, false).text);
		fan_grid_cell(&grid, "%s", fan_format_real(s[i].rms_pp, 2, false).text);
		fan_grid_cell(&grid, "%s", fan_format_i64(s[i].zero_windows).text);
	}
	fan_grid_print(&grid, p);
}

static bool has_windows(const struct fan_r_fairness *f)
{
	const struct fan_r_fair_scale *s = f->by_window.items;

	for (size_t i = 0; i < f->by_window.n; i++)
		if (s[i].windows > 0)
			return true;
	return false;
}

/* The longest window that occurs often enough to be judged; 0: none does. */
static int64_t longest_judged(const struct fan_r_fairness *f)
{
	const struct fan_r_fair_scale *s = f->by_window.items;
	int64_t ret = 0;

	for (size_t i = 0; i < f->by_window.n; i++)
		if (s[i].windows >= FAN_HORIZON_WINDOWS)
			ret = s[i].window_ns;
	return ret;
}

static void print_horizon(const struct fan_r_fairness *f, struct fan_print *p)
{
	const int64_t longest = longest_judged(f);

	if (f->horizon_ns != FAN_NONE)
		fan_print_para(
			p, 2, "  fairness horizon: %s, the shortest window of which 95 %% are fair",
			length(f->horizon_ns).text);
	else if (longest > 0)
		fan_print_para(p, 2,
			       "  fairness horizon: none, up to %s there is no length of which "
			       "95 %% of the windows are fair",
			       length(longest).text);
	else
		fan_print_para(p, 2, "  fairness horizon: there are too few windows to tell");
}

static void print_starved(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items, *worst = NULL;

	for (size_t i = 0; i < groups->n; i++)
		if (g[i].starved.max_ns > 0 &&
		    (!worst || g[i].starved.max_ns > worst->starved.max_ns))
			worst = &g[i];
	if (worst)
		fan_print_para(p, 2, "  longest wait for a CPU: %s, by thread %s of %s, from %s on",
			       fan_format_ns(worst->starved.max_ns).text,
			       fan_format_i64(worst->starved.tid).text, fan_or_dash(worst->name),
			       fan_format_ns(worst->starved.at_ns).text);
}

static struct fan_cell signed_ns(int64_t ns)
{
	struct fan_cell ret = fan_format_ns(ns < 0 && ns != FAN_NONE ? -ns : ns), plain = ret;

	snprintf(ret.text, sizeof(ret.text), "%c%.30s", ns < 0 ? '-' : '+', plain.text);
	return ns == 0 || ns == FAN_NONE ? plain : ret;
}

static void print_lag(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;
	const size_t shown = groups->n < FAN_TEXT_GROUPS ? groups->n : FAN_TEXT_GROUPS;
	struct fan_grid grid = { .columns = "lrrr" };

	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Lag: CPU time due so far minus CPU time got (+: it is owed time, -: it had "
		       "more than its due)");
	fan_grid_cell(&grid, "name");
	fan_grid_cell(&grid, "at the end");
	fan_grid_cell(&grid, "largest");
	fan_grid_cell(&grid, "reached at");
	for (size_t i = 0; i < shown; i++) {
		fan_grid_cell(&grid, "%s", fan_or_dash(g[i].name));
		fan_grid_cell(&grid, "%s", signed_ns(g[i].lag_ns.final_ns).text);
		fan_grid_cell(&grid, "%s", signed_ns(g[i].lag_ns.max_ns).text);
		fan_grid_cell(&grid, "%s", fan_format_ns(g[i].lag_ns.max_at_ns).text);
	}
	fan_grid_print(&grid, p);
	if (groups->n > shown)
		fan_print_para(p, 2, "  %zu more groups: see the JSON report", groups->n - shown);
}

static void print_lost(int64_t ns, const char *noun, struct fan_print *p)
{
	if (ns == 0)
		fan_print_para(p, 2, "  no CPU idled while a thread of the %s waited for one",
			       noun);
	else
		fan_print_para(p, 2,
			       "  capacity lost: %s of CPU time idled while as many threads of the "
			       "%s waited; that is no unfairness between them, but time that none "
			       "of them got",
			       fan_format_ns(ns).text, noun);
}

static bool has_lag(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (g[i].lag_ns.final_ns != FAN_NONE)
			return true;
	return false;
}

void fan_print_scales(const struct fan_report *r, struct fan_print *p)
{
	const char *noun = fan_group_noun(&r->groups);

	if (has_windows(&r->fairness)) {
		print_table(&r->fairness, noun, p);
		print_horizon(&r->fairness, p);
	}
	if (has_lag(&r->groups))
		print_lag(&r->groups, p);
	if (r->host.idle_while_waiting_ns != FAN_NONE)
		print_lost(r->host.idle_while_waiting_ns, noun, p);
	if (has_lag(&r->groups))
		print_starved(&r->groups, p);
}
