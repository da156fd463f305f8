// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Core scheduling cookies from the shell: gives them to commands, processes and threads, shows
 * and copies them. Everything is one prctl call; the rest is to say why it was refused.
 */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fcap/core_sched.h"
#include "fcap/err.h"
#include "fcap/num.h"
#include "fcap/options.h"

#define COMM_SIZE 64

/* as env(1) and nice(1) do, for what cannot be told from the command's own status */
enum { STATUS_USAGE = 2, STATUS_NO_COOKIE = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

struct options {
	char **args; /* the verb, then what it is about */
	int n_args;
	bool threads, thread, is_command; /* is_command: "--" stood before the arguments */
};

struct tids {
	pid_t *id;
	size_t n, size;
};

static int tids_add(struct tids *t, pid_t tid, struct fcap_err *err)
{
	if (t->n == t->size) {
		const size_t size = t->size ? t->size * 2 : 64;
		pid_t *bigger = realloc(t->id, size * sizeof(*bigger));

		if (!bigger)
			return fcap_fail(err, ENOMEM, "out of memory");
		t->id = bigger;
		t->size = size;
	}
	t->id[t->n++] = tid;
	return 0;
}

static bool tids_have(const struct tids *t, pid_t tid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->id[i] == tid)
			return true;
	return false;
}

/* The error of a call about this thread or process. */
static int refuse(struct fcap_err *err, int code, const char *kind, pid_t id)
{
	char what[32];

	snprintf(what, sizeof(what), "%s %d", kind, id);
	return fcap_core_refuse(err, code, what);
}

static int list_threads(pid_t pid, struct tids *ret, struct fcap_err *err)
{
	const struct dirent *entry;
	char path[32];
	DIR *dir;
	int r = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir && errno == ENOENT)
		return fcap_fail(err, ESRCH, "process %d: no such process", pid);
	if (!dir)
		return fcap_fail(err, errno, "%s: %s", path, strerror(errno));
	while (r == 0 && (entry = readdir(dir))) {
		uint64_t tid;

		if (fcap_parse_u64(entry->d_name, 1, INT_MAX, &tid) == 0)
			r = tids_add(ret, (pid_t)tid, err);
	}
	closedir(dir);
	return r;
}

/* A thread that began while the others got theirs has the cookie of the one that made it. */
static int tag_new_threads(pid_t pid, struct tids *tagged, bool *ret_found, struct fcap_err *err)
{
	struct tids now = { 0 };
	int r = list_threads(pid, &now, err);

	*ret_found = false;
	for (size_t i = 0; i < now.n && r == 0; i++) {
		if (tids_have(tagged, now.id[i]))
			continue;
		r = fcap_core_create(now.id[i], FCAP_CORE_THREAD);
		if (r == -ESRCH) /* it ended meanwhile */
			r = 0;
		else if (r < 0)
			refuse(err, r, "thread", now.id[i]);
		if (r == 0)
			r = tids_add(tagged, now.id[i], err);
		*ret_found = true;
	}
	free(now.id);
	return r;
}

static int tag_threads(pid_t pid, struct fcap_err *err)
{
	struct tids tagged = { 0 };
	bool found = true;
	int r = 0;

	while (r == 0 && found)
		r = tag_new_threads(pid, &tagged, &found, err);
	free(tagged.id);
	return r;
}

static int tag_process(pid_t pid, struct fcap_err *err)
{
	const int r = fcap_core_create(pid, FCAP_CORE_PROCESS);

	return r < 0 ? refuse(err, r, "process", pid) : 0;
}

/* A line of /proc/TID/..., without its newline; false if there is none. */
static bool read_line(pid_t tid, const char *file, const char *begin, char *ret, size_t size)
{
	const size_t len = strlen(begin);
	char path[48], line[256];
	bool found = false;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/%s", tid, file);
	in = fopen(path, "re");
	if (!in)
		return false;
	while (!found && fgets(line, sizeof(line), in))
		found = strncmp(line, begin, len) == 0;
	fclose(in);
	if (found)
		snprintf(ret, size, "%.*s", (int)strcspn(line + len, "\n"), line + len);
	return found;
}

static int show_thread(pid_t tid, struct fcap_err *err)
{
	/* asked first: what is read later and is 0 then is no cookie */
	const bool is_ready = fcap_random_is_ready();
	char comm[COMM_SIZE] = "?";
	uint64_t cookie = 0;
	const int r = fcap_core_get(tid, &cookie);

	if (r < 0)
		return refuse(err, r, "thread", tid);
	read_line(tid, "comm", "", comm, sizeof(comm));
	if (cookie)
		printf("%d\t%s\t0x%" PRIx64 "\n", tid, comm, cookie);
	else
		printf("%d\t%s\t%s\n", tid, comm, is_ready ? "0x0 (none)" : "not readable yet");
	return 0;
}

/* All threads of a process, or the one that is not a process's first. */
static int show(pid_t id, struct fcap_err *err)
{
	struct tids tids = { 0 };
	char tgid[16] = "";
	int r;

	read_line(id, "status", "Tgid:\t", tgid, sizeof(tgid));
	if (strtol(tgid, NULL, 10) != id)
		return show_thread(id, err);
	r = list_threads(id, &tids, err);
	for (size_t i = 0; i < tids.n && r == 0; i++) {
		r = show_thread(tids.id[i], err);
		if (r == -ESRCH && tids.id[i] != id) /* it ended meanwhile */
			r = 0;
	}
	free(tids.id);
	return r;
}

/* By way of this process: the kernel knows only "mine to them" and "theirs to me". */
static int copy(pid_t from, pid_t to, enum fcap_core_scope scope, struct fcap_err *err)
{
	int r = fcap_core_share_from(from);

	if (r < 0)
		return refuse(err, r, "thread", from);
	r = fcap_core_share_to(to, scope);
	return r < 0 ? refuse(err, r, scope == FCAP_CORE_THREAD ? "thread" : "process", to) : 0;
}

static int check(struct fcap_err *err)
{
	uint64_t cookie;
	const int r = fcap_core_get(0, &cookie);

	if (r < 0)
		return fcap_fail(err, -r, "%s", fcap_core_reason(r));
	printf("core scheduling works here: the kernel knows cookies and SMT is active%s\n",
	       fcap_random_is_ready()
		       ? ""
		       : "; they are not readable yet: the random generator is not ready");
	return 0;
}

static pid_t parse_id(const char *text, struct argp_state *state)
{
	uint64_t id = 0;

	if (fcap_parse_u64(text, 1, INT_MAX, &id) < 0)
		argp_failure(state, STATUS_USAGE, 0, "%s: not the number of a process or thread",
			     text);
	return (pid_t)id;
}

enum { OPT_THREAD = 256, OPT_THREADS };

static const struct argp_option option_table[] = {
	{ "threads", OPT_THREADS, NULL, 0,
	  "new: each thread that PID has now gets a cookie of its own", 0 },
	{ "thread", OPT_THREAD, NULL, 0, "copy: to the thread TO alone, not to its process", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

/* Usage errors that show only when all arguments are there. */
static void check_arguments(const struct options *opt, struct argp_state *state)
{
	const char *verb = opt->n_args ? opt->args[0] : "";
	const int n = opt->n_args - 1;
	const bool is_new = strcmp(verb, "new") == 0, is_copy = strcmp(verb, "copy") == 0;
	const bool is_get = strcmp(verb, "get") == 0, is_check = strcmp(verb, "check") == 0;

	if (!is_new && !is_copy && !is_get && !is_check)
		argp_failure(state, STATUS_USAGE, 0, "%s: use new, get, copy or check; see --help",
			     *verb ? verb : "no verb");
	if (opt->threads && (!is_new || opt->is_command))
		argp_failure(state, STATUS_USAGE, 0,
			     "--threads: only with new PID: a command has no threads yet");
	if (opt->thread && !is_copy)
		argp_failure(state, STATUS_USAGE, 0, "--thread: only with copy");
	if (opt->is_command && !is_new)
		argp_failure(state, STATUS_USAGE, 0, "%s --: takes no command", verb);
	if ((is_check && n != 0) || (is_copy && n != 2) || (is_get && n < 1) ||
	    (is_new && !opt->is_command && n != 1) || (is_new && n < 1))
		argp_failure(state, STATUS_USAGE, 0, "%s: %d arguments; see --help", verb, n);
	for (int i = 1; i <= n && !opt->is_command; i++)
		parse_id(opt->args[i], state);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case OPT_THREADS:
		opt->threads = true;
		return 0;
	case OPT_THREAD:
		opt->thread = true;
		return 0;
	case ARGP_KEY_ARG:
		opt->args[opt->n_args++] = arg;
		opt->is_command |= state->quoted > 0;
		return 0;
	case ARGP_KEY_END:
		check_arguments(opt, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int run_command(char **command)
{
	const int r = fcap_core_create(0, FCAP_CORE_PROCESS);
	int code;

	if (r < 0) {
		fprintf(stderr, "coretag: %s: %s\n", command[0], fcap_core_reason(r));
		return STATUS_NO_COOKIE;
	}
	execvp(command[0], command);
	code = errno;
	fprintf(stderr, "coretag: %s: cannot run: %s\n", command[0], strerror(code));
	return code == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

/* The arguments have been checked, by the same function: 010 is ten in both. */
static pid_t id_at(const struct options *opt, int i)
{
	uint64_t id = 0;

	(void)fcap_parse_u64(opt->args[i], 1, INT_MAX, &id);
	return (pid_t)id;
}

static int act(const struct options *opt)
{
	const char *verb = opt->args[0];
	struct fcap_err err = { 0 };
	int r = 0;

	if (opt->is_command)
		return run_command(opt->args + 1);
	if (strcmp(verb, "new") == 0)
		r = opt->threads ? tag_threads(id_at(opt, 1), &err)
				 : tag_process(id_at(opt, 1), &err);
	else if (strcmp(verb, "copy") == 0)
		r = copy(id_at(opt, 1), id_at(opt, 2),
			 opt->thread ? FCAP_CORE_THREAD : FCAP_CORE_PROCESS, &err);
	else if (strcmp(verb, "check") == 0)
		r = check(&err);
	else
		for (int i = 1; i < opt->n_args && r == 0; i++)
			r = show(id_at(opt, i), &err);
	if (fflush(stdout) != 0 && r == 0)
		r = fcap_fail(&err, errno, "stdout: %s", strerror(errno));
	if (r < 0)
		fprintf(stderr, "coretag: %s\n", err.text);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		option_table,
		parse_option,
		"new -- CMD [ARG...]\nnew PID\nget PID|TID...\ncopy FROM TO\ncheck",
		"Gives threads core scheduling cookies and shows them (Linux 5.14 or later).\v"
		"Threads with the same cookie may run on one core at the same time; others "
		"wait.\n\n"
		"new -- CMD runs CMD with a new cookie, which what it starts inherits. new PID "
		"gives all threads of a process one new cookie; threads that they make later "
		"inherit it. get prints thread, name and cookie, with tabs between: of all "
		"threads of a process, or of the one thread of that number. copy gives the cookie "
		"of thread FROM to process TO; if FROM has none, it takes that of TO away. check "
		"says whether this kernel can do that at all.\n\n"
		"Exit status: 0 done; 1 refused, with the reason; 2 usage. Of new -- CMD: that of "
		"CMD; 125 no cookie; 126 CMD cannot be run; 127 CMD not found.",
		NULL,
		NULL,
		NULL
	};
	struct options opt = { 0 };
	int status;

	argp_err_exit_status = STATUS_USAGE;
	opt.args = calloc((size_t)argc + 1, sizeof(*opt.args));
	if (!opt.args) {
		fprintf(stderr, "coretag: out of memory\n");
		return EXIT_FAILURE;
	}
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_LAST, &opt);
	status = act(&opt);
	free(opt.args);
	return status;
}
