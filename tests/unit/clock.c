// SPDX-License-Identifier: GPL-3.0-or-later
/* Which clocks of a file are time. */
#include "tests/unit/modelled.h"

#include <errno.h>
#include <string.h>

#include "analyze/trace/clock.h"
#include "tests/lib/kinds.h"

#define OPTION_TSC2NSEC 14

/* Checks a file with this clock; factor: bytes of its TSC2NSEC option, 0 none. */
static int check(const struct tb_kind *kind, const char *clock, uint32_t factor)
{
	static const uint32_t words[4] = { 1, 0, 0, 0 }; /* multiplier, shift, offset */
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct tb *tb = tb_new_kind(kind, 1);
	struct fan_file *file = NULL;
	struct fcap_err err = { 0 };
	int r;

	tb_set_clock(tb, clock);
	if (factor)
		tb_option(tb, OPTION_TSC2NSEC, words, factor);
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, (struct tb_task){ 1, "x", 0 });
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	r = fan_clock_check(file, &err);
	/* the sentence names the clock */
	assert_true(r == 0 || strstr(err.text, clock));
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
	return r;
}

static void clocks_in_ns_are_time(void **state)
{
	static const char *const clocks[] = { "mono", "local", "global", "boot", "mono_raw" };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		assert_int_equal(check(*state, clocks[i], 0), 0);
	assert_int_equal(check(*state, NULL, 0), 0); /* not told: the tracer's own, local */
}

static void counters_and_jiffies_are_no_time(void **state)
{
	assert_int_equal(check(*state, "counter", 0), -EINVAL);
	assert_int_equal(check(*state, "uptime", 0), -EINVAL);
}

static void ticks_are_time_only_with_a_factor(void **state)
{
	assert_int_equal(check(*state, "x86-tsc", 0), -EINVAL);
	assert_int_equal(check(*state, "x86-tsc", 16), 0);
	assert_int_equal(check(*state, "ppc-tb", 0), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_ALL_KINDS(clocks_in_ns_are_time),
		IN_ALL_KINDS(counters_and_jiffies_are_no_time),
		IN_ALL_KINDS(ticks_are_time_only_with_a_factor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
