/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What decoder.c finds in the formats of a file, for decode.c. Not for others. */
#ifndef FAN_TRACE_DECODE_PARTS_H
#define FAN_TRACE_DECODE_PARTS_H

#include "analyze/trace/decode.h"
#include "analyze/trace/format.h"

#define FAN_TYPES      65536 /* common_type has 16 bits */
#define FAN_FIELDS_MAX 7
#define FAN_WANTED_MAX 32	  /* events that the model wants, or more */
#define FAN_NEVER      UINT32_MAX /* no record is as long */

/* One event format that the model wants. */
struct fan_slot {
	enum fan_event_kind kind; /* KINDS: not ours */
	enum fan_vcpu_what what;
	enum fan_isa isa;
	uint32_t min_size;
	/* from which sizes on frequent events, if laid out as usual, are decoded by plain loads */
	uint32_t sched_size; /* switches, and wake-ups as switches that have fewer fields */
	uint32_t kvm_size;   /* entry, and exit of x86 */
	struct fan_format_field f[FAN_FIELDS_MAX]; /* size 0: not in this format */
} __attribute__((aligned(128)));		   /* two cache lines, and a shift to find it */

struct fan_decoder {
	struct fan_slot slots[1 + FAN_WANTED_MAX]; /* [0]: not ours */
	uint64_t state_mask;			   /* bits of prev_state that mean "not runnable" */
	struct fan_format_field type, pid;	   /* common fields */
	uint32_t min_size;			   /* of any event */
	uint32_t plain_size; /* the same; FAN_NEVER: byte order or tids are not as usual */
	unsigned int nslots, kinds;
	bool big_endian;
	uint8_t slot_of[FAN_TYPES];
};

#endif
