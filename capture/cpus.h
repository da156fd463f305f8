/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which CPUs of the host are online, and how they belong together: told at the beginning and
 * again whenever that has changed. Their buffers are drained whether they are online or not.
 */
#ifndef CAP_CPUS_H
#define CAP_CPUS_H

#include <stdint.h>

#include "capture/emit.h"

#define CAP_CPUS_LIST_MAX 2048

struct cap_cpus {
	int dirfd;		       /* sys/devices/system/cpu; -1: there is none */
	char first[CAP_CPUS_LIST_MAX]; /* the kernel's list of those online; "": unknown */
	char last[CAP_CPUS_LIST_MAX];
	unsigned int changes;
	uint64_t looked_ns;
};

/*
 * Looks for the first time. The folder becomes the struct's, to be closed by cap_cpus_close().
 * 0, or negative errno of the sink or for want of memory.
 */
int cap_cpus_open(struct cap_cpus *c, int dirfd, struct cap_sink to);

/* Looks again if the last time was a second ago. 0, or negative errno likewise. */
int cap_cpus_look(struct cap_cpus *c, uint64_t now_ns, struct cap_sink to);

/* A sentence if they changed. */
void cap_cpus_sum_up(const struct cap_cpus *c, void (*say)(const char *text));

void cap_cpus_close(struct cap_cpus *c);

#endif
