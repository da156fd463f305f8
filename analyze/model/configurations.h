/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configurations of demand.h that were met, with what is allotted in each. */
#ifndef FAN_MODEL_CONFIGURATIONS_H
#define FAN_MODEL_CONFIGURATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fan_allotment {
	int32_t account;
	uint64_t cpus; /* 2^-32 */
};

struct fan_configuration {
	uint64_t key;
	uint64_t ns; /* how long it was in force since it was last asked */
	struct fan_allotment *shares;
	uint32_t n;
	bool is_contended;
};

/* Small and dense, to stay in the nearest cache: the index is asked at every other event. */
struct fan_configurations {
	uint16_t *index; /* open addressing, a power of two: number + 1, or 0 */
	size_t room;
	struct fan_configuration *items;
	size_t n, members;
	uint16_t *touched; /* numbers of those whose ns is not 0, and room for one more */
	size_t ntouched;
};

/* Makes room for all there may be. 0 or -ENOMEM. */
int fan_configurations_reach(struct fan_configurations *c);

/* The place of this key in the index. */
static inline size_t fan_configurations_slot(const struct fan_configurations *c, uint64_t key)
{
	size_t i = key & (c->room - 1);

	while (c->index[i] && c->items[c->index[i] - 1].key != key)
		i = (i + 1) & (c->room - 1);
	return i;
}

/* The configuration with this key; NULL: not met yet. */
static inline struct fan_configuration *fan_configurations_find(const struct fan_configurations *c,
								uint64_t key)
{
	const uint16_t number = c->index[fan_configurations_slot(c, key)];

	return number ? &c->items[number - 1] : NULL;
}

/* A new one with room for n shares, that stays where it is until all are dropped. NULL: no memory.
 */
struct fan_configuration *fan_configurations_add(struct fan_configurations *c, uint64_t key,
						 size_t n);

/* There are so many that no more may be added. */
bool fan_configurations_are_many(const struct fan_configurations *c);

/* It was in force for so long, above 0. */
static inline void fan_configuration_lasts(struct fan_configurations *c,
					   struct fan_configuration *one, uint64_t ns)
{
	/* no branch, as it could not be predicted */
	c->touched[c->ntouched] = (uint16_t)(one - c->items);
	c->ntouched += one->ns == 0;
	one->ns += ns;
}

/* Forgets all of them; the room stays. */
void fan_configurations_drop(struct fan_configurations *c);
void fan_configurations_free(struct fan_configurations *c);

#endif
