/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workload: started behind a gate, given the signals that reach us, and cleared away with
 * all its descendants at the end. Prints nothing; never kills what it did not start.
 */
#ifndef CAP_CHILD_H
#define CAP_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "capture/procfs.h"
#include "fcap/err.h"

struct cap_child {
	pid_t pid;		/* -1: none, or reaped */
	int gate, outcome;	/* write end of the gate; read end of what became of exec */
	struct cap_ids foreign; /* children that we had before: a shell that became us left them */
};

/* What the workload gets back as it was before we changed it for ourselves. */
struct cap_child_env {
	const sigset_t *mask;
	const struct rlimit *nofile;
	int report_fd; /* stays open in the workload, its number in $FCAP_FD; -1: none */
	/* "KEY=VALUE"; in the workload $FCAP_LABEL_KEY, with '_' for what no shell name can hold */
	const char *const *label;
	size_t nlabel;
};

/* Forks; the child waits at the gate. 0, or negative errno. */
int cap_child_spawn(struct cap_child *c, char *const argv[], const struct cap_child_env *env,
		    struct fcap_err *err);

/* Opens the gate. 0, or the negative errno of exec: then the child is gone. */
int cap_child_release(struct cap_child *c);

/*
 * Reaps ended descendants that are not the workload itself. True: the workload has ended; it
 * is left unreaped, so that its counters can be read. *ret_status as a shell gives it.
 */
bool cap_child_has_ended(const struct cap_child *c, int *ret_status);

/*
 * Reaps the workload and ends what is left of its descendants: SIGTERM, after a second SIGKILL.
 * *ret_termed, *ret_killed: how many got each. False: some could not be ended.
 */
bool cap_child_clear(struct cap_child *c, unsigned int *ret_termed, unsigned int *ret_killed);

/* Ends a child that never passed the gate, and frees what a child that did has left. */
void cap_child_close(struct cap_child *c);

#endif
