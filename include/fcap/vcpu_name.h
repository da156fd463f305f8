/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * vCPU numbers from thread names: the last resort when no kvm event tells. Names of QEMU
 * (debug-threads=on), Firecracker, crosvm, Cloud Hypervisor and kvmtool.
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

#endif
