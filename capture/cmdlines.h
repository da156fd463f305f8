/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of thread names for the trace file. */
#ifndef CAP_CMDLINES_H
#define CAP_CMDLINES_H

#include <stddef.h>

#include "capture/tasks.h"

/*
 * Lines "TID COMM", one a thread, sorted: the kernel's saved_cmdlines (NULL: none), over them
 * the threads that the sampler knows, and we ourselves. The caller frees *ret. 0, or -ENOMEM.
 */
int cap_cmdlines_build(const char *saved, const struct cap_tasks *tasks, int self, char **ret,
		       size_t *ret_len);

#endif
