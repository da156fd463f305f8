/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU time that core scheduling kept idle: a CPU is idle, threads wait in its queue, a sibling runs
 * a thread with a cookie that is not 0, and none of those who wait has that cookie. Where no cookie
 * is known: whenever threads wait and a sibling runs, which on a host without core scheduling is
 * wake-up latency: an upper bound. The condition is that of the kernel's own counter
 * (kernel/sched/core_sched.c, __sched_core_account_forceidle()); so is who caused it: the siblings
 * that run, in equal parts.
 *
 * It is booked as it is seen. Where a gap or loss shows that nobody knows what a CPU did since its
 * last event, what was booked since then for its core is taken back (at most 256 bookings,
 * one a party and change). What a CPU ran before its first event, and that a thread elsewhere did
 * not wait all the time, is not followed up; what a marker line tells counts from the core's next
 * change on.
 */
#ifndef FAN_MODEL_FORCED_IDLE_H
#define FAN_MODEL_FORCED_IDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/cores.h"
#include "analyze/model/facts.h"
#include "analyze/model/idle_reason.h"
#include "analyze/model/machine.h"
#include "analyze/model/parties.h"
#include "analyze/model/timeline.h"

#define FAN_FORCED_PARTS 840 /* of a ns: divisible by 1 to 8 running siblings */

struct fan_forced_party {
	uint64_t caused;      /* in 1/FAN_FORCED_PARTS ns of CPU time */
	uint64_t sampled;     /* of caused: between the first and the last sample of its threads */
	uint64_t suffered_ns; /* CPU time with a waiter of this party; of several, of each */
};

struct fan_forced_idle;

/* All are borrowed. NULL: no memory. */
struct fan_forced_idle *fan_forced_idle_new(const struct fan_machine *machine,
					    const struct fan_threads *threads,
					    const struct fan_facts *facts,
					    const struct fan_cores *cores,
					    const struct fan_parties *parties);
void fan_forced_idle_free(struct fan_forced_idle *f);

/* Only time from from_ns to to_ns counts. Before the first event. */
void fan_forced_idle_clip(struct fan_forced_idle *f, uint64_t from_ns, uint64_t to_ns);

/* What is booked is told to t, which is borrowed, by CPU. Before the first event. */
void fan_forced_idle_show(struct fan_forced_idle *f, struct fan_timeline *t);

/* This CPU, which has siblings, has changed its occupant; or it idles, and its queue has changed.
 */
void fan_forced_idle_see_cpu(struct fan_forced_idle *f, const struct fan_core_now *now);

/*
 * The kernel's own counter of what this thread caused was read at now_ns, up to which all events
 * have been told: so that the two are compared over the same time.
 */
void fan_forced_idle_sample(struct fan_forced_idle *f, int32_t thread, uint64_t now_ns);

/* Books what goes on up to end_ns. To be called once. 0; -ENOMEM, also of what was before. */
int fan_forced_idle_finish(struct fan_forced_idle *f, uint64_t end_ns);

/* --- after that --- */

/* CPU time of a core, as numbered in the cores; and of all. */
uint64_t fan_forced_idle_core_ns(const struct fan_forced_idle *f, size_t core);
uint64_t fan_forced_idle_ns(const struct fan_forced_idle *f);

/*
 * What is caused by threads of no party, in the same unit, adds up with the parties' to the sum of
 * all.
 */
struct fan_forced_party fan_forced_idle_party(const struct fan_forced_idle *f, int32_t party);
uint64_t fan_forced_idle_caused_by_none(const struct fan_forced_idle *f);

/* CPU time with a waiter of any party: no more than the sum of the parties'. */
uint64_t fan_forced_idle_suffered_ns(const struct fan_forced_idle *f);

/*
 * Part of it may be something else: cookies were not known some of the time (wake-up latency), or
 * a cgroup was throttled of which threads waited for idle CPUs, or one above it (no event tells
 * when: they may not have been able to run).
 */
bool fan_forced_idle_is_bound(const struct fan_forced_idle *f);

#endif
