// SPDX-License-Identifier: GPL-3.0-or-later
/* Threads that no fork shows. */
#include "capture/scope.h"

#include <string.h>

bool cap_scope_is_kernel_made(const char *comm)
{
	static const char *const prefix[] = { "vhost-", "kvm-pit/", "kvm-nx-lpage-", "iou-" };

	for (size_t i = 0; i < sizeof(prefix) / sizeof(prefix[0]); i++)
		if (strncmp(comm, prefix[i], strlen(prefix[i])) == 0)
			return true;
	return false;
}

void cap_scope_found(void *ctx, const struct cap_task *t)
{
	const struct cap_scope *s = ctx;
	struct cap_emit e;

	if (!cap_scope_is_kernel_made(t->comm) || cap_session_follow(s->session, t->tid, NULL) < 0)
		return;
	cap_emit_begin(&e, s->to, "scope");
	cap_emit_i64(&e, "tid", t->tid);
	cap_emit_identity(&e);
	(void)cap_emit_end(&e); /* an error of the sink sticks there */
}
