/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --scope command: which threads the kernel's filter has to be told of. */
#ifndef CAP_SCOPE_H
#define CAP_SCOPE_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/emit.h"
#include "capture/session.h"
#include "capture/tasks.h"
#include "fcap/err.h"

struct cap_scope {
	const struct cap_session *session;
	struct cap_sink to;
};

/*
 * The kernel follows forks by itself, but not the threads that it makes for a process: vhost and
 * kvm workers, those of io_uring. True for the names that these have.
 */
bool cap_scope_is_kernel_made(const char *comm);

/*
 * For struct cap_sampler_conf, ctx is a struct cap_scope: adds such a thread to the filter, and
 * says so by a line "scope tid=", from which on its events are complete. Errors are passed over:
 * without the line nobody relies on them.
 */
void cap_scope_found(void *ctx, const struct cap_task *t);

#endif
