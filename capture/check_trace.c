// SPDX-License-Identifier: GPL-3.0-or-later
/* tracefs, an instance of our own, its clocks, the scheduler's events. */
#include "capture/check_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/instance.h"
#include "capture/io.h"
#include "capture/plan.h"

#define MOUNT_POINT "/sys/kernel/tracing"
#define MOUNT_FIX   "sudo mount -t tracefs nodev " MOUNT_POINT
#define KERNEL_FIX  "use a kernel with CONFIG_FTRACE=y"
#define ATTEMPTS    100

static void mount_our_own(struct cap_check_ctx *x, struct cap_check *c)
{
	char *known = NULL;

	if (cap_io_read_all(x->procfd, "filesystems", &known, NULL) == 0 &&
	    !cap_check_has_word(known, "tracefs")) {
		cap_check_missing(c, KERNEL_FIX, "this kernel has none");
	} else if (!x->is_root) {
		cap_check_missing(c, MOUNT_FIX, "not mounted");
	} else {
		x->tracefs = x->host->calls->mount(x->host->calls->ctx);
		if (x->tracefs >= 0)
			cap_check_ok(c, "not mounted; fcap record will mount it at " MOUNT_POINT);
		else
			cap_check_missing(c, MOUNT_FIX, "not mounted, and we cannot: %s",
					  strerror(-x->tracefs));
	}
	free(known);
}

static void tell_refusal(const struct cap_check_ctx *x, struct cap_check *c, const char *point,
			 int code)
{
	if (!x->is_root && code == -EACCES)
		cap_check_follows(c, "root");
	else if (x->is_confined && code == -EPERM)
		cap_check_follows(c, "an end of the lockdown");
	else
		cap_check_missing(c, "run fcap on the host, outside any container or sandbox",
				  "%s cannot be read: %s", point, strerror(-code));
}

/* Whether it can be read shows only when a file is opened: lockdown lets folders pass. */
static int open_tracefs(struct cap_check_ctx *x, const char *point)
{
	const struct cap_check_calls *calls = x->host->calls;
	int fd, r;

	r = calls->open(calls->ctx, x->host->root, cap_check_below(point), O_RDONLY | O_DIRECTORY);
	if (r < 0)
		return r;
	fd = r;
	r = calls->open(calls->ctx, fd, "available_events", O_RDONLY);
	if (r < 0) {
		close(fd);
		return r;
	}
	close(r);
	x->tracefs = fd;
	return 0;
}

void cap_check_tracefs(struct cap_check_ctx *x, struct cap_check *c)
{
	struct cap_mount m;
	int r;

	if (!cap_check_mount(x, "tracefs", NULL, MOUNT_POINT, &m)) {
		mount_our_own(x, c);
	} else if (cap_list_has(m.options, strlen(m.options), "ro") ||
		   cap_list_has(m.super, strlen(m.super), "ro")) {
		char fix[256];

		snprintf(fix, sizeof(fix), "sudo mount -o remount,rw %.200s", m.point);
		cap_check_missing(c, fix, "%s is mounted read-only", m.point);
	} else {
		r = open_tracefs(x, m.point);
		if (r < 0)
			tell_refusal(x, c, m.point, r);
		else
			cap_check_ok(c, "mounted at %s", m.point);
	}
	if (x->tracefs >= 0)
		cap_io_read_all(x->tracefs, "available_events", &x->available, NULL);
}

/* Makes and locks an instance. Its locked folder and its name, or negative errno. */
static int make_instance(const struct cap_check_ctx *x, int instances, char *name, size_t size)
{
	const struct cap_check_calls *calls = x->host->calls;
	int r = -EBUSY;

	for (int n = 0; n < ATTEMPTS; n++) {
		snprintf(name, size, CAP_INSTANCE_PREFIX "%d-%d", (int)getpid(), n);
		r = calls->make(calls->ctx, instances, name);
		if (r < 0 && r != -EEXIST)
			break;
		if (r < 0)
			continue;
		r = cap_instance_lock(instances, name);
		if (r >= 0)
			break;
		if (r != -EAGAIN) { /* it is there, and nobody's but ours */
			calls->remove(calls->ctx, instances, name);
			break;
		}
	}
	return r;
}

static void tell_no_instance(const struct cap_check_ctx *x, struct cap_check *c, int code)
{
	if ((code == -EACCES || code == -EPERM) && !x->is_root)
		cap_check_follows(c, "root");
	else if (code == -ENOMEM)
		cap_check_missing(c, "end what uses the memory (free -m tells how much is left)",
				  "there is no memory for one");
	else
		cap_check_missing(c, "run fcap on the host, outside any container or sandbox",
				  "cannot make a tracing instance: %s", strerror(-code));
}

/* Makes one, looks at its clocks, removes it. Signals are held back meanwhile. */
static void try_instance(struct cap_check_ctx *x, struct cap_check *c, int instances)
{
	const struct cap_check_calls *calls = x->host->calls;
	char name[64], path[96], fix[256];
	int lock, r;

	lock = make_instance(x, instances, name, sizeof(name));
	if (lock < 0) {
		tell_no_instance(x, c, lock);
		return;
	}
	snprintf(path, sizeof(path), "%s/trace_clock", name);
	if (cap_io_read_at(instances, path, x->clocks, sizeof(x->clocks)) < 0)
		x->clocks[0] = '\0';
	r = calls->remove(calls->ctx, instances, name);
	close(lock);
	x->has_instance = true;
	if (r == 0) {
		cap_check_ok(c, "made one and removed it");
		return;
	}
	snprintf(fix, sizeof(fix), "sudo rmdir " MOUNT_POINT "/instances/%s", name);
	cap_check_degraded(c, NULL, fix, "made one that could not be removed: %s", strerror(-r));
}

void cap_check_instance(struct cap_check_ctx *x, struct cap_check *c)
{
	sigset_t all, before;
	int instances;

	if (x->tracefs < 0) {
		cap_check_follows(c, "tracefs");
		return;
	}
	instances = openat(x->tracefs, "instances", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (instances < 0) {
		cap_check_missing(c, "use Linux 4.3 or later", "tracefs has no instances");
		return;
	}
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	try_instance(x, c, instances);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(instances);
}

/* Slow ones: each event reads the clock once. */
static bool is_slow_source(const char *source)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "pit", "jiffies",
					    "refined-jiffies" };

	for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
		if (strcmp(source, slow[i]) == 0)
			return true;
	return false;
}

void cap_check_clock(struct cap_check_ctx *x, struct cap_check *c)
{
	char source[64];

	cap_check_line(x, "sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		       sizeof(source));
	if (!x->has_instance)
		cap_check_follows(c, "an instance");
	else if (!cap_check_has_word(x->clocks, "mono"))
		cap_check_missing(c, "use Linux 4.3 or later",
				  "this kernel has no trace clock mono, which the samples need");
	else if (is_slow_source(source))
		cap_check_degraded(c, "a recording that costs little", "boot with clocksource=tsc",
				   "mono, from %s: each event waits about a microsecond for it",
				   source);
	else if (source[0])
		cap_check_ok(c, "mono, from %s", source);
	else
		cap_check_ok(c, "mono");
}

void cap_check_events(struct cap_check_ctx *x, struct cap_check *c)
{
	struct fcap_err err = { 0 };
	struct cap_plan plan;
	char names[300] = "";

	if (!x->available) {
		cap_check_follows(c, "tracefs");
		return;
	}
	if (cap_plan_resolve(&plan, x->available, true, false, &err) < 0) {
		/* its second half is the fix */
		cap_check_missing(c, KERNEL_FIX, "%.*s", (int)strcspn(err.text, ";"), err.text);
		return;
	}
	for (size_t i = 0; i < plan.nabsent; i++)
		if (strcmp(plan.absent[i].system, "kvm") != 0)
			cap_check_append(names, sizeof(names), "%s%s:%s", names[0] ? ", " : "",
					 plan.absent[i].system, plan.absent[i].name);
	if (names[0])
		cap_check_degraded(c, "what the absent events tell", KERNEL_FIX,
				   "those of the scheduler, but this kernel has no %s", names);
	else
		cap_check_ok(c, "all of the scheduler's that are wanted");
}
