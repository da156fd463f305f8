// SPDX-License-Identifier: GPL-3.0-or-later
/* Who shared a core with whom, from a trace to the result tree; numbers by hand. */
#include "tests/unit/assembled.h"

#include "analyze/report/assemble_isolation.h"

static const struct tb_task a = { 101, "CPU 0/KVM", 0 }, b = { 201, "CPU 0/KVM", 0 };
static const struct tb_task host = { 900, "make", 0 };

static const struct fan_report_options defaults = { .level = 0.95,
						    .margin = 3,
						    .isolation = { .max_violation_pct = 1 },
						    .command = "fanalyze audit x" };

static struct fan_report audited_with(struct tb *tb, enum fan_level between, uint64_t tolerance_ns)
{
	const struct fan_model_options model = { .tolerance_ns = tolerance_ns };
	struct fan_report_options options = defaults;

	options.isolation.between = between;
	return report_with(tb, &options, &model);
}

static struct fan_report audited(struct tb *tb)
{
	return audited_with(tb, FAN_LEVEL_VM, 0);
}

/* Cores of so many CPUs each, and two VMs, green and blue, of so many vCPUs. */
static void tell(struct tb *tb, int cpus, int siblings, int greens, int blues)
{
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	for (int i = 0; i < cpus; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d core=%d siblings=%d-%d", i,
			  i / siblings, i / siblings * siblings,
			  i / siblings * siblings + siblings - 1);
	for (int i = 0; i < greens; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=100 id=%d", 101 + i, i);
	for (int i = 0; i < blues; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=200 id=%d", 201 + i, i);
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=100 name=green");
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=200 name=blue");
}

static void tell_cookies(struct tb *tb, uint64_t green, uint64_t blue)
{
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=0x%llx",
		  (unsigned long long)green);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=0x%llx",
		  (unsigned long long)blue);
}

/*
 * One core, in ms:
 *	CPU 0	0 a 60 idle
 *	CPU 1	0 host 10 b 31 idle 40 b 100
 * At 11 a enters its guest. So a pairing of 21 ms from 10 on, in which CPU 0 is late and enters
 * again after 1 ms: transition 1, violation 20. And one of 20 ms from 40 to 60 without an entry:
 * unresolved. a runs for 60 ms, b for 81. The core: 10 a beside the host, 21 mixed, 9 a alone,
 * 20 mixed, 40 b alone.
 */
static struct tb *two_pairings(void)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_ms(1, 10), host, TB_S, b);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 11 * MODELLED_MS, a.tid), 0);
	tb_switch(tb, at_ms(1, 31), b, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 40), tb_idle, TB_R, b);
	tb_switch(tb, at_ms(0, 60), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), b, TB_S, tb_idle);
	tell(tb, 2, 2, 1, 1);
	return tb;
}

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

/* green on CPU 0 and CPU 2, blue on CPU 2 and CPU 0: when is either core used by both? */
static struct fan_report alternating(bool on_one_core)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	const int other = on_one_core ? 0 : 2;
	struct fan_report r;

	tb_switch(tb, at_ms(1, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(3, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(0, 0), host, TB_S, a);
	if (!on_one_core)
		tb_switch(tb, at_ms(2, 0), host, TB_S, b);
	for (uint64_t ms = 10; ms < 100; ms += 20) {
		tb_switch(tb, at_ms(0, ms), a, TB_S, on_one_core ? b : tb_idle);
		tb_switch(tb, at_ms(0, ms + 10), on_one_core ? b : tb_idle, TB_S, a);
	}
	tb_switch(tb, at_ms(other, 100), on_one_core ? a : b, TB_S, tb_idle);
	tell(tb, 4, 2, 1, 1);
	tell_cookies(tb, 7, 9);
	r = audited(tb);
	assert_int_equal(r.isolation.judged.co_run_ns, 0);
	assert_true(isnan(r.isolation.judged.judged_pct));
	return r;
}

static void taking_turns_on_a_core_is_a_test_and_two_cores_are_none(void **state)
{
	struct fan_report r = alternating(true);

	(void)state;
	assert_string_equal(r.isolation.verdict.word, "isolated");
	assert_string_equal(r.isolation.sentence, "core scheduling is acting");
	fan_report_free(&r);
	r = alternating(false);
	assert_string_equal(r.isolation.verdict.word, "untested");
	assert_string_equal(r.isolation.sentence,
			    "not put to the test: no core was used by two VMs");
	fan_report_free(&r);
}

/* Three vCPUs against two, all of them all the time: 1 - .6^2 - .4^2 = .48, over 1 - 5 * .2^2. */
static void what_chance_would_do_depends_on_the_number_of_vcpus(void **state)
{
	struct tb *tb = tb_new(6, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	for (int i = 0; i < 5; i++)
		tb_switch(tb, at_ms(i, 0), tb_idle, TB_R,
			  (struct tb_task){ i < 3 ? 101 + i : 198 + i, NULL, 0 });
	tb_switch(tb, at_ms(5, 0), host, TB_R, tb_idle);
	for (int i = 0; i < 5; i++)
		tb_switch(tb, at_ms(i, 100), (struct tb_task){ i < 3 ? 101 + i : 198 + i, NULL, 0 },
			  TB_S, tb_idle);
	tell(tb, 6, 2, 3, 2);
	r = audited(tb);
	assert_near(r.isolation.expected_pct, 48, 1e-9);
	assert_near(r.isolation.expected_apart_pct, 60, 1e-9);
	/* green on CPUs 0 to 2, blue on 3 and 4: all of them but blue's last one beside another */
	assert_int_equal(r.isolation.judged.co_run_ns, 200 * MODELLED_MS);
	assert_int_equal(r.isolation.judged.unresolved_ns, 100 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "no kvm_entry event"));
	fan_report_free(&r);
}

/* Core 2-3 idles all the time. */
static void room_to_keep_them_apart_is_said(void **state)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, b);
	tb_switch(tb, at_ms(2, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(3, 0), host, TB_S, tb_idle);
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), b, TB_S, tb_idle);
	tell(tb, 4, 2, 1, 1);
	r = audited(tb);
	assert_int_equal(r.isolation.idle_beside_ns, 100 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "a whole core was idle for 100 ms while VMs shared"));
	fan_report_free(&r);
}

/* Notes that a good trace with cookies has no need for. */
static void notes_are_about_what_the_trace_lacks(void **state)
{
	struct tb *tb = two_pairings();
	struct fan_report r;

	(void)state;
	tell_cookies(tb, 7, 9);
	r = audited(tb);
	assert_false(has(&r.isolation.notes, "PR_SCHED_CORE"));
	assert_false(has(&r.isolation.notes, "no kvm_entry"));
	assert_false(has(&r.isolation.notes, "clock local"));
	assert_false(has(&r.isolation.notes, "whole core"));
	/* 41 ms is next to nothing */
	assert_true(has(&r.isolation.notes, "together for 41 ms only"));
	fan_report_free(&r);
	tb = two_pairings();
	tb_set_clock(tb, "local");
	r = audited(tb);
	assert_true(has(&r.isolation.notes, "clock local"));
	assert_true(has(&r.isolation.notes, "cpu.core_tag"));
	fan_report_free(&r);
}

/* One core of four: a beside b is one pair, whose overlap counts once. */
static void wide_cores_are_explained(void **state)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	for (int cpu = 0; cpu < 4; cpu++)
		tb_switch(tb, at_ms(cpu, 0), host, TB_S,
			  (struct tb_task){ cpu < 2 ? 101 + cpu : 199 + cpu, NULL, 0 });
	for (int cpu = 0; cpu < 4; cpu++)
		tb_switch(tb, at_ms(cpu, 100),
			  (struct tb_task){ cpu < 2 ? 101 + cpu : 199 + cpu, NULL, 0 }, TB_S,
			  tb_idle);
	tell(tb, 4, 4, 2, 2);
	r = audited(tb);
	assert_int_equal(r.isolation.judged.co_run_ns, 100 * MODELLED_MS);
	assert_int_equal(r.isolation.judged.unresolved_ns, 100 * MODELLED_MS);
	/* four pairs of CPUs */
	assert_int_equal(r.isolation.judged.unresolved, 4);
	assert_int_equal(((struct fan_r_mixed_pair *)r.isolation.pairs.items)->unresolved_ns,
			 400 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "cores of 4 CPUs"));
	fan_report_free(&r);
}

/* vm3 is there for 4 of 100 ms: no group of the report, but it shared the core. */
static void who_is_no_group_is_another_one(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct tb_task passing = { 301, "CPU 0/KVM", 0 };
	struct fan_report r;
	const struct fan_r_mixed_pair *pair;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), host, TB_S, b);
	tb_switch(tb, at_ms(1, 40), b, TB_S, host);
	tb_fork(tb, at_ms(1, 49), host, passing);
	tb_switch(tb, at_ms(1, 50), host, TB_S, passing);
	tb_exit(tb, at_ms(1, 54), passing);
	tb_switch(tb, at_ms(1, 54), passing, TB_DEAD, tb_idle);
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tell(tb, 2, 2, 1, 1);
	tb_marker(tb, MODELLED_BASE + 50 * MODELLED_MS, "fcap: vcpu tid=301 tgid=300 id=0");
	r = audited(tb);
	assert_int_equal(r.groups.n, 2);
	assert_int_equal(r.isolation.judged.unresolved_ns, 44 * MODELLED_MS);
	assert_int_equal(r.isolation.pairs.n, 2);
	pair = r.isolation.pairs.items;
	assert_int_equal(pair[0].unresolved_ns, 40 * MODELLED_MS);
	assert_string_equal(pair[1].a, "green");
	assert_string_equal(pair[1].b, "other");
	assert_int_equal(pair[1].unresolved_ns, 4 * MODELLED_MS);
	assert_true(has(&r.isolation.notes, "other: VMs that are no group of this report"));
	fan_report_free(&r);
}

static void a_single_vm_has_nobody_to_be_kept_from(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, (struct tb_task){ 102, NULL, 0 });
	tb_switch(tb, at_ms(0, 100), a, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 100), (struct tb_task){ 102, NULL, 0 }, TB_S, tb_idle);
	tell(tb, 2, 2, 2, 0);
	r = audited(tb);
	assert_string_equal(r.isolation.sentence, "not applicable: only one of the VMs has vCPUs");
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
		cmocka_unit_test(taking_turns_on_a_core_is_a_test_and_two_cores_are_none),
		cmocka_unit_test(what_chance_would_do_depends_on_the_number_of_vcpus),
		cmocka_unit_test(room_to_keep_them_apart_is_said),
		cmocka_unit_test(notes_are_about_what_the_trace_lacks),
		cmocka_unit_test(wide_cores_are_explained),
		cmocka_unit_test(who_is_no_group_is_another_one),
		cmocka_unit_test(a_single_vm_has_nobody_to_be_kept_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
