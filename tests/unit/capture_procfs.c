// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/procfs: parsers, and walks over a made-up /proc. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>

#include "capture/procfs.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

struct tree {
	char *dir;
	int fd;
};

static int make_tree(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	t->dir = tempdir_new();
	t->fd = open_folder(t->dir);
	*state = t;
	return 0;
}

static int remove_tree(void **state)
{
	struct tree *t = *state;

	close(t->fd);
	tempdir_remove(t->dir);
	free(t);
	return 0;
}

static const char stat_line[] =
	"815 (CPU 0) (x) S 812 800 800 34816 815 4194560 12 0 0 0 7 5 0 0 20 -5 4 0 98765 "
	"1024 3 18446744073709551615 1 2 3 4 5 0 0 4096 16384 0 0 0 17 1 0 2 0 0 0 1 2 3 4 5 6 7 "
	"0\n";

static void a_name_with_blanks_and_parentheses_does_not_confuse(void **state)
{
	struct cap_proc_stat st;

	(void)state;
	assert_int_equal(cap_proc_stat_parse(stat_line, &st), 0);
	assert_string_equal(st.comm, "CPU 0) (x");
	assert_int_equal(st.state, 'S');
	assert_int_equal(st.ppid, 812);
	assert_int_equal(st.nice, -5);
	assert_int_equal(st.start, 98765);
	assert_int_equal(st.policy, 2);
	assert_int_equal(st.rt_priority, 0);
	assert_false(st.is_kthread); /* flags 4194560 = 0x400100 */
}

static void a_cut_stat_line_is_refused(void **state)
{
	struct cap_proc_stat st;

	(void)state;
	assert_int_equal(cap_proc_stat_parse("815 (x) S 812 800", &st), -EINVAL);
	assert_int_equal(cap_proc_stat_parse("815 x S 812", &st), -EINVAL);
	assert_int_equal(cap_proc_stat_parse("", &st), -EINVAL);
}

static void policies_have_names_and_unknown_ones_numbers(void **state)
{
	char buf[24];

	(void)state;
	assert_string_equal(cap_proc_policy_name(0, buf, sizeof(buf)), "other");
	assert_string_equal(cap_proc_policy_name(1, buf, sizeof(buf)), "fifo");
	assert_string_equal(cap_proc_policy_name(2, buf, sizeof(buf)), "rr");
	assert_string_equal(cap_proc_policy_name(3, buf, sizeof(buf)), "batch");
	assert_string_equal(cap_proc_policy_name(4, buf, sizeof(buf)), "4");
	assert_string_equal(cap_proc_policy_name(5, buf, sizeof(buf)), "idle");
	assert_string_equal(cap_proc_policy_name(6, buf, sizeof(buf)), "deadline");
	assert_string_equal(cap_proc_policy_name(7, buf, sizeof(buf)), "ext");
	assert_string_equal(cap_proc_policy_name(99, buf, sizeof(buf)), "99");
}

static void schedstat_is_run_delay_and_arrivals(void **state)
{
	struct cap_proc_sched s;

	(void)state;
	assert_int_equal(cap_proc_sched_parse("123456789 4567890 312\n", &s), 0);
	assert_int_equal(s.run_ns, 123456789);
	assert_int_equal(s.delay_ns, 4567890);
	assert_int_equal(s.arrivals, 312);
	assert_int_equal(cap_proc_sched_parse("18446744073709551615 0 0\n", &s), 0);
	assert_true(s.run_ns == UINT64_MAX);
	assert_int_equal(cap_proc_sched_parse("1 2\n", &s), -EINVAL);
	assert_int_equal(cap_proc_sched_parse("", &s), -EINVAL);
}

/* 12.345678 ms are 12345678 ns. */
static void forced_idle_time_is_ms_with_six_decimals(void **state)
{
	uint64_t ns = 0;

	(void)state;
	assert_int_equal(cap_proc_forceidle_parse("CPU 0/KVM (815, #threads: 3)\n"
						  "se.exec_start              :      9999.000001\n"
						  "core_forceidle_task_sum    :         7.000000\n"
						  "core_forceidle_sum         :        12.345678\n"
						  "nr_switches                :               42\n",
						  &ns),
			 0);
	assert_int_equal(ns, 12345678);
	assert_int_equal(cap_proc_forceidle_parse("se.core_forceidle_sum : 0.000001\n", &ns), 0);
	assert_int_equal(ns, 1);
	assert_int_equal(cap_proc_forceidle_parse("core_forceidle_sum:18446744073708.551615", &ns),
			 0);
	assert_true(ns == 18446744073708551615U);
}

static void forced_idle_time_that_is_absent_or_garbled_is_no_number(void **state)
{
	uint64_t ns = 7;

	(void)state;
	assert_int_equal(cap_proc_forceidle_parse("", &ns), -ENODATA);
	assert_int_equal(cap_proc_forceidle_parse("core_forceidle_task_sum : 7.000000\n", &ns),
			 -ENODATA);
	assert_int_equal(cap_proc_forceidle_parse("not_core_forceidle_sum : 7.000000\n", &ns),
			 -ENODATA);
	assert_int_equal(cap_proc_forceidle_parse("core_forceidle_sum : 7\n", &ns), -EINVAL);
	assert_int_equal(cap_proc_forceidle_parse("core_forceidle_sum : 7.00001\n", &ns), -EINVAL);
	assert_int_equal(cap_proc_forceidle_parse("core_forceidle_sum : -7.000001\n", &ns),
			 -EINVAL);
	assert_int_equal(
		cap_proc_forceidle_parse("core_forceidle_sum : 18446744073709551615.0\n", &ns),
		-EINVAL);
	assert_int_equal(ns, 7);
}

static void whether_the_kernel_counts_is_read(void **state)
{
	const struct tree *t = *state;

	assert_int_equal(cap_proc_schedstats(t->fd), -1);
	put_file(t->fd, "sys/kernel/sched_schedstats", "0\n");
	assert_int_equal(cap_proc_schedstats(t->fd), 0);
	put_file(t->fd, "sys/kernel/sched_schedstats", "1\n");
	assert_int_equal(cap_proc_schedstats(t->fd), 1);
}

static void status_and_autogroup_are_read(void **state)
{
	const struct tree *t = *state;
	char cpus[64], text[32768];

	put_file(t->fd, "7/task/8/status",
		 "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,7\nMems_allowed:\t1\n");
	put_file(t->fd, "7/autogroup", "/autogroup-42 nice -3\n");
	assert_int_equal(cap_proc_cpus_allowed(t->fd, 7, 8, cpus, sizeof(cpus)), 0);
	assert_string_equal(cpus, "0-3,7");
	assert_int_equal(cap_proc_cpus_allowed(t->fd, 7, 9, cpus, sizeof(cpus)), -ENOENT);
	/* who is in thousands of groups has a long line of them above it */
	snprintf(text, sizeof(text), "Name:\tx\nGroups:\t%030000d\nCpus_allowed_list:\t4-5\n", 7);
	put_file(t->fd, "7/task/9/status", text);
	assert_int_equal(cap_proc_cpus_allowed(t->fd, 7, 9, cpus, sizeof(cpus)), 0);
	assert_string_equal(cpus, "4-5");
	assert_int_equal(cap_proc_autogroup(t->fd, 7).id, 42);
	assert_int_equal(cap_proc_autogroup(t->fd, 7).nice, -3);
	assert_int_equal(cap_proc_autogroup(t->fd, 8).id, -1);
	assert_true(cap_proc_has_autogroups(t->fd));
	put_file(t->fd, "sys/kernel/sched_autogroup_enabled", "1\n");
	assert_true(cap_proc_has_autogroups(t->fd));
	put_file(t->fd, "sys/kernel/sched_autogroup_enabled", "0\n");
	assert_false(cap_proc_has_autogroups(t->fd));
}

static void kvm_descriptors_tell_a_vm(void **state)
{
	const struct tree *t = *state;

	put_file(t->fd, "1/fd/none", "");
	put_file(t->fd, "2/fd/none", "");
	put_file(t->fd, "3/fd/none", "");
	assert_int_equal(symlinkat("/dev/kvm", t->fd, "1/fd/5"), 0);
	assert_int_equal(symlinkat("anon_inode:kvm-vm", t->fd, "2/fd/5"), 0);
	assert_int_equal(symlinkat("anon_inode:kvm-vcpu:3", t->fd, "3/fd/5"), 0);
	assert_false(cap_proc_holds_kvm(t->fd, 1));
	assert_true(cap_proc_holds_kvm(t->fd, 2));
	assert_true(cap_proc_holds_kvm(t->fd, 3));
	assert_false(cap_proc_holds_kvm(t->fd, 4));
}

static void descendants_come_from_all_threads_children(void **state)
{
	const struct tree *t = *state;
	struct cap_ids ids = { 0 };

	put_file(t->fd, "10/task/10/children", "20 ");
	put_file(t->fd, "10/task/11/children", "30 40 ");
	put_file(t->fd, "20/task/20/children", "50 ");
	put_file(t->fd, "30/task/30/children", "");
	/* 40 and 50 have ended meanwhile */
	assert_int_equal(cap_proc_descendants(t->fd, 10, &ids), 0);
	assert_int_equal(ids.n, 4);
	assert_true(cap_ids_has(&ids, 20) && cap_ids_has(&ids, 30));
	assert_true(cap_ids_has(&ids, 40) && cap_ids_has(&ids, 50));
	cap_ids_free(&ids);
}

static void put_parent(int fd, int pid, int ppid)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "%d/task/%d/stat", pid, pid);
	snprintf(text, sizeof(text),
		 "%d (x) S %d 1 1 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 0 0 0 0\n",
		 pid, ppid);
	put_file(fd, path, text);
}

static void without_children_files_parents_tell(void **state)
{
	const struct tree *t = *state;
	struct cap_ids ids = { 0 };

	put_parent(t->fd, 10, 1);
	put_parent(t->fd, 20, 10);
	put_parent(t->fd, 30, 20);
	put_parent(t->fd, 5, 30); /* numbers wrap: a child may have the lower one */
	put_parent(t->fd, 99, 1);
	assert_int_equal(cap_proc_descendants(t->fd, 10, &ids), 0);
	assert_int_equal(ids.n, 3);
	assert_int_equal(ids.id[0], 20);
	assert_int_equal(ids.id[1], 30);
	assert_int_equal(ids.id[2], 5);
	cap_ids_free(&ids);
}

static void numbers_in_a_folder_are_sorted_and_other_names_skipped(void **state)
{
	const struct tree *t = *state;
	struct cap_ids ids = { 0 };

	put_file(t->fd, "x/cpu10", "");
	put_file(t->fd, "x/cpu2", "");
	put_file(t->fd, "x/cpufreq", "");
	put_file(t->fd, "x/3", "");
	assert_int_equal(cap_proc_ids(t->fd, "x", "cpu", &ids), 0);
	assert_int_equal(ids.n, 2);
	assert_int_equal(ids.id[0], 2);
	assert_int_equal(ids.id[1], 10);
	assert_int_equal(cap_proc_ids(t->fd, "y", "cpu", &ids), -ENOENT);
	cap_ids_free(&ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_with_blanks_and_parentheses_does_not_confuse),
		cmocka_unit_test(a_cut_stat_line_is_refused),
		cmocka_unit_test(policies_have_names_and_unknown_ones_numbers),
		cmocka_unit_test(schedstat_is_run_delay_and_arrivals),
		cmocka_unit_test(forced_idle_time_is_ms_with_six_decimals),
		cmocka_unit_test(forced_idle_time_that_is_absent_or_garbled_is_no_number),
		cmocka_unit_test_setup_teardown(whether_the_kernel_counts_is_read, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(status_and_autogroup_are_read, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(kvm_descriptors_tell_a_vm, make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(descendants_come_from_all_threads_children,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(without_children_files_parents_tell, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(
			numbers_in_a_folder_are_sorted_and_other_names_skipped, make_tree,
			remove_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
