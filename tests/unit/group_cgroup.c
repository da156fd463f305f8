// SPDX-License-Identifier: GPL-3.0-or-later
/* The cgroup that a group is said to be in: from what is told of its threads, early or late. */
#include "tests/unit/modelled.h"

#include <string.h>

#include "analyze/model/group_cgroup.h"
#include "analyze/model/groups.h"

#define MACHINE "/machine.slice/machine-qemu\\x2d1\\x2dvm1.scope"
/* the same within the quotes of a line */
#define QUOTED "/machine.slice/machine-qemu\\\\x2d1\\\\x2dvm1.scope"

static const struct tb_task qemu = { 100, "qemu", 0 }, v0 = { 101, "worker", 0 },
			    v1 = { 102, "worker", 0 }, io = { 103, "io", 0 };

static void run(struct tb *tb, uint64_t ms, uint64_t for_ms, struct tb_task task, bool kvm)
{
	tb_switch(tb, at_ms(0, ms), tb_idle, TB_R, task);
	if (kvm)
		tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + ms * MODELLED_MS + 500, task.tid), 0);
	tb_switch(tb, at_ms(0, ms + for_ms), task, TB_S, tb_idle);
}

static void tell(struct tb *tb, uint64_t ms, struct tb_task task, const char *more)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS, "fcap: task tid=%d tgid=100 %s", task.tid,
		  more);
}

/* Two vCPU threads from the start, the main thread and one for I/O. */
static struct tb *two_vcpus(void)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	run(tb, 0, 1, v0, true);
	run(tb, 10, 1, v1, true);
	run(tb, 20, 1, qemu, false);
	run(tb, 30, 1, io, false);
	return tb;
}

/* The only group of this kind is in this cgroup; NULL: in none that is known. */
static void check_kind(struct tb *tb, enum fan_group_kind kind, const char *wanted)
{
	struct fan_model *m = model_of(tb);
	struct fan_groups *g = NULL;

	assert_int_equal(fan_groups_make(&g, m, &(struct fan_group_options){ .kind = kind }, NULL),
			 0);
	assert_int_equal(g->n, 1);
	if (wanted && !g->items[0].cgroup)
		fail_msg("no cgroup, not %s", wanted);
	if (wanted)
		assert_string_equal(g->items[0].cgroup, wanted);
	else
		assert_null(g->items[0].cgroup);
	fan_groups_free(g);
	fan_model_free(m);
}

/* After a last run that makes the trace 100 ms long. */
static void check_vm(struct tb *tb, const char *wanted)
{
	run(tb, 90, 10, v0, true);
	check_kind(tb, FAN_GROUP_VM, wanted);
}

/* What is told at the start of the vCPU threads and of the main one (NULL: nothing). */
static void check_told(const char *first, const char *second, const char *leader,
		       const char *wanted)
{
	struct tb *tb = two_vcpus();

	tell(tb, 0, v0, first);
	tell(tb, 0, v1, second);
	if (leader)
		tell(tb, 0, qemu, leader);
	check_vm(tb, wanted);
}

/* The same of the only vCPU thread. */
static void check_only(const char *told, const char *wanted)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	run(tb, 0, 1, v0, true);
	tell(tb, 0, v0, told);
	check_vm(tb, wanted);
}

static void a_vm_is_where_its_vcpus_are(void **state)
{
	struct tb *tb = two_vcpus();

	(void)state;
	tell(tb, 0, v0, "cgroup=/vms/x");
	tell(tb, 0, v1, "cgroup=/vms/x");
	/* threads that do other work may be elsewhere */
	tell(tb, 0, qemu, "cgroup=/tools");
	tell(tb, 0, io, "cgroup=/io");
	check_vm(tb, "/vms/x");
}

static void a_vm_of_which_nothing_is_told_has_none(void **state)
{
	(void)state;
	check_told("nice=0", "nice=0", NULL, NULL);
}

static void the_first_vcpu_may_be_the_one_that_no_line_tells_of(void **state)
{
	struct tb *tb = two_vcpus();

	(void)state;
	tell(tb, 0, v0, "");
	tell(tb, 50, v1, "cgroup=/vms/x");
	check_vm(tb, "/vms/x");
}

static void a_vcpu_of_which_no_line_tells_is_where_its_main_thread_is(void **state)
{
	struct tb *tb = two_vcpus();

	(void)state;
	tell(tb, 0, v0, "");
	tell(tb, 0, v1, "");
	tell(tb, 80, qemu, "cgroup=/vms/x");
	check_vm(tb, "/vms/x");
}

static void a_main_thread_that_has_died_still_tells(void **state)
{
	struct tb *tb = two_vcpus();

	(void)state;
	tell(tb, 0, v0, "");
	tell(tb, 0, v1, "");
	tell(tb, 20, qemu, "cgroup=/vms/x");
	tb_switch(tb, at_ms(0, 40), tb_idle, TB_R, qemu);
	tb_exit(tb, tb_by(0, MODELLED_BASE + 41 * MODELLED_MS, qemu.tid), qemu);
	tb_switch(tb, at_ms(0, 42), qemu, TB_DEAD, tb_idle);
	tb_free_task(tb, at_ms(0, 43), qemu);
	check_vm(tb, "/vms/x");
}

/* Its tid has another owner since: what is told of that one is nothing to the VM. */
static void a_main_thread_whose_tid_is_used_again_still_tells(void **state)
{
	const struct tb_task shell = { 50, "sh", 0 }, next = { 100, "other", 0 };
	struct tb *tb = two_vcpus();

	(void)state;
	tell(tb, 0, v0, "");
	tell(tb, 0, v1, "");
	tell(tb, 20, qemu, "cgroup=/vms/x");
	tb_switch(tb, at_ms(0, 40), tb_idle, TB_R, qemu);
	tb_exit(tb, tb_by(0, MODELLED_BASE + 41 * MODELLED_MS, qemu.tid), qemu);
	tb_switch(tb, at_ms(0, 42), qemu, TB_DEAD, shell);
	tb_newtask(tb, tb_by(0, MODELLED_BASE + 43 * MODELLED_MS, shell.tid), next, 0);
	tb_switch(tb, at_ms(0, 44), shell, TB_S, tb_idle);
	tb_marker(tb, MODELLED_BASE + 50 * MODELLED_MS, "fcap: task tid=100 cgroup=/other");
	check_vm(tb, "/vms/x");
}

/* Lines of somebody else's: that of thread 100 does not say that it is of thread group 100. */
static void a_main_thread_is_known_by_its_number(void **state)
{
	struct tb *tb = two_vcpus();

	(void)state;
	tb_marker(tb, MODELLED_BASE + 30 * MODELLED_MS, "fcap: task tid=100 cgroup=/vms/x");
	tb_marker(tb, MODELLED_BASE + 30 * MODELLED_MS, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE + 30 * MODELLED_MS, "fcap: vcpu tid=102 tgid=100 id=1");
	check_vm(tb, "/vms/x");
}

static void a_move_alone_tells_of_the_cgroup(void **state)
{
	struct tb *tb = two_vcpus();

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 cpu_hierarchy=1");
	tell(tb, 0, v0, "");
	tell(tb, 0, v1, "");
	tell(tb, 0, qemu, "");
	tb_cgroup_attach(tb, at_ms(0, 50), qemu, "/vms/x");
	check_vm(tb, "/vms/x");
	/* also of one that has slept so far, and is moved by somebody else */
	tb = tb_new(1, 6, TB_PLAIN);
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 cpu_hierarchy=1");
	run(tb, 0, 1, v0, true);
	tb_cgroup_attach(tb, at_ms(0, 50), qemu, "/vms/x");
	tell(tb, 60, v0, "");
	check_vm(tb, "/vms/x");
}

/* A child is in the cgroup of who forked it, until somebody says otherwise. */
static void vcpus_that_are_forked_are_where_their_parent_is(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	tell(tb, 0, qemu, "cgroup=/vms/x");
	tb_switch(tb, at_ms(0, 1), tb_idle, TB_R, qemu);
	tb_newtask(tb, tb_by(0, MODELLED_BASE + 2 * MODELLED_MS, qemu.tid), v0, 0x10000);
	tb_switch(tb, at_ms(0, 3), qemu, TB_S, tb_idle);
	run(tb, 10, 1, v0, true);
	/* of its priority alone */
	tell(tb, 20, v0, "nice=0");
	check_vm(tb, "/vms/x");
}

/* A VMM that looks what KVM can do, on a thread that lived before it was moved. */
static void a_passing_vcpu_thread_does_not_tell(void **state)
{
	const struct tb_task probe = { 104, "probe", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	tell(tb, 0, probe, "cgroup=/user");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, probe);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 500, probe.tid), 0);
	tb_exit(tb, tb_by(0, MODELLED_BASE + 1000, probe.tid), probe);
	tb_switch(tb, at_ms(0, 1), probe, TB_DEAD, tb_idle);
	run(tb, 10, 1, v0, true);
	tell(tb, 20, v0, "cgroup=/vms/x");
	check_vm(tb, "/vms/x");
}

static void a_process_that_becomes_known_late_is_one_vm(void **state)
{
	struct tb *tb = two_vcpus();

	(void)state;
	/* each was a process by itself until here */
	tell(tb, 50, v1, "");
	tell(tb, 60, v0, "");
	tell(tb, 70, io, "cgroup=/io");
	tell(tb, 80, qemu, "cgroup=/vms/x");
	check_vm(tb, "/vms/x");
}

static void vcpus_in_cgroups_of_their_own_are_in_what_holds_them_all(void **state)
{
	(void)state;
	check_told("cgroup=/vms/x/cpu0", "cgroup=/vms/x/cpu1", "cgroup=/vms/x", "/vms/x");
}

/* "/vms/x1" is not below "/vms/x"; and one that is above the other holds both. */
static void a_path_is_compared_part_by_part(void **state)
{
	(void)state;
	check_told("cgroup=/vms/x", "cgroup=/vms/x1", NULL, "/vms");
	check_told("cgroup=/vms/x/deep", "cgroup=/vms/x", NULL, "/vms/x");
	check_told("cgroup=/a", "cgroup=/b", NULL, "/");
}

static void a_machine_of_libvirt_is_the_cgroup_however_many_vcpus_it_has(void **state)
{
	(void)state;
	check_told("cgroup=\"" QUOTED "/libvirt/vcpu0\"", "cgroup=\"" QUOTED "/libvirt/vcpu1\"",
		   "cgroup=\"" QUOTED "/libvirt/emulator\"", MACHINE);
	check_only("cgroup=\"" QUOTED "/libvirt/vcpu0\"", MACHINE);
	/* cgroup v1 has no "libvirt" in between */
	check_only("cgroup=/machine/qemu-3-vm1.libvirt-qemu/vcpu0",
		   "/machine/qemu-3-vm1.libvirt-qemu");
	/* elsewhere such a name is one like others */
	check_only("cgroup=/lab/vcpu0", "/lab/vcpu0");
}

static void a_process_is_where_its_main_thread_is(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	run(tb, 0, 1, v0, false);
	run(tb, 10, 1, qemu, false);
	tell(tb, 50, v0, "cgroup=/deep/one");
	tell(tb, 50, qemu, "cgroup=/deep");
	check_kind(tb, FAN_GROUP_PROCESS, "/deep");
	/* and where the others are if no line tells of that */
	tb = tb_new(1, 6, TB_PLAIN);
	run(tb, 0, 1, qemu, false);
	run(tb, 10, 1, v0, false);
	tell(tb, 50, v0, "cgroup=/deep/one");
	tell(tb, 50, qemu, "");
	check_kind(tb, FAN_GROUP_PROCESS, "/deep/one");
}

/* Two processes of one name. */
static void processes_of_one_name_are_in_what_holds_them_all(void **state)
{
	const struct tb_task again = { 200, "qemu", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	(void)state;
	run(tb, 0, 1, qemu, false);
	run(tb, 10, 1, again, false);
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=100 tgid=100 comm=qemu cgroup=/lab/a");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=200 tgid=200 comm=qemu cgroup=/lab/b");
	check_kind(tb, FAN_GROUP_COMM, "/lab");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vm_is_where_its_vcpus_are),
		cmocka_unit_test(a_vm_of_which_nothing_is_told_has_none),
		cmocka_unit_test(the_first_vcpu_may_be_the_one_that_no_line_tells_of),
		cmocka_unit_test(a_vcpu_of_which_no_line_tells_is_where_its_main_thread_is),
		cmocka_unit_test(a_main_thread_that_has_died_still_tells),
		cmocka_unit_test(a_main_thread_whose_tid_is_used_again_still_tells),
		cmocka_unit_test(a_main_thread_is_known_by_its_number),
		cmocka_unit_test(a_move_alone_tells_of_the_cgroup),
		cmocka_unit_test(vcpus_that_are_forked_are_where_their_parent_is),
		cmocka_unit_test(a_passing_vcpu_thread_does_not_tell),
		cmocka_unit_test(a_process_that_becomes_known_late_is_one_vm),
		cmocka_unit_test(vcpus_in_cgroups_of_their_own_are_in_what_holds_them_all),
		cmocka_unit_test(a_path_is_compared_part_by_part),
		cmocka_unit_test(a_machine_of_libvirt_is_the_cgroup_however_many_vcpus_it_has),
		cmocka_unit_test(a_process_is_where_its_main_thread_is),
		cmocka_unit_test(processes_of_one_name_are_in_what_holds_them_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
