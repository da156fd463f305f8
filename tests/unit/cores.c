// SPDX-License-Identifier: GPL-3.0-or-later
/* Which CPUs are of one core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/model/cores.h"

static void take(struct fan_cores *c, const char *text)
{
	char copy[200];
	struct fcap_marker line;

	snprintf(copy, sizeof(copy), "%s", text);
	assert_int_equal(fcap_marker_parse(copy, &line), 0);
	assert_int_equal(fan_cores_take(c, &line), 0);
}

static void assert_core(const struct fan_cores *c, int32_t cpu, const char *want)
{
	const struct fan_core *core = fan_core_of(c, cpu);
	char got[100] = "";

	for (size_t i = 0; core && i < core->n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%d", i ? "," : "",
			 core->cpus[i]);
	assert_string_equal(got, want);
}

static void siblings_may_be_neighbours_or_far_apart(void **state)
{
	struct fan_cores *c = fan_cores_new(NULL, 0);

	(void)state;
	take(c, "fcap: cpu id=0 core=0 siblings=0,2");
	assert_true(c->has_smt);
	take(c, "fcap: cpu id=1 core=1 siblings=1,3");
	take(c, "fcap: cpu id=2 core=0 siblings=0,2");
	take(c, "fcap: cpu id=4 core=2 siblings=4-11");
	assert_int_equal(c->n, 3);
	assert_core(c, 2, "0,2");
	assert_core(c, 1, "1,3");
	assert_core(c, 7, "4,5,6,7,8,9,10,11");
	assert_core(c, 12, "");
	assert_core(c, -1, "");
	assert_null(fan_core_of(c, INT32_MAX));
	fan_cores_free(c);
}

static void a_cpu_without_siblings_is_a_core_and_no_smt(void **state)
{
	struct fan_cores *c = fan_cores_new(NULL, 0);

	(void)state;
	take(c, "fcap: cpu id=0 siblings=0");
	/* it is a sibling of itself, said or not */
	take(c, "fcap: cpu id=1 siblings=");
	assert_int_equal(c->n, 2);
	assert_false(c->has_smt);
	assert_core(c, 1, "1");
	fan_cores_free(c);
}

static void lines_that_contradict_or_say_nothing_change_nothing(void **state)
{
	struct fan_cores *c = fan_cores_new(NULL, 0);

	(void)state;
	take(c, "fcap: cpu id=0 siblings=0-1");
	take(c, "fcap: cpu id=1 siblings=1-2");
	take(c, "fcap: cpu id=2 siblings=0-2");
	take(c, "fcap: cpu id=3");
	take(c, "fcap: cpu id=4 siblings=x");
	take(c, "fcap: cpu id=-1 siblings=5-6");
	take(c, "fcap: steal id=7 siblings=7-8");
	assert_int_equal(c->n, 2);
	assert_core(c, 1, "0,1");
	assert_core(c, 2, "2");
	assert_core(c, 7, "");
	fan_cores_free(c);
}

static void assert_told(const struct fan_cores *c, size_t i, const char *want)
{
	struct fcap_cpuset set;

	assert_true(i < c->ntold);
	assert_int_equal(fcap_cpulist_parse(want, &set), 0);
	assert_memory_equal(&c->told[i], &set, sizeof(set));
}

/* Once a CPU comes on, the list is longer; once it goes off, shorter. */
static void lists_that_grow_are_kept_beside_what_was_told_first(void **state)
{
	struct fan_cores *c = fan_cores_new(NULL, 0);
	unsigned int changes;

	(void)state;
	take(c, "fcap: cpu id=0 siblings=0");
	take(c, "fcap: cpu id=1 siblings=1");
	take(c, "fcap: cpu id=1 siblings=1,3");
	take(c, "fcap: cpu id=3 siblings=1,3");
	assert_core(c, 1, "1");
	assert_core(c, 3, "3");
	assert_int_equal(c->ntold, 2);
	assert_told(c, 0, "0");
	assert_told(c, 1, "1,3");
	changes = c->changes;
	assert_int_equal(changes, 3);
	/* nothing new: shorter, the same, at odds with what was told, not in its own list */
	take(c, "fcap: cpu id=1 siblings=1");
	take(c, "fcap: cpu id=0 siblings=0");
	take(c, "fcap: cpu id=0 siblings=0,3");
	take(c, "fcap: cpu id=3 siblings=0-1");
	assert_int_equal(c->ntold, 2);
	assert_int_equal(c->changes, changes);
	fan_cores_free(c);
}

static void what_the_user_gives_goes_before_the_trace(void **state)
{
	struct fcap_cpuset given[2];
	struct fan_cores *c;

	(void)state;
	assert_int_equal(fcap_cpulist_parse("0,8191", &given[0]), 0);
	assert_int_equal(fcap_cpulist_parse("1-2", &given[1]), 0);
	c = fan_cores_new(given, 2);
	take(c, "fcap: cpu id=3 siblings=3-4");
	assert_int_equal(c->n, 2);
	assert_true(c->has_smt);
	assert_core(c, 8191, "0,8191");
	assert_core(c, 1, "1,2");
	assert_core(c, 3, "");
	fan_cores_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siblings_may_be_neighbours_or_far_apart),
		cmocka_unit_test(a_cpu_without_siblings_is_a_core_and_no_smt),
		cmocka_unit_test(lines_that_contradict_or_say_nothing_change_nothing),
		cmocka_unit_test(lists_that_grow_are_kept_beside_what_was_told_first),
		cmocka_unit_test(what_the_user_gives_goes_before_the_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
