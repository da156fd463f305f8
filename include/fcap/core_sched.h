/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Core scheduling cookies by prctl(2), Linux 5.14 or later: threads with the same cookie may run
 * on one core at the same time, others not. A cookie is a hash: only whether two are equal, and
 * whether one is 0 (none), means anything. fork, clone and exec keep it.
 */
#ifndef FCAP_CORE_SCHED_H
#define FCAP_CORE_SCHED_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/types.h>

#include "fcap/core_state.h"
#include "fcap/err.h"

/* of linux/prctl.h since 5.14; given here for older headers */
#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE		 62
#define PR_SCHED_CORE_GET	 0
#define PR_SCHED_CORE_CREATE	 1
#define PR_SCHED_CORE_SHARE_TO	 2
#define PR_SCHED_CORE_SHARE_FROM 3
#endif

/* Whom a call is about; the numbers are the kernel's. */
enum fcap_core_scope { FCAP_CORE_THREAD, FCAP_CORE_PROCESS, FCAP_CORE_PGRP };

/* One of the four commands. pid 0: the caller. 0, or negative errno: see fcap_core_refuse(). */
static inline int fcap_core_call(unsigned long command, pid_t pid, enum fcap_core_scope scope,
				 uint64_t *cookie)
{
	if (prctl(PR_SCHED_CORE, command, (unsigned long)pid, (unsigned long)scope,
		  (unsigned long)(uintptr_t)cookie) < 0)
		return -errno;
	return 0;
}

/* The cookie of one thread. It reads as 0 while the random generator is not ready, too. */
static inline int fcap_core_get(pid_t tid, uint64_t *ret)
{
	return fcap_core_call(PR_SCHED_CORE_GET, tid, FCAP_CORE_THREAD, ret);
}

/* Gives all that scope takes in one new cookie. */
static inline int fcap_core_create(pid_t pid, enum fcap_core_scope scope)
{
	return fcap_core_call(PR_SCHED_CORE_CREATE, pid, scope, NULL);
}

/* Gives the calling thread's cookie (or none, if it has none) to all that scope takes in. */
static inline int fcap_core_share_to(pid_t pid, enum fcap_core_scope scope)
{
	return fcap_core_call(PR_SCHED_CORE_SHARE_TO, pid, scope, NULL);
}

/* Gives a thread's cookie (or none, if it has none) to the calling thread. */
static inline int fcap_core_share_from(pid_t tid)
{
	return fcap_core_call(PR_SCHED_CORE_SHARE_FROM, tid, FCAP_CORE_THREAD, NULL);
}

/* Why the kernel refused with this errno (positive or negative). */
static inline const char *fcap_core_reason(int code)
{
	switch (code < 0 ? -code : code) {
	case EINVAL:
		return "this kernel has no core scheduling: it is older than Linux 5.14, or built "
		       "without CONFIG_SCHED_CORE, as Debian's are";
	case ENODEV:
		return "no SMT is active, so that no two CPUs share a core; see "
		       "/sys/devices/system/cpu/smt/control";
	case EPERM:
		return "no permission: it takes ptrace access to the thread (the same user, or "
		       "CAP_SYS_PTRACE), and no seccomp filter against the prctl call";
	case ESRCH:
		return "no such process or thread";
	default:
		return strerror(code < 0 ? -code : code);
	}
}

/* The error of one of the calls above as "what: reason". Its code, negative. */
static inline int fcap_core_refuse(struct fcap_err *err, int code, const char *what)
{
	return fcap_fail(err, code < 0 ? -code : code, "%s: %s", what, fcap_core_reason(code));
}

/* True once the kernel's random generator is ready, for good: only then cookies can be read. */
static inline bool fcap_random_is_ready(void)
{
	char byte;

	return getrandom(&byte, sizeof(byte), GRND_NONBLOCK) >= 0 || errno != EAGAIN;
}

/* What it means that reading one's own cookie gave this errno (or 0), negative or not. */
static inline enum fcap_core_state fcap_core_state_of(int code, bool random_is_ready)
{
	switch (code < 0 ? -code : code) {
	case 0:
		return random_is_ready ? FCAP_CORE_READABLE : FCAP_CORE_NOT_READY;
	case EINVAL:
		return FCAP_CORE_ABSENT;
	case ENODEV:
		return FCAP_CORE_NO_SMT;
	default:
		return FCAP_CORE_UNKNOWN;
	}
}

#endif
