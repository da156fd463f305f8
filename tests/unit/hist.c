// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The histogram of durations: by hand, and against sorting. Seeded; FCAP_TEST_SEED=N repeats a
 * run.
 */
#include <inttypes.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/model/hist.h"
#include "tests/lib/seeded.h"

enum { SETS = 5000, VALUES_MAX = 400 };

static uint64_t draw(uint64_t *random)
{
	return seeded_next(random);
}

static void add(struct fan_hist *h, uint64_t ns, unsigned int times)
{
	while (times--)
		assert_int_equal(fan_hist_add(h, ns), 0);
}

static void small_values_are_exact(void **state)
{
	struct fan_hist h = { 0 };

	(void)state;
	for (uint64_t v = 1; v <= 10; v++)
		add(&h, v, 1);
	/* of 1 to 10 the nearest rank is the value: ceil(10 * 0.5) = 5, ceil(10 * 0.501) = 6 */
	assert_int_equal(fan_hist_quantile(&h, 500), 5);
	assert_int_equal(fan_hist_quantile(&h, 501), 6);
	assert_int_equal(fan_hist_quantile(&h, 100), 1);
	assert_int_equal(fan_hist_quantile(&h, 101), 2);
	assert_int_equal(fan_hist_quantile(&h, 900), 9);
	assert_int_equal(fan_hist_quantile(&h, 901), 10);
	assert_int_equal(fan_hist_quantile(&h, 0), 1);
	assert_int_equal(fan_hist_quantile(&h, 1000), 10);
	assert_int_equal(h.n, 10);
	assert_int_equal(h.sum, 55);
	assert_int_equal(h.min, 1);
	assert_int_equal(h.max, 10);
	fan_hist_free(&h);
	assert_int_equal(h.n, 0);
}

/* The middle of v's bucket: v is the median of three, and neither the shortest nor the longest. */
static uint64_t middle(uint64_t v)
{
	struct fan_hist h = { 0 };
	uint64_t median;

	add(&h, 1, 1);
	add(&h, v, 1);
	add(&h, UINT64_MAX, 1);
	median = fan_hist_quantile(&h, 500);
	fan_hist_free(&h);
	return median;
}

static void buckets_are_a_sixteenth_of_an_octave(void **state)
{
	(void)state;
	assert_int_equal(middle(15), 15);
	assert_int_equal(middle(16), 16);
	assert_int_equal(middle(31), 31);
	/* [32, 34), [34, 36), [62, 64): of two the lower is the middle */
	assert_int_equal(middle(32), 32);
	assert_int_equal(middle(33), 32);
	assert_int_equal(middle(34), 34);
	assert_int_equal(middle(63), 62);
	/* [64, 68): 64 + 3 / 2; [68, 72) */
	assert_int_equal(middle(64), 65);
	assert_int_equal(middle(67), 65);
	assert_int_equal(middle(68), 69);
	/* [992, 1024): 992 + 31 / 2; [1024, 1088): 1024 + 63 / 2; [1088, 1152) */
	assert_int_equal(middle(1023), 1007);
	assert_int_equal(middle(1024), 1055);
	assert_int_equal(middle(1087), 1055);
	assert_int_equal(middle(1088), 1119);
	/* the first and the last of [2^63, 2^64), each 2^59 wide */
	assert_true(middle(1ULL << 63) == (1ULL << 63) + (1ULL << 58) - 1);
	assert_true(middle((1ULL << 63) + (1ULL << 59) - 1) == (1ULL << 63) + (1ULL << 58) - 1);
	assert_true(middle(UINT64_MAX - 1) == (31ULL << 59) + (1ULL << 58) - 1);
}

static void a_quantile_is_within_the_shortest_and_the_longest(void **state)
{
	struct fan_hist h = { 0 };

	(void)state;
	/* of [992, 1024) the middle is 1007 */
	add(&h, 1000, 3);
	assert_int_equal(fan_hist_quantile(&h, 500), 1000);
	fan_hist_free(&h);
	add(&h, 1010, 3);
	assert_int_equal(fan_hist_quantile(&h, 500), 1010);
	fan_hist_free(&h);
}

/*
 * 5 twice, 33 once, 1000 four times: octaves 0 to 6 are held, 16 buckets each. 5 is bucket 5; 33
 * is in [32, 34), the first of octave 2, number 32; 1000 in [992, 1024), number 6 * 16 + 31 - 16 =
 * 111, of which the longest is but 1000.
 */
static void buckets_tell_what_they_hold_and_up_to_where(void **state)
{
	struct fan_hist h = { 0 };
	uint64_t upto = 0, n = 0;

	(void)state;
	add(&h, 5, 2);
	add(&h, 33, 1);
	add(&h, 1000, 4);
	assert_int_equal(h.buckets, 112);
	assert_int_equal(fan_hist_bucket(&h, 5, &upto), 2);
	assert_int_equal(upto, 5);
	assert_int_equal(fan_hist_bucket(&h, 32, &upto), 1);
	assert_int_equal(upto, 33);
	assert_int_equal(fan_hist_bucket(&h, 111, &upto), 4);
	assert_int_equal(upto, 1000);
	assert_int_equal(fan_hist_bucket(&h, 110, &upto), 0);
	assert_int_equal(upto, 991);
	for (unsigned int i = 0; i < h.buckets; i++)
		n += fan_hist_bucket(&h, i, &upto);
	assert_int_equal(n, h.n);
	fan_hist_free(&h);
	/* the last bucket of all ends where 64 bits do */
	add(&h, UINT64_MAX, 1);
	assert_int_equal(fan_hist_bucket(&h, h.buckets - 1U, &upto), 1);
	assert_true(upto == UINT64_MAX);
	fan_hist_free(&h);
}

static void the_shortest_and_the_longest_are_exact(void **state)
{
	struct fan_hist h = { 0 };

	(void)state;
	add(&h, 1000, 1);
	add(&h, 1010, 1);
	add(&h, 100000, 1);
	add(&h, 102000, 1);
	assert_int_equal(fan_hist_quantile(&h, 250), 1000);   /* rank 1 of 4 */
	assert_int_equal(fan_hist_quantile(&h, 251), 1007);   /* rank 2: the middle */
	assert_int_equal(fan_hist_quantile(&h, 751), 102000); /* rank 4; the middle is 100351 */
	fan_hist_free(&h);
}

static void counts_beyond_65535_are_kept_while_it_grows(void **state)
{
	struct fan_hist h = { 0 };

	(void)state;
	/* 500 is in [496, 512), middle 503; 900 in [896, 928), middle 911 */
	add(&h, 500, 70000);
	add(&h, 900, 30000);
	assert_int_equal(fan_hist_quantile(&h, 700), 503); /* rank 70000 of 100000 */
	assert_int_equal(fan_hist_quantile(&h, 701), 900); /* rank 70100; 911 is above all */
	add(&h, 3, 1);
	/* now 1 + 70000 are at most 500; rank ceil(70000.7) = 70001 of 100001 */
	assert_int_equal(fan_hist_quantile(&h, 10), 503);
	assert_int_equal(fan_hist_quantile(&h, 700), 503);
	assert_int_equal(fan_hist_quantile(&h, 701), 900);
	add(&h, 1ULL << 40, 1);
	/* rank ceil(69901.398) and ceil(70001.4) = 70002 of 100002 */
	assert_int_equal(fan_hist_quantile(&h, 699), 503);
	assert_int_equal(fan_hist_quantile(&h, 700), 911);
	assert_int_equal(h.n, 100002);
	fan_hist_free(&h);
}

static void the_sum_stops_where_64_bits_end(void **state)
{
	struct fan_hist h = { 0 }, other = { 0 };

	(void)state;
	add(&h, UINT64_MAX - 1, 1);
	add(&h, 1, 1);
	assert_true(h.sum == UINT64_MAX);
	add(&other, 7, 1);
	assert_int_equal(fan_hist_merge(&h, &other), 0);
	assert_true(h.sum == UINT64_MAX);
	add(&h, 7, 1);
	assert_true(h.sum == UINT64_MAX);
	assert_int_equal(h.n, 4);
	fan_hist_free(&h);
	fan_hist_free(&other);
}

/* Up to VALUES_MAX durations of every magnitude. */
static size_t any_values(uint64_t *v, uint64_t *random)
{
	const size_t n = 1 + draw(random) % VALUES_MAX;
	const uint64_t octaves = 1 + draw(random) % 64, lowest = draw(random) % 64;

	for (size_t i = 0; i < n; i++)
		v[i] = draw(random) >> (lowest + draw(random) % octaves) % 64;
	return n;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void check_set(uint64_t *v, size_t n, uint64_t seed, unsigned int set)
{
	struct fan_hist h = { 0 };

	for (size_t i = 0; i < n; i++)
		add(&h, v[i], 1);
	qsort(v, n, sizeof(*v), compare);
	for (unsigned int p = 0; p <= 1000; p += p < 990 ? 10 : 1) {
		size_t rank = (n * p + 999) / 1000;
		uint64_t want, got = fan_hist_quantile(&h, p);

		rank = rank ? rank : 1;
		want = v[rank - 1];
		if ((got > want ? got - want : want - got) > want / 32 || got < v[0] ||
		    got > v[n - 1])
			fail_msg("FCAP_TEST_SEED=%" PRIu64 ", set %u: %u/1000 of %zu is %" PRIu64
				 ", not %" PRIu64,
				 seed, set, p, n, got, want);
	}
	fan_hist_free(&h);
}

static void quantiles_are_near_those_of_sorting(void **state)
{
	const uint64_t seed = seeded_start();
	uint64_t random = seed, v[VALUES_MAX];

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int set = 0; set < SETS; set++) {
		const size_t n = any_values(v, &random);

		check_set(v, n, seed, set);
	}
}

static void assert_same(const struct fan_hist *a, const struct fan_hist *b)
{
	assert_true(a->n == b->n && a->sum == b->sum && a->min == b->min && a->max == b->max);
	for (unsigned int p = 0; p <= 1000; p++)
		assert_true(fan_hist_quantile(a, p) == fan_hist_quantile(b, p));
}

static void merging_is_adding_all(void **state)
{
	const uint64_t seed = seeded_start();
	uint64_t random = seed, v[VALUES_MAX];

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int set = 0; set < SETS / 10; set++) {
		struct fan_hist merged = { 0 }, all = { 0 };

		for (unsigned int part = 0; part < 3; part++) {
			const size_t n = any_values(v, &random);
			struct fan_hist from = { 0 };

			for (size_t i = 0; i < n; i++) {
				add(&from, v[i], 1);
				add(&all, v[i], 1);
			}
			assert_int_equal(fan_hist_merge(&merged, &from), 0);
			fan_hist_free(&from);
			assert_same(&merged, &all);
		}
		fan_hist_free(&merged);
		fan_hist_free(&all);
	}
}

static void merged_counts_go_beyond_65535(void **state)
{
	struct fan_hist a = { 0 }, b = { 0 };

	(void)state;
	add(&a, 5, 60000);
	add(&b, 5, 60000);
	add(&b, 9, 40000);
	assert_int_equal(fan_hist_merge(&a, &b), 0);
	assert_int_equal(fan_hist_quantile(&a, 750), 5); /* rank 120000 of 160000 */
	assert_int_equal(fan_hist_quantile(&a, 751), 9);
	/* and from one that has gone beyond: 180000 of 260000 are 5 */
	assert_int_equal(fan_hist_merge(&b, &a), 0);
	assert_int_equal(fan_hist_quantile(&b, 692), 5); /* rank 179920 */
	assert_int_equal(fan_hist_quantile(&b, 693), 9); /* rank 180180 */
	fan_hist_free(&a);
	fan_hist_free(&b);
}

static void merging_nothing_changes_nothing(void **state)
{
	struct fan_hist h = { 0 }, nothing = { 0 };

	(void)state;
	assert_int_equal(fan_hist_merge(&nothing, &h), 0);
	assert_int_equal(nothing.n, 0);
	add(&h, 300, 2);
	assert_int_equal(fan_hist_merge(&h, &nothing), 0);
	assert_int_equal(h.n, 2);
	assert_int_equal(h.min, 300); /* not the 0 of the empty one */
	assert_int_equal(fan_hist_merge(&nothing, &h), 0);
	assert_int_equal(nothing.min, 300);
	fan_hist_free(&h);
	fan_hist_free(&nothing);
}

static size_t held(const struct fan_hist *h)
{
	return sizeof(*h) + malloc_usable_size(h->counts) + malloc_usable_size(h->carries);
}

static void from_100_ns_to_1_s_a_kibibyte_is_enough(void **state)
{
	struct fan_hist h = { 0 };

	(void)state;
	for (uint64_t ns = 100; ns <= 1000000000; ns += ns / 20)
		add(&h, ns, 100);
	assert_true(held(&h) <= 1024);
	fan_hist_free(&h);
	/* one octave: 16 counts of 16 bits, and what malloc rounds up */
	add(&h, 40000, 65535);
	assert_true(held(&h) <= sizeof(h) + 32 + 16);
	fan_hist_free(&h);
}

/* 16 to 19 have buckets of their own; of 64 to 67 ns there is one, and 65 is its middle. */
static void values_below_a_length_are_counted_by_the_middle_of_their_bucket(void **state)
{
	struct fan_hist h = { 0 };

	(void)state;
	assert_int_equal(fan_hist_below(&h, 100), 0);
	add(&h, 16, 2);
	add(&h, 17, 3);
	add(&h, 67, 70000);
	assert_int_equal(fan_hist_below(&h, 16), 0);
	assert_int_equal(fan_hist_below(&h, 17), 2);
	assert_int_equal(fan_hist_below(&h, 18), 5);
	assert_int_equal(fan_hist_below(&h, 65), 5);
	assert_int_equal(fan_hist_below(&h, 66), 70005);
	assert_int_equal(fan_hist_below(&h, UINT64_MAX), 70005);
	fan_hist_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_below_a_length_are_counted_by_the_middle_of_their_bucket),
		cmocka_unit_test(small_values_are_exact),
		cmocka_unit_test(buckets_are_a_sixteenth_of_an_octave),
		cmocka_unit_test(a_quantile_is_within_the_shortest_and_the_longest),
		cmocka_unit_test(buckets_tell_what_they_hold_and_up_to_where),
		cmocka_unit_test(the_shortest_and_the_longest_are_exact),
		cmocka_unit_test(counts_beyond_65535_are_kept_while_it_grows),
		cmocka_unit_test(the_sum_stops_where_64_bits_end),
		cmocka_unit_test(quantiles_are_near_those_of_sorting),
		cmocka_unit_test(merging_is_adding_all),
		cmocka_unit_test(merged_counts_go_beyond_65535),
		cmocka_unit_test(merging_nothing_changes_nothing),
		cmocka_unit_test(from_100_ns_to_1_s_a_kibibyte_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
