/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where threads are thousands, what an event needs of them is in no cache near by: it is fetched
 * while the events before it are followed. Changes nothing but time.
 */
#ifndef FAN_MODEL_EXPECT_H
#define FAN_MODEL_EXPECT_H

#include "analyze/model/threads.h"
#include "analyze/trace/event.h"

#define FAN_EXPECT_THREADS 1000 /* fewer stay in the cache */
#define FAN_EXPECT_FAR	   16	/* events from now on: the thread */
#define FAN_EXPECT_NEAR	   6	/* what the thread points to */
#define FAN_EXPECT_BYTES   320	/* of a thread, that a switch looks at */

static inline void fan_expect_thread(const struct fan_threads *t, int32_t tid)
{
	const char *th = (const char *)fan_threads_of_tid(t, tid);

	for (int i = 0; th && i < FAN_EXPECT_BYTES; i += 64)
		__builtin_prefetch(th + i, 1);
}

/* Is it worth while? */
static inline bool fan_expects(const struct fan_threads *t)
{
	return t->nthreads >= FAN_EXPECT_THREADS;
}

/* This event is about to be followed; behind it, up to end, are those that were read with it. */
static inline void fan_expect(const struct fan_threads *t, const struct fan_event *next,
			      const struct fan_event *end)
{
	const struct fan_event *far, *near;
	const struct fan_thread *th;

	if (end - next <= FAN_EXPECT_FAR + 1)
		return;
	far = next + FAN_EXPECT_FAR;
	near = next + FAN_EXPECT_NEAR;
	if (far->kind == FAN_EV_SWITCH) {
		fan_expect_thread(t, far->sw.prev_tid);
		fan_expect_thread(t, far->sw.next_tid);
	} else if (far->kind <= FAN_EV_WAKING) {
		fan_expect_thread(t, far->wakeup.tid);
	}
	th = near->kind == FAN_EV_SWITCH ? fan_threads_of_tid(t, near->sw.next_tid) : NULL;
	if (th && th->state == FAN_ST_WAIT)
		fan_hist_expect(&th->waits, near->ts_ns - th->waited_from);
}

#endif
