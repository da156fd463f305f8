// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/check_kvm, check_vms: device, module, events; the VMs that run and their cookies. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "tests/unit/checked.h"

#define CPU_WITH(flags) "processor\t: 0\nflags\t\t: fpu " flags " sse\n\nprocessor\t: 1\n"

static void put_module(const struct machine *m, const char *name)
{
	char path[64];

	take_away(m, "sys/module/kvm_intel/parameters/nested");
	unlinkat(m->root, "sys/module/kvm_intel/parameters", AT_REMOVEDIR);
	unlinkat(m->root, "sys/module/kvm_intel", AT_REMOVEDIR);
	snprintf(path, sizeof(path), "sys/module/%s/version", name);
	put_file(m->root, path, "");
}

static void kvm_is_told_with_its_module(void **state)
{
	struct machine *m = *state;

	assert_check(m, "kvm", CAP_CHECK_OK, "/dev/kvm by kvm_intel, nested guests on", "");
	put_file(m->root, "sys/module/kvm_intel/parameters/nested", "0\n");
	assert_check(m, "kvm", CAP_CHECK_OK, "/dev/kvm by kvm_intel, nested guests off", "");
	put_module(m, "kvm_amd");
	assert_check(m, "kvm", CAP_CHECK_OK, "/dev/kvm by kvm_amd", "");
}

static void a_kernel_with_kvm_built_in_has_no_vendors_module(void **state)
{
	struct machine *m = *state;

	put_module(m, "kvm");
	put_file(m->root, "proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\n");
	assert_check(m, "kvm", CAP_CHECK_OK, "/dev/kvm by kvm", "");
	assert_check(m, "kvm_events", CAP_CHECK_OK,
		     "kvm_entry, kvm_exit, kvm_userspace_exit, kvm_vcpu_wakeup", "");
}

static void no_device_names_the_module_that_this_cpu_wants(void **state)
{
	struct machine *m = *state;

	take_away(m, "dev/kvm");
	assert_check(m, "kvm", CAP_CHECK_DEGRADED, "kvm_intel is loaded, but /dev/kvm is not there",
		     "mknod -m 660 /dev/kvm c 10 232");
	put_module(m, "kvm"); /* the common part alone */
	assert_check(m, "kvm", CAP_CHECK_DEGRADED, "no /dev/kvm: kvm_intel is not loaded",
		     "modprobe kvm_intel");
	put_file(m->root, "proc/cpuinfo", CPU_WITH("svm"));
	assert_check(m, "kvm", CAP_CHECK_DEGRADED, "no /dev/kvm: kvm_amd is not loaded",
		     "modprobe kvm_amd");
	take_away(m, "sys/module/kvm/version");
	unlinkat(m->root, "sys/module/kvm", AT_REMOVEDIR);
	put_file(m->root, "proc/cpuinfo", CPU_WITH("vmx_like"));
	assert_check(m, "kvm", CAP_CHECK_DEGRADED,
		     "no /dev/kvm, and no virtualisation in this CPU (vmx, svm)",
		     "switch virtualisation on in firmware or hypervisor");
	assert_true(cap_check_can_record(m->check, m->n));
}

static void a_device_that_is_refused_says_to_whom(void **state)
{
	struct machine *m = *state;

	m->refused = "dev/kvm";
	m->refused_code = -EPERM;
	assert_check(m, "kvm", CAP_CHECK_DEGRADED, "/dev/kvm is refused: Operation not permitted",
		     "start the container with --device /dev/kvm");
	m->refused_code = -ENODEV;
	assert_check(m, "kvm", CAP_CHECK_DEGRADED, "/dev/kvm does not open: No such device",
		     "modprobe kvm");
	m->refused_code = -EACCES;
	put_file(m->root, "proc/self/status", STATUS_OF("1000", "7", "0000000000000000"));
	assert_check(m, "kvm", CAP_CHECK_DEGRADED,
		     "/dev/kvm is not for this user; VMs of others are recorded",
		     "sudo usermod -aG kvm \"$USER\"");
}

static void events_of_kvm_depend_on_its_module(void **state)
{
	static const char file[] = "sys/kernel/tracing/available_events";
	struct machine *m = *state;

	put_file(m->root, file, SCHED_EVENTS "kvm:kvm_entry\nkvm:kvm_exit\n");
	assert_check(m, "kvm_events", CAP_CHECK_OK, "kvm_entry, kvm_exit", "");
	put_file(m->root, file, SCHED_EVENTS "kvm:kvm_entry\n");
	assert_check(m, "kvm_events", CAP_CHECK_DEGRADED, "some, but no kvm:kvm_exit", "");
	put_file(m->root, file, SCHED_EVENTS "kvm:kvm_exit\n");
	assert_check(m, "kvm_events", CAP_CHECK_DEGRADED, "some, but no kvm:kvm_entry", "");
	put_file(m->root, file, SCHED_EVENTS);
	assert_check(m, "kvm_events", CAP_CHECK_DEGRADED,
		     "none: this kernel's KVM was built without them", "");
	take_away(m, "sys/module/kvm_intel/parameters/nested");
	unlinkat(m->root, "sys/module/kvm_intel/parameters", AT_REMOVEDIR);
	unlinkat(m->root, "sys/module/kvm_intel", AT_REMOVEDIR);
	assert_check(m, "kvm_events", CAP_CHECK_DEGRADED, "none: no module of KVM is loaded",
		     "modprobe kvm_intel");
	/* what the scheduler tells is there: it can record */
	assert_int_equal(check_named(m, "events")->state, CAP_CHECK_OK);
	assert_true(cap_check_can_record(m->check, m->n));
}

static void events_that_never_fire_are_not_taken_for_good(void **state)
{
	struct machine *m = *state;

	put_module(m, "kvm_pvm");
	put_file(m->root, "sys/kernel/tracing/available_events",
		 SCHED_EVENTS KVM_EVENTS "kvm:kvm_fpu\n");
	assert_check(m, "kvm_events", CAP_CHECK_DEGRADED,
		     "kvm_pvm runs guests without hardware virtualisation: kvm_entry and kvm_exit "
		     "exist but never fire; kvm_userspace_exit and kvm_fpu stand in",
		     "use a host with hardware virtualisation");
}

/* A process that has opened a VM, with threads "CPU 0/KVM"... from its number + 1 on. */
static void put_vm(const struct machine *m, int pid, const char *cmdline, size_t len, int vcpus)
{
	char path[96], text[256];
	int fd;

	for (int i = 0; i <= vcpus; i++) {
		snprintf(path, sizeof(path), "proc/%d/task/%d/stat", pid, pid + i);
		snprintf(text, sizeof(text),
			 "%d (%s) S 1 0 0 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0 0 0 0 0 0 0 0 0 "
			 "0 0 0 0 0 0 0 0 0 0 0\n",
			 pid + i, i ? "CPU 0/KVM" : "qemu", 100 + pid);
		put_file(m->root, path, text);
	}
	snprintf(path, sizeof(path), "proc/%d/cmdline", pid);
	put_file(m->root, path, "");
	fd = openat(m->root, path, O_WRONLY);
	if (fd < 0 || write(fd, cmdline, len) != (ssize_t)len)
		abort();
	close(fd);
	snprintf(path, sizeof(path), "proc/%d/fd/none", pid);
	put_file(m->root, path, "");
	snprintf(path, sizeof(path), "proc/%d/fd/9", pid);
	put_link(m, path, "anon_inode:kvm-vm");
}

#define NAMED(name) "qemu\0-name\0" name, sizeof("qemu\0-name\0" name)

static void give(struct machine *m, pid_t tid, int code, uint64_t cookie)
{
	m->thread[m->nthread].tid = tid;
	m->thread[m->nthread].code = code;
	m->thread[m->nthread++].cookie = cookie;
}

static void no_vm_is_told(void **state)
{
	struct machine *m = *state;

	assert_check(m, "vm_cookies", CAP_CHECK_OK, "no VM runs now", "");
	/* a user sees no descriptors of others */
	put_file(m->root, "proc/self/status", STATUS_OF("1000", "7", "0000000000000000"));
	assert_check(m, "vm_cookies", CAP_CHECK_DEGRADED,
		     "no VM of this user runs; those of others are not seen", "sudo fcap check");
}

static void a_vm_has_a_cookie_if_each_of_its_vcpus_has(void **state)
{
	struct machine *m = *state;

	put_vm(m, 200, NAMED("vm1"), 2); /* vCPUs 201 and 202; 200 is the emulator */
	put_vm(m, 300, NAMED("vm2"), 1);
	give(m, 201, 0, 0xa);
	give(m, 202, 0, 0xa);
	give(m, 301, 0, 0xb);
	assert_check(m, "vm_cookies", CAP_CHECK_OK, "2 VMs, with a cookie on each vCPU", "");
	m->thread[1].cookie = 0;
	assert_check(m, "vm_cookies", CAP_CHECK_OK, "2 VMs; with one on some vCPUs only: vm1",
		     "coresched new -d 200");
	m->thread[0].cookie = 0;
	assert_check(m, "vm_cookies", CAP_CHECK_OK, "2 VMs; without a cookie: vm1",
		     "coresched new -d 200");
	m->thread[1].cookie = 0xa;
	m->thread[2].cookie = 0;
	assert_check(m, "vm_cookies", CAP_CHECK_OK,
		     "2 VMs; without a cookie: vm2; with one on some vCPUs only: vm1",
		     "coresched new -d 200");
	m->nthread = 0;
	assert_check(m, "vm_cookies", CAP_CHECK_OK, "2 VMs; without a cookie: vm1, vm2",
		     "coresched new -d 200");
}

static void two_vms_of_one_cookie_are_told(void **state)
{
	struct machine *m = *state;

	put_vm(m, 200, NAMED("vm1"), 1);
	put_vm(m, 300, NAMED("vm2"), 1);
	give(m, 201, 0, 0xa);
	give(m, 301, 0, 0xa);
	assert_check(m, "vm_cookies", CAP_CHECK_OK,
		     "2 VMs, with a cookie on each vCPU; vm1 and vm2 have the same one and may "
		     "share a core",
		     "");
}

static void without_names_of_vcpus_every_thread_counts(void **state)
{
	struct machine *m = *state;

	put_vm(m, 200, "vmm", sizeof("vmm"), 0);
	assert_check(m, "vm_cookies", CAP_CHECK_OK, "1 VM; without a cookie: qemu#1",
		     "coresched new -d 200");
	give(m, 200, 0, 0xa);
	assert_check(m, "vm_cookies", CAP_CHECK_OK, "1 VM, with a cookie on each vCPU", "");
}

static void vms_have_the_names_that_a_recording_gives_them(void **state)
{
	struct machine *m = *state;

	/* a name twice, libvirt's cgroup, and two of which nothing is known but the command */
	put_vm(m, 200, NAMED("vm1"), 0);
	put_vm(m, 300, NAMED("vm1"), 0);
	put_vm(m, 400, "vmm", sizeof("vmm"), 0);
	put_file(m->root, "proc/self/cgroup", "4:cpu:/\n");
	put_file(m->root, "proc/400/task/400/cgroup",
		 "4:cpu:/machine.slice/machine-qemu\\x2d3\\x2dweb.scope\n");
	put_vm(m, 500, "vmm", sizeof("vmm"), 0);
	assert_check(m, "vm_cookies", CAP_CHECK_OK,
		     "4 VMs; without a cookie: vm1, vm1#2, web, qemu#1", "coresched new -d 200");
}

static void a_thread_that_ended_is_not_asked_again(void **state)
{
	struct machine *m = *state;

	put_vm(m, 200, NAMED("vm1"), 2);
	give(m, 201, 0, 0xa);
	give(m, 202, -ESRCH, 0);
	assert_check(m, "vm_cookies", CAP_CHECK_OK, "1 VM, with a cookie on each vCPU", "");
}

static void cookies_that_may_not_be_read_are_not_taken_for_none(void **state)
{
	struct machine *m = *state;

	put_vm(m, 200, NAMED("vm1"), 1);
	give(m, 201, -EPERM, 0);
	put_file(m->root, "proc/self/status", STATUS_OF("1000", "7", "0000000000000000"));
	assert_check(m, "vm_cookies", CAP_CHECK_DEGRADED, "cookies may not be read of: vm1",
		     "sudo fcap check");
}

static void vms_of_a_kernel_without_cookies_are_named_all_the_same(void **state)
{
	struct machine *m = *state;
	char name[8];

	m->core = -EINVAL;
	for (int i = 1; i <= 6; i++) {
		char cmdline[32] = "qemu\0-name\0";

		snprintf(name, sizeof(name), "vm%d", i);
		memcpy(cmdline + 11, name, strlen(name) + 1);
		put_vm(m, 100 * i, cmdline, 11 + strlen(name) + 1, 0);
	}
	assert_check(m, "vm_cookies", CAP_CHECK_OK,
		     "6 VMs, none with a cookie, which this kernel does not give: vm1, vm2, vm3, "
		     "vm4 and 2 more",
		     "");
}

#define with_machine(f) cmocka_unit_test_setup_teardown(f, make_machine, remove_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_machine(kvm_is_told_with_its_module),
		with_machine(a_kernel_with_kvm_built_in_has_no_vendors_module),
		with_machine(no_device_names_the_module_that_this_cpu_wants),
		with_machine(a_device_that_is_refused_says_to_whom),
		with_machine(events_of_kvm_depend_on_its_module),
		with_machine(events_that_never_fire_are_not_taken_for_good),
		with_machine(no_vm_is_told),
		with_machine(a_vm_has_a_cookie_if_each_of_its_vcpus_has),
		with_machine(two_vms_of_one_cookie_are_told),
		with_machine(vms_have_the_names_that_a_recording_gives_them),
		with_machine(without_names_of_vcpus_every_thread_counts),
		with_machine(a_thread_that_ended_is_not_asked_again),
		with_machine(cookies_that_may_not_be_read_are_not_taken_for_none),
		with_machine(vms_of_a_kernel_without_cookies_are_named_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
