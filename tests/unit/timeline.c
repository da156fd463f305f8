// SPDX-License-Identifier: GPL-3.0-or-later
/* The timeline of CPUs: bins by hand, and random spans against a second implementation. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/model/span.h"
#include "tests/lib/seeded.h"
#include "tests/unit/timeline_naive.h"

#define START 123456789ULL /* no multiple of a bin */
#define US    1000ULL

enum { CPUS = 5, KEYS = 40, RUNS = 300, SPANS = 1500 };

static struct fan_timeline *timeline(void)
{
	struct fan_timeline *t = fan_timeline_new();

	assert_non_null(t);
	fan_timeline_start(t, START);
	return t;
}

/* [from, to) is relative to the start. */
static void add(struct fan_timeline *t, int32_t cpu, int32_t key, uint64_t from, uint64_t to)
{
	assert_int_equal(fan_timeline_add(t, cpu, key, START + from, START + to), 0);
}

static uint64_t ns_of(const struct fan_timeline *t, int32_t cpu, int32_t key, uint32_t bin)
{
	const struct fan_timeline_cell *cells;
	uint64_t sum = 0;
	size_t n;

	cells = fan_timeline_cells(t, cpu, &n);
	for (size_t i = 0; i < n; i++)
		sum += cells[i].key == key && cells[i].bin == bin ? cells[i].ns : 0;
	return sum;
}

static void a_span_is_cut_at_the_edges_of_bins(void **state)
{
	struct fan_timeline *t = timeline();

	(void)state;
	/* bins of 1 us: 300 ns of the first, all of the second, 1 ns of the third */
	add(t, 3, 7, 700, 2001);
	add(t, 3, FAN_CPU_IDLE, 2001, 3000);
	assert_int_equal(fan_timeline_bin_ns(t), 1000);
	assert_int_equal(ns_of(t, 3, 7, 0), 300);
	assert_int_equal(ns_of(t, 3, 7, 1), 1000);
	assert_int_equal(ns_of(t, 3, 7, 2), 1);
	assert_int_equal(ns_of(t, 3, FAN_CPU_IDLE, 2), 999);
	assert_int_equal(ns_of(t, 3, 7, 3), 0);
	assert_int_equal(ns_of(t, 2, 7, 1), 0);
	assert_int_equal(fan_timeline_bins(t, START + 3000), 3);
	assert_int_equal(fan_timeline_bins(t, START + 3001), 4);
	fan_timeline_free(t);
}

static void bins_double_when_the_trace_goes_on(void **state)
{
	struct fan_timeline *t = timeline();

	(void)state;
	add(t, 0, 1, 0, 1000);
	add(t, 0, 2, 1000, 1500);
	add(t, 0, 1, 1500, 2000);
	add(t, 0, 1, 2000, 3000);
	/* 400 bins of 1 us hold the first 400 us; one ns more takes bins of 2 us */
	add(t, 0, 2, 399 * US, 400 * US);
	assert_int_equal(fan_timeline_bin_ns(t), 1000);
	add(t, 0, 2, 400 * US, 400 * US + 1);
	assert_int_equal(fan_timeline_bin_ns(t), 2000);
	assert_int_equal(ns_of(t, 0, 1, 0), 1500);
	assert_int_equal(ns_of(t, 0, 2, 0), 500);
	assert_int_equal(ns_of(t, 0, 1, 1), 1000);
	assert_int_equal(ns_of(t, 0, 2, 199), 1000);
	assert_int_equal(ns_of(t, 0, 2, 200), 1);
	/* an hour is 3.6e9 us: bins of 2^24 us are the first of which 400 hold it */
	add(t, 0, 2, 3600000000 * US - 1, 3600000000 * US);
	assert_int_equal(fan_timeline_bin_ns(t), (1 << 24) * US);
	assert_int_equal(ns_of(t, 0, 1, 0), 2500);
	assert_int_equal(ns_of(t, 0, 2, 0), 1501);
	fan_timeline_free(t);
}

static void what_comes_late_goes_to_its_bin(void **state)
{
	struct fan_timeline *t = timeline();

	(void)state;
	add(t, 0, 1, 5000, 6000);
	add(t, 0, 2, 3000, 3400);
	add(t, 0, 1, 5000, 5001);
	add(t, 0, 2, 3400, 3401);
	assert_int_equal(ns_of(t, 0, 2, 3), 401);
	assert_int_equal(ns_of(t, 0, 1, 5), 1001);
	fan_timeline_free(t);
}

/* No more cells than 2^19, and one a CPU and account: however many run by turns. */
static void many_accounts_make_wider_bins(void **state)
{
	struct fan_timeline *t = timeline();
	uint64_t sum = 0;
	size_t cells = 0;

	(void)state;
	/* 3000 accounts in each of 390 bins, three times the room */
	for (uint64_t bin = 0; bin < 390; bin++)
		for (int32_t key = 0; key < 3000; key++)
			add(t, key % 4, key, bin * US, bin * US + 1);
	for (int32_t cpu = 0; cpu < 4; cpu++) {
		const struct fan_timeline_cell *c;
		size_t n;

		c = fan_timeline_cells(t, cpu, &n);
		cells += n;
		for (size_t i = 0; i < n; i++)
			sum += c[i].ns;
	}
	assert_int_equal(sum, 390 * 3000);
	assert_true(cells <= 1 << 19);
	/* 98 bins of 4 us are the first with less than that: 3000 x 98 */
	assert_int_equal(fan_timeline_bin_ns(t), 4000);
	fan_timeline_free(t);
}

static void forced_idle_can_be_taken_back(void **state)
{
	struct fan_timeline *t = timeline();
	const uint64_t *row;

	(void)state;
	assert_null(fan_timeline_forced(t, 1));
	assert_int_equal(fan_timeline_force(t, 1, START + 500, START + 2500), 0);
	fan_timeline_unforce(t, 1, START + 1800, START + 2500);
	row = fan_timeline_forced(t, 1);
	assert_int_equal(row[0], 500);
	assert_int_equal(row[1], 800);
	assert_int_equal(row[2], 0);
	assert_null(fan_timeline_forced(t, 0));
	fan_timeline_free(t);
}

/*
 * Of three pairings, told when they end: 2.2 to 3.5 us, 1.5 to 4.1, 3.9 to 4.6. Together 1.5
 * to 4.6: 0.5 us of bin 1, bins 2 and 3 whole, 0.6 of bin 4. Before 1.5 and 2.2 nothing was told
 * when they began; before 3.9 the first one was, 1.3, of which the second makes 2.4.
 */
static void time_of_a_core_counts_once(void **state)
{
	const enum fan_timeline_row row = FAN_TIMELINE_JUDGED;
	struct fan_timeline *t = timeline();
	const uint64_t *bins;

	(void)state;
	assert_int_equal(fan_timeline_covered(t, 9, row), 0);
	assert_int_equal(fan_timeline_cover(t, 9, row, START + 2200, START + 3500, 0), 0);
	assert_int_equal(fan_timeline_covered(t, 9, row), 1300);
	assert_int_equal(fan_timeline_cover(t, 9, row, START + 1500, START + 4100, 0), 0);
	assert_int_equal(fan_timeline_covered(t, 9, row), 2600);
	assert_int_equal(fan_timeline_cover(t, 9, row, START + 3900, START + 4600, 2400), 0);
	assert_int_equal(fan_timeline_covered(t, 9, row), 3100);
	bins = fan_timeline_shared(t, 9, row);
	assert_int_equal(bins[0], 0);
	assert_int_equal(bins[1], 500);
	assert_int_equal(bins[2], 1000);
	assert_int_equal(bins[3], 1000);
	assert_int_equal(bins[4], 600);
	assert_int_equal(bins[5], 0);
	assert_null(fan_timeline_shared(t, 9, FAN_TIMELINE_VIOLATION));
	assert_null(fan_timeline_shared(t, 100, row));
	fan_timeline_free(t);
}

/* Every CPU with its own clock, which goes on; lengths from ns to a hundred bins, and holes. */
static size_t draw_spans(struct naive_stretch *s, uint64_t *random, struct fan_timeline *t)
{
	const uint64_t reach = 1 + seeded_next(random) % 14;
	const int32_t keys = 2 + (int32_t)(seeded_next(random) % (KEYS - 1));
	uint64_t now[CPUS];

	for (size_t i = 0; i < CPUS; i++)
		now[i] = START + seeded_next(random) % 5000;
	for (size_t i = 0; i < SPANS; i++) {
		const uint64_t most = 1ULL << (seeded_next(random) % (2 * reach));

		s[i].cpu = (int32_t)(seeded_next(random) % CPUS);
		s[i].key = (int32_t)(seeded_next(random) % (uint64_t)keys) + FAN_CPU_IDLE;
		s[i].t0_ns = now[s[i].cpu];
		s[i].t1_ns = s[i].t0_ns + 1 + seeded_next(random) % most;
		now[s[i].cpu] = s[i].t1_ns + (seeded_next(random) % 4 ? 0 : most);
		assert_int_equal(fan_timeline_add(t, s[i].cpu, s[i].key, s[i].t0_ns, s[i].t1_ns),
				 0);
	}
	return SPANS;
}

/* Cells are unique and in the order of bins; returns the sums of a key. */
static bool are_cells(const struct fan_timeline *t, const struct naive_stretch *s, size_t n,
		      struct naive_stretch of)
{
	uint64_t got[FAN_TIMELINE_BINS] = { 0 };
	const struct fan_timeline_cell *c;
	bool are_ordered = true;
	size_t ncells;

	c = fan_timeline_cells(t, of.cpu, &ncells);
	for (size_t i = 0; i < ncells; i++) {
		are_ordered &= i == 0 || c[i - 1].bin <= c[i].bin;
		if (c[i].key != of.key)
			continue;
		are_ordered &= got[c[i].bin] == 0;
		got[c[i].bin] = c[i].ns;
	}
	return are_ordered && naive_equal(t, got, s, n, of);
}

static void random_spans_are_where_they_were(void **state)
{
	static struct naive_stretch s[SPANS];
	const uint64_t seed = seeded_start();

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int run = 0; run < RUNS; run++) {
		struct fan_timeline *t = timeline();
		uint64_t random = seed + run;
		const size_t n = draw_spans(s, &random, t);

		for (int32_t cpu = 0; cpu < CPUS; cpu++)
			for (int32_t key = FAN_CPU_IDLE; key < KEYS; key++)
				if (!are_cells(t, s, n,
					       (struct naive_stretch){ .cpu = cpu, .key = key }))
					fail_msg("run %u: CPU %d, account %d", run, cpu, key);
		fan_timeline_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_span_is_cut_at_the_edges_of_bins),
		cmocka_unit_test(bins_double_when_the_trace_goes_on),
		cmocka_unit_test(what_comes_late_goes_to_its_bin),
		cmocka_unit_test(many_accounts_make_wider_bins),
		cmocka_unit_test(forced_idle_can_be_taken_back),
		cmocka_unit_test(time_of_a_core_counts_once),
		cmocka_unit_test(random_spans_are_where_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
