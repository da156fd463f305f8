// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/packing: what --compress takes and what is said of sizes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "capture/amount.h"
#include "capture/packing.h"

static void a_level_is_1_to_19_and_3_if_not_given(void **state)
{
	struct cap_packing p = { 0, 0 };

	(void)state;
	assert_int_equal(cap_packing_parse(NULL, &p, NULL), 0);
	assert_int_equal(p.level, 3);
	assert_int_equal(cap_packing_parse("1", &p, NULL), 0);
	assert_int_equal(p.level, 1);
	assert_int_equal(cap_packing_parse("19", &p, NULL), 0);
	assert_int_equal(p.level, 19);
}

static void nonsense_is_refused_with_what_was_given(void **state)
{
	static const char *const bad[] = { "", "0", "20", "-1", "3x", "fast", " 3", "3.5", "1e1" };
	struct cap_packing p = { 5, 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fcap_err err = { 0 };

		assert_int_equal(cap_packing_parse(bad[i], &p, &err), -EINVAL);
		assert_int_equal(p.level, 5);
		assert_non_null(strstr(err.text, bad[i]));
		assert_non_null(strstr(err.text, ": give a level from 1 to 19"));
	}
}

/* With one CPU allowed it is one thread, whatever the machine has. */
static void there_are_as_many_threads_as_cpus_that_may_be_used(void **state)
{
	struct cap_packing p = { 3, 0 };
	cpu_set_t before, one;
	int cpu = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(cap_packing_threads(&p), CPU_COUNT(&before) < 8 ? CPU_COUNT(&before) : 8);
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(cap_packing_threads(&p), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	p.threads = 5;
	assert_int_equal(cap_packing_threads(&p), 5);
}

static void the_size_is_told_of_what_was_compressed(void **state)
{
	char text[64];

	(void)state;
	cap_packing_tell(3449999, text, sizeof(text));
	assert_string_equal(text, " compressed to 3.4 MB");
	cap_packing_tell(0, text, sizeof(text));
	assert_string_equal(text, "");
}

static void assert_amount(uint64_t bytes, const char *text)
{
	char got[32];

	cap_print_bytes(bytes, got, sizeof(got));
	assert_string_equal(got, text);
}

static void small_files_are_told_in_smaller_units(void **state)
{
	(void)state;
	assert_amount(2949999, "2.9 MB");
	assert_amount(100000, "0.1 MB");
	assert_amount(99949, "99.9 kB");
	assert_amount(1000, "1.0 kB");
	assert_amount(999, "999 B");
	assert_amount(0, "0 B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_level_is_1_to_19_and_3_if_not_given),
		cmocka_unit_test(nonsense_is_refused_with_what_was_given),
		cmocka_unit_test(there_are_as_many_threads_as_cpus_that_may_be_used),
		cmocka_unit_test(the_size_is_told_of_what_was_compressed),
		cmocka_unit_test(small_files_are_told_in_smaller_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
