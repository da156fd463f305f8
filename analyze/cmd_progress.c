// SPDX-License-Identifier: GPL-3.0-or-later
/* One line on the terminal of the standard error, written again and again. */
#include "analyze/cmd_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS 1000000000ULL
#define EVERY_NS  200000000ULL /* often enough for an eye */
#define ERASE	  "\r\033[K"
#define WIDTH	  80 /* of a terminal that does not know its own */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* Who writes from the background may be stopped for it. */
static bool has_place(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 &&
	       tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static void show(struct fan_progress *p)
{
	struct winsize w = { 0 };
	int width = WIDTH;
	char text[128];

	fan_progress_text(&p->now, text, sizeof(text));
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1)
		width = w.ws_col;
	/* one short of the edge, where some terminals begin a new line */
	fprintf(stderr, ERASE "%.*s", width - 1, text);
	p->is_shown = true;
}

static void look(void *ctx, uint64_t done, uint64_t total)
{
	struct fan_progress *p = ctx;
	const uint64_t ns = now_ns();

	if (done < p->now.done) {
		p->now.reading++;
		p->reading_ns = ns;
	}
	p->now.done = done;
	p->now.total = total;
	p->now.ns = ns - p->reading_ns;
	if (ns - p->began_ns < SECOND_NS || ns - p->shown_ns < EVERY_NS || !has_place())
		return;
	p->shown_ns = ns;
	show(p);
}

void fan_progress_begin(struct fan_progress *p, struct fan_file *file)
{
	*p = (struct fan_progress){ .now = { .reading = 1 } };
	if (!has_place())
		return;
	p->began_ns = p->reading_ns = now_ns();
	file->watch = (struct fan_reading_watch){ look, p };
}

void fan_progress_end(struct fan_progress *p)
{
	if (p->is_shown)
		fputs(ERASE, stderr);
	p->is_shown = false;
}
