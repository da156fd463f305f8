/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One tracefs instance of our own, never the top one: made switched off, removed on close. It is
 * known as ours by the lock that we hold on its folder; what other recordings left behind when
 * they were killed is removed on open.
 */
#ifndef CAP_SESSION_H
#define CAP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include <tracefs.h>

#include "capture/plan.h"
#include "fcap/err.h"

struct cap_session;

/* Makes the instance. *ret_mounted: tracefs had to be mounted. 0, or negative errno. */
int cap_session_open(struct cap_session **ret, bool *ret_mounted, struct fcap_err *err);

/* Removes the instances that killed recordings left behind, where tracefs is mounted. */
void cap_session_remove_stale(void);

/* The text of available_events, for the caller to free; NULL: cannot be read. */
char *cap_session_available(void);

/* Clock, buffers (bytes per CPU), events. Tracing stays off. 0, or negative errno. */
int cap_session_setup(struct cap_session *s, const struct cap_plan *plan, uint64_t buffer_bytes,
		      struct fcap_err *err);

/*
 * From now on only events of this thread, of what it forks, and of further threads given here are
 * recorded; of sched_switch, those that one of them is part of. A thread that has ended is no
 * error. 0, or negative errno with a sentence.
 */
int cap_session_follow(const struct cap_session *s, pid_t tid, struct fcap_err *err);

int cap_session_on(struct cap_session *s, struct fcap_err *err);
int cap_session_off(struct cap_session *s, struct fcap_err *err);

/* One more than the highest number of a CPU with a buffer. 0 is never returned. */
unsigned int cap_session_ncpu(const struct cap_session *s);

/* The raw pages of one CPU, nonblocking: descriptor for the caller to close; negative errno. */
int cap_session_cpu_open(const struct cap_session *s, unsigned int cpu);

/* A file of the instance as a string for the caller to free; NULL: cannot be read. */
char *cap_session_read(const struct cap_session *s, const char *file, size_t *ret_len);

/* The format of one event, likewise. */
char *cap_session_format(const struct cap_session *s, const char *system, const char *event,
			 size_t *ret_len);

/* The kernel's table of thread names, likewise. */
char *cap_session_saved_names(const struct cap_session *s);

/*
 * Removes the instance. Who has one of its files open keeps it: negative errno with a sentence;
 * the next recording removes it.
 */
int cap_session_close(struct cap_session *s, struct fcap_err *err);

#endif
