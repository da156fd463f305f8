// SPDX-License-Identifier: GPL-3.0-or-later
/* The sentence that a comparison begins with. */
#include "analyze/report/text_compare_answer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/compare_grids.h"
#include "analyze/report/words.h"
#include "analyze/stats/planning.h"

/* What is to be said first, if it is there: a name, and whether the total goes before VMs. */
static const char *const by_weight[] = { "coresched_change", "config_change", "cpu_time_change",
					 "share_change_pp" };

static const struct fan_c_gap *find_gap(const struct fan_compare *c, const char *name,
					const char *treatment)
{
	const struct fan_c_gap *g = c->gaps.items, *ret = NULL;

	for (size_t i = 0; i < c->gaps.n; i++) {
		if (strcmp(g[i].name, name) != 0 || strcmp(g[i].a, treatment) != 0)
			continue;
		/* the total, else what changed most */
		if (strcmp(fan_or_dash(g[i].per), "total") == 0)
			return &g[i];
		if (!ret || fabs(g[i].est.value) > fabs(ret->est.value))
			ret = &g[i];
	}
	return ret;
}

static const char *noun(const char *name)
{
	if (strcmp(name, "share_change_pp") == 0)
		return "share of CPU time";
	return strcmp(name, "cpu_time_change") == 0 ? "CPU time" : "score";
}

/* "-9.5 % [-11.2, -7.8]" */
struct amount {
	char text[80];
};

static struct amount amount_of(const struct fan_est *est)
{
	const struct fan_cell in = fan_change_interval(est);
	struct amount ret;

	snprintf(ret.text, sizeof(ret.text), "%s %s", fan_change_value(est).text,
		 strcmp(in.text, "-") == 0 ? "(no interval)" : in.text);
	return ret;
}

/* ": material at a margin of 3 points (indicative)", or why there is no verdict. */
static void print_verdict(const struct fan_c_gap *g, const char *subject, struct fan_print *p)
{
	const char *unit = g->est.unit && strcmp(g->est.unit, "percent") == 0 ? "%" : "points";
	char *doubts = fan_join(&g->verdict.reasons, ", ");
	char more[64] = "";

	if (!doubts) {
		p->r = -ENOMEM;
		return;
	}
	if (g->runs_more > FAN_PLAN_MAX)
		snprintf(more, sizeof(more), "; more than %d runs of each are needed",
			 FAN_PLAN_MAX);
	else if (g->runs_more > 0)
		snprintf(more, sizeof(more), "; %" PRId64 " more runs of each are needed",
			 g->runs_more);
	fan_print_strong(p, g->verdict.word, fan_mark_of_word(g->verdict.word));
	if (g->verdict.word)
		fan_print_para(p, 0, "%s %s: %s at a margin of %g %s%s%s.", subject,
			       amount_of(&g->est).text, g->verdict.word, g->verdict.margin, unit,
			       g->verdict.indicative ? " (indicative)" : "",
			       strcmp(g->verdict.word, "inconclusive") == 0 ? more : "");
	else
		fan_print_para(p, 0, "%s %s: no verdict%s%s%s.", subject,
			       fan_change_value(&g->est).text, *doubts ? " (" : "", doubts,
			       *doubts ? ")" : "");
	free(doubts);
}

static void print_change(const struct fan_c_gap *g, struct fan_print *p)
{
	const bool is_total = strcmp(fan_or_dash(g->per), "total") == 0;
	char *subject;

	if (asprintf(&subject, "%s over %s: the %s%s%s%s changed by", g->a, g->b,
		     is_total ? "total " : "", noun(g->name), is_total ? "" : " of ",
		     is_total ? "" : fan_or_dash(g->per)) < 0) {
		p->r = -ENOMEM;
		return;
	}
	print_verdict(g, subject, p);
	free(subject);
}

/* The gap in this configuration of the two VMs, "A over B". */
static const struct fan_c_gap *find_between(const struct fan_compare *c, const char *config)
{
	const struct fan_c_gap *g = c->gaps.items;

	for (size_t i = 0; i < c->gaps.n; i++)
		if (g[i].config && strcmp(g[i].config, config) == 0)
			return &g[i];
	return NULL;
}

/* Of two VMs there is one gap to speak of; of more the table has them all. */
static void print_gap_change(const struct fan_compare *c, const char *treatment,
			     struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;
	const struct fan_c_gap *before = find_between(c, config[0].label);
	const struct fan_c_gap *after = find_between(c, treatment);
	const struct fan_c_gap *change = find_gap(c, "gap_change_ratio", treatment);
	char *subject;

	if (config[0].groups.n != 2 || !before || !after || !change)
		return;
	if (asprintf(&subject, "The gap of %s (%s) was %s and became %s, a change by",
		     fan_or_dash(change->per),
		     strcmp(fan_or_dash(change->of), "cpu_time") == 0 ? "CPU time" : "score",
		     fan_change_value(&before->est).text, fan_change_value(&after->est).text) < 0) {
		p->r = -ENOMEM;
		return;
	}
	print_verdict(change, subject, p);
	free(subject);
}

/* ln(score) changed by what ln(CPU time) and ln(score a CPU second) did. */
static void print_factors(const struct fan_compare *c, const struct fan_c_gap *score,
			  struct fan_print *p)
{
	const struct fan_c_gap *g = c->gaps.items, *cpus = NULL, *efficiency = NULL;

	for (size_t i = 0; i < c->gaps.n; i++) {
		if (strcmp(g[i].a, score->a) != 0 || !g[i].per || strcmp(g[i].per, score->per) != 0)
			continue;
		if (strcmp(g[i].name, "cpu_time_change") == 0)
			cpus = &g[i];
		if (strcmp(g[i].name, "efficiency_change") == 0)
			efficiency = &g[i];
	}
	if (cpus && efficiency && strcmp(noun(score->name), "score") == 0)
		fan_print_para(p, 0,
			       "Of its factors, CPU time changed by %s, and the score a CPU second "
			       "by %s.",
			       amount_of(&cpus->est).text, amount_of(&efficiency->est).text);
}

static void print_treatment(const struct fan_compare *c, const char *treatment, struct fan_print *p)
{
	const struct fan_c_gap *g = NULL;

	for (size_t i = 0; i < sizeof(by_weight) / sizeof(by_weight[0]) && !g; i++)
		g = find_gap(c, by_weight[i], treatment);
	if (g) {
		print_change(g, p);
		print_factors(c, g, p);
	} else {
		fan_print_para(p, 0, "%s over %s: there is nothing that both have.", treatment,
			       fan_or_dash(c->baseline));
	}
	print_gap_change(c, treatment, p);
}

static void print_only(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;
	const struct fan_c_gap *between = find_between(c, config[0].label);
	char *subject;

	if (!between) {
		fan_print_para(p, 0, "No answer: one configuration, and no two VMs to compare.");
		return;
	}
	if (config[0].groups.n > 2) {
		fan_print_para(p, 0, "%s: the gaps between %zu VMs are below.", config[0].label,
			       config[0].groups.n);
		return;
	}
	if (asprintf(&subject, "%s: the gap of %s over %s is", config[0].label, between->a,
		     between->b) < 0) {
		p->r = -ENOMEM;
		return;
	}
	print_verdict(between, subject, p);
	free(subject);
}

void fan_print_compare_answer(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;

	for (size_t k = 1; k < c->configurations.n; k++)
		print_treatment(c, config[k].label, p);
	if (c->configurations.n == 1)
		print_only(c, p);
}
