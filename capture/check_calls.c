// SPDX-License-Identifier: GPL-3.0-or-later
/* The system calls of the checks. */
#include "capture/check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "fcap/core_sched.h"

static int result_of(int r)
{
	return r < 0 ? -errno : r;
}

static int call_open(void *ctx, int dirfd, const char *path, int flags)
{
	(void)ctx;
	return result_of(openat(dirfd, path, flags | O_CLOEXEC));
}

static int call_access(void *ctx, int dirfd, const char *path, int mode)
{
	(void)ctx;
	return result_of(faccessat(dirfd, path, mode, AT_EACCESS));
}

/* Attached nowhere: it is gone with its last descriptor. */
static int call_mount(void *ctx)
{
	const int fs = fsopen("tracefs", FSOPEN_CLOEXEC);
	int r;

	(void)ctx;
	if (fs < 0)
		return -errno;
	r = fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0);
	r = result_of(r < 0 ? r : fsmount(fs, FSMOUNT_CLOEXEC, 0));
	close(fs);
	return r;
}

static int call_make(void *ctx, int dirfd, const char *name)
{
	(void)ctx;
	return result_of(mkdirat(dirfd, name, 0755));
}

static int call_remove(void *ctx, int dirfd, const char *name)
{
	(void)ctx;
	return result_of(unlinkat(dirfd, name, AT_REMOVEDIR));
}

static int call_cookie(void *ctx, pid_t tid, uint64_t *ret)
{
	(void)ctx;
	return fcap_core_get(tid, ret);
}

static int call_random(void *ctx)
{
	char byte;

	(void)ctx;
	return getrandom(&byte, 1, GRND_NONBLOCK) < 0 ? -errno : 0;
}

static int call_space(void *ctx, const char *dir, uint64_t *ret_bytes)
{
	struct statvfs st;

	(void)ctx;
	if (access(dir, W_OK | X_OK) < 0 || statvfs(dir, &st) < 0)
		return -errno;
	*ret_bytes = (uint64_t)st.f_bavail * st.f_frsize;
	return 0;
}

const struct cap_check_calls cap_check_system = {
	.open = call_open,
	.access = call_access,
	.mount = call_mount,
	.make = call_make,
	.remove = call_remove,
	.cookie = call_cookie,
	.random = call_random,
	.space = call_space,
};
