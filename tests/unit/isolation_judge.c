// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/isolation_judge.c: the verdict on isolation and its sentence, from evidence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/report/assemble_isolation.h"

#define MS 1000000LL
#define S  1000000000LL

/* Two VMs with two vCPUs each on cores with SMT, of which the trace tells all. */
static struct fan_isolation_evidence evidence(enum fan_cookies cookies)
{
	return (struct fan_isolation_evidence){ .between = FAN_LEVEL_VM,
						.cookies = cookies,
						.are_vms = true,
						.noun = "VMs",
						.has_switches = true,
						.knows_cores = true,
						.has_smt = true,
						.is_told = true,
						.vms = 2,
						.vcpus = 4,
						.have_met = true,
						.used_ns = (uint64_t)(12 * S) };
}

/* 10 s of co-run, of which so much is a violation. By chance it would be 50 %. */
static struct fan_r_isolation measured(int64_t violation_ns)
{
	struct fan_r_isolation iso;

	fan_tree_init(&iso, &fan_isolation_table);
	iso.tolerance_ns = 50000;
	iso.max_violation_pct = 1;
	iso.expected_pct = 50;
	iso.judged.co_run_ns = 10 * S;
	iso.judged.violation_ns = violation_ns;
	iso.judged.transition_ns = iso.judged.unresolved_ns = iso.judged.possible_ns = 0;
	iso.judged.pairings = 100;
	iso.judged.count = 50;
	iso.judged.unresolved = 0;
	iso.judged.violation_pct = iso.judged.judged_pct = (double)violation_ns / (10 * S) * 100;
	return iso;
}

static void judged_as(struct fan_r_isolation iso, struct fan_isolation_evidence e, const char *word,
		      const char *sentence)
{
	assert_int_equal(fan_judge_isolation(&iso, &e), 0);
	assert_string_equal(iso.verdict.word, word);
	assert_string_equal(iso.sentence, sentence);
	assert_true(iso.verdict.margin == iso.max_violation_pct);
	fan_tree_free(&iso, &fan_isolation_table);
}

/* Nothing can be said: the sentence is "cannot tell: " and the reason. */
static void open_as(struct fan_r_isolation iso, struct fan_isolation_evidence e, const char *reason)
{
	char sentence[200];

	snprintf(sentence, sizeof(sentence), "cannot tell: %s", reason);
	assert_int_equal(fan_judge_isolation(&iso, &e), 0);
	assert_string_equal(iso.verdict.word, "cannot_tell");
	assert_string_equal(iso.reason, reason);
	assert_string_equal(iso.sentence, sentence);
	assert_true(iso.applicable);
	fan_tree_free(&iso, &fan_isolation_table);
}

static void void_as(struct fan_isolation_evidence e, const char *reason)
{
	struct fan_r_isolation iso = measured(0);
	char sentence[200];

	snprintf(sentence, sizeof(sentence), "not applicable: %s", reason);
	assert_int_equal(fan_judge_isolation(&iso, &e), 0);
	assert_string_equal(iso.verdict.word, "not_applicable");
	assert_string_equal(iso.reason, reason);
	assert_string_equal(iso.sentence, sentence);
	assert_false(iso.applicable);
	fan_tree_free(&iso, &fan_isolation_table);
}

/* 101 ms of 10 s is 1.01 %. */
static void above_the_limit_the_sentence_says_why_by_the_cookies(void **state)
{
	const struct fan_r_isolation iso = measured(101 * MS);

	(void)state;
	judged_as(iso, evidence(FAN_COOKIES_NONE), "shared",
		  "core scheduling is not acting: no cookies set");
	judged_as(iso, evidence(FAN_COOKIES_ABSENT), "shared",
		  "core scheduling is not acting: this kernel is without it");
	judged_as(iso, evidence(FAN_COOKIES_SHARED), "shared",
		  "core scheduling does not keep the VMs apart: some have the same cookie");
	judged_as(iso, evidence(FAN_COOKIES_PARTLY), "shared",
		  "core scheduling does not keep the VMs apart: some vCPUs have no cookie");
	judged_as(iso, evidence(FAN_COOKIES_APART), "shared",
		  "core scheduling is not acting: the VMs shared cores although each has its own "
		  "cookie");
	judged_as(iso, evidence(FAN_COOKIES_NOT_TOLD), "shared",
		  "the VMs shared cores; cookies are not told");
	judged_as(iso, evidence(FAN_COOKIES_NOT_READABLE), "shared",
		  "the VMs shared cores; cookies could not be read");
}

/* 100 ms of 10 s is 1 %, which is not above 1 %. */
static void up_to_the_limit_it_is_isolated_but_not_always_by_core_scheduling(void **state)
{
	const struct fan_r_isolation iso = measured(100 * MS);

	(void)state;
	judged_as(iso, evidence(FAN_COOKIES_APART), "isolated", "core scheduling is acting");
	judged_as(iso, evidence(FAN_COOKIES_NONE), "isolated",
		  "the VMs were kept apart, but not by core scheduling: no cookies set");
	judged_as(iso, evidence(FAN_COOKIES_ABSENT), "isolated",
		  "the VMs were kept apart, but not by core scheduling: this kernel is without it");
	judged_as(iso, evidence(FAN_COOKIES_SHARED), "isolated",
		  "the VMs were kept apart, but not by core scheduling: some have the same cookie");
	judged_as(
		iso, evidence(FAN_COOKIES_PARTLY), "isolated",
		"the VMs were kept apart, but core scheduling does not assure it: some vCPUs have "
		"no cookie");
	judged_as(iso, evidence(FAN_COOKIES_NOT_TOLD), "isolated",
		  "the VMs were kept apart; cookies are not told");
}

/* 0.2 % is not more than a tenth of what chance would do, be that 50 or 2 %; 0.21 % of 2 % is. */
static void without_cookies_forced_idle_and_little_overlap_speak_for_it(void **state)
{
	static const char acting[] =
		"core scheduling is acting as far as the trace shows; cookies are not told";
	static const char apart[] = "the VMs were kept apart; cookies are not told";
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_NOT_TOLD);
	struct fan_r_isolation iso = measured(20 * MS);

	(void)state;
	judged_as(iso, e, "isolated", apart);
	e.has_forced_idle = true;
	judged_as(iso, e, "isolated", acting);
	iso.expected_pct = 2;
	judged_as(iso, e, "isolated", acting);
	iso = measured(21 * MS);
	iso.expected_pct = 2;
	judged_as(iso, e, "isolated", apart);
}

/* Of 50 % by chance three quarters are 37.5 %: 3.75 s of 10 s, whatever they count as. */
static void without_cookies_as_much_overlap_as_by_chance_speaks_against_it(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_NOT_TOLD);
	struct fan_r_isolation iso = measured(200 * MS);

	(void)state;
	iso.judged.transition_ns = 3550 * MS;
	judged_as(iso, evidence(FAN_COOKIES_NOT_TOLD), "shared",
		  "core scheduling is not acting as far as the trace shows; cookies are not told");
	iso.judged.transition_ns = 3549 * MS;
	judged_as(iso, evidence(FAN_COOKIES_NOT_TOLD), "shared",
		  "the VMs shared cores; cookies are not told");
	/* core scheduling is for VMs: threads of one name may share a core */
	e.are_vms = false;
	e.noun = "groups";
	iso.judged.transition_ns = 3550 * MS;
	judged_as(iso, e, "shared", "the groups shared cores; cookies are not told");
	/* where no vCPU can be beside itself chance does more */
	iso.judged.transition_ns = 3550 * MS;
	iso.expected_apart_pct = 60;
	judged_as(iso, evidence(FAN_COOKIES_NOT_TOLD), "shared",
		  "the VMs shared cores; cookies are not told");
}

static void unresolved_time_counts_against_isolation(void **state)
{
	struct fan_r_isolation iso = measured(60 * MS);

	(void)state;
	/* 60 + 41 ms: 1.01 % */
	iso.judged.unresolved_ns = 41 * MS;
	judged_as(iso, evidence(FAN_COOKIES_NONE), "shared",
		  "core scheduling is not acting: no cookies set");
	iso.judged.unresolved_ns = 40 * MS;
	judged_as(iso, evidence(FAN_COOKIES_APART), "isolated", "core scheduling is acting");
}

#define TURNS "what CPUs ran is unknown for so long that it could turn the answer"

/* Violations of 1 % are within the limit; it is what is unresolved that exceeds it. */
static void what_only_takes_too_long_is_not_called_inactive(void **state)
{
	static const char slow[] = "core scheduling acts too slowly: vCPUs that had to leave were "
				   "not let in again, but "
				   "stayed longer than the tolerance";
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_APART);
	struct fan_r_isolation iso = measured(100 * MS);

	(void)state;
	iso.judged.unresolved_ns = 1 * MS;
	judged_as(iso, e, "shared", slow);
	e.between = FAN_LEVEL_COOKIE;
	judged_as(iso, e, "shared", slow);
	judged_as(iso, evidence(FAN_COOKIES_NONE), "shared",
		  "core scheduling is not acting: no cookies set");
	iso = measured(101 * MS);
	iso.judged.unresolved_ns = 1 * MS;
	judged_as(iso, evidence(FAN_COOKIES_APART), "shared",
		  "core scheduling is not acting: the VMs shared cores although each has its own "
		  "cookie");
}

/*
 * Of 10 s 50 ms are violations. With 61 ms unknown it is up to 111 of 10061 ms or of the 12 s in
 * which VMs ran at all: below 1 %. With 71 ms it is 121 ms of 12 s: 1.01 %.
 */
static void unknown_time_may_not_turn_isolated_into_shared(void **state)
{
	struct fan_r_isolation iso = measured(50 * MS);

	(void)state;
	iso.judged.possible_ns = 61 * MS;
	judged_as(iso, evidence(FAN_COOKIES_APART), "isolated", "core scheduling is acting");
	iso.judged.possible_ns = 71 * MS;
	open_as(iso, evidence(FAN_COOKIES_APART), TURNS);
}

/* 110 ms of 10 s are 1.1 %; with 1 s unknown 110 of 11000 ms, which is not above 1 %. */
static void unknown_time_may_not_turn_shared_into_isolated(void **state)
{
	struct fan_r_isolation iso = measured(110 * MS);

	(void)state;
	iso.judged.possible_ns = 999 * MS;
	judged_as(iso, evidence(FAN_COOKIES_NONE), "shared",
		  "core scheduling is not acting: no cookies set");
	iso.judged.possible_ns = 1000 * MS;
	open_as(iso, evidence(FAN_COOKIES_NONE), TURNS);
}

/* Alternating VMs never run together; the first ms of a trace, before a switch, is unknown. */
static void without_any_co_run_a_little_unknown_time_does_not_matter(void **state)
{
	struct fan_r_isolation iso = measured(0);

	(void)state;
	iso.judged.co_run_ns = 0;
	iso.judged.judged_pct = iso.judged.violation_pct = NAN;
	iso.judged.possible_ns = 1 * MS;
	judged_as(iso, evidence(FAN_COOKIES_APART), "isolated", "core scheduling is acting");
	/* above 1 % of 12 s */
	iso.judged.possible_ns = 121 * MS;
	open_as(iso, evidence(FAN_COOKIES_APART), TURNS);
}

static void vms_that_never_met_put_nothing_to_the_test(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_APART);

	(void)state;
	e.have_met = false;
	judged_as(measured(0), e, "untested", "not put to the test: no core was used by two VMs");
	e.noun = "groups";
	judged_as(measured(0), e, "untested",
		  "not put to the test: no core was used by two groups");
	e.between = FAN_LEVEL_COOKIE;
	judged_as(measured(0), e, "untested",
		  "not put to the test: no core was used by vCPUs with different cookies");
}

static void cookies_that_differ_are_judged_for_themselves(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_APART);

	(void)state;
	e.between = FAN_LEVEL_COOKIE;
	judged_as(measured(101 * MS), e, "shared",
		  "core scheduling is not acting: vCPUs with different cookies shared cores");
	judged_as(measured(0), e, "isolated", "core scheduling is acting");
}

static void where_nothing_is_to_be_kept_apart_it_does_not_apply(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_APART);

	(void)state;
	e.has_smt = false;
	void_as(e, "no SMT");
	e.has_smt = true;
	e.vms = 1;
	void_as(e, "only one of the VMs has vCPUs");
	/* vCPUs of one VM may have cookies of their own */
	e.between = FAN_LEVEL_COOKIE;
	judged_as(measured(0), e, "isolated", "core scheduling is acting");
	e.vcpus = 1;
	void_as(e, "there is only one vCPU");
	e = evidence(FAN_COOKIES_ABSENT);
	e.between = FAN_LEVEL_COOKIE;
	void_as(e, "this kernel is without core scheduling");
}

static void what_the_trace_lacks_is_said(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_NOT_TOLD);

	(void)state;
	e.vcpus = e.vms = 0;
	open_as(measured(0), e, "no vCPU thread is seen");
	e = evidence(FAN_COOKIES_NOT_TOLD);
	e.knows_cores = e.has_smt = false;
	open_as(measured(0), e, "the trace does not say which CPUs are siblings; give --siblings");
	e = evidence(FAN_COOKIES_NOT_TOLD);
	e.has_switches = false;
	open_as(measured(0), e, "the trace holds no sched_switch event");
	e = evidence(FAN_COOKIES_NOT_TOLD);
	e.is_told = false;
	e.between = FAN_LEVEL_GUEST;
	open_as(measured(0), e, "the trace does not tell when vCPUs were in their guests");
	e.between = FAN_LEVEL_COOKIE;
	open_as(measured(0), e, "cookies are not told");
	e.cookies = FAN_COOKIES_NOT_READABLE;
	open_as(measured(0), e, "cookies could not be read");
}

/* The tolerance is 50 us. */
static void clocks_that_are_farther_apart_than_the_tolerance_tell_nothing(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_NONE);

	(void)state;
	e.skew_ns = 50000;
	judged_as(measured(5 * S), e, "shared", "core scheduling is not acting: no cookies set");
	e.skew_ns = 50001;
	open_as(measured(5 * S), e, "the clocks of the CPUs are apart by more than the tolerance");
}

/*
 * With cookies apart 8 ms of co-run, of them 4 ms let in again: 50 % of co-run, but 4 ms of 12 s is
 * 0.03 %. One of nine pairings, or two of twenty: rare. Without cookies, or more often, it is not.
 */
static void moments_of_changing_over_are_no_measure(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_APART);
	struct fan_r_isolation iso = measured(4 * MS);

	(void)state;
	iso.judged.co_run_ns = 8 * MS;
	iso.judged.violation_pct = iso.judged.judged_pct = 50;
	iso.judged.count = 1;
	iso.judged.unresolved = 0;
	iso.judged.pairings = 9;
	judged_as(iso, e, "isolated", "core scheduling is acting");
	iso.judged.count = 2;
	judged_as(iso, e, "shared",
		  "core scheduling is not acting: the VMs shared cores although each has its own "
		  "cookie");
	iso.judged.pairings = 20;
	judged_as(iso, e, "isolated", "core scheduling is acting");
	iso.judged.unresolved = 1;
	judged_as(iso, e, "shared",
		  "core scheduling is not acting: the VMs shared cores although each has its own "
		  "cookie");
	iso.judged.unresolved = 0;
	/* 1.01 % of the time in which they ran */
	e.used_ns = 396 * MS;
	judged_as(iso, e, "shared",
		  "core scheduling is not acting: the VMs shared cores although each has its own "
		  "cookie");
	e = evidence(FAN_COOKIES_NONE);
	judged_as(iso, e, "shared", "core scheduling is not acting: no cookies set");
}

/* VMs used one core, but between cookies of which there are none nothing was at stake. */
static void without_cookies_their_level_is_not_put_to_the_test(void **state)
{
	struct fan_isolation_evidence e = evidence(FAN_COOKIES_NONE);

	(void)state;
	e.between = FAN_LEVEL_COOKIE;
	judged_as(measured(0), e, "untested",
		  "not put to the test: no core was used by vCPUs with different cookies");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(above_the_limit_the_sentence_says_why_by_the_cookies),
		cmocka_unit_test(up_to_the_limit_it_is_isolated_but_not_always_by_core_scheduling),
		cmocka_unit_test(without_cookies_forced_idle_and_little_overlap_speak_for_it),
		cmocka_unit_test(without_cookies_as_much_overlap_as_by_chance_speaks_against_it),
		cmocka_unit_test(unresolved_time_counts_against_isolation),
		cmocka_unit_test(what_only_takes_too_long_is_not_called_inactive),
		cmocka_unit_test(unknown_time_may_not_turn_isolated_into_shared),
		cmocka_unit_test(unknown_time_may_not_turn_shared_into_isolated),
		cmocka_unit_test(without_any_co_run_a_little_unknown_time_does_not_matter),
		cmocka_unit_test(vms_that_never_met_put_nothing_to_the_test),
		cmocka_unit_test(cookies_that_differ_are_judged_for_themselves),
		cmocka_unit_test(where_nothing_is_to_be_kept_apart_it_does_not_apply),
		cmocka_unit_test(what_the_trace_lacks_is_said),
		cmocka_unit_test(clocks_that_are_farther_apart_than_the_tolerance_tell_nothing),
		cmocka_unit_test(without_cookies_their_level_is_not_put_to_the_test),
		cmocka_unit_test(moments_of_changing_over_are_no_measure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
