/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording without events: counters of threads in marker lines, and what the file needs that
 * tracefs tells otherwise. Needs neither tracefs nor root.
 */
#ifndef CAP_EVENTS_NONE_H
#define CAP_EVENTS_NONE_H

#include "capture/marks.h"
#include "capture/tasks.h"
#include "capture/tracedat_write.h"
#include "fcap/err.h"

/*
 * Can counters be read below procfd (/proc)? Tells say what will be missing, if anything is. 0, or
 * -ENOENT with a sentence: this kernel counts no waits.
 */
int cap_none_check(int procfd, void (*say)(const char *text), struct fcap_err *err);

/* The layout of our own pages and print records: the kernel's on a machine like this. 0 or error.
 */
int cap_none_layout(struct cap_marks_layout *ret, struct fcap_err *err);

/* Writes the whole file to fd: an empty main buffer, and marks in CPU 0 of the second one. */
int cap_none_assemble(int fd, const struct cap_tasks *tasks, const struct cap_dat_cpu *marks,
		      struct fcap_err *err);

#endif
