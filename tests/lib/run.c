// SPDX-License-Identifier: GPL-3.0-or-later
/* fork and exec for tests. Output goes to memory files, so that no pipe can fill up. */
#include "tests/lib/run.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

static char *read_all(int fd)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	char *text;

	must(size >= 0, "lseek");
	text = malloc((size_t)size + 1);
	must(text != NULL, "malloc");
	must(pread(fd, text, (size_t)size, 0) == (ssize_t)size, "pread");
	text[size] = '\0';
	close(fd);
	return text;
}

void run_program(struct run_output *ret, const char *const argv[])
{
	const int out = memfd_create("stdout", MFD_CLOEXEC);
	const int err = memfd_create("stderr", MFD_CLOEXEC);
	int status;
	pid_t pid;

	must(out >= 0 && err >= 0, "memfd_create");
	pid = fork();
	must(pid >= 0, "fork");
	if (pid == 0) {
		if (dup2(out, 1) >= 0 && dup2(err, 2) >= 0)
			execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		must(errno == EINTR, "waitpid");
	ret->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	ret->out = read_all(out);
	ret->err = read_all(err);
}

void run_output_free(struct run_output *o)
{
	free(o->out);
	free(o->err);
}
