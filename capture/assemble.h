/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the parts of a recording together into the trace file. */
#ifndef CAP_ASSEMBLE_H
#define CAP_ASSEMBLE_H

#include "capture/head.h"
#include "capture/parts.h"
#include "capture/tail.h"
#include "capture/tasks.h"
#include "capture/tracedat_write.h"
#include "fcap/err.h"

/* Everything is borrowed for the call. */
struct cap_assembly {
	const struct cap_head *head;
	const struct cap_tail *tail;
	const struct cap_tasks *tasks;
	uint32_t page_size;
	const struct cap_dat_cpu *cpu;	 /* pages of the events, by CPU */
	const struct cap_dat_cpu *marks; /* pages of the markers: all of them CPU 0's */
	struct cap_packing packing;	 /* level 0: version 6 of the format, not compressed */
};

/*
 * Writes the file and publishes it; *ret_bytes is its size. 0, or negative errno with a sentence,
 * and then the file is what it was before.
 */
int cap_assemble(struct cap_parts *parts, const struct cap_assembly *a, uint64_t *ret_bytes,
		 struct fcap_err *err);

#endif
