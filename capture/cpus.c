// SPDX-License-Identifier: GPL-3.0-or-later
/* CPUs that come and go. */
#include "capture/cpus.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/topology.h"

#define PERIOD_NS 1000000000U

static int tell(const struct cap_cpus *c, struct cap_sink to)
{
	const int r = cap_topology_emit(c->dirfd, to);
	struct cap_emit e;

	if (r < 0 || !c->last[0])
		return r;
	cap_emit_begin(&e, to, "cpus");
	cap_emit_str(&e, "online", c->last);
	return cap_emit_end(&e);
}

/* Unchanged where it cannot be read. */
static void read_online(const struct cap_cpus *c, char *ret)
{
	char text[CAP_CPUS_LIST_MAX];

	if (cap_io_read_at(c->dirfd, "online", text, sizeof(text)) <= 0)
		return;
	text[strcspn(text, "\n")] = '\0';
	memcpy(ret, text, sizeof(text));
}

int cap_cpus_open(struct cap_cpus *c, int dirfd, struct cap_sink to)
{
	*c = (struct cap_cpus){ .dirfd = dirfd };
	if (dirfd < 0)
		return 0; /* no sysfs: the reader is told nothing of siblings */
	read_online(c, c->first);
	memcpy(c->last, c->first, sizeof(c->last));
	return tell(c, to);
}

int cap_cpus_look(struct cap_cpus *c, uint64_t now_ns, struct cap_sink to)
{
	char now[CAP_CPUS_LIST_MAX];

	if (c->dirfd < 0 || now_ns - c->looked_ns < PERIOD_NS)
		return 0;
	c->looked_ns = now_ns;
	memcpy(now, c->last, sizeof(now));
	read_online(c, now);
	if (strcmp(now, c->last) == 0)
		return 0;
	memcpy(c->last, now, sizeof(now));
	c->changes++;
	return tell(c, to);
}

void cap_cpus_sum_up(const struct cap_cpus *c, void (*say)(const char *text))
{
	char text[512];

	if (c->changes == 0)
		return;
	snprintf(text, sizeof(text),
		 "note: CPUs went off or came on while it recorded: %.150s at first, %.150s at "
		 "last, %u changes",
		 c->first, c->last, c->changes);
	say(text);
}

void cap_cpus_close(struct cap_cpus *c)
{
	if (c->dirfd >= 0)
		close(c->dirfd);
	c->dirfd = -1;
}
