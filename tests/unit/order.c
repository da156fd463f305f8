// SPDX-License-Identifier: GPL-3.0-or-later
/* Sorting by a number, whatever the count and the width of the numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/trace/order.h"

static void equal_numbers_keep_their_order(void **state)
{
	/* 5 7 5 0 7: 0 is entry 3; the fives are 0 and 2, the sevens 1 and 4 */
	struct fan_entry e[] = { { 5, 0 }, { 7, 1 }, { 5, 2 }, { 0, 3 }, { 7, 4 } }, spare[5];
	static const uint32_t expected[] = { 3, 0, 2, 1, 4 };
	const struct fan_entry *sorted = fan_order(e, spare, 5, 7);

	(void)state;
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(sorted[i].index, expected[i]);
}

static void nothing_and_one_are_in_order(void **state)
{
	struct fan_entry e[] = { { 9, 4 } }, spare[1];

	(void)state;
	assert_ptr_equal(fan_order(e, spare, 0, 9), e);
	assert_int_equal(fan_order(e, spare, 1, 9)->index, 4);
}

/*
 * Entry i has the number (7 i mod n) * step: as 7 and n have no common factor, each multiple of
 * step is there once, and the k-th smallest is k * step. The index tells where it came from:
 * 7 * index mod n = k.
 */
static void assert_sorted(uint32_t n, uint32_t step)
{
	struct fan_entry *e = calloc(n, sizeof(*e)), *spare = calloc(n, sizeof(*spare));
	const struct fan_entry *sorted;

	assert_non_null(e);
	assert_non_null(spare);
	for (uint32_t i = 0; i < n; i++)
		e[i] = (struct fan_entry){ (uint32_t)(7ULL * i % n) * step, i };
	sorted = fan_order(e, spare, n, (n - 1) * step);
	for (uint32_t k = 0; k < n; k++) {
		assert_int_equal(sorted[k].key, k * step);
		assert_int_equal(7ULL * sorted[k].index % n, k);
	}
	free(e);
	free(spare);
}

static void few_and_many_of_any_width_are_sorted(void **state)
{
	static const uint32_t counts[] = { 2, 24, 25, 300, 2047, 2048, 5000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		assert_sorted(counts[i], 1);
		assert_sorted(counts[i], 1000);
		/* up to the largest number of 32 bits, or a little below it */
		assert_sorted(counts[i], UINT32_MAX / (counts[i] - 1));
	}
}

static void ties_among_many_keep_their_order(void **state)
{
	enum { N = 3000 };
	static struct fan_entry e[N], spare[N];
	const struct fan_entry *sorted;

	(void)state;
	/* the numbers 0, 1, 2 in turns, each 1000 times: the k-th of number d is entry 3 k + d */
	for (uint32_t i = 0; i < N; i++)
		e[i] = (struct fan_entry){ i % 3, i };
	sorted = fan_order(e, spare, N, 2);
	for (uint32_t i = 0; i < N; i++)
		assert_int_equal(sorted[i].index, 3 * (i % 1000) + i / 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_numbers_keep_their_order),
		cmocka_unit_test(nothing_and_one_are_in_order),
		cmocka_unit_test(few_and_many_of_any_width_are_sorted),
		cmocka_unit_test(ties_among_many_keep_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
