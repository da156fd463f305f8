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
	size_t n;
	bool is_contended;
};

struct fan_configurations {
	struct fan_configuration **table; /* open addressing, a power of two */
	size_t room, n, members;
	struct fan_configuration **touched; /* those whose ns is not 0 */
	size_t ntouched;
};

/* Makes room for the first. 0 or -ENOMEM; cheap when it is there. */
int fan_configurations_reach(struct fan_configurations *c);

/* NULL: not met yet. */
struct fan_configuration *fan_configurations_find(const struct fan_configurations *c, uint64_t key);

/* A new one with room for n shares; its key is not there yet. NULL: no memory. */
struct fan_configuration *fan_configurations_add(struct fan_configurations *c, uint64_t key,
						 size_t n);

/* There are so many that no more should be added. */
bool fan_configurations_are_many(const struct fan_configurations *c);

/* It was in force for so long, above 0. */
static inline void fan_configuration_lasts(struct fan_configurations *c,
					   struct fan_configuration *one, uint64_t ns)
{
	if (one->ns == 0)
		c->touched[c->ntouched++] = one;
	one->ns += ns;
}

/* Forgets all of them; the room stays. */
void fan_configurations_drop(struct fan_configurations *c);
void fan_configurations_free(struct fan_configurations *c);

#endif
