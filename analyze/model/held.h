/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marker lines of the second buffer, kept back until an event shows that the trace goes on: lines
 * that come when tracing has ended must not lengthen it.
 */
#ifndef FAN_MODEL_HELD_H
#define FAN_MODEL_HELD_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/trace/event.h"

struct fan_held {
	struct fan_event *events; /* their text is in text */
	size_t n, next, room;
	char *text;
	size_t begin, used, text_room; /* begin: of the next one's */
};

/* Copies a marker event. 0 or -ENOMEM. */
int fan_held_add(struct fan_held *h, const struct fan_event *ev);

/* There are so many that they had better be taken. */
bool fan_held_is_full(const struct fan_held *h);

/* The next one up to this time, in *ret until the next add; when there is none left at all the
 * list is empty again. false: none. */
bool fan_held_next(struct fan_held *h, uint64_t to_ns, struct fan_event *ret);

void fan_held_free(struct fan_held *h);

#endif
