/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a demand, for demand.c and stakes.c only. */
#ifndef FAN_MODEL_DEMAND_PARTS_H
#define FAN_MODEL_DEMAND_PARTS_H

#include "analyze/model/configurations.h"
#include "analyze/model/demand.h"

struct fan_demand_parts {
	const struct fan_model *m;
	struct fan_allocator allocator;
	struct fan_parties *parties;
	uint64_t from, to, since; /* counted from, up to; as it is now since */
	uint64_t idle_since;
	uint64_t key;
	struct fan_configurations met;
	struct fan_configuration *current; /* that of key; NULL: not looked up yet */
	uint64_t changes, asked;
	bool is_averaged;   /* from the first time on that there are too many */
	uint64_t tick;	    /* averaged: begin of the one that is being added up */
	int32_t *stand_ins; /* by party: the first of its list, or -1 */
	size_t nstand_ins;
	/* scratch for one configuration */
	struct fan_member *scratch;
	uint64_t *cpus;
	size_t scratch_room;
};

/* Room for the stake of this account. 0 or -ENOMEM. */
int fan_stake_reach(struct fan_demand *d, int32_t account);

/* The account is of this party, or of none (-1), from now on: the time up to which all is settled.
 * 0 or -ENOMEM. */
int fan_stake_enter(struct fan_demand *d, int32_t account, int32_t party);

#endif
