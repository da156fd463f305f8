/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * vCPU numbers from thread names: the last resort when no kvm event tells. Names of QEMU
 * (debug-threads=on), Firecracker, crosvm, Cloud Hypervisor and kvmtool. And whose work a vhost
 * thread does.
 */
#ifndef FCAP_VCPU_NAME_H
#define FCAP_VCPU_NAME_H

#include <stddef.h>
#include <string.h>

/* The vCPU's number (0..65535), or -1 if comm is not the name of a vCPU thread. */
static inline int fcap_vcpu_from_comm(const char *comm)
{
	static const struct {
		const char *before, *after;
	} form[] = {
		{ "CPU ", "/KVM" }, { "fc_vcpu ", "" },	 { "crosvm_vcpu", "" },
		{ "vcpu", "" },	    { "kvm-vcpu-", "" }, { "kvm-vcpu", "" },
	};

	for (size_t i = 0; i < sizeof(form) / sizeof(form[0]); i++) {
		const size_t len = strlen(form[i].before);
		const char *p = comm + len;
		int n = 0;

		if (strncmp(comm, form[i].before, len) != 0 || *p < '0' || *p > '9')
			continue;
		for (; *p >= '0' && *p <= '9' && n <= 65535; p++)
			n = n * 10 + (*p - '0');
		if (n <= 65535 && strcmp(p, form[i].after) == 0)
			return n;
	}
	return -1;
}

/*
 * The number in "vhost-N": of the thread that opened the device, nearly always the main one of its
 * VM. These are threads of the kernel, or since Linux 6.4 of that process. 0: another name.
 */
static inline int fcap_vhost_tgid(const char *comm)
{
	int n = 0;

	if (strncmp(comm, "vhost-", 6) != 0)
		return 0;
	for (comm += 6; *comm >= '0' && *comm <= '9' && n < 100000000; comm++)
		n = n * 10 + (*comm - '0');
	return *comm == '\0' ? n : 0;
}

#endif
