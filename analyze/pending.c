// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/pending.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_FILES "/proc/self/fd" /* by which a file without a name gets one */

static int open_unnamed(const char *path)
{
	char *copy = strdup(path);
	int fd = -1;

	if (copy && access(OWN_FILES, X_OK) == 0)
		fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(copy);
	return fd;
}

int fan_pending_open(struct fan_pending *ret, const char *path)
{
	struct fan_pending p = { .path = path };
	int fd, r;

	if (asprintf(&p.beside, "%s.%d", path, (int)getpid()) < 0)
		return -ENOMEM;
	fd = open_unnamed(path);
	p.is_named = fd < 0;
	if (fd < 0)
		fd = open(p.beside, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
	p.f = fd < 0 ? NULL : fdopen(fd, "w");
	if (p.f) {
		*ret = p;
		return 0;
	}
	r = errno ? -errno : -EIO;
	if (fd >= 0 && p.is_named)
		unlink(p.beside);
	if (fd >= 0)
		close(fd);
	free(p.beside);
	return r;
}

static int name_it(struct fan_pending *p)
{
	char own[sizeof(OWN_FILES) + 16];

	if (p->is_named)
		return 0;
	snprintf(own, sizeof(own), OWN_FILES "/%d", fileno(p->f));
	if (linkat(AT_FDCWD, own, AT_FDCWD, p->beside, AT_SYMLINK_FOLLOW) < 0)
		return -errno;
	p->is_named = true;
	return 0;
}

int fan_pending_close(struct fan_pending *p, bool keep)
{
	int r = 0;

	if (keep && fflush(p->f) != 0)
		r = -errno;
	if (keep && r == 0)
		r = name_it(p);
	if (fclose(p->f) != 0 && keep && r == 0)
		r = -errno;
	if (keep && r == 0 && rename(p->beside, p->path) < 0)
		r = -errno;
	if ((!keep || r < 0) && p->is_named)
		unlink(p->beside);
	free(p->beside);
	return r;
}
