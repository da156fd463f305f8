// SPDX-License-Identifier: GPL-3.0-or-later
/* The list of events and the size of the buffers. */
#include "capture/plan.h"

#include <errno.h>
#include <string.h>

enum need {
	MUST,	     /* no recording without it */
	WANTED,	     /* told when absent */
	EXITS,	     /* the same, unless told to leave them out */
	WITHOUT_VIRT /* only where KVM has no hardware virtualisation, and then if present */
};

static const struct {
	struct cap_event event;
	enum need need;
} wanted[] = {
	{ { "sched", "sched_switch" }, MUST },
	{ { "sched", "sched_wakeup" }, MUST },
	{ { "sched", "sched_wakeup_new" }, WANTED },
	{ { "sched", "sched_waking" }, WANTED },
	{ { "sched", "sched_migrate_task" }, WANTED },
	{ { "sched", "sched_process_fork" }, WANTED },
	{ { "sched", "sched_process_exec" }, WANTED },
	{ { "sched", "sched_process_exit" }, WANTED },
	{ { "sched", "sched_process_free" }, WANTED },
	{ { "task", "task_newtask" }, WANTED },
	{ { "task", "task_rename" }, WANTED },
	{ { "cgroup", "cgroup_attach_task" }, WANTED },
	{ { "kvm", "kvm_entry" }, EXITS },
	{ { "kvm", "kvm_exit" }, EXITS },
	{ { "kvm", "kvm_userspace_exit" }, WANTED },
	{ { "kvm", "kvm_vcpu_wakeup" }, WANTED },
	{ { "kvm", "kvm_fpu" }, WITHOUT_VIRT },
};

_Static_assert(sizeof(wanted) / sizeof(wanted[0]) <= CAP_PLAN_MAX, "plan too small");

static bool has_event(const char *available, const struct cap_event *ev)
{
	const size_t system_len = strlen(ev->system), len = strlen(ev->name);

	for (const char *p = available; *p;) {
		const size_t line = strcspn(p, "\n");

		if (line == system_len + 1 + len && memcmp(p, ev->system, system_len) == 0 &&
		    p[system_len] == ':' && memcmp(p + system_len + 1, ev->name, len) == 0)
			return true;
		p += line + (p[line] == '\n');
	}
	return false;
}

int cap_plan_resolve(struct cap_plan *ret, const char *available, bool has_virt, bool no_exits,
		     struct fcap_err *err)
{
	struct cap_plan plan = { 0 };

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const struct cap_event *ev = &wanted[i].event;

		if ((wanted[i].need == WITHOUT_VIRT && has_virt) ||
		    (wanted[i].need == EXITS && no_exits))
			continue;
		if (has_event(available, ev))
			plan.event[plan.nevent++] = *ev;
		else if (wanted[i].need == MUST)
			return fcap_fail(
				err, ENOENT,
				"this kernel has no event %s:%s, without which nothing can "
				"be told; use a kernel with CONFIG_FTRACE",
				ev->system, ev->name);
		else if (wanted[i].need != WITHOUT_VIRT)
			plan.absent[plan.nabsent++] = *ev;
	}
	*ret = plan;
	return 0;
}

uint64_t cap_plan_buffer_bytes(uint64_t mem_available, unsigned int ncpu)
{
	const uint64_t mib = 1U << 20, all = 2048 * mib;
	uint64_t bytes = mem_available / 8 / ncpu;

	if (bytes < mib)
		bytes = mib;
	if (bytes > 64 * mib)
		bytes = 64 * mib;
	if (bytes > all / ncpu)
		bytes = all / ncpu;
	return bytes;
}
