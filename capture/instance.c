// SPDX-License-Identifier: GPL-3.0-or-later
/* The lock on an instance's folder. */
#include "capture/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int cap_instance_lock(int dirfd, const char *path)
{
	const int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat ours, now;
	int r = -EAGAIN;

	if (fd < 0)
		return errno == ENOENT ? -EAGAIN : -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		r = -errno; /* EWOULDBLOCK is EAGAIN */
	/* who removes a stale one does so under the lock: what is there now is the one we made */
	else if (fstat(fd, &ours) == 0 && fstatat(dirfd, path, &now, 0) == 0 &&
		 ours.st_ino == now.st_ino && ours.st_dev == now.st_dev)
		return fd;
	close(fd);
	return r;
}
