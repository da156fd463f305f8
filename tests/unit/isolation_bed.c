// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Isolation on recordings of a really core-scheduled kernel (tests/data/bed), whose CPUs 0 and 1,
 * and 2 and 3, are siblings. What is wanted was counted from the text of trace-cmd report, for each
 * core by itself, by a script that shares nothing with the model.
 */
#include <stdio.h>

#include "tests/unit/isolated.h"

#define TOLERANCE_NS 60000000ULL /* the CPUs of that host are emulated, one after the other */

static struct fan_model *read_bed(const char *name, const char *siblings)
{
	const char *data = getenv("FCAP_TEST_DATA");
	struct fan_file *file = NULL;
	struct fcap_err err = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s/bed/%s", data && *data ? data : "tests/data", name);
	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	return isolation_of_file(file, siblings,
				 (struct fan_model_options){ .tolerance_ns = TOLERANCE_NS });
}

/* Every class of every core together is the time of the trace. */
static void assert_whole(const struct fan_model *m)
{
	for (size_t k = 0; k < m->cores->n; k++) {
		const struct fan_core_time *t = fan_isolation_core(m->isolation, k);
		uint64_t sum = 0, vm = 0;

		for (size_t i = 0; i < FAN_CORE_CLASSES; i++)
			sum += t->ns[i];
		for (size_t i = 0; i < t->nparties; i++)
			vm += t->party_ns[i];
		assert_int_equal(sum, m->end_ns - m->start_ns);
		assert_int_equal(vm, t->ns[FAN_CORE_VM]);
	}
}

/*
 * Core 0-1: 129 violations, 1182276745 ns; 468856321 ns of transition, and one re-entry 33107 ns
 * before the end of its pairing, 6673997 ns after its begin: an interrupt's way, all transition.
 * Core 2-3: 131 violations, 1434467244 ns; transition 368741748 ns, and of three such pairings
 * 4037777 + 17235, 7025719 + 3228 and 7100668 + 27234 ns.
 * Together 2616743989 ns in 260, and 837598069 + 24838161 + 80804 ns.
 */
static void without_cookies_most_pairings_are_violations(void **state)
{
	struct fan_model *m = read_bed("bed-coresched-off.dat", "0-1;2-3");
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);
	const struct fan_mixed_pair *pair;

	(void)state;
	assert_int_equal(vm->violation_ns, 2616743989);
	assert_int_equal(vm->transition_ns, 862517034);
	assert_int_equal(vm->unresolved_ns, 0);
	assert_int_equal(vm->possible_ns, 0);
	assert_int_equal(vm->co_run_ns, 2948070222 + 3026339577);
	assert_int_equal(vm->pairings, 320);
	assert_int_equal(vm->reentered, 260);
	assert_int_equal(vm->violations.n, 260);
	assert_int_equal(vm->violations.sum, 2616743989);
	assert_int_equal(fan_isolation_pairs(m->isolation, FAN_LEVEL_VM, &pair), 1);
	assert_int_equal(pair->violation_ns, 2616743989);
	assert_int_equal(pair->transition_ns, 862517034);
	assert_int_equal(pair->violations, 260);
	assert_int_equal(fan_isolation_level(m->isolation, FAN_LEVEL_COOKIE)->pairings, 0);
	assert_whole(m);
	fan_model_free(m);
}

/* Core 0-1: 2 violations, 4209638 ns; transition 111858414. Core 2-3: 2, 7538913; 74700016. */
static void with_cookies_there_are_four_short_violations(void **state)
{
	struct fan_model *m = read_bed("bed-coresched-on.dat", "0-1;2-3");
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);
	const struct fan_mixed *first;

	(void)state;
	assert_int_equal(vm->violation_ns, 11748551);
	assert_int_equal(vm->transition_ns, 186558430);
	assert_int_equal(vm->unresolved_ns, 0);
	assert_int_equal(vm->co_run_ns, 2348092751 + 2680111760);
	assert_int_equal(vm->pairings, 105);
	assert_int_equal(vm->reentered, 4);
	assert_int_equal(fan_isolation_first(m->isolation, FAN_LEVEL_VM, &first), 4);
	for (size_t i = 1; i < 4; i++)
		assert_true(first[i - 1].ts_ns < first[i].ts_ns);
	assert_whole(m);
	fan_model_free(m);
}

static void one_core_with_cookies_has_transitions_only(void **state)
{
	struct fan_model *m = read_bed("bed1-coresched-on.dat", "0-1");
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);

	(void)state;
	assert_int_equal(vm->violation_ns, 0);
	assert_int_equal(vm->transition_ns, 54448610);
	assert_int_equal(vm->co_run_ns, 2978553078);
	assert_int_equal(vm->pairings, 759);
	assert_whole(m);
	fan_model_free(m);
}

/* Both versions of a file hold the same events. */
static void compressed_files_tell_the_same(void **state)
{
	struct fan_model *m = read_bed("bed-coresched-on-v6.dat", "0-1;2-3");
	const struct fan_mixing *vm = fan_isolation_level(m->isolation, FAN_LEVEL_VM);

	(void)state;
	assert_int_equal(vm->violation_ns, 11748551);
	assert_int_equal(vm->transition_ns, 186558430);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_cookies_most_pairings_are_violations),
		cmocka_unit_test(with_cookies_there_are_four_short_violations),
		cmocka_unit_test(one_core_with_cookies_has_transitions_only),
		cmocka_unit_test(compressed_files_tell_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
