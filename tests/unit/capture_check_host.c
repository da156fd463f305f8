// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/check_host: steal of the host itself, room for the trace, gnuplot. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "tests/unit/checked.h"

static const char rest[] = "use a host of its own, or record when the neighbours rest";
static const char larger[] = "fcap record -o /path/to/a/larger/disk/trace.dat -- ...";

#define TWO_CPUS "cpu0 1\ncpu1 1\n"

static void nothing_stolen_is_ok_in_a_vm_too(void **state)
{
	struct machine *m = *state;

	assert_check(m, "host_steal", CAP_CHECK_OK, "nothing was stolen from its CPUs since boot",
		     "");
	put_file(m->root, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor vmx\n");
	assert_check(m, "host_steal", CAP_CHECK_OK,
		     "this host is a VM; nothing was stolen from its CPUs since boot", "");
}

/* user .. softirq sum to 1970, steal 30: 30/2000 = 1.50 %. guest (99) is inside user. */
static void steal_is_told_in_percent_of_all_time(void **state)
{
	struct machine *m = *state;

	put_file(m->root, "proc/cpuinfo", "processor\t: 0\nflags\t\t: hypervisor\n");
	put_file(m->root, "proc/stat", "cpu  500 20 200 1200 10 0 40 30 99 0\n" TWO_CPUS);
	assert_check(m, "host_steal", CAP_CHECK_DEGRADED,
		     "this host is a VM; 1.50 % of its CPU time since boot was stolen, and counts "
		     "as running",
		     rest);
	assert_string_equal(check_named(m, "host_steal")->loss, "exact run times");
}

/*
 * Up for 99 s: at most 100 s of 2 CPUs at 100 ticks a second, 20000 ticks; 1.05 times that are
 * 21000. At 21000 it is believed, at 21001 not.
 */
static void columns_that_exceed_the_time_are_not_believed(void **state)
{
	struct machine *m = *state;

	if (sysconf(_SC_CLK_TCK) != 100)
		fail_msg("this test is worked out for 100 ticks a second");
	put_file(m->root, "proc/uptime", "99.50 1.00\n");
	put_file(m->root, "proc/stat", "cpu  10500 0 0 10290 0 0 0 210 0 0\n" TWO_CPUS);
	assert_check(m, "host_steal", CAP_CHECK_DEGRADED,
		     "1.00 % of its CPU time since boot was stolen, and counts as running", rest);
	put_file(m->root, "proc/stat", "cpu  10501 0 0 10290 0 0 0 210 0 0\n" TWO_CPUS);
	assert_check(m, "host_steal", CAP_CHECK_DEGRADED,
		     "/proc/stat sums to more than the time since boot, so that what it says of "
		     "steal cannot be believed",
		     rest);
	put_file(m->root, "proc/stat", "cpu  1 2\n");
	assert_check(m, "host_steal", CAP_CHECK_DEGRADED, "/proc/stat cannot be read",
		     "mount -t proc proc /proc");
}

#define ASSUMED                                                                                    \
	" at 50000 events/s on each of 2 CPUs (assumed; 55 bytes each, kept twice while the file " \
	"is put together)"

/*
 * 50000 x 55 x 2 (twice) x 2 CPUs = 11 MB/s. 100 GB: 9090 s = 2 h 31 min. 6.6 GB: 600 s, still
 * enough; a byte less: 599 s, 9 min. 110 MB: 10 s, the least; a byte less: 9 s.
 */
static void room_is_told_as_the_time_that_fits(void **state)
{
	struct machine *m = *state;

	assert_check(m, "disk", CAP_CHECK_OK, "100.0 GB free here: 2 h 31 min" ASSUMED, "");
	m->bytes = 6600000000;
	assert_check(m, "disk", CAP_CHECK_OK, "6.6 GB free here: 10 min" ASSUMED, "");
	m->bytes--;
	assert_check(m, "disk", CAP_CHECK_DEGRADED, "6.5 GB free here: 9 min" ASSUMED, larger);
	m->bytes = 110000000;
	assert_check(m, "disk", CAP_CHECK_DEGRADED, "0.1 GB free here: 10 s" ASSUMED, larger);
	m->bytes--;
	assert_check(m, "disk", CAP_CHECK_MISSING, "0.1 GB free here: 9 s" ASSUMED, larger);
	/* 11 MB/s x 400000 s = 4.4 TB: 4 days and 15 h */
	m->bytes = 4400000000000;
	assert_check(m, "disk", CAP_CHECK_OK, "4400.0 GB free here: 4 days" ASSUMED, "");
}

static void a_folder_that_cannot_be_written_is_missing(void **state)
{
	struct machine *m = *state;

	m->space_code = -EROFS;
	assert_check(m, "disk", CAP_CHECK_MISSING,
		     "nothing can be written to this folder: Read-only file system", larger);
}

static void gnuplot_is_looked_for_on_the_path(void **state)
{
	struct machine *m = *state;

	take_away(m, "usr/bin/gnuplot");
	assert_check(m, "gnuplot", CAP_CHECK_DEGRADED, "not installed; fanalyze plot draws with it",
		     "install gnuplot");
	put_program(m, "usr/bin/dnf");
	assert_check(m, "gnuplot", CAP_CHECK_DEGRADED, "not installed; fanalyze plot draws with it",
		     "dnf install gnuplot");
	put_program(m, "usr/bin/apt-get");
	assert_check(m, "gnuplot", CAP_CHECK_DEGRADED, "not installed; fanalyze plot draws with it",
		     "apt-get install gnuplot-nox");
	put_file(m->root, "usr/local/bin/gnuplot", ""); /* nobody may run it */
	assert_check(m, "gnuplot", CAP_CHECK_DEGRADED, "not installed; fanalyze plot draws with it",
		     "apt-get install gnuplot-nox");
	put_program(m, "usr/local/bin/gnuplot");
	assert_check(m, "gnuplot", CAP_CHECK_OK, "installed", "");
}

#define with_machine(f) cmocka_unit_test_setup_teardown(f, make_machine, remove_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_machine(nothing_stolen_is_ok_in_a_vm_too),
		with_machine(steal_is_told_in_percent_of_all_time),
		with_machine(columns_that_exceed_the_time_are_not_believed),
		with_machine(room_is_told_as_the_time_that_fits),
		with_machine(a_folder_that_cannot_be_written_is_missing),
		with_machine(gnuplot_is_looked_for_on_the_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
