// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/check_sched, check_core: counters, cgroups, sched_ext, siblings, core scheduling. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "tests/unit/checked.h"

static void put_mounts(const struct machine *m, const char *cgroups)
{
	char text[1024];

	snprintf(text, sizeof(text), TRACEFS_MOUNT "%s", cgroups);
	put_file(m->root, "proc/self/mountinfo", text);
}

static void waits_are_counted_unless_the_counters_are_zero_or_absent(void **state)
{
	struct machine *m = *state;

	assert_check(m, "sched_info", CAP_CHECK_OK, "/proc/PID/schedstat counts waits (run_delay)",
		     "");
	put_file(m->root, "proc/self/schedstat", "0 0 0\n");
	assert_check(m, "sched_info", CAP_CHECK_DEGRADED,
		     "/proc/PID/schedstat has nothing but zeros",
		     "sysctl -w kernel.task_delayacct=1");
	take_away(m, "proc/self/schedstat");
	assert_check(m, "sched_info", CAP_CHECK_DEGRADED,
		     "/proc/PID/schedstat is not there: the kernel counts no waits",
		     "use a kernel with CONFIG_SCHED_INFO=y");
}

static void version_1_and_hybrid_say_where_the_controller_is(void **state)
{
	struct machine *m = *state;

	put_mounts(m, "32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpuacct,cpu\n");
	assert_check(m, "cgroup", CAP_CHECK_OK, "version 1, cpu controller at /cg/cpu", "");
	put_mounts(m, "31 23 0:40 / /cg/unified rw - cgroup2 cgroup2 rw\n"
		      "32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu\n");
	assert_check(m, "cgroup", CAP_CHECK_OK,
		     "version 1, cpu controller at /cg/cpu; version 2 at /cg/unified without it",
		     "");
}

static void version_1_without_the_controller_degrades(void **state)
{
	static const char fix[] = "mount -t cgroup -o cpu cgroup /sys/fs/cgroup/cpu";
	struct machine *m = *state;

	/* cpuset and cpuacct are other controllers */
	put_mounts(m, "32 31 0:29 / /cg/x rw - cgroup cgroup rw,cpuset,cpuacct\n");
	assert_check(m, "cgroup", CAP_CHECK_DEGRADED, "version 1, without the cpu controller", fix);
	put_mounts(m, "32 31 0:29 / /cg/x rw - cgroup cgroup rw,memory\n"
		      "33 31 0:40 / /cg/unified rw - cgroup2 cgroup2 rw\n");
	assert_check(m, "cgroup", CAP_CHECK_DEGRADED,
		     "versions 1 and 2 are mounted, neither with the cpu controller", fix);
}

static void version_2_must_give_the_controller_to_its_groups(void **state)
{
	struct machine *m = *state;

	assert_check(m, "cgroup", CAP_CHECK_OK, "version 2, cpu controller at /sys/fs/cgroup", "");
	put_file(m->root, "sys/fs/cgroup/cgroup.subtree_control", "memory\n");
	assert_check(m, "cgroup", CAP_CHECK_DEGRADED,
		     "version 2 at /sys/fs/cgroup, but its groups have no cpu controller",
		     "echo +cpu | tee /sys/fs/cgroup/cgroup.subtree_control");
	put_file(m->root, "sys/fs/cgroup/cgroup.controllers", "cpuset memory\n");
	assert_check(m, "cgroup", CAP_CHECK_DEGRADED,
		     "version 2 at /sys/fs/cgroup has no cpu controller to give",
		     "boot without cgroup_disable=cpu");
	put_mounts(m, "");
	assert_check(m, "cgroup", CAP_CHECK_DEGRADED, "none mounted",
		     "mount -t cgroup2 none /sys/fs/cgroup");
}

static void another_scheduler_in_charge_is_named(void **state)
{
	struct machine *m = *state;

	assert_check(m, "sched_ext", CAP_CHECK_OK, "not in this kernel", "");
	put_file(m->root, "sys/kernel/sched_ext/state", "disabled\n");
	assert_check(m, "sched_ext", CAP_CHECK_OK, "no scheduler loaded", "");
	put_file(m->root, "sys/kernel/sched_ext/state", "enabled\n");
	put_file(m->root, "sys/kernel/sched_ext/root/ops", "rusty_1.0\n");
	assert_check(
		m, "sched_ext", CAP_CHECK_DEGRADED,
		"enabled: the scheduler rusty_1.0 is in charge, and weights mean what it makes "
		"of them",
		"echo S | tee /proc/sysrq-trigger");
}

static void put_smt(const struct machine *m, const char *active, const char *control)
{
	put_file(m->root, "sys/devices/system/cpu/smt/active", active);
	put_file(m->root, "sys/devices/system/cpu/smt/control", control);
}

static void siblings_in_use_are_shown(void **state)
{
	struct machine *m = *state;

	assert_check(m, "smt", CAP_CHECK_OK, "on; CPU 0 shares its core as 0-1", "");
	/* an older kernel tells by the list alone */
	take_away(m, "sys/devices/system/cpu/smt/active");
	take_away(m, "sys/devices/system/cpu/smt/control");
	assert_check(m, "smt", CAP_CHECK_OK, "on; CPU 0 shares its core as 0-1", "");
	put_file(m->root, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n");
	assert_check(m, "smt", CAP_CHECK_DEGRADED,
		     "each core has one CPU here: there is nothing to isolate", "");
}

static void without_siblings_there_is_nothing_to_isolate(void **state)
{
	struct machine *m = *state;

	put_smt(m, "0\n", "off\n");
	assert_check(m, "smt", CAP_CHECK_DEGRADED,
		     "off: no core is shared, so that there is nothing to isolate",
		     "echo on | tee /sys/devices/system/cpu/smt/control");
	put_smt(m, "0\n", "forceoff\n");
	assert_check(m, "smt", CAP_CHECK_DEGRADED,
		     "off since boot: no core is shared, so that there is nothing to isolate",
		     "boot without nosmt=force");
	put_smt(m, "0\n", "notsupported\n");
	assert_check(m, "smt", CAP_CHECK_DEGRADED,
		     "each core has one CPU here: there is nothing to isolate", "");
	/* a kernel that could, on a machine that cannot: one loss, not two */
	m->core = -ENODEV;
	assert_check(m, "core_sched", CAP_CHECK_DEGRADED,
		     "in this kernel, but asleep while no core has two CPUs", "");
	assert_string_equal(check_named(m, "smt")->loss, "isolation of VMs on a core");
	assert_string_equal(check_named(m, "core_sched")->loss, "isolation of VMs on a core");
	assert_string_equal(check_named(m, "cookies")->loss, "isolation of VMs on a core");
}

static void a_kernel_without_core_scheduling_says_why(void **state)
{
	struct machine *m = *state;

	m->core = -EINVAL;
	assert_check(m, "core_sched", CAP_CHECK_DEGRADED,
		     "this kernel was built without CONFIG_SCHED_CORE, which is off unless chosen",
		     "use a kernel with CONFIG_SCHED_CORE=y");
	assert_string_equal(check_named(m, "core_sched")->loss, "cookies");
	put_file(m->root, "proc/sys/kernel/osrelease", "5.4.100-08112-g3e\n");
	assert_check(m, "core_sched", CAP_CHECK_DEGRADED,
		     "Linux 5.4.100-08112-g3e has none: it came with 5.14",
		     "use Linux 5.14 or later with CONFIG_SCHED_CORE=y");
	m->core = -EPERM;
	assert_check(m, "core_sched", CAP_CHECK_DEGRADED,
		     "prctl(PR_SCHED_CORE) is refused: Operation not permitted",
		     "run fcap on the host, outside any sandbox");
}

static void schedstats_matter_only_with_core_scheduling(void **state)
{
	struct machine *m = *state;

	assert_check(m, "schedstats", CAP_CHECK_OK, "on", "");
	put_file(m->root, "proc/sys/kernel/sched_schedstats", "0\n");
	assert_check(m, "schedstats", CAP_CHECK_DEGRADED,
		     "off: the counters of forced idle stand still",
		     "sysctl -w kernel.sched_schedstats=1");
	m->core = -EINVAL;
	assert_check(m, "schedstats", CAP_CHECK_OK, "off; of use only with core scheduling", "");
	take_away(m, "proc/sys/kernel/sched_schedstats");
	assert_check(m, "schedstats", CAP_CHECK_OK,
		     "not in this kernel; of use only with core scheduling", "");
	m->core = 0;
	assert_check(m, "schedstats", CAP_CHECK_DEGRADED,
		     "this kernel was built without CONFIG_SCHEDSTATS",
		     "use a kernel with CONFIG_SCHEDSTATS=y");
}

static void the_way_to_set_cookies_is_told(void **state)
{
	struct machine *m = *state;

	assert_check(m, "cookies", CAP_CHECK_OK,
		     "set by prctl(PR_SCHED_CORE); by hand: coresched of util-linux 2.41, which is "
		     "here",
		     "");
	take_away(m, "usr/bin/coresched");
	assert_check(m, "cookies", CAP_CHECK_OK,
		     "set by prctl(PR_SCHED_CORE); by hand: coresched of util-linux 2.41, which is "
		     "not installed",
		     "");
	m->random_code = -EAGAIN;
	assert_check(m, "cookies", CAP_CHECK_DEGRADED,
		     "each reads as 0 until the kernel's random generator is ready",
		     "wait until dmesg says: crng init done");
}

#define NEVER_MERGED                                                                          \
	". Elsewhere prctl(PR_SCHED_CORE) sets them since Linux 5.14, by hand coresched of "  \
	"util-linux 2.41; the cgroup files cpu.tag and cpu.core_tag were proposed but never " \
	"merged"

static void a_kernel_that_gives_no_cookies_answers_the_question_of_2021(void **state)
{
	struct machine *m = *state;

	m->core = -EINVAL;
	assert_check(m, "cookies", CAP_CHECK_DEGRADED, "none can be set here" NEVER_MERGED, "");
	put_file(m->root, "proc/sys/kernel/osrelease", "5.4.100-08112-g3e\n");
	assert_check(m, "cookies", CAP_CHECK_DEGRADED,
		     "none can be set here, unless this is a ChromeOS kernel, which has a "
		     "prctl(0x200) of its own that cannot be read back" NEVER_MERGED,
		     "");
	/* 5.40 is not 5.4 */
	put_file(m->root, "proc/sys/kernel/osrelease", "5.40.0\n");
	assert_check(m, "cookies", CAP_CHECK_DEGRADED, "none can be set here" NEVER_MERGED, "");
}

static void a_patched_kernels_tag_file_is_found_in_a_group(void **state)
{
	struct machine *m = *state;

	m->core = -EINVAL;
	put_mounts(m, "32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu\n");
	put_file(m->root, "cg/cpu/caas1/cpu.shares", "1024\n");
	put_file(m->root, "cg/cpu/caas1/cpu.core_tag", "1\n");
	assert_check(m, "cookies", CAP_CHECK_DEGRADED,
		     "set by the cgroup file cpu.core_tag of a patched kernel, which never got "
		     "into Linux and cannot be read by thread",
		     "use Linux 5.14 or later");
}

#define with_machine(f) cmocka_unit_test_setup_teardown(f, make_machine, remove_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_machine(waits_are_counted_unless_the_counters_are_zero_or_absent),
		with_machine(version_1_and_hybrid_say_where_the_controller_is),
		with_machine(version_1_without_the_controller_degrades),
		with_machine(version_2_must_give_the_controller_to_its_groups),
		with_machine(another_scheduler_in_charge_is_named),
		with_machine(siblings_in_use_are_shown),
		with_machine(without_siblings_there_is_nothing_to_isolate),
		with_machine(a_kernel_without_core_scheduling_says_why),
		with_machine(schedstats_matter_only_with_core_scheduling),
		with_machine(the_way_to_set_cookies_is_told),
		with_machine(a_kernel_that_gives_no_cookies_answers_the_question_of_2021),
		with_machine(a_patched_kernels_tag_file_is_found_in_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
