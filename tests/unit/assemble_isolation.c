// SPDX-License-Identifier: GPL-3.0-or-later
/* Who shared a core with whom, from a trace to the result tree; numbers by hand. */
#include "tests/unit/audited.h"

static void assert_mixing(const struct fan_r_mixing *m)
{
	assert_int_equal(m->co_run_ns, 41 * MODELLED_MS);
	assert_int_equal(m->violation_ns, 20 * MODELLED_MS);
	assert_int_equal(m->transition_ns, 1 * MODELLED_MS);
	assert_int_equal(m->unresolved_ns, 20 * MODELLED_MS);
	assert_int_equal(m->possible_ns, 0);
	assert_near(m->violation_pct, 100 * 20.0 / 41, 1e-9);
	assert_near(m->judged_pct, 100 * 40.0 / 41, 1e-9);
	assert_int_equal(m->count, 1);
	assert_int_equal(m->unresolved, 1);
	assert_int_equal(m->pairings, 2);
	assert_int_equal(m->longest_ns, 20 * MODELLED_MS);
}

static void what_was_shared_is_told_to_the_nanosecond(void **state)
{
	struct fan_report r = audited(two_pairings());
	const struct fan_r_isolation *iso = &r.isolation;
	const struct fan_r_mixing *levels = iso->levels.items;

	(void)state;
	assert_true(iso->applicable);
	assert_null(iso->reason);
	assert_mixing(&iso->judged);
	assert_int_equal(iso->levels.n, 3);
	assert_string_equal(levels[0].level, "vm");
	assert_mixing(&levels[0]);
	assert_int_equal(iso->tolerance_ns, 50000);
	/* of 141 ms: 1 - (60^2 + 81^2) / 141^2; with a thread a VM they cannot but differ */
	assert_near(iso->expected_pct, 100 * (1 - (3600.0 + 6561) / 19881), 1e-9);
	assert_near(iso->expected_apart_pct, 100, 1e-9);
	assert_string_equal(iso->verdict.word, "shared");
	assert_int_equal(r.source.first_ns, MODELLED_BASE);
	fan_report_free(&r);
}

/* No exits, so no time in guests; no cookies: not told, which is not 0. */
static void levels_that_are_not_told_have_no_numbers(void **state)
{
	struct fan_report r = audited(two_pairings());
	const struct fan_r_mixing *levels = r.isolation.levels.items;

	(void)state;
	for (int i = 1; i < 3; i++) {
		assert_string_equal(levels[i].level, i == 1 ? "guest" : "cookie");
		assert_int_equal(levels[i].co_run_ns, FAN_NONE);
		assert_int_equal(levels[i].count, FAN_NONE);
		assert_true(isnan(levels[i].judged_pct));
	}
	assert_string_equal(r.isolation.cookies, "not told");
	fan_report_free(&r);
}

static void pairs_first_ones_and_lengths_are_those_of_the_trace(void **state)
{
	struct fan_report r = audited(two_pairings());
	const struct fan_r_mixed_pair *pair = r.isolation.pairs.items;
	const struct fan_r_mixed *first = r.isolation.first.items;
	const struct fan_r_bucket *bucket = r.isolation.histogram.items;

	(void)state;
	assert_int_equal(r.isolation.pairs.n, 1);
	assert_string_equal(pair->a, "green");
	assert_string_equal(pair->b, "blue");
	assert_int_equal(pair->total_ns, 20 * MODELLED_MS);
	assert_int_equal(pair->transition_ns, 1 * MODELLED_MS);
	assert_int_equal(pair->unresolved_ns, 20 * MODELLED_MS);
	assert_int_equal(pair->count, 1);
	assert_int_equal(pair->unresolved, 1);
	assert_int_equal(r.isolation.first.n, 2);
	assert_int_equal(first[0].ts_ns, 11 * MODELLED_MS);
	assert_int_equal(first[0].ns, 20 * MODELLED_MS);
	assert_string_equal(first[0].kind, "violation");
	assert_int_equal(first[0].cpu_a, 0);
	assert_int_equal(first[0].tid_a, a.tid);
	assert_int_equal(first[0].cpu_b, 1);
	assert_int_equal(first[0].tid_b, b.tid);
	assert_int_equal(first[1].ts_ns, 40 * MODELLED_MS);
	assert_string_equal(first[1].kind, "unresolved");
	assert_int_equal(r.isolation.histogram.n, 1);
	assert_int_equal(bucket->from_ns, 20 * MODELLED_MS);
	assert_int_equal(bucket->to_ns, 50 * MODELLED_MS);
	assert_int_equal(bucket->count, 1);
	fan_report_free(&r);
}

static void what_a_core_did_adds_up_to_its_time(void **state)
{
	struct fan_report r = audited(two_pairings());
	const struct fan_r_core *core = r.isolation.cores.items;
	const struct fan_r_amount *vm = core->vms.items;

	(void)state;
	assert_int_equal(r.isolation.cores.n, 1);
	assert_int_equal(core->cpus.n, 2);
	assert_int_equal(core->cpus.items[1], 1);
	assert_int_equal(core->idle_ns, 0);
	assert_int_equal(core->kernel_ns, 0);
	assert_int_equal(core->beside_ns, 10 * MODELLED_MS);
	assert_int_equal(core->mixed_ns, 41 * MODELLED_MS);
	assert_int_equal(core->other_ns, 0);
	assert_int_equal(core->unknown_ns, 0);
	/* no wake-up is seen: who waited is not known */
	assert_int_equal(core->forced_idle_ns, FAN_NONE);
	assert_int_equal(core->vms.n, 2);
	assert_string_equal(vm[0].name, "green");
	assert_int_equal(vm[0].ns, 9 * MODELLED_MS);
	assert_string_equal(vm[1].name, "blue");
	assert_int_equal(vm[1].ns, 40 * MODELLED_MS);
	fan_report_free(&r);
}

/* Of 20 ms, the tolerance: a pairing of as much is a transition. */
static void the_tolerance_is_the_longest_transition(void **state)
{
	struct fan_report r = audited_with(two_pairings(), FAN_LEVEL_VM, 20 * MODELLED_MS);

	(void)state;
	assert_int_equal(r.isolation.judged.unresolved_ns, 0);
	assert_int_equal(r.isolation.judged.transition_ns, 21 * MODELLED_MS);
	assert_int_equal(r.isolation.tolerance_ns, 20 * MODELLED_MS);
	assert_false(has(&r.isolation.notes, "unresolved time"));
	fan_report_free(&r);
}

/* A trace with these cookies, or state of core scheduling; NULL: what was told */
static void assert_cookies(uint64_t green, uint64_t blue, const char *word, const char *sentence)
{
	struct tb *tb = two_pairings();
	struct fan_report r;

	tell_cookies(tb, green, blue);
	r = audited(tb);
	assert_string_equal(r.isolation.cookies, word);
	assert_string_equal(r.isolation.sentence, sentence);
	fan_report_free(&r);
}

static void the_sentence_goes_by_the_cookies_that_were_told(void **state)
{
	(void)state;
	assert_cookies(0, 0, "none", "core scheduling is not acting: no cookies set");
	assert_cookies(7, 7, "shared",
		       "core scheduling does not keep the VMs apart: some have the same cookie");
	assert_cookies(7, 0, "partly",
		       "core scheduling does not keep the VMs apart: some vCPUs have no cookie");
	assert_cookies(
		7, 9, "apart",
		"core scheduling is not acting: the VMs shared cores although each has its own "
		"cookie");
}

static void assert_state(const char *state, const char *word, const char *sentence)
{
	struct tb *tb = two_pairings();
	struct fan_report r;

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 core_sched=%s", state);
	r = audited(tb);
	assert_string_equal(r.isolation.cookies, word);
	assert_string_equal(r.isolation.sentence, sentence);
	fan_report_free(&r);
}

/* Of 41 ms of co-run all is overlap: that is what chance would do, too. */
static void without_cookies_the_sentence_goes_by_what_the_kernel_can_do(void **state)
{
	(void)state;
	assert_state("absent", "none", "core scheduling is not acting: this kernel is without it");
	assert_state(
		"not_ready", "not readable",
		"core scheduling is not acting as far as the trace shows; cookies could not be "
		"read");
	assert_state("readable", "not told",
		     "core scheduling is not acting as far as the trace shows; cookies are not "
		     "told");
}

/* Cookies that differ, and one of a thread that is not a vCPU, which is nobody's business. */
static void the_level_of_cookies_can_be_judged(void **state)
{
	struct tb *tb = two_pairings();
	struct fan_report r;

	(void)state;
	tell_cookies(tb, 7, 9);
	r = audited_with(tb, FAN_LEVEL_COOKIE, 0);
	assert_string_equal(r.isolation.judged.level, "cookie");
	assert_mixing(&r.isolation.judged);
	assert_true(isnan(r.isolation.expected_pct));
	assert_string_equal(r.isolation.verdict.word, "shared");
	fan_report_free(&r);
	r = audited_with(two_pairings(), FAN_LEVEL_COOKIE, 0);
	assert_string_equal(r.isolation.sentence, "cannot tell: cookies are not told");
	assert_int_equal(r.isolation.judged.co_run_ns, FAN_NONE);
	fan_report_free(&r);
}

static void without_siblings_nothing_is_0(void **state)
{
	struct tb *tb = two_pairings();
	struct fan_report r;

	(void)state;
	r = report_with(tb, &defaults, NULL);
	assert_string_equal(r.isolation.verdict.word, "shared");
	fan_report_free(&r);
	tb = tb_new(2, 6, TB_PLAIN);
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), b, TB_S, tb_idle);
	tell(tb, 0, 2, 1, 1);
	r = audited(tb);
	assert_string_equal(r.isolation.verdict.word, "cannot_tell");
	assert_string_equal(r.isolation.reason,
			    "the trace does not say which CPUs are siblings; give --siblings");
	assert_int_equal(r.isolation.judged.co_run_ns, FAN_NONE);
	assert_int_equal(r.isolation.idle_beside_ns, FAN_NONE);
	assert_int_equal(r.isolation.levels.n + r.isolation.cores.n, 0);
	fan_report_free(&r);
}

static void without_smt_it_is_not_applicable(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), b, TB_S, tb_idle);
	tell(tb, 2, 1, 1, 1);
	r = audited(tb);
	assert_false(r.isolation.applicable);
	assert_string_equal(r.isolation.verdict.word, "not_applicable");
	assert_string_equal(r.isolation.reason, "no SMT");
	assert_int_equal(r.isolation.judged.violation_ns, FAN_NONE);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_shared_is_told_to_the_nanosecond),
		cmocka_unit_test(levels_that_are_not_told_have_no_numbers),
		cmocka_unit_test(pairs_first_ones_and_lengths_are_those_of_the_trace),
		cmocka_unit_test(what_a_core_did_adds_up_to_its_time),
		cmocka_unit_test(the_tolerance_is_the_longest_transition),
		cmocka_unit_test(the_sentence_goes_by_the_cookies_that_were_told),
		cmocka_unit_test(without_cookies_the_sentence_goes_by_what_the_kernel_can_do),
		cmocka_unit_test(the_level_of_cookies_can_be_judged),
		cmocka_unit_test(without_siblings_nothing_is_0),
		cmocka_unit_test(without_smt_it_is_not_applicable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
