// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/stats/waterfill: worked examples, degenerate input, and its two invariants. */
#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/stats/waterfill.h"

#define N_MAX 12

struct example {
	size_t n;
	double capacity;
	double weight[4], cap[4], alloc[4];
};

static void assert_example(const struct example *e)
{
	double got[4];

	assert_int_equal(fan_waterfill(e->weight, e->cap, e->n, e->capacity, got), 0);
	for (size_t i = 0; i < e->n; i++)
		assert_near(got[i], e->alloc[i], 1e-12);
}

static void every_worked_example_comes_out(void **state)
{
	static const struct example ex[] = {
		{ 2, 4, { 128, 1152 }, { 4, 4 }, { 0.4, 3.6 } },
		{ 2, 4, { 128, 1152 }, { 4, 2 }, { 2, 2 } },
		{ 2, 4, { 800, 200 }, { 1, 4 }, { 1, 3 } },
		{ 3, 8, { 1, 1, 2 }, { 1, 8, 8 }, { 1, 7.0 / 3, 14.0 / 3 } },
		{ 2, 8, { 1, 1 }, { 8, 8 }, { 4, 4 } },
		{ 2, 2, { 1, 9 }, { 1, 1 }, { 1, 1 } },
		/* A and B on CPUs 0-3, D alone on 4-7: each component is filled by itself */
		{ 2, 4, { 1, 1 }, { 4, 4 }, { 2, 2 } },
		{ 1, 4, { 1 }, { 4 }, { 4 } },
		/* 8 and 4 vCPUs in one cgroup, each thread an entity: 2 to 1 */
		{ 2, 6, { 8, 4 }, { 8, 4 }, { 4, 2 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ex) / sizeof(ex[0]); i++)
		assert_example(&ex[i]);
}

/* Fixing the first pushes the second over its cap, and that the third. */
static void caps_bind_one_after_the_other(void **state)
{
	static const struct example chain = {
		/* parts of 10: 5 3 1 1; 1 fixed: 9 -> 5.4 1.8 1.8; 4 fixed: 5 -> 2.5 2.5; */
		4, 10, { 5, 3, 1, 1 }, { 1, 4, 2, 9 }, { 1, 4, 2, 3 },
	};

	(void)state;
	assert_example(&chain);
}

static void without_caps_the_weights_alone_decide(void **state)
{
	static const struct example ex = {
		2, 100, { 128, 1152 }, { INFINITY, INFINITY }, { 10, 90 },
	};

	(void)state;
	assert_example(&ex);
}

static void who_cannot_run_gets_nothing(void **state)
{
	static const struct example ex = { 2, 4, { 1, 1 }, { 0, 9 }, { 0, 4 } };

	(void)state;
	assert_example(&ex);
}

static void capacity_is_used_up_or_the_rest_is_told(void **state)
{
	const double weight[] = { 128, 1152 }, tight[] = { 10, 20 }, just[] = { 40, 60 };
	double ones[10], wide[10];
	double alloc[10];

	(void)state;
	assert_int_equal(fan_waterfill(weight, tight, 2, 100, alloc), 0);
	assert_near(fan_waterfill_unused(alloc, 2, 100), 70, 1e-15);
	assert_int_equal(fan_waterfill(weight, just, 2, 100, alloc), 0);
	assert_true(fan_waterfill_unused(alloc, 2, 100) == 0);
	/* ten tenths add up to less than 1 in binary: rounding is not a rest */
	for (size_t i = 0; i < 10; i++)
		ones[i] = wide[i] = 1;
	assert_int_equal(fan_waterfill(ones, wide, 10, 1, alloc), 0);
	assert_true(fan_waterfill_unused(alloc, 10, 1) == 0);
	assert_true(fan_waterfill_unused(NULL, 0, 5) == 5);
}

static void degenerate_input_has_its_answer(void **state)
{
	const double one[] = { 1, 1 }, wide[] = { 5, INFINITY };
	const double tiny[] = { 1e-310, 1e-310 };
	double alloc[2] = { 7, 7 };

	(void)state;
	assert_int_equal(fan_waterfill(NULL, NULL, 0, 4, NULL), 0);
	assert_int_equal(fan_waterfill(one, wide, 2, 0, alloc), 0);
	assert_true(alloc[0] == 0 && alloc[1] == 0);
	/* capacity / sum of weights overflows here, the parts do not */
	assert_int_equal(fan_waterfill(tiny, wide, 2, 4, alloc), 0);
	assert_true(alloc[0] == 2 && alloc[1] == 2);
}

static void wrong_input_is_refused(void **state)
{
	static const struct example bad[] = {
		{ 2, 4, { 0, 1 }, { 1, 1 }, { 0 } },
		{ 2, 4, { -1, 1 }, { 1, 1 }, { 0 } },
		{ 2, 4, { NAN, 1 }, { 1, 1 }, { 0 } },
		{ 2, 4, { INFINITY, 1 }, { 1, 1 }, { 0 } },
		{ 2, 4, { 1e308, 1e308 }, { 1, 1 }, { 0 } },
		{ 2, 4, { 1, 1 }, { -1, 1 }, { 0 } },
		{ 2, 4, { 1, 1 }, { NAN, 1 }, { 0 } },
		{ 2, -1, { 1, 1 }, { 1, 1 }, { 0 } },
		{ 2, NAN, { 1, 1 }, { 1, 1 }, { 0 } },
		{ 2, INFINITY, { 1, 1 }, { 1, 1 }, { 0 } },
	};
	double got[4];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(
			fan_waterfill(bad[i].weight, bad[i].cap, bad[i].n, bad[i].capacity, got),
			-EINVAL);
}

static uint64_t next_random(uint64_t *seed)
{
	/* xorshift64 (Marsaglia 2003) */
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* The definition: sum = min(capacity, sum of caps), and one level L = alloc/weight for all free. */
static void assert_is_the_division(const double *weight, const double *cap, size_t n,
				   double capacity)
{
	double got[N_MAX], sum = 0, caps = 0, level = 0;

	assert_int_equal(fan_waterfill(weight, cap, n, capacity, got), 0);
	for (size_t i = 0; i < n; i++) {
		sum += got[i];
		caps += cap[i];
		assert_true(got[i] >= 0 && got[i] <= cap[i] * (1 + 1e-12));
		level = fmax(level, got[i] / weight[i]);
	}
	assert_near(sum, fmin(capacity, caps), 1e-12);
	for (size_t i = 0; i < n; i++)
		if (got[i] < cap[i] && sum < caps)
			assert_near(got[i] / weight[i], level, 1e-9);
}

static void random_cases_meet_the_definition(void **state)
{
	const uint64_t start = 20151019;
	uint64_t seed = start;

	(void)state;
	print_message("# seed %llu\n", (unsigned long long)start);
	for (int round = 0; round < 2000; round++) {
		const size_t n = 1 + next_random(&seed) % N_MAX;
		const double capacity = (double)(next_random(&seed) % 1000) / 10;
		double weight[N_MAX], cap[N_MAX];

		for (size_t i = 0; i < n; i++) {
			weight[i] = (double)(1 + next_random(&seed) % 10000);
			cap[i] = (double)(next_random(&seed) % 300) / 10;
		}
		assert_is_the_division(weight, cap, n, capacity);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_worked_example_comes_out),
		cmocka_unit_test(caps_bind_one_after_the_other),
		cmocka_unit_test(without_caps_the_weights_alone_decide),
		cmocka_unit_test(who_cannot_run_gets_nothing),
		cmocka_unit_test(capacity_is_used_up_or_the_rest_is_told),
		cmocka_unit_test(degenerate_input_has_its_answer),
		cmocka_unit_test(wrong_input_is_refused),
		cmocka_unit_test(random_cases_meet_the_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
