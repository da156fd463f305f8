// SPDX-License-Identifier: GPL-3.0-or-later
#include "capture/cookies.h"

#include <errno.h>

#include "fcap/core_sched.h"

static int ask_kernel(void *ctx, pid_t tid, uint64_t *ret)
{
	(void)ctx;
	return fcap_core_get(tid, ret);
}

static bool kernel_is_ready(void *ctx)
{
	(void)ctx;
	return fcap_random_is_ready();
}

const struct cap_cookie_source cap_cookies_kernel = { ask_kernel, kernel_is_ready, NULL };

void cap_cookies_open(struct cap_cookies *c, const struct cap_cookie_source *from)
{
	uint64_t unused = 0;
	int r;

	*c = (struct cap_cookies){ .is_off = true };
	if (!from)
		return;
	c->from = *from;
	c->is_ready = from->is_ready(from->ctx);
	r = from->get(from->ctx, 0, &unused);
	c->state = fcap_core_state_of(r, c->is_ready);
	c->is_off = c->state == FCAP_CORE_ABSENT || c->state == FCAP_CORE_NO_SMT;
}

int cap_cookies_get(struct cap_cookies *c, pid_t tid, uint64_t *ret)
{
	uint64_t cookie = 0;
	int r;

	if (c->is_off)
		return -ENODATA;
	/* asked before the cookie is read: a 0 that is read later is none */
	if (!c->is_ready)
		c->is_ready = c->from.is_ready(c->from.ctx);
	r = c->from.get(c->from.ctx, tid, &cookie);
	if (r < 0)
		return r;
	if (cookie == 0 && !c->is_ready)
		return -EAGAIN;
	*ret = cookie;
	return 0;
}
