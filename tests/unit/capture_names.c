// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/vmname, cmdlines, cpu_stats, emit: text in, text out. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>

#include "capture/cmdlines.h"
#include "capture/cpu_stats.h"
#include "capture/vmname.h"
#include "fcap/vcpu_name.h"
#include "tests/unit/capture_lines.h"

/* The name in a command line that is given with its NULs, or "-". */
#define NAME_IN(literal) name_in((literal), sizeof(literal))

static const char *name_in(const char *cmdline, size_t len)
{
	static char name[32];

	return cap_vmname_from_cmdline(cmdline, len, name, sizeof(name)) ? name : "-";
}

static void names_are_found_in_command_lines(void **state)
{
	(void)state;
	assert_string_equal(NAME_IN("qemu\0-name\0vm1\0-m\0"
				    "1G"),
			    "vm1");
	assert_string_equal(NAME_IN("qemu\0-name\0guest=vm2,debug-threads=on"), "vm2");
	assert_string_equal(NAME_IN("qemu\0-name\0debug-threads=on,guest=vm3"), "vm3");
	assert_string_equal(NAME_IN("qemu\0-name\0vm4,debug-threads=on"), "vm4");
	assert_string_equal(NAME_IN("vmm\0--name\0vm five"), "vm five");
	assert_string_equal(NAME_IN("vmm\0--name=vm6\0-x"), "vm6");
}

static void command_lines_without_a_name_give_none(void **state)
{
	(void)state;
	assert_string_equal(NAME_IN("qemu\0-m\0"
				    "1G"),
			    "-");
	assert_string_equal(NAME_IN("qemu\0-name"), "-");
	assert_string_equal(NAME_IN("qemu\0-name\0debug-threads=on"), "-");
	assert_string_equal(NAME_IN("vmm\0--name="), "-");
	assert_string_equal(NAME_IN("vmm\0--names\0x"), "-");
	/* the program itself may be called anything */
	assert_string_equal(NAME_IN("--name=x\0-m"), "-");
	assert_string_equal(name_in("", 0), "-");
	/* a cut line: its last argument is not whole */
	assert_string_equal(name_in("vmm\0--name\0vm", 13), "-");
}

static void a_long_name_is_cut(void **state)
{
	(void)state;
	assert_string_equal(NAME_IN("v\0--name\0"
				    "0123456789012345678901234567890123456789"),
			    "0123456789012345678901234567890");
}

static void a_cgroup_names_by_its_leaf_unless_it_is_the_root(void **state)
{
	char name[32];

	(void)state;
	assert_true(cap_vmname_from_cgroup("/machine/vm1.scope", name, sizeof(name)));
	assert_string_equal(name, "vm1.scope");
	assert_false(cap_vmname_from_cgroup("/", name, sizeof(name)));
}

static void monitors_without_a_name_have_an_id_or_a_socket(void **state)
{
	(void)state;
	/* Firecracker, by hand and by its jailer */
	assert_string_equal(NAME_IN("./firecracker\0--api-sock\0/run/a.sock\0--id\0vm1"), "vm1");
	assert_string_equal(NAME_IN("firecracker\0--id=551e7604\0--start-time-us\0"
				    "7"),
			    "551e7604");
	assert_string_equal(NAME_IN("firecracker\0--api-sock\0/tmp/vm2.socket"), "vm2");
	/* Cloud Hypervisor: a path, a path with its key, and a descriptor */
	assert_string_equal(NAME_IN("cloud-hypervisor\0--api-socket\0/tmp/vm3.sock"), "vm3");
	assert_string_equal(NAME_IN("cloud-hypervisor\0--api-socket=path=/run/vm4,x=y"), "vm4");
	assert_string_equal(NAME_IN("cloud-hypervisor\0--api-socket\0fd=5"), "-");
	/* crosvm: a socket of that option elsewhere is something else */
	assert_string_equal(NAME_IN("/usr/bin/crosvm\0run\0-s\0/run/crosvm/vm5.sock"), "vm5");
	assert_string_equal(NAME_IN("crosvm\0run\0--name\0vm6\0--socket\0/run/x.sock"), "vm6");
	assert_string_equal(NAME_IN("qemu-system-x86_64\0-s\0-S"), "-");
	assert_string_equal(NAME_IN("lkvm\0run\0--name\0vm7\0-c\0"
				    "2"),
			    "vm7");
}

static void a_socket_that_says_nothing_is_named_by_its_folder(void **state)
{
	(void)state;
	assert_string_equal(NAME_IN("x\0--api-socket\0/run/vc/vm/0f1e/clh-api.sock"), "0f1e");
	assert_string_equal(NAME_IN("x\0--api-sock\0/srv/vm1/api.socket"), "vm1");
	assert_string_equal(NAME_IN("x\0--api-sock\0/run/firecracker.socket"), "-");
	assert_string_equal(NAME_IN("x\0--api-sock\0api.sock"), "-");
	assert_string_equal(NAME_IN("x\0--api-sock\0"), "-");
	assert_string_equal(NAME_IN("x\0--api-sock\0/tmp/.sock"), "-");
}

static void the_commas_of_qemu_are_taken_apart(void **state)
{
	(void)state;
	assert_string_equal(NAME_IN("qemu\0-name\0guest=a,,b,debug-threads=on"), "a,b");
	assert_string_equal(NAME_IN("qemu\0-name\0guest=,x=y"), "-");
	assert_string_equal(NAME_IN("/usr/bin/qemu-kvm\0--name\0vm1,process=q"), "vm1");
	/* of others the name is taken as it is */
	assert_string_equal(NAME_IN("vmm\0--name\0vm1,process=q"), "vm1,process=q");
	assert_string_equal(NAME_IN("vmm\0--name\0guest=1"), "guest=1");
}

static const char *of_libvirt(const char *path)
{
	static char name[64];

	return cap_vmname_from_libvirt(path, name, sizeof(name)) ? name : "-";
}

static void libvirts_machines_are_named_without_their_number(void **state)
{
	static const char slice[] = "/machine.slice/machine-qemu\\x2d12\\x2dweb\\x2d1.scope";
	char path[128];

	(void)state;
	assert_string_equal(of_libvirt(slice), "web-1");
	snprintf(path, sizeof(path), "%s/libvirt/emulator", slice);
	assert_string_equal(of_libvirt(path), "web-1");
	assert_string_equal(of_libvirt("/machine.slice/machine-ch\\x2d1\\x2ddb.scope"), "db");
	/* without systemd; before 2014 there was no number */
	assert_string_equal(of_libvirt("/machine/qemu-3-web.libvirt-qemu/vcpu0"), "web");
	assert_string_equal(of_libvirt("/machine/web.libvirt-qemu"), "web");
	/* a name that is made like a number, and machines of others */
	assert_string_equal(of_libvirt("/machine/qemu-3-4-5.libvirt-qemu"), "4-5");
	assert_string_equal(of_libvirt("/machine.slice/machine-box.scope"), "box");
	assert_string_equal(of_libvirt("/machine.slice/other.scope"), "-");
	assert_string_equal(of_libvirt("/machine.slice"), "-");
	assert_string_equal(of_libvirt("/"), "-");
	/* what is no escape stays */
	assert_string_equal(of_libvirt("/machine-qemu\\x2d1\\x2da\\x2.scope"), "a\\x2");
}

static const char *of_cgroup(const char *path)
{
	static char name[64];

	return cap_vmname_from_cgroup(path, name, sizeof(name)) ? name : "-";
}

static void cgroups_of_no_lasting_name_give_none(void **state)
{
	(void)state;
	assert_string_equal(of_cgroup("/user.slice/session-17.scope"), "-");
	assert_string_equal(of_cgroup("/system.slice/run-u9.service"), "-");
	assert_string_equal(of_cgroup("/system.slice/run-r0123456789abcdef.scope"), "-");
	assert_string_equal(of_cgroup("/user.slice/session-mine.scope"), "session-mine.scope");
	assert_string_equal(of_cgroup("/vms/runner.scope"), "runner.scope");
	/* below a machine there are its threads */
	assert_string_equal(of_cgroup("/vms/a/emulator"), "a");
	assert_string_equal(of_cgroup("/vms/a/libvirt/vcpu12"), "a");
	assert_string_equal(of_cgroup("/vms/emulator2"), "emulator2");
	assert_string_equal(of_cgroup("/emulator"), "-");
}

/* -name, libvirt, --id, socket, cgroup: each only where those before it are missing. */
static void the_best_name_is_chosen(void **state)
{
	static const char machine[] = "/m/machine-qemu\\x2d1\\x2dlib.scope";
	static const char named[] = "q\0-name\0opt\0--id\0id", id[] = "q\0--id\0id";
	char name[32];

	(void)state;
	assert_true(cap_vmname_choose(named, sizeof(named), machine, name, sizeof(name)));
	assert_string_equal(name, "opt");
	assert_true(cap_vmname_choose(id, sizeof(id), machine, name, sizeof(name)));
	assert_string_equal(name, "lib");
	assert_true(cap_vmname_choose(id, sizeof(id), "/leaf", name, sizeof(name)));
	assert_string_equal(name, "id");
	assert_true(cap_vmname_choose(NULL, 0, "/leaf", name, sizeof(name)));
	assert_string_equal(name, "leaf");
	assert_false(cap_vmname_choose(NULL, 0, NULL, name, sizeof(name)));
}

/* The names of vCPU threads: QEMU, Firecracker, crosvm, Cloud Hypervisor, kvmtool. */
static void vcpus_of_each_monitor_are_told_by_their_threads(void **state)
{
	(void)state;
	assert_int_equal(fcap_vcpu_from_comm("CPU 12/KVM"), 12);
	assert_int_equal(fcap_vcpu_from_comm("fc_vcpu 3"), 3);
	assert_int_equal(fcap_vcpu_from_comm("crosvm_vcpu31"), 31);
	assert_int_equal(fcap_vcpu_from_comm("vcpu7"), 7);
	assert_int_equal(fcap_vcpu_from_comm("kvm-vcpu-0"), 0);
	/* their other threads, and one that QEMU emulates itself */
	assert_int_equal(fcap_vcpu_from_comm("CPU 0/TCG"), -1);
	assert_int_equal(fcap_vcpu_from_comm("fc_api"), -1);
	assert_int_equal(fcap_vcpu_from_comm("vhost-812"), -1);
	assert_int_equal(fcap_vcpu_from_comm("vcpu"), -1);
}

static void known_threads_win_over_the_kernels_list(void **state)
{
	struct cap_task a = { .tid = 7, .comm = "CPU 0/KVM" }, b = { .tid = 100, .comm = "late" };
	struct cap_task *all[] = { &b, &a };
	const struct cap_tasks tasks = { .all = all, .n = 2 };
	size_t len;
	char *text;

	(void)state;
	assert_int_equal(cap_cmdlines_build("9 sh\n7 qemu\n8 two words\nnonsense\n", &tasks, 50,
					    &text, &len),
			 0);
	assert_string_equal(text, "7 CPU 0/KVM\n8 two words\n9 sh\n50 fcap\n100 late\n");
	assert_int_equal(len, strlen(text));
	free(text);
	assert_int_equal(cap_cmdlines_build(NULL, &(struct cap_tasks){ 0 }, 50, &text, &len), 0);
	assert_string_equal(text, "50 fcap\n");
	free(text);
}

/* A thread may call itself what it likes: it names no other one by that. */
static void a_newline_in_a_name_begins_no_line(void **state)
{
	struct cap_task a = { .tid = 7, .comm = "a\n9 evil\n" };
	struct cap_task *all[] = { &a };
	const struct cap_tasks tasks = { .all = all, .n = 1 };
	size_t len;
	char *text;

	(void)state;
	assert_int_equal(cap_cmdlines_build("9 sh\n", &tasks, 50, &text, &len), 0);
	assert_string_equal(text, "7 a?9 evil?\n9 sh\n50 fcap\n");
	free(text);
}

static void the_kernels_counts_are_told_apart(void **state)
{
	const struct cap_cpu_stats s = cap_cpu_stats_parse(
		"entries: 1\noverrun: 22\ncommit overrun: 333\nbytes: 4444\n"
		"oldest event ts:     5.004567\nnow ts:   6.000000\ndropped events: 55555\n"
		"read events: 666666\n");

	(void)state;
	assert_int_equal(s.overrun, 22);
	assert_int_equal(s.commit_overrun, 333);
	assert_int_equal(s.dropped, 55555);
	assert_int_equal(s.read, 666666);
	assert_int_equal(s.entries, 1);
	assert_int_equal(s.bytes, 4444);
	assert_int_equal(cap_cpu_stats_lost(&s), 22 + 333 + 55555);
	assert_int_equal(s.oldest_ns, 5004567000);
	assert_int_equal(cap_cpu_stats_parse("").read, 0);
	assert_int_equal(cap_cpu_stats_parse("").oldest_ns, 0);
}

static void a_short_line_is_one_line(void **state)
{
	struct kept k = { 0 };
	struct cap_emit e;

	(void)state;
	cap_emit_begin(&e, keep_in(&k), "vcpu");
	cap_emit_i64(&e, "tid", -1);
	cap_emit_identity(&e);
	cap_emit_u64(&e, "id", 3);
	cap_emit_str(&e, "s", "two words");
	assert_int_equal(cap_emit_end(&e), 0);
	assert_int_equal(k.n, 1);
	assert_string_equal(k.line[0], "fcap: vcpu tid=-1 id=3 s=\"two words\"");
	kept_clear(&k);
}

static void a_long_line_is_split_and_each_part_says_whose_it_is(void **state)
{
	struct fcap_marker m;
	struct kept k = { 0 };
	struct cap_emit e;
	char value[1801];

	(void)state;
	memset(value, 'v', 1800);
	value[1800] = '\0';
	cap_emit_begin(&e, keep_in(&k), "task");
	cap_emit_i64(&e, "tid", 7);
	cap_emit_identity(&e);
	cap_emit_str(&e, "a", value);
	cap_emit_str(&e, "b", value);
	cap_emit_str(&e, "c", "short");
	assert_int_equal(cap_emit_end(&e), 0);
	assert_int_equal(k.n, 2);
	assert_int_equal(fcap_marker_parse(k.line[0], &m), 0);
	assert_int_equal(m.n, 2);
	assert_string_equal(fcap_marker_get(&m, "a"), value);
	assert_int_equal(fcap_marker_parse(k.line[1], &m), 0);
	assert_string_equal(fcap_marker_get(&m, "tid"), "7");
	assert_string_equal(fcap_marker_get(&m, "b"), value);
	assert_string_equal(fcap_marker_get(&m, "c"), "short");
	kept_clear(&k);
}

static void a_value_that_fits_no_line_is_cut(void **state)
{
	struct fcap_marker m;
	struct kept k = { 0 };
	struct cap_emit e;
	char value[5001];

	(void)state;
	memset(value, '"', 5000); /* each needs two bytes */
	value[5000] = '\0';
	cap_emit_begin(&e, keep_in(&k), "begin");
	cap_emit_str(&e, "cmd", value);
	cap_emit_str(&e, "b", "x");
	assert_int_equal(cap_emit_end(&e), 0);
	assert_int_equal(k.n, 1);
	assert_int_equal(fcap_marker_parse(k.line[0], &m), 0);
	assert_in_range(strlen(fcap_marker_get(&m, "cmd")), 1000, 1450);
	assert_string_equal(fcap_marker_get(&m, "b"), "x");
	kept_clear(&k);
}

static void more_keys_than_a_reader_takes_are_split(void **state)
{
	struct fcap_marker m;
	struct kept k = { 0 };
	struct cap_emit e;

	(void)state;
	cap_emit_begin(&e, keep_in(&k), "begin");
	cap_emit_u64(&e, "v", 1);
	cap_emit_identity(&e);
	for (int i = 0; i < 70; i++) {
		char key[16];

		snprintf(key, sizeof(key), "k%d", i);
		cap_emit_i64(&e, key, i);
	}
	assert_int_equal(cap_emit_end(&e), 0);
	assert_int_equal(k.n, 2);
	assert_int_equal(fcap_marker_parse(k.line[0], &m), 0);
	assert_int_equal(m.n, FCAP_MARKER_KEYS);
	assert_string_equal(fcap_marker_get(&m, "k62"), "62");
	assert_int_equal(fcap_marker_parse(k.line[1], &m), 0);
	assert_int_equal(m.n, 8);
	assert_string_equal(fcap_marker_get(&m, "k63"), "63");
	kept_clear(&k);
}

static int refuse(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
	return -ENOSPC;
}

static void an_error_of_the_sink_comes_out(void **state)
{
	struct cap_emit e;

	(void)state;
	cap_emit_begin(&e, (struct cap_sink){ refuse, NULL }, "end");
	assert_int_equal(cap_emit_end(&e), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_in_command_lines),
		cmocka_unit_test(command_lines_without_a_name_give_none),
		cmocka_unit_test(a_long_name_is_cut),
		cmocka_unit_test(a_cgroup_names_by_its_leaf_unless_it_is_the_root),
		cmocka_unit_test(monitors_without_a_name_have_an_id_or_a_socket),
		cmocka_unit_test(a_socket_that_says_nothing_is_named_by_its_folder),
		cmocka_unit_test(the_commas_of_qemu_are_taken_apart),
		cmocka_unit_test(libvirts_machines_are_named_without_their_number),
		cmocka_unit_test(cgroups_of_no_lasting_name_give_none),
		cmocka_unit_test(the_best_name_is_chosen),
		cmocka_unit_test(vcpus_of_each_monitor_are_told_by_their_threads),
		cmocka_unit_test(known_threads_win_over_the_kernels_list),
		cmocka_unit_test(a_newline_in_a_name_begins_no_line),
		cmocka_unit_test(the_kernels_counts_are_told_apart),
		cmocka_unit_test(a_short_line_is_one_line),
		cmocka_unit_test(a_long_line_is_split_and_each_part_says_whose_it_is),
		cmocka_unit_test(a_value_that_fits_no_line_is_cut),
		cmocka_unit_test(more_keys_than_a_reader_takes_are_split),
		cmocka_unit_test(an_error_of_the_sink_comes_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
