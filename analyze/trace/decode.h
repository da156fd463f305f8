/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Raw records to events. All offsets and sizes come from the formats in the file and are looked
 * up once; events of no use to the model are passed over by their number.
 */
#ifndef FAN_TRACE_DECODE_H
#define FAN_TRACE_DECODE_H

#include "analyze/trace/event.h"
#include "analyze/trace/file.h"
#include "analyze/trace/record.h"

struct fan_decoder;

/* file stays the caller's. -EINVAL: a format lacks a field that is needed, named in err. */
int fan_decoder_new(struct fan_decoder **ret, const struct fan_file *file, struct fcap_err *err);

/*
 * 1: *ret is set (its texts point into rec->data); 0: not an event of ours: kind is FAN_EV_KINDS,
 * the common members are set, but cur_tid only if fan_decoder_kinds() is not 0; -EINVAL: the
 * record is shorter than its format.
 */
int fan_decode(const struct fan_decoder *d, const struct fan_record *rec, struct fan_event *ret,
	       struct fcap_err *err);

/*
 * As many of n records as can be decoded, to as many events; where they are fewer than n the next
 * one is that of err.
 */
int fan_decode_many(const struct fan_decoder *d, const struct fan_record *const *recs, int n,
		    struct fan_event *ret, struct fcap_err *err);

/* Bit 1 << kind for each kind whose format the file holds. */
unsigned int fan_decoder_kinds(const struct fan_decoder *d);

void fan_decoder_free(struct fan_decoder *d);

#endif
