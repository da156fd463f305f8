/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that reach fcap are meant for the command. */
#ifndef CAP_SIGNALS_H
#define CAP_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

#include "fcap/err.h"

struct cap_signals {
	sigset_t old_mask; /* what the command gets back */
	int fd;		   /* readable when there is one, also SIGCHLD */
};

/* Blocks them for all threads to come. 0, or negative errno with a sentence. */
int cap_signals_take(struct cap_signals *s, struct fcap_err *err);

/* Sends on to pid what has come; those from the terminal have reached it already. */
void cap_signals_pass(const struct cap_signals *s, pid_t pid);

void cap_signals_close(struct cap_signals *s);

#endif
