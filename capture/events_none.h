/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording without events: counters of threads in marker lines, and what the file needs that
 * tracefs tells otherwise. Needs neither tracefs nor root.
 */
#ifndef CAP_EVENTS_NONE_H
#define CAP_EVENTS_NONE_H

#include <stddef.h>

#include "fcap/err.h"

/*
 * Can counters be read below procfd (/proc)? Tells say what will be missing, if anything is. 0, or
 * -ENOENT with a sentence: this kernel counts no waits.
 */
int cap_none_check(int procfd, void (*say)(const char *text), struct fcap_err *err);

/*
 * The part "head" of such a recording, for the caller to free, see cap_head_collect(): formats as
 * the kernel's on a machine like this, and those of no event but print. 0, or -ENOMEM.
 */
int cap_none_head(char **ret, size_t *ret_len, int level, struct fcap_err *err);

#endif
