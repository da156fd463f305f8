/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is allotted, and how it becomes due; for demand.c only. */
#ifndef FAN_MODEL_DUE_H
#define FAN_MODEL_DUE_H

#include "analyze/model/demand.h"

/* Has what is runnable now allotted CPUs: a new configuration. 0 or negative errno. */
int fan_due_ask(struct fan_demand *d);

/* How long each outcome lasted becomes due. */
void fan_due_fold(struct fan_demand *d);

/* Averaged: the time since the last tick is one configuration of mean numbers. As fan_due_ask(). */
int fan_due_average(struct fan_demand *d);

/* Averaged: the account had as many runnable threads as now up to since. */
static inline void fan_due_settle_area(const struct fan_demand *d, struct fan_stake *s)
{
	if (s->counted >= d->since)
		return;
	s->area += s->runnable * (d->since - s->counted);
	s->present += s->runnable ? d->since - s->counted : 0;
	s->counted = d->since;
}

#endif
