/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The VMs of this host as KVM lists them in debugfs, where that is mounted: a folder each, with
 * one for every vCPU. Tells several VMs of one process apart, and threads without a name.
 */
#ifndef CAP_KVMDIR_H
#define CAP_KVMDIR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cap_kvm_vcpu {
	int id;
	pid_t tid; /* 0: it has not run yet, or this kernel does not say (before Linux 6.0) */
};

struct cap_kvm_vm {
	pid_t opener; /* the thread that opened it */
	int fd;	      /* by this descriptor */
	struct cap_kvm_vcpu *vcpu;
	size_t n;
};

struct cap_kvm_vms {
	struct cap_kvm_vm *vm;
	size_t n;
};

/*
 * Finds the VMs below sysfd (/sys), without their vCPUs. 0; -ENOENT: no such folder (no debugfs, or
 * KVM is not loaded), so that nothing is known; other negative errno. *ret is for
 * cap_kvmdir_free() in any case.
 */
int cap_kvmdir_list(int sysfd, struct cap_kvm_vms *ret);

/* Adds the vCPUs to what cap_kvmdir_list() found. One that is gone has none. 0, or -ENOMEM. */
int cap_kvmdir_vcpus(int sysfd, struct cap_kvm_vms *vms);

/* A number that is another one when other VMs are there. */
uint64_t cap_kvmdir_digest(const struct cap_kvm_vms *vms);

void cap_kvmdir_free(struct cap_kvm_vms *vms);

#endif
