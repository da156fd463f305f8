// SPDX-License-Identifier: GPL-3.0-or-later
/* VMs and vCPUs of a process, from debugfs or descriptors. */
#include "capture/vmwatch.h"

#include <errno.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/kvmdir.h"
#include "capture/procfs.h"

#define SETTLED_NS 10000000000ULL /* until then a VMM opens VMs and starts their vCPUs */

static int ask_kernel(void *ctx, pid_t pid, int a, int b)
{
	const long r = syscall(SYS_kcmp, pid, pid, KCMP_FILE, a, b);

	(void)ctx;
	return r < 0 ? -errno : r == 0;
}

const struct cap_file_source cap_files_kernel = { ask_kernel, NULL };

static bool is_vm_link(int procfd, pid_t pid, int fd)
{
	char path[64], link[32];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/fd/%d", pid, fd);
	n = readlinkat(procfd, path, link, sizeof(link) - 1);
	if (n <= 0)
		return false;
	link[n] = '\0';
	return strcmp(link, "anon_inode:kvm-vm") == 0;
}

/* 1: it is one more open file than the first n; 0: one of them; negative: cannot be told. */
static int is_further(const struct cap_ids *ids, size_t n, pid_t pid, int fd,
		      const struct cap_file_source *files)
{
	for (size_t i = 0; i < n; i++) {
		const int same = files ? files->is_same(files->ctx, pid, ids->id[i], fd) : -ENOSYS;

		if (same != 0)
			return same < 0 ? same : 0;
	}
	return 1;
}

int cap_vmwatch_count(int procfd, pid_t pid, const struct cap_file_source *files,
		      unsigned int *ret_fds)
{
	struct cap_ids all = { 0 };
	unsigned int fds = 0;
	size_t distinct = 0;
	bool is_known = true;
	char path[64];

	snprintf(path, sizeof(path), "%d/fd", pid);
	cap_proc_ids(procfd, path, "", &all);
	for (size_t i = 0; i < all.n; i++) {
		const int fd = all.id[i];
		int further;

		if (!is_vm_link(procfd, pid, fd))
			continue;
		fds++;
		further = is_known ? is_further(&all, distinct, pid, fd, files) : 0;
		is_known &= further >= 0;
		if (further > 0)
			all.id[distinct++] = fd; /* those before i are done with */
	}
	cap_ids_free(&all);
	*ret_fds = fds;
	return is_known ? (int)distinct : -1;
}

static void count_by_fds(struct cap_thread_ctx *ctx, const struct cap_file_source *files,
			 struct cap_vmlist *vms, uint64_t now_ns)
{
	for (size_t i = 0; i < vms->n; i++) {
		struct cap_vm *vm = &vms->vm[i];
		const struct cap_task *leader = cap_tasks_find(ctx->tasks, vm->tgid);
		unsigned int fds;
		int n;

		if (!leader || leader->gone || now_ns - leader->first_ns > SETTLED_NS)
			continue;
		n = cap_vmwatch_count(ctx->procfd, vm->tgid, files, &fds);
		if (fds == 0) /* it ends */
			continue;
		vm->vms = n < 0 ? 0 : (unsigned int)n;
		vm->vm_fds = fds;
	}
}

/* The process of a VM: that of a vCPU thread, else that of the thread which opened it. */
static pid_t process_of(const struct cap_tasks *tasks, const struct cap_kvm_vm *vm)
{
	const struct cap_task *t;

	for (size_t i = 0; i < vm->n; i++) {
		t = vm->vcpu[i].tid > 0 ? cap_tasks_find(tasks, vm->vcpu[i].tid) : NULL;
		if (t)
			return t->tgid;
	}
	t = cap_tasks_find(tasks, vm->opener);
	return t ? t->tgid : 0;
}

/* Threads that their name did not betray. */
static int tell_vcpus(struct cap_thread_ctx *ctx, const struct cap_kvm_vm *vm)
{
	int r = 0;

	for (size_t i = 0; i < vm->n && r == 0; i++) {
		struct cap_task *t = vm->vcpu[i].tid > 0
					     ? cap_tasks_find(ctx->tasks, vm->vcpu[i].tid)
					     : NULL;

		if (t && !t->gone && t->vcpu < 0)
			r = cap_thread_is_vcpu(ctx, t, vm->vcpu[i].id);
	}
	return r;
}

static int count_by_debugfs(struct cap_thread_ctx *ctx, const struct cap_kvm_vms *found,
			    struct cap_vmlist *vms)
{
	int r = 0;

	for (size_t i = 0; i < vms->n; i++) {
		unsigned int n = 0;

		for (size_t k = 0; k < found->n; k++)
			n += process_of(ctx->tasks, &found->vm[k]) == vms->vm[i].tgid;
		if (n) /* one that has ended keeps its last count */
			vms->vm[i].vms = n;
	}
	for (size_t k = 0; k < found->n && r == 0; k++)
		r = tell_vcpus(ctx, &found->vm[k]);
	return r;
}

int cap_vmwatch_look(struct cap_vmwatch *w, struct cap_thread_ctx *ctx, struct cap_vmlist *vms,
		     uint64_t now_ns)
{
	struct cap_kvm_vms found = { 0 };
	uint64_t digest;
	int r;

	if (vms->n == 0)
		return 0;
	r = w->sysfd < 0 ? -ENOENT : cap_kvmdir_list(w->sysfd, &found);
	digest = cap_kvmdir_digest(&found) + vms->n;
	if (digest != w->digest)
		w->changed_ns = now_ns;
	w->digest = digest;
	if (r == 0 && now_ns - w->changed_ns <= SETTLED_NS) {
		r = cap_kvmdir_vcpus(w->sysfd, &found);
		if (r == 0)
			r = count_by_debugfs(ctx, &found, vms);
	} else if (r < 0 && r != -ENOMEM) {
		count_by_fds(ctx, w->files, vms, now_ns);
		r = 0;
	}
	cap_kvmdir_free(&found);
	return r;
}
