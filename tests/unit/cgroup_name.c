// SPDX-License-Identifier: GPL-3.0-or-later
/* Cgroups under the names that people know their machines and containers by, each a name alone. */
#include <stdlib.h>
#include <string.h>

#include "analyze/model/cgroup_name.h"
#include "analyze/model/group_names.h"
#include "analyze/model/groups.h"
#include "tests/unit/modelled.h"

/* 64 digits: "0123456789ab", then 52 more */
#define ID   "0123456789ab" MORE
#define MORE "cdef0123456789abcdef0123456789abcdef0123456789abcdef"
/* a pod's, as kubelet has it and as systemd wants it */
#define UID	"5b5d9a3c-1f7e-4c11-9d2f-0a1b2c3d4e5f"
#define UID_SYS "5b5d9a3c_1f7e_4c11_9d2f_0a1b2c3d4e5f"

static void check_name(const char *path, const char *vm, const char *name, const char *longer)
{
	static const enum fan_name_length length[] = { FAN_NAME_VM, FAN_NAME_SHORT, FAN_NAME_LONG,
						       FAN_NAME_PATH };
	const char *const wanted[] = { vm, name, longer, path };

	for (size_t i = 0; i < 4; i++) {
		char *got = fan_cgroup_name(path, length[i]);

		assert_non_null(got);
		assert_string_equal(got, wanted[i]);
		free(got);
	}
}

static void a_machine_has_its_name(void **state)
{
	(void)state;
	check_name("/machine.slice/machine-qemu\\x2d1\\x2dvm1.scope", "vm1", "vm1", "qemu-1-vm1");
	/* a dash of the name's own is escaped too */
	check_name("/machine.slice/machine-qemu\\x2d12\\x2ddb\\x2d2.scope", "db-2", "db-2",
		   "qemu-12-db-2");
	check_name("/machine.slice/machine-lxc\\x2d4711\\x2dweb.scope", "web", "web",
		   "lxc-4711-web");
	/* systemd-nspawn has no number */
	check_name("/machine.slice/machine-fedora.scope", "fedora", "fedora", "fedora");
	/* cgroup v1, libvirt without systemd */
	check_name("/machine/qemu-3-vm1.libvirt-qemu", "vm1", "vm1", "qemu-3-vm1");
	/* nothing but a number: all of it is the name */
	check_name("/machine.slice/machine-qemu\\x2d7.scope", "qemu-7", "qemu-7", "qemu-7");
}

static void what_libvirt_makes_in_a_machine_belongs_to_it(void **state)
{
	(void)state;
	check_name("/machine.slice/machine-qemu\\x2d1\\x2dvm1.scope/libvirt/vcpu0", "vm1",
		   "vm1/vcpu0", "qemu-1-vm1/vcpu0");
	check_name("/machine.slice/machine-qemu\\x2d1\\x2dvm1.scope/libvirt/emulator", "vm1",
		   "vm1/emulator", "qemu-1-vm1/emulator");
	check_name("/machine.slice/machine-qemu\\x2d1\\x2dvm1.scope/emulator", "vm1",
		   "vm1/emulator", "qemu-1-vm1/emulator");
	check_name("/machine.slice/machine-qemu\\x2d1\\x2dvm1.scope/libvirt", "vm1", "vm1/libvirt",
		   "qemu-1-vm1/libvirt");
	/* elsewhere these are names like others */
	check_name("/lab/vcpu0", "vcpu0", "vcpu0", "lab/vcpu0");
}

static void a_container_has_its_manager_and_twelve_digits(void **state)
{
	(void)state;
	check_name("/system.slice/docker-" ID ".scope", "docker:0123456789ab",
		   "docker:0123456789ab", "docker:" ID);
	check_name("/docker/" ID, "docker:0123456789ab", "docker:0123456789ab", "docker:" ID);
	check_name("/machine.slice/libpod-" ID ".scope", "podman:0123456789ab",
		   "podman:0123456789ab", "podman:" ID);
	check_name("/machine.slice/libpod-conmon-" ID ".scope", "conmon:0123456789ab",
		   "conmon:0123456789ab", "conmon:" ID);
	/* something in a container */
	check_name("/docker/" ID "/init.scope", "init.scope", "init.scope",
		   "docker:0123456789ab/init.scope");
	/* 63 digits are no identifier, and 64 are anybody's */
	check_name("/system.slice/docker-123456789ab" MORE ".scope",
		   "docker-123456789ab" MORE ".scope", "docker-123456789ab" MORE ".scope",
		   "system.slice/docker-123456789ab" MORE ".scope");
	check_name("/lab/" ID, ID, ID, "lab/" ID);
}

static void a_pod_has_the_front_of_its_uid_and_its_containers_too(void **state)
{
	(void)state;
	/* the systemd driver */
	check_name("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_SYS
		   ".slice/cri-containerd-" ID ".scope",
		   "pod:5b5d9a3c/0123456789ab", "pod:5b5d9a3c/0123456789ab", "pod:" UID "/" ID);
	check_name("/kubepods.slice/kubepods-pod" UID_SYS ".slice", "pod:5b5d9a3c", "pod:5b5d9a3c",
		   "pod:" UID);
	check_name("/kubepods.slice/kubepods-pod" UID_SYS ".slice/crio-" ID ".scope",
		   "pod:5b5d9a3c/0123456789ab", "pod:5b5d9a3c/0123456789ab", "pod:" UID "/" ID);
	check_name("/kubepods.slice/kubepods-pod" UID_SYS ".slice/crio-conmon-" ID ".scope",
		   "pod:5b5d9a3c/conmon:0123456789ab", "pod:5b5d9a3c/conmon:0123456789ab",
		   "pod:" UID "/conmon:" ID);
	/* the cgroupfs driver */
	check_name("/kubepods/besteffort/pod" UID "/" ID, "pod:5b5d9a3c/0123456789ab",
		   "pod:5b5d9a3c/0123456789ab", "pod:" UID "/" ID);
	/* a static pod: 32 digits without dashes */
	check_name("/kubepods/pod0123456789abcdef0123456789abcdef", "pod:01234567", "pod:01234567",
		   "pod:0123456789abcdef0123456789abcdef");
	/* kind: kubelet within a container of Docker */
	check_name("/docker/" ID "/kubelet/kubepods/pod" UID "/" ID, "pod:5b5d9a3c/0123456789ab",
		   "pod:5b5d9a3c/0123456789ab", "pod:" UID "/" ID);
	check_name("/kubepods.slice/kubepods-burstable.slice", "kubepods-burstable.slice",
		   "kubepods-burstable.slice", "kubepods.slice/kubepods-burstable.slice");
	check_name("/lab/pod" UID, "pod" UID, "pod" UID, "lab/pod" UID);
}

static void other_units_have_the_names_that_systemctl_shows(void **state)
{
	(void)state;
	check_name("/user.slice/user-1000.slice/user@1000.service", "user@1000.service",
		   "user@1000.service", "user-1000.slice/user@1000.service");
	check_name("/user.slice/user-1000.slice/session-3.scope", "session-3.scope",
		   "session-3.scope", "user-1000.slice/session-3.scope");
	check_name("/system.slice/system-serial\\x2dgetty.slice", "system-serial-getty.slice",
		   "system-serial-getty.slice", "system.slice/system-serial-getty.slice");
	check_name("/caas1", "caas1", "caas1", "caas1");
}

static void escapes_that_would_mislead_stay(void **state)
{
	(void)state;
	/* a blank, a newline, a slash, no digits; \xc3\xa9 is e with an accent */
	check_name("/a\\x20b", "a\\x20b", "a\\x20b", "a\\x20b");
	check_name("/a\\x0ab", "a\\x0ab", "a\\x0ab", "a\\x0ab");
	check_name("/a\\x2fb", "a\\x2fb", "a\\x2fb", "a\\x2fb");
	check_name("/a\\x2", "a\\x2", "a\\x2", "a\\x2");
	check_name("/caf\\xc3\\xa9", "caf\xc3\xa9", "caf\xc3\xa9", "caf\xc3\xa9");
	check_name("", "", "", "");
}

/* Names in the order of their indices. */
static void check_settled(const char *const *paths, const char *const *wanted, size_t n)
{
	struct fan_group_name names[8];

	for (size_t i = 0; i < n; i++) {
		const bool is_path = paths[i][0] == '/';

		names[i] = (struct fan_group_name){
			is_path ? fan_cgroup_name(paths[i], FAN_NAME_SHORT) : strdup(paths[i]),
			is_path ? paths[i] : NULL, i
		};
		assert_non_null(names[i].name);
	}
	assert_int_equal(fan_group_names_settle(names, n), 0);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(names[i].name, wanted[names[i].index]);
		free(names[i].name);
	}
}

static void names_are_as_long_as_it_takes(void **state)
{
	static const char *const machines[] = { "/m/machine-qemu\\x2d1\\x2da.scope",
						"/m/machine-qemu\\x2d2\\x2da.scope",
						"/m/machine-qemu\\x2d3\\x2db.scope" };
	static const char *const told[] = { "qemu-1-a", "qemu-2-a", "b" };
	static const char *const leaves[] = { "/x/app", "/y/app", "/y/z/app", "/w/z/app", "other" };
	static const char *const paths[] = { "x/app", "y/app", "/y/z/app", "/w/z/app", "other" };

	(void)state;
	check_settled(machines, told, 3);
	/* parents tell the first two apart, and not the others */
	check_settled(leaves, paths, 5);
}

static void what_is_the_same_is_numbered(void **state)
{
	static const char *const of[] = { "qemu", "/v/a", "qemu", "/v/a" };
	static const char *const told[] = { "qemu#1", "a#1", "qemu#2", "a#2" };
	static const char *const mixed[] = { "a", "/v/a" };
	static const char *const apart[] = { "a", "v/a" };

	(void)state;
	/* two VMs in one cgroup: no path tells them apart */
	check_settled(of, told, 4);
	check_settled(mixed, apart, 2);
}

/* Two machines and a container, 1 ms each on CPU 0; the paths stay beside the names. */
static void groups_by_cgroup_bear_these_names(void **state)
{
	static const struct {
		const char *line, *name, *path;
	} group[] = {
		{ "\"/m.slice/machine-qemu\\x5Cx2d1\\x5Cx2dvm1.scope\"", "vm1",
		  "/m.slice/machine-qemu\\x2d1\\x2dvm1.scope" },
		{ "\"/m.slice/machine-qemu\\x5Cx2d2\\x5Cx2dvm2.scope\"", "vm2",
		  "/m.slice/machine-qemu\\x2d2\\x2dvm2.scope" },
		{ "/docker/" ID, "docker:0123456789ab", "/docker/" ID },
	};
	const struct fan_group_options options = { .kind = FAN_GROUP_CGROUP };
	struct tb *tb = tb_new(1, 7, TB_ZSTD);
	struct fan_groups *g = NULL;
	struct fcap_err err = { 0 };
	struct fan_model *m;
	struct tb_task task = tb_idle, last = tb_idle;

	(void)state;
	for (int i = 0; i < 3; i++) {
		task.tid = 101 + i;
		tb_marker(tb, MODELLED_BASE, "fcap: task tid=%d tgid=%d cgroup=%s", task.tid,
			  task.tid, group[i].line);
		tb_switch(tb, at_ms(0, 1 + (uint64_t)i), last, TB_S, task);
		last = task;
	}
	tb_switch(tb, at_ms(0, 4), last, TB_S, tb_idle);
	m = model_of(tb);
	if (fan_groups_make(&g, m, &options, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(g->n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(g->items[i].name, group[i].name);
		assert_string_equal(g->items[i].cgroup, group[i].path);
	}
	fan_groups_free(g);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_has_its_name),
		cmocka_unit_test(what_libvirt_makes_in_a_machine_belongs_to_it),
		cmocka_unit_test(a_container_has_its_manager_and_twelve_digits),
		cmocka_unit_test(a_pod_has_the_front_of_its_uid_and_its_containers_too),
		cmocka_unit_test(other_units_have_the_names_that_systemctl_shows),
		cmocka_unit_test(escapes_that_would_mislead_stay),
		cmocka_unit_test(names_are_as_long_as_it_takes),
		cmocka_unit_test(what_is_the_same_is_numbered),
		cmocka_unit_test(groups_by_cgroup_bear_these_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
