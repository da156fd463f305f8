/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cgroup of each group of a report, from what is told of its threads. */
#ifndef FAN_MODEL_GROUP_CGROUP_H
#define FAN_MODEL_GROUP_CGROUP_H

#include "analyze/model/groups.h"

/*
 * Sets the cgroup of every group that has none yet: the lowest that holds all its vCPU threads, as
 * of the end, those left out that were there but briefly; of a group without any, all main threads
 * of its processes. A thread of which nothing is told counts as where its main thread is. Where
 * nothing is told of all these: the lowest that holds the other threads. The cgroups that libvirt
 * makes within a machine for kinds of its threads are left out. After vCPUs are counted. -ENOMEM.
 */
int fan_groups_find_cgroups(struct fan_groups *g, const struct fan_model *m);

#endif
