// SPDX-License-Identifier: GPL-3.0-or-later
/* One line that is written again and again. */
#include "capture/cmd_progress.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ERASE "\r\033[K"
#define WIDTH 80 /* of a terminal that does not know its own */

bool cap_cmd_progress_has_place(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

/* Who writes from the background may be stopped for it; a terminal that is held (^S) stops all. */
static bool may_write(void)
{
	struct pollfd out = { .fd = STDERR_FILENO, .events = POLLOUT };

	return tcgetpgrp(STDERR_FILENO) == getpgrp() && poll(&out, 1, 0) == 1 &&
	       out.revents == POLLOUT;
}

void cap_cmd_progress_show(const char *text)
{
	struct winsize w = { 0 };
	int width = WIDTH;

	if (!may_write())
		return;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1)
		width = w.ws_col;
	/* one short of the edge, where some terminals begin a new line */
	fprintf(stderr, ERASE "%.*s", width - 1, text);
}
