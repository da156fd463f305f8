// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/guest_lines: what comes from a guest's console becomes markers. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "capture/guest_lines.h"
#include "tests/unit/capture_lines.h"

#define MS 1000000ULL

struct guest_and_lines {
	struct cap_guest_lines g;
	struct kept k;
};

static int start(void **state)
{
	struct guest_and_lines *p = calloc(1, sizeof(*p));

	cap_guest_lines_init(&p->g, "vm1", keep_in(&p->k));
	*state = p;
	return 0;
}

static int end(void **state)
{
	struct guest_and_lines *p = *state;

	cap_guest_lines_clear(&p->g);
	kept_clear(&p->k);
	free(p);
	return 0;
}

static void take_bytes(struct guest_and_lines *p, uint64_t now_ns, const char *text, size_t len)
{
	char line[FCAP_MARKER_MAX];

	memcpy(line, text, len);
	line[len] = '\0';
	assert_int_equal(cap_guest_lines_take(&p->g, line, len, now_ns), 0);
}

static void take(struct guest_and_lines *p, uint64_t now_ns, const char *text)
{
	take_bytes(p, now_ns, text, strlen(text));
}

/* The last marker ends with this. */
static void assert_ends(const struct guest_and_lines *p, const char *end)
{
	const char *line;

	assert_int_not_equal(p->k.n, 0);
	line = p->k.line[p->k.n - 1];
	assert_true(strlen(line) >= strlen(end));
	assert_string_equal(line + strlen(line) - strlen(end), end);
}

static void a_counter_becomes_a_guest_marker(void **state)
{
	struct guest_and_lines *p = *state;

	take(p, 0, "fcap-guest cpu=3 steal=120000000 resolution_ns=10000000 t=12.345678901");
	take(p, 0, "fcap-guest cpu=0 steal=0 resolution_ns=4000000");
	take(p, 0,
	     "fcap-guest vm=other cpu=1 steal=0 resolution_ns=4000000 no_steal_acc=1 "
	     "uncounted=1 colour=red t=1.000000000");
	assert_int_equal(p->k.n, 3);
	assert_string_equal(p->k.line[0], "fcap: guest vm=vm1 cpu=3 steal=120000000 "
					  "resolution_ns=10000000 guest_t=12.345678901");
	assert_string_equal(p->k.line[1], "fcap: guest vm=vm1 cpu=0 steal=0 resolution_ns=4000000");
	assert_string_equal(p->k.line[2], "fcap: guest vm=vm1 cpu=1 steal=0 resolution_ns=4000000 "
					  "no_steal_acc=1 uncounted=1 guest_t=1.000000000");
	assert_int_equal(p->g.counters, 3);
	assert_int_equal(p->g.malformed, 0);
}

static void a_console_ends_lines_in_its_own_way(void **state)
{
	struct guest_and_lines *p = *state;
	static const char nul[] = "\0fcap-guest cpu=2 steal=1 resolution_ns=9";

	take(p, 0, "fcap-guest cpu=0 steal=1 resolution_ns=9\r");
	take(p, 0, "\r fcap-guest cpu=1 steal=1 resolution_ns=9 \r\r");
	take_bytes(p, 0, nul, sizeof(nul) - 1);
	assert_int_equal(p->k.n, 3);
	assert_string_equal(p->k.line[1], "fcap: guest vm=vm1 cpu=1 steal=1 resolution_ns=9");
	assert_string_equal(p->k.line[2], "fcap: guest vm=vm1 cpu=2 steal=1 resolution_ns=9");
}

static void noise_is_passed_over(void **state)
{
	struct guest_and_lines *p = *state;

	take(p, 0, "");
	take(p, 0, "\r");
	take(p, 0, "[    0.000000] Linux version 6.1.0");
	take(p, 0, "login: fcap-guest cpu=0 steal=1 resolution_ns=9");
	take(p, 0, "fcap-guest: this kernel does not count steal: no hypervisor is below it");
	take(p, 0, "fcap: guest vm=vm1 cpu=0 steal=1 resolution_ns=9");
	assert_int_equal(p->k.n, 0);
	assert_int_equal(p->g.malformed, 0);
}

static void what_is_left_of_a_line_is_counted_and_not_believed(void **state)
{
	struct guest_and_lines *p = *state;
	static const char nul[] = "fcap-guest cpu=0 steal=1\0 resolution_ns=9";

	/* cut off, interrupted by the kernel, out of range */
	take(p, 0, "fcap-guest cpu=0 steal=12");
	take(p, 0, "fcap-guest cpu=0 ste[   12.5] random: crng al=1 resolution_ns=9");
	take(p, 0, "fcap-guest cpu=0 steal=1[   12.5] random resolution_ns=9");
	take(p, 0, "fcap-guest steal=1 resolution_ns=9");
	take(p, 0, "fcap-guest cpu=8192 steal=1 resolution_ns=9");
	take(p, 0, "fcap-guest cpu=0 steal=-1 resolution_ns=9");
	take(p, 0, "fcap-guest cpu=0 steal=1 resolution_ns=0");
	take(p, 0, "fcap-guest cpu=0 steal=1 resolution_ns=1000000001");
	take(p, 0, "fcap-guest cpu=0 steal=1 resolution_ns=9 t=now");
	take(p, 0, "fcap-guest cpu=0 steal=1 resolution_ns=9 t=1.0.0");
	take(p, 0, "fcap-work vm=a");
	take_bytes(p, 0, nul, sizeof(nul) - 1);
	assert_int_equal(p->k.n, 0);
	assert_int_equal(p->g.malformed, 12);
	assert_int_equal(p->g.counters, 0);
}

static void a_counter_that_steps_back_is_kept_and_flagged(void **state)
{
	struct guest_and_lines *p = *state;

	take(p, 0, "fcap-guest cpu=0 steal=50000000 resolution_ns=10000000");
	take(p, 0, "fcap-guest cpu=1 steal=10 resolution_ns=10000000");
	assert_ends(p, "resolution_ns=10000000"); /* of another CPU, and its first */
	take(p, 100 * MS, "fcap-guest cpu=0 steal=40000000 resolution_ns=10000000");
	assert_string_equal(p->k.line[2], "fcap: guest vm=vm1 cpu=0 steal=40000000 "
					  "resolution_ns=10000000 flag=backwards");
	take(p, 200 * MS, "fcap-guest cpu=0 steal=40000000 resolution_ns=10000000");
	assert_ends(p, "resolution_ns=10000000"); /* from where it stepped to, it is right again */
}

static void a_counter_that_outruns_the_time_is_flagged_as_a_jump(void **state)
{
	struct guest_and_lines *p = *state;

	take(p, 0, "fcap-guest cpu=0 steal=0 resolution_ns=10000000");
	/* at most 100 ms + 5 % + two steps of 10 ms in 100 ms: 125 */
	take(p, 100 * MS, "fcap-guest cpu=0 steal=125000000 resolution_ns=10000000");
	assert_ends(p, "resolution_ns=10000000");
	take(p, 200 * MS, "fcap-guest cpu=0 steal=250000001 resolution_ns=10000000");
	assert_ends(p, " steal=250000001 resolution_ns=10000000 flag=jump");
	take(p, 300 * MS, "fcap-guest cpu=0 steal=18446744073709551615 resolution_ns=10000000");
	assert_ends(p, " steal=18446744073709551615 resolution_ns=10000000 flag=jump");
}

/* Both lines arrive at once, as from a console that was not read for a while. */
static void the_guests_clock_counts_where_it_is_told(void **state)
{
	struct guest_and_lines *p = *state;

	take(p, 0, "fcap-guest cpu=0 steal=0 resolution_ns=10000000 t=5.0");
	take(p, 1, "fcap-guest cpu=0 steal=900000000 resolution_ns=10000000 t=6.0");
	assert_ends(p, " guest_t=6.0");
	take(p, 2000 * MS, "fcap-guest cpu=0 steal=1900000000 resolution_ns=10000000 t=6.1");
	assert_ends(p, " guest_t=6.1 flag=jump");
	/* its clock went back: a guest that was booted again, or another guest; 2 s on ours */
	take(p, 4000 * MS, "fcap-guest cpu=0 steal=3900000000 resolution_ns=10000000 t=1.0");
	assert_ends(p, " guest_t=1.0");
	take(p, 5000 * MS, "fcap-guest cpu=0 steal=6900000000 resolution_ns=10000000 t=0.5");
	assert_ends(p, " guest_t=0.5 flag=jump");
}

static void work_from_inside_has_the_guests_name_and_the_hosts_stamp(void **state)
{
	struct guest_and_lines *p = *state;

	take(p, 0, "fcap-work n=5 t=99.5 dt=0.5 unit=loops\r");
	take(p, 0, "fcap-work vm=caas1 n=5");
	take(p, 0, "fcap-score value=2981 t=3");
	assert_int_equal(p->k.n, 3);
	assert_string_equal(p->k.line[0],
			    "fcap: work vm=vm1 n=5 dt=0.5 unit=loops stamped_on_arrival=1");
	assert_string_equal(p->k.line[1], "fcap: work vm=caas1 n=5 stamped_on_arrival=1");
	assert_string_equal(p->k.line[2], "fcap: score vm=vm1 value=2981 stamped_on_arrival=1");
	assert_int_equal(p->g.others, 3);
}

static void a_name_with_a_blank_is_quoted(void **state)
{
	struct guest_and_lines *p = *state;

	p->g.vm = "my vm";
	take(p, 0, "fcap-guest cpu=0 steal=1 resolution_ns=9");
	assert_string_equal(p->k.line[0], "fcap: guest vm=\"my vm\" cpu=0 steal=1 resolution_ns=9");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_counter_becomes_a_guest_marker),
		TEST(a_console_ends_lines_in_its_own_way),
		TEST(noise_is_passed_over),
		TEST(what_is_left_of_a_line_is_counted_and_not_believed),
		TEST(a_counter_that_steps_back_is_kept_and_flagged),
		TEST(a_counter_that_outruns_the_time_is_flagged_as_a_jump),
		TEST(the_guests_clock_counts_where_it_is_told),
		TEST(work_from_inside_has_the_guests_name_and_the_hosts_stamp),
		TEST(a_name_with_a_blank_is_quoted),
	};

	return cmocka_run_group_tests_name("capture guest lines", tests, NULL, NULL);
}
