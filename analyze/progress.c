// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/progress.h"

#include <inttypes.h>
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

/* "0:12", "1:02:03" */
static void put_time(char *ret, size_t size, uint64_t seconds)
{
	if (seconds >= 3600)
		snprintf(ret, size, "%" PRIu64 ":%02u:%02u", seconds / 3600,
			 (unsigned int)(seconds / 60 % 60), (unsigned int)(seconds % 60));
	else
		snprintf(ret, size, "%u:%02u", (unsigned int)(seconds / 60),
			 (unsigned int)(seconds % 60));
}

void fan_progress_text(const struct fan_progress_now *now, char *ret, size_t size)
{
	const char *what = now->reading > 1 ? "reading again" : "reading";
	const double s = (double)now->ns / 1e9, done = (double)now->done;
	const double rate = s > 0 ? done / s / 1e6 : 0;
	char left[32];

	if (now->total == 0 || now->done == 0 || now->ns == 0) {
		snprintf(ret, size, "%s", what);
		return;
	}
	/* rounded up: it is over when nothing is left */
	put_time(left, sizeof(left), (uint64_t)(s * ((double)now->total - done) / done + 0.999));
	snprintf(ret, size, "%s: %u %%, %.*f MB/s, %s left", what,
		 (unsigned int)(100 * done / (double)now->total), rate < 10 ? 1 : 0, rate, left);
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
