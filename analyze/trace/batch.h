/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the merge hands out, decoded, a batch at a time. */
#ifndef FAN_TRACE_BATCH_H
#define FAN_TRACE_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/trace/event.h"
#include "analyze/trace/file.h"
#include "analyze/trace/merge.h"
#include "fcap/err.h"

struct fan_batch {
	struct fan_event *events;
	size_t n, room;
	char *texts; /* of the events, where they are kept */
	size_t ntexts, texts_room;
	int status; /* 1: more follow; 0: the end does; negative errno: they cannot be read */
	struct fcap_err why;
};

struct fan_batcher;

struct fan_batcher_plan {
	bool is_kept;	      /* see fan_batcher_fill() */
	unsigned int helpers; /* see fan_merge_open_helped() */
};

/* file stays the caller's. 0 or negative errno. */
int fan_batcher_open(struct fan_batcher **ret, const struct fan_file *file,
		     const struct fan_batcher_plan *plan, struct fcap_err *err);

/*
 * Reads the next events into *to. If they are kept they stay valid as long as the batch; else until
 * the next fill.
 */
void fan_batcher_fill(struct fan_batcher *s, struct fan_batch *to);

/* See struct fan_events. */
unsigned int fan_batcher_kinds(const struct fan_batcher *s);

/* See fan_merge_cut(). */
const struct fan_cut *fan_batcher_cut(const struct fan_batcher *s);

void fan_batcher_close(struct fan_batcher *s);

/* For up to so many events. 0 or -ENOMEM; to be freed in any case. */
int fan_batch_init(struct fan_batch *b, size_t room);
void fan_batch_free(struct fan_batch *b);

#endif
