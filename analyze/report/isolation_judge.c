// SPDX-License-Identifier: GPL-3.0-or-later
/* Are the VMs kept apart, and is it core scheduling that does it: a word and a sentence. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/report/assemble_isolation.h"

#define FAR_BELOW   10	 /* times less than by chance: that does not happen by itself */
#define NEAR_CHANCE 0.75 /* of the overlap by chance */
#define FEW	    10	 /* pairings, and times fewer than those */

static const char cannot_tell[] = "cannot_tell", not_applicable[] = "not_applicable";

const char *fan_level_word(enum fan_level level)
{
	static const char *const words[FAN_LEVELS] = { "vm", "guest", "cookie" };

	return words[level];
}

/* Word and sentence; of a sentence "head: why", why is the reason. */
__attribute__((format(printf, 4, 5))) static int answer(struct fan_r_isolation *iso,
							const char *word, const char *head,
							const char *fmt, ...)
{
	char *text = NULL, *sentence = NULL;
	va_list ap;
	int r = 0;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	if (!text || asprintf(&sentence, "%s%s", head, text) < 0) {
		free(text);
		return -ENOMEM;
	}
	iso->applicable = word != not_applicable;
	iso->verdict.word = word;
	iso->verdict.margin = iso->max_violation_pct;
	r = fan_str_set(&iso->sentence, sentence);
	if (r == 0 && *head)
		r = fan_str_set(&iso->reason, text);
	free(text);
	free(sentence);
	return r;
}

static int cannot(struct fan_r_isolation *iso, const char *why)
{
	return answer(iso, cannot_tell, "cannot tell: ", "%s", why);
}

static int not_so(struct fan_r_isolation *iso, const char *why)
{
	return answer(iso, not_applicable, "not applicable: ", "%s", why);
}

static const char *untold(const struct fan_isolation_evidence *e)
{
	return e->cookies == FAN_COOKIES_NOT_READABLE ? "cookies could not be read"
						      : "cookies are not told";
}

/* Is there something to be kept apart, and does the trace hold what is needed? 1: yes. */
static int is_judged(struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	int r = 1;

	if (e->knows_cores && !e->has_smt)
		r = not_so(iso, "no SMT");
	else if (e->lacks_cpus)
		r = cannot(iso, "the data of some CPUs are missing from the file");
	else if (e->vcpus == 0)
		r = cannot(iso, "no vCPU thread is seen");
	else if (e->between == FAN_LEVEL_COOKIE && e->cookies == FAN_COOKIES_ABSENT)
		r = not_so(iso, "this kernel is without core scheduling");
	else if (e->between == FAN_LEVEL_COOKIE && e->vcpus == 1)
		r = not_so(iso, "there is only one vCPU");
	else if (e->between != FAN_LEVEL_COOKIE && e->vms == 1)
		r = answer(iso, not_applicable, "not applicable: ", "only one of the %s has vCPUs",
			   e->noun);
	else if (!e->knows_cores)
		r = cannot(iso, "the trace does not say which CPUs are siblings; give --siblings");
	else if (!e->has_switches)
		r = cannot(iso, "the trace holds no sched_switch event");
	else if (!e->is_told && e->between == FAN_LEVEL_GUEST)
		r = cannot(iso, "the trace does not tell when vCPUs were in their guests");
	else if (!e->is_told)
		r = cannot(iso, untold(e));
	else if (e->skew_ns > iso->tolerance_ns)
		r = cannot(iso, "the clocks of the CPUs are apart by more than the tolerance");
	return r;
}

static double percent(double part, double whole)
{
	return part > 0 ? 100 * part / whole : 0;
}

bool fan_isolation_is_moments(const struct fan_r_isolation *iso,
			      const struct fan_isolation_evidence *e)
{
	const struct fan_r_mixing *m = &iso->judged;
	const int64_t bad = m->count + m->unresolved;
	const bool is_rare = m->pairings < FEW ? bad < 2 : bad * FEW <= m->pairings;

	return (e->cookies == FAN_COOKIES_APART || e->between == FAN_LEVEL_COOKIE) && is_rare &&
	       percent((double)(m->violation_ns + m->unresolved_ns), (double)e->used_ns) <=
		       iso->max_violation_pct;
}

/*
 * Which side of the limit it is on, as a share of co-run, whatever the CPUs ran of which that is
 * not known: 1 above, -1 below, 0 it depends. Where there was next to no co-run unknown time is set
 * against all time in which groups ran: else the first moments of a trace would decide.
 */
static int side_of_limit(const struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	const struct fan_r_mixing *m = &iso->judged;
	const double bad = (double)(m->violation_ns + m->unresolved_ns);
	const double possible = (double)m->possible_ns, co_run = (double)m->co_run_ns;
	const double all = fmax(co_run + possible, (double)e->used_ns);

	if (percent(bad, co_run) > iso->max_violation_pct && !fan_isolation_is_moments(iso, e))
		return percent(bad, co_run + possible) > iso->max_violation_pct;
	return percent(bad + possible, all) > iso->max_violation_pct ? 0 : -1;
}

/* Much less overlap than by chance, and CPUs that idled for it: something keeps them apart. */
static bool looks_like_it(const struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	const double pct = isnan(iso->judged.judged_pct) ? 0 : iso->judged.judged_pct;

	return e->are_vms && e->has_forced_idle && iso->expected_pct > 0 &&
	       pct * FAR_BELOW <= iso->expected_pct;
}

/* As much overlap as there is where nothing keeps them apart. */
static bool looks_like_chance(const struct fan_r_isolation *iso,
			      const struct fan_isolation_evidence *e)
{
	const struct fan_r_mixing *m = &iso->judged;
	const double all = (double)(m->violation_ns + m->transition_ns + m->unresolved_ns);
	const double expected = isnan(iso->expected_apart_pct) ? iso->expected_pct
							       : iso->expected_apart_pct;

	return e->are_vms && percent(all, (double)m->co_run_ns) >= NEAR_CHANCE * expected;
}

/* Cookies keep them apart, and nothing but the tolerance is exceeded. */
static bool is_just_slow(const struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	return (e->cookies == FAN_COOKIES_APART || e->between == FAN_LEVEL_COOKIE) &&
	       !(iso->judged.violation_pct > iso->max_violation_pct);
}

static int judge_shared(struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	static const char word[] = "shared";

	if (is_just_slow(iso, e))
		return answer(
			iso, word, "",
			"core scheduling acts too slowly: vCPUs that had to leave were not let "
			"in again, but stayed longer than the tolerance");
	if (e->between == FAN_LEVEL_COOKIE)
		return answer(iso, word, "",
			      "core scheduling is not acting: vCPUs with different cookies shared "
			      "cores");
	switch (e->cookies) {
	case FAN_COOKIES_ABSENT:
		return answer(iso, word, "",
			      "core scheduling is not acting: this kernel is without it");
	case FAN_COOKIES_NONE:
		return answer(iso, word, "", "core scheduling is not acting: no cookies set");
	case FAN_COOKIES_PARTLY:
		return answer(iso, word, "",
			      "core scheduling does not keep the %s apart: some vCPUs have no "
			      "cookie",
			      e->noun);
	case FAN_COOKIES_SHARED:
		return answer(iso, word, "",
			      "core scheduling does not keep the %s apart: some have the same "
			      "cookie",
			      e->noun);
	case FAN_COOKIES_APART:
		return answer(
			iso, word, "",
			"core scheduling is not acting: the %s shared cores although each has "
			"its own cookie",
			e->noun);
	default:
		if (looks_like_chance(iso, e))
			return answer(iso, word, "",
				      "core scheduling is not acting as far as the trace shows; %s",
				      untold(e));
		return answer(iso, word, "", "the %s shared cores; %s", e->noun, untold(e));
	}
}

static int judge_isolated(struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	static const char word[] = "isolated";

	if (e->between == FAN_LEVEL_COOKIE)
		return answer(iso, word, "", "core scheduling is acting");
	switch (e->cookies) {
	case FAN_COOKIES_ABSENT:
		return answer(iso, word, "",
			      "the %s were kept apart, but not by core scheduling: this kernel is "
			      "without it",
			      e->noun);
	case FAN_COOKIES_NONE:
		return answer(iso, word, "",
			      "the %s were kept apart, but not by core scheduling: no cookies set",
			      e->noun);
	case FAN_COOKIES_PARTLY:
		return answer(
			iso, word, "",
			"the %s were kept apart, but core scheduling does not assure it: some "
			"vCPUs have no cookie",
			e->noun);
	case FAN_COOKIES_SHARED:
		return answer(
			iso, word, "",
			"the %s were kept apart, but not by core scheduling: some have the same "
			"cookie",
			e->noun);
	case FAN_COOKIES_APART:
		return answer(iso, word, "", "core scheduling is acting");
	default:
		if (looks_like_it(iso, e))
			return answer(iso, word, "",
				      "core scheduling is acting as far as the trace shows; %s",
				      untold(e));
		return answer(iso, word, "", "the %s were kept apart; %s", e->noun, untold(e));
	}
}

static int judge_untested(struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	if (e->between == FAN_LEVEL_COOKIE)
		return answer(iso, "untested", "",
			      "not put to the test: no core was used by vCPUs with different "
			      "cookies");
	return answer(iso, "untested", "", "not put to the test: no core was used by two %s",
		      e->noun);
}

int fan_judge_isolation(struct fan_r_isolation *iso, const struct fan_isolation_evidence *e)
{
	int r = is_judged(iso, e);

	if (r <= 0)
		return r;
	r = side_of_limit(iso, e);
	if (r > 0)
		return judge_shared(iso, e);
	if (r == 0)
		return cannot(iso, "what CPUs ran is unknown for so long that it could turn the "
				   "answer");
	/* where nobody has a cookie, no two differ */
	if (!e->have_met || (e->between == FAN_LEVEL_COOKIE && e->cookies == FAN_COOKIES_NONE))
		return judge_untested(iso, e);
	return judge_isolated(iso, e);
}
