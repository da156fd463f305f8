// SPDX-License-Identifier: GPL-3.0-or-later
/* include/fcap/: what is printed and read again is the same, whatever it is. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fcap/cpulist.h"
#include "fcap/marker.h"
#include "fcap/num.h"
#include "tests/lib/seeded.h"

#define ROUNDS 20000

static int start(void **state)
{
	static uint64_t seed;

	seed = seeded_start();
	print_message("FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	*state = &seed;
	return 0;
}

/* Below n. */
static unsigned int any(uint64_t *seed, unsigned int n)
{
	return (unsigned int)(seeded_next(seed) % n);
}

/* Fewer than max bytes: of all kinds, or only of those that have a meaning in a line. */
static void fill(uint64_t *seed, char *ret, unsigned int max)
{
	static const char special[] = " =\"\\\nnx0fcap: A";
	const unsigned int len = any(seed, max);
	const bool is_odd = any(seed, 2);

	for (unsigned int i = 0; i < len; i++)
		ret[i] = is_odd ? special[any(seed, sizeof(special) - 1)]
				: (char)(1 + any(seed, 255));
	ret[len] = '\0';
}

static void assert_one_plain_line(const char *text)
{
	for (const char *p = text; *p; p++)
		assert_in_range((unsigned char)*p, ' ', '~');
}

static void any_values_survive_in_a_line(void **state)
{
	uint64_t *seed = *state;

	for (int round = 0; round < ROUNDS; round++) {
		char value[4][64];
		struct fcap_marker m;
		struct fcap_line l;

		fcap_line_begin(&l, "task");
		for (int i = 0; i < 4; i++) {
			const char key[] = { (char)('a' + i), '\0' };

			fill(seed, value[i], sizeof(value[i]));
			fcap_line_str(&l, key, value[i]);
		}
		assert_false(l.full);
		assert_one_plain_line(l.text);
		assert_int_equal(fcap_marker_parse(l.text, &m), 0);
		assert_int_equal(m.n, 4);
		for (int i = 0; i < 4; i++)
			assert_string_equal(m.kv[i].value, value[i]);
	}
}

/* Up to the first that is refused, and not beyond the end: each byte takes one to four of a line.
 */
static void a_line_holds_whole_values_or_says_that_it_is_full(void **state)
{
	uint64_t *seed = *state;

	for (int round = 0; round < 200; round++) {
		char value[64][256];
		struct fcap_marker m;
		struct fcap_line l;
		size_t n = 0;

		fcap_line_begin(&l, "task");
		while (n < 64 && !l.full) {
			fill(seed, value[n], sizeof(value[n]));
			fcap_line_str(&l, "k", value[n++]);
		}
		n -= l.full;
		assert_int_equal(strlen(l.text), l.len);
		assert_in_range(l.len, 0, FCAP_MARKER_MAX - 1);
		assert_int_equal(fcap_marker_parse(l.text, &m), 0);
		assert_int_equal(m.n, n);
		for (size_t i = 0; i < n; i++)
			assert_string_equal(m.kv[i].value, value[i]);
	}
}

/* As the kernel does: ranges, in order. */
static void print_list(const struct fcap_cpuset *set, char *ret, size_t size)
{
	size_t len = 0;

	ret[0] = '\0';
	for (unsigned int cpu = 0; cpu < FCAP_CPUS_MAX; cpu++) {
		const unsigned int first = cpu;

		if (!fcap_cpuset_has(set, cpu))
			continue;
		while (fcap_cpuset_has(set, cpu + 1))
			cpu++;
		len += (size_t)snprintf(ret + len, size - len, first == cpu ? "%s%u" : "%s%u-%u",
					len ? "," : "", first, cpu);
		assert_true(len < size);
	}
}

static void any_set_of_cpus_survives_as_a_list(void **state)
{
	uint64_t *seed = *state;

	for (int round = 0; round < 500; round++) {
		const unsigned int max = any(seed, 2) ? 16 : FCAP_CPUS_MAX;
		const unsigned int ranges = any(seed, 40);
		struct fcap_cpuset set = { { 0 } }, again;
		char text[1024];

		for (unsigned int i = 0; i < ranges; i++) {
			const unsigned int first = any(seed, max), n = 1 + any(seed, 8);

			for (unsigned int cpu = first; cpu < first + n && cpu < max; cpu++)
				fcap_cpuset_add(&set, cpu);
		}
		print_list(&set, text, sizeof(text) - 1);
		if (any(seed, 2))
			strcat(text, "\n");
		assert_int_equal(fcap_cpulist_parse(text, &again), 0);
		assert_memory_equal(&again, &set, sizeof(set));
	}
}

static void what_is_no_list_leaves_the_set_alone(void **state)
{
	static const char letters[] = "0123456789,,--\n x";
	uint64_t *seed = *state;
	int refused = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct fcap_cpuset set, before;
		char text[12];
		int r;

		for (size_t i = 0; i < sizeof(text) - 1; i++)
			text[i] = letters[any(seed, sizeof(letters) - 1)];
		text[any(seed, sizeof(text))] = '\0';
		memset(&set, 0x5a, sizeof(set));
		before = set;
		r = fcap_cpulist_parse(text, &set);
		refused += r < 0;
		if (r < 0)
			assert_memory_equal(&set, &before, sizeof(set));
		/* a comma has a range on either side; nothing follows a newline */
		if (r == 0)
			assert_false(text[0] == ',' || strstr(text, ",,") || strstr(text, ",\n") ||
				     (strchr(text, '\n') && strchr(text, '\n')[1]));
	}
	assert_in_range(refused, 1, ROUNDS - 1);
}

static void any_number_survives(void **state)
{
	uint64_t *seed = *state;

	for (int round = 0; round < ROUNDS; round++) {
		/* of all lengths */
		const uint64_t u = seeded_next(seed) >> any(seed, 64);
		const int64_t i = any(seed, 2) ? (int64_t)(u >> 1) : -(int64_t)(u >> 1);
		uint64_t u_again = ~u;
		int64_t i_again = ~i;
		char text[32];

		snprintf(text, sizeof(text), "%" PRIu64, u);
		assert_int_equal(fcap_parse_u64(text, 0, UINT64_MAX, &u_again), 0);
		assert_true(u_again == u);
		snprintf(text, sizeof(text), "%#" PRIx64, u);
		assert_int_equal(fcap_parse_u64(text, u, u, &u_again), 0);
		snprintf(text, sizeof(text), "%" PRId64, i);
		assert_int_equal(fcap_parse_i64(text, INT64_MIN, INT64_MAX, &i_again), 0);
		assert_true(i_again == i);
		strcat(text, any(seed, 2) ? " " : "-");
		assert_int_equal(fcap_parse_i64(text, INT64_MIN, INT64_MAX, &i_again), -EINVAL);
	}
}

/* Up to 2^53 a double has every whole number. */
static void whole_durations_and_sizes_are_exact(void **state)
{
	static const struct fcap_unit ns[] = { { "ns", 1 },	     { "us", 1000 },
					       { "ms", 1000000 },    { "s", 1000000000 },
					       { "m", 60000000000 }, { "h", 3600000000000 } };
	static const struct fcap_unit bytes[] = {
		{ "B", 1 }, { "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 }
	};
	uint64_t *seed = *state;

	for (int round = 0; round < ROUNDS; round++) {
		const struct fcap_unit *t = &ns[any(seed, 6)], *b = &bytes[any(seed, 4)];
		const uint64_t n = seeded_next(seed) >> 11 >> any(seed, 53);
		uint64_t v = 0;
		char text[32];

		if (n > (1ULL << 53) / t->factor)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64 "%s", n, t->name);
		assert_int_equal(fcap_parse_ns(text, &v), 0);
		assert_true(v == n * t->factor);
		snprintf(text, sizeof(text), "%" PRIu64 "%s", n % 8388608, b->name);
		assert_int_equal(fcap_parse_size(text, &v), 0);
		assert_true(v == n % 8388608 * b->factor);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_values_survive_in_a_line),
		cmocka_unit_test(a_line_holds_whole_values_or_says_that_it_is_full),
		cmocka_unit_test(any_set_of_cpus_survives_as_a_list),
		cmocka_unit_test(what_is_no_list_leaves_the_set_alone),
		cmocka_unit_test(any_number_survives),
		cmocka_unit_test(whole_durations_and_sizes_are_exact),
	};

	return cmocka_run_group_tests(tests, start, NULL);
}
