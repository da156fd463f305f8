/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One raw record of a trace.dat, as the merge hands it out. */
#ifndef FAN_TRACE_RECORD_H
#define FAN_TRACE_RECORD_H

#include <stdint.h>

struct fan_record {
	/* up to buffer as in struct fan_event: copied in one go */
	uint64_t ts_ns;
	/* events lost on this CPU right before this record: 0 none, -1 unknown number */
	int64_t missed;
	int32_t cpu;
	uint32_t buffer;  /* 0 is the main buffer, 1.. the others in file order */
	const void *data; /* the event, common fields first; valid as long as the record */
	/* its place in the order of all: ts_ns, or if stamps of its CPU have stepped back, as in
	 * a damaged file, the latest before */
	uint64_t order_ns;
	uint32_t size;
};

#endif
