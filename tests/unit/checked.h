/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of fcap check: a made-up machine on which everything is as it should be, and from
 * which each test takes something away. Its calls answer as the test says.
 */
#ifndef TESTS_UNIT_CHECKED_H
#define TESTS_UNIT_CHECKED_H

#include <errno.h>
#include <stdio.h>

#include "capture/check.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

#define COOKIES_MAX 8

struct machine {
	char *dir;
	int root;
	const char *refused; /* a path that open and access refuse with this code */
	int refused_code;
	int mounts; /* of mount: 1: gives the folder "detached"; else negative errno */
	int make_code, remove_code;
	int steals; /* so often a new instance is gone before it can be locked */
	int made, removed;
	const char *clocks; /* trace_clock of a new instance; NULL: it has none */
	int core;	    /* of a cookie that is not listed below */
	int random_code, space_code;
	uint64_t bytes;
	struct {
		pid_t tid;
		int code;
		uint64_t cookie;
	} thread[COOKIES_MAX];
	size_t nthread;
	struct cap_check check[CAP_CHECK_MAX];
	size_t n;
};

static inline int fake_open(void *ctx, int dirfd, const char *path, int flags)
{
	const struct machine *m = ctx;
	int fd;

	if (m->refused && strcmp(m->refused, path) == 0)
		return m->refused_code;
	fd = openat(dirfd, path, flags);
	return fd < 0 ? -errno : fd;
}

static inline int fake_access(void *ctx, int dirfd, const char *path, int mode)
{
	const struct machine *m = ctx;

	if (m->refused && strcmp(m->refused, path) == 0)
		return m->refused_code;
	return faccessat(dirfd, path, mode, 0) < 0 ? -errno : 0;
}

static inline int fake_mount(void *ctx)
{
	const struct machine *m = ctx;

	return m->mounts == 1 ? openat(m->root, "detached", O_RDONLY | O_DIRECTORY) : m->mounts;
}

static inline int fake_make(void *ctx, int dirfd, const char *name)
{
	struct machine *m = ctx;
	char path[128];

	if (m->make_code)
		return m->make_code;
	if (mkdirat(dirfd, name, 0755) < 0)
		return -errno;
	m->made++;
	if (m->steals > 0) {
		m->steals--;
		return unlinkat(dirfd, name, AT_REMOVEDIR);
	}
	/* tracefs fills a new folder; and its clocks are seen nowhere else here */
	snprintf(path, sizeof(path), "%s/trace_clock", name);
	if (m->clocks)
		put_file(dirfd, path, m->clocks);
	return 0;
}

static inline int fake_remove(void *ctx, int dirfd, const char *name)
{
	struct machine *m = ctx;
	char path[128];

	if (m->remove_code)
		return m->remove_code;
	m->removed++;
	snprintf(path, sizeof(path), "%s/trace_clock", name);
	unlinkat(dirfd, path, 0);
	return unlinkat(dirfd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static inline int fake_cookie(void *ctx, pid_t tid, uint64_t *ret)
{
	const struct machine *m = ctx;

	for (size_t i = 0; i < m->nthread; i++)
		if (m->thread[i].tid == tid) {
			*ret = m->thread[i].cookie;
			return m->thread[i].code;
		}
	*ret = 0;
	return m->core;
}

static inline int fake_random(void *ctx)
{
	return ((const struct machine *)ctx)->random_code;
}

static inline int fake_space(void *ctx, const char *dir, uint64_t *ret_bytes)
{
	const struct machine *m = ctx;

	if (strcmp(dir, "/where") != 0)
		abort();
	*ret_bytes = m->bytes;
	return m->space_code;
}

static inline void put_link(const struct machine *m, const char *path, const char *target)
{
	unlinkat(m->root, path, 0);
	if (symlinkat(target, m->root, path) < 0)
		abort();
}

static inline void put_program(const struct machine *m, const char *path)
{
	put_file(m->root, path, "");
	if (fchmodat(m->root, path, 0755, 0) < 0)
		abort();
}

static inline void take_away(const struct machine *m, const char *path)
{
	if (unlinkat(m->root, path, 0) < 0)
		abort();
}

#define STATUS_OF(uid, nspid, caps)                                             \
	"Name:\tfcap\nUid:\t" uid "\t" uid "\t" uid "\t" uid "\nNSpid:\t" nspid \
	"\nSeccomp:\t0\nCapEff:\t" caps "\n"
#define ALL_CAPS      "000001ffffffffff"
#define TRACEFS_MOUNT "42 23 0:13 / /sys/kernel/tracing rw,nosuid - tracefs tracefs rw,gid=104\n"
#define CGROUP2_MOUNT "31 23 0:29 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw\n"
#define SCHED_EVENTS                                                                           \
	"sched:sched_switch\nsched:sched_wakeup\nsched:sched_wakeup_new\nsched:sched_waking\n" \
	"sched:sched_migrate_task\nsched:sched_process_fork\nsched:sched_process_exec\n"       \
	"sched:sched_process_exit\nsched:sched_process_free\ntask:task_newtask\n"              \
	"task:task_rename\ncgroup:cgroup_attach_task\n"
#define KVM_EVENTS "kvm:kvm_entry\nkvm:kvm_exit\nkvm:kvm_userspace_exit\nkvm:kvm_vcpu_wakeup\n"

static inline void put_healthy_proc(const struct machine *m)
{
	put_file(m->root, "proc/self/status", STATUS_OF("0", "7", ALL_CAPS));
	put_file(m->root, "proc/self/ns/none", "");
	put_link(m, "proc/self/ns/pid", "pid:[4026531836]");
	put_link(m, "proc/self/ns/user", "user:[4026531837]");
	put_link(m, "proc/self/ns/cgroup", "cgroup:[4026531835]");
	put_file(m->root, "proc/self/mountinfo", TRACEFS_MOUNT CGROUP2_MOUNT);
	put_file(m->root, "proc/self/schedstat", "5000 700 3\n");
	put_file(m->root, "proc/filesystems", "nodev\tsysfs\nnodev\ttracefs\n\text4\n");
	put_file(m->root, "proc/stat", "cpu  100 0 50 850 0 0 0 0 10 0\ncpu0 1\ncpu1 1\nctxt 9\n");
	put_file(m->root, "proc/uptime", "5000.12 1.00\n");
	put_file(m->root, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vmx sse\n\n");
	put_file(m->root, "proc/sys/kernel/osrelease", "6.12.1\n");
	put_file(m->root, "proc/sys/kernel/sched_schedstats", "1\n");
}

static inline void put_healthy_sys(const struct machine *m)
{
	put_file(m->root, "sys/kernel/tracing/available_events", SCHED_EVENTS KVM_EVENTS);
	put_file(m->root, "sys/kernel/tracing/instances/none", "");
	take_away(m, "sys/kernel/tracing/instances/none");
	put_file(m->root, "sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put_file(m->root, "sys/devices/system/cpu/smt/active", "1\n");
	put_file(m->root, "sys/devices/system/cpu/smt/control", "on\n");
	put_file(m->root, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n");
	put_file(m->root, "sys/devices/system/clocksource/clocksource0/current_clocksource",
		 "tsc\n");
	put_file(m->root, "sys/module/kvm_intel/parameters/nested", "Y\n");
	put_file(m->root, "sys/fs/cgroup/cgroup.controllers", "cpuset cpu io\n");
	put_file(m->root, "sys/fs/cgroup/cgroup.subtree_control", "cpuset cpu\n");
	put_file(m->root, "dev/kvm", "");
	put_program(m, "usr/bin/gnuplot");
	put_program(m, "usr/bin/coresched");
}

static inline int make_machine(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));

	m->dir = tempdir_new();
	m->root = open_folder(m->dir);
	m->mounts = -EPERM;
	m->clocks = "[local] global counter uptime perf mono mono_raw boot\n";
	m->bytes = 100000000000;
	put_healthy_proc(m);
	put_healthy_sys(m);
	*state = m;
	return 0;
}

static inline int remove_machine(void **state)
{
	struct machine *m = *state;

	close(m->root);
	tempdir_remove(m->dir);
	free(m);
	return 0;
}

static inline void check_machine(struct machine *m)
{
	const struct cap_check_calls calls = {
		m,	     fake_open,	  fake_access, fake_mount, fake_make,
		fake_remove, fake_cookie, fake_random, fake_space,
	};
	const struct cap_check_host host = { m->root, "/where", "/usr/local/bin:/usr/bin", &calls };

	if (cap_check_run(&host, m->check, &m->n) < 0)
		abort();
}

static inline const struct cap_check *check_named(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->check[i].name, name) == 0)
			return &m->check[i];
	abort();
}

/* Runs all and compares one. The fix of what cannot be mended is "". */
#define assert_check(m, check_name, check_state, check_cause, check_fix) \
	do {                                                             \
		const struct cap_check *found_;                          \
                                                                         \
		check_machine(m);                                        \
		found_ = check_named(m, check_name);                     \
		assert_string_equal(found_->cause, check_cause);         \
		assert_string_equal(found_->fix, check_fix);             \
		assert_string_equal(cap_check_state_name(found_->state), \
				    cap_check_state_name(check_state));  \
	} while (0)

#endif
