// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/path_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a with 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t hash_of(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 0x100000001b3ULL;
	return hash;
}

/* The slot of this path, or the free one where it would be; there is room. */
static struct fan_path_slot *slot_of(const struct fan_path_index *x, const char *path,
				     uint64_t hash)
{
	size_t i = hash & (x->room - 1);

	while (x->slots[i].path &&
	       (x->slots[i].hash != hash || strcmp(x->slots[i].path, path) != 0))
		i = (i + 1) & (x->room - 1);
	return &x->slots[i];
}

int32_t fan_path_find(const struct fan_path_index *x, const char *path)
{
	const struct fan_path_slot *s = x->n ? slot_of(x, path, hash_of(path)) : NULL;

	return s && s->path ? s->number : -1;
}

/* Twice the room. 0 or -ENOMEM. */
static int grow(struct fan_path_index *x)
{
	struct fan_path_index wide = { .room = x->room ? 2 * x->room : 64, .n = x->n };

	wide.slots = calloc(wide.room, sizeof(*wide.slots));
	if (!wide.slots)
		return -ENOMEM;
	for (size_t i = 0; i < x->room; i++)
		if (x->slots[i].path)
			*slot_of(&wide, x->slots[i].path, x->slots[i].hash) = x->slots[i];
	free(x->slots);
	*x = wide;
	return 0;
}

int fan_path_add(struct fan_path_index *x, const char *path, int32_t number)
{
	const uint64_t hash = hash_of(path);

	/* at most half of it is taken: ways stay short */
	if (2 * (x->n + 1) > x->room && grow(x) < 0)
		return -ENOMEM;
	*slot_of(x, path, hash) = (struct fan_path_slot){ path, hash, number };
	x->n++;
	return 0;
}

void fan_path_clear(struct fan_path_index *x)
{
	free(x->slots);
	*x = (struct fan_path_index){ 0 };
}
