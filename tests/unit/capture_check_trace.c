// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/check_access, check_trace: who may trace, tracefs, instances, clocks, events. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "tests/unit/checked.h"

static void put_user(const struct machine *m)
{
	put_file(m->root, "proc/self/status", STATUS_OF("1000", "7", "0000000000000000"));
}

static void a_user_needs_root(void **state)
{
	struct machine *m = *state;

	put_user(m);
	put_file(m->root, "proc/self/mountinfo", CGROUP2_MOUNT);
	assert_check(m, "root", CAP_CHECK_MISSING, "user 1000; recording needs root",
		     "sudo fcap check");
	assert_check(m, "tracefs", CAP_CHECK_MISSING, "not mounted",
		     "sudo mount -t tracefs nodev /sys/kernel/tracing");
}

static void a_group_that_may_read_tracefs_is_not_enough(void **state)
{
	struct machine *m = *state;

	put_user(m);
	m->refused = "sys/kernel/tracing/instances";
	m->refused_code = -EACCES;
	assert_check(m, "root", CAP_CHECK_MISSING,
		     "user 1000; the group of tracefs (gid=104) may only read, and a recording "
		     "begins with a folder made there",
		     "sudo fcap check");
	put_file(m->root, "proc/self/mountinfo",
		 "42 23 0:13 / /sys/kernel/tracing rw - tracefs tracefs rw\n");
	assert_check(m, "root", CAP_CHECK_MISSING, "user 1000; recording needs root",
		     "sudo fcap check");
}

static void a_user_who_may_write_to_tracefs_can_record(void **state)
{
	struct machine *m = *state;

	put_user(m);
	assert_check(m, "root", CAP_CHECK_DEGRADED,
		     "user 1000, who may write to tracefs; the cookies of others need root",
		     "sudo fcap check");
	assert_true(cap_check_can_record(m->check, m->n));
}

static void capabilities_make_and_unmake_root(void **state)
{
	struct machine *m = *state;

	/* DAC_OVERRIDE is bit 1, SYS_PTRACE bit 19: 0x80002 */
	put_file(m->root, "proc/self/status", STATUS_OF("1000", "7", "0000000000080002"));
	assert_check(m, "root", CAP_CHECK_OK, "not root, but with its capabilities", "");
	put_file(m->root, "proc/self/status", STATUS_OF("0", "7", "0000000000000002"));
	assert_check(m, "root", CAP_CHECK_DEGRADED,
		     "root without the capability SYS_PTRACE, which reading cookies needs",
		     "start the container with --cap-add SYS_PTRACE");
}

static void process_numbers_of_a_container_do_not_fit_the_events(void **state)
{
	static const char cause[] = "in a container with process numbers of its own: those in the "
				    "events are the host's";
	static const char fix[] = "start the container with --privileged --pid=host";
	struct machine *m = *state;

	/* /proc mounted outside shows both numbers; one mounted inside has another namespace */
	put_file(m->root, "proc/self/status", STATUS_OF("0", "812\t7", ALL_CAPS));
	assert_check(m, "namespaces", CAP_CHECK_MISSING, cause, fix);
	put_file(m->root, "proc/self/status", STATUS_OF("0", "7", ALL_CAPS));
	put_link(m, "proc/self/ns/pid", "pid:[4026532200]");
	assert_check(m, "namespaces", CAP_CHECK_MISSING, cause, fix);
}

static void the_root_of_a_user_namespace_is_not_root(void **state)
{
	struct machine *m = *state;

	put_link(m, "proc/self/ns/user", "user:[4026532300]");
	put_file(m->root, "proc/self/uid_map", "         0     100000      65536\n");
	m->refused = "sys/kernel/tracing";
	m->refused_code = -EACCES;
	assert_check(m, "namespaces", CAP_CHECK_MISSING,
		     "root of a user namespace only: tracefs belongs to the host's root",
		     "run fcap as root of the host, outside the container");
	assert_check(m, "tracefs", CAP_CHECK_MISSING, "cannot be told without root", "");
	assert_true(check_named(m, "tracefs")->follows);
}

static void outer_namespaces_of_less_weight_only_degrade(void **state)
{
	struct machine *m = *state;

	put_link(m, "proc/self/ns/cgroup", "cgroup:[4026532400]");
	assert_check(m, "namespaces", CAP_CHECK_DEGRADED,
		     "in a cgroup namespace: groups outside it are not seen",
		     "start the container with --cgroupns=host");
	put_link(m, "proc/self/ns/user", "user:[4026532300]");
	put_file(m->root, "proc/self/uid_map", "         0          0          1\n");
	assert_check(m, "namespaces", CAP_CHECK_DEGRADED,
		     "in a user namespace: root has no capabilities outside it",
		     "start the container with --userns=host");
}

static void a_kernel_without_namespace_links_has_none(void **state)
{
	struct machine *m = *state;

	take_away(m, "proc/self/ns/cgroup");
	assert_check(m, "namespaces", CAP_CHECK_OK, "those of the host: processes, users, cgroups",
		     "");
}

static void confidentiality_forbids_tracing_and_integrity_allows_it(void **state)
{
	struct machine *m = *state;

	put_file(m->root, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	assert_check(m, "lockdown", CAP_CHECK_OK, "integrity, which allows tracing", "");
	put_file(m->root, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	m->refused = "available_events";
	m->refused_code = -EPERM;
	assert_check(m, "lockdown", CAP_CHECK_MISSING,
		     "confidentiality: the kernel lets nobody trace",
		     "boot with lockdown=integrity, or lockdown=none");
	assert_check(m, "tracefs", CAP_CHECK_MISSING,
		     "cannot be told without an end of the lockdown", "");
	take_away(m, "sys/kernel/security/lockdown");
	assert_check(m, "lockdown", CAP_CHECK_OK, "none", "");
}

static void tracefs_that_is_not_mounted_is_looked_at_all_the_same(void **state)
{
	struct machine *m = *state;

	put_file(m->root, "proc/self/mountinfo", CGROUP2_MOUNT);
	put_file(m->root, "detached/available_events", SCHED_EVENTS);
	put_file(m->root, "detached/instances/other", "");
	m->mounts = 1;
	assert_check(m, "tracefs", CAP_CHECK_OK,
		     "not mounted; fcap record will mount it at /sys/kernel/tracing", "");
	assert_check(m, "instance", CAP_CHECK_OK, "made one and removed it", "");
	assert_check(m, "events", CAP_CHECK_OK, "all of the scheduler's that are wanted", "");
	m->mounts = -EPERM;
	assert_check(m, "tracefs", CAP_CHECK_MISSING,
		     "not mounted, and we cannot: Operation not permitted",
		     "mount -t tracefs nodev /sys/kernel/tracing");
	put_file(m->root, "proc/filesystems", "nodev\tsysfs\n");
	assert_check(m, "tracefs", CAP_CHECK_MISSING, "this kernel has none",
		     "use a kernel with CONFIG_FTRACE=y");
}

static void a_read_only_tracefs_is_named_by_its_place(void **state)
{
	struct machine *m = *state;

	put_file(m->root, "proc/self/mountinfo",
		 "42 23 0:13 / /my\\040place ro,nosuid - tracefs tracefs rw\n");
	assert_check(m, "tracefs", CAP_CHECK_MISSING, "/my place is mounted read-only",
		     "mount -o remount,rw /my place");
	put_file(m->root, "proc/self/mountinfo",
		 "42 23 0:13 / /sys/kernel/tracing rw - tracefs tracefs ro,gid=1\n");
	assert_check(m, "tracefs", CAP_CHECK_MISSING, "/sys/kernel/tracing is mounted read-only",
		     "mount -o remount,rw /sys/kernel/tracing");
	assert_check(m, "instance", CAP_CHECK_MISSING, "cannot be told without tracefs", "");
}

static void the_usual_place_of_tracefs_is_preferred(void **state)
{
	struct machine *m = *state;

	put_file(m->root, "proc/self/mountinfo",
		 "41 23 0:13 / /sys/kernel/debug/tracing rw - tracefs tracefs rw\n" TRACEFS_MOUNT);
	assert_check(m, "tracefs", CAP_CHECK_OK, "mounted at /sys/kernel/tracing", "");
}

static void a_refusal_to_root_points_to_the_host(void **state)
{
	static const char fix[] = "run fcap on the host, outside any container or sandbox";
	struct machine *m = *state;

	m->refused = "available_events";
	m->refused_code = -EPERM;
	assert_check(m, "tracefs", CAP_CHECK_MISSING,
		     "/sys/kernel/tracing cannot be read: Operation not permitted", fix);
	m->refused = NULL;
	m->make_code = -EPERM;
	assert_check(m, "instance", CAP_CHECK_MISSING,
		     "cannot make a tracing instance: Operation not permitted", fix);
	assert_check(m, "clock", CAP_CHECK_MISSING, "cannot be told without an instance", "");
}

/* True if the folder of instances is empty. */
static bool is_clean(const struct machine *m)
{
	return unlinkat(m->root, "sys/kernel/tracing/instances", AT_REMOVEDIR) == 0;
}

static void an_instance_is_made_and_removed(void **state)
{
	struct machine *m = *state;

	assert_check(m, "instance", CAP_CHECK_OK, "made one and removed it", "");
	assert_int_equal(m->made, 1);
	assert_int_equal(m->removed, 1);
	assert_true(is_clean(m));
}

static void an_instance_that_is_taken_away_is_made_again(void **state)
{
	struct machine *m = *state;

	m->steals = 3;
	assert_check(m, "instance", CAP_CHECK_OK, "made one and removed it", "");
	assert_int_equal(m->made, 4);
	assert_int_equal(m->removed, 1);
	assert_true(is_clean(m));
}

static void an_instance_of_another_is_left_alone(void **state)
{
	struct machine *m = *state;
	char path[96];

	snprintf(path, sizeof(path), "sys/kernel/tracing/instances/fcap-%d-0/theirs",
		 (int)getpid());
	put_file(m->root, path, "");
	assert_check(m, "instance", CAP_CHECK_OK, "made one and removed it", "");
	assert_int_equal(faccessat(m->root, path, F_OK, 0), 0);
}

static void an_instance_that_stays_is_confessed(void **state)
{
	struct machine *m = *state;
	char fix[96];

	snprintf(fix, sizeof(fix), "rmdir /sys/kernel/tracing/instances/fcap-%d-0", (int)getpid());
	m->remove_code = -EBUSY;
	assert_check(m, "instance", CAP_CHECK_DEGRADED,
		     "made one that could not be removed: Device or resource busy", fix);
}

static void causes_of_no_instance_are_told_apart(void **state)
{
	struct machine *m = *state;

	m->make_code = -ENOMEM;
	assert_check(m, "instance", CAP_CHECK_MISSING, "there is no memory for one",
		     "end what uses the memory (free -m tells how much is left)");
	put_user(m);
	m->make_code = -EACCES;
	assert_check(m, "instance", CAP_CHECK_MISSING, "cannot be told without root", "");
	assert_true(is_clean(m));
	assert_check(m, "instance", CAP_CHECK_MISSING, "tracefs has no instances",
		     "use Linux 4.3 or later");
}

static void the_clock_must_be_mono_and_should_be_fast(void **state)
{
	static const char source[] =
		"sys/devices/system/clocksource/clocksource0/current_clocksource";
	struct machine *m = *state;

	assert_check(m, "clock", CAP_CHECK_OK, "mono, from tsc", "");
	put_file(m->root, source, "hpet\n");
	assert_check(m, "clock", CAP_CHECK_DEGRADED,
		     "mono, from hpet: each event waits about a microsecond for it",
		     "boot with clocksource=tsc");
	take_away(m, source);
	assert_check(m, "clock", CAP_CHECK_OK, "mono", "");
	m->clocks = "[local] global mono_raw\n";
	assert_check(m, "clock", CAP_CHECK_MISSING,
		     "this kernel has no trace clock mono, which the samples need",
		     "use Linux 4.3 or later");
	m->clocks = NULL;
	assert_check(m, "clock", CAP_CHECK_MISSING,
		     "this kernel has no trace clock mono, which the samples need",
		     "use Linux 4.3 or later");
}

static void a_missing_event_of_the_scheduler_degrades_unless_it_is_needed(void **state)
{
	struct machine *m = *state;

	put_file(m->root, "sys/kernel/tracing/available_events",
		 "sched:sched_switch\nsched:sched_wakeup\nsched:sched_wakeup_new\n"
		 "sched:sched_migrate_task\nsched:sched_process_fork\nsched:sched_process_exec\n"
		 "sched:sched_process_exit\nsched:sched_process_free\ntask:task_newtask\n"
		 "task:task_rename\n");
	assert_check(m, "events", CAP_CHECK_DEGRADED,
		     "those of the scheduler, but this kernel has no sched:sched_waking, "
		     "cgroup:cgroup_attach_task",
		     "use a kernel with CONFIG_FTRACE=y");
	put_file(m->root, "sys/kernel/tracing/available_events", "sched:sched_switch\n");
	assert_check(m, "events", CAP_CHECK_MISSING,
		     "this kernel has no event sched:sched_wakeup, without which nothing can be "
		     "told",
		     "use a kernel with CONFIG_FTRACE=y");
}

#define with_machine(f) cmocka_unit_test_setup_teardown(f, make_machine, remove_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_machine(a_user_needs_root),
		with_machine(a_group_that_may_read_tracefs_is_not_enough),
		with_machine(a_user_who_may_write_to_tracefs_can_record),
		with_machine(capabilities_make_and_unmake_root),
		with_machine(process_numbers_of_a_container_do_not_fit_the_events),
		with_machine(the_root_of_a_user_namespace_is_not_root),
		with_machine(outer_namespaces_of_less_weight_only_degrade),
		with_machine(a_kernel_without_namespace_links_has_none),
		with_machine(confidentiality_forbids_tracing_and_integrity_allows_it),
		with_machine(tracefs_that_is_not_mounted_is_looked_at_all_the_same),
		with_machine(a_read_only_tracefs_is_named_by_its_place),
		with_machine(the_usual_place_of_tracefs_is_preferred),
		with_machine(a_refusal_to_root_points_to_the_host),
		with_machine(an_instance_is_made_and_removed),
		with_machine(an_instance_that_is_taken_away_is_made_again),
		with_machine(an_instance_of_another_is_left_alone),
		with_machine(an_instance_that_stays_is_confessed),
		with_machine(causes_of_no_instance_are_told_apart),
		with_machine(the_clock_must_be_mono_and_should_be_fast),
		with_machine(a_missing_event_of_the_scheduler_degrades_unless_it_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
