/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of groups made unique. */
#ifndef FAN_MODEL_GROUP_NAMES_H
#define FAN_MODEL_GROUP_NAMES_H

#include <stddef.h>

struct fan_group_name {
	char *name;	    /* owned by the caller; is replaced */
	const char *cgroup; /* the path that the name is made of; NULL: of something else */
	size_t index;	    /* of the group */
};

/*
 * Groups of one name in several cgroups get longer names of these. What several still bear gets #1,
 * #2 by index. The order of the names changes. 0, or -ENOMEM.
 */
int fan_group_names_settle(struct fan_group_name *names, size_t n);

#endif
