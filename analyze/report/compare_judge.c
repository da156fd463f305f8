// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Verdicts on the gaps, once all are there: those of one name are one family, by Holm and
 * Bonferroni, as each name is a question of its own.
 */
#include "analyze/report/compare_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/holm.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/planning.h"
#include "analyze/stats/rate.h"
#include "analyze/stats/tost.h"
#include "analyze/stats/verdict.h"

#define POWER 0.8

static const struct fan_c_gap *gap_at(const struct fan_comparison *c, size_t i)
{
	return (const struct fan_c_gap *)c->tree->gaps.items + i;
}

static bool is_family(const struct fan_comparison *c, size_t i, size_t k)
{
	return strcmp(gap_at(c, i)->name, gap_at(c, k)->name) == 0;
}

/* Tests of the family of gap i: those that have a p, as fan_p_zero() has it. */
static unsigned int family_size(const struct fan_comparison *c, size_t i)
{
	unsigned int ret = 0;

	for (size_t k = 0; k < c->nwork; k++)
		ret += c->work[k].est.se > 0 && c->work[k].est.df > 0 && is_family(c, i, k);
	return ret > 0 ? ret : 1;
}

static double margin_of(const struct fan_comparison *c, const struct fan_gap_work *w)
{
	return w->is_log ? log1p(c->options->margin / 100) : c->options->margin;
}

/* Runs of each configuration, in all. */
static int64_t plan(const struct fan_comparison *c, const struct fan_gap_work *w)
{
	const struct fan_plan_spec spec = {
		.plan = w->is_paired ? FAN_PLAN_PAIRED : FAN_PLAN_TWO,
		.delta = margin_of(c, w),
		.sd = fan_sd_of_runs(&w->est),
		.level = 1 - (1 - w->est.level) / w->est.m,
		.power = POWER,
	};
	const size_t n = fan_runs_needed(&spec);

	return n > 0 ? (int64_t)n : FAN_NONE;
}

/* Beyond what planning counts there is no difference to take. */
static int64_t still_needed(int64_t needed, int64_t have)
{
	if (needed == FAN_NONE || needed > FAN_PLAN_MAX)
		return needed;
	return needed > have ? needed - have : 0;
}

static int set_verdict(struct fan_verdict_text *ret, const struct fan_comparison *c,
		       const struct fan_gap_work *w)
{
	struct fan_verdict v;
	int e = fan_judge_gap(&w->est, margin_of(c, w), &v);

	if (e < 0)
		return e;
	ret->word = v.word;
	ret->indicative = v.indicative;
	ret->margin = c->options->margin;
	for (uint32_t bit = 1; e == 0 && fan_reason_text(bit); bit <<= 1)
		if (v.reasons & bit)
			e = fan_strs_add(&ret->reasons, "%s", fan_reason_text(bit));
	return e;
}

static int judge_one(struct fan_comparison *c, size_t i)
{
	struct fan_c_gap *gap = (struct fan_c_gap *)c->tree->gaps.items + i;
	struct fan_gap_work *w = &c->work[i];

	w->est.m = family_size(c, i);
	/* now that the family is known; a zero spread has no interval */
	if (w->est.method)
		fan_est_interval(&w->est, w->est.se, w->est.df, w->est.method);
	gap->est = w->est;
	if (w->is_log)
		fan_est_percent(&w->est, &gap->est);
	gap->p = fan_p_zero(&w->est);
	gap->runs_needed = plan(c, w);
	gap->runs_more = still_needed(gap->runs_needed, (int64_t)w->est.runs);
	if (set_verdict(&gap->verdict, c, w) < 0)
		return -ENOMEM;
	/* the plan would have been enough four times in five: this is the fifth */
	if (gap->runs_more == 0 && gap->verdict.word &&
	    strcmp(gap->verdict.word, "inconclusive") == 0)
		gap->runs_more = 1;
	return 0;
}

/* Of the family of gap i, its first. p has room for all gaps. */
static int adjust_family(struct fan_comparison *c, size_t i, double *p)
{
	struct fan_c_gap *gap = c->tree->gaps.items;
	size_t n = 0;
	int e;

	for (size_t k = i; k < c->nwork; k++)
		if (is_family(c, i, k))
			p[n++] = gap[k].p;
	e = gap[i].est.m > FAN_FAMILY ? fan_benjamini_hochberg(p, n, p) : fan_holm(p, n, p);
	n = 0;
	for (size_t k = i; k < c->nwork; k++)
		if (is_family(c, i, k))
			gap[k].p_adj = p[n++];
	return e;
}

/* Picked after looking: only the simultaneous intervals allow for that. gaps: room for all. */
static void add_largest(struct fan_comparison *c, struct fan_c_configuration *to,
			struct fan_est *gaps)
{
	struct fan_est largest;
	size_t n = 0;

	for (size_t i = 0; i < c->nwork; i++)
		if (gap_at(c, i)->config && strcmp(gap_at(c, i)->config, to->label) == 0)
			gaps[n++] = c->work[i].est;
	if (n < 2)
		return;
	fan_est_largest(gaps, n, &largest);
	fan_est_percent(&largest, &to->largest_gap);
}

static int add_all_largest(struct fan_comparison *c)
{
	struct fan_c_configuration *of = c->tree->configurations.items;
	struct fan_est *gaps = calloc(c->nwork + 1, sizeof(*gaps));

	if (!gaps)
		return -ENOMEM;
	for (size_t k = 0; k < c->nconfigs; k++)
		add_largest(c, &of[k], gaps);
	free(gaps);
	return 0;
}

int fan_compare_judge(struct fan_comparison *c)
{
	double *p = calloc(c->nwork + 1, sizeof(*p));
	int e = p ? 0 : -ENOMEM;

	for (size_t i = 0; e == 0 && i < c->nwork; i++)
		e = judge_one(c, i);
	for (size_t i = 0, first; e == 0 && i < c->nwork; i++) {
		first = 0;
		while (!is_family(c, first, i))
			first++;
		if (first == i)
			e = adjust_family(c, i, p);
	}
	free(p);
	return e < 0 ? e : add_all_largest(c);
}
