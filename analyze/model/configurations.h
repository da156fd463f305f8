/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configurations of demand.h that were met, each with its outcome, what is allotted in it. Many
 * have the same one (nobody gets more for a third thread than for two): that is found once, and
 * only outcomes are timed.
 */
#ifndef FAN_MODEL_CONFIGURATIONS_H
#define FAN_MODEL_CONFIGURATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAN_CONFIGURATIONS_ROOM 8192 /* of the index: a power of two */

struct fan_allotment {
	int32_t account;
	uint64_t cpus; /* 2^-32 */
};

struct fan_outcome {
	uint64_t ns; /* how long it was in force since it was last asked */
	struct fan_allotment *shares;
	uint32_t n;
	bool is_contended;
	uint16_t next; /* of the same chain: number + 1, or 0 */
};

struct fan_configuration {
	uint64_t key;
	struct fan_outcome *outcome;
};

/* Small and dense, to stay in the nearest cache: the index is asked at every other event. */
struct fan_configurations {
	uint16_t *index; /* open addressing: number + 1, or 0 */
	struct fan_configuration *items;
	size_t n, members;
	struct fan_outcome *outcomes; /* they stay where they are until all are dropped */
	size_t noutcomes;
	uint16_t *chains;	      /* of outcomes, by a hash: number + 1, or 0 */
	struct fan_outcome **touched; /* those whose ns is not 0, and room for one more */
	size_t ntouched;
};

/* Makes room for all there may be. 0 or -ENOMEM. */
int fan_configurations_init(struct fan_configurations *c);

/* The place of this key in the index. */
static inline size_t fan_configurations_slot(const struct fan_configurations *c, uint64_t key)
{
	size_t i = key & (FAN_CONFIGURATIONS_ROOM - 1);

	while (c->index[i] && c->items[c->index[i] - 1].key != key)
		i = (i + 1) & (FAN_CONFIGURATIONS_ROOM - 1);
	return i;
}

/* The outcome of the configuration with this key; NULL: not met yet. */
static inline struct fan_outcome *fan_configurations_find(const struct fan_configurations *c,
							  uint64_t key)
{
	const uint16_t number = c->index[fan_configurations_slot(c, key)];

	return number ? c->items[number - 1].outcome : NULL;
}

/*
 * A new one, that comes out as wanted: n, shares and is_contended count, and shares stays the
 * caller's. NULL: no memory.
 */
struct fan_outcome *fan_configurations_add(struct fan_configurations *c, uint64_t key,
					   const struct fan_outcome *wanted);

/* There are so many that no more may be added. */
bool fan_configurations_are_many(const struct fan_configurations *c);

/* It was in force for so long, above 0. */
static inline void fan_outcome_lasts(struct fan_configurations *c, struct fan_outcome *one,
				     uint64_t ns)
{
	/* no branch, as it could not be predicted */
	c->touched[c->ntouched] = one;
	c->ntouched += one->ns == 0;
	one->ns += ns;
}

/* Forgets all of them; the room stays. */
void fan_configurations_drop(struct fan_configurations *c);
void fan_configurations_free(struct fan_configurations *c);

#endif
