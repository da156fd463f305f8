// SPDX-License-Identifier: GPL-3.0-or-later
/* Configurations share what comes out alike. */
#include "analyze/model/configurations.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

enum { KEYS = 4096 };

static struct fan_configurations new_ones(void)
{
	struct fan_configurations c = { 0 };

	assert_int_equal(fan_configurations_init(&c), 0);
	return c;
}

/* One account alone has so many CPUs. */
static struct fan_outcome *add(struct fan_configurations *c, uint64_t key, int32_t account,
			       uint64_t cpus, bool is_contended)
{
	struct fan_allotment share = { account, cpus };
	struct fan_outcome *o = fan_configurations_add(
		c, key,
		&(struct fan_outcome){ .shares = &share, .n = 1, .is_contended = is_contended });

	assert_non_null(o);
	return o;
}

static void what_comes_out_alike_is_one_outcome(void **state)
{
	struct fan_configurations room = new_ones(), *c = &room;
	struct fan_outcome *first = add(c, 1, 7, 100, true);

	(void)state;
	assert_ptr_equal(add(c, 2, 7, 100, true), first);
	assert_ptr_not_equal(add(c, 3, 7, 101, true), first);
	assert_ptr_not_equal(add(c, 4, 8, 100, true), first);
	assert_ptr_not_equal(add(c, 5, 7, 100, false), first);
	assert_ptr_equal(fan_configurations_find(c, 2), first);
	assert_null(fan_configurations_find(c, 6));
	assert_int_equal(c->noutcomes, 4);
	fan_configurations_free(c);
}

static void nobody_is_an_outcome_as_well(void **state)
{
	struct fan_configurations room = new_ones(), *c = &room;
	const struct fan_outcome nobody = { .n = 0 };
	struct fan_outcome *o = fan_configurations_add(c, 0, &nobody);

	(void)state;
	assert_non_null(o);
	assert_int_equal(o->n, 0);
	assert_ptr_equal(fan_configurations_add(c, 9, &nobody), o);
	fan_configurations_free(c);
}

/* 3 and 4 ns of one, 5 of the other: two are listed, each once. */
static void who_lasts_is_listed_once(void **state)
{
	struct fan_configurations room = new_ones(), *c = &room;
	struct fan_outcome *a = add(c, 1, 7, 100, true), *b = add(c, 2, 7, 200, true);

	(void)state;
	fan_outcome_lasts(c, a, 3);
	fan_outcome_lasts(c, b, 5);
	fan_outcome_lasts(c, a, 4);
	assert_int_equal(c->ntouched, 2);
	assert_ptr_equal(c->touched[0], a);
	assert_ptr_equal(c->touched[1], b);
	assert_int_equal(a->ns, 7);
	assert_int_equal(b->ns, 5);
	fan_configurations_free(c);
}

/* Keys that all want the same place of the index, outcomes that are all different. */
static void as_many_as_there_may_be_are_found_again(void **state)
{
	struct fan_configurations room = new_ones(), *c = &room;
	struct fan_outcome *one[KEYS];

	(void)state;
	for (uint64_t i = 0; i < KEYS; i++) {
		assert_false(fan_configurations_are_many(c));
		one[i] = add(c, i * FAN_CONFIGURATIONS_ROOM, 7, i, true);
	}
	assert_true(fan_configurations_are_many(c));
	for (uint64_t i = 0; i < KEYS; i++)
		assert_ptr_equal(fan_configurations_find(c, i * FAN_CONFIGURATIONS_ROOM), one[i]);
	for (uint64_t i = 0; i < KEYS; i++)
		fan_outcome_lasts(c, one[i], 1);
	assert_int_equal(c->ntouched, KEYS);
	fan_configurations_drop(c);
	for (size_t i = 0; i < FAN_CONFIGURATIONS_ROOM; i++)
		assert_int_equal(c->index[i], 0);
	assert_false(fan_configurations_are_many(c));
	/* what was allotted before says nothing about now */
	assert_int_equal(add(c, 0, 7, 1, true)->ns, 0);
	assert_int_equal(c->noutcomes, 1);
	fan_configurations_free(c);
}

/* Runs of taken places that meet, in an order in which later keys come before earlier ones. */
static void nothing_is_left_of_runs_that_meet(void **state)
{
	static const uint64_t wanted[] = { 8191, 5, 4, 8191, 4, 3, 3, 0, 8190, 8190 };
	struct fan_configurations room = new_ones(), *c = &room;

	(void)state;
	for (uint64_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		add(c, wanted[i] + i * FAN_CONFIGURATIONS_ROOM, 7, i, true);
	fan_configurations_drop(c);
	for (size_t i = 0; i < FAN_CONFIGURATIONS_ROOM; i++)
		assert_int_equal(c->index[i], 0);
	fan_configurations_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_out_alike_is_one_outcome),
		cmocka_unit_test(nobody_is_an_outcome_as_well),
		cmocka_unit_test(who_lasts_is_listed_once),
		cmocka_unit_test(as_many_as_there_may_be_are_found_again),
		cmocka_unit_test(nothing_is_left_of_runs_that_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
