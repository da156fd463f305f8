// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/render.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot/figure.h"

static int remove_file(const char *dir, const char *name, const char *end)
{
	char *path;

	if (asprintf(&path, "%s/%s%s", dir, name, end) < 0)
		return -ENOMEM;
	unlink(path);
	free(path);
	return 0;
}

static int remove_images(const char *dir, const char *name, unsigned int formats)
{
	for (unsigned int bit = 1; fplot_format_name(bit); bit <<= 1) {
		if (!(formats & bit))
			continue;
		if (remove_file(dir, name, fplot_image_end(bit)) < 0 ||
		    (bit == FPLOT_TEX && remove_file(dir, name, "-tex.pdf") < 0))
			return -ENOMEM;
	}
	return 0;
}

/* Starts gnuplot in dir with its complaints going to fd. 0, or a negative errno. */
static int start(const char *dir, char *script, int fd, pid_t *ret)
{
	char program[] = "gnuplot", no_init_file[] = "-d";
	char *argv[] = { program, no_init_file, script, NULL };
	posix_spawn_file_actions_t a;
	int e = posix_spawn_file_actions_init(&a);

	if (e)
		return -e;
	e = posix_spawn_file_actions_addchdir_np(&a, dir);
	if (e == 0)
		e = posix_spawn_file_actions_addopen(&a, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (e == 0)
		e = posix_spawn_file_actions_addopen(&a, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (e == 0)
		e = posix_spawn_file_actions_adddup2(&a, fd, STDERR_FILENO);
	if (e == 0)
		e = posix_spawnp(ret, program, &a, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&a);
	return -e;
}

/* Reads fd to its end; the last line that is not empty stays in text. */
static void read_last_line(int fd, char text[256])
{
	FILE *f = fdopen(fd, "r");
	char line[256];

	text[0] = '\0';
	if (!f) {
		close(fd);
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[strspn(line, " \t")])
			memcpy(text, line, sizeof(line));
	}
	fclose(f);
}

/* Like waitpid() of one process, past signals. */
static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static int no_gnuplot(int e, struct fcap_err *err)
{
	if (e != -ENOENT)
		return fcap_fail(err, -e, "gnuplot: cannot run it: %s", strerror(-e));
	return fcap_fail(err, ENOENT,
			 "gnuplot: not found, so no image was drawn; install it (gnuplot-nox) and "
			 "run gnuplot on the script here");
}

static int run(const char *dir, char *script, struct fcap_err *err)
{
	char said[256];
	int fd[2], status, e;
	pid_t pid = -1;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return fcap_fail(err, errno, "cannot make a pipe: %s", strerror(errno));
	e = start(dir, script, fd[1], &pid);
	close(fd[1]);
	if (e < 0) {
		close(fd[0]);
		return no_gnuplot(e, err);
	}
	read_last_line(fd[0], said);
	status = wait_for(pid);
	/* so posix_spawn() may tell, too, that it found no program */
	if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return no_gnuplot(-ENOENT, err);
	if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return fcap_fail(err, EIO, "gnuplot: %s",
				 *said ? said : "it failed without a word");
	return 0;
}

int fplot_render(const char *dir, const char *name, unsigned int formats, struct fcap_err *err)
{
	char *script;
	int e;

	if (asprintf(&script, "%s.gp", name) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	e = remove_images(dir, name, formats);
	if (e < 0) {
		free(script);
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	e = run(dir, script, err);
	if (e < 0)
		remove_images(dir, name, formats);
	free(script);
	return e;
}
