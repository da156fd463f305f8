// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/compare_grids.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/amount.h"
#include "analyze/report/words.h"
#include "analyze/stats/planning.h"

static bool is_percent(const struct fan_est *est)
{
	return est->unit && strcmp(est->unit, "percent") == 0;
}

struct fan_cell fan_change_value(const struct fan_est *est)
{
	const int decimals = fan_interval_decimals(est->value, fan_interval_shown(est));
	const struct fan_cell v = fan_format_real(est->value, decimals, true);
	struct fan_cell ret = v;

	if (!isnan(est->value) && is_percent(est))
		snprintf(ret.text, sizeof(ret.text), "%.28s %%", v.text);
	return ret;
}

struct fan_cell fan_change_interval(const struct fan_est *est)
{
	const struct fan_interval in = fan_interval_shown(est);
	const int decimals = fan_interval_decimals(est->value, in);
	struct fan_cell ret = { "-" };

	if (!isnan(in.lo) && !isnan(in.hi))
		snprintf(ret.text, sizeof(ret.text), "[%.13s, %.13s]",
			 fan_format_real(in.lo, decimals, true).text,
			 fan_format_real(in.hi, decimals, true).text);
	return ret;
}

char *fan_gap_label(const struct fan_compare *c, const struct fan_c_gap *g)
{
	const bool is_between = strcmp(g->name, "between_vm") == 0;
	char *ret = NULL;
	int r;

	if (is_between)
		r = asprintf(&ret, "%s: %s over %s", fan_or_dash(g->config), g->a, g->b);
	else if (c->configurations.n > 2)
		r = asprintf(&ret, "%s: %s", g->a, fan_or_dash(g->per));
	else
		r = asprintf(&ret, "%s", fan_or_dash(g->per));
	return r < 0 ? NULL : ret;
}

const char *fan_gap_title(const char *name)
{
	static const struct {
		const char *name, *title;
	} list[] = {
		{ "between_vm", "Gap between VMs: what one has over the other" },
		{ "coresched_change", "Change of the score by core scheduling" },
		{ "config_change", "Change of the score by the configuration" },
		{ "gap_change_ratio", "Change of the gap between VMs, ratio of ratios" },
		{ "gap_change_pp", "Change of the gap between VMs, in points" },
		{ "cpu_time_change", "Change of the CPU time, which is one factor of a score" },
		{ "efficiency_change", "Change of the score a CPU second, which is the other" },
		{ "share_change_pp", "Change of the share of CPU time, in points" },
		{ "deviation_change_pp", "Change of share minus due, in points" },
		{ "forced_idle_change", "Change of waiting beside a CPU that was kept idle, in "
					"points of the time that the VM wanted" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(list[i].name, name) == 0)
			return list[i].title;
	return name;
}

const char *fan_gap_title_of_windows(const char *name)
{
	return strcmp(name, "share_change_pp") == 0 ? "Change of the share of the work, in points"
						    : fan_gap_title(name);
}

static void add_head(struct fan_grid *g, const char *columns, const char *const *names)
{
	g->columns = columns;
	for (size_t i = 0; i < strlen(columns); i++)
		fan_grid_cell(g, "%s", names[i]);
}

bool fan_has_scores(const struct fan_compare *c)
{
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *group = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++)
			if (!isnan(group[i].mean.value))
				return true;
	}
	return false;
}

bool fan_has_times(const struct fan_compare *c)
{
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *group = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++)
			if (!isnan(group[i].share.value))
				return true;
	}
	return false;
}

bool fan_has_isolation(const struct fan_compare *c)
{
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++)
		if (of[k].isolation.word)
			return true;
	return false;
}

void fan_grid_scores(const struct fan_compare *c, struct fan_grid *g)
{
	static const char *const head[] = { "config", "name", "runs",  "mean",
					    "+/-",    "unit", "total", "CPUs" };
	const struct fan_c_configuration *of = c->configurations.items;

	add_head(g, "llrrrlrr", head);
	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *group = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++) {
			const char *unit = fan_or_dash(group[i].unit);

			fan_grid_cell(g, "%s", of[k].label);
			fan_grid_cell(g, "%s", group[i].name);
			fan_grid_cell(g, "%s", fan_format_i64(group[i].n).text);
			fan_grid_est(g, &group[i].mean);
			fan_grid_cell(g, "%s%s", unit,
				      group[i].unit && strcmp(unit, "score") != 0 ? "/s" : "");
			fan_grid_cell(g, "%s",
				      fan_format_amount(group[i].total, group[i].total,
							fan_decimals_of(group[i].total, 4))
					      .text);
			fan_grid_cell(g, "%s", fan_format_real(group[i].cpus.value, 3, false).text);
		}
	}
}

void fan_grid_shares(const struct fan_compare *c, struct fan_grid *g)
{
	static const char *const head[] = { "config", "name",	"runs", "share %",
					    "due %",  "off by", "+/-",	"verdict" };
	const struct fan_c_configuration *of = c->configurations.items;

	add_head(g, "llrrrrrl", head);
	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *group = of[k].groups.items;

		for (size_t i = 0; i < of[k].groups.n; i++) {
			const struct fan_est *off = &group[i].deviation;
			const struct fan_interval in = fan_interval_shown(off);
			const int decimals = fan_interval_decimals(off->value, in);

			fan_grid_cell(g, "%s", of[k].label);
			fan_grid_cell(g, "%s", group[i].name);
			fan_grid_cell(g, "%s", fan_format_i64(group[i].n).text);
			fan_grid_cell(g, "%s",
				      fan_format_real(group[i].share.value, decimals, false).text);
			fan_grid_cell(g, "%s",
				      fan_format_real(group[i].expected_pct, decimals, false).text);
			fan_grid_cell(g, "%s", fan_format_real(off->value, decimals, true).text);
			fan_grid_mark(g, fan_mark_of_points(off->value));
			fan_grid_cell(g, "%s", fan_format_half(off->value, in).text);
			fan_grid_cell(g, "%s%s", fan_or_dash(group[i].verdict.word),
				      group[i].verdict.indicative ? " *" : "");
			fan_grid_mark(g, fan_mark_of_word(group[i].verdict.word));
		}
	}
}

void fan_grid_isolation(const struct fan_compare *c, struct fan_grid *g)
{
	static const char *const head[] = { "config",	   "isolated",	  "shared",
					    "untested",	   "cannot tell", "not applicable",
					    "objected to", "+/-",	  "worst" };
	const struct fan_c_configuration *of = c->configurations.items;

	add_head(g, "lrrrrrrrr", head);
	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_isolation *iso = &of[k].isolation;
		const int64_t counts[] = { iso->isolated, iso->shared, iso->untested,
					   iso->cannot_tell, iso->not_applicable };
		const struct fan_interval in = fan_interval_shown(&iso->judged_pct);
		const int d = isnan(in.lo) ? 2 : fan_interval_decimals(iso->judged_pct.value, in);

		fan_grid_cell(g, "%s", of[k].label);
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
			fan_grid_cell(g, "%s", fan_format_i64(counts[i]).text);
		fan_grid_cell(g, "%s", fan_format_real(iso->judged_pct.value, d, false).text);
		fan_grid_cell(g, "%s", fan_format_half(iso->judged_pct.value, in).text);
		fan_grid_cell(g, "%s", fan_format_real(iso->worst_pct, d, false).text);
	}
}

static void add_p(struct fan_grid *g, double p)
{
	if (p < 0.0001)
		fan_grid_cell(g, "<0.0001");
	else
		fan_grid_cell(g, "%s", fan_format_real(p, 4, false).text);
}

/* What is decided needs no more of them. */
static void add_more(struct fan_grid *g, const struct fan_c_gap *gap)
{
	if (gap->verdict.word && strcmp(gap->verdict.word, "inconclusive") != 0)
		fan_grid_cell(g, "-");
	else if (gap->runs_more > FAN_PLAN_MAX)
		fan_grid_cell(g, ">%d", FAN_PLAN_MAX);
	else
		fan_grid_cell(g, "%s", fan_format_i64(gap->runs_more).text);
}

static void add_gap(const struct fan_compare *c, const struct fan_c_gap *gap, struct fan_grid *g)
{
	char *label = fan_gap_label(c, gap);

	if (!label)
		g->r = -ENOMEM;
	fan_grid_cell(g, "%s", label ? label : "");
	fan_grid_cell(g, "%" PRIu64, gap->est.n);
	fan_grid_cell(g, "%s", fan_change_value(&gap->est).text);
	fan_grid_cell(g, "%s", fan_change_interval(&gap->est).text);
	add_p(g, gap->p_adj);
	fan_grid_cell(g, "%s%s", fan_or_dash(gap->verdict.word),
		      gap->verdict.indicative ? " *" : "");
	fan_grid_mark(g, fan_mark_of_word(gap->verdict.word));
	add_more(g, gap);
	free(label);
}

size_t fan_grid_gaps(const struct fan_compare *c, size_t i, struct fan_grid *g)
{
	static const char *const head[] = { "",	 "n",	    "change",	"interval",
					    "p", "verdict", "more runs" };
	static const char *const head_gap[] = { "",  "n",	"gap",	    "interval",
						"p", "verdict", "more runs" };
	const struct fan_c_gap *gap = c->gaps.items;
	const char *name = gap[i].name;

	add_head(g, "lrrrrlr", strcmp(name, "between_vm") == 0 ? head_gap : head);
	for (; i < c->gaps.n && strcmp(gap[i].name, name) == 0; i++)
		add_gap(c, &gap[i], g);
	return i;
}
