/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose tracing instance is it? Ours begin with CAP_INSTANCE_PREFIX, and each belongs to who
 * holds the lock on its folder; one whose lock is free was left behind, and anybody may remove it.
 */
#ifndef CAP_INSTANCE_H
#define CAP_INSTANCE_H

#define CAP_INSTANCE_PREFIX "fcap-"

/*
 * Locks a folder that was just made below dirfd (AT_FDCWD too). The open, locked folder;
 * -EAGAIN: somebody took it for stale and removed it; other negative errno.
 */
int cap_instance_lock(int dirfd, const char *path);

#endif
