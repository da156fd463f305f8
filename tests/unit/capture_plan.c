// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/plan, tuning: which events, how much buffer. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "capture/plan.h"
#include "capture/tuning.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

#define MIB (1ULL << 20)

static const char all[] = "kvm:kvm_entry\nkvm:kvm_exit\nkvm:kvm_userspace_exit\n"
			  "kvm:kvm_vcpu_wakeup\nkvm:kvm_fpu\nkvm:kvm_pio\n"
			  "sched:sched_switch\nsched:sched_wakeup\nsched:sched_wakeup_new\n"
			  "sched:sched_waking\nsched:sched_migrate_task\n"
			  "sched:sched_process_fork\nsched:sched_process_exec\n"
			  "sched:sched_process_exit\nsched:sched_process_free\n"
			  "task:task_newtask\ntask:task_rename\ncgroup:cgroup_attach_task\n";

static int plans(const struct cap_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->nevent; i++)
		if (strcmp(plan->event[i].name, name) == 0)
			return 1;
	return 0;
}

static void a_full_kernel_gives_sixteen_events_and_none_that_was_not_asked_for(void **state)
{
	struct cap_plan plan;

	(void)state;
	assert_int_equal(cap_plan_resolve(&plan, all, true, false, NULL), 0);
	assert_int_equal(plan.nevent, 16);
	assert_int_equal(plan.nabsent, 0);
	assert_true(plans(&plan, "sched_switch") && plans(&plan, "kvm_entry"));
	assert_false(plans(&plan, "kvm_pio"));
	assert_false(plans(&plan, "kvm_fpu"));
}

static void events_of_one_system_stand_together(void **state)
{
	struct cap_plan plan;
	int changes = 0;

	(void)state;
	assert_int_equal(cap_plan_resolve(&plan, all, true, false, NULL), 0);
	for (size_t i = 1; i < plan.nevent; i++)
		changes += strcmp(plan.event[i].system, plan.event[i - 1].system) != 0;
	assert_int_equal(changes, 3); /* sched, task, cgroup, kvm */
}

static void without_hardware_virtualisation_kvm_fpu_stands_in(void **state)
{
	struct cap_plan plan;

	(void)state;
	assert_int_equal(cap_plan_resolve(&plan, all, false, false, NULL), 0);
	assert_int_equal(plan.nevent, 17);
	assert_true(plans(&plan, "kvm_fpu"));
}

/* Sixteen but for kvm_entry and kvm_exit; what is left out is not missed either. */
static void entries_and_exits_may_be_left_out(void **state)
{
	struct cap_plan plan;

	(void)state;
	assert_int_equal(cap_plan_resolve(&plan, all, true, true, NULL), 0);
	assert_int_equal(plan.nevent, 14);
	assert_int_equal(plan.nabsent, 0);
	assert_false(plans(&plan, "kvm_entry") || plans(&plan, "kvm_exit"));
	assert_true(plans(&plan, "kvm_userspace_exit"));
}

static void a_kernel_without_kvm_is_noted_and_recorded(void **state)
{
	struct cap_plan plan;

	(void)state;
	assert_int_equal(cap_plan_resolve(&plan, "sched:sched_switch\nsched:sched_wakeup", false,
					  false, NULL),
			 0);
	assert_int_equal(plan.nevent, 2);
	assert_int_equal(plan.nabsent, 14); /* kvm_fpu is not missed */
}

static void a_missing_switch_event_is_an_error_that_names_it(void **state)
{
	struct fcap_err err = { 0 };
	struct cap_plan plan;

	(void)state;
	/* the names that are there only begin or end like the one that is needed */
	assert_int_equal(cap_plan_resolve(&plan,
					  "sched:sched_wakeup\nsched:sched_switch_new\n"
					  "xsched:sched_switch\n",
					  true, false, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "sched:sched_switch,"));
}

static void buffers_are_an_eighth_of_memory_within_bounds(void **state)
{
	(void)state;
	assert_true(cap_plan_buffer_bytes(256 * MIB, 2) == 16 * MIB);
	assert_true(cap_plan_buffer_bytes(100 * 1024 * MIB, 2) == 64 * MIB);
	assert_true(cap_plan_buffer_bytes(0, 2) == MIB);
	/* 2 GiB in all */
	assert_true(cap_plan_buffer_bytes(1024 * 1024 * MIB, 128) == 16 * MIB);
	assert_true(cap_plan_buffer_bytes(0, 4096) == MIB / 2);
}

/* 262,144 kB are 256 MiB: an eighth of it, for two CPUs, is 16 MiB each. */
static void free_memory_is_what_meminfo_says(void **state)
{
	const struct cap_tuning any = { 0 }, given = { .buffer_bytes = 5 * MIB };
	char *dir = tempdir_new();
	const int fd = open_folder(dir);

	(void)state;
	/* unknown: the least */
	assert_true(cap_tuning_buffer(&any, fd, 2) == MIB);
	put_file(fd, "meminfo",
		 "MemTotal:        9999999 kB\nMemFree:          123456 kB\n"
		 "MemAvailable:     262144 kB\nBuffers:            1 kB\n");
	assert_true(cap_tuning_buffer(&any, fd, 2) == 16 * MIB);
	assert_true(cap_tuning_buffer(&given, fd, 2) == 5 * MIB);
	close(fd);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_full_kernel_gives_sixteen_events_and_none_that_was_not_asked_for),
		cmocka_unit_test(events_of_one_system_stand_together),
		cmocka_unit_test(without_hardware_virtualisation_kvm_fpu_stands_in),
		cmocka_unit_test(entries_and_exits_may_be_left_out),
		cmocka_unit_test(a_kernel_without_kvm_is_noted_and_recorded),
		cmocka_unit_test(a_missing_switch_event_is_an_error_that_names_it),
		cmocka_unit_test(buffers_are_an_eighth_of_memory_within_bounds),
		cmocka_unit_test(free_memory_is_what_meminfo_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
