/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which accounts take part in the contest, and for whom; for demand.c only. */
#ifndef FAN_MODEL_STAKES_H
#define FAN_MODEL_STAKES_H

#include "analyze/model/demand.h"

/* Room for the stake of this account. 0 or -ENOMEM. */
int fan_stake_reach(struct fan_demand *d, int32_t account);

/* The account is of this party, or of none (-1), since the time up to which all is settled. As
 * above.
 */
int fan_stake_enter(struct fan_demand *d, int32_t account, int32_t party);

/* It has runnable threads. */
static inline void fan_stake_wake(struct fan_demand *d, int32_t account)
{
	/* there is room for all */
	if (!d->stakes[account].is_active) {
		d->active[d->nactive++] = account;
		d->stakes[account].is_active = true;
	}
}

#endif
