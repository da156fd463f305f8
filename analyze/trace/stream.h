/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The records of one CPU of one buffer, in the order they were written, read ahead into a queue
 * from which the merge takes them.
 */
#ifndef FAN_TRACE_STREAM_H
#define FAN_TRACE_STREAM_H

#include "analyze/trace/file.h"
#include "analyze/trace/record.h"

struct fan_inflate;
struct fan_stream;

/* What is read and not yet taken; behind it stands a record whose order_ns is UINT64_MAX. */
struct fan_queue {
	const struct fan_record *recs;
	size_t n;
	bool is_last; /* nothing follows */
};

/* What a stream borrows. */
struct fan_stream_room {
	struct fan_record *recs; /* place of the queue, for n + 1 records */
	size_t n;		 /* > 0 */
	struct fan_inflate **z;	 /* see fan_pages_open() */
};

/* file stays the caller's; cpu is an index into its buffer's cpus. 0 or negative errno. */
int fan_stream_open(struct fan_stream **ret, const struct fan_file *file, size_t buffer, size_t cpu,
		    const struct fan_stream_room *room, struct fcap_err *err);

/*
 * Reads on. 1: at least one record is queued, 0: the end; negative errno: read error or damaged
 * page right behind the last record taken. Records taken before are no longer valid.
 */
int fan_stream_fill(struct fan_stream *s, struct fcap_err *err);

/* Borrowed; changes by fill and take. */
const struct fan_queue *fan_stream_queue(const struct fan_stream *s);

/* Takes the first n records of the queue; they stay valid until the next fill. */
void fan_stream_take(struct fan_stream *s, size_t n);

/* Bytes of its data that were read so far, about; at most all. */
uint64_t fan_stream_done(const struct fan_stream *s);

void fan_stream_close(struct fan_stream *s);

#endif
