// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/held.h"
#include "analyze/model/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FULL (1 << 20) /* bytes of text */

int fan_held_add(struct fan_held *h, const struct fan_event *ev)
{
	void *events = h->events, *text = h->text;

	if (fan_reserve(&events, h->n, 1, &h->room, sizeof(*h->events)) < 0)
		return -ENOMEM;
	h->events = events;
	if (fan_reserve(&text, h->used, ev->marker.n + 1, &h->text_room, 1) < 0)
		return -ENOMEM;
	h->text = text;
	memcpy(h->text + h->used, ev->marker.p, ev->marker.n);
	h->events[h->n++] = *ev;
	h->used += ev->marker.n;
	return 0;
}

bool fan_held_is_full(const struct fan_held *h)
{
	return h->used >= FULL;
}

bool fan_held_next(struct fan_held *h, uint64_t to_ns, struct fan_event *ret)
{
	if (h->next == h->n || h->events[h->next].ts_ns > to_ns)
		return false;
	*ret = h->events[h->next++];
	ret->marker.p = h->text + h->begin;
	h->begin += ret->marker.n;
	if (h->next == h->n)
		h->next = h->n = h->begin = h->used = 0;
	return true;
}

void fan_held_free(struct fan_held *h)
{
	free(h->events);
	free(h->text);
}
