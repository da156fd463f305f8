// SPDX-License-Identifier: GPL-3.0-or-later
/* fcap-guest: tells, inside a guest, its own steal counters. Needs libc alone, linked statically.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/guest/steal_clock.h"
#include "capture/guest/steal_lines.h"
#include "capture/io.h"
#include "capture/mono.h"
#include "fcap/err.h"
#include "fcap/num.h"
#include "fcap/options.h"
#include "fcap/version.h"

#define SECOND_NS	1000000000U
#define INTERVAL_MIN_NS 1000000U
#define INTERVAL_MAX_NS 3600000000000U
#define COUNT_MAX	1000000000U
#define DOUBT_NS	(60ULL * SECOND_NS) /* no steal since the boot so long ago is odd */
#define PAUSE_MS	50		    /* between attempts on an output that nobody reads */

enum { STATUS_FAILED = 1, STATUS_USAGE = 2 };
enum { OPT_COUNT = 0x100, OPT_INTERVAL, OPT_PROC, OPT_VERSION };

struct args {
	const char *output, *proc;
	uint64_t interval_ns, count; /* count 0: without end */
};

struct guest {
	const struct args *args;
	const char *output; /* its name */
	int proc_fd, out_fd;
	enum cap_steal_clock clock;
	bool no_steal_acc, has_doubted;
};

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	switch (key) {
	case OPT_INTERVAL:
		if (fcap_parse_ns(arg, &args->interval_ns) < 0 ||
		    args->interval_ns < INTERVAL_MIN_NS || args->interval_ns > INTERVAL_MAX_NS)
			argp_error(state,
				   "--interval %s: give a duration from 1ms to 1h, with its unit",
				   arg);
		return 0;
	case OPT_COUNT:
		if (fcap_parse_u64(arg, 1, COUNT_MAX, &args->count) < 0)
			argp_error(state, "--count %s: give a number from 1 to %u", arg, COUNT_MAX);
		return 0;
	case 'o':
		args->output = arg;
		return 0;
	case OPT_PROC:
		args->proc = arg;
		return 0;
	case OPT_VERSION:
		puts("fcap-guest " FCAP_VERSION);
		exit(fclose(stdout) == 0 ? 0 : STATUS_FAILED);
	case ARGP_KEY_ARG:
		argp_error(state, "%s: it takes options only", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void say(const char *text)
{
	fprintf(stderr, "fcap-guest: %s\n", text);
}

/* Every line is out as soon as it is made, so that there is nothing left to do. */
static void end(int sig)
{
	(void)sig;
	_exit(0);
}

static void wait_for_room(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	/* a port of the hypervisor that nobody has opened says "hung up", without an end */
	if (poll(&p, 1, -1) > 0 && !(p.revents & POLLOUT))
		poll(NULL, 0, PAUSE_MS);
}

static int write_line(void *ctx, const char *line)
{
	const struct guest *g = ctx;
	char text[300];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s\n", line);

	for (const char *p = text; len;) {
		const ssize_t n = write(g->out_fd, p, len);

		if (n >= 0) {
			p += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			wait_for_room(g->out_fd);
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

/* Says once what makes the counters doubtful. True: nobody counts. */
static bool is_uncounted(struct guest *g, const char *stat, uint64_t now_ns)
{
	const bool zero = cap_steal_is_zero(stat);
	const bool none = zero && g->clock == CAP_STEAL_CLOCK_NONE;

	if (!g->has_doubted && (none || (zero && now_ns >= DOUBT_NS))) {
		g->has_doubted = true;
		say(none ? "this kernel does not count steal: no hypervisor is below it, or one "
			   "without a steal clock"
			 : "no steal since the boot: nothing was ever stolen, or this kernel does "
			   "not count steal");
	}
	return none;
}

static int take_reading(struct guest *g, struct fcap_err *err)
{
	struct cap_steal_facts facts = {
		.tick_ns = SECOND_NS / (uint64_t)sysconf(_SC_CLK_TCK),
		.no_steal_acc = g->no_steal_acc,
	};
	char *stat;
	int r = cap_io_read_all(g->proc_fd, "stat", &stat, NULL);

	if (r < 0)
		return fcap_fail(err, -r, "%s/stat: %s", g->args->proc, strerror(-r));
	facts.now_ns = cap_mono_ns();
	facts.uncounted = is_uncounted(g, stat, facts.now_ns);
	r = cap_steal_lines(stat, &facts, write_line, g);
	free(stat);
	if (r == -ENODATA)
		return fcap_fail(err, ENODATA,
				 "this kernel does not count steal: %s/stat has no column for it",
				 g->args->proc);
	if (r == -EINVAL)
		return fcap_fail(err, EINVAL, "%s/stat: no CPUs in it that can be understood",
				 g->args->proc);
	return r < 0 ? fcap_fail(err, -r, "%s: %s", g->output, strerror(-r)) : 0;
}

static void sleep_until(uint64_t at_ns)
{
	const struct timespec at = { (time_t)(at_ns / SECOND_NS), (long)(at_ns % SECOND_NS) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static int repeat(struct guest *g, struct fcap_err *err)
{
	uint64_t next_ns = cap_mono_ns();

	for (uint64_t n = 0; g->args->count == 0 || n < g->args->count; n++) {
		const uint64_t now_ns = cap_mono_ns();
		int r;

		if (now_ns > next_ns) /* was held up: skip what was missed */
			next_ns = now_ns;
		sleep_until(next_ns);
		next_ns += g->args->interval_ns;
		/* read the counters only when they can go out: a line shall not be an old one */
		wait_for_room(g->out_fd);
		r = take_reading(g, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int open_all(struct guest *g, struct fcap_err *err)
{
	const struct args *args = g->args;
	char *cmdline;

	g->proc_fd = open(args->proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (g->proc_fd < 0)
		return fcap_fail(err, errno, "%s: %s", args->proc, strerror(errno));
	if (faccessat(g->proc_fd, "stat", R_OK, 0) < 0)
		return fcap_fail(err, errno, "%s/stat: %s; mount proc there", args->proc,
				 strerror(errno));
	if (cap_io_read_all(g->proc_fd, "cmdline", &cmdline, NULL) == 0) {
		g->no_steal_acc = cap_steal_is_unaccounted(cmdline);
		free(cmdline);
	}
	if (!args->output)
		return 0;
	g->output = args->output;
	g->out_fd = open(args->output, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0644);
	return g->out_fd < 0 ? fcap_fail(err, errno, "%s: %s", args->output, strerror(errno)) : 0;
}

static int run(const struct args *args)
{
	struct guest g = {
		.args = args,
		.output = "standard output",
		.proc_fd = -1,
		.out_fd = STDOUT_FILENO,
		/* a tree that somebody made up has nothing to do with this CPU */
		.clock = strcmp(args->proc, "/proc") == 0 ? cap_steal_clock()
							  : CAP_STEAL_CLOCK_UNKNOWN,
	};
	const struct sigaction on_end = { .sa_handler = end };
	struct fcap_err err = { 0 };
	int r;

	signal(SIGPIPE, SIG_IGN); /* a reader that leaves is told as an error */
	sigaction(SIGTERM, &on_end, NULL);
	sigaction(SIGINT, &on_end, NULL);
	r = open_all(&g, &err);
	if (r == 0)
		r = repeat(&g, &err);
	if (args->output && g.out_fd >= 0 && close(g.out_fd) < 0 && r == 0)
		r = fcap_fail(&err, errno, "%s: %s", g.output, strerror(errno));
	if (g.proc_fd >= 0)
		close(g.proc_fd);
	if (r < 0)
		say(err.text);
	return r < 0 ? STATUS_FAILED : 0;
}

int main(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "interval", OPT_INTERVAL, "TIME", 0,
		  "Read the counters every TIME (1s; from 1ms to 1h)", 0 },
		{ "count", OPT_COUNT, "N", 0, "End after N readings (never)", 0 },
		{ "output", 'o', "FILE", 0, "Write to FILE: a file, a fifo, a device", 0 },
		{ "proc", OPT_PROC, "DIR", 0, "Where proc is mounted (/proc)", 0 },
		{ "version", OPT_VERSION, NULL, 0, "Print the version", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = take_option,
		.doc = "Tells, inside a virtual machine, the time that was stolen from each of its "
		       "CPUs as the guest's own kernel counts it."
		       "\vA line for each CPU at each reading, for `fcap record --guest' on the "
		       "host:\n\n"
		       "  fcap-guest cpu=0 steal=120000000 resolution_ns=10000000 "
		       "t=12.345678901\n\n"
		       "steal is cumulative, in ns, t the guest's CLOCK_MONOTONIC in seconds. "
		       "no_steal_acc=1 stands before t if the guest was booted with no-steal-acc, "
		       "uncounted=1 if its kernel counts no steal.\n"
		       "\nExamples:\n"
		       "  fcap-guest --interval 200ms --output /dev/hvc0\n"
		       "  fcap-guest --count 1\n",
	};
	struct args args = { .proc = "/proc", .interval_ns = SECOND_NS };

	argv[0] = (char[]){ "fcap-guest" }; /* in getopt's messages too, not the path */
	argp_err_exit_status = STATUS_USAGE;
	if (fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &args) != 0)
		return STATUS_FAILED;
	return run(&args);
}
