/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the capture tests: a sink that keeps marker lines, and files of made-up trees. */
#ifndef TESTS_UNIT_CAPTURE_LINES_H
#define TESTS_UNIT_CAPTURE_LINES_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/emit.h"

#define KEPT_MAX 128

struct kept {
	char *line[KEPT_MAX];
	size_t n;
};

static inline int keep_line(void *ctx, const char *line)
{
	struct kept *k = ctx;

	if (k->n == KEPT_MAX)
		abort();
	k->line[k->n] = strdup(line);
	if (!k->line[k->n++])
		abort();
	return 0;
}

static inline struct cap_sink keep_in(struct kept *k)
{
	return (struct cap_sink){ keep_line, k };
}

/* How many lines begin with this. */
static inline size_t kept_count(const struct kept *k, const char *begin)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		n += strncmp(k->line[i], begin, strlen(begin)) == 0;
	return n;
}

/* The last line that begins so, or "". */
static inline const char *kept_last(const struct kept *k, const char *begin)
{
	for (size_t i = k->n; i-- > 0;)
		if (strncmp(k->line[i], begin, strlen(begin)) == 0)
			return k->line[i];
	return "";
}

static inline void kept_clear(struct kept *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->line[i]);
	k->n = 0;
}

/* Writes dirfd/path with all folders above it. */
static inline void put_file(int dirfd, const char *path, const char *text)
{
	char part[512];
	int fd;

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		mkdirat(dirfd, part, 0755);
	}
	fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static inline int open_folder(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		abort();
	return fd;
}

#endif
