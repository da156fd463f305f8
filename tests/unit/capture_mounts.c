// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/mounts, instance: lines of mountinfo; whose instance is it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/file.h>

#include "capture/instance.h"
#include "capture/mounts.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

static void a_line_is_taken_apart_with_and_without_tags(void **state)
{
	struct cap_mount m;

	(void)state;
	assert_true(cap_mount_parse("36 35 98:0 /sub /mnt\\040a\\134b rw,noatime shared:1 master:2 "
				    "- cgroup none rw,cpu,cpuacct\n36 35 ...",
				    &m));
	assert_string_equal(m.root, "/sub");
	assert_string_equal(m.point, "/mnt a\\b");
	assert_string_equal(m.options, "rw,noatime");
	assert_string_equal(m.type, "cgroup");
	assert_string_equal(m.super, "rw,cpu,cpuacct");
	assert_true(cap_mount_parse("42 23 0:13 / /t rw - tracefs nodev ro", &m));
	assert_string_equal(m.point, "/t");
	assert_string_equal(m.super, "ro");
}

/* The kernel writes three octal digits always; of others nothing is taken, nor looked at. */
static void only_whole_escapes_are_undone(void **state)
{
	struct cap_mount m;

	(void)state;
	assert_true(cap_mount_parse("36 35 98:0 /a\\040b /c\\1 rw - cgroup none rw", &m));
	assert_string_equal(m.root, "/a b");
	assert_string_equal(m.point, "/c\\1");
	assert_true(cap_mount_parse("36 35 98:0 / /\\04x\\1012 rw - cgroup none rw", &m));
	assert_string_equal(m.point, "/\\04xA2");
}

static void what_is_no_such_line_is_refused(void **state)
{
	struct cap_mount m;

	(void)state;
	assert_false(cap_mount_parse("", &m));
	assert_false(cap_mount_parse("42 23 0:13 / /t rw", &m));
	assert_false(cap_mount_parse("42 23 - tracefs nodev rw", &m));
	assert_false(cap_mount_parse("42 23 0:13 / /t rw - tracefs nodev", &m));
	/* the end of one line is not that of the one before */
	assert_false(cap_mount_parse("42 23 0:13 / /t rw\n1 2 0:3 / /u rw - tracefs nodev rw", &m));
}

static void lists_have_whole_words(void **state)
{
	(void)state;
	assert_true(cap_list_has("rw,cpu,cpuacct", 14, "cpu"));
	assert_true(cap_list_has("rw,cpu,cpuacct", 14, "cpuacct"));
	assert_false(cap_list_has("rw,cpuset,cpuacct", 17, "cpu"));
	assert_false(cap_list_has("rw,cpu", 5, "cpu")); /* cut: "rw,cp" */
	assert_false(cap_list_has("", 0, "cpu"));
}

static void an_instance_belongs_to_who_locks_it(void **state)
{
	char *dir = tempdir_new();
	const int at = open_folder(dir);
	int ours, theirs;

	(void)state;
	put_file(at, "fcap-1-0/trace_clock", "");
	ours = cap_instance_lock(at, "fcap-1-0");
	assert_true(ours >= 0);
	assert_int_equal(cap_instance_lock(at, "fcap-1-0"), -EAGAIN);
	/* free again once its owner is gone */
	close(ours);
	theirs = openat(at, "fcap-1-0", O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(theirs, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(cap_instance_lock(at, "fcap-1-0"), -EAGAIN);
	close(theirs);
	/* who removed it between our mkdir and our lock took it for stale */
	assert_int_equal(cap_instance_lock(at, "fcap-1-1"), -EAGAIN);
	close(at);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_taken_apart_with_and_without_tags),
		cmocka_unit_test(only_whole_escapes_are_undone),
		cmocka_unit_test(what_is_no_such_line_is_refused),
		cmocka_unit_test(lists_have_whole_words),
		cmocka_unit_test(an_instance_belongs_to_who_locks_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
