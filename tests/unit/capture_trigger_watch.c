// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/trigger_watch: counters, worked out by hand, against limits. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "capture/trigger_watch.h"

#define MS 1000000ULL

struct fired {
	size_t n;
	bool refuses;
	struct cap_crossing last;
	char vm[128];
};

struct bench {
	struct cap_watch *watch;
	struct cap_rule rule[2];
	struct fired fired;
	uint64_t at_ms;
};

static bool note(void *ctx, const struct cap_crossing *c)
{
	struct fired *f = ctx;

	f->n++;
	f->last = *c;
	snprintf(f->vm, sizeof(f->vm), "%s", c->vm);
	return !f->refuses;
}

static void begin_with(struct bench *b, const char *first, const char *second)
{
	assert_int_equal(cap_rule_parse(&b->rule[0], first, NULL), 0);
	if (second)
		assert_int_equal(cap_rule_parse(&b->rule[1], second, NULL), 0);
	assert_int_equal(cap_watch_open(&b->watch, b->rule, second ? 2 : 1), 0);
	b->at_ms = 5000;
}

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct bench));
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	cap_watch_close(b->watch);
	free(b);
	return 0;
}

/* A sample 100 ms after the last one. */
static void next(struct bench *b)
{
	b->at_ms += 100;
	cap_watch_begin(b->watch, b->at_ms * MS);
}

static void vcpu(struct bench *b, const char *vm, pid_t tid, uint64_t delay_ms)
{
	const struct cap_watched t = { vm, tid, 7, true, delay_ms * MS };

	assert_int_equal(cap_watch_count(b->watch, &t), 0);
}

static void helper(struct bench *b, const char *vm, pid_t tid, uint64_t delay_ms)
{
	const struct cap_watched t = { vm, tid, 7, false, delay_ms * MS };

	assert_int_equal(cap_watch_count(b->watch, &t), 0);
}

static size_t end(struct bench *b)
{
	const size_t before = b->fired.n;

	assert_int_equal(cap_watch_end(b->watch, note, &b->fired), 0);
	return b->fired.n - before;
}

/* One sample of a VM with a single vCPU. */
static size_t one(struct bench *b, uint64_t delay_ms)
{
	next(b);
	vcpu(b, "vm1", 11, delay_ms);
	return end(b);
}

static void steal_is_the_delay_of_vcpus_in_span_times_vcpus(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	/* two vCPUs with 1000 and 2000 ms before; a helper does not count */
	next(b);
	vcpu(b, "vm1", 11, 1000);
	vcpu(b, "vm1", 12, 2000);
	helper(b, "vm1", 13, 0);
	assert_int_equal(end(b), 0);
	next(b);
	vcpu(b, "vm1", 11, 1040);
	vcpu(b, "vm1", 12, 2000);
	helper(b, "vm1", 13, 90);
	assert_int_equal(end(b), 0); /* no span yet */
	next(b);
	vcpu(b, "vm1", 11, 1090);
	vcpu(b, "vm1", 12, 2010);
	helper(b, "vm1", 13, 180);
	/* 90 + 10 of 2 * 200 ms: 25 % */
	assert_int_equal(end(b), 1);
	assert_int_equal(b->fired.last.value_ppm, 250000);
	assert_int_equal(b->fired.last.at_ns, 5300 * MS);
	assert_string_equal(b->fired.vm, "vm1");
	assert_ptr_equal(b->fired.last.rule, &b->rule[0]);
}

static void wait_is_the_delay_of_all_threads_in_a_span(void **state)
{
	struct bench *b = *state;

	begin_with(b, "wait>120%/200ms", NULL);
	next(b);
	vcpu(b, "vm1", 11, 0);
	helper(b, "vm1", 13, 0);
	end(b);
	next(b);
	vcpu(b, "vm1", 11, 90);
	helper(b, "vm1", 13, 60);
	end(b);
	next(b);
	vcpu(b, "vm1", 11, 180);
	helper(b, "vm1", 13, 80);
	/* 180 + 80 of 200 ms: 130 % */
	assert_int_equal(end(b), 1);
	assert_int_equal(b->fired.last.value_ppm, 1300000);
}

static void a_value_at_the_limit_does_not_cross_it(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	one(b, 0);
	one(b, 20);
	assert_int_equal(one(b, 40), 0); /* 40 of 200 ms */
	assert_int_equal(cap_watch_highest(b->watch, 0)->ppm, 200000);
	assert_int_equal(one(b, 61), 1); /* 41 of 200 ms */
}

static void a_rule_fires_again_only_after_a_calm_span(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	one(b, 0);
	one(b, 50);
	assert_int_equal(one(b, 100), 1); /* 100 of 200 */
	assert_int_equal(one(b, 150), 0); /* still above */
	assert_int_equal(one(b, 150), 0); /* 50 of 200: above */
	assert_int_equal(one(b, 150), 0); /* 0: calm since now */
	assert_int_equal(one(b, 200),
			 0); /* 50 of 200: above again, and it has not been calm long */
	assert_int_equal(one(b, 200), 0); /* 25 % */
	assert_int_equal(one(b, 200), 0); /* 0: calm since now */
	assert_int_equal(one(b, 200), 0);
	assert_int_equal(one(b, 200), 0); /* for 200 ms */
	assert_int_equal(one(b, 250), 1); /* 50 of 200 */
}

static void a_counter_that_steps_back_adds_nothing(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	one(b, 500);
	one(b, 505);
	assert_int_equal(one(b, 3), 0);
	/* what the step hid is unknown, and so its 100 ms do not count: since the sample with 505
	 * 30 of 100 ms */
	assert_int_equal(one(b, 33), 1);
	assert_int_equal(b->fired.last.value_ppm, 300000);
}

static void a_thread_that_appears_counts_from_its_second_sample_on(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	one(b, 0);
	one(b, 0);
	next(b);
	vcpu(b, "vm1", 11, 0);
	vcpu(b, "vm1", 12, 900); /* whatever it has waited before */
	assert_int_equal(end(b), 0);
	assert_int_equal(cap_watch_highest(b->watch, 0)->ppm, 0);
	next(b);
	vcpu(b, "vm1", 11, 0);
	vcpu(b, "vm1", 12, 975);
	/* 75 of 200 + 100 ms */
	assert_int_equal(end(b), 1);
	assert_int_equal(b->fired.last.value_ppm, 250000);
}

static void a_thread_that_vanishes_takes_its_room_with_it(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	next(b);
	vcpu(b, "vm1", 11, 0);
	vcpu(b, "vm1", 12, 0);
	end(b);
	next(b);
	vcpu(b, "vm1", 11, 30);
	vcpu(b, "vm1", 12, 0);
	end(b);
	/* 60 of 200 + 100 ms: 20 %, not more */
	assert_int_equal(one(b, 60), 0);
	/* 60 of 200 ms, all that is left */
	assert_int_equal(one(b, 90), 1);
	assert_int_equal(b->fired.last.value_ppm, 300000);
}

static void another_thread_of_an_old_number_begins_anew(void **state)
{
	struct bench *b = *state;
	struct cap_watched t = { "vm1", 11, 8, true, 700 * MS };

	begin_with(b, "steal>20%/200ms", NULL);
	one(b, 0);
	one(b, 0);
	next(b);
	assert_int_equal(cap_watch_count(b->watch, &t), 0);
	assert_int_equal(end(b), 0);
	assert_int_equal(cap_watch_highest(b->watch, 0)->ppm, 0);
}

static void a_vm_that_was_away_begins_anew(void **state)
{
	struct bench *b = *state;

	begin_with(b, "wait>10%/200ms", NULL);
	one(b, 0);
	one(b, 50);
	assert_int_equal(one(b, 90), 1);
	next(b);
	assert_int_equal(end(b), 0); /* away */
	assert_int_equal(one(b, 900), 0);
	assert_int_equal(one(b, 950), 0);
	assert_int_equal(one(b, 1000), 1); /* 100 of 200 ms, and it may fire again */
	assert_int_equal(b->fired.last.value_ppm, 500000);
}

static void vms_and_rules_are_judged_each_by_itself(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", "vm2:steal>60%/200ms");
	for (uint64_t i = 0; i < 2; i++) {
		next(b);
		vcpu(b, "vm1", 11, 80 * i);
		vcpu(b, "vm2", 21, 50 * i);
		assert_int_equal(end(b), 0);
	}
	next(b);
	vcpu(b, "vm1", 11, 160);
	vcpu(b, "vm2", 21, 100);
	/* vm1 80 %, vm2 50 %: the first rule for both, the second for none */
	assert_int_equal(end(b), 2);
	assert_string_equal(cap_watch_highest(b->watch, 0)->vm, "vm1");
	assert_int_equal(cap_watch_highest(b->watch, 0)->ppm, 800000);
	assert_string_equal(cap_watch_highest(b->watch, 1)->vm, "vm2");
	assert_int_equal(cap_watch_highest(b->watch, 1)->ppm, 500000);
	next(b);
	vcpu(b, "vm1", 11, 240);
	vcpu(b, "vm2", 21, 200);
	assert_int_equal(end(b), 1); /* 150 of 200 ms */
	assert_string_equal(b->fired.vm, "vm2");
	assert_ptr_equal(b->fired.last.rule, &b->rule[1]);
}

static void a_crossing_that_is_refused_is_told_again_while_it_lasts(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	b->fired.refuses = true;
	one(b, 0);
	one(b, 50);
	assert_int_equal(one(b, 100), 1);
	assert_false(b->fired.last.is_again);
	assert_int_equal(one(b, 150), 1);
	assert_true(b->fired.last.is_again);
	b->fired.refuses = false;
	assert_int_equal(one(b, 200), 1);
	assert_true(b->fired.last.is_again);
	assert_int_equal(one(b, 250), 0); /* it was taken */
}

static void a_crossing_that_was_refused_and_is_over_is_another_one(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	b->fired.refuses = true;
	one(b, 0);
	one(b, 50);
	assert_int_equal(one(b, 100), 1);
	assert_int_equal(one(b, 100), 1); /* 50 of 200 */
	assert_int_equal(one(b, 100), 0);
	assert_int_equal(one(b, 150), 1); /* nothing was taken: it need not be calm for long */
	assert_false(b->fired.last.is_again);
}

static void a_name_stands_for_those_with_a_number_behind_it(void **state)
{
	struct bench *b = *state;

	begin_with(b, "vm1:steal>20%/200ms", NULL);
	for (uint64_t i = 0; i < 3; i++) {
		next(b);
		vcpu(b, "vm1#2", 11, 50 * i);
		vcpu(b, "vm10", 21, 100 * i);
		assert_int_equal(end(b), i == 2);
	}
	assert_string_equal(b->fired.vm, "vm1#2");
}

static void a_late_sample_makes_the_span_longer_not_the_value_larger(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/200ms", NULL);
	one(b, 0);
	one(b, 0);
	b->at_ms += 300; /* 400 ms after the one before, during which 80 ms were waited */
	assert_int_equal(one(b, 80), 0);
	assert_int_equal(cap_watch_highest(b->watch, 0)->ppm, 200000);
}

static void without_a_whole_span_nothing_is_known(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/1s", NULL);
	for (uint64_t i = 0; i < 10; i++)
		assert_int_equal(one(b, 100 * i), 0); /* the last one 900 ms after the first */
	assert_false(cap_watch_highest(b->watch, 0)->is_known);
	assert_int_equal(one(b, 1000), 1);
	assert_int_equal(b->fired.last.value_ppm, 1000000);
}

static void old_samples_are_let_go_and_the_span_stays_right(void **state)
{
	struct bench *b = *state;

	begin_with(b, "steal>20%/300ms", NULL);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(one(b, 0), 0);
	assert_int_equal(one(b, 60), 0); /* 20 % of 300 ms */
	assert_int_equal(one(b, 70), 1); /* 70 of 300 ms */
	assert_int_equal(b->fired.last.value_ppm, 233333);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(steal_is_the_delay_of_vcpus_in_span_times_vcpus),
		TEST(wait_is_the_delay_of_all_threads_in_a_span),
		TEST(a_value_at_the_limit_does_not_cross_it),
		TEST(a_rule_fires_again_only_after_a_calm_span),
		TEST(a_counter_that_steps_back_adds_nothing),
		TEST(a_thread_that_appears_counts_from_its_second_sample_on),
		TEST(a_thread_that_vanishes_takes_its_room_with_it),
		TEST(another_thread_of_an_old_number_begins_anew),
		TEST(a_vm_that_was_away_begins_anew),
		TEST(vms_and_rules_are_judged_each_by_itself),
		TEST(a_crossing_that_is_refused_is_told_again_while_it_lasts),
		TEST(a_crossing_that_was_refused_and_is_over_is_another_one),
		TEST(a_name_stands_for_those_with_a_number_behind_it),
		TEST(a_late_sample_makes_the_span_longer_not_the_value_larger),
		TEST(without_a_whole_span_nothing_is_known),
		TEST(old_samples_are_let_go_and_the_span_stays_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
