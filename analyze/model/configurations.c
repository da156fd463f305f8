// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/configurations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MANY	4096
#define MEMBERS (1 << 18) /* of all of them: 4 MiB */
#define ROOM	(2 * MANY)

int fan_configurations_reach(struct fan_configurations *c)
{
	c->index = calloc(ROOM, sizeof(*c->index));
	c->items = calloc(MANY, sizeof(*c->items));
	c->touched = calloc(MANY + 1, sizeof(*c->touched));
	if (!c->index || !c->items || !c->touched)
		return -ENOMEM;
	c->room = ROOM;
	return 0;
}

struct fan_configuration *fan_configurations_add(struct fan_configurations *c, uint64_t key,
						 size_t n)
{
	struct fan_configuration *one = &c->items[c->n];

	*one = (struct fan_configuration){ .key = key, .n = (uint32_t)n };
	one->shares = calloc(n + 1, sizeof(*one->shares));
	if (!one->shares)
		return NULL;
	c->n++;
	c->index[fan_configurations_slot(c, key)] = (uint16_t)c->n;
	c->members += n;
	return one;
}

bool fan_configurations_are_many(const struct fan_configurations *c)
{
	return c->n >= MANY || c->members >= MEMBERS;
}

void fan_configurations_drop(struct fan_configurations *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->items[i].shares);
	if (c->n)
		memset(c->index, 0, c->room * sizeof(*c->index));
	c->n = c->members = c->ntouched = 0;
}

void fan_configurations_free(struct fan_configurations *c)
{
	fan_configurations_drop(c);
	free(c->index);
	free(c->items);
	free(c->touched);
}
