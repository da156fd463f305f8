// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Preloaded into a program: each pread of a page or more takes SLOW_PREAD_MS longer, as from a slow
 * disk, so that a small file is read for seconds.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

typedef ssize_t pread_fn(int fd, void *buf, size_t n, off_t offset);

ssize_t pread(int fd, void *buf, size_t n, off_t offset)
{
	const char *ms = getenv("SLOW_PREAD_MS");
	const long wait_ms = ms ? strtol(ms, NULL, 10) : 0;
	const struct timespec wait = { wait_ms / 1000, wait_ms % 1000 * 1000000 };
	pread_fn *next;

	*(void **)&next = dlsym(RTLD_NEXT, "pread");
	if (n >= PAGE)
		nanosleep(&wait, NULL);
	return next(fd, buf, n, offset);
}
