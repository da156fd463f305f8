// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/trigger_history and trigger_state: the lines that a file needs which begins late. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "capture/trigger_history.h"
#include "tests/unit/capture_lines.h"

struct bench {
	struct cap_history *h;
	struct kept k; /* "STAMP TEXT" */
};

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	*state = b;
	return b ? cap_history_open(&b->h, 100) : -1;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	kept_clear(&b->k);
	cap_history_close(b->h);
	free(b);
	return 0;
}

static int keep(void *ctx, uint64_t ts_ns, const char *text)
{
	char line[4096];

	snprintf(line, sizeof(line), "%" PRIu64 " %s", ts_ns, text);
	return keep_line(ctx, line);
}

static void add(struct bench *b, uint64_t ts_ns, const char *text)
{
	assert_int_equal(cap_history_add(b->h, ts_ns, text), 0);
}

static void tell(struct bench *b, uint64_t from_ns)
{
	kept_clear(&b->k);
	assert_int_equal(cap_history_tell(b->h, from_ns, keep, &b->k), 0);
}

static void lines_of_the_kept_time_come_back_as_they_were(void **state)
{
	struct bench *b = *state;

	add(b, 10, "fcap: task tid=5 tgid=5 comm=\"a b\"");
	add(b, 20, "fcap: steal tid=5 run=1 delay=2 n=3");
	add(b, 110, "fcap: steal tid=5 run=2 delay=2 n=3");
	tell(b, 0);
	assert_int_equal(b->k.n, 3);
	assert_string_equal(b->k.line[0], "10 fcap: task tid=5 tgid=5 comm=\"a b\"");
	assert_string_equal(b->k.line[1], "20 fcap: steal tid=5 run=1 delay=2 n=3");
	assert_string_equal(b->k.line[2], "110 fcap: steal tid=5 run=2 delay=2 n=3");
}

static void of_moments_before_the_beginning_nothing_is_told(void **state)
{
	struct bench *b = *state;

	add(b, 10, "fcap: steal tid=5 run=1 delay=2 n=3");
	add(b, 20, "fcap: cg path=/a weight=7");
	add(b, 30, "fcap: steal tid=5 run=2 delay=2 n=3");
	tell(b, 30);
	assert_int_equal(b->k.n, 2);
	assert_string_equal(b->k.line[0], "20 fcap: cg path=/a weight=7");
	assert_string_equal(b->k.line[1], "30 fcap: steal tid=5 run=2 delay=2 n=3");
}

static void old_lines_become_the_state_that_they_left(void **state)
{
	struct bench *b = *state;

	add(b, 10, "fcap: begin v=1 clock=mono");
	add(b, 10, "fcap: begin v=1 label.x=\"a b\"");
	add(b, 11, "fcap: cg path=/a weight=7 quota=max");
	add(b, 12, "fcap: group kind=vm tgid=5 name=vm1");
	add(b, 12, "fcap: group kind=vm tgid=6 name=vm2");
	add(b, 13, "fcap: machine smt=on boost=1");
	add(b, 14, "fcap: machine smt=off");
	add(b, 20, "fcap: cg path=/a weight=9");
	add(b, 21, "fcap: host cpu=0 steal=1");
	add(b, 122, "fcap: steal tid=5 run=1 delay=2 n=3"); /* 100 after 22 */
	tell(b, 0);
	assert_int_equal(b->k.n, 6);
	assert_string_equal(b->k.line[0], "21 fcap: begin v=1 clock=mono label.x=\"a b\"");
	assert_string_equal(b->k.line[1], "21 fcap: cg path=/a weight=9 quota=max");
	assert_string_equal(b->k.line[2], "21 fcap: group kind=vm tgid=5 name=vm1");
	assert_string_equal(b->k.line[3], "21 fcap: group kind=vm tgid=6 name=vm2");
	assert_string_equal(b->k.line[4], "21 fcap: machine smt=off boost=1");
	assert_string_equal(b->k.line[5], "122 fcap: steal tid=5 run=1 delay=2 n=3");
}

static void another_thread_of_an_old_number_inherits_nothing(void **state)
{
	struct bench *b = *state;

	add(b, 10, "fcap: task tid=5 tgid=4 comm=old rt_priority=3");
	add(b, 20, "fcap: task tid=5 tgid=5 comm=new");
	add(b, 200, "fcap: cpus online=0-1");
	tell(b, 0);
	assert_int_equal(b->k.n, 2);
	assert_string_equal(b->k.line[0], "20 fcap: task tid=5 tgid=5 comm=new");
}

static void what_is_held_does_not_become_state(void **state)
{
	struct bench *b = *state;

	add(b, 10, "fcap: steal tid=5 run=1 delay=2 n=3");
	cap_history_hold(b->h, true);
	add(b, 1000, "fcap: cpus online=0-1");
	tell(b, 0);
	assert_int_equal(b->k.n, 2);
	cap_history_hold(b->h, false);
	add(b, 1001, "fcap: cpus online=0");
	tell(b, 0);
	assert_int_equal(b->k.n, 2);
	assert_string_equal(b->k.line[0], "1000 fcap: cpus online=0-1");
}

static void ended_threads_are_forgotten_when_no_event_of_theirs_is_kept(void **state)
{
	struct bench *b = *state;
	struct cap_tasks tasks = { 0 };

	assert_non_null(cap_tasks_put(&tasks, 5, 5));
	add(b, 10, "fcap: task tid=5 tgid=5 comm=lives");
	add(b, 10, "fcap: task tid=6 tgid=6 comm=ended");
	add(b, 10, "fcap: vcpu tid=6 tgid=6 id=0");
	add(b, 10, "fcap: group kind=vm tgid=6 name=vm1");
	add(b, 200, "fcap: cpus online=0-1");
	cap_history_forget(b->h, &tasks, 200);
	cap_history_forget(b->h, &tasks, 300); /* not for more than 100 */
	tell(b, 0);
	assert_int_equal(b->k.n, 5);
	cap_history_forget(b->h, &tasks, 301);
	tell(b, 0);
	assert_int_equal(b->k.n, 2);
	assert_string_equal(b->k.line[0], "10 fcap: task tid=5 tgid=5 comm=lives");
	cap_tasks_clear(&tasks);
}

static void stamps_never_fall(void **state)
{
	struct bench *b = *state;

	add(b, 50, "fcap: cpus online=0-1");
	add(b, 40, "fcap: cpus online=0");
	tell(b, 0);
	assert_string_equal(b->k.line[1], "50 fcap: cpus online=0");
}

static int refuse(void *ctx, uint64_t ts_ns, const char *text)
{
	(void)ctx;
	(void)ts_ns;
	(void)text;
	return -ENOSPC;
}

static void the_error_of_who_is_told_comes_back(void **state)
{
	struct bench *b = *state;

	add(b, 50, "fcap: cpus online=0-1");
	assert_int_equal(cap_history_tell(b->h, 0, refuse, NULL), -ENOSPC);
}

static void thousands_of_lines_pass_through(void **state)
{
	struct bench *b = *state;
	char text[64];

	for (uint64_t i = 1; i <= 5000; i++) {
		snprintf(text, sizeof(text), "fcap: task tid=%d tgid=1 n=%" PRIu64,
			 (int)(i % 10) + 1, i);
		add(b, i, text);
	}
	tell(b, 0);
	/* 4900 to 5000 are kept, and of ten threads the state: 4890 to 4899 told it last */
	assert_int_equal(b->k.n, 10 + 101);
	assert_string_equal(b->k.line[0], "4899 fcap: task tid=2 tgid=1 n=4891");
	assert_string_equal(b->k.line[9], "4899 fcap: task tid=1 tgid=1 n=4890");
	assert_string_equal(b->k.line[10], "4900 fcap: task tid=1 tgid=1 n=4900");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(lines_of_the_kept_time_come_back_as_they_were),
		TEST(of_moments_before_the_beginning_nothing_is_told),
		TEST(old_lines_become_the_state_that_they_left),
		TEST(another_thread_of_an_old_number_inherits_nothing),
		TEST(what_is_held_does_not_become_state),
		TEST(ended_threads_are_forgotten_when_no_event_of_theirs_is_kept),
		TEST(stamps_never_fall),
		TEST(the_error_of_who_is_told_comes_back),
		TEST(thousands_of_lines_pass_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
