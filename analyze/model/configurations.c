// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/configurations.h"

#include <errno.h>
#include <stdlib.h>

#define MANY	4096
#define MEMBERS (1 << 18) /* of all of them: 4 MiB */
#define ROOM	(4 * MANY)

int fan_configurations_reach(struct fan_configurations *c)
{
	if (c->table)
		return 0;
	c->touched = calloc(MANY, sizeof(struct fan_configuration *));
	c->table = calloc(ROOM, sizeof(struct fan_configuration *));
	if (!c->table || !c->touched)
		return -ENOMEM;
	c->room = ROOM;
	return 0;
}

static size_t slot_of(const struct fan_configurations *c, uint64_t key)
{
	size_t i = key & (c->room - 1);

	while (c->table[i] && c->table[i]->key != key)
		i = (i + 1) & (c->room - 1);
	return i;
}

struct fan_configuration *fan_configurations_find(const struct fan_configurations *c, uint64_t key)
{
	return c->table[slot_of(c, key)];
}

struct fan_configuration *fan_configurations_add(struct fan_configurations *c, uint64_t key,
						 size_t n)
{
	struct fan_configuration *one = calloc(1, sizeof(*one));

	if (!one)
		return NULL;
	one->key = key;
	one->n = n;
	one->shares = calloc(n + 1, sizeof(*one->shares));
	if (!one->shares) {
		free(one);
		return NULL;
	}
	c->table[slot_of(c, key)] = one;
	c->n++;
	c->members += n;
	return one;
}

bool fan_configurations_are_many(const struct fan_configurations *c)
{
	return c->n >= MANY || c->members >= MEMBERS;
}

void fan_configurations_drop(struct fan_configurations *c)
{
	for (size_t i = 0; c->n && i < c->room; i++) {
		if (c->table[i])
			free(c->table[i]->shares);
		free(c->table[i]);
		c->table[i] = NULL;
	}
	c->n = c->members = c->ntouched = 0;
}

void fan_configurations_free(struct fan_configurations *c)
{
	fan_configurations_drop(c);
	free(c->table);
	free(c->touched);
}
