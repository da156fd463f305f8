// SPDX-License-Identifier: GPL-3.0-or-later
/* Core scheduling: siblings, the kernel's ability, its counters, the way cookies are set. */
#include "capture/check_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOSS_ISOLATION "isolation of VMs on a core"
#define LOSS_COOKIES   "cookies"
#define SMT_DIR	       "sys/devices/system/cpu/smt/"

void cap_check_smt(struct cap_check_ctx *x, struct cap_check *c)
{
	char control[32], siblings[256];

	cap_check_line(x, SMT_DIR "control", control, sizeof(control));
	cap_check_line(x, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", siblings,
		       sizeof(siblings));
	if (x->has_smt && siblings[0])
		cap_check_ok(c, "on; CPU 0 shares its core as %s", siblings);
	else if (x->has_smt)
		cap_check_ok(c, "on");
	else if (strcmp(control, "off") == 0)
		cap_check_degraded(c, LOSS_ISOLATION, "echo on | sudo tee /" SMT_DIR "control",
				   "off: no core is shared, so that there is nothing to isolate");
	else if (strcmp(control, "forceoff") == 0)
		cap_check_degraded(c, LOSS_ISOLATION, "boot without nosmt=force",
				   "off since boot: no core is shared, so that there is nothing to "
				   "isolate");
	else
		cap_check_degraded(c, LOSS_ISOLATION, NULL,
				   "each core has one CPU here: there is nothing to isolate");
}

void cap_check_core_sched(struct cap_check_ctx *x, struct cap_check *c)
{
	const char *loss = x->has_smt ? LOSS_COOKIES : LOSS_ISOLATION;

	if (x->core == 0)
		cap_check_ok(c, "in this kernel");
	else if (x->core == -ENODEV)
		cap_check_degraded(c, LOSS_ISOLATION, NULL,
				   "in this kernel, but asleep while no core has two CPUs");
	else if (x->core == -EINVAL && !cap_check_is_since(x, 5, 14))
		cap_check_degraded(c, loss, "use Linux 5.14 or later with CONFIG_SCHED_CORE=y",
				   "Linux %s has none: it came with 5.14", x->release);
	else if (x->core == -EINVAL)
		cap_check_degraded(c, loss, "use a kernel with CONFIG_SCHED_CORE=y",
				   "this kernel was built without CONFIG_SCHED_CORE, which is off "
				   "unless chosen");
	else
		cap_check_degraded(c, loss, "run fcap on the host, outside any sandbox",
				   "prctl(PR_SCHED_CORE) is refused: %s", strerror(-x->core));
}

void cap_check_schedstats(struct cap_check_ctx *x, struct cap_check *c)
{
	static const char loss[] = "forced idle by the kernel's counters";
	char text[16];
	const bool known = cap_check_line(x, "proc/sys/kernel/sched_schedstats", text,
					  sizeof(text));

	if (known && text[0] == '1')
		cap_check_ok(c, "on");
	else if (x->core != 0)
		cap_check_ok(c, "%s; of use only with core scheduling",
			     known ? "off" : "not in this kernel");
	else if (known)
		cap_check_degraded(c, loss, "sudo sysctl -w kernel.sched_schedstats=1",
				   "off: the counters of forced idle stand still");
	else
		cap_check_degraded(c, loss, "use a kernel with CONFIG_SCHEDSTATS=y",
				   "this kernel was built without CONFIG_SCHEDSTATS");
}

/* One of the files that were proposed for cgroups, in this group. NULL: none. */
static const char *find_tag_in(int fd, const char *group)
{
	static const char *const file[] = { "cpu.core_tag", "cpu.tag" };

	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		char path[NAME_MAX + 32];

		snprintf(path, sizeof(path), "%s/%s", group, file[i]);
		if (faccessat(fd, path, F_OK, 0) == 0)
			return file[i];
	}
	return NULL;
}

/* The same in the groups below the root one, which alone would have them. */
static const char *find_tag(const struct cap_check_ctx *x)
{
	const char *found = NULL;
	const struct dirent *de;
	struct cap_mount m;
	DIR *dir;
	int fd;

	if (!cap_check_mount(x, "cgroup", "cpu", NULL, &m) &&
	    !cap_check_mount(x, "cgroup2", NULL, NULL, &m))
		return NULL;
	fd = openat(x->host->root, cap_check_below(m.point), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	while (!found && (de = readdir(dir)))
		if (strcmp(de->d_name, "..") != 0)
			found = find_tag_in(fd, de->d_name);
	closedir(dir);
	return found;
}

static void tell_no_way(const struct cap_check_ctx *x, struct cap_check *c)
{
	/* kernels that ChromeOS patched before there was a common way */
	const bool maybe_chromeos = strncmp(x->release, "4.19.", 5) == 0 ||
				    strncmp(x->release, "5.4.", 4) == 0;

	cap_check_degraded(c, x->has_smt ? LOSS_COOKIES : LOSS_ISOLATION, NULL,
			   "none can be set here%s. Elsewhere prctl(PR_SCHED_CORE) sets them since "
			   "Linux 5.14, by hand coresched of util-linux 2.41; the cgroup files "
			   "cpu.tag and cpu.core_tag were proposed but never merged",
			   maybe_chromeos ? ", unless this is a ChromeOS kernel, which has a "
					    "prctl(0x200) of its own that cannot be read back"
					  : "");
}

void cap_check_cookies(struct cap_check_ctx *x, struct cap_check *c)
{
	const struct cap_check_calls *calls = x->host->calls;
	const char *tag = find_tag(x);

	if (tag)
		cap_check_degraded(c, LOSS_COOKIES, "use Linux 5.14 or later",
				   "set by the cgroup file %s of a patched kernel, which never got "
				   "into Linux and cannot be read by thread",
				   tag);
	else if (x->core != 0)
		tell_no_way(x, c);
	else if (calls->random(calls->ctx) == -EAGAIN)
		cap_check_degraded(c, LOSS_COOKIES, "wait until dmesg says: crng init done",
				   "each reads as 0 until the kernel's random generator is ready");
	else
		cap_check_ok(c,
			     "set by prctl(PR_SCHED_CORE); by hand: coresched of util-linux "
			     "2.41%s",
			     cap_check_program(x, "coresched") ? ", which is here"
							       : ", which is not installed");
}
