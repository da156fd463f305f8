/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All records of a file as events, in the order of the merge, a batch at a time. Where there are
 * CPUs for it another thread reads ahead, by a few batches; what is handed out is the same.
 */
#ifndef FAN_TRACE_EVENTS_H
#define FAN_TRACE_EVENTS_H

#include "analyze/trace/event.h"
#include "analyze/trace/file.h"
#include "analyze/trace/merge.h"
#include "fcap/err.h"

/* So many threads, the caller's among them, as have CPUs and work to do. */
#define FAN_THREADS_AUTO 0
#define FAN_THREADS_MAX	 64

/* next, end: for fan_events_next() only. */
struct fan_events {
	const struct fan_event *next, *end; /* of the batch that is handed out */
	unsigned int kinds; /* bit 1 << kind for each that the file has a format of */
};

/*
 * file stays the caller's and must outlive the events. threads: up to FAN_THREADS_MAX; 1: nothing
 * is read but by the calls below. 0 or negative errno.
 */
int fan_events_open(struct fan_events **ret, const struct fan_file *file, unsigned int threads,
		    struct fcap_err *err);

/* For fan_events_next(): the next batch. */
int fan_events_fill(struct fan_events *e, struct fcap_err *err);

/*
 * 1: *ret is the next record, of kind FAN_EV_KINDS if it is of no use, borrowed with its texts
 * until the next call; 0: the end; negative errno: the next record cannot be read or decoded.
 */
static inline int fan_events_next(struct fan_events *e, const struct fan_event **ret,
				  struct fcap_err *err)
{
	if (e->next == e->end) {
		const int r = fan_events_fill(e, err);

		if (r <= 0)
			return r;
	}
	*ret = e->next++;
	return 1;
}

/* See fan_merge_cut(); once the end was told. */
const struct fan_cut *fan_events_cut(const struct fan_events *e);

/* May be called at any time. */
void fan_events_close(struct fan_events *e);

#endif
