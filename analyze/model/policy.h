/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduling policies, as far as they decide about who goes before whom. */
#ifndef FAN_MODEL_POLICY_H
#define FAN_MODEL_POLICY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum fan_policy {
	FAN_POLICY_UNTOLD,
	FAN_POLICY_FAIR,     /* SCHED_OTHER, SCHED_BATCH, SCHED_EXT */
	FAN_POLICY_IDLE,     /* SCHED_IDLE: weighs 3, whatever its nice value */
	FAN_POLICY_REALTIME, /* SCHED_FIFO, SCHED_RR, SCHED_DEADLINE: before any weight */
};

/* Beyond 19: how a thread of SCHED_IDLE competes. */
#define FAN_NICE_IDLE 20
/* Before -20, and counted as that: no weight is high enough for what a real-time thread gets. */
#define FAN_NICE_REALTIME (-21)

/* A word of the policy key of task lines; UNTOLD for NULL and words that are not known. */
static inline enum fan_policy fan_policy_named(const char *word)
{
	static const struct {
		const char *word;
		enum fan_policy policy;
	} known[] = {
		{ "other", FAN_POLICY_FAIR },	     { "batch", FAN_POLICY_FAIR },
		{ "ext", FAN_POLICY_FAIR },	     { "idle", FAN_POLICY_IDLE },
		{ "fifo", FAN_POLICY_REALTIME },     { "rr", FAN_POLICY_REALTIME },
		{ "deadline", FAN_POLICY_REALTIME },
	};

	for (size_t i = 0; word && i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].word, word) == 0)
			return known[i].policy;
	return FAN_POLICY_UNTOLD;
}

/* The nice value by which a thread competes. */
static inline int32_t fan_policy_nice(enum fan_policy policy, int32_t nice)
{
	if (policy == FAN_POLICY_IDLE)
		return FAN_NICE_IDLE;
	return policy == FAN_POLICY_REALTIME ? FAN_NICE_REALTIME : nice;
}

#endif
