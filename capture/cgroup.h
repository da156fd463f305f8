/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cpu controller's cgroups: which one a thread is in, and weight, quota, cpuset and
 * throttling of every group that was asked for. Version 1 (shares) where the controller is
 * mounted so, else version 2 (weight).
 */
#ifndef CAP_CGROUP_H
#define CAP_CGROUP_H

#include <stddef.h>
#include <sys/types.h>

#include "capture/emit.h"

struct cap_cgroups;

/* Finds the mounts through self/mountinfo and self/cgroup below procfd, which stays open as long
 * as the result. A host without cgroups is no error. 0, or negative errno. */
int cap_cgroups_open(struct cap_cgroups **ret, int procfd);

/* The number of the version 1 hierarchy that holds the cpu controller, or 0. */
int cap_cgroups_hierarchy(const struct cap_cgroups *c);

/* The thread's cgroup. 0; -ENODATA: none known; other negative errno: the thread is gone. */
int cap_cgroups_of(const struct cap_cgroups *c, pid_t pid, pid_t tid, char *ret, size_t size);

/* Adds a group and its ancestors to those that are sampled. 0, or -ENOMEM. */
int cap_cgroups_want(struct cap_cgroups *c, const char *path);

/* A "cg" line for each wanted group that is new or has changed. 0, or negative errno. */
int cap_cgroups_sample(struct cap_cgroups *c, struct cap_sink to);

void cap_cgroups_close(struct cap_cgroups *c);

#endif
