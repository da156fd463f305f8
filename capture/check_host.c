// SPDX-License-Identifier: GPL-3.0-or-later
/* What is stolen from the host itself, room for the trace, the program that draws. */
#include "capture/check_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"

/* Assumed of a busy host; the bytes are those of sched and kvm events in the ring buffer. */
#define EVENTS_PER_CPU_S 50000U
#define EVENT_BYTES	 55U
#define COPIES		 2U /* the file is put together while its parts are still there */
#define ENOUGH_S	 600U
#define LEAST_S		 10U

/* Since boot, in the unit of /proc/stat. */
struct host_time {
	uint64_t all, steal;
};

static bool read_host_time(const struct cap_check_ctx *x, struct host_time *ret)
{
	uint64_t v[8], all = 0;
	char text[256];

	if (cap_io_read_at(x->procfd, "stat", text, sizeof(text)) < 0 ||
	    sscanf(text,
		   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]) != 8)
		return false;
	for (size_t i = 0; i < 8; i++)
		all += v[i];
	*ret = (struct host_time){ all, v[7] };
	return true;
}

/* True if all columns together are over 1.05 times what the CPUs had since boot. */
static bool exceeds_wall(const struct cap_check_ctx *x, uint64_t all)
{
	const uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t up_s;

	return cap_check_number(x, "uptime", "", 10, &up_s) &&
	       all > (up_s + 1) * hz * x->ncpu / 100 * 105;
}

void cap_check_steal(struct cap_check_ctx *x, struct cap_check *c)
{
	static const char loss[] = "exact run times";
	static const char fix[] = "use a host of its own, or record when the neighbours rest";
	const char *below = cap_check_cpu_flag(x, "hypervisor") ? "this host is a VM; " : "";
	struct host_time t;

	if (!read_host_time(x, &t))
		cap_check_degraded(c, "steal from this host", "sudo mount -t proc proc /proc",
				   "/proc/stat cannot be read");
	else if (t.steal == 0)
		cap_check_ok(c, "%snothing was stolen from its CPUs since boot", below);
	else if (exceeds_wall(x, t.all))
		cap_check_degraded(
			c, loss, fix,
			"%s/proc/stat sums to more than the time since boot, so that what "
			"it says of steal cannot be believed",
			below);
	else
		cap_check_degraded(c, loss, fix,
				   "%s%" PRIu64 ".%02" PRIu64 " %% of its CPU time since boot was "
				   "stolen, and counts as running",
				   below, t.steal * 100 / t.all, t.steal * 10000 / t.all % 100);
}

/* "2 h 10 min", "45 min", "30 s" */
static void append_duration(char *text, size_t size, uint64_t s)
{
	if (s >= 100 * 3600)
		cap_check_append(text, size, "%" PRIu64 " days", s / 86400);
	else if (s >= 3600)
		cap_check_append(text, size, "%" PRIu64 " h %" PRIu64 " min", s / 3600,
				 s / 60 % 60);
	else if (s >= 60)
		cap_check_append(text, size, "%" PRIu64 " min", s / 60);
	else
		cap_check_append(text, size, "%" PRIu64 " s", s);
}

void cap_check_disk(struct cap_check_ctx *x, struct cap_check *c)
{
	static const char fix[] = "fcap record -o /path/to/a/larger/disk/trace.dat -- ...";
	const struct cap_check_calls *calls = x->host->calls;
	uint64_t bytes = 0, seconds;
	char text[256] = "";
	const int r = calls->space(calls->ctx, x->host->dir, &bytes);

	if (r < 0) {
		cap_check_missing(c, fix, "nothing can be written to this folder: %s",
				  strerror(-r));
		return;
	}
	seconds = bytes / ((uint64_t)EVENTS_PER_CPU_S * EVENT_BYTES * COPIES * x->ncpu);
	cap_check_append(text, sizeof(text),
			 "%" PRIu64 ".%" PRIu64 " GB free here: ", bytes / 1000000000,
			 bytes / 100000000 % 10);
	append_duration(text, sizeof(text), seconds);
	cap_check_append(text, sizeof(text),
			 " at %u events/s on each of %u CPUs (assumed; %u bytes each, kept twice "
			 "while the file is put together)",
			 EVENTS_PER_CPU_S, x->ncpu, EVENT_BYTES);
	if (seconds < LEAST_S)
		cap_check_missing(c, fix, "%s", text);
	else if (seconds < ENOUGH_S)
		cap_check_degraded(c, "long recordings", fix, "%s", text);
	else
		cap_check_ok(c, "%s", text);
}

void cap_check_gnuplot(struct cap_check_ctx *x, struct cap_check *c)
{
	const char *fix = "install gnuplot";

	if (cap_check_program(x, "apt-get"))
		fix = "sudo apt-get install gnuplot-nox";
	else if (cap_check_program(x, "dnf"))
		fix = "sudo dnf install gnuplot";
	if (cap_check_program(x, "gnuplot"))
		cap_check_ok(c, "installed");
	else
		cap_check_degraded(c, "figures", fix, "not installed; fanalyze plot draws with it");
}
