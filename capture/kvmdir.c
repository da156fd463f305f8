// SPDX-License-Identifier: GPL-3.0-or-later
#include "capture/kvmdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/procfs.h"

#define KVM_DIR "kernel/debug/kvm"

static int add_vm(struct cap_kvm_vms *vms, pid_t opener, int fd)
{
	struct cap_kvm_vm *bigger = realloc(vms->vm, (vms->n + 1) * sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	vms->vm = bigger;
	bigger[vms->n++] = (struct cap_kvm_vm){ .opener = opener, .fd = fd };
	return 0;
}

int cap_kvmdir_list(int sysfd, struct cap_kvm_vms *ret)
{
	const int dirfd = openat(sysfd, KVM_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const struct dirent *de;
	DIR *dir;
	int r = 0;

	*ret = (struct cap_kvm_vms){ 0 };
	if (dirfd < 0)
		return -errno;
	dir = fdopendir(dirfd);
	if (!dir) {
		r = -errno;
		close(dirfd);
		return r;
	}
	while (r == 0 && (de = readdir(dir))) {
		int opener, fd;
		char rest;

		/* all else are counters of the whole host */
		if (sscanf(de->d_name, "%d-%d%c", &opener, &fd, &rest) == 2 && opener > 0)
			r = add_vm(ret, opener, fd);
	}
	closedir(dir);
	return r;
}

static int read_vcpus(int sysfd, struct cap_kvm_vm *vm)
{
	struct cap_ids ids = { 0 };
	char path[96];
	int r;

	snprintf(path, sizeof(path), KVM_DIR "/%d-%d", vm->opener, vm->fd);
	r = cap_proc_ids(sysfd, path, "vcpu", &ids);
	vm->vcpu = r == 0 && ids.n ? calloc(ids.n, sizeof(*vm->vcpu)) : NULL;
	if (r == 0 && ids.n && !vm->vcpu)
		r = -ENOMEM;
	for (size_t i = 0; vm->vcpu && i < ids.n; i++) {
		char text[32];

		snprintf(path, sizeof(path), KVM_DIR "/%d-%d/vcpu%d/pid", vm->opener, vm->fd,
			 ids.id[i]);
		vm->vcpu[i].id = ids.id[i];
		if (cap_io_read_at(sysfd, path, text, sizeof(text)) > 0)
			vm->vcpu[i].tid = (pid_t)strtol(text, NULL, 10);
		vm->n++;
	}
	cap_ids_free(&ids);
	return r == -ENOMEM ? r : 0;
}

int cap_kvmdir_vcpus(int sysfd, struct cap_kvm_vms *vms)
{
	int r = 0;

	for (size_t i = 0; i < vms->n && r == 0; i++)
		r = read_vcpus(sysfd, &vms->vm[i]);
	return r;
}

uint64_t cap_kvmdir_digest(const struct cap_kvm_vms *vms)
{
	uint64_t sum = vms->n;

	/* a sum, as their order may change */
	for (size_t i = 0; i < vms->n; i++) {
		const uint64_t vm = (uint64_t)vms->vm[i].opener << 32 | (uint32_t)vms->vm[i].fd;

		sum += (vm ^ vm >> 29) * 0x9e3779b97f4a7c15U;
	}
	return sum;
}

void cap_kvmdir_free(struct cap_kvm_vms *vms)
{
	for (size_t i = 0; i < vms->n; i++)
		free(vms->vm[i].vcpu);
	free(vms->vm);
	*vms = (struct cap_kvm_vms){ 0 };
}
