/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One raw record of a trace.dat, as the merge hands it out. */
#ifndef FAN_TRACE_RECORD_H
#define FAN_TRACE_RECORD_H

#include <stdint.h>

struct fan_record {
	uint64_t ts_ns;
	const void *data; /* the event, common fields first; valid until the next call */
	uint32_t size;
	int32_t cpu;
	uint32_t buffer; /* 0 is the main buffer, 1.. the others in file order */
	/* events lost on this CPU right before this record: 0 none, -1 unknown number */
	int64_t missed;
};

#endif
