/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marker lines of the last time, with the state that older ones left behind: enough for a file
 * that begins at any moment of that time. One thread after the other may use it.
 */
#ifndef CAP_TRIGGER_HISTORY_H
#define CAP_TRIGGER_HISTORY_H

#include <stdbool.h>

#include "capture/tasks.h"

struct cap_history;

/* Lines are kept for keep_ns. 0 or -ENOMEM. */
int cap_history_open(struct cap_history **ret, uint64_t keep_ns);

/* Takes a line, stamped now (CLOCK_MONOTONIC); h is a struct cap_history: as a sink's function. */
int cap_history_append(void *h, const char *text);

/* The same with the stamp given: never earlier than the last one. 0, or -ENOMEM, which sticks. */
int cap_history_add(struct cap_history *h, uint64_t ts_ns, const char *text);

/* While it is held nothing becomes too old. */
void cap_history_hold(struct cap_history *h, bool hold);

/* Forgets, some time after they have ended, threads that are not among the tasks any more. */
void cap_history_forget(struct cap_history *h, const struct cap_tasks *tasks, uint64_t now_ns);

/* Takes one line, borrowed for the call. 0, or negative errno. */
typedef int (*cap_history_fn)(void *ctx, uint64_t ts_ns, const char *text);

/*
 * Hands over what a file needs that begins at from_ns, stamps rising: the state that was old
 * already, and all lines since, but of moments before from_ns. 0, or fn's error.
 */
int cap_history_tell(struct cap_history *h, uint64_t from_ns, cap_history_fn fn, void *ctx);

void cap_history_close(struct cap_history *h);

#endif
