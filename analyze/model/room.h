/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of the model that grow. */
#ifndef FAN_MODEL_ROOM_H
#define FAN_MODEL_ROOM_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * Room for more items behind n, which at least doubles when it grows; items is the address of the
 * array's pointer, room that of its length. 0 or -ENOMEM, and then nothing has changed.
 */
static inline int fan_reserve(void **items, size_t n, size_t more, size_t *room, size_t size)
{
	const size_t doubled = *room ? *room * 2 : 16;
	const size_t wanted = doubled > n + more ? doubled : n + more;
	void *grown;

	if (n + more <= *room)
		return 0;
	grown = reallocarray(*items, wanted, size);
	if (!grown)
		return -ENOMEM;
	*items = grown;
	*room = wanted;
	return 0;
}

#endif
