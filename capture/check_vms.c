// SPDX-License-Identifier: GPL-3.0-or-later
/* The VMs that run now, and which of them have a core scheduling cookie. */
#include "capture/check_parts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cgroup.h"
#include "capture/procfs.h"
#include "capture/tasks.h"
#include "capture/vmlist.h"
#include "fcap/vcpu_name.h"

#define NAMES_MAX    4 /* that are told */
#define LOSS_COOKIES "cookies of VMs"

struct vm {
	pid_t tgid;
	char name[128];	   /* as a recording has it */
	bool has_vcpus;	   /* some of its threads have the name of a vCPU */
	unsigned int n;	   /* threads asked: vCPUs, or all where none has such a name */
	unsigned int with; /* a cookie */
	uint64_t cookie;   /* the last one read; 0: none */
	int error;	   /* the first thread's that could not be read; 0: all could */
};

struct vms {
	struct vm *vm;
	size_t n;
};

/* What there is to know of a VM's main thread. 0 or -ENOMEM. */
static int put_leader(const struct cap_check_ctx *x, const struct cap_cgroups *cgroups,
		      const struct vm *vm, struct cap_tasks *tasks, struct cap_vmlist *names)
{
	struct cap_task *leader;
	struct cap_proc_stat st;
	char path[PATH_MAX];

	if (cap_proc_stat(x->procfd, vm->tgid, vm->tgid, &st) < 0)
		return 0; /* it ended meanwhile */
	leader = cap_tasks_put(tasks, vm->tgid, vm->tgid);
	if (!leader)
		return -ENOMEM;
	leader->start = st.start;
	memcpy(leader->comm, st.comm, sizeof(leader->comm));
	if (cgroups && cap_cgroups_of(cgroups, vm->tgid, vm->tgid, path, sizeof(path)) == 0)
		leader->cgroup = strdup(path);
	return cap_vmlist_add(names, leader);
}

static int tell_nobody(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
	return 0;
}

/* As a recording that began now would. */
static int name_vms(const struct cap_check_ctx *x, struct vms *vms)
{
	struct cap_cgroups *cgroups = NULL;
	struct cap_tasks tasks = { 0 };
	struct cap_vmlist names = { 0 };
	int r = 0;

	if (cap_cgroups_open(&cgroups, x->procfd) < 0)
		cgroups = NULL; /* then by what else there is */
	for (size_t i = 0; i < vms->n && r == 0; i++)
		r = put_leader(x, cgroups, &vms->vm[i], &tasks, &names);
	if (r == 0)
		r = cap_vmlist_tell(&names, x->procfd, &tasks, (struct cap_sink){ tell_nobody, 0 });
	for (size_t i = 0; i < vms->n && r == 0; i++) {
		struct vm *vm = &vms->vm[i];
		const struct cap_vm *known = cap_vmlist_of(&names, vm->tgid);

		if (known)
			snprintf(vm->name, sizeof(vm->name), "%s", known->name);
		else
			snprintf(vm->name, sizeof(vm->name), "%d", vm->tgid);
	}
	cap_vmlist_clear(&names);
	cap_tasks_clear(&tasks);
	cap_cgroups_close(cgroups);
	return r;
}

static void ask_thread(const struct cap_check_ctx *x, struct vm *vm, pid_t tid)
{
	const struct cap_check_calls *calls = x->host->calls;
	uint64_t cookie = 0;
	const int r = calls->cookie(calls->ctx, tid, &cookie);

	if (r == -ESRCH) /* it ended meanwhile */
		return;
	vm->n++;
	if (r < 0) {
		vm->error = vm->error ? vm->error : r;
		return;
	}
	if (cookie) {
		vm->with++;
		vm->cookie = cookie;
	}
}

static bool is_vcpu(const struct cap_check_ctx *x, pid_t tgid, pid_t tid)
{
	struct cap_proc_stat st;

	return cap_proc_stat(x->procfd, tgid, tid, &st) == 0 && fcap_vcpu_from_comm(st.comm) >= 0;
}

static void ask_vm(const struct cap_check_ctx *x, struct vm *vm)
{
	struct cap_ids tids = { 0 };

	cap_proc_threads(x->procfd, vm->tgid, &tids);
	for (size_t i = 0; i < tids.n && !vm->has_vcpus; i++)
		vm->has_vcpus = is_vcpu(x, vm->tgid, tids.id[i]);
	for (size_t i = 0; i < tids.n; i++)
		if (!vm->has_vcpus || is_vcpu(x, vm->tgid, tids.id[i]))
			ask_thread(x, vm, tids.id[i]);
	cap_ids_free(&tids);
}

static int find_vms(const struct cap_check_ctx *x, struct vms *ret)
{
	struct cap_ids pids = { 0 };
	int r = cap_proc_ids(x->procfd, ".", "", &pids);

	for (size_t i = 0; i < pids.n && r == 0; i++) {
		struct vm vm = { .tgid = pids.id[i] }, *bigger;

		if (!cap_proc_holds_kvm(x->procfd, vm.tgid))
			continue;
		if (x->core == 0)
			ask_vm(x, &vm);
		bigger = realloc(ret->vm, (ret->n + 1) * sizeof(*bigger));
		if (!bigger) {
			r = -ENOMEM;
			break;
		}
		ret->vm = bigger;
		bigger[ret->n++] = vm;
	}
	cap_ids_free(&pids);
	return r < 0 ? r : name_vms(x, ret);
}

static bool is_any(const struct vm *vm)
{
	(void)vm;
	return true;
}

static bool is_refused(const struct vm *vm)
{
	return vm->error != 0;
}

static bool has_none(const struct vm *vm)
{
	return vm->with == 0;
}

static bool has_some(const struct vm *vm)
{
	return vm->with > 0 && vm->with < vm->n;
}

/* Appends the names of the VMs of which this is true, the first few. Returns their number. */
static size_t append_names(char *text, size_t size, const struct vms *vms,
			   bool (*is_one)(const struct vm *vm))
{
	size_t n = 0;

	for (size_t i = 0; i < vms->n; i++) {
		if (!is_one(&vms->vm[i]))
			continue;
		if (n < NAMES_MAX)
			cap_check_append(text, size, "%s%s", n ? ", " : "", vms->vm[i].name);
		n++;
	}
	if (n > NAMES_MAX)
		cap_check_append(text, size, " and %zu more", n - NAMES_MAX);
	return n;
}

/* Two VMs of one cookie may share a core. */
static void append_pair(char *text, size_t size, const struct vms *vms)
{
	for (size_t i = 0; i < vms->n; i++)
		for (size_t k = i + 1; k < vms->n; k++)
			if (vms->vm[i].cookie && vms->vm[i].cookie == vms->vm[k].cookie) {
				cap_check_append(text, size,
						 "; %s and %s have the same one and may share a "
						 "core",
						 vms->vm[i].name, vms->vm[k].name);
				return;
			}
}

static pid_t first_lacking(const struct vms *vms)
{
	for (size_t i = 0; i < vms->n; i++)
		if (has_none(&vms->vm[i]) || has_some(&vms->vm[i]))
			return vms->vm[i].tgid;
	return 0;
}

/* It is for the user to decide whether VMs shall have cookies: none is no fault. */
static void tell_cookies(const struct vms *vms, struct cap_check *c)
{
	const pid_t lacking = first_lacking(vms);
	char none[200] = "", some[200] = "", pair[200] = "";
	const size_t n_none = append_names(none, sizeof(none), vms, has_none);
	const size_t n_some = append_names(some, sizeof(some), vms, has_some);

	append_pair(pair, sizeof(pair), vms);
	cap_check_ok(c, "%zu VM%s%s%s%s%s%s%s", vms->n, vms->n > 1 ? "s" : "",
		     n_none ? "; without a cookie: " : "", none,
		     n_some ? "; with one on some vCPUs only: " : "", some,
		     lacking ? "" : ", with a cookie on each vCPU", pair);
	if (lacking)
		snprintf(c->fix, sizeof(c->fix), "sudo coresched new -d %d", lacking);
}

static void tell(const struct cap_check_ctx *x, const struct vms *vms, struct cap_check *c)
{
	char names[400] = "";

	if (vms->n == 0 && !x->is_root) {
		cap_check_degraded(c, LOSS_COOKIES, "sudo fcap check",
				   "no VM of this user runs; those of others are not seen");
	} else if (vms->n == 0) {
		cap_check_ok(c, "no VM runs now");
	} else if (x->core != 0) {
		append_names(names, sizeof(names), vms, is_any);
		cap_check_ok(c, "%zu VM%s, none with a cookie, which this kernel does not give: %s",
			     vms->n, vms->n > 1 ? "s" : "", names);
	} else if (append_names(names, sizeof(names), vms, is_refused) > 0) {
		cap_check_degraded(c, LOSS_COOKIES, "sudo fcap check",
				   "cookies may not be read of: %s", names);
	} else {
		tell_cookies(vms, c);
	}
}

void cap_check_vm_cookies(struct cap_check_ctx *x, struct cap_check *c)
{
	struct vms vms = { 0 };

	if (find_vms(x, &vms) < 0)
		cap_check_degraded(c, LOSS_COOKIES, "sudo fcap check",
				   "the processes in /proc cannot be listed");
	else
		tell(x, &vms, c);
	free(vms.vm);
}
