// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/model/facts: what stays of the lines about the recording and of counters. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analyze/model/facts.h"
#include "analyze/model/machine.h"
#include "analyze/model/threads.h"

struct told {
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_facts *facts;
};

static int see_span(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	(void)ctx;
	(void)span;
	(void)th;
	return 0;
}

static int start(void **state)
{
	struct told *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->threads = fan_threads_new();
	t->facts = fan_facts_new();
	assert_true(t->threads && t->facts);
	assert_int_equal(fan_machine_new(&t->machine, t->threads, see_span, NULL), 0);
	*state = t;
	return 0;
}

static int end(void **state)
{
	struct told *t = *state;

	fan_machine_free(t->machine);
	fan_facts_free(t->facts);
	fan_threads_free(t->threads);
	free(t);
	return 0;
}

static void tell(struct told *t, const char *text)
{
	struct fcap_marker line;
	char copy[128];

	assert_true(strlen(text) < sizeof(copy));
	snprintf(copy, sizeof(copy), "%s", text);
	assert_int_equal(fcap_marker_parse(copy, &line), 0);
	assert_int_equal(fan_facts_take(t->facts, t->machine, t->threads, &line, 1000), 0);
}

static const struct fan_task_fact *task_of(const struct told *t, int32_t tid)
{
	const int32_t thread = fan_threads_find(t->threads, tid);

	assert_true(thread >= 0);
	return fan_facts_task(t->facts, (size_t)thread);
}

static const struct fan_cgroup *cgroup_of(const struct told *t, const char *path)
{
	const int32_t i = fan_facts_cgroup(t->facts, path);

	assert_true(i >= 0);
	return &t->facts->cgroups[i];
}

static void the_state_of_core_scheduling_is_kept(void **state)
{
	struct told *t = *state;

	assert_int_equal(t->facts->core_sched, FCAP_CORE_UNKNOWN);
	assert_int_equal(t->facts->schedstats, -1);
	tell(t, "fcap: begin v=1 core_sched=not_ready schedstats=0");
	assert_int_equal(t->facts->core_sched, FCAP_CORE_NOT_READY);
	assert_int_equal(t->facts->schedstats, 0);
	tell(t, "fcap: begin v=1 core_sched=readable schedstats=1");
	assert_int_equal(t->facts->core_sched, FCAP_CORE_READABLE);
	assert_int_equal(t->facts->schedstats, 1);
}

static void older_recordings_and_strange_words_tell_no_state(void **state)
{
	struct told *t = *state;

	tell(t, "fcap: begin v=1 clock=mono");
	assert_int_equal(t->facts->core_sched, FCAP_CORE_UNKNOWN);
	assert_int_equal(t->facts->schedstats, -1);
	tell(t, "fcap: begin v=1 core_sched=perhaps schedstats=2");
	assert_int_equal(t->facts->core_sched, FCAP_CORE_UNKNOWN);
	assert_int_equal(t->facts->schedstats, -1);
}

static void a_begin_line_in_two_parts_is_one(void **state)
{
	struct told *t = *state;

	tell(t, "fcap: begin v=1 sample_ns=100 cpu_hierarchy=4 core_sched=absent schedstats=1");
	tell(t, "fcap: begin v=1 label.note=long");
	assert_int_equal(t->facts->sample_ns, 100);
	assert_int_equal(t->facts->hierarchy, 4);
	assert_int_equal(t->facts->core_sched, FCAP_CORE_ABSENT);
	assert_int_equal(t->facts->schedstats, 1);
	assert_int_equal(t->facts->nlabels, 1);
}

/* Told 1000, nothing, 2500, 4000: it grew by 3000. */
static void forced_idle_of_a_thread_is_kept_as_told_first_and_last(void **state)
{
	struct told *t = *state;

	tell(t, "fcap: steal tid=7 run=10 delay=5 n=1 forceidle=1000");
	assert_int_equal(task_of(t, 7)->forceidle_first_ns, 1000);
	assert_int_equal(task_of(t, 7)->forceidle_ns, 1000);
	tell(t, "fcap: steal tid=7 run=20 delay=5 n=2");
	tell(t, "fcap: steal tid=7 run=30 delay=5 n=3 forceidle=2500");
	tell(t, "fcap: steal tid=7 run=40 delay=5 n=4 forceidle=4000");
	assert_int_equal(task_of(t, 7)->forceidle_first_ns, 1000);
	assert_int_equal(task_of(t, 7)->forceidle_ns, 4000);
}

static void forced_idle_that_is_not_told_is_not_zero(void **state)
{
	struct told *t = *state;

	tell(t, "fcap: steal tid=7 run=10 delay=5 n=1");
	tell(t, "fcap: steal tid=8 run=10 delay=5 n=1 forceidle=0");
	tell(t, "fcap: steal tid=9 run=10 delay=5 n=1 forceidle=-3");
	assert_int_equal(task_of(t, 7)->forceidle_first_ns, -1);
	assert_int_equal(task_of(t, 7)->forceidle_ns, -1);
	assert_int_equal(task_of(t, 8)->forceidle_first_ns, 0);
	assert_int_equal(task_of(t, 8)->forceidle_ns, 0);
	assert_int_equal(task_of(t, 9)->forceidle_ns, -1);
	/* a thread that no line named */
	assert_int_equal(fan_facts_task(t->facts, 1000)->forceidle_first_ns, -1);
	assert_int_equal(fan_facts_task(t->facts, 1000)->forceidle_ns, -1);
}

static void counters_of_a_cgroup_are_kept_each_for_itself(void **state)
{
	struct told *t = *state;

	tell(t, "fcap: cg path=/a weight=100 scale=weight");
	assert_int_equal(cgroup_of(t, "/a")->throttled_first_ns, -1);
	assert_int_equal(cgroup_of(t, "/a")->forceidle_first_ns, -1);
	tell(t, "fcap: cg path=/a throttled_ns=50");
	tell(t, "fcap: cg path=/a throttled_ns=50 forceidle_ns=7000");
	tell(t, "fcap: cg path=/a throttled_ns=60 forceidle_ns=9000");
	assert_int_equal(cgroup_of(t, "/a")->throttled_first_ns, 50);
	assert_int_equal(cgroup_of(t, "/a")->throttled_ns, 60);
	assert_int_equal(cgroup_of(t, "/a")->forceidle_first_ns, 7000);
	assert_int_equal(cgroup_of(t, "/a")->forceidle_ns, 9000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_state_of_core_scheduling_is_kept, start, end),
		cmocka_unit_test_setup_teardown(older_recordings_and_strange_words_tell_no_state,
						start, end),
		cmocka_unit_test_setup_teardown(a_begin_line_in_two_parts_is_one, start, end),
		cmocka_unit_test_setup_teardown(
			forced_idle_of_a_thread_is_kept_as_told_first_and_last, start, end),
		cmocka_unit_test_setup_teardown(forced_idle_that_is_not_told_is_not_zero, start,
						end),
		cmocka_unit_test_setup_teardown(counters_of_a_cgroup_are_kept_each_for_itself,
						start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
