// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/pace, usage, tuning and summary: numbers worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "capture/pace.h"
#include "capture/summary.h"
#include "capture/tuning.h"
#include "capture/usage.h"

#define KIB 1024ULL
#define MIB (1ULL << 20)
#define MS  1000000ULL

/*
 * A buffer of 8 MiB, of which an eighth is 1 MiB. Half a MiB came in 10 ms: 1 MiB takes 20 ms.
 * 4 MiB came in 10 ms: 2.5 ms. 64 MiB came: 0.156 ms, but never less than 1 ms.
 */
static void the_next_round_comes_when_an_eighth_is_full(void **state)
{
	(void)state;
	assert_int_equal(cap_pace_next(MIB / 2, 10 * MS, 100 * MS, 8 * MIB, 500 * MS), 20 * MS);
	assert_int_equal(cap_pace_next(4 * MIB, 10 * MS, 100 * MS, 8 * MIB, 500 * MS), 2500000);
	assert_int_equal(cap_pace_next(64 * MIB, 10 * MS, 100 * MS, 8 * MIB, 500 * MS), MS);
}

/* Nothing came: twice the last time. One page in 10 ms would be 2560 ms: but twice the last time.
 */
static void in_silence_the_rounds_slow_down_step_by_step(void **state)
{
	(void)state;
	assert_int_equal(cap_pace_next(0, 10 * MS, 10 * MS, 8 * MIB, 500 * MS), 20 * MS);
	assert_int_equal(cap_pace_next(4096, 10 * MS, 10 * MS, 8 * MIB, 500 * MS), 20 * MS);
	assert_int_equal(cap_pace_next(0, 300 * MS, 300 * MS, 8 * MIB, 500 * MS), 500 * MS);
}

/* Times around hours and buffers of many GiB do not overflow: 1 h * 8 GiB is over 2^64. */
static void long_times_and_large_buffers_do_not_overflow(void **state)
{
	(void)state;
	assert_int_equal(cap_pace_next(1, 3600000 * MS, 400 * MS, 64ULL << 30, 500 * MS), 500 * MS);
	assert_int_equal(cap_pace_next(16ULL << 30, 3600000 * MS, 400 * MS, 64ULL << 30, 500 * MS),
			 500 * MS);
}

/*
 * 1000 events in 52,000 bytes were stored, 52 each; 10,000 were lost: 520,000 bytes, all in one
 * time between two drains: 65,536 + 520,000 = 585,536, next power of two 1 MiB.
 */
static void the_buffer_that_would_have_held_has_room_for_what_was_lost(void **state)
{
	const struct cap_loss l = { 64 * KIB, 52000, 1000, 10000, 50 * MS, 50 * MS };

	(void)state;
	assert_int_equal(cap_pace_enough(&l), MIB);
}

/*
 * The same over 2000 ms of such times of which the longest is 50: a fortieth, 13,000 bytes, was to
 * be held at once; four times that is 52,000, with the buffer 117,536, next power of two 128 KiB.
 */
static void losses_are_spread_over_the_times_between_drains(void **state)
{
	const struct cap_loss l = { 64 * KIB, 52000, 1000, 10000, 50 * MS, 2000 * MS };

	(void)state;
	assert_int_equal(cap_pace_enough(&l), 128 * KIB);
}

/* A third of it four times is more than all: 585,536 again. */
static void never_more_is_advised_than_was_lost(void **state)
{
	const struct cap_loss l = { 64 * KIB, 52000, 1000, 10000, 50 * MS, 150 * MS };

	(void)state;
	assert_int_equal(cap_pace_enough(&l), MIB);
}

/* Nothing stored, so 64 bytes each: 65,536 + 1024 * 64 = 131,072: that is a power of two. */
static void without_any_event_an_event_is_a_switch(void **state)
{
	const struct cap_loss l = { 64 * KIB, 0, 0, 1024, 0, 0 };

	(void)state;
	assert_int_equal(cap_pace_enough(&l), 128 * KIB);
}

static void without_loss_nothing_is_advised(void **state)
{
	const struct cap_loss l = { 64 * KIB, 52000, 1000, 0, 50 * MS, 200 * MS };

	(void)state;
	assert_int_equal(cap_pace_enough(&l), 0);
}

/*
 * 117,126 events in 30 s are 3904.2 a second; 2.9 MB in 30 s are 0.097 MB/s.
 */
static void the_last_line_tells_events_rates_and_cost(void **state)
{
	const struct cap_summary s = { "trace.dat", 117126,   0, 2900000, 30000 * MS, 410 * MS,
				       "0-1",	    64 * MIB, 0, 0,	  false };
	char text[512];

	(void)state;
	cap_summary_text(&s, text, sizeof(text));
	assert_string_equal(text,
			    "wrote trace.dat: 117126 events (3.9 k/s), 2.9 MB (0.1 MB/s), lost "
			    "none; fcap itself used 0.41 s of CPU time on CPUs 0-1");
	assert_int_equal(cap_summary_advice(&s, text, sizeof(text)), 0);
}

static void it_tells_both_sizes_of_a_file_that_is_compressed(void **state)
{
	const struct cap_summary s = { .file = "x",
				       .bytes = 28900000,
				       .traced_ns = 10000 * MS,
				       .cpus = "0",
				       .packed_bytes = 3449999 };
	char text[512];

	(void)state;
	cap_summary_text(&s, text, sizeof(text));
	assert_non_null(strstr(text, ", 28.9 MB (2.9 MB/s) compressed to 3.4 MB, lost none;"));
}

/* 999,500 a second are 999.5 k/s, 999,960 are 1.0 M/s, 12 a second are 12/s. */
static void rates_have_the_unit_that_fits(void **state)
{
	struct cap_summary s = { "x", 999500, 0, 0, 1000 * MS, 0, "3", 64 * MIB, 0, 0, false };
	char text[512];

	(void)state;
	cap_summary_text(&s, text, sizeof(text));
	assert_non_null(strstr(text, "(999.5 k/s)"));
	assert_non_null(strstr(text, " on CPU 3"));
	s.events = 999960;
	cap_summary_text(&s, text, sizeof(text));
	assert_non_null(strstr(text, "(1.0 M/s)"));
	s.events = 12;
	cap_summary_text(&s, text, sizeof(text));
	assert_non_null(strstr(text, "(12/s)"));
	s.traced_ns = 0;
	cap_summary_text(&s, text, sizeof(text));
	assert_non_null(strstr(text, "(0/s)"));
}

static void a_loss_names_the_buffer_that_would_have_held_it(void **state)
{
	const struct cap_summary s = { "x", 1000,     555,     0, 1000 * MS, 0,
				       "0", 16 * KIB, 4 * MIB, 0, false };
	char text[512];

	(void)state;
	cap_summary_text(&s, text, sizeof(text));
	assert_non_null(strstr(text, ", lost 555 events; "));
	assert_true(cap_summary_advice(&s, text, sizeof(text)) > 0);
	assert_non_null(strstr(text, "buffers of 16KiB a CPU"));
	assert_non_null(strstr(text, "--buffer-size=4MiB would probably"));
	assert_non_null(strstr(text, "estimate"));
}

/* Bits 0, 1, 2, 8, 63, 64 and the last one. */
static void cpus_are_listed_as_the_kernel_does(void **state)
{
	struct cap_usage u = { 0 };
	char text[64];

	(void)state;
	cap_usage_list(&u, text, sizeof(text));
	assert_string_equal(text, "");
	u.bits[0] = 7 | 1 << 8 | 1ULL << 63;
	u.bits[1] = 1;
	u.bits[FCAP_CPUS_MAX / 64 - 1] = 1ULL << 63;
	cap_usage_list(&u, text, sizeof(text));
	assert_string_equal(text, "0-2,8,63-64,8191");
}

static void a_buffer_size_that_was_given_wins_over_free_memory(void **state)
{
	struct cap_tuning t = { 0 };
	const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_true(proc >= 0);
	assert_true(cap_tuning_buffer(&t, proc, 2) >= MIB);
	assert_true(cap_tuning_buffer(&t, proc, 2) <= 64 * MIB);
	assert_int_equal(cap_tuning_buffer(&t, -1, 2), MIB); /* unknown: the smallest */
	t.buffer_bytes = 16 * KIB;
	assert_int_equal(cap_tuning_buffer(&t, proc, 2), 16 * KIB);
	close(proc);
}

static void the_recorder_goes_where_it_is_told(void **state)
{
	struct fcap_err err = { 0 };
	cpu_set_t before, now;
	char one[16];
	int cpu;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	for (cpu = CPU_SETSIZE - 1; !CPU_ISSET(cpu, &before);)
		cpu--;
	snprintf(one, sizeof(one), "%d", cpu);
	assert_int_equal(cap_tuning_place(one, &err), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
	assert_int_equal(CPU_COUNT(&now), 1);
	assert_true(CPU_ISSET(cpu, &now));
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

/* CPU 8191 is the last that any list may name, and no kernel of this test has so many. */
static void cpus_that_cannot_be_had_are_refused(void **state)
{
	struct fcap_err err = { 0 };
	cpu_set_t before;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(cap_tuning_place("8191", &err), -EINVAL);
	assert_non_null(strstr(err.text, "CPU 8191 is not online"));
	assert_int_equal(cap_tuning_place("0-8191", &err), -EINVAL);
	assert_int_equal(cap_tuning_place("", &err), -EINVAL);
	assert_int_equal(cap_tuning_place("0-", &err), -EINVAL);
	assert_non_null(strstr(err.text, "give a list such as"));
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_round_comes_when_an_eighth_is_full),
		cmocka_unit_test(in_silence_the_rounds_slow_down_step_by_step),
		cmocka_unit_test(long_times_and_large_buffers_do_not_overflow),
		cmocka_unit_test(the_buffer_that_would_have_held_has_room_for_what_was_lost),
		cmocka_unit_test(losses_are_spread_over_the_times_between_drains),
		cmocka_unit_test(never_more_is_advised_than_was_lost),
		cmocka_unit_test(without_any_event_an_event_is_a_switch),
		cmocka_unit_test(without_loss_nothing_is_advised),
		cmocka_unit_test(the_last_line_tells_events_rates_and_cost),
		cmocka_unit_test(it_tells_both_sizes_of_a_file_that_is_compressed),
		cmocka_unit_test(rates_have_the_unit_that_fits),
		cmocka_unit_test(a_loss_names_the_buffer_that_would_have_held_it),
		cmocka_unit_test(cpus_are_listed_as_the_kernel_does),
		cmocka_unit_test(a_buffer_size_that_was_given_wins_over_free_memory),
		cmocka_unit_test(the_recorder_goes_where_it_is_told),
		cmocka_unit_test(cpus_that_cannot_be_had_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
