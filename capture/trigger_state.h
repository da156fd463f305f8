/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What marker lines have said so far, as a reader of all of them would know it: of each thing the
 * last value of each key. Lines about a moment alone (counters, work) are no part of it.
 */
#ifndef CAP_TRIGGER_STATE_H
#define CAP_TRIGGER_STATE_H

#include <stdbool.h>

#include "capture/emit.h"
#include "capture/tasks.h"

struct cap_state;

struct cap_state *cap_state_new(void); /* NULL: out of memory */

/* True: the line tells of a moment, and nothing that holds on. */
bool cap_state_is_moment(const char *text);

/* Takes a line; passes over one of a moment, or that is none of fcap's. 0 or -ENOMEM. */
int cap_state_take(struct cap_state *s, const char *text);

/* Says it all, things in the order in which they were first told of. 0, or the sink's error. */
int cap_state_tell(const struct cap_state *s, struct cap_sink to);

/* Forgets threads, and VMs, that have not been among the tasks for this long, as of now. */
void cap_state_forget(struct cap_state *s, const struct cap_tasks *tasks, uint64_t now_ns,
		      uint64_t keep_ns);

void cap_state_free(struct cap_state *s);

#endif
