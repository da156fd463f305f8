// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs of `fcap record` in turns, then `fanalyze compare`, twice. */
#include "capture/calibrate.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct calibration {
	const struct cap_calibrate_opts *opts;
	char fcap[PATH_MAX], fanalyze[PATH_MAX + 16];
	char **files; /* of all runs in their order */
	sigset_t signals, old_mask;
	bool is_stopped; /* by a signal, after which no further run begins */
};

struct cap_turn cap_calibrate_turn(unsigned int i)
{
	struct cap_turn t = { .has_events = i % 4 == 1 || i % 4 == 2, .block = i / 2 + 1 };

	if (!t.has_events)
		t.side = t.block % 4 == 1 || t.block % 4 == 0 ? 1 : 2;
	return t;
}

/* fanalyze is where fcap is, else wherever programs are. */
static int find_programs(struct calibration *c, struct fcap_err *err)
{
	const ssize_t n = readlink("/proc/self/exe", c->fcap, sizeof(c->fcap) - 1);
	char *slash;

	if (n < 0)
		return fcap_fail(err, errno, "/proc/self/exe: %s; mount /proc", strerror(errno));
	c->fcap[n] = '\0';
	slash = strrchr(c->fcap, '/');
	snprintf(c->fanalyze, sizeof(c->fanalyze), "%.*s/fanalyze",
		 slash ? (int)(slash - c->fcap) : 0, c->fcap);
	if (access(c->fanalyze, X_OK) < 0)
		snprintf(c->fanalyze, sizeof(c->fanalyze), "fanalyze");
	return 0;
}

/* What is meant for us goes to the child too, unless the terminal has told it already. */
static void pass_signal(struct calibration *c, const siginfo_t *info, pid_t pid)
{
	if (info->si_signo == SIGCHLD)
		return;
	c->is_stopped = true;
	if (info->si_code != SI_KERNEL)
		kill(pid, info->si_signo);
}

/* Its exit status, or 128 + the signal. */
static int await(struct calibration *c, pid_t pid)
{
	siginfo_t info;
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0)
		if (sigwaitinfo(&c->signals, &info) >= 0)
			pass_signal(c, &info, pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* is_apart: its stdout goes where messages go. Its status, or negative errno with a sentence. */
static int run(struct calibration *c, const char *const *argv, bool is_apart, struct fcap_err *err)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	pid_t pid;
	int r;

	posix_spawn_file_actions_init(&files);
	if (is_apart)
		posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &c->old_mask);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	r = posix_spawnp(&pid, argv[0], &files, &attr, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return r ? fcap_fail(err, r, "%s: cannot run: %s", argv[0], strerror(r)) : await(c, pid);
}

/* fcap record -o FILE --events X --sample T --label ... -- CMD */
static int record(struct calibration *c, unsigned int i, struct fcap_err *err)
{
	const struct cap_turn t = cap_calibrate_turn(i);
	const char *kind = t.has_events ? "all" : "none";
	char events[32], block[32], order[32], side[32];
	const char *head[] = { c->fcap,	   "record", "-o",	 c->files[i],
			       "--events", kind,     "--sample", c->opts->sample,
			       "--label",  events,   "--label",	 block,
			       "--label",  order,    "--label",	 side,
			       "--" };
	const size_t nhead = sizeof(head) / sizeof(head[0]);
	size_t n = 0;
	const char **argv;
	int r;

	snprintf(events, sizeof(events), "events=%s", kind);
	snprintf(block, sizeof(block), "block=%u", t.block);
	snprintf(order, sizeof(order), "order=%u", i + 1);
	snprintf(side, sizeof(side), t.side ? "side=%u" : "side=none", t.side);
	while (c->opts->argv[n])
		n++;
	argv = calloc(nhead + n + 1, sizeof(*argv));
	if (!argv)
		return fcap_fail(err, ENOMEM, "out of memory");
	memcpy(argv, head, sizeof(head));
	memcpy(argv + nhead, c->opts->argv, n * sizeof(*argv));
	r = run(c, argv, true, err);
	free(argv);
	return r;
}

static int record_all(struct calibration *c, struct fcap_err *err)
{
	const unsigned int all = 2 * c->opts->runs;

	for (unsigned int i = 0; i < all; i++) {
		const char *kind = cap_calibrate_turn(i).has_events ? "all" : "none";
		char text[96];
		int r;

		snprintf(text, sizeof(text), "run %u of %u, events=%s", i + 1, all, kind);
		c->opts->say(text);
		r = record(c, i, err);
		if (r < 0)
			return r;
		if (r > 0 || c->is_stopped)
			return fcap_fail(err, ECANCELED,
					 "run %u (events=%s) %s with status %d; the traces of the "
					 "runs before it are in %s",
					 i + 1, kind, c->is_stopped ? "was stopped" : "ended", r,
					 c->opts->dir);
	}
	return 0;
}

/* One side of a comparison. */
struct side {
	const char *name;
	bool has_events;
	unsigned int side; /* as in struct cap_turn; 0: any */
};

static size_t add_side(const struct calibration *c, const struct side *s, const char **argv)
{
	size_t n = 0;

	argv[n++] = "--config";
	argv[n++] = s->name;
	for (unsigned int i = 0; i < 2 * c->opts->runs; i++) {
		const struct cap_turn t = cap_calibrate_turn(i);

		if (t.has_events == s->has_events && (s->side == 0 || s->side == t.side))
			argv[n++] = c->files[i];
	}
	return n;
}

/* fanalyze compare --config A FILES --config B FILES: b over a. Its status, or error. */
static int compare(struct calibration *c, struct side a, struct side b, struct fcap_err *err)
{
	const char **argv = calloc(7 + 2 * (size_t)c->opts->runs, sizeof(*argv));
	size_t n = 2;
	int r;

	if (!argv)
		return fcap_fail(err, ENOMEM, "out of memory");
	argv[0] = c->fanalyze;
	argv[1] = "compare";
	n += add_side(c, &a, argv + n);
	add_side(c, &b, argv + n);
	r = run(c, argv, false, err);
	free(argv);
	return r;
}

static int print(const char *text, struct fcap_err *err)
{
	return fputs(text, stdout) < 0 || fflush(stdout) != 0
		       ? fcap_fail(err, errno, "cannot write: %s", strerror(errno))
		       : 0;
}

static int compare_both(struct calibration *c, struct fcap_err *err)
{
	int status, r = print("What recording events does to what is recorded: all over none.\n\n",
			      err);

	if (r < 0)
		return r;
	status = compare(c, (struct side){ "none", false, 0 }, (struct side){ "all", true, 0 },
			 err);
	if (status < 0 || c->opts->runs < 2)
		return status;
	r = print("\nWhat differs by chance: two halves of the runs without events, in turns. "
		  "Changes\nabove that are no larger than these say nothing; the largest of these "
		  "is a margin\nfor --margin.\n\n",
		  err);
	if (r == 0)
		r = compare(c, (struct side){ "none1", false, 1 },
			    (struct side){ "none2", false, 2 }, err);
	return r < 0 ? r : status;
}

static int name_files(struct calibration *c)
{
	const unsigned int all = 2 * c->opts->runs;

	c->files = calloc((size_t)all + 1, sizeof(*c->files));
	for (unsigned int i = 0; c->files && i < all; i++) {
		const char *kind = cap_calibrate_turn(i).has_events ? "all" : "none";

		if (asprintf(&c->files[i], "%s/run-%04u-%s.dat", c->opts->dir, i + 1, kind) < 0) {
			c->files[i] = NULL;
			return -ENOMEM;
		}
	}
	return c->files ? 0 : -ENOMEM;
}

static void take_signals(struct calibration *c)
{
	const int all[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	sigemptyset(&c->signals);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		sigaddset(&c->signals, all[i]);
	signal(SIGCHLD, SIG_DFL); /* were it ignored, no status would reach us */
	sigprocmask(SIG_BLOCK, &c->signals, &c->old_mask);
}

int cap_calibrate(const struct cap_calibrate_opts *opts, struct fcap_err *err)
{
	struct calibration c = { .opts = opts };
	int r = find_programs(&c, err);

	if (r == 0 && name_files(&c) < 0)
		r = fcap_fail(err, ENOMEM, "out of memory");
	if (r == 0 && mkdir(opts->dir, 0777) < 0)
		r = fcap_fail(err, errno, "%s: cannot make this folder: %s; use another --dir",
			      opts->dir, strerror(errno));
	if (r == 0) {
		take_signals(&c);
		r = record_all(&c, err);
		if (r == 0)
			r = compare_both(&c, err);
		sigprocmask(SIG_SETMASK, &c.old_mask, NULL);
	}
	for (unsigned int i = 0; c.files && i < 2 * opts->runs; i++)
		free(c.files[i]);
	free(c.files);
	return r;
}
