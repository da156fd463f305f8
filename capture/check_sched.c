// SPDX-License-Identifier: GPL-3.0-or-later
/* The scheduler's counters, its cgroups, and whether another scheduler has taken its place. */
#include "capture/check_parts.h"

#include <stdio.h>
#include <string.h>

#include "capture/io.h"
#include "capture/procfs.h"

#define LOSS_WEIGHTS "shares due by cgroup weight"

void cap_check_sched_info(struct cap_check_ctx *x, struct cap_check *c)
{
	static const char loss[] = "steal by the kernel's counters";
	struct cap_proc_sched s;
	char text[128];

	if (cap_io_read_at(x->procfd, "self/schedstat", text, sizeof(text)) < 0 ||
	    cap_proc_sched_parse(text, &s) < 0)
		cap_check_degraded(c, loss, "use a kernel with CONFIG_SCHED_INFO=y",
				   "/proc/PID/schedstat is not there: the kernel counts no waits");
	else if (s.arrivals == 0)
		/* who reads this has got onto a CPU */
		cap_check_degraded(c, loss, "sudo sysctl -w kernel.task_delayacct=1",
				   "/proc/PID/schedstat has nothing but zeros");
	else
		cap_check_ok(c, "/proc/PID/schedstat counts waits (run_delay)");
}

/* True if the file of the mounted group lists the cpu controller. */
static bool lists_cpu(const struct cap_check_ctx *x, const struct cap_mount *m, const char *file)
{
	char path[PATH_MAX + 32], text[512];

	snprintf(path, sizeof(path), "%s/%s", cap_check_below(m->point), file);
	return cap_check_line(x, path, text, sizeof(text)) && cap_check_has_word(text, "cpu");
}

static void judge_v2(const struct cap_check_ctx *x, struct cap_check *c, const struct cap_mount *m,
		     bool has_v1)
{
	char fix[256];

	snprintf(fix, sizeof(fix), "echo +cpu | sudo tee %.150s/cgroup.subtree_control", m->point);
	if (lists_cpu(x, m, "cgroup.subtree_control"))
		cap_check_ok(c, "version 2, cpu controller at %s", m->point);
	else if (lists_cpu(x, m, "cgroup.controllers"))
		cap_check_degraded(c, LOSS_WEIGHTS, fix,
				   "version 2 at %s, but its groups have no cpu controller",
				   m->point);
	else if (has_v1)
		cap_check_degraded(c, LOSS_WEIGHTS,
				   "sudo mount -t cgroup -o cpu cgroup /sys/fs/cgroup/cpu",
				   "versions 1 and 2 are mounted, neither with the cpu controller");
	else
		cap_check_degraded(c, LOSS_WEIGHTS, "boot without cgroup_disable=cpu",
				   "version 2 at %s has no cpu controller to give", m->point);
}

void cap_check_cgroup(struct cap_check_ctx *x, struct cap_check *c)
{
	struct cap_mount v1, v2;
	const bool has_v1_cpu = cap_check_mount(x, "cgroup", "cpu", NULL, &v1);
	const bool has_v1 = has_v1_cpu || cap_check_mount(x, "cgroup", NULL, NULL, &v1);
	const bool has_v2 = cap_check_mount(x, "cgroup2", NULL, "/sys/fs/cgroup", &v2);

	if (has_v1_cpu && has_v2)
		cap_check_ok(c, "version 1, cpu controller at %s; version 2 at %s without it",
			     v1.point, v2.point);
	else if (has_v1_cpu)
		cap_check_ok(c, "version 1, cpu controller at %s", v1.point);
	else if (has_v2)
		judge_v2(x, c, &v2, has_v1);
	else if (has_v1)
		cap_check_degraded(c, LOSS_WEIGHTS,
				   "sudo mount -t cgroup -o cpu cgroup /sys/fs/cgroup/cpu",
				   "version 1, without the cpu controller");
	else
		cap_check_degraded(c, LOSS_WEIGHTS, "sudo mount -t cgroup2 none /sys/fs/cgroup",
				   "none mounted");
}

void cap_check_sched_ext(struct cap_check_ctx *x, struct cap_check *c)
{
	char state[32], ops[128];

	if (!cap_check_line(x, "sys/kernel/sched_ext/state", state, sizeof(state))) {
		cap_check_ok(c, "not in this kernel");
	} else if (strcmp(state, "disabled") == 0) {
		cap_check_ok(c, "no scheduler loaded");
	} else {
		cap_check_line(x, "sys/kernel/sched_ext/root/ops", ops, sizeof(ops));
		cap_check_degraded(c, "shares due", "echo S | sudo tee /proc/sysrq-trigger",
				   "%s: the scheduler %s is in charge, and weights mean what it "
				   "makes of them",
				   state, ops[0] ? ops : "(no name)");
	}
}
