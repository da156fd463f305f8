/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A queue of items of one size in one array. All 0 is empty. */
#ifndef FAN_MODEL_FIFO_H
#define FAN_MODEL_FIFO_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/room.h"

struct fan_fifo {
	void *items;
	size_t first, n, room; /* items in use are first to first + n - 1 */
};

/* Room behind the last item, where there is none: what has left makes room, if it is enough. */
static __attribute__((noinline, unused)) int fan_fifo_make_room(struct fan_fifo *f, size_t size)
{
	if (f->first > 0 && f->first >= f->n) {
		memmove(f->items, (char *)f->items + f->first * size, f->n * size);
		f->first = 0;
	}
	return fan_reserve(&f->items, f->first + f->n, 1, &f->room, size);
}

/* A new last item, not filled; NULL: no memory, and nothing has changed. */
static inline void *fan_fifo_push(struct fan_fifo *f, size_t size)
{
	if (f->first + f->n == f->room && fan_fifo_make_room(f, size) < 0)
		return NULL;
	return (char *)f->items + (f->first + f->n++) * size;
}

/* The i-th of those in the queue. */
static inline void *fan_fifo_at(const struct fan_fifo *f, size_t i, size_t size)
{
	return (char *)f->items + (f->first + i) * size;
}

/* The first ones leave, so many. */
static inline void fan_fifo_drop(struct fan_fifo *f, size_t many)
{
	f->n -= many;
	f->first = f->n ? f->first + many : 0;
}

#endif
