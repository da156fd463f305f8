// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/progress: what is shown, and when. Signals that end a recording without a command. */
#include "capture/progress.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "capture/signals.h"

#define SECOND 1000000000ULL

static void rates_are_those_since_the_last_line(void **state)
{
	/* 2 s later: (84,200 - 6,000) / 2 = 39.1 k/s; (3 - 1.2) / 2 = 0.9 MB/s; 3 % of 4 MiB */
	const struct cap_progress_now last = { 10 * SECOND, 6000, 1200000, 0, 0,
					       4194304,	    1,	  false,   0 };
	const struct cap_progress_now now = { 12 * SECOND, 84200, 3000000, 0, 125829,
					      4194304,	   2,	  false,   0 };
	char text[200];

	(void)state;
	cap_progress_text(&last, &now, text, sizeof(text));
	assert_string_equal(text, "0:12  39.1 k events/s  0.9 MB/s  lost none  fullest buffer 3 %  "
				  "2 VMs");
}

static void losses_are_told_and_hours_counted(void **state)
{
	const struct cap_progress_now none = { 0 };
	/* 1 h, 2 min, 3 s = 3723 s; 3,723,000,000 events are 1.0 M/s; 7,446 MB are 2 MB/s */
	const struct cap_progress_now now = { 3723 * SECOND, 3723000000, 7446000000, 17, 2048,
					      4096,	     1,		 false,	     0 };
	char text[200];

	(void)state;
	cap_progress_text(&none, &now, text, sizeof(text));
	assert_string_equal(text, "1:02:03  1.0 M events/s  2.0 MB/s  lost 17 events  "
				  "fullest buffer 50 %  1 VM");
}

static void without_buffers_and_with_counts_that_fell_nothing_is_made_up(void **state)
{
	const struct cap_progress_now last = { SECOND, 100, 100, 0, 0, 0, 0, false, 0 };
	const struct cap_progress_now now = { 61 * SECOND, 50, 50, 0, 0, 0, 0, false, 0 };
	char text[200];

	(void)state;
	cap_progress_text(&last, &now, text, sizeof(text));
	assert_string_equal(text, "1:01  0 events/s  0.0 MB/s  lost none  0 VMs");
}

static void who_waits_for_limits_is_told_what_is_watched_and_saved(void **state)
{
	const struct cap_progress_now last = { 0 };
	struct cap_progress_now now = { SECOND, 0, 0, 0, 0, 1 << 20, 2, true, 1 };
	char text[200];

	(void)state;
	cap_progress_text(&last, &now, text, sizeof(text));
	assert_string_equal(text, "0:01  watching 2 VMs  1 file saved");
	now.vms = 1;
	now.files = 0;
	cap_progress_text(&last, &now, text, sizeof(text));
	assert_string_equal(text, "0:01  watching 1 VM  0 files saved");
}

static void count_call(const char *text)
{
	check_expected(text);
}

static void a_line_a_second_and_taken_back_at_the_end(void **state)
{
	struct cap_progress p = { .show = count_call, .due_ns = SECOND };
	const struct cap_progress_now now = { .at_ns = SECOND };

	(void)state;
	assert_false(cap_progress_is_due(&p, SECOND - 1));
	assert_int_equal(cap_progress_wait_ms(&p, SECOND / 2, 1000), 500);
	assert_int_equal(cap_progress_wait_ms(&p, SECOND / 2, 20), 20);
	assert_true(cap_progress_is_due(&p, SECOND));
	expect_string(count_call, text, "0:01  0 events/s  0.0 MB/s  lost none  0 VMs");
	cap_progress_tell(&p, &now);
	assert_false(cap_progress_is_due(&p, 2 * SECOND - 1));
	assert_true(cap_progress_is_due(&p, 2 * SECOND));
	expect_string(count_call, text, "");
	cap_progress_end(&p);
	assert_false(cap_progress_is_due(&p, 3 * SECOND));
}

static void nobody_looks_and_nothing_is_done(void **state)
{
	struct cap_progress p = { 0 };

	(void)state;
	assert_false(cap_progress_is_due(&p, 9 * SECOND));
	assert_int_equal(cap_progress_wait_ms(&p, 9 * SECOND, 1000), 1000);
	cap_progress_end(&p);
}

/* What a signal does that was ignored or not when we began. */
static bool ends_with(int sig, void (*before)(int))
{
	struct cap_signals s = { .fd = -1 };
	bool end;

	signal(sig, before);
	assert_int_equal(cap_signals_take(&s, NULL), 0);
	assert_false(cap_signals_end(&s));
	kill(getpid(), sig);
	end = cap_signals_end(&s);
	cap_signals_close(&s);
	sigprocmask(SIG_SETMASK, &s.old_mask, NULL);
	return end;
}

static void signals_end_it_but_for_nohup(void **state)
{
	(void)state;
	assert_true(ends_with(SIGTERM, SIG_DFL));
	assert_true(ends_with(SIGINT, SIG_IGN)); /* in the background of a script, say */
	assert_true(ends_with(SIGHUP, SIG_DFL));
	assert_false(ends_with(SIGHUP, SIG_IGN));
	assert_false(ends_with(SIGCHLD, SIG_DFL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_those_since_the_last_line),
		cmocka_unit_test(losses_are_told_and_hours_counted),
		cmocka_unit_test(without_buffers_and_with_counts_that_fell_nothing_is_made_up),
		cmocka_unit_test(who_waits_for_limits_is_told_what_is_watched_and_saved),
		cmocka_unit_test(a_line_a_second_and_taken_back_at_the_end),
		cmocka_unit_test(nobody_looks_and_nothing_is_done),
		cmocka_unit_test(signals_end_it_but_for_nohup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
