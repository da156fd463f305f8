// SPDX-License-Identifier: GPL-3.0-or-later
/* A signalfd, and what it tells passed on. */
#include "capture/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

int cap_signals_take(struct cap_signals *s, struct fcap_err *err)
{
	struct sigaction hup;
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	sigaddset(&ours, SIGQUIT);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, &s->old_mask);
	/* a signal that is blocked comes although it is ignored */
	s->ignores_hup = sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler == SIG_IGN;
	signal(SIGCHLD, SIG_DFL); /* were it ignored, no status would reach us */
	signal(SIGPIPE, SIG_IGN); /* a reader of our messages that leaves must not end us */
	s->fd = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0)
		return fcap_fail(err, errno, "cannot watch signals: %s", strerror(errno));
	return 0;
}

void cap_signals_pass(const struct cap_signals *s, pid_t pid)
{
	const bool is_apart = getpgid(pid) != getpgrp(); /* timeout(1), for one, makes itself so */
	struct signalfd_siginfo info;

	while (read(s->fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD && (info.ssi_code != SI_KERNEL || is_apart))
			kill(pid, (int)info.ssi_signo);
}

bool cap_signals_end(const struct cap_signals *s)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(s->fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD && (info.ssi_signo != SIGHUP || !s->ignores_hup))
			end = true;
	return end;
}

void cap_signals_close(struct cap_signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
