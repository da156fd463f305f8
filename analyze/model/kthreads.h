/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads are the kernel's own. */
#ifndef FAN_MODEL_KTHREADS_H
#define FAN_MODEL_KTHREADS_H

#include <stdbool.h>

#include "analyze/model/facts.h"
#include "analyze/model/threads.h"

/*
 * kthreadd (tid 2) and those that it forked; those that a task line calls so; and, where a thread's
 * birth was not seen, those that bear the usual names. Threads that work for one VM (vhost) are
 * asked for by their party first.
 */
bool fan_is_kthread(const struct fan_thread *th, const struct fan_task_fact *task);

#endif
