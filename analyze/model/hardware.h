/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What "machine", "cpus" and "freq" lines say of the traced machine: its kind, and its clock rates.
 */
#ifndef FAN_MODEL_HARDWARE_H
#define FAN_MODEL_HARDWARE_H

#include <stddef.h>
#include <stdint.h>

#include "fcap/marker.h"

enum fan_hardware_key {
	FAN_HW_CPU_MODEL,
	FAN_HW_GOVERNOR, /* of the clock rates; several with commas */
	FAN_HW_SMT,	 /* the control: on, off, forceoff, notsupported, notimplemented */
	FAN_HW_ONLINE,	 /* CPUs, list notation */
	FAN_HW_HALT_POLL_NS,
	FAN_HW_L1TF, /* these two as the kernel words them */
	FAN_HW_MDS,
	FAN_HW_BOOT,	   /* options of the kernel that bear on scheduling */
	FAN_HW_FAIR_CLASS, /* eevdf, cfs */
	FAN_HW_KEYS,
};

struct fan_cpu_speed {
	int32_t cpu;
	int64_t min_khz, max_khz;
};

struct fan_hardware {
	/* by key, as told; NULL: not told. last "": it could no longer be read */
	char *first[FAN_HW_KEYS], *last[FAN_HW_KEYS];
	struct fan_cpu_speed *speeds;
	size_t nspeeds;
};

/* Takes a line of these kinds; others are none of its business. 0; -EINVAL; -ENOMEM. */
int fan_hardware_take(struct fan_hardware *h, const struct fcap_marker *line);

void fan_hardware_clear(struct fan_hardware *h);

#endif
