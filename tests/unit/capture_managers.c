// SPDX-License-Identifier: GPL-3.0-or-later
/* VMs as their managers start them: command lines, threads and cgroups, on made-up trees. */
#include "tests/unit/capture_host.h"

#define PARTS(literal) (literal), sizeof(literal)
#define HEX	       "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* One VM with two vCPUs: threads 500 (the process), 501 and 502 (its vCPUs), 503 (another). */
struct vm {
	const char *what;
	const char *cmdline;
	size_t len; /* with the NUL behind each argument */
	const char *main, *vcpu0, *vcpu1, *other, *cgroup, *name;
};

static const struct vm vms[] = {
	{ "QEMU of libvirt on systemd",
	  PARTS("/usr/bin/qemu-system-x86_64\0-name\0guest=web-1,debug-threads=on\0-S\0-object\0"
		"{\"qom-type\":\"secret\",\"id\":\"masterKey0\"}\0-machine\0pc-q35-7.2,accel=kvm"),
	  "qemu-system-x86", "CPU 0/KVM", "CPU 1/KVM", "IO mon_iothread",
	  "/machine.slice/machine-qemu\\x2d3\\x2dweb\\x2d1.scope/libvirt/emulator", "web-1" },
	{ "OpenStack",
	  PARTS("/usr/libexec/qemu-kvm\0-name\0guest=instance-0000002a,debug-threads=on\0-S"),
	  "qemu-kvm", "CPU 0/KVM", "CPU 1/KVM", "worker",
	  "/machine.slice/machine-qemu\\x2d9\\x2dinstance\\x2d0000002a.scope/libvirt/vcpu0",
	  "instance-0000002a" },
	{ "Proxmox VE",
	  PARTS("/usr/bin/kvm\0-id\0"
		"100\0-name\0db,debug-threads=on\0-no-shutdown\0-chardev\0"
		"socket,id=qmp,path=/var/run/qemu-server/100.qmp,server=on,wait=off"),
	  "kvm", "CPU 0/KVM", "CPU 1/KVM", "vnc_worker", "/qemu.slice/100.scope", "db" },
	{ "Incus",
	  PARTS("/opt/incus/bin/qemu-system-x86_64\0-S\0-name\0c1\0-uuid\0"
		"2f1b\0-daemonize\0-cpu\0host"),
	  "qemu-system-x86", "CPU 0/KVM", "CPU 1/KVM", "call_rcu", "/incus.monitor", "c1" },
	{ "KubeVirt", PARTS("/usr/libexec/qemu-kvm\0-name\0guest=default_vm1,debug-threads=on\0-S"),
	  "qemu-kvm", "CPU 0/KVM", "CPU 1/KVM", "IO iothread1",
	  "/kubepods.slice/kubepods-pod5b5d9a3c_1f7e_4c11_9d2f_0a1b2c3d4e5f.slice/"
	  "cri-containerd-" HEX ".scope",
	  "default_vm1" },
	{ "Kata Containers with QEMU",
	  PARTS("/opt/kata/bin/qemu-system-x86_64\0-name\0sandbox-7f,debug-threads=on\0-uuid\0"
		"7f"),
	  "qemu-system-x86", "CPU 0/KVM", "CPU 1/KVM", "vhost-500", "/kata_overhead/7f",
	  "sandbox-7f" },
	{ "Firecracker by its jailer",
	  PARTS("/firecracker\0--id\0"
		"551e7604-e35c\0--start-time-us\0"
		"11\0--start-time-cpu-us\0"
		"22\0--parent-cpu-time-us\0"
		"33"),
	  "firecracker", "fc_vcpu 0", "fc_vcpu 1", "fc_api", "/firecracker/551e7604-e35c",
	  "551e7604-e35c" },
	{ "Firecracker with a configuration alone",
	  PARTS("./firecracker\0--no-api\0--config-file\0vm.json"), "firecracker", "fc_vcpu 0",
	  "fc_vcpu 1", "fc_vmm", "/vms/small", "small" },
	{ "crosvm",
	  PARTS("/usr/bin/crosvm\0--extended-status\0run\0--name\0termina\0--cpus\0"
		"num-cores=2\0--socket\0/run/vm/x.sock"),
	  "crosvm", "crosvm_vcpu0", "crosvm_vcpu1", "balloon", "/vms", "termina" },
	{ "Cloud Hypervisor",
	  PARTS("cloud-hypervisor\0--api-socket\0path=/run/ch/vm4.sock\0--cpus\0boot=2\0--memory\0"
		"size=1G"),
	  "cloud-hypervis", "vcpu0", "vcpu1", "vmm", "/", "vm4" },
	{ "Cloud Hypervisor of libvirt",
	  PARTS("/usr/bin/cloud-hypervisor\0--api-socket\0"
		"fd=24"),
	  "cloud-hypervis", "vcpu0", "vcpu1", "http-server",
	  "/machine.slice/machine-ch\\x2d2\\x2dtiny.scope/emulator", "tiny" },
	{ "Kata Containers with Cloud Hypervisor",
	  PARTS("/opt/kata/bin/cloud-hypervisor\0--api-socket\0/run/vc/vm/0f1e/clh-api.sock"),
	  "cloud-hypervis", "vcpu0", "vcpu1", "signal_handler", "/kata_overhead/0f1e", "0f1e" },
	{ "kvmtool",
	  PARTS("./lkvm\0run\0-k\0bzImage\0-c\0"
		"2\0-m\0"
		"512\0--name\0vm7"),
	  "lkvm", "kvm-vcpu-0", "kvm-vcpu-1", "virtio-blk-io", "/", "vm7" },
};

static void put_vm(const struct host *h, const struct vm *vm)
{
	static const int tids[] = { 500, 501, 502, 503 };
	const char *const comms[] = { vm->main, vm->vcpu0, vm->vcpu1, vm->other };
	char path[64], text[512];
	int fd;

	put_thread(h, 20, 20, "cmd", 100);
	for (size_t i = 0; i < 4; i++) {
		put_thread(h, 500, tids[i], comms[i], 3);
		snprintf(path, sizeof(path), "500/task/%d/cgroup", tids[i]);
		snprintf(text, sizeof(text), "4:cpu:%s\n", vm->cgroup);
		put_file(h->fd, path, text);
	}
	/* that it is a VM its descriptor tells */
	put_file(h->fd, "500/fd/none", "");
	assert_int_equal(symlinkat("anon_inode:kvm-vm", h->fd, "500/fd/11"), 0);
	fd = openat(h->fd, "500/cmdline", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, vm->cmdline, vm->len), vm->len);
	close(fd);
}

static void vms_of_each_manager_have_their_names_and_vcpus(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(vms) / sizeof(vms[0]); i++) {
		char group[128];
		struct host *h;
		void *own;

		print_message("%s\n", vms[i].what);
		host_make(&own);
		h = own;
		put_vm(h, &vms[i]);
		assert_int_equal(host_open(h, NULL), 0);
		sample(h, SECOND, true);
		snprintf(group, sizeof(group), "fcap: group kind=vm tgid=500 name=%s", vms[i].name);
		assert_string_equal(kept_last(&h->k, "fcap: group "), group);
		assert_int_equal(kept_count(&h->k, "fcap: vcpu tid=501 tgid=500 id=0"), 1);
		assert_int_equal(kept_count(&h->k, "fcap: vcpu tid=502 tgid=500 id=1"), 1);
		assert_int_equal(kept_count(&h->k, "fcap: vcpu "), 2);
		host_end(&own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vms_of_each_manager_have_their_names_and_vcpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
