/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why threads waited: every wait, cut by what held the CPU that the thread queued on, as far as
 * was known when the wait ended (or was cut). Booked by account, and folded into groups at the
 * end.
 *
 *  forced idle  a CPU is idle, a sibling runs a thread with a cookie of core scheduling that is not
 *               0, and no thread in the CPU's queue has that cookie. Where no cookie was told yet:
 *               perhaps so, whenever threads wait and a sibling runs. A thread that the recorder
 *               could not ask counts as one with cookie 0. Throttled threads cannot be told from
 *               others at the time: see the next
 *  throttled    no event tells of it. In a sample in which the throttled time of a cgroup rises by
 *               D, each of its accounts has up to D x (its threads that waited) of throttled waits
 *
 * A CPU's past is kept for its last 256 changes, or half of them. Who has waited for longer is
 * booked when they are let go of; of a wait that is found out only afterwards (a switch-in without
 * a wake-up) what is older is unknown.
 */
#ifndef FAN_MODEL_BLAME_H
#define FAN_MODEL_BLAME_H

#include "analyze/model/blame_row.h"
#include "analyze/model/facts.h"
#include "analyze/model/idle_reason.h"
#include "analyze/model/machine.h"
#include "analyze/model/parties.h"
#include "analyze/model/span.h"
#include "analyze/model/threads.h"
#include "fcap/marker.h"

struct fan_blame;

/*
 * All are borrowed; the machine's spans are to be handed on. only_vms: once some thread is known to
 * be a vCPU, of waits of processes without any only the end is looked into, and the rest is
 * unknown; a flood of them would cost more than all the rest. NULL: no memory.
 */
struct fan_blame *fan_blame_new(struct fan_machine *machine, const struct fan_threads *threads,
				const struct fan_facts *facts, bool only_vms);
void fan_blame_free(struct fan_blame *b);

/*
 * Who competes, borrowed: of them are vCPU threads that were told of but have not waited yet.
 * Before the first span.
 */
void fan_blame_ask(struct fan_blame *b, const struct fan_parties *parties);

/*
 * Take a span of the machine, as it is told: of a CPU that no thread has, of a thread that ran, of
 * one that waited. 0 or -ENOMEM.
 */
int fan_blame_take_cpu(struct fan_blame *b, const struct fan_span *span);
int fan_blame_take_run(struct fan_blame *b, const struct fan_thread *th, uint64_t t0_ns,
		       uint64_t t1_ns);
int fan_blame_take_wait(struct fan_blame *b, const struct fan_thread *th, uint64_t t0_ns,
			uint64_t t1_ns, enum fan_edge begin);

/*
 * Takes a run as above, but only where that is easy: nearly always it follows the last span of its
 * CPU. False: nothing is taken.
 */
bool fan_blame_take_next_run(struct fan_blame *b, const struct fan_thread *th, uint64_t t0_ns,
			     uint64_t t1_ns);

/* This CPU, which has siblings, has changed its occupant; or it idles, and its queue has changed.
 */
void fan_blame_see_cpu(struct fan_blame *b, const struct fan_core_now *now);

/*
 * Takes a line that the facts have just taken: how long a cgroup was throttled, and when the
 * recorder took a sample. 0 or -ENOMEM.
 */
int fan_blame_take_line(struct fan_blame *b, const struct fcap_marker *line, uint64_t ts_ns);

/* To be called after the last line, and before the rows are read. 0 or -ENOMEM. */
int fan_blame_finish(struct fan_blame *b);

/*
 * The waits of an account by holder; NULL: it never waited. They add up to its wait spans, but
 * for what fan_blame_unwoken_ns() says. Belongs to b.
 */
const struct fan_row *fan_blame_row(const struct fan_blame *b, size_t account);

/*
 * Time of the account between a switch-out as sleeping and a switch-in without a wake-up, while
 * the trace had told of no wake-up at all: a wait only if it did so later.
 */
uint64_t fan_blame_unwoken_ns(const struct fan_blame *b, size_t account);

/* Wait time that is unknown since there were too many pairs of waiters and holders. */
uint64_t fan_blame_refused_ns(const struct fan_blame *b);

#endif
