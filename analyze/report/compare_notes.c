// SPDX-License-Identifier: GPL-3.0-or-later
/* What has to be known to read a comparison: of its runs, and of its gaps. */
#include "analyze/report/compare_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/words.h"
#include "analyze/stats/fieller.h"
#include "analyze/stats/order.h"
#include "analyze/stats/ranks.h"

#define NAMED	 3 /* runs or gaps that a note names; the rest is counted */
#define FEW_RUNS 5 /* from which on a configuration has no longer few */

/* Names of runs for a note, "a.dat, b.dat and 7 more". */
struct names {
	char text[400];
	size_t n;
};

static void add_name(struct names *list, const char *name)
{
	const size_t at = strlen(list->text);

	if (list->n++ < NAMED)
		snprintf(list->text + at, sizeof(list->text) - at, "%s%.100s", at ? ", " : "",
			 name ? name : "a run");
}

static void end_names(struct names *list)
{
	const size_t at = strlen(list->text);

	if (list->n > NAMED)
		snprintf(list->text + at, sizeof(list->text) - at, " and %zu more",
			 list->n - NAMED);
}

/* "off has 3 runs, on has 4 runs", of the configurations with so many; to be freed; NULL: none. */
static int list_numbers(const struct fan_comparison *c, size_t least, size_t most, char **ret)
{
	struct fan_strs list = { 0 };
	int e = 0;

	*ret = NULL;
	for (size_t k = 0; e == 0 && k < c->nconfigs; k++) {
		const size_t n = fan_runs_of(c, k);

		if (n == 1 && least == 1)
			e = fan_strs_add(&list, "%s has one run", c->configs[k]);
		else if (n >= least && n <= most)
			e = fan_strs_add(&list, "%s has %zu runs", c->configs[k], n);
	}
	if (e == 0 && list.n) {
		*ret = fan_join(&list, ", ");
		e = *ret ? 0 : -ENOMEM;
	}
	fan_strs_free(&list);
	return e;
}

static int note_numbers(struct fan_comparison *c)
{
	struct fan_strs *notes = &c->tree->notes;
	char *one = NULL, *few = NULL;
	int e = 0;

	if (c->nconfigs == 1)
		e = fan_strs_add(notes,
				 "there is one configuration, %s: nothing to compare it with",
				 c->configs[0]);
	if (e == 0)
		e = list_numbers(c, 1, 1, &one);
	if (e == 0)
		e = list_numbers(c, 2, FEW_RUNS - 1, &few);
	if (e == 0 && one)
		e = fan_strs_add(notes,
				 "%s: it says nothing of other runs, so there is no interval over "
				 "runs; two give one, five or more of each configuration, in "
				 "turns, make a verdict",
				 one);
	if (e == 0 && few)
		e = fan_strs_add(notes,
				 "%s: with fewer than five of each configuration intervals are "
				 "wide and rare bad runs unseen",
				 few);
	free(one);
	free(few);
	return e;
}

/* Which runs of a configuration lack a VM that others have. */
static int note_missing(struct fan_comparison *c, size_t config, size_t vm)
{
	struct names lack = { "", 0 };

	for (size_t i = c->first[config]; i < c->first[config + 1]; i++)
		if (!fan_run_has(c, i, vm))
			add_name(&lack, c->runs[i].name);
	end_names(&lack);
	if (lack.n == 0)
		return 0;
	if (lack.n == fan_runs_of(c, config))
		return fan_strs_add(&c->tree->notes,
				    "%s is in no run of %s: nothing there can be compared with it, "
				    "and there are no totals",
				    c->vms[vm], c->configs[config]);
	return fan_strs_add(
		&c->tree->notes,
		"%s is missing in %zu of %zu runs of %s (%s): they are in no gap "
		"between it and another VM and in no total, but in the other VMs' means",
		c->vms[vm], lack.n, fan_runs_of(c, config), c->configs[config], lack.text);
}

/* Runs that lack a score which others of the same VM have, or have it in another unit, or of 0. */
static int note_scores(struct fan_comparison *c, size_t vm)
{
	struct names none = { "", 0 }, zero = { "", 0 };
	struct fan_strs *notes = &c->tree->notes;
	int e = 0;

	for (size_t i = 0; i < c->nruns && c->units[vm]; i++) {
		const double score = fan_value_of(c, i, vm, FAN_Q_SCORE);

		if (fan_run_has(c, i, vm) && isnan(score))
			add_name(&none, c->runs[i].name);
		if (score == 0)
			add_name(&zero, c->runs[i].name);
	}
	end_names(&none);
	end_names(&zero);
	if (none.n)
		e = fan_strs_add(notes, "%s has no score in %s in %zu of the runs (%s)", c->vms[vm],
				 c->units[vm], none.n, none.text);
	if (e == 0 && zero.n)
		e = fan_strs_add(notes,
				 "a score of 0 has no logarithm: no gap of %s in %s; its means are "
				 "in the table",
				 c->vms[vm], zero.text);
	return e;
}

static int note_vms(struct fan_comparison *c)
{
	struct fan_strs *notes = &c->tree->notes;
	bool has_scores = false;
	int e = 0;

	for (size_t v = 0; e == 0 && v < c->nvms; v++) {
		for (size_t k = 0; e == 0 && k < c->nconfigs; k++)
			e = note_missing(c, k, v);
		if (e == 0)
			e = note_scores(c, v);
		has_scores |= c->units[v] != NULL;
	}
	if (e == 0 && !has_scores)
		e = fan_strs_add(notes, "no score and no work was told: gaps between VMs are of "
					"CPU time, and what the VMs did with it is not known");
	else if (e == 0 && c->nvms > 1 && !fan_has_one_unit(c))
		e = fan_strs_add(notes, "not all VMs have a score in the same unit: there is no "
					"total of scores");
	if (e == 0 && c->nvms > FAN_PAIR_VMS)
		e = fan_strs_add(notes, "%zu VMs are too many to compare two by two", c->nvms);
	return e;
}

/* Each doubt once, with the runs that have it. */
static int note_doubts(struct fan_comparison *c)
{
	struct fan_strs seen = { 0 };
	int e = 0;

	for (size_t i = 0; e == 0 && i < c->nruns; i++)
		for (size_t k = 0; e == 0 && k < c->runs[i].doubts.n; k++) {
			const char *doubt = c->runs[i].doubts.items[k];
			struct names who = { "", 0 };
			bool is_new = true;

			for (size_t s = 0; s < seen.n; s++)
				is_new &= strcmp(seen.items[s], doubt) != 0;
			if (!is_new)
				continue;
			for (size_t r = i; r < c->nruns; r++)
				for (size_t d = 0; d < c->runs[r].doubts.n; d++)
					if (strcmp(c->runs[r].doubts.items[d], doubt) == 0)
						add_name(&who, c->runs[r].name);
			end_names(&who);
			e = fan_strs_add(&seen, "%s", doubt);
			if (e == 0)
				e = fan_strs_add(&c->tree->notes, "in %zu of %zu runs (%s): %s",
						 who.n, c->nruns, who.text, fan_flag_words(doubt));
		}
	fan_strs_free(&seen);
	return e;
}

static int note_lengths(struct fan_comparison *c)
{
	double *length = calloc(c->nruns, sizeof(*length));
	size_t n = 0;
	int e = 0;

	if (!length)
		return -ENOMEM;
	for (size_t i = 0; i < c->nruns; i++)
		if (c->runs[i].length_s > 0)
			length[n++] = c->runs[i].length_s;
	if (fan_lengths_differ(length, n))
		e = fan_strs_add(&c->tree->notes, "the longest run is more than 20 %% longer than "
						  "the shortest; each run counts the same");
	free(length);
	return e;
}

static int note_order(struct fan_comparison *c)
{
	const struct fan_c_gap *gap = c->tree->gaps.items;
	struct fan_strs *notes = &c->tree->notes;
	bool is_confounded = false, drifts = false;

	if (c->nconfigs < 2 || c->nblocks)
		return 0;
	if (!c->has_order)
		return fan_strs_add(
			notes, "the order of the runs is not known: a drift over time would "
			       "look like a change; take turns (off, on, on, off), and tell it "
			       "with --label order=N when recording");
	for (size_t i = 0; i < c->tree->gaps.n; i++) {
		is_confounded |= (gap[i].est.flags & FAN_EST_CONFOUNDED) != 0;
		drifts |= (gap[i].est.flags & FAN_EST_DRIFT_OVER_RUNS) != 0;
	}
	if (is_confounded &&
	    fan_strs_add(notes, "all runs of one configuration were made before all of the other: "
				"its change cannot be told from one over time; take turns (off, "
				"on, on, off)") < 0)
		return -ENOMEM;
	return drifts ? fan_strs_add(notes, "values follow the order in which the runs were made")
		      : 0;
}

static int note_blocks(struct fan_comparison *c)
{
	struct names lack = { "", 0 };

	for (size_t b = 0; b < c->nblocks; b++) {
		size_t runs = 0;

		for (size_t i = 0; i < c->nruns; i++)
			runs += strcmp(c->runs[i].block, c->blocks[b]) == 0;
		if (runs < c->nconfigs)
			add_name(&lack, c->blocks[b]);
	}
	end_names(&lack);
	return lack.n ? fan_strs_add(&c->tree->notes,
				     "%zu of %zu blocks lack a run of some configuration (%s) and "
				     "are in no change of it",
				     lack.n, c->nblocks, lack.text)
		      : 0;
}

/* "coresched_change of vm1 (on over off)" */
static void add_gap(struct names *list, const struct fan_c_gap *g)
{
	char name[100];

	snprintf(name, sizeof(name), "%s%s%.25s (%.15s over %.15s)", g->name,
		 g->per	     ? " of "
		 : g->config ? " in "
			     : "",
		 g->per	     ? g->per
		 : g->config ? g->config
			     : "",
		 g->a, g->b);
	add_name(list, name);
}

static bool is_gap_skewed(const struct fan_comparison *c, size_t i)
{
	const struct fan_c_gap *gap = (const struct fan_c_gap *)c->tree->gaps.items + i;
	const struct fan_fieller ratio = { .est = gap->second };

	return c->work[i].is_log && gap->second.unit && strcmp(gap->second.unit, "ratio") == 0 &&
	       fan_is_skewed(&c->work[i].est, &ratio);
}

/* One note for all gaps of which it is true. */
static int note_doubtful_gaps(struct fan_comparison *c)
{
	const double alpha = 1 - c->options->level;
	const struct fan_c_gap *gap = c->tree->gaps.items;
	struct fan_strs *notes = &c->tree->notes;
	struct names disagree = { "", 0 }, skewed = { "", 0 };
	int e = 0;

	for (size_t i = 0; i < c->tree->gaps.n; i++) {
		/* a rank test that cannot reach the level tells nothing by not doing so */
		if (!(gap[i].p_min > alpha) &&
		    fan_tests_disagree(gap[i].p, gap[i].p_rank, c->options->level))
			add_gap(&disagree, &gap[i]);
		if (is_gap_skewed(c, i))
			add_gap(&skewed, &gap[i]);
	}
	end_names(&disagree);
	end_names(&skewed);
	if (disagree.n)
		e = fan_strs_add(notes,
				 "the t test and the rank test disagree; look at the runs: %s",
				 disagree.text);
	if (e == 0 && skewed.n)
		e = fan_strs_add(notes,
				 "skewed, ratios of arithmetic and geometric means are apart: %s",
				 skewed.text);
	return e;
}

static int note_gaps(struct fan_comparison *c)
{
	const struct fan_c_gap *gap = c->tree->gaps.items;
	struct fan_strs *notes = &c->tree->notes;
	bool explores = false, cannot_reach = false;
	int e = note_doubtful_gaps(c);

	for (size_t i = 0; i < c->tree->gaps.n; i++) {
		explores |= gap[i].est.m > FAN_FAMILY;
		cannot_reach |= gap[i].p_min > 1 - c->options->level;
	}
	if (e == 0 && cannot_reach)
		e = fan_strs_add(notes, "with so few runs no rank test can reach a p of %.2g",
				 1 - c->options->level);
	if (e == 0 && explores)
		e = fan_strs_add(notes,
				 "more than %d gaps of one name: their adjusted p only "
				 "explores (Benjamini and Hochberg)",
				 FAN_FAMILY);
	return e;
}

int fan_compare_notes(struct fan_comparison *c)
{
	int (*const all[])(struct fan_comparison *) = {
		note_numbers, note_order,  note_blocks,		 note_vms,
		note_lengths, note_doubts, fan_compare_settings, note_gaps,
	};
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(all) / sizeof(all[0]); i++)
		e = all[i](c);
	return e;
}
