/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one guest tells through its console: lines of fcap-guest become "guest" markers, its work
 * and scores those that they are on the host; the rest, a console's noise, is passed over.
 * Counters are handed on as they stand; one that cannot be right gets a flag.
 */
#ifndef CAP_GUEST_LINES_H
#define CAP_GUEST_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "capture/emit.h"

struct cap_guest_counter;

struct cap_guest_lines {
	const char *vm; /* borrowed */
	struct cap_sink to;
	struct cap_guest_counter *cpus; /* by the guest's number of the CPU */
	size_t ncpu;
	uint64_t counters;  /* lines of fcap-guest */
	uint64_t others;    /* of work and scores */
	uint64_t malformed; /* that begin as ours do and were not understood */
};

void cap_guest_lines_init(struct cap_guest_lines *g, const char *vm, struct cap_sink to);
void cap_guest_lines_clear(struct cap_guest_lines *g);

/*
 * Takes a line, which it changes, that arrived at now_ns (CLOCK_MONOTONIC). Blanks and carriage
 * returns around it do not matter. 0, -ENOMEM, or the sink's error.
 *
 * flag=backwards: the counter is below the one of the CPU's last line. flag=jump: it rose by more
 * than the time since that line, plus 5 % and two steps of its resolution; the time is the
 * guest's if both lines tell it, else that of the arrivals.
 */
int cap_guest_lines_take(struct cap_guest_lines *g, char *line, size_t len, uint64_t now_ns);

#endif
