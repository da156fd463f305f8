/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Core scheduling cookies of threads, from the kernel or, in tests, from somebody who stands in
 * for it. Knows when a 0 is no answer, and when asking is of no use.
 */
#ifndef CAP_COOKIES_H
#define CAP_COOKIES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fcap/core_state.h"

struct cap_cookie_source {
	/* The cookie of a thread, 0 for none; tid 0: the caller. 0, or negative errno. */
	int (*get)(void *ctx, pid_t tid, uint64_t *ret);
	/* True once the random generator is ready: until then every cookie reads as 0. */
	bool (*is_ready)(void *ctx);
	void *ctx;
};

/* The kernel that this runs on. */
extern const struct cap_cookie_source cap_cookies_kernel;

struct cap_cookies {
	struct cap_cookie_source from;
	enum fcap_core_state state; /* when it was opened */
	bool is_off, is_ready;
};

/* Asks for the caller's own cookie to find the state. from NULL: there are none to be read. */
void cap_cookies_open(struct cap_cookies *c, const struct cap_cookie_source *from);

/*
 * 0; -EAGAIN: not readable yet; -ENODATA: this kernel has none; other negative errno: not of this
 * thread.
 */
int cap_cookies_get(struct cap_cookies *c, pid_t tid, uint64_t *ret);

#endif
