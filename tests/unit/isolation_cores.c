// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What whole cores did, wherever their siblings are, and what is not known. Times are in us; what
 * is wanted is worked out beside each test.
 */
#include "analyze/model/isolation_parts.h"
#include "analyze/model/kthreads.h"
#include "tests/unit/isolated.h"

static const struct tb_task kworker = { 31, "kworker/0:1", 0 };
static const struct tb_task user = { 41, "make", 0 };

static int32_t party_of(const struct fan_model *m, struct tb_task task)
{
	const struct fan_thread *th = fan_threads_at(
		m->threads, (size_t)fan_threads_find(m->threads, (int32_t)task.tid));

	return fan_parties_of(m->pulse->parties, th->account);
}

/*
 * CPU 0: idle to 100, a to 300, kworker to 400, make to 500, idle to 600, b to 700, a to 900, idle.
 * CPU 1: idle to 50, kworker to 150, b to 250, make to 450, idle to 650, make to 750, a2 to 1000.
 * Both:  0 idle, 50 kernel, 100 a and kernel, 150 mixed, 250 a and make, 300 kernel and make, 400
 * make twice, 450 make, 500 idle, 600 b, 650 b and make, 700 a and make, 750 one's, to 1000.
 */
static void every_instant_of_a_core_has_one_class(void **state)
{
	static const uint64_t want[FAN_CORE_CLASSES] = {
		[FAN_CORE_IDLE] = 50 + 100,	  [FAN_CORE_KERNEL] = 50,
		[FAN_CORE_VM] = 50 + 50 + 250,	  [FAN_CORE_MIXED] = 100,
		[FAN_CORE_BESIDE] = 50 + 50 + 50, [FAN_CORE_OTHER] = 100 + 50 + 50,
	};
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct fan_core_time *t;
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	tb_wakeup(tb, on(0, 0), user, 0);
	run(tb, 0, 100, tb_idle, a);
	run(tb, 0, 300, a, kworker);
	run(tb, 0, 400, kworker, user);
	run(tb, 0, 500, user, tb_idle);
	run(tb, 0, 600, tb_idle, b);
	run(tb, 0, 700, b, a);
	run(tb, 0, 900, a, tb_idle);
	run(tb, 1, 50, tb_idle, kworker);
	run(tb, 1, 150, kworker, b);
	run(tb, 1, 250, b, (struct tb_task){ 42, "make", 0 });
	run(tb, 1, 450, (struct tb_task){ 42, "make", 0 }, tb_idle);
	run(tb, 1, 650, tb_idle, user);
	run(tb, 1, 750, user, a2);
	run(tb, 1, 1000, a2, tb_idle);
	m = isolation_of(tb, "0-1");
	assert_core(m, 0, want);
	t = fan_isolation_core(m->isolation, 0);
	assert_int_equal(t->party_ns[party_of(m, a)], 300 * US);
	assert_int_equal(t->party_ns[party_of(m, b)], 50 * US);
	fan_model_free(m);
}

/* a is beside this thread from 100 to 400, alone before and to 500. */
static struct fan_model *a_beside(struct tb_task other, const char *line)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tell_vcpus(tb);
	if (line)
		tb_marker(tb, MODELLED_BASE, "%s", line);
	run(tb, 0, 0, tb_idle, a);
	enter(tb, 0, 10, a);
	run(tb, 1, 100, tb_idle, other);
	run(tb, 1, 400, other, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	return isolation_of(tb, "0-1");
}

static void assert_beside(struct fan_model *m, enum fan_core_class class)
{
	uint64_t want[FAN_CORE_CLASSES] = { 0 };

	want[FAN_CORE_VM] = 200;
	want[class] += 300;
	assert_core(m, 0, want);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 0 });
	fan_model_free(m);
}

static void a_kernel_thread_beside_a_vcpu_is_trusted(void **state)
{
	(void)state;
	assert_beside(a_beside(kworker, NULL), FAN_CORE_VM);
	assert_beside(a_beside(user, NULL), FAN_CORE_BESIDE);
	assert_beside(a_beside(user, "fcap: task tid=41 kthread=1"), FAN_CORE_VM);
	assert_beside(a_beside(user, "fcap: task tid=41 kthread=0"), FAN_CORE_BESIDE);
}

/* vhost-100 works for the VM of a, vhost-200 for that of b, which makes the core mixed. */
static void threads_that_work_for_a_vm_are_of_it(void **state)
{
	const struct tb_task own = { 71, "vhost-100", 0 }, other = { 72, "vhost-200", 0 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	static const uint64_t want[FAN_CORE_CLASSES] = {
		[FAN_CORE_VM] = 400, [FAN_CORE_MIXED] = 200
	};
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=100 tgid=100");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=200 tgid=200");
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 0, tb_idle, own);
	run(tb, 1, 200, own, other);
	run(tb, 1, 400, other, tb_idle);
	run(tb, 0, 600, a, tb_idle);
	m = isolation_of(tb, "0-1");
	assert_core(m, 0, want);
	/* time only: they are no vCPUs */
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 0 });
	fan_model_free(m);
}

static void kernel_threads_are_known_by_birth_by_word_or_by_name(void **state)
{
	const struct fan_task_fact none = { 0 }, told = { .is_kthread = true };
	struct fan_thread th = { .tid = 99, .parent_tid = -1, .comm = "kworker/u8:2-e" };

	(void)state;
	assert_true(fan_is_kthread(&th, &none));
	/* of a process that calls itself so */
	th.parent_tid = 50;
	assert_false(fan_is_kthread(&th, &none));
	assert_true(fan_is_kthread(&th, &told));
	th = (struct fan_thread){ .tid = 99, .parent_tid = 2, .comm = "my-driver" };
	assert_true(fan_is_kthread(&th, &none));
	th = (struct fan_thread){ .tid = 2, .parent_tid = 0, .comm = "x" };
	assert_true(fan_is_kthread(&th, &none));
	th = (struct fan_thread){ .tid = 99, .parent_tid = -1, .comm = "kwin" };
	assert_false(fan_is_kthread(&th, &none));
}

/*
 * Four CPUs, a on 0 and b on 1 from 100 to 300, and a on 0 meets b2 on 2 from 200 to 300 once b2
 * comes: siblings are 0 and 2, or 0 and 1.
 */
static struct tb *far_apart(void)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);

	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	run(tb, 2, 200, tb_idle, b2);
	run(tb, 3, 0, tb_idle, kworker);
	run(tb, 0, 300, a, tb_idle);
	run(tb, 1, 400, b, tb_idle);
	run(tb, 2, 400, b2, tb_idle);
	run(tb, 3, 400, kworker, tb_idle);
	return tb;
}

static void siblings_may_be_neighbours_or_far_apart(void **state)
{
	struct fan_model *m = isolation_of(far_apart(), "0,2;1,3");

	(void)state;
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 100, 0, 0, 100, 0, 1, 0, 1 });
	fan_model_free(m);
	/* b2 is beside a kworker then */
	m = isolation_of(far_apart(), "0-1;2-3");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 200, 0, 0, 200, 0, 1, 0, 1 });
	fan_model_free(m);
}

static void the_trace_tells_who_are_siblings(void **state)
{
	struct tb *tb = far_apart();
	struct fan_model *m;

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%u siblings=%u,%u", i, i % 2, i % 2 + 2);
	m = isolation_of(tb, NULL);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 100, 0, 0, 100, 0, 1, 0, 1 });
	fan_model_free(m);
	m = isolation_of(far_apart(), NULL);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 0 });
	assert_int_equal(fan_isolation_core(m->isolation, 0)->ns[FAN_CORE_UNKNOWN], 0);
	fan_model_free(m);
}

/*
 * One core of four: a on 0 from 0, b on 1 from 100 to 500, c on 2 from 200 to 400, idle.
 * a enters at 150 and b at 350; who is late: a of (a,b) and (a,c), b of (b,c).
 *  (a,b) 100 to 500: transition to 150, violation 350
 *  (a,c) 200 to 400: a's next entry is at 300: transition 100, violation 100
 *  (b,c) 200 to 400: transition to 350, violation 50
 * Core: transition 100 to 150, violation 150 to 500. Pairs of one and two: as (a,b), and so on.
 */
static void with_four_siblings_an_instant_counts_once(void **state)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	const struct fan_mixed_pair *pairs;
	uint64_t violation = 0, transition = 0;
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 0, 150, a);
	run(tb, 2, 200, tb_idle, c);
	leave(tb, 0, 250, a);
	enter(tb, 0, 300, a);
	enter(tb, 1, 350, b);
	run(tb, 2, 400, c, tb_idle);
	run(tb, 1, 500, b, tb_idle);
	tb_wakeup(tb, on(3, 600), kworker, 3);
	m = isolation_of(tb, "0-3");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 400, 350, 50, 0, 0, 3, 3, 0 });
	assert_int_equal(fan_isolation_pairs(m->isolation, FAN_LEVEL_VM, &pairs), 3);
	for (size_t i = 0; i < 3; i++) {
		violation += pairs[i].violation_ns;
		transition += pairs[i].transition_ns;
	}
	assert_int_equal(violation, (350 + 100 + 50) * US);
	assert_int_equal(transition, (50 + 100 + 150) * US);
	fan_model_free(m);
}

/*
 * One core of eight: a on 0 for all of 1000 without ever entering, and b on CPU 7 and on 3 in
 * turns, so that the pairing of a and the first is undecided while others end.
 *  (a,b)  100 to 900, no entry of a: unresolved, 800
 *  (a,b2) 200 to 240, no entry: transition, 40, but unresolved by the other pair
 *  (a,b2) 300 to 500, no entry: unresolved 200
 *  (c,b), (c,b2), (c,a): c on CPU 5 from 600 to 700, late are a and b: none enters: unresolved
 * Core: unresolved 100 to 900. Three pairs of parties: one and two 800 + 200 and transition 40.
 */
static void with_eight_siblings_the_undecided_ones_wait(void **state)
{
	struct tb *tb = tb_new(8, 6, TB_PLAIN);
	const struct fan_mixed_pair *pairs;
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	for (int i = 0; i < 8; i++)
		if (i != 0 && i != 7 && i != 3 && i != 5)
			tb_wakeup(tb, on(i, 50), kworker, i);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 7, 100, tb_idle, b);
	run(tb, 3, 200, tb_idle, b2);
	run(tb, 3, 240, b2, tb_idle);
	run(tb, 3, 300, tb_idle, b2);
	run(tb, 3, 500, b2, tb_idle);
	run(tb, 5, 600, tb_idle, c);
	run(tb, 5, 700, c, tb_idle);
	run(tb, 7, 900, b, tb_idle);
	run(tb, 0, 1000, a, tb_idle);
	m = isolation_of(tb, "0-7");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 800, 0, 0, 800, 0, 5, 0, 4 });
	assert_int_equal(fan_isolation_pairs(m->isolation, FAN_LEVEL_VM, &pairs), 3);
	assert_int_equal(pairs[0].unresolved_ns, 1000 * US);
	assert_int_equal(pairs[0].transition_ns, 40 * US);
	assert_int_equal(pairs[1].unresolved_ns, 100 * US);
	fan_model_free(m);
}

/*
 * Events of CPU 1 are lost between 200 and 400: b is known to run from 100 to 200, and again from
 * 400 to 500. The pairings: 100 to 200, 400 to 500, both unresolved; possible from 200 to 400.
 */
static void what_is_lost_is_possible(void **state)
{
	static const uint64_t want[FAN_CORE_CLASSES] = {
		[FAN_CORE_VM] = 100 + 100, [FAN_CORE_MIXED] = 200, [FAN_CORE_UNKNOWN] = 200
	};
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 1, 200, b);
	tb_missed(tb, 1, 7);
	enter(tb, 1, 400, b);
	run(tb, 1, 500, b, tb_idle);
	run(tb, 0, 600, a, tb_idle);
	m = isolation_of(tb, "0-1");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 200, 0, 0, 200, 200, 2, 0, 2 });
	assert_core(m, 0, want);
	fan_model_free(m);
}

/* Nothing is ever heard of CPU 1. */
static void a_sibling_without_events_is_unknown(void **state)
{
	static const uint64_t want[FAN_CORE_CLASSES] = { [FAN_CORE_UNKNOWN] = 500 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 0, 300, a, tb_idle);
	run(tb, 0, 500, tb_idle, kworker);
	m = isolation_of(tb, "0-1");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ .possible = 300 });
	assert_core(m, 0, want);
	fan_model_free(m);
}

/*
 * From 150 to 350 of a run of a on CPU 0 from 0 to 500, in its guest from 50 on, and of b on CPU 1
 * from 100 to 400, in its guest from 120 on. At 150 both were there: late is CPU 0, whose next
 * entry is at 250. Both are in their guests all the time but from 240 to 250.
 */
static void only_the_time_that_is_asked_for_counts(void **state)
{
	static const uint64_t want[FAN_CORE_CLASSES] = { [FAN_CORE_MIXED] = 200 };
	const struct fan_model_options part = { .from_ns = 150 * US, .to_ns = 350 * US };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct fan_mixed *first;
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	enter(tb, 0, 50, a);
	run(tb, 1, 100, tb_idle, b);
	enter(tb, 1, 120, b);
	leave(tb, 0, 240, a);
	enter(tb, 0, 250, a);
	run(tb, 1, 400, b, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	m = isolation_with(tb, "0-1", part);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 200, 100, 100, 0, 0, 1, 1, 0 });
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ 190, 100, 90, 0, 0, 1, 1, 0 });
	assert_int_equal(fan_isolation_first(m->isolation, FAN_LEVEL_VM, &first), 1);
	assert_int_equal(first->ts_ns, MODELLED_BASE + 250 * US);
	assert_core(m, 0, want);
	fan_model_free(m);
}

/*
 * Cores 0-1 and 2-3, and CPU 4 alone. a and b share the first from 100 to 400. The second idles to
 * 200, and again from 300 on; CPU 4 from 250 to 350. CPU 3 is idle, as its event at 20 shows.
 * Beside: 100 to 200, and 250 to 400.
 */
static void an_idle_core_beside_a_mixed_one_is_told(void **state)
{
	struct tb *tb = tb_new(5, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, b);
	run(tb, 1, 400, b, tb_idle);
	run(tb, 2, 0, kworker, tb_idle);
	tb_wakeup(tb, on(3, 20), user, 2);
	run(tb, 2, 200, tb_idle, user);
	run(tb, 2, 300, user, tb_idle);
	run(tb, 4, 0, tb_idle, c);
	run(tb, 4, 250, c, tb_idle);
	run(tb, 4, 350, tb_idle, c);
	run(tb, 0, 500, a, tb_idle);
	m = isolation_of(tb, "0-1;2-3;4");
	assert_int_equal(fan_isolation_idle_beside_ns(m->isolation), 250 * US);
	fan_model_free(m);
}

/* Of one VM on both siblings there is nothing to keep apart. */
static void an_idle_core_beside_one_of_one_vm_is_not(void **state)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 100, tb_idle, a2);
	run(tb, 2, 0, kworker, tb_idle);
	run(tb, 3, 0, kworker, tb_idle);
	run(tb, 0, 500, a, tb_idle);
	m = isolation_of(tb, "0-1;2-3");
	assert_int_equal(fan_isolation_idle_beside_ns(m->isolation), 0);
	fan_model_free(m);
}

/*
 * a is on CPU 0 from 0 to 200000 and never tells anything; on CPU 1 b comes at 2, 4 and so on to
 * 199998, for 1 each: 99999 pairings of 1, all transition.
 */
static void a_silent_sibling_does_not_cost_memory(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	for (uint64_t t = 2; t < 200000; t += 2) {
		run(tb, 1, t, tb_idle, b);
		run(tb, 1, t + 1, b, tb_idle);
	}
	run(tb, 0, 200000, a, tb_idle);
	m = isolation_of(tb, "0-1");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 99999, 0, 99999, 0, 0, 99999, 0, 0 });
	assert_true(m->isolation->cpus[1]->spans_full <= 4 * FAN_ISO_SPANS);
	assert_true(m->isolation->cpus[0]->spans_full <= 4 * FAN_ISO_SPANS);
	fan_model_free(m);
}

/*
 * a on CPU 0 and b on CPU 1 from 0 and 1 to 100000 without a switch; b is in its guest half of the
 * time, a, which is late, from 10 on all the time: violation.
 */
static void many_entries_do_not_cost_memory(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 1, tb_idle, b);
	enter(tb, 0, 10, a);
	for (uint64_t t = 12; t < 100000; t += 2) {
		enter(tb, 1, t, b);
		leave(tb, 1, t + 1, b);
	}
	run(tb, 1, 100001, b, tb_idle);
	run(tb, 0, 100001, a, tb_idle);
	m = isolation_of(tb, "0-1");
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 100000, 99991, 9, 0, 0, 1, 1, 0 });
	assert_level(m, FAN_LEVEL_GUEST, (struct mixing){ 49994, 49994, 0, 0, 0, 1, 1, 0 });
	assert_true(m->isolation->items[0]->marks_full <= 4 * FAN_ISO_MARKS);
	fan_model_free(m);
}

static void a_core_that_is_too_wide_is_unknown(void **state)
{
	static const uint64_t want[FAN_CORE_CLASSES] = { [FAN_CORE_UNKNOWN] = 500 };
	struct tb *tb = tb_new(12, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell_vcpus(tb);
	run(tb, 0, 0, tb_idle, a);
	run(tb, 1, 0, tb_idle, b);
	enter(tb, 0, 100, a);
	run(tb, 0, 500, a, tb_idle);
	m = isolation_of(tb, "0-11");
	assert_core(m, 0, want);
	assert_level(m, FAN_LEVEL_VM, (struct mixing){ 0 });
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_instant_of_a_core_has_one_class),
		cmocka_unit_test(a_kernel_thread_beside_a_vcpu_is_trusted),
		cmocka_unit_test(threads_that_work_for_a_vm_are_of_it),
		cmocka_unit_test(kernel_threads_are_known_by_birth_by_word_or_by_name),
		cmocka_unit_test(siblings_may_be_neighbours_or_far_apart),
		cmocka_unit_test(the_trace_tells_who_are_siblings),
		cmocka_unit_test(with_four_siblings_an_instant_counts_once),
		cmocka_unit_test(with_eight_siblings_the_undecided_ones_wait),
		cmocka_unit_test(what_is_lost_is_possible),
		cmocka_unit_test(a_sibling_without_events_is_unknown),
		cmocka_unit_test(only_the_time_that_is_asked_for_counts),
		cmocka_unit_test(an_idle_core_beside_a_mixed_one_is_told),
		cmocka_unit_test(an_idle_core_beside_one_of_one_vm_is_not),
		cmocka_unit_test(a_silent_sibling_does_not_cost_memory),
		cmocka_unit_test(many_entries_do_not_cost_memory),
		cmocka_unit_test(a_core_that_is_too_wide_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
