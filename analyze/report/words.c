// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens to words, and the answer that a text report begins with. */
#include "analyze/report/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct words {
	const char *token, *words;
};

static const char *look_up(const struct words *list, const char *token)
{
	for (; list->token; list++)
		if (strcmp(list->token, token) == 0)
			return list->words;
	return token;
}

static const struct words *flag_list(void)
{
	static const struct words list[] = {
		{ "not_contended", "the groups were due less CPU time than there was: this load "
				   "does not test fairness" },
		{ "short_overlap", "all groups ran together for less than half of the time" },
		{ "no_overlap", "the groups never all ran at the same time: shares are over the "
				"whole period" },
		{ "weights_assumed", "the trace tells of no cgroups: what was due is by the "
				     "threads' nice values alone" },
		{ "entitlement_approximate", "cpusets overlap in part: what was due is "
					     "approximate" },
		{ "demand_averaged", "so many combinations of threads wanted to run that what was "
				     "due is by their mean numbers in each millisecond" },
		{ "vm_identity_unknown", "the trace does not say which vCPUs are one VM" },
		{ "upper_bound", "its forced idle is an upper bound, since cookies are unknown" },
		{ "host_steal_inconsistent", "the host's own counters add up to more than the time "
					     "that passed: what was stolen from it is not known" },
		{ "no_time", "the stamps of the trace are no time: nothing in it has a length" },
		{ "scope_command", "only the command's own threads were recorded: whom they waited "
				   "for, lag, forced idle, isolation and gaps are not known" },
		{ "no_such_group", "no group has this name, so no CPU time belongs to it" },
		{ "not_placed_in_time", "when it was done is not known: the total is of the whole "
					"recording" },
		{ "begin_unknown", "a line without its begin is left out" },
		{ "degraded", "the trace is degraded" },
		{ "cannot_tell", "too much of the trace is lost or unknown: nothing of it is used "
				 "but what the VMs told themselves" },
		{ "stamped_on_arrival", "work was stamped when it arrived, not when it was done" },
		{ NULL, NULL },
	};

	return list;
}

const char *fan_flag_words(const char *flag)
{
	return look_up(flag_list(), flag);
}

const char *fan_flag_name(size_t i)
{
	return flag_list()[i].token;
}

const char *fan_closure_words(const char *closure)
{
	static const struct words list[] = {
		{ "closed", "closed: the waits in the trace add up to the kernel's own counter" },
		{ "open", "open: the waits in the trace and the kernel's counter disagree; do not "
			  "rely on either before the cause is known" },
		{ "too_few", "too_few: fewer than 50 comparable intervals, or under half of them: "
			     "that trace and counter agree is not shown" },
		{ "none", "none: the trace holds no samples of the counter; record it with fcap" },
		{ NULL, NULL },
	};

	return look_up(list, closure);
}

char *fan_est_words(uint32_t flags)
{
	static const char *const words[] = {
		"fewer than 20 windows",
		"zero variance",
		"approximate interval",
		"one run",
		"nonstationary",
		"a level shift within the run",
		"a slow drift within the run",
		"batch means give another interval",
		"unequal windows move the estimate",
		"no work at all",
		"no windows",
		"windows of unequal work",
		"windows without any work",
		"one run says nothing of others",
		"few runs",
		"the interval reaches below 0",
		"the interval reaches above 100",
		"a share of 0",
		"a share of 100",
		"zero variance on one side",
		"a score of 0",
		"missing values",
		"the ratio is bounded on neither side of zero",
		"the ratio is not bounded",
		"none or all: a one-sided bound",
		"too few windows for this quantile",
		"picked as the largest",
		"a single group",
		"a group got nothing",
		"one configuration ran before the other",
		"a drift over the runs",
	};
	char *ret = NULL;
	size_t size;
	FILE *f;

	_Static_assert(sizeof(words) / sizeof(words[0]) == FAN_EST_FLAGS, "a clause a flag");
	f = open_memstream(&ret, &size);
	if (!f)
		return NULL;
	for (unsigned int i = 0; i < FAN_EST_FLAGS; i++)
		if (flags & 1U << i)
			fprintf(f, "%s%s", ftell(f) > 0 ? ", " : "", words[i]);
	if (fclose(f) == EOF) {
		free(ret);
		return NULL;
	}
	return ret;
}

char *fan_join(const struct fan_strs *strs, const char *separator)
{
	char *ret = NULL;
	size_t size;
	FILE *f = open_memstream(&ret, &size);

	if (!f)
		return NULL;
	for (size_t i = 0; i < strs->n; i++)
		fprintf(f, "%s%s", i > 0 ? separator : "", strs->items[i]);
	if (fclose(f) == EOF) {
		free(ret);
		return NULL;
	}
	return ret;
}

/* Verdict words from the one that matters most to the one that matters least; NULL: none. */
static const char *const by_weight[] = { "unfair", "off", "inconclusive", NULL, "fair" };
#define WORDS (sizeof(by_weight) / sizeof(by_weight[0]))

/* A word that is not in the list ranks as none. */
static size_t word_rank(const char *word)
{
	for (size_t i = 0; word && i < WORDS; i++)
		if (by_weight[i] && strcmp(by_weight[i], word) == 0)
			return i;
	return 3;
}

/* The group to name: the weightiest word, and there the one that is most short of its due. */
static const struct fan_r_group *pick_headline(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items, *ret = &g[0];

	for (size_t i = 1; i < groups->n; i++) {
		const size_t best = word_rank(ret->verdict.word);
		const size_t rank = word_rank(g[i].verdict.word);

		if (rank < best || (rank == best && g[i].deviation.value < ret->deviation.value))
			ret = &g[i];
	}
	return ret;
}

const char *fan_group_noun(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (!g[i].kind || strcmp(g[i].kind, "vm") != 0)
			return "groups";
	return "VMs";
}

bool fan_tells_run(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (g[i].run_ns != FAN_NONE)
			return true;
	return false;
}

bool fan_has_vcpus(const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	for (size_t i = 0; i < groups->n; i++)
		if (g[i].vcpus > 0)
			return true;
	return false;
}

/* "fair within 3 points", "off, whether by more than 3 points is open": from word and margin; "no
 * verdict" without a word. */
static void format_verdict(const struct fan_verdict_text *verdict, char *ret, size_t size)
{
	static const char *const how[WORDS] = { " by more than", ", whether by more than",
						" at a margin of", "", " within" };
	const size_t rank = word_rank(verdict->word);

	if (!verdict->word)
		snprintf(ret, size, "no verdict");
	else if (isnan(verdict->margin) || !*how[rank])
		snprintf(ret, size, "%s", verdict->word);
	else
		snprintf(ret, size, "%s%s %g points%s", verdict->word, how[rank], verdict->margin,
			 strcmp(verdict->word, "off") == 0 ? " is open" : "");
}

static void print_headline(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = pick_headline(&r->groups);
	const struct fan_interval in = { g->share.lo, g->share.hi };
	const int decimals = fan_interval_decimals(g->share.value, in);
	/* why it is only indicative stands below the table; why there is none is the answer */
	char *doubt = g->verdict.word ? strdup(g->verdict.indicative ? "indicative" : "")
				      : fan_join(&g->verdict.reasons, ", ");
	char words[80], got[80] = "an unknown part", due[80] = "; what was due is not known";

	if (!doubt) {
		p->r = -ENOMEM;
		return;
	}
	format_verdict(&g->verdict, words, sizeof(words));
	if (!isnan(g->share.value))
		snprintf(got, sizeof(got), "%.*f %%", decimals, g->share.value);
	if (!isnan(g->expected_pct))
		snprintf(due, sizeof(due), " where %.*f %% was due", decimals, g->expected_pct);
	fan_print_strong(p, words, fan_mark_of_word(g->verdict.word));
	fan_print_para(p, 0, "%s got %s of the %s' CPU time%s: %s%s%s%s.", g->name ? g->name : "-",
		       got, fan_group_noun(&r->groups), due, words, *doubt ? " (" : "", doubt,
		       *doubt ? ")" : "");
	free(doubt);
}

/* "Of the 5 VMs: 1 unfair, 4 fair."; nothing for two that share one word. */
static void print_tally(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;
	size_t count[WORDS] = { 0 };
	char text[160];
	size_t at = 0;

	for (size_t i = 0; i < groups->n; i++)
		count[word_rank(g[i].verdict.word)]++;
	if (groups->n == 2 && count[word_rank(g[0].verdict.word)] == 2)
		return;
	for (size_t i = 0; i < WORDS; i++)
		if (count[i] > 0)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%zu %s",
					       at > 0 ? ", " : "", count[i],
					       by_weight[i] ? by_weight[i] : "without a verdict");
	fan_print_para(p, 0, "Of the %zu %s: %s.", groups->n, fan_group_noun(groups), text);
}

void fan_print_answer(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	const char *quality = r->quality.verdict ? r->quality.verdict : "";

	if (r->groups.n == 0)
		fan_print_para(p, 0, "No answer: the trace shows no group of threads to judge.");
	else if (strcmp(quality, "cannot_tell") == 0 && !fan_tells_run(&r->groups))
		fan_print_para(p, 0,
			       "No answer: the trace does not tell who ran and who waited (see "
			       "Quality below). What it tells of the %s follows.",
			       fan_group_noun(&r->groups));
	else if (strcmp(quality, "cannot_tell") == 0)
		fan_print_para(p, 0,
			       "No answer: too much of the trace is lost or unknown (see "
			       "Quality below).");
	else if (r->groups.n == 1)
		fan_print_para(p, 0, "No answer: %s is the only group, so nothing was shared.",
			       g->name ? g->name : "-");
	else {
		print_headline(r, p);
		print_tally(&r->groups, p);
	}
	if (strcmp(quality, "degraded") == 0)
		fan_print_para(p, 0, "The trace is degraded (see Quality below).");
	for (size_t i = 0; i < r->flags.n; i++)
		fan_print_para(p, 2, "- %s", fan_flag_words(r->flags.items[i]));
	for (size_t i = 0; i < r->host.notes.n; i++)
		fan_print_para(p, 2, "- %s", r->host.notes.items[i]);
}
