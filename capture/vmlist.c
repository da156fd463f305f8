// SPDX-License-Identifier: GPL-3.0-or-later
/* VMs and their names. */
#include "capture/vmlist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/io.h"
#include "capture/vmname.h"

#define NAMES_MAX 8 /* that a sentence tells */

int cap_vmlist_add(struct cap_vmlist *l, const struct cap_task *leader)
{
	struct cap_vm *bigger = realloc(l->vm, (l->n + 1) * sizeof(*bigger));

	if (!bigger)
		return -ENOMEM;
	l->vm = bigger;
	bigger[l->n++] = (struct cap_vm){ .tgid = leader->tid, .start = leader->start };
	return 0;
}

/* Told ones first, then by start. */
static int by_start(const void *a, const void *b)
{
	const struct cap_vm *x = a, *y = b;

	if (x->told != y->told)
		return y->told - x->told;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->tgid > y->tgid) - (x->tgid < y->tgid);
}

static bool is_taken(const struct cap_vmlist *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->vm[i].told && strcmp(l->vm[i].name, name) == 0)
			return true;
	return false;
}

/* BASE#k with the first free k >= from. */
static void number(const struct cap_vmlist *l, const char *base, unsigned int from, char *ret,
		   size_t size)
{
	for (unsigned int k = from;; k++) {
		snprintf(ret, size, "%.100s#%u", base, k);
		if (!is_taken(l, ret))
			return;
	}
}

static void choose_name(const struct cap_vmlist *l, int procfd, const struct cap_task *leader,
			char *ret, size_t size)
{
	char path[64], base[112], *cmdline = NULL;
	size_t len = 0;

	snprintf(path, sizeof(path), "%d/cmdline", leader->tid);
	if (cap_io_read_all(procfd, path, &cmdline, &len) < 0)
		len = 0;
	if (cap_vmname_choose(cmdline, len, leader->cgroup, base, sizeof(base))) {
		snprintf(ret, size, "%s", base);
		if (is_taken(l, ret))
			number(l, base, 2, ret, size);
	} else {
		number(l, leader->comm, 1, ret, size);
	}
	free(cmdline);
}

static int emit_vm(struct cap_vm *vm, struct cap_sink to)
{
	struct cap_emit e;

	cap_emit_begin(&e, to, "group");
	cap_emit_str(&e, "kind", "vm");
	cap_emit_i64(&e, "tgid", vm->tgid);
	cap_emit_identity(&e);
	cap_emit_str(&e, "name", vm->name);
	if (vm->vms > 1 || (vm->vms && (vm->told_vms || vm->told_fds)))
		cap_emit_u64(&e, "vms", vm->vms);
	else if (vm->vms == 0 && vm->vm_fds > 1)
		cap_emit_u64(&e, "vm_fds", vm->vm_fds);
	vm->told_vms = vm->vms > 1 ? vm->vms : 0;
	vm->told_fds = vm->vms == 0 && vm->vm_fds > 1 ? vm->vm_fds : 0;
	return cap_emit_end(&e);
}

/* One VM is what is taken for granted. */
static bool is_told(const struct cap_vm *vm)
{
	const unsigned int vms = vm->vms > 1 ? vm->vms : 0;
	const unsigned int fds = vm->vms == 0 && vm->vm_fds > 1 ? vm->vm_fds : 0;

	return vm->told && vm->told_vms == vms && vm->told_fds == fds;
}

int cap_vmlist_tell(struct cap_vmlist *l, int procfd, const struct cap_tasks *tasks,
		    struct cap_sink to)
{
	int r = 0;

	if (l->n && !l->vm[l->n - 1].told)
		qsort(l->vm, l->n, sizeof(*l->vm), by_start);
	for (size_t i = 0; i < l->n && r == 0; i++) {
		struct cap_vm *vm = &l->vm[i];
		const struct cap_task *leader = cap_tasks_find(tasks, vm->tgid);

		if (is_told(vm))
			continue;
		if (leader && !vm->told)
			choose_name(l, procfd, leader, vm->name, sizeof(vm->name));
		vm->told = true;
		r = emit_vm(vm, to);
	}
	return r;
}

const struct cap_vm *cap_vmlist_named(const struct cap_vmlist *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->vm[i].name, name) == 0)
			return &l->vm[i];
	return NULL;
}

void cap_vmlist_names(const struct cap_vmlist *l, char *ret, size_t size)
{
	size_t len = 0;

	ret[0] = '\0';
	for (size_t i = 0; i < l->n && i < NAMES_MAX; i++) {
		const int n = snprintf(ret + len, size - len, "%s%s", i ? ", " : "", l->vm[i].name);

		len += (size_t)n < size - len ? (size_t)n : size - len - 1;
	}
	if (l->n > NAMES_MAX)
		snprintf(ret + len, size - len, " and %zu more", l->n - NAMES_MAX);
}

const struct cap_vm *cap_vmlist_of(const struct cap_vmlist *l, pid_t tgid)
{
	const struct cap_vm *found = NULL;

	/* an earlier process may have had the number */
	for (size_t i = 0; i < l->n; i++)
		if (l->vm[i].tgid == tgid && (!found || l->vm[i].start > found->start))
			found = &l->vm[i];
	return found;
}

void cap_vmlist_clear(struct cap_vmlist *l)
{
	free(l->vm);
	*l = (struct cap_vmlist){ 0 };
}
