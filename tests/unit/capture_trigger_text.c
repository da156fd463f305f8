// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/trigger_text and trigger_ring: names, sentences, and how far the rings go back. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "capture/trigger_ring.h"
#include "capture/trigger_text.h"
#include "tests/unit/capture_lines.h"

#define MS  1000000ULL
#define MIB (1ULL << 20)

static void assert_file(const char *output, uint64_t n, const char *file)
{
	char *got = cap_trigger_file(output, n);

	assert_string_equal(got, file);
	free(got);
}

static void files_are_numbered_before_their_suffix(void **state)
{
	(void)state;
	assert_file("trace.dat", 1, "trace-1.dat");
	assert_file("/a.b/trace.dat", 12, "/a.b/trace-12.dat");
	assert_file("a.b/trace", 3, "a.b/trace-3");
	assert_file("run.1.dat", 2, "run.1-2.dat");
	assert_file(".hidden", 2, ".hidden-2");
	assert_file("dir/.hidden", 2, "dir/.hidden-2");
}

static const struct cap_rule rule = { .metric = CAP_METRIC_STEAL,
				      .limit_ppm = 200000,
				      .span_ns = 1000 * MS,
				      .text = "steal>20%/1s" };

/* The crossing at 10 s, 3 s of which are in the file, and half a second more. */
static struct cap_saved a_file(void)
{
	struct cap_saved s = { .file = (char *)"trace-1.dat",
			       .reason = { &rule, "vm1", 342000, 10000 * MS },
			       .from_ns = 7000 * MS,
			       .to_ns = 10500 * MS,
			       .events = 48211,
			       .bytes = 1300000,
			       .asked_ns = 1000 * MS,
			       .ring_from_ns = 7000 * MS,
			       .buffer_bytes = MIB,
			       .has_overrun = true };

	return s;
}

static void a_crossing_is_told_in_a_line(void **state)
{
	const struct cap_crossing c = { &rule, "vm 1", 342000, 123004567890, false };
	const struct cap_reason r = cap_reason_of(&c);
	struct kept k = { 0 };

	(void)state;
	assert_int_equal(cap_reason_tell(&r, keep_in(&k)), 0);
	assert_int_equal(k.n, 1);
	assert_string_equal(k.line[0], "fcap: trigger vm=\"vm 1\" metric=steal value=34.2 limit=20 "
				       "span_ns=1000000000 t=123.004567890");
	kept_clear(&k);
}

static void a_file_is_told_with_its_reason_and_its_time(void **state)
{
	struct cap_saved s = a_file();
	char text[512];

	(void)state;
	cap_saved_text(&s, text, sizeof(text));
	assert_string_equal(text,
			    "saved trace-1.dat: steal of vm1 was 34.2 % over 1s (limit 20 %); from "
			    "3.00 s before the crossing to 0.50 s after it, 48211 events, 1.3 MB");
	s.more = 2;
	s.packed_bytes = 400000;
	cap_saved_text(&s, text, sizeof(text));
	assert_non_null(strstr(text, "(limit 20 %), and 2 more crossings; from "));
	assert_non_null(strstr(text, ", 1.3 MB compressed to 0.4 MB"));
	assert_int_equal(cap_saved_advice(&s, text, sizeof(text)), 0);
}

static void a_ring_that_was_too_small_is_told_with_one_that_is_not(void **state)
{
	struct cap_saved s = a_file();
	char text[512];

	(void)state;
	s.ring_from_ns = 9750 * MS;
	/* 0.75 s in 1 MiB; 1 s and 0.5 s after it take 2 MiB, with a quarter more 2.5: so 4 */
	assert_int_equal(cap_saved_enough(&s), 4 * MIB);
	assert_true(cap_saved_advice(&s, text, sizeof(text)) > 0);
	assert_string_equal(text,
			    "trace-1.dat: the buffers held only 0.25 s before the crossing, not "
			    "the 1s asked for: --buffer-size=4MiB would probably hold that (an "
			    "estimate from the rate of events)");
	/* the same when not even the crossing was held: 0.25 s in 1 MiB, so 6 * 1.25 = 7.5 */
	s.ring_from_ns = 10250 * MS;
	assert_int_equal(cap_saved_enough(&s), 8 * MIB);
	/* that tracing began late is no question of room */
	s.has_overrun = false;
	assert_int_equal(cap_saved_enough(&s), 0);
	/* what was asked for was held */
	s = a_file();
	s.ring_from_ns = 9000 * MS;
	assert_int_equal(cap_saved_enough(&s), 0);
}

static void assert_sum(const struct cap_trigger_sum *s, const char *text)
{
	char *got = cap_trigger_sum_text(s);

	assert_string_equal(got, text);
	free(got);
}

static void without_a_crossing_the_highest_values_are_told(void **state)
{
	const struct cap_rule rules[] = {
		rule,
		{ .metric = CAP_METRIC_WAIT, .vm = "vm9", .text = "vm9:wait>1%/1s" },
		{ .text = "steal>1%/1s" }
	};
	const struct cap_highest high = { true, 123000, "vm2" }, none = { 0 };
	const struct cap_highest *const highest[] = { &high, &none, &none };
	const struct cap_trigger_sum s = { .rule = rules, .nrule = 3, .highest = highest };

	(void)state;
	assert_sum(&s, "no limit was crossed, and nothing saved; steal>20%/1s: the highest value "
		       "was 12.3 %, of vm2; vm9:wait>1%/1s: no such VM was seen for so long; "
		       "steal>1%/1s: no VM with known vCPUs was seen for so long");
}

static void the_last_sentence_lists_files_and_what_was_not_saved(void **state)
{
	const struct cap_rule rules[] = {
		rule, { .metric = CAP_METRIC_WAIT, .vm = "vm9", .text = "vm9:wait>1%/1s" }
	};
	const struct cap_highest high = { true, 342000, "vm1" }, none = { 0 };
	const struct cap_highest *const highest[] = { &high, &none };
	struct cap_saved saved[2] = { a_file(), a_file() };
	struct cap_trigger_sum s = { .rule = rules,
				     .nrule = 1,
				     .highest = highest,
				     .saved = saved,
				     .nsaved = 2,
				     .max_saves = 2 };

	(void)state;
	saved[1].file = (char *)"trace-2.dat";
	assert_sum(&s, "saved 2 files: trace-1.dat, steal of vm1 was 34.2 % over 1s (limit 20 %); "
		       "trace-2.dat, steal of vm1 was 34.2 % over 1s (limit 20 %)");
	s.nsaved = 1;
	s.unsaved_full = 3;
	s.unsaved_busy = 1;
	s.nrule = 2;
	assert_sum(&s, "saved 1 file: trace-1.dat, steal of vm1 was 34.2 % over 1s (limit 20 %); "
		       "vm9:wait>1%/1s: no such VM was seen for so long; 3 crossings were not "
		       "saved: --max-saves=2 was reached; 1 crossing was not saved: a file was "
		       "being made, or had just been");
	s.nrule = 1;
	s.nsaved = 0;
	s.unsaved_busy = 0;
	s.has_failed = true;
	assert_sum(&s, "nothing was saved; 3 crossings were not saved: the file before failed");
}

/* Of three CPUs the first has overwritten events up to 5 s, the second up to 5.2 s. */
static void rings_are_complete_from_where_the_shortest_begins(void **state)
{
	struct cap_ring_reach r = { .from_ns = 1000 * MS };
	const struct cap_cpu_stats then = { .overrun = 7 };
	struct cap_cpu_stats now = { .overrun = 7, .oldest_ns = 4000 * MS };

	(void)state;
	cap_ring_reach_add(&r, &then, &now); /* nothing was overwritten since then */
	assert_false(r.has_overrun);
	assert_int_equal(r.from_ns, 1000 * MS);
	now = (struct cap_cpu_stats){ .overrun = 8, .oldest_ns = 5200 * MS };
	cap_ring_reach_add(&r, &then, &now);
	now = (struct cap_cpu_stats){ .overrun = 9, .oldest_ns = 5000 * MS };
	cap_ring_reach_add(&r, &then, &now);
	assert_true(r.has_overrun);
	assert_int_equal(r.from_ns, 5200 * MS + 1000); /* the stamp is cut at the us */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_numbered_before_their_suffix),
		cmocka_unit_test(a_crossing_is_told_in_a_line),
		cmocka_unit_test(a_file_is_told_with_its_reason_and_its_time),
		cmocka_unit_test(a_ring_that_was_too_small_is_told_with_one_that_is_not),
		cmocka_unit_test(without_a_crossing_the_highest_values_are_told),
		cmocka_unit_test(the_last_sentence_lists_files_and_what_was_not_saved),
		cmocka_unit_test(rings_are_complete_from_where_the_shortest_begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
