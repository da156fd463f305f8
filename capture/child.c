// SPDX-License-Identifier: GPL-3.0-or-later
/* Start and end of the workload. */
#include "capture/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/procfs.h"

#define STEP_MS	     10
#define TERM_MS	     1000
#define GIVE_UP_MS   5000 /* of a process that not even SIGKILL ends: it hangs in the kernel */
#define EXEC_TROUBLE 126

#define LABEL "FCAP_LABEL_"

/* Without memory the label is missing there: the file has it all the same. */
static void set_label(const char *label)
{
	const char *eq = strchr(label, '=');
	char *name;

	if (!eq || asprintf(&name, LABEL "%.*s", (int)(eq - label), label) < 0)
		return;
	for (char *p = name + strlen(LABEL); *p; p++)
		if (*p == '-' || *p == '.')
			*p = '_';
	setenv(name, eq + 1, 1);
	free(name);
}

/* In the child, between fork and exec. */
static void prepare_exec(const struct cap_child_env *env)
{
	char number[16];

	if (env->nofile)
		setrlimit(RLIMIT_NOFILE, env->nofile);
	if (env->report_fd >= 0) {
		fcntl(env->report_fd, F_SETFD, 0);
		snprintf(number, sizeof(number), "%d", env->report_fd);
		setenv("FCAP_FD", number, 1);
	}
	for (size_t i = 0; i < env->nlabel; i++)
		set_label(env->label[i]);
	signal(SIGPIPE, SIG_DFL);
	if (env->mask)
		sigprocmask(SIG_SETMASK, env->mask, NULL);
}

__attribute__((noreturn)) static void run_child(char *const argv[], const struct cap_child_env *env,
						int gate, int outcome)
{
	char go;
	int code;

	/* end of file: the recording failed, or we were killed */
	if (read(gate, &go, 1) != 1)
		_exit(EXEC_TROUBLE);
	prepare_exec(env);
	execvp(argv[0], argv);
	code = errno;
	(void)cap_io_write(outcome, &code, sizeof(code));
	_exit(EXEC_TROUBLE);
}

static int open_proc(void)
{
	return open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int note_foreign(struct cap_ids *ret)
{
	const int procfd = open_proc();
	int r;

	if (procfd < 0)
		return 0; /* told later, by who cannot do without */
	r = cap_proc_descendants(procfd, getpid(), ret);
	close(procfd);
	return r == -ENOMEM ? r : 0;
}

int cap_child_spawn(struct cap_child *c, char *const argv[], const struct cap_child_env *env,
		    struct fcap_err *err)
{
	int gate[2], outcome[2], code = 0;

	*c = (struct cap_child){ -1, -1, -1, { 0 } };
	if (note_foreign(&c->foreign) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	if (pipe2(gate, O_CLOEXEC) < 0)
		return fcap_fail(err, errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(outcome, O_CLOEXEC) < 0) {
		code = errno;
		close(gate[0]);
		close(gate[1]);
		return fcap_fail(err, code, "cannot make a pipe: %s", strerror(code));
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(gate[1]);
		run_child(argv, env, gate[0], outcome[1]);
	}
	if (c->pid < 0)
		code = errno;
	close(gate[0]);
	close(outcome[1]);
	c->gate = gate[1];
	c->outcome = outcome[0];
	if (code) {
		cap_child_close(c);
		return fcap_fail(err, code, "cannot fork: %s", strerror(code));
	}
	return 0;
}

static void close_pipes(struct cap_child *c)
{
	if (c->gate >= 0)
		close(c->gate);
	if (c->outcome >= 0)
		close(c->outcome);
	c->gate = c->outcome = -1;
}

int cap_child_release(struct cap_child *c)
{
	int code = 0;
	ssize_t n;

	cap_io_write(c->gate, "", 1);
	do {
		n = read(c->outcome, &code, sizeof(code));
	} while (n < 0 && errno == EINTR);
	close_pipes(c);
	if (n != sizeof(code))
		return 0;
	waitpid(c->pid, NULL, 0);
	c->pid = -1;
	return -code;
}

bool cap_child_has_ended(const struct cap_child *c, int *ret_status)
{
	for (;;) {
		siginfo_t info = { 0 };

		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == 0)
			return false;
		if (info.si_pid != c->pid) {
			waitpid(info.si_pid, NULL, WNOHANG);
			continue;
		}
		*ret_status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
		return true;
	}
}

static void reap_all(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/*
 * Sends a signal to each descendant that did not get it yet, and adds it to *done.
 * True: there was none left.
 */
static bool signal_left(int procfd, int sig, const struct cap_ids *foreign, struct cap_ids *done)
{
	struct cap_ids pids = { 0 };
	const bool listed = cap_proc_descendants(procfd, getpid(), &pids) == 0;
	unsigned int left = 0;

	for (size_t i = 0; i < pids.n; i++) {
		if (cap_ids_has(foreign, pids.id[i]))
			continue;
		left++;
		if (!cap_ids_has(done, pids.id[i]) && kill(pids.id[i], sig) == 0)
			(void)cap_ids_add(done, pids.id[i]);
	}
	cap_ids_free(&pids);
	return listed && left == 0;
}

/* True once no descendant is left but the foreign ones. */
static bool end_with(int procfd, int sig, int limit_ms, const struct cap_ids *foreign,
		     unsigned int *ret_n)
{
	const struct timespec step = { 0, STEP_MS * 1000000L };
	struct cap_ids done = { 0 };
	bool none = false;

	for (int waited_ms = 0; waited_ms <= limit_ms; waited_ms += STEP_MS) {
		reap_all();
		none = signal_left(procfd, sig, foreign, &done);
		if (none)
			break;
		nanosleep(&step, NULL);
	}
	*ret_n = (unsigned int)done.n;
	cap_ids_free(&done);
	return none;
}

/* Their children, too, are none of ours. */
static void add_foreign_descendants(int procfd, struct cap_ids *foreign)
{
	const size_t n = foreign->n;

	for (size_t i = 0; i < n; i++)
		(void)cap_proc_descendants(procfd, foreign->id[i], foreign);
}

bool cap_child_clear(struct cap_child *c, unsigned int *ret_termed, unsigned int *ret_killed)
{
	const int procfd = open_proc();
	bool none;

	*ret_killed = 0;
	add_foreign_descendants(procfd, &c->foreign);
	none = end_with(procfd, SIGTERM, TERM_MS, &c->foreign, ret_termed);
	if (!none)
		none = end_with(procfd, SIGKILL, GIVE_UP_MS, &c->foreign, ret_killed);
	c->pid = -1;
	if (procfd >= 0)
		close(procfd);
	return none;
}

void cap_child_close(struct cap_child *c)
{
	close_pipes(c);
	if (c->pid > 0)
		waitpid(c->pid, NULL, 0);
	c->pid = -1;
	cap_ids_free(&c->foreign);
}
