/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user may set about cost and loss, and its defaults. */
#ifndef CAP_TUNING_H
#define CAP_TUNING_H

#include <stdbool.h>
#include <stdint.h>

#include "fcap/cpulist.h"
#include "fcap/err.h"

#define CAP_REALTIME_MAX 99 /* highest priority of SCHED_FIFO */

struct cap_tuning {
	uint64_t buffer_bytes; /* of each CPU; 0: what the free memory suggests */
	unsigned int realtime; /* priority of SCHED_FIFO of the draining threads; 0: none */
	const char *cpus;      /* where the recorder may run, as a list; NULL: anywhere */
	bool scope_command;    /* record the command's tasks only */
	bool no_kvm_exits;     /* leave out kvm_entry and kvm_exit */
};

/* Bytes of ring buffer for each of ncpu CPUs; procfd: /proc, for the free memory. */
uint64_t cap_tuning_buffer(const struct cap_tuning *t, int procfd, unsigned int ncpu);

/*
 * Keeps the calling thread, and those that it starts from now on, on the CPUs of a list. 0;
 * -EINVAL with a sentence if it is none, or if one of them cannot be had.
 */
int cap_tuning_place(const char *cpus, struct fcap_err *err);

#endif
