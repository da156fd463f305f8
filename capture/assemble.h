/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects what the trace file needs beside the pages, and writes it. */
#ifndef CAP_ASSEMBLE_H
#define CAP_ASSEMBLE_H

#include "capture/plan.h"
#include "capture/session.h"
#include "capture/tasks.h"
#include "capture/tracedat_write.h"
#include "fcap/err.h"

/* Everything is borrowed for the call. */
struct cap_assembly {
	const struct cap_session *session;
	const struct cap_plan *plan;
	const struct cap_tasks *tasks;
	uint32_t page_size;
	uint32_t ncpu;
	const struct cap_dat_cpu *cpu;	 /* pages of the events */
	char *const *stats;		 /* per_cpu/cpuN/stats by CPU, NULL where there is none */
	const struct cap_dat_cpu *marks; /* pages of the markers: all of them CPU 0's */
	struct cap_packing packing;	 /* level 0: version 6 of the format, not compressed */
};

/* Writes the whole file to fd. 0, or negative errno with a sentence. */
int cap_assemble(int fd, const struct cap_assembly *a, struct fcap_err *err);

#endif
