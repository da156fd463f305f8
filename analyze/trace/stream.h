/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of one CPU of one buffer, in the order they were written. */
#ifndef FAN_TRACE_STREAM_H
#define FAN_TRACE_STREAM_H

#include "analyze/trace/file.h"
#include "analyze/trace/record.h"

struct fan_stream;

/* file stays the caller's; cpu is an index into its buffer's cpus. 0 or negative errno. */
int fan_stream_open(struct fan_stream **ret, const struct fan_file *file, size_t buffer, size_t cpu,
		    struct fcap_err *err);

/* 1: *ret is the next record; 0: the end; negative errno: read error or damaged page. */
int fan_stream_next(struct fan_stream *s, struct fan_record *ret, struct fcap_err *err);

void fan_stream_close(struct fan_stream *s);

#endif
