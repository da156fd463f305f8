/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which CPU belongs to which core and package, as marker lines. */
#ifndef CAP_TOPOLOGY_H
#define CAP_TOPOLOGY_H

#include "capture/emit.h"

/*
 * One "cpu" line for each cpuN folder below dirfd (/sys/devices/system/cpu) that has a topology
 * (a CPU that is offline has none). 0, or negative errno.
 */
int cap_topology_emit(int dirfd, struct cap_sink to);

#endif
