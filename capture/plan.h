/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to record, checked against the events that the kernel offers. Pure: no files, no root. */
#ifndef CAP_PLAN_H
#define CAP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fcap/err.h"

#define CAP_PLAN_MAX 32

struct cap_event {
	const char *system, *name;
};

struct cap_plan {
	struct cap_event event[CAP_PLAN_MAX]; /* to be enabled, systems together */
	size_t nevent;
	struct cap_event absent[CAP_PLAN_MAX]; /* wanted, but this kernel has none */
	size_t nabsent;
};

/*
 * available: the text of available_events, lines "system:event". has_virt: KVM runs with
 * hardware virtualisation; without it kvm_entry and kvm_exit never fire and kvm_fpu stands in.
 * no_exits: without kvm_entry and kvm_exit, the most frequent ones of a busy guest.
 * 0; -ENOENT with a sentence that names the event without which no recording makes sense.
 */
int cap_plan_resolve(struct cap_plan *ret, const char *available, bool has_virt, bool no_exits,
		     struct fcap_err *err);

/* Bytes of ring buffer per CPU: an eighth of the free memory shared by all, 1 to 64 MiB each
 * and at most 2 GiB in all (at least a page each). */
uint64_t cap_plan_buffer_bytes(uint64_t mem_available, unsigned int ncpu);

#endif
