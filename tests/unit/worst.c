// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/model/worst: each instant counts once, as the worst of what went on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/model/worst.h"

/* slots */
#define A 1ULL
#define B 2ULL
#define C 4ULL

/* From t_ns on these slots go on, and what nobody can see does not. */
static void set(struct fan_worst *w, uint64_t t_ns, uint64_t active)
{
	assert_int_equal(fan_worst_set(w, t_ns, active, false), 0);
}

static void decide(struct fan_worst *w, uint64_t t_ns, uint64_t slot, enum fan_worst_class as)
{
	assert_int_equal(fan_worst_decide(w, t_ns, slot, as), 0);
}

/* All is decided: so much of each class, and possible. */
static void assert_sums(struct fan_worst *w, uint64_t transition_ns, uint64_t unresolved_ns,
			uint64_t violation_ns, uint64_t possible_ns)
{
	assert_int_equal(w->n, 0);
	assert_int_equal(w->ns[FAN_WORST_TRANSITION], transition_ns);
	assert_int_equal(w->ns[FAN_WORST_UNRESOLVED], unresolved_ns);
	assert_int_equal(w->ns[FAN_WORST_VIOLATION], violation_ns);
	assert_int_equal(w->possible_ns, possible_ns);
	fan_worst_free(w);
}

/*
 *	A  |----------|            10 to 30, a violation
 */
static void one_alone_counts_as_what_it_was(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 10, A);
	decide(&w, 30, A, FAN_WORST_VIOLATION);
	set(&w, 30, 0);
	assert_sums(&w, 0, 0, 20, 0);
}

/*
 *	A  |--------------|        0 to 30, a transition
 *	B        |--------------|  10 to 40, a violation
 *
 * Together from 10 to 30. Transition: 0 to 10, 10 ns; violation: 10 to 40, 30 ns.
 */
static void an_instant_counts_once_as_the_worst(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 0, A);
	set(&w, 10, A | B);
	decide(&w, 30, A, FAN_WORST_TRANSITION);
	set(&w, 30, B);
	decide(&w, 40, B, FAN_WORST_VIOLATION);
	set(&w, 40, 0);
	assert_sums(&w, 10, 0, 30, 0);
}

/* The same, and what is worse is known first: A is the violation. 0 to 30, then 30 to 40 of B. */
static void what_is_decided_later_takes_nothing_from_what_is_worse(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 0, A);
	set(&w, 10, A | B);
	decide(&w, 30, A, FAN_WORST_VIOLATION);
	set(&w, 30, B);
	decide(&w, 40, B, FAN_WORST_TRANSITION);
	set(&w, 40, 0);
	assert_sums(&w, 10, 0, 30, 0);
}

/*
 * A goes on from 0 to 50: up to 20 it was a transition, from there on a violation. B, unresolved,
 * from 10 to 40. Transition: 0 to 10; unresolved: 10 to 20; violation: 20 to 50.
 */
static void a_slot_can_be_decided_in_parts(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 0, A);
	set(&w, 10, A | B);
	decide(&w, 20, A, FAN_WORST_TRANSITION);
	decide(&w, 40, B, FAN_WORST_UNRESOLVED);
	set(&w, 40, A);
	decide(&w, 50, A, FAN_WORST_VIOLATION);
	set(&w, 50, 0);
	assert_sums(&w, 10, 10, 30, 0);
}

/*
 *	A  |-----------------|     0 to 30
 *	B     |-----------|        10 to 20
 *	C        |-----|           12 to 15
 *
 * Undecided at 20: A alone 10 ns, A and B 7, all three 3. With B a transition, what A went on with
 * B alone is still of another kind than A alone: so 3 kinds. With C one as well, that with B and
 * that with both are the same, 10 ns: 2 kinds. A turns out a violation: 30 ns.
 */
static void time_of_the_same_kind_is_kept_in_one_place(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 0, A);
	set(&w, 10, A | B);
	set(&w, 12, A | B | C);
	set(&w, 15, A | B);
	decide(&w, 20, B, FAN_WORST_TRANSITION);
	assert_int_equal(w.n, 3);
	set(&w, 20, A);
	decide(&w, 20, C, FAN_WORST_TRANSITION);
	assert_int_equal(w.n, 2);
	decide(&w, 30, A, FAN_WORST_VIOLATION);
	set(&w, 30, 0);
	assert_sums(&w, 0, 0, 30, 0);
}

/*
 * The same three, C a violation, B unresolved, A a transition. Violation: 12 to 15, 3 ns;
 * unresolved: 10 to 20 without these, 7; transition: 0 to 10 and 20 to 30, 20.
 */
static void of_three_each_has_what_none_that_is_worse_has(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 0, A);
	set(&w, 10, A | B);
	set(&w, 12, A | B | C);
	decide(&w, 15, C, FAN_WORST_VIOLATION);
	set(&w, 15, A | B);
	decide(&w, 20, B, FAN_WORST_UNRESOLVED);
	set(&w, 20, A);
	decide(&w, 30, A, FAN_WORST_TRANSITION);
	set(&w, 30, 0);
	assert_sums(&w, 20, 7, 3, 0);
}

/*
 * Possible from 0 to 100. A, a violation, from 20 to 50; B, a transition, from 40 to 70. Of what is
 * possible the violation is not a part: 0 to 20 with nothing, 50 to 70 with the transition, and 70
 * to 100 with nothing: 70 ns. Transition: 50 to 70.
 */
static void what_is_possible_counts_beside_transitions_and_nothing_only(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	assert_int_equal(fan_worst_set(&w, 0, 0, true), 0);
	assert_int_equal(fan_worst_set(&w, 20, A, true), 0);
	assert_int_equal(fan_worst_set(&w, 40, A | B, true), 0);
	decide(&w, 50, A, FAN_WORST_VIOLATION);
	assert_int_equal(fan_worst_set(&w, 50, B, true), 0);
	decide(&w, 70, B, FAN_WORST_TRANSITION);
	assert_int_equal(fan_worst_set(&w, 70, 0, true), 0);
	set(&w, 100, 0);
	assert_sums(&w, 20, 0, 30, 70);
}

/* Of A, from 0 to 30, it is possible from 10 to 20 only. */
static void time_that_is_possible_is_kept_apart_until_it_is_decided(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 0, A);
	assert_int_equal(fan_worst_set(&w, 10, A, true), 0);
	set(&w, 20, A);
	decide(&w, 30, A, FAN_WORST_TRANSITION);
	set(&w, 30, 0);
	assert_sums(&w, 30, 0, 0, 10);
}

static void the_last_slot_is_as_good_as_the_first(void **state)
{
	const uint64_t last = 1ULL << (FAN_WORST_SLOTS - 1);
	struct fan_worst w = { .since_ns = 5 };

	(void)state;
	set(&w, 5, last);
	set(&w, 10, last | A);
	decide(&w, 20, last, FAN_WORST_UNRESOLVED);
	set(&w, 20, A);
	decide(&w, 25, A, FAN_WORST_TRANSITION);
	set(&w, 25, 0);
	assert_sums(&w, 5, 15, 0, 0);
}

/* Nothing went on in which it could have been. */
static void what_did_not_go_on_can_be_decided_in_vain(void **state)
{
	struct fan_worst w = { 0 };

	(void)state;
	set(&w, 0, A);
	decide(&w, 10, B, FAN_WORST_VIOLATION);
	decide(&w, 20, A, FAN_WORST_TRANSITION);
	set(&w, 20, 0);
	assert_sums(&w, 20, 0, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_alone_counts_as_what_it_was),
		cmocka_unit_test(an_instant_counts_once_as_the_worst),
		cmocka_unit_test(what_is_decided_later_takes_nothing_from_what_is_worse),
		cmocka_unit_test(a_slot_can_be_decided_in_parts),
		cmocka_unit_test(time_of_the_same_kind_is_kept_in_one_place),
		cmocka_unit_test(of_three_each_has_what_none_that_is_worse_has),
		cmocka_unit_test(what_is_possible_counts_beside_transitions_and_nothing_only),
		cmocka_unit_test(time_that_is_possible_is_kept_apart_until_it_is_decided),
		cmocka_unit_test(the_last_slot_is_as_good_as_the_first),
		cmocka_unit_test(what_did_not_go_on_can_be_decided_in_vain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
