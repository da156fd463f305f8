// SPDX-License-Identifier: GPL-3.0-or-later
/* Files that grow -> lines -> markers, for all guests. */
#include "capture/guestpipe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/follow.h"
#include "capture/guest_lines.h"
#include "capture/lines.h"
#include "capture/mono.h"

#define ROUND_BYTES (1U << 20) /* a console that never falls silent must not hold us */

struct guest {
	struct cap_follow from;
	struct cap_lines lines;
	struct cap_guest_lines to;
	uint64_t now_ns; /* of the bytes in hand */
};

struct cap_guests {
	size_t n;
	int error;
	struct guest guest[];
};

int cap_guests_open(struct cap_guests **ret, const struct cap_guest_source *sources, size_t n,
		    struct cap_sink to, struct fcap_err *err)
{
	struct cap_guests *g = calloc(1, sizeof(*g) + n * sizeof(g->guest[0]));
	int r = 0;

	if (!g)
		return fcap_fail(err, ENOMEM, "out of memory");
	while (g->n < n && r == 0) {
		struct guest *one = &g->guest[g->n];

		r = cap_follow_open(&one->from, sources[g->n].path, err);
		cap_guest_lines_init(&one->to, sources[g->n++].vm, to);
	}
	if (r < 0) {
		cap_guests_close(g);
		return r;
	}
	*ret = g;
	return 0;
}

static int take_line(void *ctx, char *line, size_t len)
{
	struct guest *g = ctx;

	/* of any length, it is a console's */
	return line ? cap_guest_lines_take(&g->to, line, len, g->now_ns) : 0;
}

static int read_guest(struct guest *g)
{
	char buf[4096];
	size_t n, bytes = 0;
	int r = 0;

	do {
		bool anew;

		n = cap_follow_read(&g->from, buf, sizeof(buf), &anew);
		if (anew)
			cap_lines_reset(&g->lines);
		g->now_ns = cap_mono_ns();
		r = cap_lines_feed(&g->lines, buf, n, take_line, g);
		bytes += n;
	} while (n && r == 0 && bytes < ROUND_BYTES);
	return r;
}

int cap_guests_read(struct cap_guests *g)
{
	if (!g)
		return 0;
	for (size_t i = 0; i < g->n && g->error == 0; i++)
		g->error = read_guest(&g->guest[i]);
	return g->error;
}

static void sum_up(const struct guest *g, void (*say)(const char *text))
{
	char text[1024];

	if (g->from.error)
		snprintf(text, sizeof(text), "guest %s: %s: %s", g->to.vm, g->from.path,
			 g->from.error == -ENOENT ? "never appeared" : strerror(-g->from.error));
	else if (g->to.malformed)
		snprintf(text, sizeof(text),
			 "guest %s: %s: %" PRIu64 " lines of fcap's were not understood", g->to.vm,
			 g->from.path, g->to.malformed);
	else if (g->to.counters + g->to.others == 0)
		snprintf(text, sizeof(text),
			 "guest %s: %s: no line of fcap-guest came; does it run in the guest?",
			 g->to.vm, g->from.path);
	else
		return;
	say(text);
}

/* Its counters would be compared with those of no VM, without a word in the report. */
static void sum_up_name(const char *name, const struct cap_vmlist *vms,
			void (*say)(const char *text))
{
	char text[1024], names[300];

	if (cap_vmlist_named(vms, name))
		return;
	cap_vmlist_names(vms, names, sizeof(names));
	if (vms->n)
		snprintf(text, sizeof(text), "guest %s: no VM of this name was seen; there %s %s",
			 name, vms->n == 1 ? "was" : "were", names);
	else
		snprintf(text, sizeof(text), "guest %s: no VM was seen", name);
	say(text);
}

void cap_guests_sum_up(const struct cap_guests *g, const struct cap_vmlist *vms,
		       void (*say)(const char *text))
{
	for (size_t i = 0; g && i < g->n; i++) {
		sum_up(&g->guest[i], say);
		sum_up_name(g->guest[i].to.vm, vms, say);
	}
}

void cap_guests_close(struct cap_guests *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++) {
		cap_follow_close(&g->guest[i].from);
		cap_guest_lines_clear(&g->guest[i].to);
	}
	free(g);
}
