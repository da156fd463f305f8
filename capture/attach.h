/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording without a command: of processes and VMs that run already, or for a time. Finds them
 * below a /proc that is given as a descriptor, and tells when the recording is over.
 */
#ifndef CAP_ATTACH_H
#define CAP_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/emit.h"
#include "capture/vmlist.h"
#include "fcap/err.h"

/* What the user asked for; all borrowed. {0}: nothing. */
struct cap_attach_opts {
	uint64_t duration_ns; /* 0: without an end */
	const char *duration; /* as it was given */
	const char *const *vm;
	size_t nvm;
	const pid_t *pid;
	size_t npid;
};

static inline bool cap_attach_is_asked(const struct cap_attach_opts *o)
{
	return o->duration_ns || o->nvm || o->npid;
}

/* A process and no later one of that number. */
struct cap_attached {
	pid_t pid;
	uint64_t start; /* clock ticks since boot */
};

struct cap_attach {
	struct cap_attached *process; /* stays where it is until the close */
	size_t n;
	size_t npid; /* the first ones are those given by number, the others VMs */
};

/*
 * Looks up the processes given by number. 0; -ESRCH with a sentence if one does not exist; -ENOMEM.
 */
int cap_attach_open(struct cap_attach *a, int procfd, const struct cap_attach_opts *opts,
		    struct fcap_err *err);

/*
 * Looks up the VMs given by name, once, among those that are there. 0; -ESRCH with a sentence that
 * names those that are there.
 */
int cap_attach_find_vms(struct cap_attach *a, const struct cap_vmlist *vms,
			const struct cap_attach_opts *opts, struct fcap_err *err);

/* True while the process runs, or any of its threads. */
bool cap_attached_lives(int procfd, const struct cap_attached *p);

/*
 * True: all processes have ended (if any were given), or the time is over. begun_ns, now_ns: of
 * one clock.
 */
bool cap_attach_is_over(const struct cap_attach *a, int procfd, const struct cap_attach_opts *opts,
			uint64_t begun_ns, uint64_t now_ns);

/* For how long, in ms, at most max_ms, nobody needs to ask whether it is over. */
int cap_attach_wait_ms(const struct cap_attach *a, const struct cap_attach_opts *opts,
		       uint64_t begun_ns, uint64_t now_ns, int max_ms);

/* The key "cmd" of a recording without a command: "--vm vm1 --pid 812 --duration 30s". */
int cap_attach_emit(struct cap_emit *e, const struct cap_attach_opts *opts);

void cap_attach_close(struct cap_attach *a);

#endif
