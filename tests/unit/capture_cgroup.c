// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/cgroup and capture/topology on made-up trees. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/resource.h>

#include "capture/cgroup.h"
#include "capture/topology.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

struct tree {
	char *dir;
	int fd, procfd;
	struct cap_cgroups *groups;
	struct kept k;
};

static int make_tree(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	t->dir = tempdir_new();
	t->fd = open_folder(t->dir);
	put_file(t->fd, "proc/none", "");
	t->procfd = openat(t->fd, "proc", O_RDONLY | O_DIRECTORY);
	*state = t;
	return t->procfd < 0;
}

static int remove_tree(void **state)
{
	struct tree *t = *state;

	kept_clear(&t->k);
	cap_cgroups_close(t->groups);
	close(t->procfd);
	close(t->fd);
	tempdir_remove(t->dir);
	free(t);
	return 0;
}

static void open_v1(struct tree *t)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
		 "31 30 0:20 / %s/unified rw - cgroup2 cgroup2 rw\n"
		 "32 31 0:29 / %s/cpu\\040ctl rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
		 "34 31 0:31 / %s/cpuset rw,relatime - cgroup cgroup rw,cpuset\n",
		 t->dir, t->dir, t->dir);
	put_file(t->fd, "proc/self/mountinfo", text);
	put_file(t->fd, "proc/self/cgroup",
		 "9:name=systemd:/\n4:cpu,cpuacct:/x\n3:cpuset:/\n0::/\n");
	put_file(t->fd, "cpu ctl/cpu.shares", "1024\n");
	put_file(t->fd, "cpu ctl/cpu.cfs_quota_us", "-1\n");
	put_file(t->fd, "cpu ctl/cpu.cfs_period_us", "100000\n");
	put_file(t->fd, "cpu ctl/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
	put_file(t->fd, "cpu ctl/a/cpu.shares", "128\n");
	put_file(t->fd, "cpu ctl/a/b/cpu.shares", "1152\n");
	put_file(t->fd, "cpu ctl/a/b/cpu.cfs_quota_us", "50000\n");
	put_file(t->fd, "cpu ctl/a/b/cpu.cfs_period_us", "100000\n");
	put_file(t->fd, "cpu ctl/a/b/cpu.stat",
		 "nr_periods 9\nnr_throttled 1\nthrottled_time 77\n");
	put_file(t->fd, "cpuset/cpuset.effective_cpus", "0-7\n");
	put_file(t->fd, "cpuset/a/cpuset.cpus", "0-1\n");
	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
}

struct told {
	int n;
};

static int count(void *ctx, const char *line)
{
	(void)line;
	((struct told *)ctx)->n++;
	return 0;
}

static void version_1_is_taken_where_its_cpu_controller_is(void **state)
{
	struct tree *t = *state;
	char path[64];

	open_v1(t);
	assert_int_equal(cap_cgroups_hierarchy(t->groups), 4);
	put_file(t->procfd, "7/task/8/cgroup",
		 "11:cpuset:/no\n4:cpu,cpuacct:/a/b c\n1:name=cpu:/neither\n0::/no\n");
	assert_int_equal(cap_cgroups_of(t->groups, 7, 8, path, sizeof(path)), 0);
	assert_string_equal(path, "/a/b c");
	assert_int_equal(cap_cgroups_of(t->groups, 7, 9, path, sizeof(path)), -ENOENT);
	put_file(t->procfd, "7/task/9/cgroup", "11:cpuset:/no\n");
	assert_int_equal(cap_cgroups_of(t->groups, 7, 9, path, sizeof(path)), -ENODATA);
}

static void ancestors_stand_first_with_all_that_version_1_knows(void **state)
{
	struct tree *t = *state;

	open_v1(t);
	assert_int_equal(cap_cgroups_want(t->groups, "/a/b"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 3);
	assert_string_equal(t->k.line[0],
			    "fcap: cg path=/ weight=1024 scale=shares quota=max period=100000 "
			    "cpuset=0-7 throttled_ns=0");
	assert_string_equal(t->k.line[1],
			    "fcap: cg path=/a parent=/ weight=128 scale=shares cpuset=0-1");
	assert_string_equal(t->k.line[2],
			    "fcap: cg path=/a/b parent=/a weight=1152 scale=shares quota=50000 "
			    "period=100000 throttled_ns=77");
}

static void a_group_is_told_again_only_when_it_changed(void **state)
{
	struct tree *t = *state;

	open_v1(t);
	assert_int_equal(cap_cgroups_want(t->groups, "/a"), 0);
	assert_int_equal(cap_cgroups_want(t->groups, "/a"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 2);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 2);
	put_file(t->fd, "cpu ctl/a/cpu.shares", "2048\n");
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 3);
	assert_string_equal(t->k.line[2],
			    "fcap: cg path=/a parent=/ weight=2048 scale=shares cpuset=0-1");
	/* removed: what was last known stays said */
	assert_int_equal(unlinkat(t->fd, "cpu ctl/a/cpu.shares", 0), 0);
	assert_int_equal(unlinkat(t->fd, "cpuset/a/cpuset.cpus", 0), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 3);
}

static void version_2_has_weights_and_microseconds(void **state)
{
	struct tree *t = *state;
	char text[1024], path[64];

	snprintf(text, sizeof(text), "31 30 0:20 / %s/unified rw - cgroup2 cgroup2 rw\n", t->dir);
	put_file(t->procfd, "self/mountinfo", text);
	put_file(t->procfd, "self/cgroup", "0::/user.slice\n");
	put_file(t->procfd, "7/task/7/cgroup", "0::/vm\n");
	put_file(t->fd, "unified/cpuset.cpus.effective", "0-3\n");
	put_file(t->fd, "unified/cpu.stat", "usage_usec 5\n");
	put_file(t->fd, "unified/vm/cpu.weight", "100\n");
	put_file(t->fd, "unified/vm/cpu.max", "max 100000\n");
	put_file(t->fd, "unified/vm/cpu.stat", "usage_usec 5\nnr_throttled 1\nthrottled_usec 12\n");
	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
	assert_int_equal(cap_cgroups_hierarchy(t->groups), 0);
	assert_int_equal(cap_cgroups_of(t->groups, 7, 7, path, sizeof(path)), 0);
	assert_int_equal(cap_cgroups_want(t->groups, path), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 2);
	assert_string_equal(t->k.line[0], "fcap: cg path=/ cpuset=0-3");
	assert_string_equal(t->k.line[1],
			    "fcap: cg path=/vm parent=/ weight=100 scale=weight quota=max "
			    "period=100000 throttled_ns=12000");
	put_file(t->fd, "unified/vm/cpu.max", "20000 50000\n");
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_non_null(strstr(kept_last(&t->k, "fcap: cg path=/vm "), "quota=20000 period=50000"));
}

/* 34567 us of forced idle are 34567000 ns. */
static void forced_idle_of_a_group_is_told_when_it_changes(void **state)
{
	struct tree *t = *state;
	char text[1024];

	snprintf(text, sizeof(text), "31 30 0:20 / %s/unified rw - cgroup2 cgroup2 rw\n", t->dir);
	put_file(t->procfd, "self/mountinfo", text);
	put_file(t->procfd, "self/cgroup", "0::/\n");
	put_file(t->fd, "unified/cpu.stat",
		 "usage_usec 5\nuser_usec 3\nsystem_usec 2\ncore_sched.force_idle_usec 40000\n");
	put_file(t->fd, "unified/vm/cpu.weight", "100\n");
	put_file(t->fd, "unified/vm/cpu.stat",
		 "usage_usec 5\ncore_sched.force_idle_usec 34567\nthrottled_usec 0\n");
	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
	assert_int_equal(cap_cgroups_want(t->groups, "/vm"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 2);
	assert_string_equal(t->k.line[0], "fcap: cg path=/ forceidle_ns=40000000");
	assert_string_equal(t->k.line[1], "fcap: cg path=/vm parent=/ weight=100 scale=weight "
					  "throttled_ns=0 forceidle_ns=34567000");
	/* what else is in the file may change as it likes */
	put_file(t->fd, "unified/vm/cpu.stat",
		 "usage_usec 9\ncore_sched.force_idle_usec 34567\nthrottled_usec 0\n");
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 2);
	put_file(t->fd, "unified/vm/cpu.stat",
		 "usage_usec 9\ncore_sched.force_idle_usec 34568\nthrottled_usec 0\n");
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 3);
	assert_non_null(strstr(t->k.line[2], " forceidle_ns=34568000"));
}

/* cpu.idle beside what it does to the weight; a kernel before 5.15 has no such file. */
static void an_idle_group_is_told_and_so_is_its_end(void **state)
{
	struct tree *t = *state;
	char text[1024];

	snprintf(text, sizeof(text), "31 30 0:20 / %s/unified rw - cgroup2 cgroup2 rw\n", t->dir);
	put_file(t->procfd, "self/mountinfo", text);
	put_file(t->procfd, "self/cgroup", "0::/\n");
	put_file(t->fd, "unified/vm/cpu.weight", "0\n");
	put_file(t->fd, "unified/vm/cpu.idle", "1\n");
	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
	assert_int_equal(cap_cgroups_want(t->groups, "/vm"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_string_equal(kept_last(&t->k, "fcap: cg path=/vm "),
			    "fcap: cg path=/vm parent=/ weight=0 scale=weight idle=1");
	put_file(t->fd, "unified/vm/cpu.idle", "0\n");
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_string_equal(kept_last(&t->k, "fcap: cg path=/vm "),
			    "fcap: cg path=/vm parent=/ weight=0 scale=weight idle=0");
}

/* A controller that is switched on for a group while it is sampled: within ten samples. */
static void a_file_that_comes_late_is_found(void **state)
{
	struct tree *t = *state;
	size_t before;

	open_v1(t);
	assert_int_equal(cap_cgroups_want(t->groups, "/a"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	put_file(t->fd, "cpu ctl/a/cpu.idle", "0\n");
	before = t->k.n;
	for (int i = 0; i < 10; i++)
		assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, before + 1);
	assert_string_equal(t->k.line[before],
			    "fcap: cg path=/a parent=/ weight=128 scale=shares idle=0 cpuset=0-1");
}

/* Half of the files stay open; what does not fit is read all the same, and is not left open. */
static void more_groups_than_files_may_stay_open_are_all_read(void **state)
{
	enum { GROUPS = 100, FILES = 128 }; /* groups of four files each */
	struct tree *t = *state;
	struct rlimit before, few;
	char path[64];

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ FILES, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	open_v1(t);
	for (int i = 0; i < GROUPS; i++) {
		static const char *const file[] = { "cpu.shares", "cpu.cfs_quota_us",
						    "cpu.cfs_period_us", "cpu.stat" };

		for (size_t k = 0; k < 4; k++) {
			snprintf(path, sizeof(path), "cpu ctl/g%d/%s", i, file[k]);
			put_file(t->fd, path, "1\n");
		}
		snprintf(path, sizeof(path), "/g%d", i);
		assert_int_equal(cap_cgroups_want(t->groups, path), 0);
	}
	for (int at = 0; at < 2; at++) {
		struct told told = { 0 };

		assert_int_equal(cap_cgroups_sample(t->groups, (struct cap_sink){ count, &told }),
				 0);
		assert_int_equal(told.n, at ? 0 : GROUPS + 1);
	}
	put_file(t->fd, "cpu ctl/g99/cpu.shares", "2\n");
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 1);
	assert_non_null(strstr(t->k.line[0], "path=/g99 parent=/ weight=2 "));
	assert_int_not_equal(fcntl(FILES / 2 - 1, F_GETFD), -1);
	assert_int_equal(fcntl(FILES / 2, F_GETFD), -1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void a_mount_that_shows_a_subtree_is_read_from_its_root(void **state)
{
	struct tree *t = *state;
	char text[1024];

	snprintf(text, sizeof(text), "31 30 0:20 /box %s/inside rw - cgroup2 cgroup2 rw\n", t->dir);
	put_file(t->procfd, "self/mountinfo", text);
	put_file(t->procfd, "self/cgroup", "0::/box/a\n");
	put_file(t->fd, "inside/a/cpu.weight", "7\n");
	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
	assert_int_equal(cap_cgroups_want(t->groups, "/box/a"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_string_equal(kept_last(&t->k, "fcap: cg path=/box/a "),
			    "fcap: cg path=/box/a parent=/box weight=7 scale=weight");
}

/* In a container: its group's weight is not that of the host's root, nor is /a the same as /box/a.
 */
static void of_what_the_mount_does_not_show_nothing_is_known(void **state)
{
	struct tree *t = *state;
	char text[1024];

	snprintf(text, sizeof(text), "31 30 0:20 /box\\040x %s/inside rw - cgroup2 cgroup2 rw\n",
		 t->dir);
	put_file(t->procfd, "self/mountinfo", text);
	put_file(t->procfd, "self/cgroup", "0::/box x\n");
	put_file(t->fd, "inside/cpu.weight", "5\n");
	put_file(t->fd, "inside/a/cpu.weight", "7\n");
	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
	assert_int_equal(cap_cgroups_want(t->groups, "/box x"), 0);
	assert_int_equal(cap_cgroups_want(t->groups, "/a"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 3);
	assert_string_equal(t->k.line[0], "fcap: cg path=/");
	assert_string_equal(t->k.line[1],
			    "fcap: cg path=\"/box x\" parent=/ weight=5 scale=weight");
	assert_string_equal(t->k.line[2], "fcap: cg path=/a parent=/");
}

/* "mount -t cgroup -o cpu,cpuset" */
static void one_hierarchy_may_have_both_controllers(void **state)
{
	struct tree *t = *state;
	char text[1024];

	snprintf(text, sizeof(text), "32 31 0:29 / %s/both rw - cgroup cgroup rw,cpuset,cpu\n",
		 t->dir);
	put_file(t->procfd, "self/mountinfo", text);
	put_file(t->procfd, "self/cgroup", "4:cpuset,cpu:/\n");
	put_file(t->fd, "both/cpu.shares", "1024\n");
	put_file(t->fd, "both/cpuset.effective_cpus", "0-7\n");
	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
	assert_int_equal(cap_cgroups_want(t->groups, "/"), 0);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 1);
	assert_string_equal(t->k.line[0], "fcap: cg path=/ weight=1024 scale=shares cpuset=0-7");
}

static void a_host_without_cgroups_is_no_error(void **state)
{
	struct tree *t = *state;
	char path[64];

	assert_int_equal(cap_cgroups_open(&t->groups, t->procfd), 0);
	put_file(t->procfd, "7/task/7/cgroup", "");
	assert_int_equal(cap_cgroups_of(t->groups, 7, 7, path, sizeof(path)), -ENODATA);
	assert_int_equal(cap_cgroups_sample(t->groups, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 0);
}

static void each_online_cpu_tells_its_core(void **state)
{
	struct tree *t = *state;

	put_file(t->fd, "cpu0/topology/core_id", "4\n");
	put_file(t->fd, "cpu0/topology/physical_package_id", "1\n");
	put_file(t->fd, "cpu0/topology/thread_siblings_list", "0,2\n");
	put_file(t->fd, "cpu10/topology/core_id", "5\n");
	put_file(t->fd, "cpu3/online", "0\n");
	put_file(t->fd, "cpufreq/boost", "1\n");
	assert_int_equal(cap_topology_emit(t->fd, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 2);
	assert_string_equal(t->k.line[0], "fcap: cpu id=0 core=4 package=1 siblings=0,2");
	assert_string_equal(t->k.line[1], "fcap: cpu id=10 core=5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(version_1_is_taken_where_its_cpu_controller_is,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(ancestors_stand_first_with_all_that_version_1_knows,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(a_group_is_told_again_only_when_it_changed,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(version_2_has_weights_and_microseconds, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(forced_idle_of_a_group_is_told_when_it_changes,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(an_idle_group_is_told_and_so_is_its_end, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(a_file_that_comes_late_is_found, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(more_groups_than_files_may_stay_open_are_all_read,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(a_mount_that_shows_a_subtree_is_read_from_its_root,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(of_what_the_mount_does_not_show_nothing_is_known,
						make_tree, remove_tree),
		cmocka_unit_test_setup_teardown(one_hierarchy_may_have_both_controllers, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(a_host_without_cgroups_is_no_error, make_tree,
						remove_tree),
		cmocka_unit_test_setup_teardown(each_online_cpu_tells_its_core, make_tree,
						remove_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
