/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that reach fcap are meant for the command, or end the recording where there is none. */
#ifndef CAP_SIGNALS_H
#define CAP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "fcap/err.h"

struct cap_signals {
	sigset_t old_mask; /* what the command gets back */
	bool ignores_hup;  /* as we were started */
	int fd;		   /* readable when there is one, also SIGCHLD */
};

/* Blocks them for all threads to come. 0, or negative errno with a sentence. */
int cap_signals_take(struct cap_signals *s, struct fcap_err *err);

/*
 * Sends on to pid what has come. Those from the terminal have reached it already, unless it is in a
 * process group of its own.
 */
void cap_signals_pass(const struct cap_signals *s, pid_t pid);

/*
 * Without a command: true if one has come that ends the recording, from the terminal or not. SIGHUP
 * does not if it was ignored when we began (nohup).
 */
bool cap_signals_end(const struct cap_signals *s);

void cap_signals_close(struct cap_signals *s);

#endif
